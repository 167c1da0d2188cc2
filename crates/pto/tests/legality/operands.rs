//! Legality by operand and by path: one test for each row, named after it.

use super::*;

/// The findings for a2a3, a5 and cpu.
pub(super) fn verdicts(text: &str) -> [Vec<String>; 3] {
    [A2A3, A5, Cpu].map(|profile| found(text, profile))
}

pub(super) fn tile(shape: &str) -> String {
    format!("!pto.tile_buf<vec, {shape}>")
}

// 13.3: `tcmp` source types
#[test]
fn comparisons_have_the_source_types_of_their_pages() {
    let mask = tile("16x64xui8");
    let judge = |element: &str, with_tile: bool| {
        let source = tile(&format!("16x64x{element}"));
        let second = if with_tile { &source } else { element };
        let name = if with_tile { "tcmp" } else { "tcmps" };
        let text = using(name, &[&source, second, &mask])
            .replace("\n  return", " {cmpMode = #pto<cmp eq>}\n  return");
        [A2A3, A5].map(|profile| found(&text, profile).is_empty())
    };
    for element in ["i32", "f16", "f32"] {
        assert_eq!([judge(element, true), judge(element, false)], [[true; 2]; 2], "{element}");
    }
    for element in ["i16", "ui16"] {
        assert_eq!([judge(element, true), judge(element, false)], [[false, true], [true; 2]], "{element}");
    }
    for element in ["i8", "ui8", "ui32", "i64", "ui64", "bf16"] {
        assert_eq!([judge(element, true), judge(element, false)], [[false, true]; 2], "{element}");
    }
    let small = using("tcmp", &[&tile("16x64xf8E4M3FN"), &tile("16x64xf8E4M3FN"), &mask]);
    let refused = vec!["error: tcmp::element-type".to_owned()];
    assert_eq!(verdicts(&small), [refused.clone(), refused, vec![]]);
}

// 13.3: `tcmp`, `tcmps` mask tile
#[test]
fn the_mask_of_a_comparison_is_measured_by_its_bits_and_rows() {
    let mask = |name: &str, mask: &str| {
        let second = if name == "tcmp" { tile("8x64xf32") } else { "f32".to_owned() };
        verdicts(&using(name, &[&tile("8x64xf32"), &second, &tile(mask)]))
    };
    let no = Vec::<String>::new;
    for name in ["tcmp", "tcmps"] {
        let extension = vec![format!("extension: {name}::mask-type")];
        let rows = vec![format!("error: {name}::mask-rows")];
        for element in ["ui8", "i8"] {
            assert_eq!(mask(name, &format!("8x32x{element}, valid=8x3")), [no(), no(), no()]);
        }
        assert_eq!(mask(name, "8x8xui32, valid=8x2"), [extension.clone(), no(), no()]);
        assert_eq!(mask(name, "8x16xui16"), [extension.clone(), extension.clone(), no()]);
        assert_eq!(mask(name, "8x32xui8, valid=4x8")[0], rows);
        let on_a5 = if name == "tcmp" { no() } else { rows };
        assert_eq!(mask(name, "8x32xui8, valid=4x8")[1], on_a5);
        assert!(mask(name, "4x32xui8").iter().all(|found| found.contains(&format!("error: {name}::mask"))));
    }
}

