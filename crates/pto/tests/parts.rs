//! Parts of tiles, column-major tiles and overlapping destinations, which the generators do not cover: the fast
//! path agrees with the formula.

use crate::support::launch::{both_ways, program};
use pto::sim::Value;
use pto_num::random;

/// Runs lines on vec memory with random contents, by the fast path and by the formula. Each tile is `(name, byte
/// address, type)`, each part `(name, tile, "row, col", type)`.
fn agree(tiles: &[(&str, u32, &str)], parts: &[(&str, &str, [u32; 2], &str)], line: &str) {
    let all = "!pto.tile_buf<vec, 64x128xf32>";
    let mut lines = String::new();
    let mut line = line.to_owned();
    for (name, byte, ty) in tiles {
        lines += &format!("  %at_{name} = arith.constant {byte} : i64\n");
        lines += &format!("  %{name} = pto.alloc_tile addr = %at_{name} : !pto.tile_buf<vec, {ty}>\n");
        line = line.replace(&format!("${name}"), &format!("!pto.tile_buf<vec, {ty}>"));
    }
    for (name, tile, [row, col], ty) in parts {
        let of = tiles.iter().find(|(name, ..)| name == tile).expect("a part is of a tile").2;
        let size = ty.split_once('x').and_then(|(rows, rest)| Some((rows, rest.split_once('x')?.0)));
        let (rows, cols) = size.expect("a shape is RxCxELEMENT");
        lines += &format!("  %row_{name} = arith.constant {row} : index\n");
        lines += &format!("  %col_{name} = arith.constant {col} : index\n");
        lines += &format!(
            "  %{name} = pto.subview %{tile}[%row_{name}, %col_{name}] sizes [{rows}, {cols}] : !pto.tile_buf<vec, {of}> -> !pto.tile_buf<vec, {ty}>\n"
        );
        line = line.replace(&format!("${name}"), &format!("!pto.tile_buf<vec, {ty}>"));
    }
    let source = format!(
        "func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>, %half: f32, %short: f16, %byte: i8) {{
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %at_all = arith.constant 0 : i64
  %all = pto.alloc_tile addr = %at_all : {all}
  %from = pto.make_tensor_view %in, shape = [%c64, %c128], strides = [%c128, %c1] : !pto.tensor_view<64x128xf32>
  pto.tload ins(%from : !pto.tensor_view<64x128xf32>) outs(%all : {all})
{lines}  {line}
  %to = pto.make_tensor_view %out, shape = [%c64, %c128], strides = [%c128, %c1] : !pto.tensor_view<64x128xf32>
  pto.tstore ins(%all : {all}) outs(%to : !pto.tensor_view<64x128xf32>)
  return
}}
"
    );
    let before = numbers();
    let values = [
        Value::buffer(before.clone()),
        Value::buffer(vec![0; before.len()]),
        Value::Scalar(u64::from(1.5f32.to_bits())),
        Value::Scalar(0x3e00),
        Value::Scalar(7),
    ];
    let stored = both_ways(&program(&source, None), &values, 1);
    assert!(stored != before, "nothing was written:\n{source}");
}

/// f32 words: small integers with many duplicates, NaN, infinities, zeros of both signs, and random bits.
fn numbers() -> Vec<u8> {
    let word = |i: u64| {
        let bits = random::mix(i) as u32;
        match bits >> 28 {
            0 => {
                [0x7fc0_0000, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 0, 0xffc0_0001][(bits >> 8) as usize % 6]
            }
            1..4 => bits ^ bits >> 11,
            _ => ((bits >> 20) as f32 % 9.0 - 4.0).to_bits(),
        }
    };
    (0..64 * 128).flat_map(|i| word(i).to_le_bytes()).collect()
}

/// Byte address of a third region, after the regions of two sources.
const BEHIND: u32 = 16384;

#[test]
fn turns_are_taken_in_parts_of_tiles() {
    for element in ["f32", "bf16", "i8"] {
        let (whole, part) = (format!("16x64x{element}"), format!("8x32x{element}"));
        let tiles = [("s", 0, &*whole), ("d", BEHIND, &*whole)];
        let parts = [
            ("a", "s", [4, 0], &*part),
            ("b", "s", [0, 32], &*part),
            ("x", "d", [0, 0], &*part),
            ("y", "d", [8, 32], &*part),
        ];
        agree(&tiles, &parts, "pto.tinterleave ins(%a, %b : $a, $b) outs(%x, %y : $x, $y)");
        agree(&tiles, &parts, "pto.tdeinterleave ins(%a, %b : $a, $b) outs(%x, %y : $x, $y)");
        let parts = [("a", "s", [4, 0], &*part), ("b", "s", [2, 0], &*part)];
        agree(&tiles, &parts, "pto.tinterleave ins(%a, %b : $a, $b) outs(%b, %a : $b, $a)");
    }
}

