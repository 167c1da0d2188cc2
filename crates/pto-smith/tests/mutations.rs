//! Corrupted programs: nothing panics, hangs or overflows.

use crate::support::{each_seed, judged, seeds};
use pto_smith::{Rng, Survival, mutate, survive};

#[test]
fn broken_programs_are_survived() {
    let seeds = seeds();
    each_seed(2000, |seed| {
        let mut rng = Rng::new(seed);
        let text = rng.pick(&seeds).clone();
        let broken = mutate(&text, &mut rng);
        judged(seed, &broken, survive);
    });
}

/// The seeds themselves, which shows that mutations start from working programs.
#[test]
fn seeds_are_survived_and_some_run() {
    let mut best = Survival::Unreadable;
    for (index, text) in seeds().iter().enumerate() {
        best = best.max(judged(index as u64, text, survive));
    }
    assert_eq!(best, Survival::Ran);
}
