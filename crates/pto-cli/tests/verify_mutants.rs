//! Changes of lowered programs: none that changes bits is accepted by `pto::prove::verify`. An accepted one must leave the same bits in more
//! launches and under more schedules.
//!
//! `PTO_MUTANTS` is the number of changes, `PTO_MUTANTS_FROM` the seed of the first one. The programs are the examples, and the corpus beside the checkout if it is there.

#![allow(clippy::print_stderr)]

mod changes;
mod equivalence;

use crate::lower_corpus::samples::{Sample, check, corpus, examples};
use changes::{Kind, changed};
use pto::data::DataError;
use pto::passes::{LowerOptions, lower};
use pto::prove::{Verdict, VerifyOptions, verify};
use pto::sim::Signature;
use pto::text::Style;
use pto::{Checked, Program};
use pto_cli::files::Disk;
use pto_num::random::mix;
use std::collections::BTreeMap;

/// Lines of the longest program that is changed.
const MOST_LINES: usize = 250;

/// The number of changes: `PTO_MUTANTS`, or some that take seconds.
fn count() -> u64 {
    variable("PTO_MUTANTS").unwrap_or(if cfg!(debug_assertions) { 4 } else { 24 })
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

/// A program before and after lowering.
struct Lowered {
    sample: Sample,
    source: Checked,
    text: String,
    lowered: Checked,
}

/// The result of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// The check refuses the program.
    Illegal,
    Rejected,
    Unknown,
    /// Accepted, and equal in all launches.
    Equivalent,
}

fn lowered(sample: Sample) -> Option<Lowered> {
    let source = sample.checked()?;
    let result = lower(&source, &LowerOptions::default()).ok()?;
    let text = pto::text::print(&result.module, &Style::default());
    let lowered = check(&text, sample.profile).ok()?;
    (text.lines().count() <= MOST_LINES && !sample.stops).then_some(Lowered { sample, source, text, lowered })
}

impl Lowered {
    /// Applies a function to each kernel: the source, the lowered program, the changed one, and the options of a launch.
    fn kernels<R>(
        &self,
        mutant: &Checked,
        apply: impl Fn([&Program; 3], &VerifyOptions) -> R,
    ) -> Result<Vec<R>, String> {
        let mut all = Vec::new();
        for launch in &self.sample.launches {
            for entry in launch.entries(&self.source) {
                let decode = |checked: &Checked| {
                    Program::decode(checked, Some(&entry)).map_err(|_| format!("@{entry} is not decoded"))
                };
                let [source, lowered] = [decode(&self.source)?, decode(&self.lowered)?];
                let changed = decode(mutant)?;
                let options = launch.options(&Signature::of(source.module(), source.entry())?);
                all.push(apply([&source, &lowered, &changed], &options));
            }
        }
        Ok(all)
    }

    /// Fate of a change.
    fn fate(&self, text: &str) -> Result<Fate, String> {
        let Ok(mutant) = check(text, self.sample.profile) else { return Ok(Fate::Illegal) };
        let judged = self.kernels(&mutant, |[source, _, changed], options| {
            let found = verify(source, changed, options, &Disk)?;
            Ok::<_, DataError>(found.verdict())
        });
        let Ok(verdicts) = judged else { return Ok(Fate::Illegal) };
        let verdicts: Result<Vec<Verdict>, DataError> = verdicts.into_iter().collect();
        match verdicts.map_err(|error| error.to_string())?.into_iter().max() {
            Some(Verdict::Rejected) => return Ok(Fate::Rejected),
            Some(Verdict::Accepted) => {}
            _ => return Ok(Fate::Unknown),
        }
        let differences = self.kernels(&mutant, |[_, lowered, changed], options| {
            let blocks = options.blocks.unwrap_or(1);
            let launch = equivalence::Launch { inputs: &options.inputs, blocks, ranks: options.ranks };
            equivalence::difference(lowered, changed, &launch)
        });
        match differences?.into_iter().flatten().next() {
            None => Ok(Fate::Equivalent),
            Some(difference) => Err(format!("accepted, but {difference}")),
        }
    }
}

#[test]
fn no_change_that_changes_bits_is_accepted() {
    let mut samples = corpus();
    samples.extend(examples());
    let mut fates: BTreeMap<(Kind, Fate), usize> = BTreeMap::new();
    let (mut wrong, mut done) = (Vec::new(), 0);
    let mut programs: BTreeMap<usize, Option<Lowered>> = BTreeMap::new();
    let mut samples: Vec<Option<Sample>> = samples.into_iter().map(Some).collect();
    for seed in variable("PTO_MUTANTS_FROM").unwrap_or(0).. {
        if done == count() {
            break;
        }
        let at = (mix(seed) % samples.len() as u64) as usize;
        let program = programs.entry(at).or_insert_with(|| samples[at].take().and_then(lowered));
        let Some(program) = program else { continue };
        let Some((kind, text)) = changed(&program.text, seed) else { continue };
        done += 1;
        let start = std::time::Instant::now();
        let fate = program.fate(&text);
        if std::env::var_os("PTO_MUTANTS").is_some() {
            eprintln!(
                "{seed} {} {kind:?}: {fate:?}, {:.1} s",
                program.sample.name,
                start.elapsed().as_secs_f64()
            );
        }
        match fate {
            Ok(fate) => *fates.entry((kind, fate)).or_default() += 1,
            Err(why) => wrong.push(format!("{}, seed {seed}, {kind:?}: {why}\n{text}", program.sample.name)),
        }
    }
    for fate in [Fate::Illegal, Fate::Rejected, Fate::Unknown, Fate::Equivalent] {
        let of: BTreeMap<Kind, usize> = fates
            .iter()
            .filter(|((_, it), _)| *it == fate)
            .map(|((kind, _), count)| (*kind, *count))
            .collect();
        eprintln!("{fate:?}: {} {of:?}", of.values().sum::<usize>());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
