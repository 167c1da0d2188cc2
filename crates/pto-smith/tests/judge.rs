//! Two judges of races, the watchers and a happens-before model, agree on synchronized programs and on programs with
//! corrupted synchronization.
//!
//! `PTO_SMITH_JUDGED` sets the number of programs; default: 4000 in an optimized build, few otherwise. `PTO_SMITH_SEED`
//! sets the first seed, which reproduces a failure.

use pto_smith::Rng;
use pto_smith::judge::program::Source;
use pto_smith::judge::{Disagreement, Finding, Verdict, Watching, change, compare, generate, judge, watch};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of programs unless `PTO_SMITH_JUDGED` is set.
const USUAL: u64 = if cfg!(debug_assertions) { 120 } else { 4000 };

/// Changed programs per program: with single changes, and with accumulated changes.
const SINGLE: usize = 2;
const IN_A_ROW: usize = 3;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A program with the verdicts of both judges.
struct Judged {
    source: Source,
    change: String,
    disagreements: Vec<Disagreement>,
    /// Whether the model finds an error: a race, a misuse, or a deadlock.
    wrong: bool,
}

/// Judges a program; `None` if it is not legal.
fn judged(source: Source, change: String) -> Option<Judged> {
    let written = source.write();
    // A use of freed memory is a finding of the memory watcher in any order.
    if written.facts.uses_freed {
        return None;
    }
    let watching = watch(&source, &written);
    if let Watching::Refused(message) = &watching {
        assert!(
            !change.is_empty(),
            "a program is not legal before it is changed: {message}\n{}",
            written.text
        );
        return None;
    }
    let model = judge(&written.facts);
    let wrong = !model.certain.is_empty() || !model.misuse.is_empty() || model.stuck || model.broken;
    let disagreements = compare(&written, &model, &watching);
    Some(Judged { source, change, disagreements, wrong })
}

/// The program of a seed and its changed versions.
fn family(seed: u64) -> Vec<Judged> {
    let mut rng = Rng::new(seed);
    let source = generate(&mut rng);
    let mut all: Vec<Judged> = judged(source.clone(), String::new()).into_iter().collect();
    for _ in 0..SINGLE {
        let mut changed = source.clone();
        let what = change(&mut changed, &mut rng);
        all.extend(what.and_then(|what| judged(changed, what)));
    }
    let mut changed = source;
    let mut list = Vec::new();
    for _ in 0..IN_A_ROW {
        list.extend(change(&mut changed, &mut rng));
        if !list.is_empty() {
            all.extend(judged(changed.clone(), list.join(", then ")));
        }
    }
    all
}

/// The program, its change, and the verdicts of both judges.
fn report(seed: u64, judged: &Judged) -> String {
    let written = judged.source.write();
    let model = judge(&written.facts);
    let races: Vec<_> = model.certain.iter().map(|race| (race.kind, race.lines, race.strands)).collect();
    let numbered: Vec<_> =
        written.text.lines().enumerate().map(|(number, line)| format!("{number:4} {line}")).collect();
    format!(
        "seed {seed} (PTO_SMITH_SEED={seed} PTO_SMITH_JUDGED=1), {:?}, change: {}\n{}\nmodel: races {races:?}, \
         misuse {:?}, stuck {}, broken {}\nwatchers: {:?}\n{:#?}",
        judged.source.profile,
        judged.change,
        numbered.join("\n"),
        model.misuse,
        model.stuck,
        model.broken,
        watch(&judged.source, &written),
        judged.disagreements
    )
}

