//! Results that devices or the dialect's manual determine, one test per topic, named after it.

mod fp4;
mod int4;
mod integers;
mod outranked;
mod outranked_mx;
mod programs;

use crate::support::launch::{self, checked, program};
use programs::{Tile, bits16, file, floats, i32s, i64s, run};
use pto::Profile::{self, A2A3, A5, Cpu};
use pto::isa::Op;
use pto::isa::op::effect::Access;
use pto::sim::{DivisionByZero, Options};
use pto_num::{Element, Overflow, Rounding};
use std::fmt::Write;

/// Every default in the registry, for comparison with `PTOOps.td` and the manual's tables of attributes.
#[test]
fn every_elided_attribute_has_the_default_of_the_dialect() {
    let mut text = String::new();
    for op in Op::all() {
        for spec in op.page().attributes {
            writeln!(text, "{op} {}: {}", spec.name, spec.describe_default())
                .expect("a string takes all text");
        }
    }
    expect_test::expect_file!["results/defaults.txt"].assert_eq(&text);
}

#[test]
fn tcvt_without_rmode_is_rint() {
    let x = [1.5, 2.5, -1.5, -2.5, 0.7, 3.5, 7.4, -0.6f32];
    let out = file("tcvt_default_rmode", None, vec![floats(&x), vec![0; 32]]);
    assert_eq!(out[1], i32s(&[2, 2, -2, -2, 1, 4, 7, -1]));
}

#[test]
fn tcvt_without_sat_mode_has_the_default_of_the_pair() {
    let tiles = [Tile::new("a", "f32", 1, 16), Tile::new("d", "f16", 1, 16)];
    let lines = "pto.tcvt ins(%a : !a) outs(%d : !d)";
    let mut x = [0.0f32; 16];
    x[0] = f32::INFINITY;
    let out = run(A5, &tiles, lines, vec![floats(&x), vec![0; 32]]);
    assert_eq!(bits16(&out[1])[0], 0x7bff, "f32 to f16 saturates");

    let tiles = [Tile::new("a", "f16", 1, 32), Tile::new("d", "ui8", 1, 32)];
    let mut x = vec![0; 64];
    x[..2].copy_from_slice(&0x5cb0u16.to_le_bytes());
    let out = run(A5, &tiles, lines, vec![x, vec![0; 32]]);
    assert_eq!(out[1][0], 44, "300 in f16 wraps");
}

#[test]
fn tcvt_saturation_is_a_lint_where_the_defaults_of_dialect_and_pair_differ() {
    let found = |from: &'static str, to: &'static str, mode: &str| {
        let tiles = [Tile::new("a", from, 1, 32), Tile::new("d", to, 1, 32)];
        let source = programs::source(&tiles, &format!("pto.tcvt ins(%a : !a) outs(%d : !d){mode}"));
        checked(&source, Some(A5)).warnings().iter().any(|finding| finding.rule == "tcvt::saturation")
    };
    for (from, to) in [("f32", "f16"), ("f32", "i32"), ("f16", "i32"), ("i32", "ui8"), ("f32", "!pto.hif8")] {
        assert!(found(from, to, ""), "{from} to {to}");
        assert!(!found(from, to, " {sat_mode = #pto<saturation_mode ON>}"), "{from} to {to}");
        assert!(!found(from, to, " {sat_mode = #pto<saturation_mode OFF>}"), "{from} to {to}");
    }
    // The default of the pair is OFF, or both modes have the same results.
    for (from, to) in
        [("f32", "i16"), ("i64", "i32"), ("f16", "f32"), ("i32", "f32"), ("ui8", "f16"), ("f32", "f32")]
    {
        assert!(!found(from, to, ""), "{from} to {to}");
    }
}

#[test]
fn settf32mode_on_a2a3_rounds_factors_to_11_bits() {
    let ulp = 1.0 / 2048.0f32;
    let square = |profile, mode: &str, x: f32| {
        let mode = format!("pto.settf32mode {{enable = true, mode = #pto<round_mode {mode}>}}");
        let source = programs::text("tf32").replace("MODE", &mode);
        let mut bytes = vec![0; 1024];
        bytes[..4].copy_from_slice(&x.to_le_bytes());
        let out = programs::launch(&source, Some(profile), vec![bytes]);
        f32::from_le_bytes([out[0][0], out[0][1], out[0][2], out[0][3]])
    };
    let (tie, up) = (1.0 + 0.5 * ulp, 1.0 + ulp);
    assert_eq!(square(A2A3, "CAST_RINT", tie), 1.0);
    assert_eq!(square(A2A3, "CAST_ROUND", tie), up * up);
    assert_eq!(square(A2A3, "CAST_RINT", up), up * up, "11 bits are kept");
    assert_eq!(square(A5, "CAST_ROUND", up), 1.0, "10 bits are kept");
    assert_eq!(square(Cpu, "CAST_ROUND", tie), tie * tie);
}

