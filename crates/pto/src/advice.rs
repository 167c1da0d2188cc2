//! Tested advice: the findings of a run, each with a change of the program that removes it.
//!
//! A finding about synchronization has proposals, and only a run of the changed program shows whether a proposal is
//! right. So each proposal is applied and run. It is right if its finding is gone and no new finding has appeared. One
//! missing flag causes several findings. So of all right proposals, the one that removes most findings is accepted. The
//! findings that it removes have one cause, and are folded into one. Then the remaining proposals are tried on the
//! program with all changes accepted so far: thus two changes never take the same flag, and all changes together are
//! right as well.
//!
//! A change that causes a lint is accepted only if every other one is wrong: the finding may hide that a wait is
//! superfluous.
//!
//! A barrier of all pipes removes any race within a core, and the removal of a wait removes any finding about its flag,
//! whatever the cause was. Such proposals are a last resort, for findings that no other proposal removes.
//!
//! A finding of a changed program is recognized by its rule and by the positions of its labels, mapped back to the
//! original text. The counts in its message may differ.

use pto_isa::diag::{Diagnostic, Edit, Severity, Span, apply};
use pto_isa::rules::sync::NEVER_SET;
use std::collections::BTreeMap;

/// Maximum number of accepted changes, one per cause of findings.
pub const MOST_CAUSES: usize = 10;

/// Work that all trials of a program may take if the run itself took less; see [`Trial::work`].
const LEAST_WORK: u64 = 3_000_000;

/// Maximum number of trials of one program, and of trials before the best proposal so far is accepted.
const MOST_TRIALS: usize = 200;
const MOST_OF_ROUND: usize = 48;

/// Maximum number of findings of a program whose proposals are tried.
const MOST_FINDINGS: usize = 2000;

/// Result of a run of a program, or of the check that prevented the run.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// All findings of check and run.
    pub findings: Vec<Diagnostic>,
    /// Steps of all blocks, and one for each 256 bytes of arguments, as far as they are known.
    pub work: u64,
}

impl Trial {
    /// The work of a run.
    pub fn work_of(steps: u64, bytes: u64) -> u64 {
        steps.saturating_add(bytes / 256)
    }
}

/// Tries the proposals of the findings of a run. `run` runs another text of the program on the same arguments, for at
/// most the given work; `None` means that the text does not start. Findings that are folded into others are removed from
/// the list.
///
/// The findings of all runs must be complete: a limit on their number would hide new findings of a change.
pub fn tried(text: &str, first: Trial, mut run: impl FnMut(&str, u64) -> Option<Trial>) -> Vec<Diagnostic> {
    if first.findings.len() > MOST_FINDINGS {
        return first.findings;
    }
    let mut search = Search {
        text,
        changes: Vec::new(),
        now: first.findings.clone(),
        left: LEAST_WORK.max(first.work),
        usual: first.work.max(1),
        trials: 0,
        run: &mut run,
    };
    let mut findings: Vec<Option<Diagnostic>> = first.findings.into_iter().map(Some).collect();
    let mut causes = 0;
    // A lint about synchronization may be wrong while some of it is missing, so errors come first.
    for severity in [Severity::Error, Severity::Lint] {
        while causes < MOST_CAUSES
            && let Some(accepted) = search.best(severity)
        {
            causes += 1;
            let left: Vec<Key> = accepted.after.iter().map(|one| Key::of(one, &accepted.changes)).collect();
            fold(&mut findings, &left, &accepted);
            (search.changes, search.now) = (accepted.changes, accepted.after);
        }
        if causes == MOST_CAUSES || search.is_exhausted() {
            break;
        }
        let open = findings.iter_mut().flatten().filter(|one| one.severity == severity && has_proposals(one));
        open.for_each(without_advice);
    }
    findings.into_iter().flatten().collect()
}

/// Whether a finding has changes that can be tried.
fn has_proposals(finding: &Diagnostic) -> bool {
    finding.proposals.iter().any(|one| !one.edits.is_empty())
}

