//! Queues with slots in global memory, and queue values.

use crate::support::launch::{buffer, checked, floats, unit};
use pto::diag::Diagnostic;
use pto::observe::{Watched, Watcher, Watchers, watch};
use pto::sim::{Options, Outcome, Program};

/// The cube core fills slots with the product of `x` and `e`; each vector core stores the entries that it reads to
/// its part of `y`.
fn kernel(cube: &str, vector: &str) -> String {
    format!(
        "!mat = !pto.tile_buf<mat, 32x32xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 32x32xf32, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 32x32xf32, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!half = !pto.tile_buf<vec, 16x32xf32>
!slot = !pto.tensor_view<32x32xf32>
module attributes {{pto.target_arch = \"a3\"}} {{
func.func @k_aic(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>, %fifo: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %slots = pto.make_tensor_view %fifo, shape = [%c32, %c32], strides = [%c32, %c1] : !slot
  %xv = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !slot
  %ev = pto.make_tensor_view %e, shape = [%c32, %c32], strides = [%c32, %c1] : !slot
  %a = pto.alloc_tile : !mat
  %b = pto.alloc_tile : !mat
  pto.tload ins(%xv : !slot) outs(%a : !mat)
  pto.tload ins(%ev : !slot) outs(%b : !mat)
  %l = pto.alloc_tile : !left
  %r = pto.alloc_tile : !right
  pto.tmov ins(%a : !mat) outs(%l : !left)
  pto.tmov ins(%b : !mat) outs(%r : !right)
  %c = pto.alloc_tile : !acc
  pto.tmatmul ins(%l, %r : !left, !right) outs(%c : !acc)
{cube}
  return
}}
func.func @k_aiv(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>, %fifo: !pto.ptr<f32>, %__pypto_spmd_subblock_idx: i32) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %core = arith.index_cast %__pypto_spmd_subblock_idx : i32 to index
  %row = arith.muli %core, %c16 : index
  %slots = pto.make_tensor_view %fifo, shape = [%c32, %c32], strides = [%c32, %c1] : !slot
  %yv = pto.make_tensor_view %y, shape = [%c32, %c32], strides = [%c32, %c1] : !slot
  %own = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c16, %c32] : !slot -> !pto.partition_tensor_view<16x32xf32>
  %t = pto.alloc_tile : !half
  %sum = pto.alloc_tile : !half
  %none = arith.constant 0.0 : f32
  pto.texpands ins(%none : f32) outs(%sum : !half)
{vector}
  pto.tstore ins(%sum : !half) outs(%own : !pto.partition_tensor_view<16x32xf32>)
  return
}}
}}
"
    )
}

fn launch(source: &str) -> Result<Outcome, Vec<Diagnostic>> {
    watched(source, Watchers::NONE).map(|(outcome, _)| outcome)
}

fn watched(source: &str, watchers: Watchers) -> Result<(Outcome, Watched), Vec<Diagnostic>> {
    let program = Program::decode(&checked(source, None), None)?;
    let x = buffer((0..1024).map(|at| at as f32));
    let values = vec![x, unit(32), buffer([0.0; 1024]), buffer([0.0; 2048])];
    watch(&program, vec![values], &Options::default().sync_inserted(true), &watchers.into())
}

fn numbers(outcome: &Outcome, buffer: usize) -> Vec<f32> {
    floats(&outcome.buffers[buffer].bytes)
}

const OPEN: [&str; 2] = [
    "  pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096, slot_num = 2} (gm_slot_tensor = %slots : !slot)",
    "  pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096, slot_num = 2} (gm_slot_tensor = %slots : !slot)",
];

const FILL: &str = "    %entry = pto.talloc_to_aiv {id = 0, split = 1} -> !slot
    pto.tstore ins(%c : !acc) outs(%entry : !slot)
    pto.tpush_to_aiv(%entry : !slot) {id = 0, split = 1}";

const READ: &str = "    %entry = pto.tpop_from_aic {id = 0, split = 1} -> !slot
    %part = pto.partition_view %entry, offsets = [%c0, %c0], sizes = [%c16, %c32] : !slot -> !pto.partition_tensor_view<16x32xf32>
    pto.tload ins(%part : !pto.partition_tensor_view<16x32xf32>) outs(%t : !half)
    pto.tadd ins(%sum, %t : !half, !half) outs(%sum : !half)
    pto.tfree_from_aic(%entry : !slot) {id = 0, split = 1}";

fn repeated(body: &str) -> String {
    format!("  scf.for %i = %c0 to %c3 step %c1 {{\n{body}\n  }}")
}

#[test]
fn slots_in_global_memory_go_round() {
    let source =
        kernel(&format!("{}\n{}", OPEN[0], repeated(FILL)), &format!("{}\n{}", OPEN[1], repeated(READ)));
    let outcome = launch(&source).expect("both go to their end");
    let triple: Vec<f32> = (0..1024).map(|at| 3.0 * at as f32).collect();
    assert_eq!(numbers(&outcome, 2), triple);
    let once: Vec<f32> = (0..1024).map(|at| at as f32).collect();
    assert_eq!(numbers(&outcome, 3), [once.clone(), once].concat(), "three entries use both slots");
}