// 13.3: `tcmps` with a tile as second source
#[test]
fn tcmps_compares_with_the_first_element_of_a_tile() {
    let text = |element: &str| {
        using(
            "tcmps",
            &[&tile(&format!("8x64x{element}")), &tile(&format!("1x32x{element}")), &tile("8x32xui8")],
        )
    };
    assert_eq!(verdicts(&text("f32")), [NOTHING; 3]);
    assert_eq!(found(&text("i64"), A5), ["error: tcmps::element-type"]);
    let program = "!a = !pto.tile_buf<vec, 2x16xf32>
!m = !pto.tile_buf<vec, 2x32xui8>
!r = !pto.tile_buf<vec, 2x32xf32>
!v = !pto.tensor_view<2x16xf32>
!w = !pto.tensor_view<2x32xui8>
func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<ui8>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%c2, %c16], strides = [%c16, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c2, %c32], strides = [%c32, %c1] : !w
  %a = pto.alloc_tile : !a
  %t = pto.alloc_tile : !a
  %m = pto.alloc_tile : !m
  pto.tload ins(%xv : !v) outs(%a : !a)
  pto.tload ins(%xv : !v) outs(%t : !a)
  pto.tmuls ins(%t, %s : !a, f32) outs(%t : !a)
  pto.tcmps ins(%a, %t {cmpMode = #pto<cmp gt>} : !a, !a) outs(%m : !m)
  pto.tstore ins(%m : !m) outs(%yv : !w)
  return
}
";
    let program =
        program.replace("  %a = pto.alloc_tile", "  %s = arith.constant 4.0 : f32\n  %a = pto.alloc_tile");
    for profile in [A2A3, A5, Cpu] {
        for by_formula in [false, true] {
            let options = Options::default().by_formula(by_formula);
            let (buffers, _) = run(&program, profile, &[], &options).expect("a comparison");
            // The elements are 1, 2, 3 and so on; four times the first one is 4.
            let rows = [0, 8].map(|word| buffers[1][word].to_bits() & 0xffff);
            assert_eq!(rows, [0xfff0, 0xffff], "{profile:?}");
        }
    }
}

fn arg(name: &str, source: &str, value: Option<&str>, index: &str) -> [Vec<String>; 3] {
    let (src, tmp) = (tile(&format!("16x32x{source}")), tile(&format!("16x512x{source}")));
    let shape = |element: &str| {
        if name.starts_with("tcol") {
            format!("1x64x{element}, valid=1x32")
        } else {
            format!("16x32x{element}, valid=16x1")
        }
    };
    let (index, value) = (tile(&shape(index)), value.map(|element| tile(&shape(element))));
    let text = match value {
        None => using(name, &[&src, &tmp, &index]),
        Some(value) => function(
            &[&src, &tmp, &value, &index],
            &format!("  pto.{name} ins(%0, %1 : {src}, {tmp}) outs(%2, %3 : {value}, {index})"),
        ),
    };
    verdicts(&text)
}

// 13.3: index of `trowargmax/min`, `tcolargmax/min`, index only; value and index
#[test]
fn indices_of_extremes_have_the_types_of_pages_and_headers() {
    let legal = Vec::<String>::new();
    for name in ["tcolargmax", "tcolargmin", "trowargmax", "trowargmin"] {
        let refused = vec![format!("error: {name}::index-type")];
        for index in ["i32", "ui32"] {
            for value in [None, Some("f32")] {
                assert_eq!(arg(name, "f32", value, index), [(); 3].map(|()| legal.clone()), "{name} {index}");
            }
        }
        for index in ["ui16", "i16"] {
            assert_eq!(arg(name, "f16", None, index), [(); 3].map(|()| refused.clone()), "{name} {index}");
            assert_eq!(
                arg(name, "f32", Some("f32"), index),
                [(); 3].map(|()| refused.clone()),
                "{name} {index}"
            );
            let extension = vec![format!("extension: {name}::index-type")];
            let wanted = if name.starts_with("tcol") { legal.clone() } else { extension };
            assert_eq!(
                arg(name, "f16", Some("f16"), index),
                [wanted.clone(), wanted, legal.clone()],
                "{name} {index}"
            );
        }
        let wanted = if name.starts_with("tcol") { refused } else { legal.clone() };
        assert_eq!(arg(name, "f16", Some("f16"), "i32"), [(); 3].map(|()| wanted.clone()), "{name}");
    }
    let refused = vec!["error: tcolargmax::element-type".to_owned()];
    assert_eq!(arg("tcolargmax", "i8", Some("i8"), "i32")[1], refused);
    assert_eq!(arg("tcolargmax", "i8", None, "i32")[1], legal);
}

