//! Moves, insertions, extractions, concatenations and fills: the fast path agrees with the formula, for forms that the
//! generators do not cover.

mod receivers;
mod refused;

use crate::support::launch::{self, both_ways};
use pto::sim::Value;
use pto_num::random;

/// A tile type with this location, shape, element type and layout word.
fn tile(location: &str, shape: &str, element: &str, layout: &str) -> String {
    let (blayout, slayout) = match layout {
        "nd" => ("row_major", "none_box"),
        "dn" => ("col_major", "none_box"),
        "nz" | "nz1024" => ("col_major", "row_major"),
        "zn" => ("row_major", "col_major"),
        "zz" => ("row_major", "row_major"),
        _ => ("col_major", "col_major"),
    };
    let fractal = if layout == "nz1024" { 1024 } else { 512 };
    format!(
        "!pto.tile_buf<{location}, {shape}x{element}, blayout={blayout}, slayout={slayout}, fractal={fractal}>"
    )
}

/// A program that loads 32x64 elements into vec tile `%v` and acc tile `%a`, and 64 parameters into scaling tile
/// `%f`; then runs `lines`, which may use these and `%d`, and stores `%d`.
fn program(element: &str, (dst, shape, stored): (&str, &str, &str), lines: &str) -> String {
    let (vec, acc) = (tile("vec", "32x64", element, "nd"), tile("acc", "32x64", element, "nz1024"));
    let (row, fp) = (tile("mat", "1x64", "ui64", "nd"), tile("scaling", "1x64", "ui64", "nd"));
    let (rows, cols) = shape.split_once('x').expect("a shape is RxC");
    let lines = lines.replace("ACC", &acc).replace("VEC", &vec).replace("FP", &fp).replace("DST", dst);
    format!(
        "func.func @k(%in: !pto.ptr<{element}>, %par: !pto.ptr<ui64>, %out: !pto.ptr<{stored}>, %q: i64) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant {rows} : index
  %cols = arith.constant {cols} : index
  %iv = pto.make_tensor_view %in, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?x{element}>
  %ip = pto.partition_view %iv, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<?x?x{element}> -> !pto.partition_tensor_view<32x64x{element}>
  %pv = pto.make_tensor_view %par, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xui64>
  %pp = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xui64> -> !pto.partition_tensor_view<1x64xui64>
  %v = pto.alloc_tile : {vec}
  %a = pto.alloc_tile : {acc}
  %r = pto.alloc_tile : {row}
  %f = pto.alloc_tile : {fp}
  %d = pto.alloc_tile : {dst}
  pto.tload ins(%ip : !pto.partition_tensor_view<32x64x{element}>) outs(%v : {vec})
  pto.tload ins(%pp : !pto.partition_tensor_view<1x64xui64>) outs(%r : {row})
  pto.tmov ins(%v : {vec}) outs(%a : {acc})
  pto.tmov ins(%r : {row}) outs(%f : {fp})
{lines}
  %ov = pto.make_tensor_view %out, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?x{stored}>
  %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?x{stored}> -> !pto.partition_tensor_view<{shape}x{stored}>
  pto.tstore ins(%d : {dst}) outs(%op : !pto.partition_tensor_view<{shape}x{stored}>)
  return
}}
"
    )
}

/// 2048 elements, small and large, and 64 parameters.
fn inputs(element: &str) -> (Vec<u8>, Vec<u8>) {
    let words = (0..2048).flat_map(|i| {
        let value = (random::mix(i) % 1200) as i32 - 600;
        let bits = match element {
            "f32" => (value as f32 / 4.0).to_bits(),
            _ => (value * 11) as u32,
        };
        bits.to_le_bytes()
    });
    let parameters = (0..64u64).flat_map(|i| {
        let scale = [0.5f32, 1.0, 0.25, 3.0][i as usize % 4];
        (u64::from(scale.to_bits()) | (i % 16) << 32 | (i % 40) << 37 | (i / 2 % 2) << 46).to_le_bytes()
    });
    (words.collect(), parameters.collect())
}

/// Runs by the fast path and by the formula; returns the stored bytes.
fn run(element: &str, dst: (&str, &str, &str), lines: &str) -> Vec<u8> {
    let source = program(element, dst, lines);
    let (values, parameters) = inputs(element);
    let values = [
        Value::buffer(values),
        Value::buffer(parameters),
        Value::buffer(vec![0; 1 << 16]),
        Value::Scalar(u64::from(0.5f32.to_bits()) | 3 << 37 | 1 << 46 | 2 << 32),
    ];
    let stored = both_ways(&launch::program(&source, None), &values, 2);
    assert!(stored.iter().any(|byte| *byte != 0), "nothing was stored:\n{source}");
    stored
}

const QUANTIZED: [(&str, &str); 12] = [
    ("f32", "i8"),
    ("f32", "ui8"),
    ("f32", "f16"),
    ("f32", "bf16"),
    ("f32", "!pto.hif8"),
    ("f32", "f8E4M3FN"),
    ("f32", "f32"),
    ("i32", "i8"),
    ("i32", "ui8"),
    ("i32", "i16"),
    ("i32", "f16"),
    ("i32", "bf16"),
];

