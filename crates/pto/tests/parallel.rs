//! Parallel and sequential execution of blocks have the same results: bits, printed text, warnings, counts and
//! errors, for any number of threads.

mod many;

use crate::support::launch::checked;
use pto::Program;
use pto::diag::Diagnostic;
use pto::sim::{Control, Lent, Options, Outcome, Storage, Value};
use std::sync::Arc;

type Ended = Result<Outcome, Vec<Diagnostic>>;

/// The first kernel of a program.
fn program(source: &str) -> Program {
    let checked = checked(source, None);
    let first = Program::kernels(checked.module()).into_iter().next();
    Program::decode(&checked, first.as_deref()).unwrap_or_else(|findings| panic!("{source}\n{findings:#?}"))
}

/// A kernel on `%a` and `%b` of f32 and `%n` of i32; `%at` is the index of the block.
fn kernel(lines: &str) -> Program {
    program(&format!(
        "func.func @k(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %n: !pto.ptr<i32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %size = arith.constant {SIZE} : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %block = pto.get_block_idx
  %at = arith.index_cast %block : i64 to index
  %number = arith.trunci %block : i64 to i32
  %own = arith.muli %at, %c64 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
{lines}
  return
}}"
    ))
}

/// Elements per buffer.
const SIZE: usize = 1024;

fn values() -> Vec<Value> {
    let floats = |scale: f32| (0..SIZE).flat_map(|at| (at as f32 * scale).to_le_bytes()).collect();
    let numbers = (0..SIZE as i32).flat_map(i32::to_le_bytes).collect();
    [floats(0.25), floats(-1.0), numbers].into_iter().map(Value::buffer).collect()
}

fn run(program: &Program, blocks: u32, threads: usize) -> Ended {
    program.launch(values(), &Options::default().blocks(blocks).threads(threads), &mut [])
}

/// All results of a launch, except the number of block memories.
fn left_behind(ended: &Ended) -> String {
    match ended {
        Err(findings) => format!("{findings:#?}"),
        Ok(Outcome { buffers, printed, warnings, steps, instructions, executed, .. }) => {
            format!("{printed:?} {warnings:#?} {steps} {instructions} {executed:?} {buffers:?}")
        }
    }
}

/// Runs the blocks sequentially and in parallel, and compares the results. Also returns the number of block
/// memories of the last run: one if the blocks depend on each other.
fn same(program: &Program, blocks: u32) -> (Ended, usize) {
    let wanted = run(program, blocks, 1);
    let mut memories = 0;
    for threads in [2, 5] {
        let ended = run(program, blocks, threads);
        assert!(
            left_behind(&ended) == left_behind(&wanted),
            "{threads} threads: {ended:?}\n1 thread: {wanted:?}"
        );
        memories = ended.map_or(0, |outcome| outcome.memories);
    }
    (wanted, memories)
}

fn view(name: &str, pointer: &str, first: &str) -> String {
    format!(
        "  %{name}_all = pto.make_tensor_view %{pointer}, shape = [%c1, %size], strides = [%size, %c1] : !pto.tensor_view<?x?xf32>
  %{name} = pto.partition_view %{name}_all, offsets = [%c0, %{first}], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>\n"
    )
}

fn load(name: &str) -> String {
    format!(
        "  pto.tload ins(%{name} : !pto.partition_tensor_view<1x64xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32>)\n"
    )
}

fn store(name: &str, mode: &str) -> String {
    format!(
        "  pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%{name} : !pto.partition_tensor_view<1x64xf32>){mode}\n"
    )
}

const ADD: &str = " {atomicType = #pto<atomic_type atomic_add>}";
const COMPUTE: &str = "  pto.tmuls ins(%t, %half : !pto.tile_buf<vec, 1x64xf32>, f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)\n";
const PRINT: &str = "  pto.tprint ins(%t : !pto.tile_buf<vec, 1x64xf32>)\n";

/// A loop that takes some time.
fn work(rounds: u32) -> String {
    format!(
        "  %rounds = arith.constant {rounds} : index\n  scf.for %i = %c0 to %rounds step %c1 {{\n  {COMPUTE}  }}\n"
    )
}