#[test]
fn the_watchers_and_the_model_agree() {
    let first = variable("PTO_SMITH_SEED").unwrap_or(0);
    let wanted = variable("PTO_SMITH_JUDGED").unwrap_or(USUAL);
    let (next, count) = (AtomicU64::new(first), AtomicU64::new(0));
    let tally: Mutex<BTreeMap<(bool, bool), u64>> = Mutex::default();
    let judge_some = || {
        while count.load(Ordering::Relaxed) < wanted {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            for judged in family(seed) {
                assert!(judged.disagreements.is_empty(), "{}", report(seed, &judged));
                count.fetch_add(1, Ordering::Relaxed);
                let kind = (judged.change.is_empty(), judged.wrong);
                *tally.lock().expect("no judge has failed").entry(kind).or_default() += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(judge_some);
        }
    });
    let tally = tally.into_inner().expect("no judge has failed");
    let number = |key| tally.get(&key).copied().unwrap_or(0);
    // Most programs are right before they are changed, and most changes matter; otherwise agreement proves little.
    if wanted >= 100 {
        assert!(number((true, false)) > 2 * number((true, true)), "{tally:?}");
        assert!(number((false, true)) > number((false, false)), "{tally:?}");
    }
}

/// Withholds findings of the watchers one at a time, and all of them: each withheld finding is a disagreement, unless
/// it follows from a reported one.
#[test]
fn what_the_watchers_withhold_is_missed() {
    let (mut withheld, mut noticed) = (0, 0);
    for seed in 0..25 {
        for judged in family(seed) {
            let written = judged.source.write();
            let (model, watching) = (judge(&written.facts), watch(&judged.source, &written));
            let Watching::Ran { findings, stuck } = watching else { continue };
            let missed = |findings: Vec<Finding>| {
                let said = compare(&written, &model, &Watching::Ran { findings, stuck });
                said.iter().any(|one| matches!(one, Disagreement::Missed(_)))
            };
            if !model.certain.is_empty() || !model.misuse.is_empty() {
                assert!(missed(Vec::new()), "{}", report(seed, &judged));
            }
            for left_out in 0..findings.len() {
                let mut fewer = findings.clone();
                let finding = fewer.remove(left_out);
                // A pair of lines may have several findings, any of which suffices.
                let again =
                    fewer.iter().any(|other| (other.earlier, other.line) == (finding.earlier, finding.line));
                if again || model.certain.is_empty() && finding.rule.starts_with("race::") {
                    continue;
                }
                withheld += 1;
                let found = missed(fewer);
                assert!(
                    found || finding.rule.starts_with("race::"),
                    "{finding:?}\n{}",
                    report(seed, &judged)
                );
                noticed += usize::from(found);
            }
        }
    }
    // The others are pairs that become ordered when reported pairs are.
    assert!(withheld >= 50 && noticed * 4 > withheld * 3, "{noticed} of {withheld}");
}

/// Invented findings, and findings that are hidden from the model, are disagreements.
#[test]
fn what_the_watchers_invent_is_false() {
    let mut invented = 0;
    for seed in 0..25 {
        for judged in family(seed) {
            let written = judged.source.write();
            let (model, watching) = (judge(&written.facts), watch(&judged.source, &written));
            let Watching::Ran { findings, .. } = &watching else { continue };
            let blind = Verdict { stuck: model.stuck, ..Verdict::default() };
            let said = compare(&written, &blind, &watching);
            let false_ones = said.iter().filter(|one| matches!(one, Disagreement::False(_))).count();
            let distinct: BTreeSet<_> = findings.iter().collect();
            assert!(false_ones >= distinct.len(), "{}", report(seed, &judged));
            invented += false_ones;
        }
    }
    assert!(invented >= 50, "{invented}");
}

/// The facts of a program without a flag, compared with the findings of the watchers in the program with it.
#[test]
fn facts_of_another_program_are_noticed() {
    let mut noticed = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let source = generate(&mut rng);
        let mut spoiled = source.clone();
        let spoils = |source: &Source| !judge(&source.write().facts).certain.is_empty();
        if spoils(&source) || change(&mut spoiled, &mut rng).is_none() || !spoils(&spoiled) {
            continue;
        }
        let mut written = source.write();
        let watching = watch(&source, &written);
        written.facts = spoiled.write().facts;
        let said = compare(&written, &judge(&written.facts), &watching);
        assert!(!said.is_empty(), "seed {seed}");
        noticed += 1;
    }
    assert!(noticed >= 3, "{noticed}");
}
