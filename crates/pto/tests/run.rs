//! Control flow, scalars, calls, sections and launches: small programs, each with its expected memory contents.

use crate::support::launch::{program, words};
use pto::diag::Diagnostic;
use pto::observe::{Watcher, Watchers, watch};
use pto::sim::{IndexUnit, Options, Outcome, Value};

fn launch(source: &str, values: Vec<Value>, options: &Options) -> Result<Outcome, Vec<Diagnostic>> {
    program(source, None).launch(values, options, &mut [])
}

/// Runs the lines of a function that stores into `%out`, an array of 8 i32, and takes the index `%n`.
fn numbers(lines: &str, n: u64) -> Vec<i32> {
    let source = format!("func.func @k(%out: !pto.ptr<i32>, %n: index) {{\n{CONSTANTS}{lines}  return\n}}\n");
    stored(&source, n, &Options::default())
}

fn stored(source: &str, n: u64, options: &Options) -> Vec<i32> {
    let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(n)];
    let outcome = launch(source, values, options).unwrap_or_else(|findings| panic!("{findings:#?}"));
    words(&outcome.buffers[0].bytes)
}

const CONSTANTS: &str = "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i7 = arith.constant 7 : i32
";

#[test]
fn a_loop_carries_values() {
    let lines = "  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %i0, %y = %i1) -> (i32, i32) {
    %z = arith.addi %x, %y : i32
    scf.yield %y, %z : i32, i32
  }
  pto.store_scalar %a, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %b, %out[%c1] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 10)[..2], [55, 89], "two values exchanged at once");
    assert_eq!(numbers(lines, 0)[..2], [0, 1], "no round at all");
}

#[test]
fn blocks_branch_with_arguments() {
    let lines = "  cf.br ^head(%c0, %i0 : index, i32)
^head(%i: index, %sum: i32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body(%i, %sum : index, i32), ^end(%sum : i32)
^body(%j: index, %part: i32):
  %wide = arith.index_cast %j : index to i32
  %next = arith.addi %part, %wide : i32
  %step = arith.addi %j, %c1 : index
  cf.br ^head(%step, %next : index, i32)
^end(%total: i32):
  pto.store_scalar %total, %out[%c0] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 5)[0], 10);
}

#[test]
fn while_switch_and_execute_region_pass_values_on() {
    let lines = "  %w:2 = scf.while (%i = %c0, %x = %i1) : (index, i32) -> (index, i32) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %x : index, i32
  } do {
  ^bb0(%j: index, %y: i32):
    %k = arith.addi %j, %c1 : index
    %z = arith.addi %y, %y : i32
    scf.yield %k, %z : index, i32
  }
  pto.store_scalar %w#1, %out[%c0] : !pto.ptr<i32>, i32
  %s = scf.index_switch %n -> i32
  case 2 {
    scf.yield %i1 : i32
  }
  case 3 {
    scf.yield %i7 : i32
  }
  default {
    scf.yield %i0 : i32
  }
  pto.store_scalar %s, %out[%c1] : !pto.ptr<i32>, i32
  %e = scf.execute_region -> i32 {
    %t = arith.addi %s, %i1 : i32
    scf.yield %t : i32
  }
  pto.store_scalar %e, %out[%c2] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 3)[..3], [8, 7, 8]);
    assert_eq!(numbers(lines, 2)[..3], [4, 1, 2]);
    assert_eq!(numbers(lines, 9)[..3], [512, 0, 1]);
}

#[test]
fn a_cast_between_signs_keeps_the_bits() {
    let lines = "  %less = arith.subi %i0, %i7 : i32
  %same = builtin.unrealized_conversion_cast %less : i32 to ui32
  %back = builtin.unrealized_conversion_cast %same : ui32 to i32
  pto.store_scalar %back, %out[%c0] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 1)[0], -7);
}

#[test]
fn functions_take_arguments_give_results_and_may_call_themselves() {
    let source = format!(
        "module {{
func.func private @factorial(%n: i32, %one: i32) -> (i32, i32) {{
  %last = arith.cmpi sle, %n, %one : i32
  %r, %d = scf.if %last -> (i32, i32) {{
    scf.yield %one, %one : i32, i32
  }} else {{
    %m = arith.subi %n, %one : i32
    %f, %depth = func.call @factorial(%m, %one) : (i32, i32) -> (i32, i32)
    %p = arith.muli %n, %f : i32
    %deeper = arith.addi %depth, %one : i32
    scf.yield %p, %deeper : i32, i32
  }}
  return %r, %d : i32, i32
}}
func.func @k(%out: !pto.ptr<i32>, %n: index) {{
{CONSTANTS}  %wide = arith.index_cast %n : index to i32
  %f, %d = func.call @factorial(%wide, %i1) : (i32, i32) -> (i32, i32)
  pto.store_scalar %f, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %d, %out[%c1] : !pto.ptr<i32>, i32
  return
}}
}}
"
    );
    assert_eq!(stored(&source, 6, &Options::default())[..2], [720, 6]);
    let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(1000)];
    let findings = launch(&source, values, &Options::default()).expect_err("too deep");
    assert_eq!(findings[0].rule, "call-depth");
}