#[test]
fn blocks_that_do_not_need_each_other_run_at_the_same_time() {
    let own = [view("x", "a", "own"), view("y", "b", "own")].concat();
    let kernels = [
        own.clone() + &load("x") + &work(20_000) + &store("y", ""),
        // In place, and an atomic addition to the old contents.
        own.clone() + &load("x") + &work(20_000) + &store("x", ""),
        own.clone() + &load("x") + &work(20_000) + &store("y", ADD),
        // Loads the elements that the block has stored.
        own.clone() + &load("x") + &store("y", "") + &load("y") + &work(20_000) + &store("y", ""),
        // Four bytes per block, contiguous.
        work(20_000) + "  pto.store_scalar %number, %n[%at] : !pto.ptr<i32>, i32",
    ];
    for lines in kernels {
        // On a busy host one worker may run all blocks before another has begun.
        let mut tries = (0..20).map(|_| same(&kernel(&lines), 8));
        let at_once = tries.find(|(outcome, memories)| outcome.is_err() || *memories > 1);
        assert!(at_once.is_some_and(|(outcome, _)| outcome.is_ok()), "{lines}");
    }
}

#[test]
fn blocks_that_need_each_other_run_in_order() {
    let all = [view("x", "a", "c0"), view("y", "b", "c0"), view("z", "b", "own")].concat();
    let load_last = "  %last = arith.subi %at, %c1 : index
  %before = arith.maxsi %last, %c0 : index
  %old = pto.load_scalar %n[%before] : !pto.ptr<i32> -> i32
  %new = arith.addi %old, %i1 : i32
  pto.store_scalar %new, %n[%at] : !pto.ptr<i32>, i32";
    let kernels = [
        // All blocks store to the same address: the last one determines the result.
        all.clone() + &load("z") + &work(2000) + &store("y", ""),
        // All blocks add to the same address.
        all.clone() + &load("x") + &work(2000) + &store("y", ADD),
        // Each block loads the bytes that the first block stores.
        all.clone() + &load("y") + &work(2000) + &store("z", ""),
        // Each block continues with the result of the previous one.
        work(2000) + load_last,
    ];
    for lines in kernels {
        let (outcome, memories) = same(&kernel(&lines), 8);
        assert!(outcome.is_ok(), "{lines}");
        assert!(memories <= 1, "{lines}");
    }
    let (outcome, _) = same(&kernel(&(work(2000) + load_last)), 8);
    let outcome = outcome.expect("a chain");
    let (words, _) = outcome.buffers[2].bytes.as_chunks::<4>();
    assert_eq!(
        words[..8].iter().map(|word| i32::from_le_bytes(*word)).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7, 8]
    );
}

/// Blocks are counted once, also when they run again since they need each other.
#[test]
fn ended_blocks_are_counted() {
    let own = [view("x", "a", "own"), view("y", "b", "own")].concat() + &load("x") + &store("y", "");
    let chain =
        [view("x", "a", "c0"), view("y", "b", "c0")].concat() + &load("y") + &work(2000) + &store("y", "");
    for lines in [own, chain] {
        for threads in [1, 4] {
            let control = Arc::new(Control::default());
            let options = Options::default().blocks(8).threads(threads).control(Some(Arc::clone(&control)));
            kernel(&lines).launch(values(), &options, &mut []).expect("a run");
            assert_eq!(control.ended_blocks(), 8, "{threads} threads: {lines}");
        }
    }
}

/// Memory of this test.
struct Array(Vec<u8>);

