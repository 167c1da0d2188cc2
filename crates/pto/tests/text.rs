//! Parsing and printing: three spellings of each operation, outdated syntax, and errors.

mod edits;
mod kept;
mod places;

use expect_test::{Expect, expect};
use pto::text::{PrintedSpelling, Style, parse, print};

fn body(lines: &str) -> String {
    format!("func.func @k() {{\n{lines}  return\n}}\n")
}

fn printed(source: &str, form: PrintedSpelling, compact: bool) -> String {
    let parsed = parse(source).unwrap_or_else(|findings| panic!("{findings:#?}"));
    print(&parsed.module, &Style { spelling: form, compact, source: Some(source), ..Style::default() })
}

/// The body of `@k`, printed in a form.
fn convert(lines: &str, form: PrintedSpelling) -> String {
    let text = printed(&body(lines), form, true);
    let lines = text.lines().filter(|line| line.starts_with("  ") && *line != "  return");
    lines.map(|line| format!("{line}\n")).collect()
}

fn check(lines: &str, form: PrintedSpelling, expected: Expect) {
    let text = convert(lines, form);
    let shown: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    expected.assert_eq(&shown);
    assert_eq!(convert(&text, PrintedSpelling::AsWritten), text, "printing again changes nothing");
}

const TADD: &str = "  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  pto.tadd ins(%a, %a : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x32xf32>)
";