// 13.3: their layouts, a2a3 and a5
#[test]
fn sources_and_outputs_of_extremes_have_the_layouts_of_pages() {
    let judge = |name: &str, source: &str, dst: &str| {
        found(&using(name, &[&tile(&format!("32x32xf32{source}")), &tile("32x32xf32"), &tile(dst)]), A5)
    };
    let (row, column) = ("1x32xi32", "32x1xi32, blayout=col_major");
    let boxes = ", blayout=col_major, slayout=row_major";
    assert!(judge("tcolargmax", ", blayout=col_major", row).is_empty());
    assert_eq!(judge("tcolargmax", boxes, row), ["error: tcolargmax::source-layout"]);
    assert_eq!(judge("trowargmax", ", blayout=col_major", column), ["error: trowargmax::source-layout"]);
    assert!(judge("trowargmax", "", column).is_empty());
    assert!(judge("trowargmax", "", "32x8xi32, valid=32x1").is_empty());
    assert_eq!(judge("trowargmax", "", "32x8xi32"), ["error: trowargmax::destination-layout"]);
    assert_eq!(
        judge("tcolargmax", "", "8x32xi32, valid=1x32, blayout=col_major"),
        ["error: tcolargmax::destination-layout"]
    );
}

// 13.3: `trowexpand*` with a workspace in mode 2
#[test]
fn a_workspace_of_a_row_expansion_in_mode_2_is_ignored_on_a5() {
    let [full, block, tmp] = ["4x16xf32", "4x8xf32", "4x64xf32"].map(tile);
    let [a2a3, a5, cpu] = verdicts(&using("trowexpandadd", &[&full, &block, &tmp, &full]));
    assert_eq!((a2a3, a5, cpu), (vec!["error: trowexpandadd::tmp-mode-1".to_owned()], vec![], vec![]));
}

// 13.3: one-row destination of `tgather` (mask, index)
#[test]
fn one_row_of_gathered_elements_is_continuous_and_measured_by_its_declared_columns() {
    let mask = |src: &str, dst: &str| {
        verdicts(
            &using("tgather", &[&tile(src), &tile(dst)])
                .replace("\n  return", " {maskPattern = #pto.mask_pattern<P0101>}\n  return"),
        )
    };
    assert_eq!(mask("1x2048xf32, valid=1x1000", "1x1024xf32, valid=1x500"), [NOTHING; 3]);
    assert_eq!(mask("1x2048xf32", "1x1024xf32, valid=1x512"), [NOTHING; 3]);
    let refused = mask("1x2048xf32", "1x512xf32");
    assert!(refused.iter().all(|found| *found == ["error: tgather::mask-extent"]), "{refused:?}");
    let rows = mask("2x2048xf32", "2x1024xf32, valid=2x512");
    assert_eq!(rows[0], ["error: tgather::continuous"]);
    let index = |dst: &str, idx: &str| {
        let (tmp, idx) = (tile(idx), tile(idx));
        found(&using("tgather", &[&tile("1x64xf32"), &idx, &tmp, &tile(dst)]), A2A3)
    };
    assert_eq!(index("1x64xf32, valid=1x40", "1x64xi32, valid=1x40"), NOTHING);
}

