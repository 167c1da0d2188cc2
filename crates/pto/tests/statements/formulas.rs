//! The formulas of the pages, each implemented independently here.

use crate::support::launch;

use pto::Profile;
use pto::sim::Value;

/// The element of the argument at (i, j): rows of 16 numbers, counting from 1.
fn held(i: usize, j: usize) -> f32 {
    (1 + 16 * i + j) as f32
}

/// A vec tile: its name, its parameters, and its valid rows and columns.
type Declared<'a> = (&'a str, &'a str, usize, usize);

/// Loads all tiles from the argument, runs `lines`, and returns the valid region of the last tile, row by row.
fn result(profile: Profile, tiles: &[Declared], lines: &str) -> Vec<Vec<f32>> {
    let mut text = String::from(
        "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n  %fill = arith.constant -1.0 : f32\n",
    );
    for number in 0..=16 {
        text.push_str(&format!("  %c{number} = arith.constant {number} : index\n"));
    }
    for (name, ty, rows, cols) in tiles {
        let ty = format!("!pto.tile_buf<vec, {ty}>");
        let view = format!("!pto.tensor_view<{rows}x{cols}xf32>");
        text.push_str(&format!(
            "  %{name}v = pto.make_tensor_view %x, shape = [%c{rows}, %c{cols}], strides = [%c16, %c1] : {view}\n  \
             %{name} = pto.alloc_tile : {ty}\n  pto.tload ins(%{name}v : {view}) outs(%{name} : {ty})\n"
        ));
    }
    let (name, ty, rows, cols) = tiles.last().expect("a tile");
    let view = format!("!pto.tensor_view<{rows}x{cols}xf32>");
    text.push_str(&format!(
        "  {lines}\n  %out = pto.make_tensor_view %y, shape = [%c{rows}, %c{cols}], strides = [%c16, %c1] : {view}\n  \
         pto.tstore ins(%{name} : !pto.tile_buf<vec, {ty}>) outs(%out : {view})\n  return\n}}\n"
    ));
    let outcome = launch::run_text(&text, Some(profile), &pto::sim::Options::default());
    let word = |at: usize| outcome.buffers[1].bytes[4 * at..][..4].try_into().map(f32::from_le_bytes);
    (0..*rows).map(|i| (0..*cols).map(|j| word(16 * i + j).expect("4 bytes")).collect()).collect()
}

/// Compares each element of the last tile with a formula, on the simulator's profile.
fn holds(tiles: &[Declared], lines: &str, formula: impl Fn(usize, usize) -> f32) {
    holds_on(&[Profile::Cpu], tiles, lines, formula);
}

/// [`holds`] on several profiles.
fn holds_on(profiles: &[Profile], tiles: &[Declared], lines: &str, formula: impl Fn(usize, usize) -> f32) {
    for profile in profiles {
        for (i, row) in result(*profile, tiles, lines).iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                assert_eq!(*value, formula(i, j), "({i}, {j}) of {lines} on {profile:?}");
            }
        }
    }
}

/// The type of a vec tile with these parameters.
fn vec(parameters: &str) -> String {
    format!("!pto.tile_buf<vec, {parameters}>")
}

const T: &str = "8x8xf32";
const W: &str = "16x16xf32";

/// The second source is negative, so that each element shows from which source it comes.
#[test]
fn tconcat_joins_valid_regions() {
    let (a, b) = ("8x8xf32, valid=8x5", "8x16xf32, valid=8x3");
    let (left, right, whole) = (vec(a), vec(b), vec(T));
    holds_on(
        &Profile::ALL,
        &[("a", a, 8, 5), ("b", b, 8, 3), ("d", T, 8, 8)],
        &format!(
            "pto.tmuls ins(%b, %fill : {right}, f32) outs(%b : {right})\n  \
             pto.tconcat ins(%a, %b : {left}, {right}) outs(%d : {whole})"
        ),
        |i, j| if j < 5 { held(i, j) } else { -held(i, j - 5) },
    );
}

/// The destination declares 8x8 elements, of which 6x7 are valid.
#[test]
fn tconcat_writes_the_valid_region_alone() {
    let (a, b) = ("8x8xf32, valid=6x4", "8x8xf32, valid=6x3");
    let (left, right, whole, part) = (vec(a), vec(b), vec(T), vec("8x8xf32, valid=6x7"));
    holds_on(
        &Profile::ALL,
        &[("a", a, 6, 4), ("b", b, 6, 3), ("d", T, 8, 8)],
        &format!(
            "pto.tmuls ins(%b, %fill : {right}, f32) outs(%b : {right})\n  \
             %p = pto.treshape %d : {whole} -> {part}\n  pto.tconcat ins(%a, %b : {left}, {right}) outs(%p : {part})"
        ),
        |i, j| match (i, j) {
            (..6, 4..7) => -held(i, j - 4),
            _ => held(i, j),
        },
    );
}