impl Lent for Array {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Shared memory is copied only if it is written, lent memory is written in place, with any number of threads.
#[test]
fn memory_is_shared_and_lent() {
    let text = [view("x", "a", "own"), view("y", "b", "own")].concat() + &load("x") + &store("y", "");
    let program = kernel(&text);
    for threads in [1, 4] {
        let Value::Buffer { bytes: input } = values().remove(0) else { panic!("a buffer") };
        let input = Arc::new(input.into_vec());
        let arguments = |output: Storage| {
            let numbers = values().remove(2);
            vec![
                Value::Buffer { bytes: Storage::shared(input.clone()) },
                Value::Buffer { bytes: output },
                numbers,
            ]
        };
        let run = |output: Storage| {
            let options = Options::default().blocks(8).threads(threads);
            program.launch(arguments(output), &options, &mut []).expect("a run").buffers
        };
        let blank = vec![0; SIZE * 4];
        let owned = run(blank.clone().into());
        assert!(!owned[0].bytes.is_owned() && owned[0].bytes == *input, "{threads} threads");
        assert!(owned[1].bytes.is_owned() && owned[1].bytes != blank[..]);
        let lent = run(Storage::lent(Array(blank.clone())));
        assert!(!lent[1].bytes.is_owned() && lent[1].bytes == owned[1].bytes, "{threads} threads");
        let blank = Arc::new(blank);
        let written = run(Storage::shared(blank.clone()));
        assert!(written[1].bytes == owned[1].bytes && blank.iter().all(|byte| *byte == 0));
    }
}

#[test]
fn a_block_that_looks_for_what_another_one_writes_does_not_look_for_ever() {
    let lines = "  %first = arith.cmpi eq, %at, %c0 : index
  scf.if %first {
    pto.store_scalar %i1, %n[%c64] : !pto.ptr<i32>, i32
  }
  %seen = scf.while (%x = %i0) : (i32) -> i32 {
    %now = pto.load_scalar %n[%c64] : !pto.ptr<i32> -> i32
    %not_yet = arith.cmpi ne, %now, %i1 : i32
    scf.condition(%not_yet) %now : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  pto.store_scalar %seen, %n[%at] : !pto.ptr<i32>, i32";
    let (outcome, _) = same(&kernel(lines), 4);
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn errors_are_those_of_the_first_block_that_fails() {
    for failing in [0, 3, 5, 7] {
        let lines = format!(
            "{}{}{}{}  %k = arith.constant {failing} : i32
  %zero = arith.subi %number, %k : i32
  %clamped = arith.maxsi %zero, %i0 : i32
  %sign = arith.minsi %clamped, %i1 : i32
  %one_or_more = arith.subi %i1, %sign : i32
  %inverse = arith.subi %i1, %one_or_more : i32
  %divisor = arith.subi %i1, %inverse : i32
  %q = arith.divsi %i1, %divisor : i32
  pto.store_scalar %q, %n[%at] : !pto.ptr<i32>, i32",
            view("x", "a", "own"),
            load("x"),
            work(500),
            store("x", "")
        );
        let (outcome, _) = same(&kernel(&lines), 9);
        let findings = outcome.expect_err("a division by zero");
        let place = format!("at run time, in block {}", failing + 1);
        assert_eq!(findings[0].rule, "division-by-zero");
        assert_eq!(findings[0].notes[0], place);
    }
}

#[test]
fn texts_stand_in_block_order() {
    let lines = view("x", "a", "own") + &load("x") + &work(300) + PRINT + COMPUTE + PRINT;
    let (outcome, _) = same(&kernel(&lines), 9);
    assert_eq!(outcome.expect("prints").printed.len(), 18);
}

#[test]
fn lints_are_those_of_the_first_block_that_meets_them() {
    let lines = "  %two = arith.constant 2 : index
  %rows = arith.constant 4 : index
  %wide = arith.addi %c64, %at : index
  %table = pto.make_tensor_view %b, shape = [%two, %rows], strides = [%wide, %c1] : !pto.tensor_view<?x?xf32>
  %part = pto.partition_view %table, offsets = [%c0, %c0], sizes = [%two, %rows] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<2x4xf32>
  %idx = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  %got = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.texpands ins(%i1 : i32) outs(%idx : !pto.tile_buf<vec, 1x8xi32>)
  pto.mgather ins(%part, %idx : !pto.partition_tensor_view<2x4xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%got : !pto.tile_buf<vec, 1x8xf32>) {coalesce = #pto<coalesce elem>}
  pto.tprint ins(%got : !pto.tile_buf<vec, 1x8xf32>)";
    let (outcome, _) = same(&kernel(lines), 6);
    let outcome = outcome.expect("gathers");
    assert_eq!((outcome.warnings.len(), outcome.printed.len()), (1, 6));
}

#[test]
fn an_address_that_another_block_has_seen_is_known_in_block_order() {
    let lines = "  %first = arith.cmpi eq, %at, %c0 : index
  scf.if %first {
    %address = pto.ptrtoint %n : !pto.ptr<i32> -> i64
  }
  %number_of_it = arith.constant 3298534883328 : i64
  %same = pto.inttoptr %number_of_it : i64 -> !pto.ptr<i32>
  pto.store_scalar %number, %same[%at] : !pto.ptr<i32>, i32";
    let (outcome, _) = same(&kernel(lines), 6);
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn ranks_run_at_the_same_time_too() {
    let program = kernel(&(view("x", "a", "own") + &load("x") + &work(300) + PRINT + &store("x", "")));
    let launch = |threads| {
        let options = Options::default().blocks(2).threads(threads);
        program.launch_ranks(vec![values(), values(), values()], &options, &mut [])
    };
    let wanted = launch(1);
    assert!(wanted.is_ok());
    for threads in [2, 5] {
        assert!(left_behind(&launch(threads)) == left_behind(&wanted));
    }
}
