//! Each kind of bad input gets an error with its cause, and no further errors.

use crate::support::{checked, findings, function, program, stops};
use pto::diag::{Diagnostic, Severity};
use pto::sim::{Options, Program, Value};
use pto_smith::survive;

/// Asserts that the first finding has this rule, and that its message and help contain these words.
#[track_caller]
fn expect(findings: &[Diagnostic], rule: &str, words: &[&str]) {
    let first = findings.first().expect("there is a finding");
    assert_eq!(first.rule, rule, "{first:?}");
    let text = [&first.message, "\n", &first.help.join("\n")].concat();
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

fn buffer(bytes: usize) -> Value {
    Value::buffer(vec![0; bytes])
}

#[test]
fn truncated_files() {
    let text = include_str!("../../../examples/layer_norm/kernel.pto");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(37) {
        survive(&text[..end]).expect("a truncated file is survived");
    }
    let cut = text.find("scf.for").or(text.find("pto.tload")).expect("the example loads");
    assert!(pto::parse(&text[..cut]).is_err());
}

#[test]
fn binary_files() {
    let mut rng = pto_smith::Rng::new(1);
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..2000).map(|_| rng.bits() as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert!(pto::parse(&text).is_err());
    }
    assert!(pto::parse(&"\0".repeat(100_000)).is_err());
    assert!(pto::parse("\x7fELF\x02\x01\x01\0").is_err());
}

#[test]
fn unknown_instruction() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let text =
        function(&format!("%t = pto.alloc_tile : {ty}\npto.tad ins(%t, %t : {ty}, {ty}) outs(%t : {ty})"));
    let found = findings(&text);
    let named = found.iter().find(|finding| finding.message.contains("pto.tad")).expect("it is named");
    assert!(named.help.iter().any(|help| help.contains("`pto.tadd`")), "{named:?}");
}

#[test]
fn unknown_operation() {
    expect(
        &findings(&function("%a = arith.constnt 1 : index")),
        "unknown-operation",
        &["arith.constnt", "arith.constant"],
    );
}

#[test]
fn unknown_type() {
    let found = findings("func.func @f(%a: !pto.ptrr<f32>) {\n  return\n}");
    assert!(found[0].message.contains("ptrr"), "{found:?}");
}

#[test]
fn unknown_type_parameter() {
    let found =
        findings(&function("%t = pto.alloc_tile : !pto.tile_buf<loc=vex, dtype=f32, rows=8, cols=8>"));
    assert!(found[0].message.contains("vex"), "{found:?}");
}

#[test]
fn undefined_value() {
    expect(&findings(&function("%b = arith.addi %a, %a : index")), "undefined-value", &["%a"]);
}

#[test]
fn redefined_value() {
    let twice = "%a = arith.constant 1 : index\n%a = arith.constant 2 : index";
    expect(&findings(&function(twice)), "redefined-value", &["%a"]);
}

#[test]
fn type_mismatch_at_use() {
    let text = function("%a = arith.constant 1 : index\n%b = arith.addi %a, %a : i32");
    expect(&findings(&text), "type-mismatch", &["%a", "index", "i32"]);
}

#[test]
fn wrong_number_of_operands() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let text = function(&format!("%t = pto.alloc_tile : {ty}\npto.tadd ins(%t : {ty}) outs(%t : {ty})"));
    expect(&findings(&text), "operands", &["pto.tadd", "ins(src0: tile, src1: tile) outs(dst: tile)"]);
}

#[test]
fn missing_entry() {
    let found = Program::decode(&checked(&function("")), Some("g")).err().expect("there is no g");
    expect(&found, "entry", &["`g`", "`f`"]);
}

#[test]
fn missing_argument() {
    let program = program("func.func @f(%a: !pto.ptr<f32>) {\n  return\n}");
    let found = program.launch(Vec::new(), &Options::default(), &mut []).expect_err("an argument is missing");
    expect(&found, "arguments", &["1", "0"]);
}

#[test]
fn scalar_division_by_zero() {
    for operation in ["divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi"] {
        let text = function(&format!(
            "%a = arith.constant 7 : i32\n%z = arith.constant 0 : i32\n%b = arith.{operation} %a, %z : i32"
        ));
        let found = stops(&text, Vec::new());
        assert!(found.rule == "division-by-zero", "{found:?}");
        assert!(found.primary.is_some());
    }
}