/// Folds the findings that a change removes into one; `left` are the findings of the changed program.
fn fold(findings: &mut [Option<Diagnostic>], left: &[Key], accepted: &Accepted) {
    let mut left = counts(left);
    let mut gone = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let Some(finding) = finding.as_ref().filter(|finding| finding.edits.is_empty()) else { continue };
        match left.get_mut(&Key::of(finding, &[])) {
            Some(count) if *count > 0 => *count -= 1,
            _ => gone.push(at),
        }
    }
    // A wait that never ends is the first that a device shows.
    let is_behind = |at: &usize| {
        let finding = findings[*at].as_ref();
        let rank =
            |finding: &Diagnostic| (finding.severity != Severity::Error, finding.rule.rule != &NEVER_SET);
        (finding.map(rank), *at)
    };
    let Some(main) = gone.iter().copied().min_by_key(is_behind) else { return };
    let others = gone.into_iter().filter(|at| *at != main).collect::<Vec<_>>();
    let folded = others.into_iter().filter_map(|at| findings[at].take()).collect();
    if let Some(finding) = &mut findings[main] {
        finding.help = vec![accepted.help.clone()];
        finding.edits.clone_from(&accepted.edits);
        finding.proposals.clear();
        finding.folded = folded;
    }
}

/// Removes the help of a finding for which no proposal was right. The help of its rule remains.
fn without_advice(finding: &mut Diagnostic) {
    let number = finding.proposals.len();
    let changes = if number == 1 { "one change was".to_owned() } else { format!("{number} changes were") };
    finding.notes.push(format!("{changes} tried: none removes this finding without bringing another one"));
    finding.help.clear();
    finding.proposals.clear();
}

/// Rule and places of a finding, in bytes of the original program. A place in inserted text is `None`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    rule: String,
    place: Option<u32>,
    /// First secondary position of an error: the other access of a race. Lints have none here, since their secondary
    /// positions vary with the code around them.
    other: Option<Option<u32>>,
}

impl Key {
    /// The key of a finding in the program with these changes.
    fn of(finding: &Diagnostic, changes: &[Edit]) -> Key {
        let place = |span: Span| original(changes, span.start, false);
        let other = finding.secondary.first().filter(|_| finding.severity == Severity::Error);
        Key {
            rule: finding.rule.to_string(),
            place: finding.primary.as_ref().and_then(|label| place(label.span)),
            other: other.map(|label| place(label.span)),
        }
    }
}

/// Number of occurrences of each key.
fn counts(keys: &[Key]) -> BTreeMap<Key, usize> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key.clone()).or_default() += 1;
    }
    counts
}

/// Maps a position in the text with sorted changes to the original text. A position in inserted text has no counterpart,
/// except the start of a replacement and, if `inserts` is set, of an insertion.
fn original(changes: &[Edit], at: u32, inserts: bool) -> Option<u32> {
    // Ends of the text processed so far: in the original, and in the changed text.
    let (mut from, mut to) = (0, 0);
    for Edit { span, replacement } in changes {
        let start = to + (span.start - from);
        if at < start {
            break;
        }
        let end = start + replacement.len() as u32;
        if at < end {
            let is_start = at == start && (inserts || span.end > span.start);
            return is_start.then_some(span.start);
        }
        (from, to) = (span.end, end);
    }
    Some(from + (at - to))
}

/// A change that is right.
struct Accepted {
    help: String,
    /// The change alone, in bytes of the original text.
    edits: Vec<Edit>,
    /// All changes that were accepted, sorted, and the findings of the program with them.
    changes: Vec<Edit>,
    after: Vec<Diagnostic>,
    /// Whether it brings no lint, and the number of findings that it removes: more is better.
    score: (bool, usize),
}

/// The program with the changes that were accepted.
struct Search<'a> {
    text: &'a str,
    /// In bytes of `text`, sorted.
    changes: Vec<Edit>,
    /// The findings of the program with the changes.
    now: Vec<Diagnostic>,
    /// Work that trials may still take.
    left: u64,
    /// Work of a trial without known work.
    usual: u64,
    trials: usize,
    run: &'a mut dyn FnMut(&str, u64) -> Option<Trial>,
}

