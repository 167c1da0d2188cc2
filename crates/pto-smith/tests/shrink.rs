//! Shrinking of generated and corrupted programs: it ends, its result has the property, and nothing panics.

use crate::support::smaller::{outcome, smaller};
use crate::support::{Case, each_seed, seeds};
use pto::shrink::{Limits, Mode, shrink};
use pto_smith::generate::generate;
use pto_smith::{Rng, mutate};

/// Shrinks a text to one with a word of it, with an arbitrary verdict on other candidates.
fn shrunk(text: &str, rng: &mut Rng, tries: u64) -> Result<(), String> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.starts_with("pto.")).collect();
    let word = words.get(rng.below(words.len().max(1))).copied().unwrap_or_default();
    let salt = rng.bits();
    // One candidate in four is not interesting although it has the word: properties need not be monotone.
    let mut keep = |candidate: &str| {
        let mixed =
            candidate.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        candidate == text || (candidate.contains(word) && mixed >> 62 != 0)
    };
    let done =
        shrink(text, &Limits::default().max_tries(tries), &mut keep).map_err(|error| error.to_string())?;
    if !keep(&done.text) {
        return Err(format!("the result does not have the property:\n{}", done.text));
    }
    if done.mode == Mode::Program && pto::parse(&done.text).is_err() {
        return Err(format!("the result does not parse:\n{}", done.text));
    }
    if done.tries > tries.max(2) {
        return Err(format!("{} tries instead of {tries}", done.tries));
    }
    let again =
        shrink(text, &Limits::default().max_tries(tries), &mut keep).map_err(|error| error.to_string())?;
    match again.text == done.text && again.tries == done.tries {
        true => Ok(()),
        false => Err("shrinking again gives another result".into()),
    }
}

#[test]
fn generated_programs_shrink() {
    each_seed(60, |seed| {
        let mut rng = Rng::new(seed);
        let text = generate(&mut rng).text;
        let case = Case::new(seed, &text);
        case.end(shrunk(&text, &mut rng, 400));
    });
}

#[test]
fn programs_of_the_repository_shrink_whole_and_corrupted() {
    let seeds = seeds();
    each_seed(80, |seed| {
        let mut rng = Rng::new(seed);
        let whole = &seeds[rng.below(seeds.len())];
        let text = if rng.chance(33) { mutate(whole, &mut rng) } else { whole.clone() };
        let case = Case::new(seed, &text);
        case.end(shrunk(&text, &mut rng, 150));
    });
}

/// The report of a failure has a smaller program, whether the oracle returns an error or panics.
#[test]
fn failures_of_oracles_are_shrunk() {
    let texts = (0..).map(|seed| generate(&mut Rng::new(seed)).text);
    let text = texts.take(100).find(|text| text.contains("pto.tload")).expect("a program that loads");
    let broken = |text: &str| match text.matches("pto.tload").count() {
        0 => Ok(()),
        count => Err(format!("planted: {count} loads")),
    };
    let panics = |text: &str| broken(text).map_err(|message| panic!("{message}"));
    let no_panic: fn(&str) -> Result<(), String> = |_| Ok(());
    assert!(outcome(&text, &no_panic).is_ok());
    let error = outcome(&text, &broken).expect_err("it loads");
    let panic = outcome(&text, &panics).expect_err("it loads");
    for small in [smaller(&text, &error, &broken), smaller(&text, &panic, &panics)] {
        assert!(small.contains("pto.tload") && small.lines().count() <= 12, "{small}");
    }
    // An error is not mistaken for a panic.
    assert_eq!(smaller(&text, &error, &panics), "");
}