#[test]
fn local_arrays_hold_scalars() {
    let lines = "  %a = pto.declare_local_array -> !pto.local_array<2x4xi32>
  pto.local_array_set %a[%c1, %c3], %i7 : !pto.local_array<2x4xi32>, i32
  %x = pto.local_array_get %a[%c1, %c3] : !pto.local_array<2x4xi32> -> i32
  %y = pto.local_array_get %a[%c0, %c0] : !pto.local_array<2x4xi32> -> i32
  pto.store_scalar %x, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %y, %out[%c1] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 0)[..2], [7, 0]);
}

#[test]
fn a_tile_is_selected_reshaped_cut_and_read() {
    let lines = "  %zero = arith.cmpi eq, %n, %c0 : index
  %c9 = arith.constant 9 : index
  %a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xi32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 2x8xi32>
  pto.texpands ins(%i7 : i32) outs(%a : !pto.tile_buf<vec, 2x8xi32>)
  pto.texpands ins(%i1 : i32) outs(%b : !pto.tile_buf<vec, 2x8xi32>)
  %t = arith.select %zero, %a, %b : !pto.tile_buf<vec, 2x8xi32>
  %u = scf.if %zero -> (!pto.tile_buf<vec, 2x8xi32>) {
    scf.yield %b : !pto.tile_buf<vec, 2x8xi32>
  } else {
    scf.yield %a : !pto.tile_buf<vec, 2x8xi32>
  }
  pto.tadd ins(%t, %u : !pto.tile_buf<vec, 2x8xi32>, !pto.tile_buf<vec, 2x8xi32>) outs(%t : !pto.tile_buf<vec, 2x8xi32>)
  %flat = pto.treshape %t : !pto.tile_buf<vec, 2x8xi32> -> !pto.tile_buf<vec, 1x16xi32>
  pto.tsetval ins(%c9, %i0 : index, i32) outs(%flat : !pto.tile_buf<vec, 1x16xi32>)
  %part = pto.subview %t[%c1, %c0] sizes [1, 8] : !pto.tile_buf<vec, 2x8xi32> -> !pto.tile_buf<vec, 1x8xi32>
  %p = pto.tgetval ins(%part, %c0 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32
  %q = pto.tgetval ins(%part, %c1 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32
  pto.store_scalar %p, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %q, %out[%c1] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 0)[..2], [8, 0]);
    assert_eq!(numbers(lines, 1)[..2], [8, 0]);
}

#[test]
fn tiles_at_one_address_are_the_same_bytes_whatever_their_type() {
    let lines = "  %a64 = arith.constant 64 : i64
  %h = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 1x16xi16>
  %w = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 1x8xi32>
  %half = arith.constant 258 : i16
  pto.texpands ins(%half : i16) outs(%h : !pto.tile_buf<vec, 1x16xi16>)
  %x = pto.tgetval ins(%w, %c0 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32
  pto.store_scalar %x, %out[%c0] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 0)[0], 0x0102_0102);
}

#[test]
fn the_valid_region_is_set_and_read() {
    let lines =
        "  %t = pto.alloc_tile valid_row = %c1 valid_col = %n : !pto.tile_buf<vec, 4x8xi32, valid=?x?>
  %r, %c = pto.get_validshape %t : !pto.tile_buf<vec, 4x8xi32, valid=?x?> -> (index, index)
  pto.set_validshape %t, %c3, %c2 : !pto.tile_buf<vec, 4x8xi32, valid=?x?>
  %s, %d = pto.get_validshape %t : !pto.tile_buf<vec, 4x8xi32, valid=?x?> -> (index, index)
  %r32 = arith.index_cast %r : index to i32
  %c32 = arith.index_cast %c : index to i32
  %s32 = arith.index_cast %s : index to i32
  %d32 = arith.index_cast %d : index to i32
  pto.store_scalar %r32, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %c32, %out[%c1] : !pto.ptr<i32>, i32
  pto.store_scalar %s32, %out[%c2] : !pto.ptr<i32>, i32
  pto.store_scalar %d32, %out[%c3] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 5)[..4], [1, 5, 3, 2]);
}

