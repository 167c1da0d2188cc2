//! Moves, insertions, extractions, concatenations and fills: the fast path agrees with the formula, for forms that the
//! generators do not cover, and each rule rejects the programs that it forbids.

use crate::support::launch::{self, both_ways, findings, module};
use pto::diag::Severity;
use pto::isa::Profile;
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

#[test]
fn both_vector_cores_receive_a_half() {
    for (mode, shape, first) in [("dual_mode_split_m", "16x64", 16 * 64), ("dual_mode_split_n", "32x32", 32)]
    {
        for line in [
            "pto.tmov ins(%a : ACC) outs(%d : DST)",
            "pto.textract ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
            "pto.tinsert ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
        ] {
            let dst = tile("vec", shape, "f32", "nd");
            let (rows, cols) = shape.split_once('x').expect("a shape is RxC");
            // Vector core 1 stores its half after the 2048 elements to which the program itself may store.
            let lines = format!(
            "  {line} {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}
  %behind = arith.constant 2048 : index
  %half = pto.addptr %out, %behind : !pto.ptr<f32> -> !pto.ptr<f32>
  %hv = pto.make_tensor_view %half, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?xf32>
  %hp = pto.partition_view %hv, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<{rows}x{cols}xf32>
  pto.section.vector {{
    %core = pto.get_subblock_idx
    %one = arith.constant 1 : i64
    %is = arith.cmpi eq, %core, %one : i64
    scf.if %is {{
      pto.tstore ins(%d : DST) outs(%hp : !pto.partition_tensor_view<{rows}x{cols}xf32>)
    }}
  }}"
        );
            let stored = run("f32", (&dst, shape, "f32"), &lines);
            let (values, _) = inputs("f32");
            assert_eq!(stored[..16], values[..16], "{mode} {line}");
            assert_eq!(stored[8192..8208], values[first * 4..first * 4 + 16], "{mode} {line}");
        }
    }
}

