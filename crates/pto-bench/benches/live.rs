//! The time of a call of a live launch beside that of the same instruction in the loop of a program, measured in turn:
//! `cargo bench -p pto-bench --bench live`.
#![allow(clippy::print_stdout)]

use pto::launch::live::{Argument, Live, Tile, Unobserved};
use pto::sim::{Options, Program};
use pto::{Profile, check, parse};
use std::time::Instant;

/// Runs of the instruction in one measurement.
const RUNS: u32 = 100_000;

/// Measurements of each, in turn.
const ROUNDS: usize = 31;

/// The loop of a program, whose tile is made before it.
fn looped(tile: &str) -> Program {
    let text = format!(
        "func.func @k() {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = arith.constant {RUNS} : index
           %at = arith.constant 0 : i64
           %t = pto.alloc_tile addr = %at : {tile}
           scf.for %i = %c0 to %n step %c1 {{
             pto.tadd ins(%t, %t : {tile}, {tile}) outs(%t : {tile})
           }}
           return
         }}"
    );
    let module = parse(&text).expect("well-formed text").module;
    let checked = check(module, Some(Profile::A2A3)).expect("a legal program");
    Program::decode(&checked, None).expect("a program that runs")
}

fn nanoseconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(RUNS)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare(rows: u32, cols: u32) {
    let tile = format!("!pto.tile_buf<vec, {rows}x{cols}xf32>");
    let program = looped(&tile);
    let mut live = Live::new(Profile::A2A3, Options::default(), Unobserved);
    let text = format!(
        "func.func @add(%a: {tile}, %b: {tile}, %c: {tile}) {{
           pto.tadd ins(%a, %b : {tile}, {tile}) outs(%c : {tile})
           return
         }}"
    );
    let add = live.define(&text).expect("a part");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    let argument = Argument::Tile(Tile { address: 0, rows, cols, serial: 1 });
    let (mut loops, mut calls) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        loops.push(nanoseconds(|| {
            program.launch(Vec::new(), &Options::default(), &mut []).expect("a run to its end");
        }));
        calls.push(nanoseconds(|| {
            for _ in 0..RUNS {
                live.call(core, add, &[argument; 3]).expect("a call");
            }
        }));
    }
    let (looped, called) = (median(loops), median(calls));
    println!(
        "tadd {rows}x{cols}xf32: {looped:.1} ns in a loop, {called:.1} ns by calls, {:.1} ns more",
        called - looped
    );
}

fn main() {
    for (rows, cols) in [(1, 8), (64, 64)] {
        compare(rows, cols);
    }
}