#[test]
fn quantized_moves_do_what_the_formula_does() {
    for (from, to) in QUANTIZED {
        for (location, layout) in [("mat", "nz"), ("vec", "nd"), ("vec", "nz"), ("vec", "dn")] {
            let dst = tile(location, "32x64", to, layout);
            for relu in ["", " {reluPreMode = #pto<relu_pre_mode normal_relu>}"] {
                for line in [
                    "pto.tmov ins(%a : ACC, %q : i64) outs(%d : DST)",
                    "pto.tmov ins(%a : ACC, %f : FP) outs(%d : DST)",
                    "pto.tmov_fp ins(%a, %f : ACC, FP) outs(%d : DST)",
                ] {
                    run(from, (&dst, "32x64", to), &format!("  {line}{relu}"));
                }
            }
        }
    }
}

#[test]
fn quantized_windows_do_what_the_formula_does() {
    for (from, to) in QUANTIZED {
        let (small, large) = (tile("mat", "16x32", to, "nz"), tile("mat", "64x128", to, "nz"));
        for line in [
            "pto.textract ins(%a, %c3, %c16, %q : ACC, index, index, i64) outs(%d : DST)",
            "pto.textract ins(%a, %c3, %c16 : ACC, index, index fp %f : FP) outs(%d : DST)",
            "pto.textract_fp ins(%a, %f, %c16, %c32 : ACC, FP, index, index) outs(%d : DST)",
        ] {
            run(from, (&small, "16x32", to), &format!("  {line}"));
        }
        for line in [
            "pto.tinsert ins(%a, %c3, %c16 : ACC, index, index pre_quant %q : i64) outs(%d : DST)",
            "pto.tinsert ins(%a, %c3, %c16 : ACC, index, index fp %f : FP) outs(%d : DST)",
            "pto.tinsert_fp ins(%a, %f, %c32, %c64 : ACC, FP, index, index) outs(%d : DST)",
        ] {
            run(from, (&large, "64x128", to), &format!("  {line}"));
        }
    }
}

#[test]
fn an_extraction_advances_the_parameters_and_an_insertion_does_not() {
    let dst = tile("mat", "16x32", "f32", "nz");
    let cut = "  pto.textract ins(%a, %c0, %c3 : ACC, index, index fp %f : FP) outs(%d : DST)";
    let bytes = run("f32", (&dst, "16x32", "f32"), cut);
    let first = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let (values, _) = inputs("f32");
    let third = f32::from_le_bytes([values[12], values[13], values[14], values[15]]);
    assert_eq!(first, third * 3.0, "column 3 has scale 3");
    let dst = tile("mat", "32x128", "f32", "nz");
    let put = "  pto.tinsert ins(%a, %c0, %c3 : ACC, index, index fp %f : FP) outs(%d : DST)";
    let bytes = run("f32", (&dst, "32x128", "f32"), put);
    let put = f32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
    let zeroth = f32::from_le_bytes([values[0], values[1], values[2], values[3]]);
    assert_eq!(put, zeroth * 0.5, "column 0 of the source has scale 0.5");
}

/// Five columns of boxes, which neither two nor four transfers share equally.
#[test]
fn a_split_insertion_gives_what_one_transfer_gives() {
    let (dst, boxes) = (tile("mat", "48x64", "f32", "nz"), tile("vec", "32x40", "f32", "nz"));
    let rows = tile("vec", "32x40", "f32", "nd");
    let insert = |mode: &str| {
        let lines = format!(
            "  %p = pto.alloc_tile : {rows}
  %b = pto.alloc_tile : {boxes}
  pto.textract ins(%v, %c0, %c3 : VEC, index, index) outs(%p : {rows})
  pto.tmov ins(%p : {rows}) outs(%b : {boxes})
  pto.tinsert ins(%b, %c16, %c16 : {boxes}, index, index) outs(%d : DST){mode}"
        );
        run("f32", (&dst, "48x64", "f32"), &lines)
    };
    let (whole, values) = (insert(""), inputs("f32").0);
    assert_eq!(whole[4 * (16 * 64 + 16)..][..160], values[12..172], "row 16 from column 16 on");
    for mode in ["split2", "split4"] {
        assert_eq!(insert(&format!(" {{tinsertMode = #pto.tinsert_mode<{mode}>}}")), whole, "{mode}");
    }
}

#[test]
fn a_fill_value_fills_what_is_not_written() {
    let fill = "  %one = arith.constant 1.0 : f32\n";
    let larger = tile("vec", "32x72", "f32", "nd");
    let bytes = run(
        "f32",
        (&larger, "32x72", "f32"),
        &format!("{fill}  pto.tmov_fp ins(%v, %one : VEC, f32) outs(%d : DST)"),
    );
    assert_eq!(bytes[64 * 4..65 * 4], 1f32.to_le_bytes());
    for line in ["tfillpad", "tfillpad_expand"] {
        let bytes = run(
            "f32",
            (&larger, "32x72", "f32"),
            &format!("{fill}  pto.{line} ins(%v, %one : VEC, f32) outs(%d : DST)"),
        );
        assert_eq!(bytes[71 * 4..72 * 4], 1f32.to_le_bytes());
    }
    let smaller = tile("vec", "16x32", "f32", "nz");
    run(
        "f32",
        (&smaller, "16x32", "f32"),
        &format!("{fill}  pto.textract_fp ins(%v, %c3, %c1, %one : VEC, index, index, f32) outs(%d : DST)"),
    );
    run(
        "f32",
        (&larger, "32x72", "f32"),
        &format!("{fill}  pto.tinsert_fp ins(%v, %c0, %c1, %one : VEC, index, index, f32) outs(%d : DST)"),
    );
}