#[test]
fn taxpy_f16_rounds_once() {
    let tiles = [Tile::new("a", "f16", 1, 16), Tile::new("d", "f16", 1, 16)];
    // 1 + 2^-10, squared, minus 1 + 2^-9: the result is 2^-20, or 0 if the product were rounded.
    let lines = "%s = arith.constant 1.0009765625 : f16
                 pto.taxpy ins(%a, %s : !a, f16) outs(%d : !d)";
    let halves = |bits: u16| bits.to_le_bytes().repeat(16);
    for profile in [Cpu, A2A3, A5] {
        let out = run(profile, &tiles, lines, vec![halves(0x3c01), halves(0xbc02)]);
        assert_eq!(bits16(&out[1])[0], 0x0010, "{profile:?}");
    }
}

#[test]
fn trsqrt_on_a5_rounds_the_root_and_its_reciprocal() {
    let x: Vec<f32> = (1..=64).map(|k| 0.37 * k as f32).collect();
    let tiles = [Tile::new("a", "f32", 1, 64), Tile::new("d", "f32", 1, 64)];
    let lines = "pto.trsqrt ins(%a : !a) outs(%d : !d)";
    let of = |profile| run(profile, &tiles, lines, vec![floats(&x), vec![0; 256]]).remove(1);
    let twice: Vec<f32> = x.iter().map(|x| 1.0 / x.sqrt()).collect();
    let once: Vec<f32> = x.iter().map(|x| (1.0 / f64::from(*x).sqrt()) as f32).collect();
    assert!(twice != once, "the two differ for some of these");
    assert_eq!(of(A5), floats(&twice));
    assert_eq!(of(A2A3), floats(&once));
    assert_eq!(of(Cpu), floats(&once));

    let halves: Vec<u8> = (0x3c00..0x3c40u16).flat_map(u16::to_le_bytes).collect();
    let tiles = [Tile::new("a", "f16", 1, 64), Tile::new("d", "f16", 1, 64)];
    let out = run(A5, &tiles, lines, vec![halves, vec![0; 128]]);
    let round = |value: f64| Element::F16.encode(value, pto_num::Rounding::NearestEven, Overflow::Ieee);
    for (at, got) in bits16(&out[1]).into_iter().enumerate() {
        let root = Element::F16.decode(round(Element::F16.decode(0x3c00 + at as u64).sqrt()));
        assert_eq!(u64::from(got), round(1.0 / root), "element {at}");
    }
}

#[test]
fn tpairreducesum_of_an_odd_width_leaves_the_last_column_out() {
    let out = file("tpair_odd", None, vec![floats(&[1.0; 7]), vec![0; 28]]);
    assert_eq!(out[1], floats(&[2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0]));
}

#[test]
fn f32_to_e4m3_and_e5m2_on_a5_saturate_infinities_and_drop_nan() {
    let x = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1.0, 1e9].map(|x| x.to_le_bytes()).concat();
    let x = [x, vec![0; 4 * 27]].concat();
    for (element, codes) in
        [("f8E4M3FN", [0x7e, 0xfe, 0, 0x38, 0x7e]), ("f8E5M2", [0x7b, 0xfb, 0, 0x3c, 0x7b])]
    {
        let tiles = [Tile::new("a", "f32", 1, 32), Tile::new("d", element, 1, 32)];
        let of = |mode: &str| {
            let lines = format!("pto.tcvt ins(%a : !a) outs(%d : !d){mode}");
            run(A5, &tiles, &lines, vec![x.clone(), vec![0; 32]]).remove(1)
        };
        assert_eq!(of("")[..5], codes, "{element}");
        assert_eq!(of(" {sat_mode = #pto<saturation_mode ON>}")[..5], codes, "{element}");
        assert_ne!(of(" {sat_mode = #pto<saturation_mode OFF>}")[2], 0, "{element} keeps NaN");
    }
}

