//! Whether a changed program leaves the bits of the unchanged one: more inputs and schedules than `pto verify` tries, and
//! no part of it.

use pto::Program;
use pto::data::{Input, guess, plan};
use pto::sim::{Options, Schedule, Value};
use pto_cli::files::Disk;

/// A launch: its inputs, and the numbers of blocks and ranks.
pub(super) struct Launch<'a> {
    pub(super) inputs: &'a [Input],
    pub(super) blocks: u32,
    pub(super) ranks: u32,
}

/// Seeds of contents.
const INPUTS: u64 = 3;
/// Seeds of schedules, for each of which a random and an adversarial one runs.
const SCHEDULES: u64 = 10;

/// The first launch in which the two leave different bits. Bytes that the unchanged program leaves undefined are not compared.
pub(super) fn difference(program: &Program, changed: &Program, launch: &Launch<'_>) -> Option<String> {
    let inputs = complete(program, launch.inputs);
    for seed in 0..INPUTS {
        let base = Options::default().blocks(launch.blocks).max_steps(5_000_000);
        let made = plan(program, &inputs, seed, launch.ranks, &base, &Disk).and_then(|plan| plan.make());
        let Ok(arguments) = made else { continue };
        let run = |program: &Program, options: &Options| contents(program, &arguments.ranks, options);
        let poison = base.poison(true);
        let Ok(want) = run(program, &poison) else { continue };
        let Ok(other) = run(program, &poison.clone().pattern(0x5a)) else { continue };
        let mut schedules = vec![(Schedule::Program, 0), (Schedule::Lazy, 0), (Schedule::Eager, 0)];
        for seed in 0..SCHEDULES {
            schedules.extend([(Schedule::Random, seed), (Schedule::Adversarial, seed)]);
        }
        for (schedule, number) in schedules {
            let options = poison.clone().schedule(schedule).seed(number);
            let at = format!("inputs of seed {seed}, schedule {} {number}", schedule.word());
            let got = match run(changed, &options) {
                Ok(got) => got,
                Err(why) => return Some(format!("{at}: {why}")),
            };
            let differs = |byte: usize| want[byte] == other[byte] && want[byte] != got[byte];
            if want.len() != got.len() || (0..want.len()).any(differs) {
                return Some(format!("{at}: other bits"));
            }
        }
    }
    None
}

/// The inputs, with guesses for arguments that have none.
fn complete(program: &Program, given: &[Input]) -> Vec<Input> {
    let (interface, mut inputs) = (program.interface(), given.to_vec());
    for (argument, parameter) in interface.parameters.iter().enumerate() {
        if given.iter().all(|input| input.argument != argument) {
            let guessed = guess::input(&interface, parameter);
            inputs.extend(guessed.map(|given| Input { argument, rank: None, given }));
        }
    }
    inputs
}

/// The bytes of all buffers after a run.
fn contents(program: &Program, ranks: &[Vec<Value>], options: &Options) -> Result<Vec<u8>, String> {
    let outcome = program.launch_ranks(ranks.to_vec(), options, &mut []);
    let outcome =
        outcome.map_err(|findings| findings.first().map_or(String::new(), |first| first.message.clone()))?;
    Ok(outcome.buffers.into_iter().flat_map(|buffer| buffer.bytes.into_vec()).collect())
}