/// The one signed division that overflows.
#[test]
fn smallest_number_by_minus_one() {
    for operation in ["divsi", "remsi", "ceildivsi", "floordivsi"] {
        for (ty, least) in [("i8", "-128"), ("i32", "-2147483648"), ("i64", "-9223372036854775808")] {
            let text = function(&format!(
                "%a = arith.constant {least} : {ty}\n%m = arith.constant -1 : {ty}\n%b = arith.{operation} %a, %m : {ty}"
            ));
            survive(&text).expect("survived");
        }
    }
}

#[test]
fn endless_loops() {
    let endless =
        "%c = arith.constant true\nscf.while : () -> () {\n  scf.condition(%c)\n} do {\n  scf.yield\n}";
    let found = stops(&function(endless), Vec::new());
    assert!(found.rule == "endless-loop", "{found:?}");
    let around = "func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n";
    let found = stops(around, Vec::new());
    assert!(found.rule == "endless-loop", "{found:?}");
}

#[test]
fn endless_recursion() {
    let found = stops(
        "func.func @f() {\n  func.call @g() : () -> ()\n  return\n}\n\
         func.func private @g() {\n  func.call @g() : () -> ()\n  return\n}\n",
        Vec::new(),
    );
    assert_eq!(found.severity, Severity::Error);
}

#[test]
fn tile_beyond_its_buffer() {
    let text = function("%t = pto.alloc_tile : !pto.tile_buf<vec, 512x512xf32>");
    expect(&findings(&text), "alloc_tile::capacity", &["1048576 bytes", "UB", "262144"]);
    let text = function(
        "%a = arith.constant 262112 : i64\n%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>",
    );
    expect(&findings(&text), "alloc_tile::capacity", &["262112", "UB"]);
}

/// A tile beyond its buffer, at an address computed at run time.
#[test]
fn tile_beyond_its_buffer_at_run_time() {
    let text =
        "func.func @f(%a: i64) {\n  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>\n  return\n}";
    for address in [1u64 << 19, u64::MAX, 1 << 63] {
        let found = stops(text, vec![Value::Scalar(address)]);
        assert_eq!(found.rule, "alloc_tile::capacity", "{found:?}");
    }
}

#[test]
fn view_outside_its_buffer() {
    let text = "func.func @f(%src: !pto.ptr<f32>) {\n\
        %c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n\
        %view = pto.make_tensor_view %src, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n\
        %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n\
        pto.tload ins(%view : !pto.tensor_view<?x?xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\nreturn\n}";
    let found = stops(text, vec![buffer(255)]);
    assert_eq!(found.rule, "tload::out-of-bounds");
    for words in ["%view", "8 rows", "`src`", "255 of 256 bytes"] {
        assert!(found.message.contains(words), "`{words}` is not in: {}", found.message);
    }
    assert!(found.notes[0].contains("(7, 7) of `%view` ends at byte 256"), "{found:?}");
}

#[test]
fn pointer_outside_its_buffer() {
    let text = "func.func @f(%p: !pto.ptr<f32>, %n: index) {\n\
        %x = pto.load_scalar %p[%n] : !pto.ptr<f32> -> f32\n  return\n}";
    for offset in [4u64, u64::MAX, 1 << 62, 1 << 38] {
        let found = stops(text, vec![buffer(16), Value::Scalar(offset)]);
        assert_eq!(found.rule, "load_scalar::out-of-bounds", "{found:?}");
    }
}

#[test]
fn valid_region_beyond_the_tile() {
    let text = function("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=9x8>");
    expect(&findings(&text), "alloc_tile::valid-region", &["9", "8"]);
    let text = "func.func @f(%n: index) {\n\
        %t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 8x8xf32, valid=?x8>\n  return\n}";
    for rows in [9u64, u64::MAX, 1 << 32, (1 << 32) + 1] {
        let found = stops(text, vec![Value::Scalar(rows)]);
        assert_eq!(found.rule, "alloc_tile::valid-region", "{found:?}");
    }
}

#[test]
fn negative_valid_region() {
    let text = function(
        "%n = arith.constant -1 : index\n%t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 8x8xf32, valid=?x8>",
    );
    let parsed = pto::parse(&text).expect("it reads");
    match pto::check(parsed.module, None) {
        Err(found) => assert_eq!(found[0].rule, "alloc_tile::valid-region"),
        Ok(_) => assert_eq!(stops(&text, Vec::new()).rule, "alloc_tile::valid-region"),
    }
    assert!(findings(&function("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=-2x8>")).len() == 1);
}