#[test]
fn f32_and_f16_to_hif8_on_a5_keep_infinities_and_saturate_finite_values() {
    let lines = "pto.tcvt ins(%a : !a) outs(%d : !d)";
    let codes = [0x6f, 0xef, 0x6e, 0xee, 0x08];
    let x = [f32::INFINITY, f32::NEG_INFINITY, 1e9, -1e9, 1.0].map(|x| x.to_le_bytes()).concat();
    let tiles = [Tile::new("a", "f32", 1, 32), Tile::new("d", "!pto.hif8", 1, 32)];
    let out = run(A5, &tiles, lines, vec![[x, vec![0; 4 * 27]].concat(), vec![0; 32]]);
    assert_eq!(out[1][..5], codes);
    let x = [0x7c00, 0xfc00, 0x7bff, 0xfbff, 0x3c00u16].map(u16::to_le_bytes).concat();
    let tiles = [Tile::new("a", "f16", 1, 32), Tile::new("d", "!pto.hif8", 1, 32)];
    let out = run(A5, &tiles, lines, vec![[x, vec![0; 2 * 27]].concat(), vec![0; 32]]);
    assert_eq!(out[1][..5], codes);
}

#[test]
fn sequences_of_floats_round_the_exact_sum_once() {
    // Column 2049 of f16 and 257 of bf16 are halfway between two numbers: the start value decides, however small
    // it is.
    let tiny = |element: Element| element.encode(1e-7, Rounding::NearestEven, Overflow::Ieee);
    for (element, word, middle, [below, above]) in [
        (Element::F16, "f16", 2049, [2048.0, 2050.0]),
        (Element::Bf16, "bf16", 257, [256.0, 258.0]),
        (Element::F32, "f32", 2049, [2049.0, 2049.0]),
    ] {
        let encode = |value: f64| element.encode(value, Rounding::NearestEven, Overflow::Ieee);
        let size = element.bits() as usize / 8;
        let tiles = [Tile::new("d", word, 1, 2304)];
        let of = |start: u64, descending: bool, by_formula: bool| {
            // The constant is written as the number with the bits of the start value.
            let number = element.decode(start);
            let lines = format!(
                "%s = arith.constant {number:e} : {word}
  pto.tci ins(%s {{descending = {descending}}} : {word}) outs(%d : !d)"
            );
            let source = programs::source(&tiles, &lines);
            let options = Options::default().by_formula(by_formula);
            let mut out = programs::launch_with(&source, Some(A2A3), vec![vec![0; 2304 * size]], &options);
            let bytes = out.remove(0);
            move |at: usize| pto_num::get_element(&bytes, 0, at, element)
        };
        for by_formula in [false, true] {
            let up = of(encode(0.5), false, by_formula);
            assert_eq!([0, 1, 7].map(&up), [0.5, 1.5, 7.5].map(encode), "{word}");
            let down = of(encode(-2.0), true, by_formula);
            assert_eq!([0, 1, 30].map(&down), [-2.0, -3.0, -32.0].map(encode), "{word}");
            let zero = of(0, false, by_formula);
            assert_eq!(zero(middle), encode(below), "{word} ties to even");
            let above_zero = of(tiny(element), false, by_formula);
            assert_eq!(above_zero(middle), encode(above), "{word} is beyond the middle");
        }
    }
}

/// The bytes are undefined afterwards, so `--watch init` reports a read of them: see
/// `tests/effects/tquant_src_a2a3.pto`.
#[test]
fn tquant_on_a2a3_destroys_its_source() {
    let destroyed = |profile| {
        let mut effects = Op::TQUANT.page().own_effects();
        effects.any(|effect| {
            effect.role() == Some("src")
                && effect.access == Access::Destroy
                && effect.profiles.contains(&profile)
        })
    };
    assert_eq!([Cpu, A2A3, A5].map(destroyed), [false, true, false]);
}

/// The rows and columns that a move of 10 x 20 elements of an accumulator writes in a mat tile of f16, whose
/// blocks have 16 columns.
fn moved_from_an_accumulator(profile: Profile, line: &str) -> (usize, usize) {
    let left = if profile == A2A3 { "row_major" } else { "col_major" };
    let source = programs::text("acc_blocks").replace("LEFT", left).replace("LINE", line);
    let unit = |at: usize| if at.is_multiple_of(17) { 0x3c00u16 } else { 0 };
    let halves =
        |values: &dyn Fn(usize) -> u16, count| (0..count).flat_map(|at| values(at).to_le_bytes()).collect();
    // The product is %y, with the elements 1, 2, 3 and so on; the mat tile is initially zero.
    let y = |at: usize| {
        Element::F16.encode(at as f64 + 1.0, pto_num::Rounding::NearestEven, Overflow::Ieee) as u16
    };
    let buffers: Vec<Vec<u8>> = vec![halves(&unit, 256), halves(&y, 512), vec![0; 1024], vec![0; 2048]];
    let [fast, formula] = [false, true].map(|by_formula| {
        let options = Options::default().by_formula(by_formula);
        let out = programs::launch_with(&source, Some(profile), buffers.clone(), &options).remove(3);
        let out = launch::floats(&out);
        let rows = (0..16).take_while(|row| out[row * 32] != 0.0).count();
        let cols = (0..32).take_while(|col| out[*col] != 0.0).count();
        for (at, value) in out.iter().enumerate() {
            let moved = at / 32 < rows && at % 32 < cols;
            assert_eq!(*value, if moved { at as f32 + 1.0 } else { 0.0 }, "{profile:?} {line}: element {at}");
        }
        (rows, cols)
    });
    assert_eq!(fast, formula);
    fast
}

