//! Time and memory grow at most linearly with the program, the blocks and the data. Tests compare counters, and measure
//! time only where there is no counter.

use crate::support::launch::{checked, program};
use pto::Profile;
use pto::passes::{LowerOptions, SynchronizeBy, lower};
use pto::sim::{Options, Outcome, Value};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Ratio of the lengths of a long and a short program.
const TIMES: usize = 64;
/// Most times as long that a pass may take then. Linear is 64, quadratic 4096; caches multiply that by a small factor.
const MOST: f64 = 512.0;

fn launch(source: &str, bytes: usize, options: &Options) -> Outcome {
    let values = vec![Value::buffer(vec![0; bytes]), Value::Launch];
    program(source, None).launch(values, options, &mut []).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// A kernel on `%x` of f32 in which each block has `rounds` rows of 16 elements.
fn kernel(rounds: usize, lines: &str) -> String {
    format!(
        "func.func @k(%x: !pto.ptr<f32>, %__pypto_spmd_block_idx: i32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rounds = arith.constant {rounds} : index
  %rows = arith.constant 65536 : index
  %half = arith.constant 0.5 : f32
  %block = arith.index_cast %__pypto_spmd_block_idx : i32 to index
  %first = arith.muli %block, %rounds : index
  %all = pto.make_tensor_view %x, shape = [%rows, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
{lines}
  return
}}"
    )
}

const IN_A_LOOP: &str = "  scf.for %i = %c0 to %rounds step %c1 {
    %at = arith.addi %first, %i : index
    %part = pto.partition_view %all, offsets = [%at, %c0], sizes = [%c1, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x16xf32>
    pto.tload ins(%part : !pto.partition_tensor_view<1x16xf32>) outs(%t : !pto.tile_buf<vec, 1x16xf32>)
    pto.tmuls ins(%t, %half : !pto.tile_buf<vec, 1x16xf32>, f32) outs(%t : !pto.tile_buf<vec, 1x16xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 1x16xf32>) outs(%part : !pto.partition_tensor_view<1x16xf32>)
  }";

const MULTIPLY: &str = "  pto.tmuls ins(%t, %half : !pto.tile_buf<vec, 1x16xf32>, f32) outs(%t : !pto.tile_buf<vec, 1x16xf32>)\n";

/// Asserts that doubling the size increases the counts by at most a bounded factor.
fn doubles(what: &str, counts: &[u64]) {
    for pair in counts.windows(2) {
        assert!(pair[0] > 0 && pair[1] * 10 <= pair[0] * 22, "{what}: {counts:?}");
    }
}

/// Launches with each number, and compares steps and instructions.
fn counts_double(what: &str, numbers: &[usize], run: impl Fn(usize) -> Outcome) {
    let outcomes: Vec<_> = numbers.iter().map(|number| run(*number)).collect();
    doubles(&format!("steps of {what}"), &outcomes.iter().map(|outcome| outcome.steps).collect::<Vec<_>>());
    let instructions: Vec<_> = outcomes.iter().map(|outcome| outcome.instructions).collect();
    doubles(&format!("instructions of {what}"), &instructions);
}

const BYTES: usize = 65536 * 64;

#[test]
fn twice_the_work_is_twice_the_steps() {
    let options = |blocks: usize| Options::default().blocks(blocks as u32);
    let numbers = [16, 32, 64, 128];
    counts_double("rounds", &numbers, |rounds| launch(&kernel(rounds, IN_A_LOOP), BYTES, &options(1)));
    counts_double("blocks", &numbers, |blocks| launch(&kernel(8, IN_A_LOOP), BYTES, &options(blocks)));
    counts_double("lines", &numbers, |lines| launch(&kernel(1, &MULTIPLY.repeat(lines)), BYTES, &options(1)));
}