/// Vector core 0 receives all of it without a mode; a single mode names the core.
#[test]
fn one_vector_core_receives_everything_in_a_single_mode() {
    let single = |mode: &str| format!(" {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}");
    for (mode, cores) in [
        (String::new(), [true, false]),
        (single("single_mode_vec0"), [true, false]),
        (single("single_mode_vec1"), [false, true]),
    ] {
        for line in [
            "pto.tmov ins(%a : ACC) outs(%d : DST)",
            "pto.tinsert ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
        ] {
            let dst = tile("vec", "32x64", "f32", "nd");
            // Vector core 1 stores its tile after the 2048 elements that the program itself stores.
            let lines = format!(
                "  {line}{mode}
  %behind = arith.constant 2048 : index
  %other = pto.addptr %out, %behind : !pto.ptr<f32> -> !pto.ptr<f32>
  %tv = pto.make_tensor_view %other, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?xf32>
  %tp = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x64xf32>
  pto.section.vector {{
    %core = pto.get_subblock_idx
    %one = arith.constant 1 : i64
    %is = arith.cmpi eq, %core, %one : i64
    scf.if %is {{
      pto.tstore ins(%d : DST) outs(%tp : !pto.partition_tensor_view<32x64xf32>)
    }}
  }}"
            );
            let stored = run("f32", (&dst, "32x64", "f32"), &lines);
            let (values, _) = inputs("f32");
            for (core, receives) in cores.into_iter().enumerate() {
                let received = &stored[core * 8192..][..8192];
                let expected = if receives { values.clone() } else { vec![0; 8192] };
                assert!(received == expected, "core {core}: {line}{mode}");
            }
        }
    }
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
fn a_fill_value_fills_the_rest_of_a_half() {
    for (name, offsets) in
        [("tmov_fp ins(%a, %one : ACC", ""), ("textract_fp ins(%a, %c0, %c0, %one : ACC", ", index, index")]
    {
        let dst = tile("vec", "18x72", "f32", "nd");
        let lines = format!(
            "  %one = arith.constant 1.0 : f32
  pto.{name}{offsets}, f32) outs(%d : DST) {{accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}}"
        );
        let bytes = run("f32", (&dst, "18x72", "f32"), &lines);
        let filled = |row: usize, col: usize| bytes[(row * 72 + col) * 4..][..4] == 1f32.to_le_bytes();
        assert!(filled(0, 64) && filled(15, 71) && filled(16, 0) && filled(17, 71), "{name}");
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

/// The rules that a program violates on a profile, errors first.
fn broken(profile: Profile, element: &str, dst: (&str, &str, &str), lines: &str) -> Vec<(Severity, String)> {
    let source = program(element, dst, lines);
    let findings = findings(module(&source), Some(profile));
    let mut rules: Vec<_> =
        findings.into_iter().map(|finding| (finding.severity, finding.rule.to_string())).collect();
    rules.sort_by_key(|(severity, _)| *severity != Severity::Error);
    rules
}

fn has(rules: &[(Severity, String)], severity: Severity, rule: &str) -> bool {
    rules.iter().any(|(found, name)| *found == severity && name == rule)
}

#[test]
fn formats_depend_on_the_profile() {
    let cases = [
        (Profile::A2A3, "i32", "bf16", "tmov::quant-type"),
        (Profile::A5, "i32", "i16", "tmov::quant-type"),
        (Profile::A2A3, "f32", "ui8", "tmov::quant-type"),
    ];
    for (profile, from, to, rule) in cases {
        let dst = tile("mat", "32x64", to, "nz");
        let line = "  pto.tmov ins(%a : ACC, %q : i64) outs(%d : DST)";
        let rules = broken(profile, from, (&dst, "32x64", to), line);
        assert!(has(&rules, Severity::Error, rule), "{rules:?}");
        let rules = broken(Profile::Cpu, from, (&dst, "32x64", to), line);
        assert!(!has(&rules, Severity::Error, rule), "{rules:?}");
    }
    let dst = tile("mat", "32x64", "f32", "nz");
    let line = "  pto.tmov ins(%a : ACC, %q : i64) outs(%d : DST)";
    let rules = broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line);
    assert!(has(&rules, Severity::Extension, "tmov::quant-type"), "{rules:?}");
}

#[test]
fn each_rule_of_the_dual_modes_rejects() {
    let line = |mode: &str| {
        format!("  pto.tmov ins(%a : ACC) outs(%d : DST) {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}")
    };
    let cases = [
        ("vec", "f16", "nd", "dual_mode_split_m", "tmov::dual-quant"),
        ("vec", "f32", "dn", "dual_mode_split_m", "tmov::dual-layout"),
        ("mat", "f32", "nz", "single_mode_vec0", "tmov::mode-pair"),
        ("vec", "f32", "nd", "both", "attribute-word"),
    ];
    for (location, to, layout, mode, rule) in cases {
        let dst = tile(location, "32x64", to, layout);
        let rules = broken(Profile::A5, "f32", (&dst, "32x64", to), &line(mode));
        assert!(has(&rules, Severity::Error, rule), "{rule}: {rules:?}");
    }
}

#[test]
fn spellings_of_moves_name_their_locations() {
    let dst = tile("vec", "32x64", "f32", "nd");
    for (spelling, fits) in [("tmov.v2v", true), ("tmov.s2d", true), ("tmov.m2l", false), ("tmov.a2v", false)]
    {
        let rules = broken(
            Profile::Cpu,
            "f32",
            (&dst, "32x64", "f32"),
            &format!("  pto.{spelling} ins(%v : VEC) outs(%d : DST)"),
        );
        assert_eq!(has(&rules, Severity::Error, "tmov::spelling"), !fits, "{spelling}: {rules:?}");
    }
}

#[test]
fn insertions_between_vec_tiles_are_a5s() {
    let dst = tile("vec", "32x64", "f32", "nd");
    let line = "  pto.tinsert ins(%v, %c0, %c0 : VEC, index, index) outs(%d : DST)";
    assert!(has(
        &broken(Profile::A2A3, "f32", (&dst, "32x64", "f32"), line),
        Severity::Extension,
        "tinsert::location-pair"
    ));
    let rules = broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line);
    assert!(!rules.iter().any(|(_, name)| name.starts_with("tinsert::")), "{rules:?}");
    let line = "  pto.tinsert ins(%v, %c1, %c0 : VEC, index, index) outs(%d : DST)";
    assert!(has(
        &broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line),
        Severity::Error,
        "tinsert::bounds"
    ));
    let line = "  pto.tinsert ins(%v, %c0, %c0 : VEC, index, index) outs(%d : DST) {tinsertMode = #pto.tinsert_mode<split2>}";
    assert!(has(
        &broken(Profile::A5, "f32", (&dst, "32x64", "f32"), line),
        Severity::Error,
        "tinsert::split-pair"
    ));
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