#[test]
fn tinsert_moves_the_valid_region_to_the_window() {
    let a = "8x8xf32, valid=3x4";
    holds(
        &[("a", a, 3, 4), ("d", W, 16, 16)],
        &format!(
            "pto.tinsert ins(%a, %c2, %c8 : !pto.tile_buf<vec, {a}>, index, index) outs(%d : !pto.tile_buf<vec, {W}>)"
        ),
        |i, j| if (2..5).contains(&i) && (8..12).contains(&j) { held(i - 2, j - 8) } else { held(i, j) },
    );
}

/// Windows whose rows begin and end at blocks of 32 bytes, whose rows end or begin elsewhere, and a single element.
#[test]
fn tinsert_in_rows_has_one_result_whatever_the_alignment() {
    for (rows, cols, row, col) in [(8, 8, 0, 8), (8, 5, 2, 8), (8, 8, 1, 3), (5, 3, 7, 11), (1, 1, 4, 9)] {
        let a = format!("8x8xf32, valid={rows}x{cols}");
        let (from, to) = (vec(&a), vec(W));
        holds_on(
            &[Profile::Cpu, Profile::A5],
            &[("a", &a, rows, cols), ("d", W, 16, 16)],
            &format!(
                "pto.tmuls ins(%a, %fill : {from}, f32) outs(%a : {from})\n  \
                 pto.tinsert ins(%a, %c{row}, %c{col} : {from}, index, index) outs(%d : {to})"
            ),
            |i, j| match (row..row + rows).contains(&i) && (col..col + cols).contains(&j) {
                true => -held(i - row, j - col),
                false => held(i, j),
            },
        );
    }
}

/// Extracting at the place of an insertion returns the inserted part, and inserting an extracted part at its place
/// changes nothing.
#[test]
fn tinsert_is_the_inverse_of_textract() {
    let (part, whole) = (vec(T), vec(W));
    let insert = format!("pto.tinsert ins(%a, %c3, %c8 : {part}, index, index) outs(%w : {whole})");
    let extract =
        |into: &str| format!("pto.textract ins(%w, %c3, %c8 : {whole}, index, index) outs(%{into} : {part})");
    let negated = format!("pto.tmuls ins(%a, %fill : {part}, f32) outs(%a : {part})");
    holds_on(
        &[Profile::Cpu, Profile::A5],
        &[("a", T, 8, 8), ("w", W, 16, 16), ("d", T, 8, 8)],
        &format!("{negated}\n  {insert}\n  {}", extract("d")),
        |i, j| -held(i, j),
    );
    holds_on(
        &[Profile::Cpu, Profile::A5],
        &[("a", T, 8, 8), ("w", W, 16, 16)],
        &format!("{}\n  {insert}", extract("a")),
        held,
    );
}

/// On the simulator each move has relu, from vec tiles too.
#[test]
fn relu_is_none_where_left_out() {
    let ty = vec(T);
    let relu = |word: &str| format!(" {{reluPreMode = #pto<relu_pre_mode {word}>}}");
    let positive = relu("normal_relu");
    for (attributes, factor) in [("", -1.0), (&*relu("no_relu"), -1.0), (&*positive, 0.0)] {
        for (op, offsets, types) in [("tmov", "", ""), ("tinsert", ", %c0, %c0", ", index, index")] {
            holds(
                &[("a", T, 8, 8), ("d", T, 8, 8)],
                &format!(
                    "pto.tmuls ins(%a, %fill : {ty}, f32) outs(%a : {ty})\n  \
                     pto.{op} ins(%a{offsets} : {ty}{types}) outs(%d : {ty}){attributes}"
                ),
                |i, j| factor * held(i, j),
            );
        }
    }
}

/// On the simulator destinations may be larger: the rest stays as it is.
#[test]
fn tmov_copies_the_valid_region() {
    let a = "16x16xf32, valid=3x5";
    let (from, to) = (vec(a), vec(W));
    holds(
        &[("a", a, 3, 5), ("d", W, 16, 16)],
        &format!(
            "pto.tmuls ins(%a, %fill : {from}, f32) outs(%a : {from})\n  pto.tmov ins(%a : {from}) outs(%d : {to})"
        ),
        |i, j| if i < 3 && j < 5 { -held(i, j) } else { held(i, j) },
    );
}

#[test]
fn textract_cuts_what_the_destination_holds() {
    let d = "8x8xf32, valid=3x4";
    holds(
        &[("a", W, 16, 16), ("d", d, 3, 4)],
        &format!(
            "pto.textract ins(%a, %c2, %c8 : !pto.tile_buf<vec, {W}>, index, index) outs(%d : !pto.tile_buf<vec, {d}>)"
        ),
        |i, j| held(i + 2, j + 8),
    );
}