#[test]
fn a_block_leaves_its_memory_to_the_next_one() {
    for (blocks, threads) in [(10, 1), (1000, 1), (1000, 3)] {
        let outcome =
            launch(&kernel(1, IN_A_LOOP), BYTES, &Options::default().blocks(blocks).threads(threads));
        assert!(
            (1..=threads).contains(&outcome.memories),
            "{blocks} blocks, {threads} threads: {}",
            outcome.memories
        );
        assert_eq!(outcome.instructions, u64::from(blocks) * 3);
    }
}

#[test]
fn blocks_that_wait_for_each_other_keep_a_memory_each() {
    let meet = "  pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>";
    let program = format!(
        "module attributes {{pto.target_arch = \"a5\"}} {{ {} }}",
        kernel(1, meet).replace("i32) {", "i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {")
    );
    let outcome = launch(&program, BYTES, &Options::default().blocks(16));
    assert_eq!(outcome.memories, 16);
}

/// The minimum time of a few runs, because noise only adds.
fn least_time(run: impl Fn()) -> Duration {
    let time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..4).map(|_| time()).min().unwrap_or_default()
}

/// Programs of `count` equal parts: lines, loops, called functions, views and tiles.
fn programs(count: usize) -> [(&'static str, String); 4] {
    let mut loops = String::new();
    let mut tiles = String::new();
    let mut functions = String::new();
    let mut calls = String::new();
    for at in 0..count {
        let _ = writeln!(loops, "  scf.for %i{at} = %c0 to %c1 step %c1 {{\n  {MULTIPLY}  }}");
        let _ = writeln!(
            tiles,
            "  %p{at} = pto.partition_view %all, offsets = [%first, %c0], sizes = [%c1, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x16xf32>
  %t{at} = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  pto.tload ins(%p{at} : !pto.partition_tensor_view<1x16xf32>) outs(%t{at} : !pto.tile_buf<vec, 1x16xf32>)"
        );
        let _ = writeln!(
            functions,
            "func.func private @f{at}(%n: index) -> index {{\n  %m = arith.addi %n, %n : index\n  return %m : index\n}}"
        );
        let _ = writeln!(calls, "  %r{at} = func.call @f{at}(%c1) : (index) -> index");
    }
    let calling = format!("module {{\n{functions}{}\n}}", kernel(1, &calls));
    [
        ("lines", kernel(1, &MULTIPLY.repeat(count))),
        ("loops", kernel(1, &loops)),
        ("tiles", kernel(1, &tiles)),
        ("functions", calling),
    ]
}

#[test]
fn reading_and_checking_are_not_quadratic() {
    const SMALL: usize = 125;
    for ((what, small), (_, large)) in programs(SMALL).iter().zip(&programs(SMALL * TIMES)) {
        // The short program as often as the long one is longer: so other processes slow both alike.
        let time = |source: &str, times: usize| {
            least_time(|| (0..times).for_each(|_| drop(std::hint::black_box(program(source, None)))))
        };
        let ratio = TIMES as f64 * time(large, 1).as_secs_f64() / time(small, TIMES).as_secs_f64();
        assert!(ratio < MOST, "{what}: {TIMES} times as long takes {ratio:.0} times as long");
    }
}

/// The part of `%all` at a row, loaded into a tile.
fn load(tile: &str, row: &str) -> String {
    format!(
        "  %p{tile} = pto.partition_view %all, offsets = [{row}, %c0], sizes = [%c1, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x16xf32>
  pto.tload ins(%p{tile} : !pto.partition_tensor_view<1x16xf32>) outs(%{tile} : !pto.tile_buf<vec, 1x16xf32>)\n"
    )
}

fn store(tile: &str) -> String {
    format!(
        "  pto.tstore ins(%{tile} : !pto.tile_buf<vec, 1x16xf32>) outs(%p{tile} : !pto.partition_tensor_view<1x16xf32>)\n"
    )
}

fn alloc(tile: &str) -> String {
    format!("  %{tile} = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>\n")
}

fn add(a: &str, b: &str, to: &str) -> String {
    let ty = "!pto.tile_buf<vec, 1x16xf32>";
    format!("  pto.tadd ins(%{a}, %{b} : {ty}, {ty}) outs(%{to} : {ty})\n")
}

/// Programs with about `count` instructions whose order and memory must be found: in straight lines, in loops, within one
/// loop, in branches, in branches within one loop, with many tiles that live briefly, and with many that live long.
fn automatic_programs(count: usize) -> [(&'static str, String); 7] {
    let parts = |size: usize, part: &dyn Fn(usize) -> String| (0..count / size).map(part).collect::<String>();
    let rows = |at: usize| format!("  %row{at} = arith.constant {at} : index\n");
    let one = |at: usize| {
        let tile = format!("u{at}");
        rows(at)
            + &alloc(&tile)
            + &load(&tile, &format!("%row{at}"))
            + &add(&tile, &tile, &tile)
            + &store(&tile)
    };
    let looped =
        |at: usize, inside: &str| format!("  scf.for %i{at} = %c0 to %rounds step %c1 {{\n{inside}  }}\n");
    let branch = |at: usize| {
        let inside = load("t", "%first") + &add("t", "t", "t") + &store("t");
        format!("  scf.if %is_first {{\n{}  }}\n", inside.replace("%pt", &format!("%pt{at}")))
    };
    let branches = format!("  %is_first = arith.cmpi eq, %first, %c0 : index\n{}", parts(3, &branch));
    let chained = |at: usize| {
        alloc(&format!("u{}", at + 1)) + &add(&format!("u{at}"), &format!("u{at}"), &format!("u{}", at + 1))
    };
    let written = |at: usize| alloc(&format!("u{at}")) + &load(&format!("u{at}"), "%first");
    // Two instructions for each tile, of which 30 live at a time.
    let group = |at: usize| {
        let tiles = 30 * at..30 * at + 30;
        let read = |at: usize| add(&format!("u{at}"), &format!("u{at}"), "t");
        tiles.clone().map(written).chain(tiles.map(read)).collect::<String>()
    };
    [
        ("lines", kernel(1, &parts(3, &one))),
        ("loops", kernel(2, &parts(3, &|at| looped(at, &one(at))))),
        ("one loop", kernel(2, &looped(0, &parts(3, &one)))),
        ("branches", kernel(1, &branches)),
        ("branches in one loop", kernel(2, &looped(0, &branches))),
        ("brief tiles", kernel(1, &(written(0) + &parts(1, &chained)))),
        ("long tiles", kernel(1, &parts(60, &group))),
    ]
}

#[test]
fn lowering_is_not_quadratic() {
    // Steps are counted, not timed: a quarter of the length suffices to distinguish linear from quadratic.
    const SMALL: usize = 60;
    const LONGER: usize = TIMES / 4;
    // In one loop the records of all its tiles stay alive, so that walks of a long loop are quadratic: known, and here no worse than this.
    // The search for superfluous operations, which takes seconds, has a limit that is no larger: one program shows it.
    const MORE: usize = 10_000_000;
    for by in [SynchronizeBy::Flags, SynchronizeBy::Tokens] {
        for ((what, small), (_, large)) in
            automatic_programs(SMALL).iter().zip(&automatic_programs(SMALL * LONGER))
        {
            let options = LowerOptions::default().synchronize(Some(by));
            let searching = (*what == "lines").then(|| options.clone());
            for options in [Some(options.search(0)), searching].into_iter().flatten() {
                let steps = |source: &str| {
                    lower(&checked(source, Some(Profile::A5)), &options).expect("it fits").steps
                };
                let (few, many) = (steps(small), steps(large));
                let most = MOST as usize / 4 * few + MORE;
                assert!(
                    many < most,
                    "{what}, {by:?}: {LONGER} times as long takes {many} steps, {few} before"
                );
            }
        }
    }
}
