//! Flags between the cube core and the vector cores: a waiting core continues when the other one has set the flag.

use crate::support::launch::{self, buffer, checked, floats, unit};
use pto::diag::Diagnostic;
use pto::observe::{Watcher, Watchers, watch};
use pto::sim::{Options, Program, Value};

/// A kernel whose vector section, which is first in the text, doubles the result of the cube section: the product
/// of `x` and `e` is stored to the first half of `y`, its double to the second half.
fn kernel(before: &str, after: &str) -> String {
    format!(
        "!mat = !pto.tile_buf<mat, 32x32xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 32x32xf32, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 32x32xf32, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!vec = !pto.tile_buf<vec, 32x32xf32>
!view = !pto.tensor_view<32x32xf32>
module attributes {{pto.target_arch = \"a5\"}} {{
func.func @k(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>, %id: index) {{
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %xv = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %ev = pto.make_tensor_view %e, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  %second = pto.addptr %y, %c1024 : !pto.ptr<f32> -> !pto.ptr<f32>
  %zv = pto.make_tensor_view %second, shape = [%c32, %c32], strides = [%c32, %c1] : !view
  pto.section.vector {{
    {before}
    %t = pto.alloc_tile : !vec
    %u = pto.alloc_tile : !vec
    pto.tload ins(%yv : !view) outs(%t : !vec)
    pto.tadd ins(%t, %t : !vec, !vec) outs(%u : !vec)
    pto.tstore ins(%u : !vec) outs(%zv : !view)
  }}
  pto.section.cube {{
    %a = pto.alloc_tile : !mat
    %b = pto.alloc_tile : !mat
    pto.tload ins(%xv : !view) outs(%a : !mat)
    pto.tload ins(%ev : !view) outs(%b : !mat)
    %l = pto.alloc_tile : !left
    %r = pto.alloc_tile : !right
    pto.tmov ins(%a : !mat) outs(%l : !left)
    pto.tmov ins(%b : !mat) outs(%r : !right)
    %c = pto.alloc_tile : !acc
    pto.tmatmul ins(%l, %r : !left, !right) outs(%c : !acc)
    pto.tstore ins(%c : !acc) outs(%yv : !view)
    {after}
  }}
  return
}}
}}
"
    )
}

fn launch(source: &str, id: u64) -> Result<Vec<f32>, Vec<Diagnostic>> {
    let program = Program::decode(&checked(source, None), None)?;
    let x = buffer((0..1024).map(|i| i as f32));
    let values = vec![x, unit(32), buffer([0.0; 2048]), Value::Scalar(id)];
    let outcome = program.launch(values, &Options::default(), &mut [])?;
    Ok(floats(&outcome.buffers[2].bytes))
}

const SET_BOTH: &str = "pto.set_intra_block <PIPE_FIX>, 3
    pto.set_intra_block <PIPE_FIX>, 19";

#[test]
fn a_vector_core_waits_for_the_cube_core() {
    for wait in ["pto.wait_intra_block <PIPE_MTE2>, 3", "pto.wait_intra_block <PIPE_MTE2>, %id"] {
        let out = launch(&kernel(wait, SET_BOTH), 3).expect("both go to their end");
        for at in 0..1024 {
            assert_eq!((out[at], out[1024 + at]), (at as f32, 2.0 * at as f32));
        }
    }
}

#[test]
fn a_flag_that_nobody_sets_is_named() {
    let only_first = "pto.set_intra_block <PIPE_FIX>, 3";
    let findings = launch(&kernel("pto.wait_intra_block <PIPE_MTE2>, 3", only_first), 0).expect_err("half");
    assert_eq!(findings[0].rule, "cores::deadlock");
    let message = &findings[0].message;
    assert!(
        message.contains("vector core 1 waits in `wait_intra_block` for flag 3 from the cube core"),
        "{message}"
    );
}

#[test]
fn a_flag_that_a_core_does_not_have_is_an_error() {
    for (wait, id) in
        [("pto.wait_intra_block <PIPE_MTE2>, %id", 16), ("pto.wait_intra_block <PIPE_V>, 16", 0)]
    {
        let findings = launch(&kernel(wait, SET_BOTH), id).expect_err("vector cores have 16 flags");
        assert_eq!(findings[0].rule, "cores::flag");
    }
    let findings =
        launch(&kernel("pto.wait_intra_block <PIPE_V>, 3", "pto.set_intra_block <PIPE_FIX>, %id"), 32);
    assert_eq!(findings.expect_err("the cube core has 32 flags")[0].rule, "cores::flag");
}