#[test]
fn a_queue_that_is_a_value() {
    let open = "  %pipe = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 4096, slot_num = 2, local_slot_num = 2, flag_base = 4}(%fifo : !pto.ptr<f32>, %zero : i32) -> !pto.pipe";
    let cube = repeated("    pto.tpush(%c, %pipe : !acc, !pto.pipe) {split = 1}");
    let pop = "    %got = pto.declare_tile -> !half
    pto.tpop(%got, %pipe : !half, !pto.pipe) {split = 1}
    pto.tadd ins(%sum, %got : !half, !half) outs(%sum : !half)
    pto.tfree(%pipe : !pto.pipe) {split = 1}";
    let source = kernel(&format!("{open}\n{cube}"), &format!("{open}\n{}", repeated(pop)));
    let outcome = launch(&source).expect("both go to their end");
    let triple: Vec<f32> = (0..1024).map(|at| 3.0 * at as f32).collect();
    assert_eq!(numbers(&outcome, 2), triple);
}

#[test]
fn entries_bring_their_order_along_round_after_round() {
    let race = Watchers::of(&[Watcher::Race]);
    let rules = |read: &str| {
        let (cube, vector) = (repeated(FILL), repeated(read));
        let source = kernel(&format!("{}\n{cube}", OPEN[0]), &format!("{}\n{vector}", OPEN[1]));
        let source = source.replace("%c3 = arith.constant 3", "%c3 = arith.constant 40");
        let findings = watched(&source, race).expect("both go to their end").1.findings;
        findings.into_iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(READ), [""; 0]);
    let lines: Vec<&str> = READ.lines().collect();
    let late = [lines[0], lines[1], lines[4], lines[2], lines[3]].join("\n");
    assert_eq!(rules(&late), ["race::write-after-read"], "the slot is read after it was given back");
}

#[test]
fn misuse_is_named() {
    let rule = |cube: &str, vector: &str| {
        let source = kernel(&format!("{}\n{cube}", OPEN[0]), &format!("{}\n{vector}", OPEN[1]));
        launch(&source).expect_err("misuse").swap_remove(0)
    };
    let twice = "    pto.tpush_to_aiv(%entry : !slot) {id = 0, split = 1}";
    assert_eq!(rule(&format!("{FILL}\n{twice}"), READ).rule, "queue::allocate");
    let locked = rule(&repeated(FILL), "");
    assert_eq!(locked.rule, "cores::deadlock");
    assert!(locked.message.contains("`talloc_to_aiv` for a free slot of queue 0 from a vector core"));
    let tile = "    %got = pto.tpop_from_aic {id = 0, split = 1} -> !half\n    pto.tfree_from_aic {id = 0, split = 1}";
    assert_eq!(rule(FILL, tile).rule, "queue::entry");
    assert_eq!(rule("    pto.tpush_to_aiv(%c : !acc) {id = 0, split = 1}", READ).rule, "queue::entry");
    let source = kernel("", "").replace(
        "  %a = pto.alloc_tile : !mat",
        "  pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 4096}\n  %n = pto.talloc_to_aiv {id = 0, split = 0} -> !slot\n  %a = pto.alloc_tile : !mat",
    );
    assert_eq!(launch(&source).expect_err("no slots")[0].rule, "queue::initialize");
}

/// 13.6: entries of tiles lie in `gm_slot_buffer` between push and pop. Slot i of the cube core's entries is at i times
/// the size of a slot; the entries of the vector cores follow after them.
#[test]
fn entries_lie_in_their_slots() {
    let text = "!t = !pto.tile_buf<vec, 8x16xf32>\n!m = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>\n\
        func.func @f(%slots: !pto.ptr<f32>) {\n  %b = arith.constant 0 : i32\n  %two = arith.constant 2.0 : f32\n  %three = arith.constant 3.0 : f32\n\
        \x20 pto.section.vector {\n    pto.aiv_initialize_pipe {dir_mask = 3, slot_size = 1024, slot_num = 2} (gm_slot_buffer = %slots : !pto.ptr<f32>, c2v_consumer_buf = %b : i32, v2c_consumer_buf = %b : i32)\n\
        \x20   %t = pto.alloc_tile : !t\n    pto.texpands ins(%two : f32) outs(%t : !t)\n    pto.tpush_to_aic(%t : !t) {split = 1}\n    pto.texpands ins(%three : f32) outs(%t : !t)\n    pto.tpush_to_aic(%t : !t) {split = 1}\n  }\n\
        \x20 pto.section.cube {\n    pto.aic_initialize_pipe {dir_mask = 3, slot_size = 1024, slot_num = 2} (gm_slot_buffer = %slots : !pto.ptr<f32>, c2v_consumer_buf = %b : i32, v2c_consumer_buf = %b : i32)\n\
        \x20   %m = pto.tpop_from_aiv {split = 1} -> !m\n    pto.tfree_from_aiv {split = 1}\n    %n = pto.tpop_from_aiv {split = 1} -> !m\n    pto.tfree_from_aiv {split = 1}\n  }\n  return\n}\n";
    let program = crate::support::launch::program(text, Some(pto::Profile::A2A3));
    let values = vec![pto::sim::Value::buffer(vec![0; 4096])];
    let outcome = program.launch(values, &Options::default(), &mut []).expect("a run");
    let found = floats(&outcome.buffers[0].bytes);
    // Nothing came from the cube core; both halves of an entry follow each other.
    let wanted = [[0.0; 512].as_slice(), &[2.0; 256], &[3.0; 256]].concat();
    assert_eq!(found, wanted);
}