#[test]
fn destinations_that_overlap_are_written_in_order() {
    let tile = "8x16xf32";
    for shift in [0, 32, 64, 256] {
        let tiles = [("a", 0, tile), ("b", 4096, tile), ("x", BEHIND, tile), ("y", BEHIND + shift, tile)];
        agree(&tiles, &[], "pto.tinterleave ins(%a, %b : $a, $b) outs(%x, %y : $x, $y)");
        agree(&tiles, &[], "pto.tinterleave ins(%a, %b : $a, $b) outs(%y, %x : $y, $x)");
        agree(&tiles, &[], "pto.tdeinterleave ins(%a, %b : $a, $b) outs(%x, %y : $x, $y)");
        agree(&tiles, &[], "pto.tdeinterleave ins(%a, %b : $a, $b) outs(%y, %x : $y, $x)");
        let numbers = "8x16xi32";
        let tiles = [
            ("a", 0, tile),
            ("b", 4096, tile),
            ("i", 8192, numbers),
            ("j", 12288, numbers),
            ("x", BEHIND, tile),
            ("y", BEHIND + shift, numbers),
        ];
        let line = "pto.tpartargmax ins(%a, %b, %i, %j : $a, $b, $i, $j) outs(%x, %y : $x, $y)";
        agree(&tiles, &[], line);
        agree(&tiles, &[], &line.replace("max", "min"));
    }
}

#[test]
fn extremes_of_parts_have_the_indices_of_parts() {
    for (element, index) in [("f32", "i32"), ("f16", "i16"), ("bf16", "ui32"), ("i8", "i32")] {
        let (whole, numbers) = (format!("16x96x{element}"), format!("16x96x{index}"));
        let (part, of_part) = (format!("8x64x{element}"), format!("8x64x{index}"));
        let (less, of_less) = (format!("{part}, valid=5x33"), format!("{of_part}, valid=5x33"));
        let tiles =
            [("s", 0, &*whole), ("n", 8192, &*numbers), ("d", BEHIND, &*whole), ("e", 24576, &*numbers)];
        let parts = [
            ("a", "s", [8, 0], &*part),
            ("b", "s", [0, 32], &*less),
            ("i", "n", [0, 0], &*of_part),
            ("j", "n", [8, 32], &*of_less),
            ("x", "d", [4, 32], &*part),
            ("y", "e", [0, 32], &*of_part),
        ];
        let line = "pto.tpartargmax ins(%a, %b, %i, %j : $a, $b, $i, $j) outs(%x, %y : $x, $y)";
        agree(&tiles, &parts, line);
        agree(&tiles, &parts, &line.replace("max", "min"));
    }
}

const RELATIONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

#[test]
fn masks_of_parts_and_of_columns() {
    for element in ["f32", "f16", "bf16", "i8", "ui8", "i16", "ui32", "f8E4M3FN", "f8E5M2"] {
        let (whole, part) = (format!("16x128x{element}"), format!("8x64x{element}, valid=7x61"));
        let columns = format!("32x64x{element}, valid=7x61, blayout=col_major");
        let bits = "16x64xui8";
        let tiles = [("s", 0, &*whole), ("c", 8192, &*columns), ("d", BEHIND, &*whole), ("m", 24576, bits)];
        let mask = ("k", "m", [2, 32], "8x32xui8, valid=7x8");
        let parts =
            [("a", "s", [8, 0], &*part), ("b", "s", [0, 32], &*part), ("x", "d", [4, 64], &*part), mask];
        for relation in RELATIONS {
            let mode = format!("{{cmpMode = #pto<cmp {relation}>}}");
            for (first, second) in [("a", "b"), ("c", "b"), ("c", "c")] {
                let line =
                    format!("pto.tcmp ins(%{first}, %{second} {mode} : ${first}, ${second}) outs(%k : $k)");
                agree(&tiles, &parts, &line);
            }
            if element == "f32" {
                agree(&tiles, &parts, &format!("pto.tcmps ins(%a, %half {mode} : $a, f32) outs(%k : $k)"));
            }
        }
        for (first, second, dst) in [("a", "b", "x"), ("a", "b", "a"), ("c", "b", "x"), ("a", "x", "c")] {
            let line = format!(
                "pto.tsel ins(%k, %{first}, %{second} : $k, ${first}, ${second}) outs(%{dst} : ${dst})"
            );
            agree(&tiles, &parts, &line);
        }
    }
    let tiles = [("s", 0, "16x128xi8"), ("d", BEHIND, "16x64xi8"), ("m", 24576, "16x64xui8")];
    agree(
        &tiles,
        &[("a", "s", [0, 64], "16x64xi8")],
        "pto.tsels ins(%m, %a, %byte : $m, $a, i8) outs(%d : $d)",
    );
}