// 13.3: `tprint`
#[test]
fn tprint_takes_the_types_and_locations_of_its_page() {
    let print = |ty: &str| {
        verdicts(&function(&[ty], &format!("  pto.tprint ins(%0 : {ty}) outs()"))).map(|found| found.len())
    };
    for element in ["f32", "f16", "i8", "ui8", "i16", "ui16", "i32", "ui32"] {
        assert_eq!(print(&vec(element)), [0; 3], "{element}");
    }
    for element in ["i64", "bf16", "f8E4M3FN"] {
        assert_eq!(print(&vec(element)), [1, 1, 0], "{element}");
        assert_eq!(print(&format!("!pto.tensor_view<4x4x{element}>")), [1, 1, 0], "{element}");
    }
    let mat = "!pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>";
    assert_eq!(print(mat), [1, 1, 0]);
    let view = "!pto.tensor_view<16x16xf16>";
    let through = function(&[mat, view], &format!("  pto.tprint ins(%0, %1 : {mat}, {view}) outs()"));
    assert_eq!(verdicts(&through), [NOTHING; 3]);
}

// 13.3: scaling tile of another type than ui64, i64 as `fp`
#[test]
fn parameters_are_words_of_64_bits_whatever_the_type_of_their_tile() {
    let program = |fp: &str| {
        format!(
            "!p = !pto.tile_buf<scaling, {fp}>
!m = !pto.tile_buf<mat, {fp}>
!a = !pto.tile_buf<acc, 16x16xi32, blayout=col_major, slayout=row_major, fractal=1024>
!o = !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
func.func @f(%a: !a, %p: !p, %o: !o) {{
  pto.tmov ins(%a, %p : !a, !p) outs(%o : !o)
  return
}}
"
        )
    };
    for profile in [A2A3, A5] {
        assert_eq!(found(&program("1x16xui64"), profile), NOTHING);
        assert_eq!(found(&program("1x32xf32"), profile), ["lint: tmov::fp-type"]);
        assert_eq!(found(&program("1x16xf32"), profile), ["error: tmov::fp-columns", "lint: tmov::fp-type"]);
    }
}

// 13.3: `subview`; `set_validshape` of a subview
#[test]
fn open_extents_of_a_part_are_given_where_it_is_made() {
    let part = |valid: &str, ty: &str| {
        let whole = tile("16x16xf32");
        let body = format!(
            "  %z = arith.constant 0 : index
  %s = pto.subview %0[%z, %z] sizes [8, 16]{valid} : {whole} -> !pto.tile_buf<vec, 8x16xf32{ty}>"
        );
        found(&function(&[&whole, "index"], &body), Cpu)
    };
    assert_eq!(part(" valid [%1, %1]", ", valid=?x?"), NOTHING);
    assert_eq!(part("", ""), NOTHING);
    for open in ["?x?", "?x16", "8x?"] {
        assert_eq!(part("", &format!(", valid={open}")), ["error: subview::open-valid"], "{open}");
    }
    let set = |body: &str| {
        let whole = tile("16x16xf32, valid=?x?");
        let body =
            format!("  %z = arith.constant 0 : index\n{body}\n  pto.set_validshape %s, %1, %1 : {whole}");
        found(&function(&[&whole, "index"], &body.replace("WHOLE", &whole)), Cpu)
    };
    let cut = "  %s = pto.subview %0[%z, %z] sizes [16, 16] valid [%1, %1] : WHOLE -> WHOLE";
    assert_eq!(set(cut), ["lint: set_validshape::subview"]);
    assert_eq!(set("  %s = pto.treshape %0 : WHOLE -> WHOLE"), NOTHING);
}

// 13.3: narrow tiles
#[test]
fn a_column_is_proposed_only_where_the_tile_is_one() {
    let help = |shape: &str| {
        let text = function(&[], &format!("  %t = pto.alloc_tile : {}", tile(shape)));
        let findings = pto::check(pto::parse(&text).expect("text").module, None).expect_err("too narrow");
        findings[0].help[0].clone()
    };
    assert!(help("1x1xf32").contains("declare `1x8xf32`, and `valid=1x1`"), "{}", help("1x1xf32"));
    assert!(help("1x4xf16").contains("declare `1x16xf16`, and `valid=1x4`"), "{}", help("1x4xf16"));
    assert!(help("16x1xf32").contains("blayout=col_major"), "{}", help("16x1xf32"));
}