#[test]
fn tmov_keeps_each_element_whatever_the_layouts() {
    for d in ["16x16xf32, blayout=col_major", "16x16xf32, blayout=col_major, slayout=row_major"] {
        let (ty, whole) = (format!("!pto.tile_buf<vec, {d}>"), format!("!pto.tile_buf<vec, {W}>"));
        holds(
            &[("a", W, 16, 16), ("d", W, 16, 16)],
            &format!(
                "%m = pto.alloc_tile : {ty}\n  pto.tmov ins(%a : {whole}) outs(%m : {ty})\n  \
                 pto.tsub ins(%d, %d : {whole}, {whole}) outs(%d : {whole})\n  pto.tmov ins(%m : {ty}) outs(%d : {whole})"
            ),
            held,
        );
    }
}

#[test]
fn ttrans_swaps_rows_and_columns() {
    let ty = format!("!pto.tile_buf<vec, {T}>");
    holds(
        &[("a", T, 8, 8), ("d", T, 8, 8)],
        &format!("pto.ttrans ins(%a : {ty}) outs(%d : {ty})"),
        |i, j| held(j, i),
    );
}

#[test]
fn treshape_keeps_the_order_of_elements() {
    let d = "8x8xf32";
    let (from, to) = ("!pto.tile_buf<vec, 4x16xf32>", format!("!pto.tile_buf<vec, {d}>"));
    holds(
        &[("a", "4x16xf32", 4, 16), ("d", d, 8, 8)],
        &format!("pto.treshape ins(%a : {from}) outs(%d : {to})"),
        |i, j| held((8 * i + j) / 16, (8 * i + j) % 16),
    );
}

/// A write to the result is a write to the source.
#[test]
fn treshape_names_the_bytes_of_its_source() {
    let (from, to) = (vec(T), vec("4x16xf32"));
    holds(
        &[("d", T, 8, 8)],
        &format!("%p = pto.treshape %d : {from} -> {to}\n  pto.texpands ins(%fill : f32) outs(%p : {to})"),
        |_, _| -1.0,
    );
}

#[test]
fn fills_take_the_whole_declared_area() {
    let a = "8x8xf32, valid=3x5";
    let source = format!("!pto.tile_buf<vec, {a}>");
    let filled = |i: usize, j: usize| if i < 3 && j < 5 { held(i, j) } else { -1.0 };
    for (name, d, rows, cols) in [("tfillpad", T, 8, 8), ("tfillpad_expand", W, 16, 16)] {
        let ty = format!("!pto.tile_buf<vec, {d}>");
        let lines = format!("pto.{name} ins(%a, %fill : {source}, f32) outs(%d : {ty})");
        holds(&[("a", a, 3, 5), ("d", d, rows, cols)], &lines, filled);
    }
    let ty = format!("!pto.tile_buf<vec, {T}>");
    let extracted = format!("!pto.tile_buf<vec, {T}, valid=3x5>");
    for (line, at) in [
        (
            format!(
                "pto.textract_fp ins(%a, %c1, %c2, %fill : {ty}, index, index, f32) outs(%s : {extracted})"
            ),
            (1, 2),
        ),
        (format!("pto.tmov_fp ins(%w, %fill : {source}, f32) outs(%s : {extracted})"), (0, 0)),
    ] {
        // The part is created in storage that is then stored completely.
        let lines = format!(
            "%s = pto.alloc_tile : {extracted}\n  {line}\n  pto.treshape ins(%s : {extracted}) outs(%d : {ty})"
        );
        holds(&[("a", T, 8, 8), ("w", a, 3, 5), ("d", T, 8, 8)], &lines, |i, j| {
            if i < 3 && j < 5 { held(i + at.0, j + at.1) } else { -1.0 }
        });
    }
}

/// The source itself receives the fill, and keeps its valid region.
#[test]
fn tfillpad_inplace_fills_its_source() {
    let part = vec("8x8xf32, valid=3x5");
    let whole = vec(T);
    holds(
        &[("d", T, 8, 8)],
        &format!(
            "%p = pto.treshape %d : {whole} -> {part}\n  \
             pto.tfillpad_inplace ins(%p, %fill : {part}, f32) outs(%d : {whole})"
        ),
        |i, j| if i < 3 && j < 5 { held(i, j) } else { -1.0 },
    );
}

#[test]
fn trowexpandadd_in_both_modes_and_orders() {
    let column = "16x1xf32, blayout=col_major";
    let block = "16x8xf32";
    for (e, cols) in [(column, 1), (block, 8)] {
        let (full, part) = (format!("!pto.tile_buf<vec, {W}>"), format!("!pto.tile_buf<vec, {e}>"));
        for ins in [format!("%a, %e : {full}, {part}"), format!("%e, %a : {part}, {full}")] {
            holds_on(
                &Profile::ALL,
                &[("a", W, 16, 16), ("e", e, 16, cols), ("d", W, 16, 16)],
                &format!("pto.trowexpandadd ins({ins}) outs(%d : {full})"),
                |i, j| held(i, j) + held(i, j % cols),
            );
        }
    }
}