/// Each of four blocks writes its number; after a barrier, each reads the number of the next block.
fn meeting(meet: &str, arguments: &str) -> Result<pto::sim::Outcome, Vec<Diagnostic>> {
    let source = format!(
        "module attributes {{pto.target_arch = \"a5\"}} {{
func.func @k(%a: !pto.ptr<i32>, %b: !pto.ptr<i32>, %w: !pto.ptr<i32, gm>{arguments})
    attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %block = pto.get_block_idx
  %count = pto.get_block_num
  %one = arith.constant 1 : i64
  %at = arith.index_cast %block : i64 to index
  %value = arith.trunci %block : i64 to i32
  pto.store_scalar %value, %a[%at] : !pto.ptr<i32>, i32
  {meet}
  %more = arith.addi %block, %one : i64
  %other = arith.remsi %more, %count : i64
  %next = arith.index_cast %other : i64 to index
  %got = pto.load_scalar %a[%next] : !pto.ptr<i32> -> i32
  pto.store_scalar %got, %b[%at] : !pto.ptr<i32>, i32
  return
}}
}}"
    );
    let program = Program::decode(&checked(&source, None), None)?;
    let buffer = |bytes| Value::buffer(vec![0; bytes]);
    let mut values = vec![buffer(16), buffer(16), buffer(64)];
    if !arguments.is_empty() {
        values.push(Value::Scalar(3));
    }
    program.launch(values, &Options::default().blocks(4), &mut [])
}

const SOFT: &str = "mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<aiv_only>";
const HARD: &str = "pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<";

#[test]
fn blocks_meet() {
    let soft = format!("pto.syncall(%w : !pto.ptr<i32, gm>) {SOFT}");
    let twice = format!("{soft}\n{soft}");
    let cross = "pto.set_cross_block <PIPE_MTE3>, 2\n pto.wait_cross_block <PIPE_MTE2>, 2";
    let aiv = format!("{HARD}aiv_only>");
    let mix = format!("{HARD}mix>");
    for (meet, arrivals) in [(&*soft, 4), (&twice, 8), (&aiv, 0), (&mix, 0), (cross, 0)] {
        let outcome = meeting(meet, "").unwrap_or_else(|findings| panic!("{meet}: {findings:#?}"));
        let bytes = |at: usize| outcome.buffers[at].bytes.iter().step_by(4).copied().collect::<Vec<u8>>();
        assert_eq!(bytes(1), [1, 2, 3, 0], "{meet}");
        assert_eq!(bytes(2)[0], arrivals, "{meet}");
    }
    // A barrier of cube cores does not include vector cores: each block reads before the next one writes.
    let outcome = meeting(&format!("{HARD}aic_only>"), "").expect("nobody waits");
    assert_eq!(outcome.buffers[1].bytes[..4], [0; 4]);
}

#[test]
fn a_barrier_that_one_core_misses_is_named() {
    // The barrier declares three cores, but four arrive: the fourth one waits for two more.
    let three = format!("pto.syncall(%w, %n : !pto.ptr<i32, gm>, i32) {SOFT}");
    let findings = meeting(&three, ", %n: i32").expect_err("the fourth core waits");
    assert_eq!(findings[0].rule, "cores::deadlock");
    assert!(findings[0].message.contains("the counter of the workspace to reach 6, which is 4"));
    let first_only = "%zero = arith.constant 0 : i64
  %is_first = arith.cmpi eq, %block, %zero : i64
  scf.if %is_first {
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>
  }";
    let findings = meeting(first_only, "").expect_err("the first block waits");
    assert!(findings[0].message.contains("the core of block 1 to come here"), "{}", findings[0].message);
}

/// Sums on V that a class of instructions orders before the store; with a class that another pipe runs, this is a
/// race.
fn ordered_by(class: &str) -> Vec<String> {
    let source = format!(
        "!tile = !pto.tile_buf<vec, 8x8xf32>
!view = !pto.tensor_view<8x8xf32>
func.func @k(%y: !pto.ptr<f32>) {{
  %at = arith.constant 0 : i64
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %view = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !view
  %t = pto.alloc_tile addr = %at : !tile
  pto.texpands ins(%one : f32) outs(%t : !tile)
  pto.record_event[#pto.pipe_event_type<{class}>, #pto.pipe_event_type<TSTORE_VEC>, <EVENT_ID0>]
  pto.wait_event[#pto.pipe_event_type<{class}>, #pto.pipe_event_type<TSTORE_VEC>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%view : !view)
  return
}}
"
    );
    let program = launch::program(&source, None);
    let watchers = Watchers::of(&[Watcher::Race, Watcher::Sync]).into();
    let ranks = vec![vec![Value::buffer(vec![0; 256])]];
    let (_, watched) = watch(&program, ranks, &Options::default(), &watchers).expect("a run");
    watched.findings.iter().map(|finding| finding.rule.to_string()).collect()
}

#[test]
fn a_class_stands_for_the_pipe_that_runs_it() {
    for class in ["TVEC", "TMOV_M2V", "EVENT_MOVE_MAT_TO_VEC"] {
        assert_eq!(ordered_by(class), [""; 0], "{class}");
    }
    assert!(ordered_by("TMOV_M2L").iter().any(|rule| rule.starts_with("race::")));
}
