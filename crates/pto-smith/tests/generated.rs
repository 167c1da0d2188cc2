//! Generated programs: the fast path and the formula of every instruction give equal bits.

use crate::support::{each_seed, judged};
use pto_smith::generate::{computing, generate, generate_with};
use pto_smith::{Agreement, Rng, same_bits, survive};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn fast_path_and_formula_agree() {
    let [drawn, kept, ran, programs] = [const { AtomicUsize::new(0) }; 4];
    let add = |count: &AtomicUsize, more: usize| count.fetch_add(more, Ordering::Relaxed);
    each_seed(400, |seed| {
        let mut rng = Rng::new(seed);
        let program = generate(&mut rng);
        let agreement = judged(seed, &program.text, |text| same_bits(text, &mut rng.clone()));
        add(&drawn, program.drawn);
        add(&kept, program.instructions.len());
        add(&programs, 1);
        add(&ran, usize::from(matches!(agreement, Agreement::Ran { .. })));
    });
    let [drawn, kept, ran, programs] = [drawn, kept, ran, programs].map(AtomicUsize::into_inner);
    if programs >= 100 {
        assert!(kept * 20 >= drawn * 11, "{kept} of {drawn} steps drawn were legal");
        assert!(ran * 10 >= programs * 9, "{ran} of {programs} programs ran");
    }
}

/// Every instruction is generated in a program of its own.
#[test]
fn every_instruction_runs_both_ways() {
    for instruction in computing() {
        let name = instruction.page().name;
        let mut ran = 0;
        for seed in 0..8 {
            let mut rng = Rng::new(seed);
            let program = generate_with(&mut rng, name);
            let agreement = judged(seed, &program.text, |text| {
                same_bits(text, &mut rng.clone()).map_err(|message| format!("{name}: {message}"))
            });
            let reached = program.instructions == [name] && matches!(agreement, Agreement::Ran { .. });
            ran += usize::from(reached);
        }
        assert!(ran >= 2, "only {ran} of 8 programs with `{name}` ran");
    }
}

/// Generated programs print and parse like any others.
#[test]
fn generated_programs_are_survived() {
    each_seed(60, |seed| {
        let program = generate(&mut Rng::new(seed));
        judged(seed, &program.text, survive);
    });
}
