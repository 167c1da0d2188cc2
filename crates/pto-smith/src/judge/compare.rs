//! Disagreements of the two judges.
//!
//! Watchers do not report consequences of a reported race: an access ordered after a reader counts as ordered after the
//! writer before that reader. So every reported pair must be one that the model finds, of that kind; and with all
//! reported pairs ordered, the model must find no further race. Misuses of synchronization must be equal sets.

use super::verdict::{Race, Verdict, left_after};
use super::watchers::{Finding, Watching, orders_within};
use super::written::Written;
use std::collections::BTreeSet;

/// A finding of one judge only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// Found by the model, not reported by the watchers.
    Missed(String),
    /// Reported by the watchers, not found by the model.
    False(String),
}

/// Compares the findings of the model and of the watchers.
pub fn compare(written: &Written, model: &Verdict, watching: &Watching) -> Vec<Disagreement> {
    let (findings, stuck) = match watching {
        Watching::Ran { findings, stuck } => (findings, *stuck),
        Watching::Refused(_) => return Vec::new(),
        Watching::Stopped(message) if model.broken && stops_at_a_slot(message) => return Vec::new(),
        Watching::Stopped(message) => return vec![Disagreement::False(format!("the run stops: {message}"))],
    };
    if model.broken {
        return vec![Disagreement::Missed("a slot is given back that was not taken".to_owned())];
    }
    if stuck != model.stuck {
        let message = "the strands wait for each other".to_owned();
        return vec![if stuck { Disagreement::False(message) } else { Disagreement::Missed(message) }];
    }
    let mut all = misuses(model, findings);
    let races: Vec<&Finding> = findings.iter().filter(|finding| finding.rule.starts_with("race::")).collect();
    let sums_up = races.iter().any(|finding| finding.rule == "race::no-sync");
    if sums_up && orders_within(written) {
        all.push(Disagreement::False("there is synchronization".to_owned()));
    }
    all.extend(races.iter().filter(|finding| !is_possible(finding, model)).map(|finding| {
        Disagreement::False(format!("{} of lines {:?} and {}", finding.rule, finding.earlier, finding.line))
    }));
    if !sums_up {
        all.extend(missed(written, model, &races));
    }
    all
}

/// Whether a run stopped at a free of a slot that was not taken, or at a tile that was never filled.
fn stops_at_a_slot(message: &str) -> bool {
    message.starts_with("queue::free") || message.starts_with("declare::address")
}

/// Whether the model finds a reported race.
fn is_possible(finding: &Finding, model: &Verdict) -> bool {
    model.possible.iter().any(|race| {
        let kind = finding.rule == "race::no-sync" || finding.rule[6..] == *race.kind;
        kind && reports(finding, race)
    })
}

fn reports(finding: &Finding, race: &Race) -> bool {
    (finding.earlier, finding.line) == (Some(race.lines.0), race.lines.1)
}

/// The races that remain when all reported ones are ordered.
fn missed(written: &Written, model: &Verdict, findings: &[&Finding]) -> Vec<Disagreement> {
    let is_reported = |race: &Race| findings.iter().any(|finding| reports(finding, race));
    let left = left_after(&written.facts, model, is_reported);
    let lines: BTreeSet<_> = left.iter().map(|race| (race.kind, race.lines)).collect();
    let text = |(kind, (first, second))| format!("{kind} of lines {first} and {second}");
    lines.into_iter().map(|race| Disagreement::Missed(text(race))).collect()
}

/// The difference of the sets of misuses.
fn misuses(model: &Verdict, findings: &[Finding]) -> Vec<Disagreement> {
    let found = findings.iter().filter(|finding| !finding.rule.starts_with("race::"));
    let found: BTreeSet<(&str, usize)> = found.map(|finding| (&*finding.rule, finding.line)).collect();
    let text = |(rule, line): &(&str, usize)| format!("{rule} in line {line}");
    let missed = model.misuse.difference(&found).map(|misuse| Disagreement::Missed(text(misuse)));
    let false_ones = found.difference(&model.possible_misuse).map(|misuse| Disagreement::False(text(misuse)));
    missed.chain(false_ones).collect()
}