/// Values used before their definition: their type is known late, and is checked then.
#[test]
fn values_used_before_they_are_defined() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let cases = [
        format!("pto.tadd ins(%a, %a : {ty}, {ty}) outs(%a : {ty})\n%a = arith.constant 1 : index"),
        format!(
            "%t = pto.alloc_tile : {ty}\npto.tmuls ins(%t, %s : {ty}, f32) outs(%t : {ty})\n%s = arith.constant 1.0 : f32"
        ),
        "%c = arith.constant 1 : index\nscf.for %i = %z to %c step %c {\n}\n%z = arith.constant 0 : index"
            .to_owned(),
        "%b = arith.muli %a, %a : index\n%a = arith.index_cast %b : index to i32".to_owned(),
        format!(
            "pto.tgetval ins(%t, %i : {ty}, index) outs : f32\n%t = arith.constant 1 : i32\n%i = pto.alloc_tile : {ty}"
        ),
        "%p = pto.partition_view %v, offsets = [%z], sizes = [%z] : !pto.tensor_view<?xf32>\n\
         %v = arith.constant 1 : index\n%z = arith.constant 0 : index"
            .to_owned(),
    ];
    for body in cases {
        let text = function(&body);
        survive(&text).unwrap_or_else(|message| panic!("{message}\n{text}"));
        assert!(!findings(&text).is_empty(), "{text}");
    }
}

/// Unused results without a name are kept.
#[test]
fn unnamed_results() {
    for body in [
        "pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>",
        "arith.constant 1 : index",
        "func.call @f() : () -> ()",
    ] {
        let text = function(body);
        survive(&text).unwrap_or_else(|message| panic!("{message}\n{text}"));
    }
}

/// Convolutions of any size: huge extents, and invalid strides, filters and feature maps.
#[test]
fn extreme_convolutions() {
    let numbers = ["0", "1", "-1", "16", "255", "65535", "65536", "4294967295", "9223372036854775807"];
    let left = "!pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>";
    let survived = |text: &str| {
        survive(text).unwrap_or_else(|message| panic!("{message}\n{text}"));
    };
    for number in numbers {
        for list in [format!("[{number}, 1]"), format!("[{number}, {number}]"), number.to_owned()] {
            for key in
                ["fmap", "pad", "filter", "stride", "dilation", "pad_value", "repeat_time", "dst_stride"]
            {
                let map = "!pto.conv_tile<mat, NC1HWC0, 1x2x5x5x16xf16>";
                survived(&function(&format!(
                    "%m = pto.alloc_tile : {map}\n%l = pto.alloc_tile : {left}\n%n = arith.constant {number} : index\n\
                     pto.setfmatrix ins(%m : {map}) {{{key} = {list}}}\n\
                     pto.set_img2col_rpt ins(%m : {map}) {{{key} = {list}}}\n\
                     pto.set_img2col_padding ins(%m : {map}) {{{key} = {list}}}\n\
                     pto.timg2col ins(%m : {map}) outs(%l : {left}) {{mode = #pto.fmatrix_mode<a_manual>}}\n\
                     pto.timg2col ins(%m, %n, %n : {map}, index, index) outs(%l : {left}) {{{key} = {list}}}"
                )));
            }
        }
        for (from, to) in [
            ("NCHW, 1x20x2x8xf16".to_owned(), format!("NC1HWC0, {number}x2x2x8x16xf16")),
            (format!("NCHW, {number}x{number}x{number}x{number}xf16"), "NC1HWC0, 1x2x2x8x16xf16".to_owned()),
            (
                format!("GNC1HWC0, {number}x{number}x{number}x{number}x{number}x{number}xf32"),
                format!("FRACTAL_Z, {number}x{number}x{number}x{number}xf32"),
            ),
            (
                format!("NCDHW, {number}x{number}x{number}x{number}x{number}xi8"),
                format!("FRACTAL_Z_3D, {number}x{number}x{number}x{number}xi8"),
            ),
        ] {
            let (from, to) = (format!("!pto.conv_tile<vec, {from}>"), format!("!pto.conv_tile<vec, {to}>"));
            let view = "!pto.tensor_view<?x?x?x?x?xf16>";
            survived(&format!(
                "func.func @f(%a: {from}, %b: {to}, %v: {view}, %l: {left}) {{\n\
                 pto.ttrans ins(%a : {from}) outs(%b : {to})\n\
                 pto.tload ins(%v : {view}) outs(%a : {from})\n\
                 pto.tstore ins(%b : {to}) outs(%v : {view})\n\
                 pto.timg2col ins(%b : {to}) outs(%l : {left}) {{filter = [3, 3]}}\n\
                 pto.timg2col ins(%a : {from}) outs(%l : {left}) {{fmap = [3, 3]}}\n\
                 return\n}}\n"
            ));
            survived(&function(&format!("%a = pto.alloc_tile : {from}\n%b = pto.alloc_tile : {to}")));
        }
    }
}