#[test]
fn acc_to_mat_in_nz_writes_whole_blocks() {
    let tmov = "pto.tmov ins(%acc : !acc) outs(%d : !d)";
    let tinsert = "pto.tinsert ins(%acc, %c0, %c0 : !acc, index, index) outs(%d : !d)";
    for profile in [A2A3, A5] {
        assert_eq!(moved_from_an_accumulator(profile, tmov), (10, 32), "{profile:?}");
        // The window has the size of the destination's valid region.
        let textract = "pto.set_validshape %d, %c10, %c20 : !d
  pto.textract ins(%acc, %c0, %c0 : !acc, index, index) outs(%d : !d)
  pto.set_validshape %d, %c16, %c32 : !d";
        assert_eq!(moved_from_an_accumulator(profile, textract), (10, 32), "{profile:?}");
    }
    assert_eq!(moved_from_an_accumulator(A5, tinsert), (10, 32));
    assert_eq!(moved_from_an_accumulator(Cpu, tmov), (10, 20));
    assert_eq!(moved_from_an_accumulator(Cpu, tinsert), (10, 20));
}

#[test]
fn tinsert_on_a2a3_moves_all_declared_rows() {
    let tinsert = "pto.tinsert ins(%acc, %c0, %c0 : !acc, index, index) outs(%d : !d)";
    assert_eq!(moved_from_an_accumulator(A2A3, tinsert), (16, 32));
}

/// Pairs of scales along K, 16 pairs per box; boxes along K come before those of the next 16 rows or columns.
#[test]
fn views_of_mx_scales_without_a_layout_are_in_the_order_of_their_tiles_on_a5() {
    let ones = vec![0x38; 32 * 128];
    let source = programs::text("mx_views");
    let products = |left: usize, right: usize| {
        // Code 127 is scale 1, code 128 is scale 2.
        let scales = |at: usize| (0..128).map(|byte| if byte == at { 128 } else { 127 }).collect();
        let buffers = vec![ones.clone(), ones.clone(), scales(left), scales(right), vec![0; 4096]];
        let out = programs::launch(&source, Some(A5), buffers).remove(4);
        launch::floats(&out)
    };
    // Byte 97 is in box 1 of the second 16 lines: line 16, second of its pair, so group 3 of line 16.
    let out = products(97, 999);
    for (at, value) in out.iter().enumerate() {
        assert_eq!(*value, if at / 32 == 16 { 160.0 } else { 128.0 }, "left, element {at}");
    }
    let out = products(999, 97);
    for (at, value) in out.iter().enumerate() {
        assert_eq!(*value, if at % 32 == 16 { 160.0 } else { 128.0 }, "right, element {at}");
    }
    // Byte 34 is in box 1 of the first lines: line 1, first of its pair; by the strides it would be another line.
    let out = products(34, 999);
    assert_eq!(out.iter().position(|value| *value == 160.0), Some(32));
}

/// The last box of a factor may be partial: bytes after the last line need not exist.
#[test]
fn buffers_of_mx_scales_without_a_layout_are_measured_in_their_order() {
    let source = programs::text("mx_views")
        .replace("shape = [%c4, %c32], strides = [%c32,", "shape = [%c4, %c17], strides = [%c17,");
    let source = source.replace("tensor_view<4x32x", "tensor_view<4x17x");
    let source = source.replace("mat, 4x32x!pto.f8E8M0,", "mat, 4x32x!pto.f8E8M0, valid=4x17,");
    let source = source.replace("  %c32 =", "  %c17 = arith.constant 17 : index\n  %c32 =");
    let program = program(&source, Some(A5));
    let values = vec![pto::sim::Value::buffer(Vec::new()); 5];
    let sizes = pto::sim::measure(&program, values, &Options::default()).expect("it ends");
    // Line 16 is the first line of the second box: its pairs are at bytes 64 and 96.
    assert_eq!(sizes[3], Some(98));
    let buffers = sizes.iter().map(|size| vec![127; size.unwrap_or(0) as usize]).collect();
    programs::launch(&source, Some(A5), buffers);
}