#[test]
fn every_block_of_every_launch_knows_its_number_and_starts_with_zeros() {
    let source = format!(
        "func.func @k(%out: !pto.ptr<i32>, %n: index, %__pypto_spmd_block_idx: i32, %__pypto_spmd_block_num: i32) {{
{CONSTANTS}  %at = arith.index_cast %__pypto_spmd_block_idx : i32 to index
  %index = pto.get_block_idx
  %same = arith.trunci %index : i64 to i32
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  %old = pto.tgetval ins(%t, %c0 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32
  pto.texpands ins(%i7 : i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)
  %a = arith.addi %same, %__pypto_spmd_block_num : i32
  %b = arith.addi %a, %old : i32
  pto.store_scalar %b, %out[%at] : !pto.ptr<i32>, i32
  return
}}
"
    );
    let program = program(&source, None);
    let launch_watched = |options: &Options, watchers: Watchers| {
        let out = Value::buffer(vec![0; 32]);
        let ranks = vec![vec![out, Value::Scalar(0), Value::Launch, Value::Launch]];
        watch(&program, ranks, options, &watchers.into()).map(|(outcome, _)| outcome)
    };
    let launch = |options: &Options| launch_watched(options, Watchers::NONE);
    // Launches that fill unwritten memory, or stop early, do not affect later ones either.
    let init = Watchers::of(&[Watcher::Init]);
    for max_steps in [4, 8, 12] {
        for threads in [1, 2, 1] {
            let options = Options::default().blocks(3).threads(threads);
            let outcome = launch(&options).unwrap_or_else(|findings| panic!("{findings:#?}"));
            let (words, _) = outcome.buffers[0].bytes.as_chunks::<4>();
            let words: Vec<i32> = words[..4].iter().map(|word| i32::from_le_bytes(*word)).collect();
            assert_eq!(words, [3, 4, 5, 0]);
        }
        let options = Options::default().blocks(3);
        launch_watched(&options, init).expect("it goes to its end");
        launch(&options.max_steps(max_steps)).expect_err("it has no steps left");
    }
}

#[test]
fn a_vector_section_runs_on_both_vector_cores_with_a_buffer_each() {
    let lines = "  %a0 = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 1x8xi32>
  pto.section.vector {
    %sub = pto.get_subblock_idx
    %count = pto.get_subblock_num
    %sub32 = arith.trunci %sub : i64 to i32
    %count32 = arith.trunci %count : i64 to i32
    %at = arith.index_cast %sub : i64 to index
    %old = pto.tgetval ins(%t, %c0 : !pto.tile_buf<vec, 1x8xi32>, index) outs : i32
    pto.texpands ins(%i7 : i32) outs(%t : !pto.tile_buf<vec, 1x8xi32>)
    %x = arith.addi %old, %sub32 : i32
    %y = arith.addi %x, %count32 : i32
    pto.store_scalar %y, %out[%at] : !pto.ptr<i32>, i32
  }
  pto.section.cube {
    pto.store_scalar %i7, %out[%c2] : !pto.ptr<i32>, i32
  }
";
    assert_eq!(numbers(lines, 0)[..3], [2, 3, 7]);
}

#[test]
fn printing_shows_the_valid_region() {
    let source = "func.func @k(%out: !pto.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %s = arith.constant 2.5 : f16
  %t = pto.alloc_tile valid_row = %c1 valid_col = %n : !pto.tile_buf<vec, 2x16xf16, valid=?x?>
  pto.texpands ins(%s : f16) outs(%t : !pto.tile_buf<vec, 2x16xf16, valid=?x?>)
  pto.tprint ins(%t : !pto.tile_buf<vec, 2x16xf16, valid=?x?>)
  return
}
";
    let values = vec![Value::buffer(vec![0; 32]), Value::Scalar(3)];
    let outcome =
        launch(source, values, &Options::default()).unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert_eq!(outcome.printed, ["%t: 2x16xf16 vec, valid 1x3\n  [2.5, 2.5, 2.5]"]);
}

