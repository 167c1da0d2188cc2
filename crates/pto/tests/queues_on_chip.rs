//! Concurrent cube and vector cores: entries of queues, slots, and deadlocks.

use crate::support::launch::{buffer, checked, floats, unit};
use pto::diag::Diagnostic;
use pto::sim::{Options, Program};

/// A kernel of two functions: the cube core loads `x` (32x32), multiplies it by one and pushes it `cube` times;
/// `vector` is the code of each vector core, with `%y` (2x32x32) as its output.
fn kernel(queue: &str, cube: &str, vector: &str) -> String {
    format!(
        "!mat = !pto.tile_buf<mat, 32x32xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 32x32xf32, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 32x32xf32, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
module attributes {{pto.target_arch = \"a5\"}} {{
func.func @k_aic(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %buffer = pto.import_reserved_buffer {{name = \"slots\", peer_func = @k_aiv}} -> i32
  %back = pto.reserve_buffer {{name = \"back\", size = 32768, location = #pto.address_space<mat>, auto = true}} -> i32
  pto.aic_initialize_pipe {{{queue}}} (c2v_consumer_buf = %buffer : i32, v2c_consumer_buf = %back : i32)
  %xv = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xf32>
  %ev = pto.make_tensor_view %e, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xf32>
  %a = pto.alloc_tile : !mat
  %b = pto.alloc_tile : !mat
  pto.tload ins(%xv : !pto.tensor_view<32x32xf32>) outs(%a : !mat)
  pto.tload ins(%ev : !pto.tensor_view<32x32xf32>) outs(%b : !mat)
  %l = pto.alloc_tile : !left
  %r = pto.alloc_tile : !right
  pto.tmov ins(%a : !mat) outs(%l : !left)
  pto.tmov ins(%b : !mat) outs(%r : !right)
  %c = pto.alloc_tile : !acc
  pto.tmatmul ins(%l, %r : !left, !right) outs(%c : !acc)
{cube}
  return
}}
func.func @k_aiv(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>, %__pypto_spmd_subblock_idx: i32) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %core = arith.index_cast %__pypto_spmd_subblock_idx : i32 to index
  %slots = pto.reserve_buffer {{name = \"slots\", size = 32768, location = #pto.address_space<vec>, auto = true}} -> i32
  %back = pto.import_reserved_buffer {{name = \"back\", peer_func = @k_aic}} -> i32
  pto.aiv_initialize_pipe {{{queue}}} (c2v_consumer_buf = %slots : i32, v2c_consumer_buf = %back : i32)
  %yv = pto.make_tensor_view %y, shape = [%c2, %c32, %c32], strides = [%c1024, %c32, %c1] : !pto.tensor_view<2x32x32xf32>
{vector}
  return
}}
}}
"
    )
}

fn launch(source: &str) -> Result<Vec<f32>, Vec<Diagnostic>> {
    let program = Program::decode(&checked(source, None), None)?;
    let values = vec![buffer((0..1024).map(|i| i as f32)), unit(32), buffer([0.0; 2048])];
    let outcome = program.launch(values, &Options::default(), &mut [])?;
    Ok(floats(&outcome.buffers[2].bytes))
}

const ONE_WAY: &str = "dir_mask = 1, slot_size = 4096, slot_num = 2";
const PUSH: &str = "  pto.tpush_to_aiv(%c : !acc) {split = 1}";
const TAKE_HALF: &str = "  %t = pto.tpop_from_aic {split = 1} -> !pto.tile_buf<vec, 16x32xf32>
  %part = pto.partition_view %yv, offsets = [%core, %c0, %c0], sizes = [%c1, %c16, %c32] : !pto.tensor_view<2x32x32xf32> -> !pto.partition_tensor_view<1x16x32xf32>
  pto.tstore ins(%t : !pto.tile_buf<vec, 16x32xf32>) outs(%part : !pto.partition_tensor_view<1x16x32xf32>)
  pto.tfree_from_aic {split = 1}";

#[test]
fn each_vector_core_takes_its_half_of_the_rows() {
    let out = launch(&kernel(ONE_WAY, PUSH, TAKE_HALF)).unwrap_or_else(|findings| panic!("{findings:#?}"));
    for core in 0..2 {
        for at in 0..512 {
            assert_eq!(out[core * 1024 + at], (core * 512 + at) as f32);
        }
        assert!(out[core * 1024 + 512..][..512].iter().all(|value| *value == 0.0));
    }
}

#[test]
fn each_vector_core_takes_its_half_of_the_columns() {
    let vector = TAKE_HALF
        .replace("split = 1", "split = 2")
        .replace("16x32", "32x16")
        .replace("%c16, %c32]", "%c32, %c16]");
    let out = launch(&kernel(ONE_WAY, &PUSH.replace("split = 1", "split = 2"), &vector));
    let out = out.unwrap_or_else(|findings| panic!("{findings:#?}"));
    for (core, i, j) in (0..2).flat_map(|core| (0..32).flat_map(move |i| (0..16).map(move |j| (core, i, j))))
    {
        assert_eq!(out[core * 1024 + i * 32 + j], (i * 32 + core * 16 + j) as f32, "core {core} ({i}, {j})");
    }
}

#[test]
fn what_is_not_split_goes_to_the_first_vector_core_and_the_other_finds_zeros() {
    let vector = TAKE_HALF
        .replace("split = 1", "split = 0")
        .replace("16x32", "32x32")
        .replace("%c16, %c32]", "%c32, %c32]");
    let out = launch(&kernel(ONE_WAY, &PUSH.replace("split = 1", "split = 0"), &vector));
    let out = out.unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert!(out[..1024].iter().enumerate().all(|(at, value)| *value == at as f32));
    assert!(out[1024..].iter().all(|value| *value == 0.0));
}

#[test]
fn more_entries_than_slots_flow_through() {
    let many = |body: &str| {
        format!("  %c5 = arith.constant 5 : index\n  scf.for %i = %c0 to %c5 step %c1 {{\n{body}\n  }}")
    };
    let out = launch(&kernel(ONE_WAY, &many(PUSH), &many(TAKE_HALF)));
    assert_eq!(out.unwrap_or_else(|findings| panic!("{findings:#?}"))[1024], 512.0);
}

#[test]
fn halves_from_the_vector_cores_come_together_on_the_cube_core() {
    // Each vector core sends back its entry times its index plus one; the cube core multiplies by one and pushes
    // again.
    let queue = "dir_mask = 3, slot_size = 4096";
    let half = "!pto.tile_buf<vec, 16x32xf32>";
    let cube = format!(
        "{PUSH}
  %m = pto.tpop_from_aiv {{split = 1}} -> !mat
  pto.tmov ins(%m : !mat) outs(%l : !left)
  pto.tmatmul ins(%l, %r : !left, !right) outs(%c : !acc)
  pto.tfree_from_aiv {{split = 1}}
{PUSH}"
    );
    let vector = format!(
        "  %h = pto.tpop_from_aic {{split = 1}} -> {half}
  %n = arith.addi %core, %c1 : index
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  %s = pto.alloc_tile : {half}
  pto.tmuls ins(%h, %nf : {half}, f32) outs(%s : {half})
  pto.tfree_from_aic {{split = 1}}
  pto.tpush_to_aic(%s : {half}) {{split = 1}}
{TAKE_HALF}"
    );
    let out = launch(&kernel(queue, &cube, &vector)).unwrap_or_else(|findings| panic!("{findings:#?}"));
    for (core, at) in (0..2).flat_map(|core| (0..512).map(move |at| (core, at))) {
        assert_eq!(out[core * 1024 + at], ((core + 1) * (core * 512 + at)) as f32);
    }
}

#[test]
fn cores_that_wait_for_each_other_are_named() {
    let findings = launch(&kernel(ONE_WAY, "", TAKE_HALF)).expect_err("nobody pushes");
    assert_eq!(findings[0].rule, "cores::deadlock");
    let notes = findings[0].notes.join("\n");
    assert!(notes.contains("the cube core is at its end"), "{notes}");
    assert!(
        notes.contains("vector core 1 waits in `tpop_from_aic` for an entry of queue 0 from the cube core"),
        "{notes}"
    );
    let three = [PUSH, PUSH, PUSH].join("\n");
    let findings = launch(&kernel(ONE_WAY, &three, "")).expect_err("nobody frees a slot");
    assert!(findings[0].message.contains("`tpush_to_aiv` for a free slot"), "{}", findings[0].message);
}

#[test]
fn what_is_wrong_with_a_queue_has_a_name() {
    let with = |from: &str, to: &str| TAKE_HALF.replace(from, to);
    let cases: [(&str, &str, String, &str); 5] = [
        ("dir_mask = 1, slot_size = 4096, slot_num = 2000", PUSH, TAKE_HALF.into(), "queue::slots"),
        ("dir_mask = 1, slot_size = 1048576", PUSH, TAKE_HALF.into(), "queue::capacity"),
        ("dir_mask = 2, slot_size = 4096", PUSH, TAKE_HALF.into(), "queue::initialize"),
        (ONE_WAY, PUSH, with("16x32", "8x32"), "queue::shape"),
        (ONE_WAY, PUSH, format!("{TAKE_HALF}\n  pto.tfree_from_aic {{split = 1}}"), "queue::free"),
    ];
    for (queue, cube, vector, rule) in cases {
        let findings = launch(&kernel(queue, cube, &vector)).expect_err(rule);
        assert_eq!(findings[0].rule, rule, "{findings:#?}");
        assert!(findings[0].primary.is_some());
    }
    // 13.6: errors that the declared entry alone determines are found before the run.
    let small = pto::parse(&kernel("dir_mask = 1, slot_size = 2048", PUSH, TAKE_HALF)).expect("text").module;
    assert_eq!(
        pto::check(small, None).expect_err("an entry larger than its slot")[0].rule,
        "queue::slot-size"
    );
    let source = kernel(ONE_WAY, PUSH, TAKE_HALF)
        .replace("name = \"slots\", peer_func", "name = \"other\", peer_func");
    assert_eq!(launch(&source).expect_err("no such buffer")[0].rule, "queue::peer");
    let source = kernel(ONE_WAY, PUSH, TAKE_HALF).replace("%y: !pto.ptr<f32>, %__", "%y: !pto.ptr<f16>, %__");
    let module = pto::parse(&source).expect("text").module;
    let checked = pto::check(module, None).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let findings = Program::decode(&checked, None).err().expect("other arguments");
    assert_eq!(findings[0].rule, "kernel::arguments");
}

/// 13.6: on A5, the distance of tiles in the consumer's buffer is their declared size if the slots are in global memory,
/// and otherwise the size of a slot.
#[test]
fn tiles_of_slots_in_memory_lie_close_together() {
    let second = |memory: &str| {
        let text = format!(
            "!acc = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>\n!t = !pto.tile_buf<vec, 16x16xf32>\n\
             !slot = !pto.tensor_view<16x64xf32>\nmodule attributes {{pto.target_arch = \"a5\"}} {{\nfunc.func @f(%x: !pto.ptr<f32>) {{\n\
             %b = arith.constant 0 : i32\n%c1 = arith.constant 1 : index\n%c16 = arith.constant 16 : index\n%c64 = arith.constant 64 : index\n\
             %slots = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !slot\npto.section.cube {{\n\
             pto.aic_initialize_pipe {{dir_mask = 1, slot_size = 4096, slot_num = 2}} ({memory}c2v_consumer_buf = %b : i32)\n\
             %c = pto.alloc_tile : !acc\npto.tpush_to_aiv(%c : !acc) {{split = 0}}\npto.tpush_to_aiv(%c : !acc) {{split = 0}}\n}}\n\
             pto.section.vector {{\n\
             pto.aiv_initialize_pipe {{dir_mask = 1, slot_size = 4096, slot_num = 2}} ({memory}c2v_consumer_buf = %b : i32)\n\
             %p = pto.tpop_from_aic {{split = 0}} -> !t\npto.tfree_from_aic {{split = 0}}\n\
             %q = pto.tpop_from_aic {{split = 0}} -> !t\npto.tfree_from_aic {{split = 0}}\n}}\nreturn\n}}\n}}\n"
        );
        let log = crate::support::launch::log_text(&text);
        let writes = log.entries().map(|entry| entry.to_string()).find(|entry| entry.contains("writes %q"));
        writes.expect("the second pop")
    };
    assert!(second("gm_slot_tensor = %slots : !slot, ").contains("ub[0x400..0x800]"));
    assert!(second("").contains("ub[0x1000..0x1400]"));
}