#[test]
fn a_destination_made_just_before_becomes_the_result() {
    check(
        TADD,
        PrintedSpelling::Ssa,
        expect![[r#"
              %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
              %d = pto.tadd %a, %a : (!pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) -> !pto.tile_buf<vec, 16x32xf32>
        "#]],
    );
    check(
        TADD,
        PrintedSpelling::Assembly,
        expect![[r#"
              %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
              %d = tadd %a, %a : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32> -> !pto.tile_buf<vec, 16x32xf32>
        "#]],
    );
}

#[test]
fn the_way_back_restores_the_destination() {
    for form in [PrintedSpelling::Ssa, PrintedSpelling::Assembly] {
        assert_eq!(convert(&convert(TADD, form), PrintedSpelling::Destination), TADD);
    }
}

#[test]
fn a_destination_that_is_read_stays_and_is_named_with_into() {
    let insert = "  %c0 = arith.constant 0 : index
  %s = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  pto.tinsert ins(%s, %c0, %c0 : !pto.tile_buf<vec, 8x32xf32>, index, index) outs(%d : !pto.tile_buf<vec, 16x32xf32>)
";
    check(
        insert,
        PrintedSpelling::Assembly,
        expect![[r#"
              %c0 = arith.constant 0 : index
              %s = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf32>
              %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
              tinsert %s[%c0, %c0] : !pto.tile_buf<vec, 8x32xf32> -> !pto.tile_buf<vec, 16x32xf32> into %d
        "#]],
    );
    assert_eq!(convert(&convert(insert, PrintedSpelling::Ssa), PrintedSpelling::Destination), insert);
}

#[test]
fn two_windows_have_two_pairs_of_offsets_and_two_results() {
    let extract = "  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %s = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, blayout=col_major, slayout=row_major>
  %e = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>
  pto.textract ins(%s, %c0, %c0, %c0, %c8 : !pto.tile_buf<vec, 16x32xf32>, index, index, index, index) outs(%d, %e : !pto.tile_buf<vec, 16x8xf32, blayout=col_major, slayout=row_major>, !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>)
";
    let last = |form| convert(extract, form).lines().last().map(|line| line.trim().to_owned());
    let (one, two) = (
        "!pto.tile_buf<vec, 16x8xf32, blayout=col_major, slayout=row_major>",
        "!pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>",
    );
    let ssa = format!(
        "%d, %e = pto.textract %s, %c0, %c0, %c0, %c8 : (!pto.tile_buf<vec, 16x32xf32>, index, index, index, index) -> ({one}, {two})"
    );
    let assembly =
        format!("%d, %e = textract %s[%c0, %c0, %c0, %c8] : !pto.tile_buf<vec, 16x32xf32> -> ({one}, {two})");
    assert_eq!(last(PrintedSpelling::Ssa), Some(ssa));
    assert_eq!(last(PrintedSpelling::Assembly), Some(assembly));
    for form in [PrintedSpelling::Ssa, PrintedSpelling::Assembly] {
        assert_eq!(convert(&convert(extract, form), PrintedSpelling::Destination), extract);
        assert_eq!(convert(&convert(extract, form), PrintedSpelling::AsWritten), convert(extract, form));
    }
    let results = format!(
        "  %c0 = arith.constant 0 : index
  %s = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  %d, %e = textract %s[%c0, %c0, %c0, %c0] : !pto.tile_buf<vec, 16x32xf32> -> {one}, {two}
"
    );
    assert!(
        convert(&results, PrintedSpelling::Destination).ends_with(&format!("outs(%d, %e : {one}, {two})\n"))
    );
}

#[test]
fn convolution_tiles_are_spelled_alike_in_every_form() {
    let lines = "  %c0 = arith.constant 0 : index
  %f = pto.alloc_tile : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>
  %m = pto.alloc_tile : !pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>
  pto.setfmatrix ins(%f : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>) {fmap = [16, 16], mode = #pto.fmatrix_mode<a_manual>}
  pto.timg2col ins(%f, %c0, %c0 : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>, index, index) outs(%m : !pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>) {filter = [3, 3]}
";
    check(
        lines,
        PrintedSpelling::Assembly,
        expect![[r#"
              %c0 = arith.constant 0 : index
              %f = pto.alloc_tile : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>
              %m = pto.alloc_tile : !pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>
              setfmatrix %f {fmap = [16, 16], mode = #pto.fmatrix_mode<a_manual>} : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16> -> ()
              timg2col %f[%c0, %c0] {filter = [3, 3]} : !pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16> -> !pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major> into %m
        "#]],
    );
    for form in [PrintedSpelling::Ssa, PrintedSpelling::Assembly] {
        assert_eq!(convert(&convert(lines, form), PrintedSpelling::Destination), lines);
        assert_eq!(convert(&convert(lines, form), PrintedSpelling::AsWritten), convert(lines, form));
    }
}

#[test]
fn the_manuals_spellings_of_setfmatrix_are_read() {
    let map = "!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>";
    let alloc = format!("  %f = pto.alloc_tile : {map}\n");
    let expected = format!("{alloc}  pto.setfmatrix ins(%f : {map})\n");
    for spelling in [
        format!("pto.SETFMATRIX ins(%f : {map}) outs()"),
        format!("pto.SETFMATRIX %f : {map} -> ()"),
        format!("SETFMATRIX %f : {map} -> ()"),
    ] {
        assert_eq!(
            convert(&format!("{alloc}  {spelling}\n"), PrintedSpelling::Destination),
            expected,
            "{spelling}"
        );
    }
}

#[test]
fn the_manuals_destination_first_form_is_read() {
    let text = "  %a = pto.alloc_tile : !pto.tile<16x32xf32>
  %d = pto.alloc_tile : !pto.tile<f32, 16, 32>
  tadd %d, %a, %a : !pto.tile<16x32xf32>
";
    assert!(
        convert(text, PrintedSpelling::Destination).ends_with("outs(%d : !pto.tile_buf<vec, 16x32xf32>)\n")
    );
}

#[test]
fn the_axis_of_a_mask_pattern_stands_behind_the_types() {
    let text = "  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile_buf<vec, 16x32xf32>, \"row\") outs(%d : !pto.tile_buf<vec, 16x16xf32>)
";
    check(
        text,
        PrintedSpelling::Ssa,
        expect![[r#"
              %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
              %d = pto.tgather %a {maskPattern = #pto.mask_pattern<P0101>, axis = "row"} : (!pto.tile_buf<vec, 16x32xf32>) -> !pto.tile_buf<vec, 16x16xf32>
        "#]],
    );
    for form in [PrintedSpelling::AsWritten, PrintedSpelling::Ssa, PrintedSpelling::Assembly] {
        assert_eq!(convert(&convert(text, form), PrintedSpelling::Destination), text);
    }
}

#[test]
fn a_second_axis_is_an_error() {
    let text = body(
        "  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  pto.tscatter ins(%a, {maskPattern = #pto.mask_pattern<P1111>, axis = \"col\"} : !pto.tile_buf<vec, 16x32xf32>, \"row\") outs(%a : !pto.tile_buf<vec, 16x32xf32>)
",
    );
    let findings = parse(&text).map(|_| ()).expect_err("two axes");
    assert!(findings.iter().any(|finding| finding.message.contains("`axis` is given twice")), "{findings:?}");
}

/// The manual's `mscatter %src, %idx, %mem`: a view cannot be a source, so the destination is the last operand.
#[test]
fn a_destination_that_can_only_be_the_last_operand_is_it() {
    let text = "  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  pto.mscatter %a, %i, %m : (!pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 1x8xi32>, !pto.partition_tensor_view<64x8xf32>) -> ()
  pto.tstore %a, %m : (!pto.tile_buf<vec, 8x8xf32>, !pto.partition_tensor_view<64x8xf32>) -> ()
";
    let source = format!("func.func @k(%m: !pto.partition_tensor_view<64x8xf32>) {{\n{text}  return\n}}\n");
    let written = printed(&source, PrintedSpelling::Destination, true);
    for (name, ins) in [("mscatter", "%a, %i"), ("tstore", "%a")] {
        let line = written.lines().find(|line| line.contains(name)).expect("the operation");
        assert!(line.contains(&format!("ins({ins} :")) && line.contains("outs(%m :"), "{line}");
    }
}

/// 13.8: text for others. The assembler reads these dictionaries inside `ins(...)` only, TMOV and TSTORE with a type after each operand,
/// and the results of a switch without brackets.
#[test]
fn what_stands_elsewhere_is_printed_where_the_assembler_reads_it() {
    let source = "!t = !pto.tile_buf<vec, 8x64xf32>
!m = !pto.tile_buf<vec, 8x64xui8>
!acc = !pto.tile_buf<acc, 16x16xi32, blayout=col_major, slayout=row_major, fractal=1024>
func.func @k(%a: !t, %m: !m, %s: f32, %acc: !acc, %q: i64, %g: !pto.tensor_view<16x16xf16>, %i: index, %n: i32) {
  pto.tcmps ins(%a, %s : !t, f32) outs(%m : !m) {cmpMode = #pto<cmp eq>}
  pto.tstore ins(%acc, %q : !acc, i64) outs(%g : !pto.tensor_view<16x16xf16>)
  pto.tstore ins(%acc : !acc pre_quant %q : i64) outs(%g : !pto.tensor_view<16x16xf16>)
  %x, %y = scf.index_switch %i -> i32, i64
  default {
    scf.yield %n, %q : i32, i64
  }
  return
}
";
    let text = printed(source, PrintedSpelling::Destination, true);
    assert!(text.contains("ins(%a, %s {cmpMode = #pto<cmp eq>} : "), "{text}");
    assert_eq!(text.matches("fractal=1024>, %q : i64) outs(%g").count(), 2, "{text}");
    assert!(text.contains("scf.index_switch %i -> i32, i64\n"), "{text}");
    assert_eq!(printed(&text, PrintedSpelling::Destination, true), text);
}

#[test]
fn the_generic_form_means_the_same() {
    let text = "  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  \"pto.tadd\"(%a, %a, %d) <{operandSegmentSizes = array<i32: 2, 1>}> : (!pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) -> ()
";
    assert_eq!(convert(text, PrintedSpelling::Destination), TADD);
}

/// 13.8: `operandSegmentSizes` determines the present optional operands, in the order of the dialect. Absent operands and
/// the attribute are not printed.
#[test]
fn optional_operands_of_the_generic_form_are_read() {
    let source = "!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!mat = !pto.tile_buf<mat, 32x32xi8, blayout=col_major, slayout=row_major>
!t = !pto.tile_buf<vec, 8x64xf32>
!i = !pto.tile_buf<vec, 8x64xi32>
func.func @k(%g: !pto.tensor_view<16x16xf32>, %q: i64, %c0: index, %s: !acc, %d: !mat, %a: !t, %i: !i) {
  \"pto.tinsert\"(%s, %c0, %c0, %d, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>}> : (!acc, index, index, !mat, i64) -> ()
  \"pto.tmov\"(%s, %d, %q) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!acc, !mat, i64) -> ()
  \"pto.tgather\"(%a, %a, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0>}> : (!t, !t, !i, !i) -> ()
  \"pto.tpow\"(%a, %a, %a) : (!t, !t, !t) -> ()
  %v = \"pto.subview\"(%a, %c0, %c0) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>, sizes = [8, 64]}> : (!t, index, index) -> !t
  %p = \"pto.initialize_l2g2l_pipe\"(%g) <{dir_mask = 1 : i8, slot_size = 1024 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!pto.tensor_view<16x16xf32>) -> !pto.pipe
  return
}
";
    let text = printed(source, PrintedSpelling::Destination, true);
    let lines = [
        "index, index pre_quant %q : i64) outs(%d",
        "pto.tmov ins(%s : ",
        ", %q : i64) outs(%d",
        "pto.tgather ins(%a, %i, %i : ",
        "pto.tpow ins(%a, %a : ",
        "pto.subview %a[%c0, %c0] sizes [8, 64]",
        "(%g : !pto.tensor_view<16x16xf32>) -> !pto.pipe",
    ];
    for line in lines {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("operandSegmentSizes") && !text.contains(": ,"), "{text}");
    assert_eq!(printed(&text, PrintedSpelling::Destination, true), text);
}

#[test]
fn the_generic_form_has_other_names_for_what_synchronization_says() {
    let source = "func.func @k(%i: index) {
  \"pto.set_flag\"() {src_pipe = #pto.pipe<PIPE_V>, dst_pipe = #pto.pipe<PIPE_MTE3>, event_id = #pto.event<EVENT_ID0>} : () -> ()
  \"pto.set_flag_dyn\"(%i) {src_pipe = #pto.pipe<PIPE_V>, dst_pipe = #pto.pipe<PIPE_MTE3>} : (index) -> ()
  \"pto.get_buf\"() {op_type = #pto.pipe_event_type<TVEC>, buf_id = 3, mode = 0} : () -> ()
  \"pto.sync.set\"(%i) {pipe = #pto.pipe<PIPE_FIX>, ffts_mode = 2} : (index) -> ()
  return
}
";
    let written = "func.func @k(%i: index) {
  pto.set_flag[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, #pto.event<EVENT_ID0>]
  pto.set_flag_dyn[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, %i]
  pto.get_buf[#pto.pipe_event_type<TVEC>, 3] {mode = 0}
  pto.sync.set #pto.pipe<PIPE_FIX>, %i {ffts_mode = 2}
  return
}
";
    assert_eq!(printed(source, PrintedSpelling::Destination, false), written);
}

#[test]
fn full_and_compact_tile_types_are_two_spellings_of_one() {
    let full = "!pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=?, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>";
    let compact =
        "!pto.tile_buf<acc, 16x16xf32, valid=?x16, blayout=col_major, slayout=row_major, fractal=1024>";
    let with = |ty: &str| body(&format!("  %a = pto.alloc_tile : {ty}\n"));
    assert_eq!(printed(&with(full), PrintedSpelling::Destination, true), with(compact));
    assert_eq!(printed(&with(compact), PrintedSpelling::Destination, false), with(full));
}

#[test]
fn old_spellings_are_read_with_a_lint_and_written_anew() {
    let source = "func.func @k(%p: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %v = pto.make_tensor_view %p, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<2xf32>
  %w = pto.subview %v, offsets = [%c0, %c0], sizes = [32, 32] : !pto.tensor_view<2xf32> -> !pto.tile_view<32x32xf32>
  return
}
";
    let parsed = parse(source).expect("old syntax is read");
    assert!(!parsed.lints.is_empty() && parsed.lints.iter().all(|lint| lint.rule == "old-syntax"));
    let text = print(&parsed.module, &Style::default());
    expect![[r#"
        func.func @k(%p: !pto.ptr<f32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c32 = arith.constant 32 : index
          %v = pto.make_tensor_view %p, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
          %size0_of_w = arith.constant 32 : index
          %size1_of_w = arith.constant 32 : index
          %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%size0_of_w, %size1_of_w] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x32xf32>
          return
        }
    "#]]
    .assert_eq(&text);
    assert!(parse(&text).expect("canonical text is read").lints.is_empty());
}

#[test]
fn every_error_of_a_file_is_reported() {
    let source = "func.func @k() {
  %a = arith.constant 1 : idx
  %b = arith.addi %a, %nowhere : index
  %c = pto.tsubb %b
  %d = arith.constant 1 : index
  %d = arith.constant 2 : index
  return
}
";
    let findings = parse(source).expect_err("a broken program");
    let rules: Vec<_> = findings.iter().map(|finding| finding.rule.to_string()).collect();
    assert_eq!(rules, ["unknown-type", "undefined-value", "unknown-operation", "redefined-value"]);
    assert_eq!(findings[2].help, ["did you mean `pto.tsub`?"]);
}