impl Search<'_> {
    /// Whether no further trial is possible.
    fn is_exhausted(&self) -> bool {
        self.left < self.usual || self.trials >= MOST_TRIALS
    }

    /// The right proposal that removes most findings, for findings of a severity.
    fn best(&mut self, severity: Severity) -> Option<Accepted> {
        let before: Vec<Key> = self.now.iter().map(|one| Key::of(one, &self.changes)).collect();
        let open = self.now.iter().zip(&before).filter(|(one, _)| one.severity == severity);
        let mut open: Vec<_> = open.map(|(one, key)| (key.clone(), one.proposals.clone())).collect();
        // A wrongly used flag tells which synchronization is missing; a race only shows that some is missing.
        open.sort_by_key(|(key, _)| !key.rule.starts_with("sync::"));
        let most = open.iter().map(|(_, proposals)| proposals.len()).max().unwrap_or(0);
        for is_last in [false, true] {
            let mut best: Option<Accepted> = None;
            let mut seen: Vec<Vec<Edit>> = Vec::new();
            // The most likely proposal of each finding, then the next one of each.
            let all = (0..most)
                .flat_map(|rank| open.iter().filter_map(move |(key, all)| Some((key, all.get(rank)?))));
            for (key, proposal) in all.filter(|(_, proposal)| proposal.last_resort == is_last) {
                if self.is_exhausted() || seen.len() >= MOST_OF_ROUND {
                    break;
                }
                let Some(edits) = self.in_original(&proposal.edits).filter(|edits| !seen.contains(edits))
                else {
                    continue;
                };
                seen.push(edits.clone());
                let Some(accepted) = self.trial(&before, key, &proposal.help, edits) else { continue };
                let is_all = !accepted.after.iter().any(|one| one.severity == severity && has_proposals(one));
                let is_enough = accepted.score.0 && (is_all || severity != Severity::Error);
                if best.as_ref().is_none_or(|best| best.score < accepted.score) {
                    best = Some(accepted);
                }
                if is_enough {
                    break;
                }
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// Runs the program with a further change; `None` if that is not right for the finding of a key.
    fn trial(&mut self, before: &[Key], key: &Key, help: &str, edits: Vec<Edit>) -> Option<Accepted> {
        let mut changes = [self.changes.clone(), edits.clone()].concat();
        changes.sort_by_key(|edit| edit.span);
        let trial = (self.run)(&apply(self.text, &changes), self.left);
        self.trials += 1;
        self.left = self.left.saturating_sub(self.usual.max(trial.as_ref().map_or(0, |trial| trial.work)));
        let after = trial?.findings;
        let keys: Vec<Key> = after.iter().map(|one| Key::of(one, &changes)).collect();
        if !is_gone(before, &keys, key) {
            return None;
        }
        let came: Vec<bool> = came(before, &keys).map(|at| after[at].severity == Severity::Error).collect();
        if came.contains(&true)
            || !came.is_empty() && self.now.iter().all(|one| one.severity != Severity::Error)
        {
            return None;
        }
        let score = (came.is_empty(), (before.len() + came.len()).saturating_sub(keys.len()));
        Some(Accepted { help: help.to_owned(), edits, changes, after, score })
    }

    /// Edits of the changed program as edits of the original; `None` if they overlap earlier changes.
    fn in_original(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let moved = |edit: &Edit| {
            let Span { start, end } = edit.span;
            let place = |at: u32, inserts: bool| original(&self.changes, at, inserts);
            let span = match start == end {
                true => Span::new(place(start, true)?, place(start, true)?),
                false => Span::new(place(start, false)?, place(end - 1, false)? + 1),
            };
            let overlaps = |change: &Edit| change.span.start < span.end && span.start < change.span.end;
            (!self.changes.iter().any(overlaps)).then(|| Edit { span, replacement: edit.replacement.clone() })
        };
        (!edits.is_empty()).then(|| edits.iter().map(moved).collect()).flatten()
    }
}

/// Whether a finding is gone.
fn is_gone(before: &[Key], after: &[Key], key: &Key) -> bool {
    let count = |keys: &[Key]| keys.iter().filter(|other| *other == key).count();
    count(after) < count(before)
}

/// The findings that have come, by index.
fn came(before: &[Key], after: &[Key]) -> impl Iterator<Item = usize> {
    let mut before = counts(before);
    after.iter().enumerate().filter_map(move |(at, key)| match before.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            None
        }
        _ => Some(at),
    })
}
