//! Rewritten programs stay legal, print, keep comments and locations, and compute equal bytes.

use crate::support;

use pto_smith::generate::generate;
use pto_smith::{Rng, dead_tiles_are_free, rewritten};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{each_seed, judged};

#[test]
fn generated_programs_can_be_rewritten() {
    each_seed(150, |seed| {
        let mut rng = Rng::new(seed);
        let program = generate(&mut rng);
        judged(seed, &program.text, |text| rewritten(text, &mut rng.clone()));
    });
}

/// Tiles that the liveness analysis calls dead are not read.
#[test]
fn dead_tiles_can_be_overwritten() {
    let tried = AtomicUsize::new(0);
    each_seed(150, |seed| {
        let mut rng = Rng::new(seed);
        let program = generate(&mut rng);
        let free = judged(seed, &program.text, |text| dead_tiles_are_free(text, &mut rng.clone()));
        tried.fetch_add(free, Ordering::Relaxed);
    });
    let tried = tried.into_inner();
    assert!(support::runs(150) < 100 || tried >= 100, "only {tried} tiles were overwritten");
}
