//! Many programs in parallel: the examples on random arguments, and generated ones.

use super::{ADD, COMPUTE, PRINT, kernel, left_behind, load, program, same, store, view};
use crate::support::files;
use crate::support::launch;
use pto::Program;
use pto::sim::{Argument, ArgumentKind, Options, Signature, Value};
use std::path::Path;

/// Arguments for a program: random numbers, or small ones, which are also valid indices.
fn arguments(program: &Program, dice: &mut Dice) -> Option<Vec<Value>> {
    Signature::of(program.module(), program.entry()).ok()?;
    let limit = [1, 3, 256][dice.below(3) as usize];
    let value = |argument: &Argument, bytes: usize| match argument.kind {
        ArgumentKind::Buffer(_) => Value::buffer((0..bytes).map(|_| dice.below(limit) as u8).collect()),
        _ => Value::Scalar(1),
    };
    launch::arguments(program, &Options::default(), value).ok()
}

/// Each instruction declares the bytes that it reads and writes. If a declaration lacked bytes, a rank on a
/// copy-on-write memory would have other results. Ranks of these programs are independent, so each runs on such a
/// memory.
#[test]
fn every_instruction_says_what_it_touches() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "pto");
    let (mut ran, mut at_once) = (0, 0);
    for (seed, file) in files.iter().enumerate() {
        let source = std::fs::read_to_string(file).expect("a program");
        let program = program(&source);
        let Some(values) = arguments(&program, &mut Dice((seed as u64) << 20)) else { continue };
        // Whole kernels take too long by their formulas.
        let modes: &[bool] = if file.ends_with("kernel.pto") { &[false] } else { &[false, true] };
        for by_formula in modes.iter().copied() {
            let launch = |threads| {
                let options = Options::default().threads(threads).by_formula(by_formula).max_steps(2_000);
                program.launch_ranks(vec![values.clone(); 2], &options, &mut [])
            };
            let wanted = launch(1);
            let ended = launch(2);
            assert!(left_behind(&ended) == left_behind(&wanted), "{}", file.display());
            ran += usize::from(ended.is_ok());
            at_once += usize::from(ended.is_ok_and(|outcome| outcome.memories > 1));
        }
    }
    assert!(ran > 300 && at_once > 0, "{ran} ran, {at_once} at once");
}

/// A pseudo-random number generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        pto_num::random::next(&mut self.0) % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A few steps that stay within a block's own part of the buffers, or do not.
fn generated(dice: &mut Dice) -> String {
    let careless = dice.below(3) == 0;
    let mut lines = String::from(
        "  %next_block = arith.addi %at, %c1 : index\n  %next = arith.muli %next_block, %c64 : index\n",
    );
    lines += "  %behind = arith.addi %own, %c3 : index\n  %last = arith.constant 3 : index\n";
    for step in 0..2 + dice.below(6) {
        let first = if careless { dice.pick(&["own", "own", "next", "behind", "c0"]) } else { "own" };
        let (name, pointer) = (format!("v{step}"), dice.pick(&["a", "b"]));
        let element = if careless { dice.pick(&["at", "own", "behind", "c0", "next"]) } else { "own" };
        lines += &match dice.below(8) {
            0 | 1 => view(&name, pointer, first) + &load(&name),
            2 | 3 => view(&name, pointer, first) + &store(&name, dice.pick(&["", "", ADD])),
            4 => COMPUTE.to_owned(),
            5 => PRINT.to_owned(),
            6 => format!("  pto.store_scalar %number, %n[%{element}] : !pto.ptr<i32>, i32\n"),
            _ if dice.below(5) == 0 => format!(
                "  %d{step} = arith.subi %last, %at : index\n  %q{step} = arith.divsi %c64, %d{step} : index\n"
            ),
            _ => format!(
                "  %l{step} = pto.load_scalar %n[%{element}] : !pto.ptr<i32> -> i32
  %s{step} = arith.addi %l{step}, %i1 : i32
  pto.store_scalar %s{step}, %n[%{element}] : !pto.ptr<i32>, i32\n"
            ),
        };
    }
    lines
}

#[test]
fn generated_programs() {
    let (mut apart, mut in_order, mut failed) = (0, 0, 0);
    for seed in 0..150 {
        let lines = generated(&mut Dice(seed << 20));
        let program = kernel(&lines);
        let blocks = 2 + (seed % 10) as u32;
        let (outcome, memories) = same(&program, blocks);
        match outcome {
            Err(_) => failed += 1,
            Ok(_) if memories > 1 => apart += 1,
            Ok(_) => in_order += 1,
        }
    }
    assert!(
        apart > 0 && in_order >= 10 && failed >= 3,
        "{apart} apart, {in_order} in order, {failed} failed"
    );
}
