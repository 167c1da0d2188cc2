//! `pto check --fix`: applies the edits that findings of the check carry.
//!
//! Edits of a check are safe: they correct a misspelt word with one near candidate, close a bracket, or add a type that
//! follows from a definition. Edits that change what a legal program does, such as missing flags, belong to findings
//! of a run, which are never applied.

use crate::render::SourceText;
use pto::diag::{Diagnostic, Edit, Severity, apply};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Maximum number of changes of one text; more are a sign of edits that undo each other.
const MOST_CHANGES: usize = 1000;

/// Maximum number of bytes checked for one text, which bounds the time for long texts with many findings.
const MOST_BYTES: usize = 1 << 24;

/// Bytes that a check of a short text counts as.
const LEAST_BYTES: usize = 1 << 12;

/// A corrected text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// The changes, one line each: place, rule, old and new text.
    pub changes: Vec<String>,
}

/// Applies the edits of one finding after the other, and checks the text after each. A change is undone if the text
/// has more errors with it, or still has the finding.
///
/// `check` returns all findings of a text.
pub fn fix(name: &str, text: &str, check: impl Fn(&str) -> Vec<Diagnostic>) -> Fixed {
    let mut fixed = Fixed { text: text.to_owned(), changes: Vec::new() };
    let mut tried = Tried { texts: HashSet::from([hash(text)]), left: MOST_BYTES };
    let mut findings = check(&fixed.text);
    while fixed.changes.len() < MOST_CHANGES {
        let Some((finding, text, after)) = tried.better(&fixed.text, &findings, &check) else { break };
        fixed.changes.push(describe(name, &fixed.text, finding));
        (fixed.text, findings) = (text, after);
    }
    fixed
}

/// The texts that were checked; one of them has led to no further change.
struct Tried {
    /// Hashes of the texts.
    texts: HashSet<u64>,
    /// Bytes that may still be checked.
    left: usize,
}

impl Tried {
    /// The first finding whose edits help, with the text after them and its findings.
    fn better<'f>(
        &mut self,
        text: &str,
        findings: &'f [Diagnostic],
        check: impl Fn(&str) -> Vec<Diagnostic>,
    ) -> Option<(&'f Diagnostic, String, Vec<Diagnostic>)> {
        for finding in findings.iter().filter(|finding| !finding.edits.is_empty()) {
            self.left = self.left.checked_sub(text.len().max(LEAST_BYTES))?;
            let new = apply(text, &finding.edits);
            if !self.texts.insert(hash(&new)) {
                continue;
            }
            let after = check(&new);
            if is_better(finding, (text, findings), (&new, &after)) {
                return Some((finding, new, after));
            }
        }
        None
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Bytes of a text from the place of a finding to the end of the text.
fn rest(finding: &Diagnostic, text: &str) -> usize {
    let start = finding.primary.as_ref().map_or(0, |label| label.span.start as usize);
    text.len().saturating_sub(start)
}

/// Whether the findings `after` an edit are better than those `before`: no more errors, and the finding is gone or has
/// moved to a later position, such as the next number of a list.
fn is_better(finding: &Diagnostic, before: (&str, &[Diagnostic]), after: (&str, &[Diagnostic])) -> bool {
    let errors = |findings: &[Diagnostic]| {
        findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    };
    let same = |other: &&Diagnostic| other.rule == finding.rule && other.message == finding.message;
    let times = |findings: &[Diagnostic]| findings.iter().filter(same).count();
    let has_moved =
        || after.1.iter().filter(same).all(|other| rest(other, after.0) < rest(finding, before.0));
    errors(after.1) <= errors(before.1) && (times(after.1) < times(before.1) || has_moved())
}

/// `kernel.pto:23:42: undefined-value: %y_pat is now %y_part`.
fn describe(name: &str, text: &str, finding: &Diagnostic) -> String {
    let source = SourceText::new(name, text);
    let old = |edit: &Edit| {
        text.get(edit.span.start as usize..edit.span.end as usize).unwrap_or_default().to_owned()
    };
    let words = finding.edits.iter().map(|edit| match (old(edit).as_str(), edit.replacement.trim()) {
        ("", new) => format!("added `{new}`"),
        (old, "") => format!("removed `{}`", old.trim()),
        (old, new) => format!("`{old}` is now `{new}`"),
    });
    let words: Vec<String> = words.collect();
    let start = finding.edits.iter().map(|edit| edit.span.start).min().unwrap_or_default();
    let place = source.position(start as usize);
    format!("{name}:{}:{}: {}: {}", place.line, place.column, finding.rule, words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check_text;
    use crate::settings::Settings;

    fn fixed(text: &str) -> Fixed {
        fix("k.pto", text, |text| {
            check_text(text, &Settings::default()).map_or_else(|findings| findings, |(_, found)| found)
        })
    }

    const TWO_SLIPS: &str = "func.func @k(%a: !pto.tile_buf<vec, 8x8xf32>) {
  pto.tabss ins(%a : !pto.tile_buf<vec, 8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>)
  pto.tneg ins(%a : !pto.tile_buf<vec, 8x8xf32>) outs(%b : !pto.tile_buf<vec, 8x8xf32>)
  return
}
";

    #[test]
    fn fixes_are_applied_until_none_is_left() {
        let first = fixed(TWO_SLIPS);
        assert!(first.text.contains("pto.tabs ins"), "{first:?}");
        assert_eq!(first.changes[0], "k.pto:2:3: unknown-operation: `pto.tabss` is now `pto.tabs`");
        let second = fixed(&first.text);
        assert_eq!((second.text.as_str(), second.changes.len()), (first.text.as_str(), 0));
    }

    #[test]
    fn the_same_mistake_further_on_is_progress() {
        let rule = &pto::isa::rules::text::SYNTAX;
        let of_first = |text: &str| {
            let at = text.find('0')? as u32;
            let span = pto::diag::Span::new(at, at + 1);
            Some(Diagnostic::error(rule, "a number").at(span).with_edit(span, "%c"))
        };
        let result = fix("k", "0, 0", |text| of_first(text).into_iter().collect());
        assert_eq!((result.text.as_str(), result.changes.len()), ("%c, %c", 2));
        // An edit before the place that leaves the mistake where it is.
        let stays = |text: &str| {
            let at = text.find('0').unwrap_or_default() as u32;
            let start = pto::diag::Span::new(0, 0);
            vec![
                Diagnostic::error(rule, "a number")
                    .at(pto::diag::Span::new(at, at + 1))
                    .with_edit(start, "x"),
            ]
        };
        assert_eq!(fix("k", "0", stays).text, "0");
    }

    #[test]
    fn an_edit_that_does_not_help_is_refused() {
        let rule = &pto::isa::rules::text::SYNTAX;
        let span = pto::diag::Span::new(0, 1);
        let wrong = Diagnostic::error(rule, "wrong").at(span).with_edit(span, "y");
        let count = |text: &str| text.matches('y').count();
        // The text with the edit has one error more.
        let result = fix("k", "x", |text| vec![wrong.clone(); 1 + count(text)]);
        assert_eq!((result.text.as_str(), result.changes.len()), ("x", 0));
        // Two edits that undo each other.
        let back = Diagnostic::error(rule, "back").at(span).with_edit(span, "x");
        let result = fix("k", "x", |text| vec![if text == "x" { wrong.clone() } else { back.clone() }]);
        assert_eq!((result.text.as_str(), result.changes.len()), ("y", 1));
    }
}