#[test]
fn multiples_of_parts_are_added() {
    for (from, to, scalar) in [
        ("f32", "f32", "%half : S, f32"),
        ("f16", "f16", "%short : S, f16"),
        ("f16", "f32", "%short : S, f16"),
    ] {
        // Longer than the line in spare memory that holds products.
        let (source, target) = (format!("16x128x{from}"), format!("16x128x{to}"));
        let (a, x) = (format!("7x64x{from}, valid=7x61"), format!("7x64x{to}, valid=7x61"));
        let tiles = [("s", 0, &*source), ("d", BEHIND, &*target)];
        let parts = [("a", "s", [8, 32], &*a), ("x", "d", [0, 64], &*x)];
        let operands = |name: &str| scalar.replace('S', &format!("${name}"));
        agree(&tiles, &parts, &format!("pto.taxpy ins(%a, {}) outs(%x : $x)", operands("a")));
        agree(&tiles, &parts, &format!("pto.taxpy ins(%s, {}) outs(%d : $d)", operands("s")));
    }
    let tiles = [("s", 0, "64x8xf32, blayout=col_major"), ("d", BEHIND, "64x8xf32")];
    agree(&tiles, &[], "pto.taxpy ins(%s, %half : $s, f32) outs(%d : $d)");
}

#[test]
fn parts_are_quantized_and_back() {
    let (row, columns) = ("8x1xf32, blayout=col_major", "8x8xf32, valid=8x5");
    for parameters in [row, columns] {
        let tiles = [
            ("s", 0, "16x128xf32"),
            ("q", BEHIND, "16x128xi8"),
            ("p", 8192, parameters),
            ("o", 9216, parameters),
        ];
        let parts = [("a", "s", [8, 32], "8x96xf32, valid=8x93"), ("b", "q", [4, 32], "8x96xi8, valid=8x93")];
        let sym = "pto.tquant ins(%a, %p : $a, $p) outs(%b : $b) {quant_type = #pto<quant_type INT8_SYM>}";
        agree(&tiles, &parts, sym);
        agree(&tiles, &parts, "pto.tdequant ins(%b, %p, %o : $b, $p, $o) outs(%a : $a)");
    }
}

#[test]
fn neighbours_of_parts_are_added() {
    for element in ["f32", "f16"] {
        let (whole, part) = (format!("16x128x{element}"), format!("8x64x{element}, valid=7x61"));
        let tiles = [("s", 0, &*whole), ("d", BEHIND, &*whole)];
        let parts = [("a", "s", [8, 32], &*part), ("x", "d", [0, 64], &*part)];
        agree(&tiles, &parts, "pto.tpairreducesum ins(%a : $a) outs(%x : $x)");
        agree(&tiles, &parts, "pto.tpairreducesum ins(%s : $s) outs(%s : $s)");
    }
}

/// Each case twice: from the first part to the last, and from the last to the first.
#[test]
fn large_tiles_are_gone_through_from_either_end() {
    let (whole, row) = ("64x80xf16, valid=63x80", "64x1xf16, valid=63x1, blayout=col_major");
    let (left, right) = ("64x32xf16, valid=63x32", "64x48xf16, valid=63x48");
    let tiles = [("a", 0, whole), ("b", 10240, whole), ("d", 20480, whole), ("r", 12288, row)];
    let twice = |tiles: &[_], line: &str| agree(tiles, &[], &format!("{line}\n  {line}"));
    for line in [
        "pto.tadd ins(%a, %b : $a, $b) outs(%d : $d)",
        "pto.tadd ins(%a, %a : $a, $a) outs(%a : $a)",
        "pto.texp ins(%a : $a) outs(%d : $d)",
        "pto.tmuls ins(%a, %short : $a, f16) outs(%a : $a)",
        "pto.texpands ins(%short : f16) outs(%d : $d)",
        "pto.taxpy ins(%a, %short : $a, f16) outs(%d : $d)",
        "pto.trowexpandmul ins(%a, %r : $a, $r) outs(%d : $d)",
        "pto.tmov ins(%a : $a) outs(%d : $d)",
    ] {
        twice(&tiles, line);
    }
    for source in [0, 20480 - 512] {
        let tiles = [("a", source, left), ("b", 10240, right), ("d", 20480, whole)];
        twice(&tiles, "pto.tconcat ins(%a, %b : $a, $b) outs(%d : $d)");
        let tiles = [("a", source, whole), ("d", 20480, whole)];
        twice(&tiles, "pto.tmov ins(%a : $a) outs(%d : $d)");
        twice(&tiles, "pto.tabs ins(%a : $a) outs(%d : $d)");
    }
}
