//! Corrupted programs: nothing panics, hangs or overflows.

mod support;

use pto_smith::{Rng, Survival, mutate, survive};
use support::{Case, each_seed, seeds};

#[test]
fn broken_programs_are_survived() {
    let seeds = seeds();
    each_seed(2000, |seed| {
        let mut rng = Rng::new(seed);
        let text = rng.pick(&seeds).clone();
        let broken = mutate(&text, &mut rng);
        let case = Case::new(seed, &broken);
        let result = survive(&broken);
        case.end(result);
    });
}

/// The seeds themselves, which shows that mutations start from working programs.
#[test]
fn seeds_are_survived_and_some_run() {
    let mut best = Survival::Unreadable;
    for (index, text) in seeds().iter().enumerate() {
        let case = Case::new(index as u64, text);
        let result = survive(text);
        best = best.max(case.end(result));
    }
    assert_eq!(best, Survival::Ran);
}