#[test]
fn layouts_of_vec_tiles_change_on_the_way() {
    for layout in ["nd", "dn", "nz", "zn", "zz", "nn"] {
        let dst = tile("vec", "32x64", "f32", layout);
        run("f32", (&dst, "32x64", "f32"), "  pto.tmov ins(%v : VEC) outs(%d : DST)");
        let dst = tile("vec", "48x80", "f32", layout);
        run(
            "f32",
            (&dst, "48x80", "f32"),
            "  pto.tinsert ins(%v, %c3, %c1 : VEC, index, index) outs(%d : DST)",
        );
        let dst = tile("vec", "16x32", "f32", layout);
        run(
            "f32",
            (&dst, "16x32", "f32"),
            "  pto.textract ins(%v, %c3, %c1 : VEC, index, index) outs(%d : DST)",
        );
    }
}

#[test]
fn a_window_of_a_tile_goes_to_another_window_of_the_same_tile() {
    let dst = tile("vec", "64x128", "f32", "nd");
    let lines = "  pto.tinsert ins(%v, %c0, %c0 : VEC, index, index) outs(%d : DST)
  %s = pto.subview %d[%c0, %c0] sizes [32, 64] : DST -> !pto.tile_buf<vec, 32x64xf32>
  pto.tinsert ins(%s, %c3, %c1 : !pto.tile_buf<vec, 32x64xf32>, index, index) outs(%d : DST)";
    run("f32", (&dst, "64x128", "f32"), lines);
}

#[test]
fn an_alias_is_the_tile_itself() {
    let dst = tile("vec", "64x128", "f32", "nd");
    let insert =
        |from: &str| format!("  pto.tinsert ins({from}, %c3, %c1 : VEC, index, index) outs(%d : DST)");
    let written = "  %two = arith.constant 2.0 : f32\n  pto.texpands ins(%two : f32) outs(%v : VEC)";
    let bytes = |lines: &str| run("f32", (&dst, "64x128", "f32"), lines);
    let alias = "  %same = pto.talias %v : VEC -> VEC";
    let before = bytes(&insert("%v"));
    assert_eq!(bytes(&format!("{alias}\n{}", insert("%same"))), before);
    let after = bytes(&format!("{alias}\n{written}\n{}", insert("%same")));
    assert_ne!(after, before, "what is written to the tile is read through its alias");
    assert_eq!(after, bytes(&format!("{written}\n{}", insert("%v"))));
}

#[test]
fn scales_go_to_zz_order() {
    for (axis, shape) in [("axis1", "32x64"), ("axis0", "32x64")] {
        let scales = "!pto.tile_buf<vec, 32x64xui8, valid=20x32>";
        let valid = if axis == "axis1" { "20x32" } else { "32x20" };
        let dst = format!("!pto.tile_buf<vec, 32x64xui8, valid={valid}>");
        let lines = format!(
            "  %b = pto.bitcast %v : VEC -> !pto.tile_buf<vec, 128x64xui8>
  %e = pto.subview %b[%c0, %c0] sizes [32, 64] : !pto.tile_buf<vec, 128x64xui8> -> !pto.tile_buf<vec, 32x64xui8>
  %s = pto.alloc_tile : {scales}
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x128xui8>
  pto.tmov ins(%e : !pto.tile_buf<vec, 32x64xui8>) outs(%s : {scales})
  pto.tmov ins(%s : {scales}, %t : !pto.tile_buf<vec, 1x128xui8>) outs(%d : DST) {{grpAxis = #pto<mx_group_axis {axis}>}}"
        );
        let bytes = run("f32", (&dst, shape, "ui8"), &lines);
        let (values, _) = inputs("f32");
        let want = if axis == "axis1" {
            [values[0], values[1], values[64], values[65]]
        } else {
            [values[0], values[64], values[1], values[65]]
        };
        assert_eq!(bytes[..4], want, "{axis}");
    }
}

#[test]
fn packing_keeps_the_low_bits() {
    let (values, _) = inputs("i32");
    for (to, bytes) in [("i8", 1), ("i16", 2), ("ui16", 2), ("i64", 8), ("i32", 4)] {
        let dst = tile("vec", "32x64", to, "nd");
        let stored = run("i32", (&dst, "32x64", to), "  pto.tpack ins(%v : VEC) outs(%d : DST)");
        let word = i32::from_le_bytes([values[4], values[5], values[6], values[7]]);
        let want = i64::from(word).to_le_bytes();
        assert_eq!(stored[bytes..2 * bytes], want[..bytes], "{to}");
    }
}
