//! The formulas of the pages, each implemented independently here.

use crate::support::launch;

use pto::Profile;

/// The element of the argument at (i, j): rows of 16 numbers, counting from 1.
fn held(i: usize, j: usize) -> f32 {
    (1 + 16 * i + j) as f32
}

/// A vec tile: its name, its parameters, and its valid rows and columns.
type Declared<'a> = (&'a str, &'a str, usize, usize);

/// Loads all tiles from the argument, runs `lines`, and returns the valid region of the last tile, row by row.
fn result(tiles: &[Declared], lines: &str) -> Vec<Vec<f32>> {
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
    let outcome = launch::run_text(&text, Some(Profile::Cpu), &pto::sim::Options::default());
    let word = |at: usize| outcome.buffers[1].bytes[4 * at..][..4].try_into().map(f32::from_le_bytes);
    (0..*rows).map(|i| (0..*cols).map(|j| word(16 * i + j).expect("4 bytes")).collect()).collect()
}

/// Compares each element of the last tile with a formula.
fn holds(tiles: &[Declared], lines: &str, formula: impl Fn(usize, usize) -> f32) {
    for (i, row) in result(tiles, lines).iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert_eq!(*value, formula(i, j), "({i}, {j}) of {lines}");
        }
    }
}

const T: &str = "8x8xf32";
const W: &str = "16x16xf32";

#[test]
fn tconcat_joins_valid_regions() {
    let (a, b) = ("8x8xf32, valid=8x5", "8x16xf32, valid=8x3");
    holds(
        &[("a", a, 8, 5), ("b", b, 8, 3), ("d", T, 8, 8)],
        &format!(
            "pto.tconcat ins(%a, %b : !pto.tile_buf<vec, {a}>, !pto.tile_buf<vec, {b}>) outs(%d : !pto.tile_buf<vec, {T}>)"
        ),
        |i, j| if j < 5 { held(i, j) } else { held(i, j - 5) },
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

#[test]
fn trowexpandadd_in_both_modes_and_orders() {
    let column = "16x1xf32, blayout=col_major";
    let block = "16x8xf32";
    for (e, cols) in [(column, 1), (block, 8)] {
        let (full, part) = (format!("!pto.tile_buf<vec, {W}>"), format!("!pto.tile_buf<vec, {e}>"));
        for ins in [format!("%a, %e : {full}, {part}"), format!("%e, %a : {part}, {full}")] {
            holds(
                &[("a", W, 16, 16), ("e", e, 16, cols), ("d", W, 16, 16)],
                &format!("pto.trowexpandadd ins({ins}) outs(%d : {full})"),
                |i, j| held(i, j) + held(i, j % cols),
            );
        }
    }
}
