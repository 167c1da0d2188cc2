//! Generated automatic programs, lowered: legal, final, equivalent, and almost without superfluous synchronization.

use crate::support::{Case, each_of, runs};
use pto_smith::{Lowering, Rng, automatic, lowered};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The number of programs: `PTO_SMITH_LOWERED`, or some that take seconds, of which `PTO_SMITH_RUNS` may ask for fewer.
fn count() -> u64 {
    let given = std::env::var("PTO_SMITH_LOWERED").ok().and_then(|count| count.parse().ok());
    let usual = if cfg!(debug_assertions) { 40 } else { 2_000 };
    given.unwrap_or(runs(usual).min(usual))
}

/// Sums over all programs.
#[derive(Default)]
struct Sums {
    lowered: usize,
    full: usize,
    affine: usize,
    flags: usize,
    barriers: usize,
    multi_buffered: usize,
    runs: usize,
    superfluous: usize,
    instructions: usize,
    ran: usize,
    /// Affine programs with superfluous operations, by seed.
    inexact: BTreeMap<u64, Vec<String>>,
    features: BTreeMap<&'static str, usize>,
}

#[test]
#[allow(clippy::print_stderr)]
fn automatic_programs_are_lowered_to_equivalent_ones() {
    let sums = Mutex::new(Sums::default());
    each_of(count(), |seed| {
        let mut rng = Rng::new(seed);
        let program = automatic(&mut rng);
        let mut buffers = vec![1, 2];
        if rng.chance(25) {
            buffers.push(3);
        }
        for buffers in buffers {
            let case = Case::new(seed, &program.text);
            let result = lowered(&program, buffers, &mut rng);
            let Lowering { is_full, flags, barriers, multi_buffered, runs, superfluous, instructions } =
                case.end(result);
            let mut sums = sums.lock().expect("no other case failed");
            sums.lowered += 1;
            sums.full += usize::from(is_full);
            if program.is_affine() && multi_buffered == 0 && !is_full {
                sums.affine += 1;
                if !superfluous.is_empty() {
                    sums.inexact.insert(seed, superfluous.clone());
                }
            }
            sums.flags += flags;
            sums.barriers += barriers;
            sums.multi_buffered += multi_buffered;
            sums.runs += runs;
            sums.instructions += instructions.0;
            sums.ran += instructions.1;
            sums.superfluous += superfluous.len();
            program.features.iter().for_each(|feature| *sums.features.entry(feature).or_default() += 1);
        }
    });
    let sums = sums.into_inner().expect("no case failed");
    let (instructions, ran) = (sums.instructions, sums.ran);
    eprintln!("{ran} of {instructions} instructions ran");
    assert!(ran * 100 >= instructions * 95, "{ran} of {instructions}");
    let Sums {
        lowered,
        full,
        affine,
        flags,
        barriers,
        multi_buffered,
        runs,
        superfluous,
        inexact,
        features,
        ..
    } = sums;
    eprintln!(
        "{lowered} programs lowered, {full} of them too large; {flags} flags, {barriers} barriers, {multi_buffered} loops with \
         several buffers, {runs} launches; no launch needed {superfluous} operations, {} of {affine} programs with affine accesses \
         have some: {inexact:#?}\n{features:?}",
        inexact.len()
    );
    // Remaining superfluous operations concern bytes that only the last iteration of a loop leaves unordered, loops that
    // run whenever another one does, and flags that are awaited long after their loop, where another wait has come first.
    assert!(inexact.len() * 300 <= affine, "{inexact:#?}");
    if lowered >= 200 {
        assert!(full * 10 <= lowered && affine * 10 >= lowered && multi_buffered > 0 && full > 0);
        assert!(features.len() >= 22, "{features:?}");
    }
}