/// With a workspace too; the destination declares 16x16 elements, of which 5x11 are valid.
#[test]
fn trowexpandadd_writes_the_valid_region_alone() {
    let (column, part) = ("16x1xf32, valid=5x1, blayout=col_major", "16x16xf32, valid=5x11");
    let (whole, narrow, few, tmp) = (vec(W), vec(column), vec(part), vec("1x64xf32"));
    for (workspace, ty) in [("", String::new()), (", %t", format!(", {tmp}"))] {
        holds_on(
            &Profile::ALL,
            &[("a", part, 5, 11), ("e", column, 5, 1), ("d", W, 16, 16)],
            &format!(
                "%p = pto.treshape %d : {whole} -> {few}\n  %t = pto.alloc_tile : {tmp}\n  \
                 pto.trowexpandadd ins(%a, %e{workspace} : {few}, {narrow}{ty}) outs(%p : {few})"
            ),
            |i, j| if i < 5 && j < 11 { held(i, j) + held(i, 0) } else { held(i, j) },
        );
    }
}

/// Infinities, subnormal numbers, signed zeros, and NaNs of both kinds, with payloads.
const PATTERNS: [u32; 8] =
    [0x7f80_0000, 0xff80_0000, 0x0000_0001, 0x8000_0000, 0x7fc1_2345, 0xffc0_0001, 0x7f81_2345, 0xffbf_ffff];

#[test]
fn instructions_of_the_layout_set_keep_the_bits_of_elements() {
    let bits = |at: usize| PATTERNS[at % 8] ^ (at as u32 / 8);
    let (ty, wide) = (vec(T), vec("8x16xf32"));
    let view = |cols: u32| format!("!pto.tensor_view<8x{cols}xf32>");
    let (one, offsets) = (format!("%a : {ty}"), format!("%a, %c0, %c0 : {ty}, index, index"));
    let turned = |i: usize, j: usize| 8 * j + i;
    let same = |i: usize, j: usize| 8 * i + j % 8;
    type Place<'a> = &'a dyn Fn(usize, usize) -> usize;
    let cases: [(&str, String, Place); 12] = [
        ("tmov", one.clone(), &same),
        ("tmov_fp", format!("%a, %fill : {ty}, f32"), &same),
        ("treshape", one.clone(), &same),
        ("ttrans", one.clone(), &turned),
        ("tconcat", format!("%a, %a : {ty}, {ty}"), &same),
        ("textract", offsets.clone(), &same),
        ("textract_fp", format!("%a, %c0, %c0, %fill : {ty}, index, index, f32"), &same),
        ("tinsert", offsets, &same),
        ("tinsert_fp", format!("%a, %c0, %c0, %fill : {ty}, index, index, f32"), &same),
        ("tfillpad", format!("%a, %fill : {ty}, f32"), &same),
        ("tfillpad_inplace", format!("%a, %fill : {ty}, f32"), &same),
        ("tfillpad_expand", format!("%a, %fill : {ty}, f32"), &same),
    ];
    for (op, ins, place) in cases {
        let (to, cols) = if op == "tconcat" { (&wide, 16) } else { (&ty, 8) };
        let from = if op == "tfillpad_inplace" {
            "%a = pto.treshape %d : T -> T".replace('T', &ty)
        } else {
            format!("%a = pto.alloc_tile : {ty}")
        };
        let text = format!(
            "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %cols = arith.constant {cols} : index
  %fill = arith.constant 1.0 : f32
  %d = pto.alloc_tile : {to}
  {from}
  %v = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : {}
  %w = pto.make_tensor_view %y, shape = [%c8, %cols], strides = [%cols, %c1] : {}
  pto.tload ins(%v : {}) outs(%a : {ty})
  pto.{op} ins({ins}) outs(%d : {to})
  pto.tstore ins(%d : {to}) outs(%w : {})
  return
}}
",
            view(8),
            view(cols),
            view(8),
            view(cols)
        );
        let program = launch::program(&text, Some(Profile::Cpu));
        let x = (0..64).flat_map(|at| bits(at).to_le_bytes()).collect();
        let values = [Value::buffer(x), Value::buffer(vec![0; 32 * cols as usize])];
        let stored = launch::both_ways(&program, &values, 1);
        for (at, word) in stored.as_chunks::<4>().0.iter().enumerate() {
            let (i, j) = (at / cols as usize, at % cols as usize);
            assert_eq!(u32::from_le_bytes(*word), bits(place(i, j)), "{op} ({i}, {j})");
        }
    }
}
