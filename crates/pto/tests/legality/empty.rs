//! An empty valid region: nothing is computed, nothing is written, and no profile reports an error.

use super::*;

const LINT: [&str; 1] = ["lint: empty-region"];

#[test]
fn a_column_expansion_over_nothing_is_legal() {
    for profile in Profile::ALL {
        assert_eq!(found(&program("empty_tcolexpandmul.pto"), profile), NOTHING, "{profile:?}");
        assert!(run(&program("empty_tcolexpandmul.pto"), profile, &[], &Options::default()).is_ok());
    }
}

#[test]
fn a_reduction_over_nothing_is_legal() {
    for profile in Profile::ALL {
        assert_eq!(found(&program("empty_trowmax.pto"), profile), NOTHING, "{profile:?}");
        assert!(run(&program("empty_trowmax.pto"), profile, &[], &Options::default()).is_ok());
    }
}

#[test]
fn row_expansions_of_empty_tiles_run_and_regions_that_differ_are_a_lint() {
    for name in ["empty_rowexpand_all.pto", "empty_rowexpand_rows.pto"] {
        let run = |scalars: &[u64]| run(&program(name), A5, scalars, &Options::default());
        let (_, found) = run(&[0, 0, 0, 0]).expect("nothing to compute");
        assert_eq!(found, NOTHING, "{name}");
        let (_, found) = run(&[0, 32, 16, 1]).expect("nothing to compute");
        assert_eq!(found, LINT, "{name}");
    }
}

/// A kernel of `%rows` x `%cols` elements whose loaded data stay unchanged if `body` computes nothing on `%t`.
fn kept(body: &str) -> String {
    format!(
        "!t = !pto.tile_buf<vec, 8x8xf32>
!p = !pto.tile_buf<vec, 8x8xf32, valid=?x?>
!c = !pto.tile_buf<vec, 8x1xf32, valid=?x?, blayout=col_major>
!v = !pto.tensor_view<8x8xf32>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %rows: index, %cols: index) {{
  %z = arith.constant 0 : i64
  %z2 = arith.constant 1024 : i64
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %t = pto.alloc_tile addr = %z : !t
  %p = pto.alloc_tile addr = %z valid_row = %rows valid_col = %cols : !p
  %q = pto.alloc_tile addr = %z2 valid_row = %rows valid_col = %cols : !p
  %c = pto.alloc_tile addr = %z valid_row = %c8 valid_col = %c1 : !c
  pto.tload ins(%xv : !v) outs(%t : !t)
{body}
  pto.tstore ins(%t : !t) outs(%yv : !v)
  return
}}
"
    )
}

#[test]
fn nothing_is_written_where_a_region_is_empty() {
    let bodies = [
        "  pto.tadd ins(%q, %q : !p, !p) outs(%p : !p)",
        "  pto.tmov ins(%q : !p) outs(%p : !p)",
        "  pto.trowsum ins(%q, %q : !p, !p) outs(%c : !c)",
        "  pto.trowmax ins(%t, %q : !t, !p) outs(%p : !p)",
        "  pto.tfillpad ins(%q : !p) outs(%p : !p)",
    ];
    for body in bodies {
        for (rows, cols) in [(0, 8), (8, 0), (0, 0)] {
            for by_formula in [false, true] {
                let options = Options::default().by_formula(by_formula);
                let (buffers, _) = run(&kept(body), Cpu, &[rows, cols], &options)
                    .unwrap_or_else(|found| panic!("{body} on {rows}x{cols}: {found:?}"));
                assert_eq!(buffers[0], buffers[1], "{body} on {rows}x{cols}");
            }
        }
    }
}

#[test]
fn a_product_without_depth_is_zero_or_its_bias() {
    let text = |op: &str, more: &str, ty: &str| {
        format!(
            "!l = !pto.tile_buf<left, 16x16xf32, valid=16x0, blayout=col_major, slayout=row_major>
!r = !pto.tile_buf<right, 16x16xf32, valid=0x16, slayout=col_major>
!b = !pto.tile_buf<bias, 1x16xf32>
!bm = !pto.tile_buf<mat, 1x16xf32>
!a = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!v = !pto.tensor_view<16x16xf32>
!w = !pto.tensor_view<1x16xf32>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %xv = pto.make_tensor_view %x, shape = [%c1, %c16], strides = [%c16, %c1] : !w
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !v
  %l = pto.alloc_tile : !l
  %r = pto.alloc_tile : !r
  %m = pto.alloc_tile : !bm
  %b = pto.alloc_tile : !b
  %a = pto.alloc_tile : !a
  pto.tload ins(%xv : !w) outs(%m : !bm)
  pto.tmov ins(%m : !bm) outs(%b : !b)
  pto.{op} ins(%l, %r{more} : !l, !r{ty}) outs(%a : !a)
  pto.tstore ins(%a : !a) outs(%yv : !v)
  return
}}
"
        )
    };
    for by_formula in [false, true] {
        let options = Options::default().by_formula(by_formula);
        let run = |text: &str| run(text, A5, &[], &options).expect("a product").0.remove(1);
        assert_eq!(run(&text("tmatmul", "", "")), [0.0; 256]);
        let biased = run(&text("tmatmul.bias", ", %b", ", !b"));
        assert_eq!(biased[16..20], [1.0, 2.0, 3.0, 4.0]);
    }
}

// 13.3: empty regions
#[test]
fn a_use_is_empty_if_its_destination_is_and_an_empty_source_alone_has_another_shape() {
    let tile = |valid: &str| format!("!pto.tile_buf<vec, 8x8xf32, valid={valid}>");
    let add = |source: &str, dst: &str| using("tadd", &[&tile(source), &tile(source), &tile(dst)]);
    for profile in Profile::ALL {
        assert_eq!(found(&add("0x8", "0x8"), profile), NOTHING);
        assert_eq!(found(&add("8x8", "0x8"), profile), LINT);
        assert_eq!(found(&add("0x8", "8x8"), profile), ["error: tadd::valid-region"]);
    }
    // The expanded source comes first, although the declared shapes alone do not identify it.
    let expand = using(
        "trowexpandadd",
        &[
            "!pto.tile_buf<vec, 8x8xf32, valid=0x8>",
            "!pto.tile_buf<vec, 8x64xf32, valid=0x5>",
            "!pto.tile_buf<vec, 8x32xf32, valid=0x5>",
        ],
    );
    for profile in Profile::ALL {
        assert_eq!(found(&expand, profile), NOTHING);
    }
}