#[test]
fn synchronization_is_read_and_program_order_kept() {
    let lines = "  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]
  pto.record_event[#pto.sync_op_type<TLOAD>, #pto.sync_op_type<TVEC>, <EVENT_ID1>]
  pto.wait_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID1>]
  pto.get_buf[#pto.pipe_event_type<TLOAD>, 0]
  pto.rls_buf[#pto.pipe_event_type<TLOAD>, 0]
  pto.barrier <PIPE_ALL>
  pto.store_scalar %i7, %out[%c0] : !pto.ptr<i32>, i32
";
    assert_eq!(numbers(lines, 0)[0], 7);
}

/// The square of 1 + 2^-11 is 1 + 2^-10 + 2^-22, or 1 if factors have 10 bits of mantissa.
#[test]
fn products_in_tf32_mode_round_their_factors_on_a5() {
    let factor = 1.0 + 1.0f32 / 2048.0;
    let run = |lines: &str| {
        let source = PRODUCT.replace("MODE", lines);
        let mut bytes = vec![0; 1024];
        bytes[..4].copy_from_slice(&factor.to_le_bytes());
        let outcome = launch(&source, vec![Value::buffer(bytes)], &Options::default());
        let outcome = outcome.unwrap_or_else(|findings| panic!("{findings:#?}"));
        outcome.buffers[0].bytes.first_chunk().map(|bytes| f32::from_le_bytes(*bytes))
    };
    let mode = "mode = #pto<round_mode CAST_ROUND>";
    let on = format!("pto.settf32mode {{enable = true, {mode}}}");
    let whole = Some(factor * factor);
    assert_eq!(run(""), whole);
    assert_eq!(run(&on), Some(1.0));
    assert_eq!(run(&format!("{on}\n pto.settf32mode {{enable = false, {mode}}}")), whole);
    assert_eq!(run(&format!("pto.sethf32mode {{enable = true, {mode}}}")), whole);
}

/// The square of the first element, computed by the cube core.
const PRODUCT: &str = "
!mat = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 16x16xf32, valid=1x1, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 16x16xf32, valid=1x1, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x16xf32, valid=1x1, blayout=col_major, slayout=row_major, fractal=1024>
module attributes {pto.target_arch = \"a5\"} {
func.func @k(%out: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %all = pto.make_tensor_view %out, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
  %one = pto.make_tensor_view %out, shape = [%c1, %c1], strides = [%c16, %c1] : !pto.tensor_view<1x1xf32>
  %from = pto.alloc_tile : !mat
  %left = pto.alloc_tile : !left
  %right = pto.alloc_tile : !right
  %acc = pto.alloc_tile : !acc
  pto.tload ins(%all : !pto.tensor_view<16x16xf32>) outs(%from : !mat)
  pto.textract ins(%from, %c0, %c0 : !mat, index, index) outs(%left : !left)
  pto.textract ins(%from, %c0, %c0 : !mat, index, index) outs(%right : !right)
  MODE
  pto.tmatmul ins(%left, %right : !left, !right) outs(%acc : !acc)
  pto.tstore ins(%acc : !acc) outs(%one : !pto.tensor_view<1x1xf32>)
  return
}
}
";

#[test]
fn indices_of_a_concatenation_count_bytes_or_columns() {
    let source = "func.func @k(%out: !pto.ptr<i16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 4 : i16
  %s = arith.constant 7 : i16
  %a = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi16>
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi16, valid=1x1>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x32xi16>
  %n = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi16, valid=1x1>
  pto.texpands ins(%s : i16) outs(%a : !pto.tile_buf<vec, 1x16xi16>)
  pto.texpands ins(%v : i16) outs(%i : !pto.tile_buf<vec, 1x16xi16, valid=1x1>)
  pto.tconcat ins(%a, %a, %i, %i : !pto.tile_buf<vec, 1x16xi16>, !pto.tile_buf<vec, 1x16xi16>, \
!pto.tile_buf<vec, 1x16xi16, valid=1x1>, !pto.tile_buf<vec, 1x16xi16, valid=1x1>) \
outs(%d, %n : !pto.tile_buf<vec, 1x32xi16>, !pto.tile_buf<vec, 1x16xi16, valid=1x1>)
  %c9 = arith.constant 8 : index
  scf.for %k = %c0 to %c9 step %c1 {
    %x = pto.tgetval ins(%d, %k : !pto.tile_buf<vec, 1x32xi16>, index) outs : i16
    pto.store_scalar %x, %out[%k] : !pto.ptr<i16>, i16
  }
  %count = pto.tgetval ins(%n, %c0 : !pto.tile_buf<vec, 1x16xi16, valid=1x1>, index) outs : i16
  pto.store_scalar %count, %out[%c9] : !pto.ptr<i16>, i16
  return
}
";
    let (bytes, columns) = ([7, 7, 7, 7, 0, 0, 0, 0, 8], [7, 7, 7, 7, 7, 7, 7, 7, 8]);
    for (tconcat_index, expected) in
        [(None, bytes), (Some(IndexUnit::Bytes), bytes), (Some(IndexUnit::Columns), columns)]
    {
        for by_formula in [false, true] {
            let options = Options::default().tconcat_index(tconcat_index).by_formula(by_formula);
            let values = vec![Value::buffer(vec![0; 18])];
            let outcome = launch(source, values, &options).unwrap_or_else(|findings| panic!("{findings:#?}"));
            let (words, _) = outcome.buffers[0].bytes.as_chunks::<2>();
            let words: Vec<_> = words.iter().map(|word| i16::from_le_bytes(*word)).collect();
            assert_eq!(words, expected, "{tconcat_index:?}");
            let rules: Vec<_> = outcome.warnings.iter().map(|finding| finding.rule.to_string()).collect();
            let silent = by_formula || tconcat_index.is_some();
            assert_eq!(rules, if silent { &[][..] } else { &["tconcat::index-reading"] });
        }
    }
}
