//! Explanations beyond the findings: findings of one cause are folded into one, with the reason and the remedy of the rule.

use super::waits;
use pto::diag::{Diagnostic, Label, Severity};
use pto::isa::rule::RuleId;
use pto::isa::rules;

/// Maximum number of findings that are compared with each other.
const MOST_GROUPED: usize = 1000;

/// The findings as text shows them: equal ones at several places are one with further places, and each has a remedy.
pub fn for_reading(findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let (first, rest) = findings.split_at(findings.len().min(MOST_GROUPED));
    let mut findings = first.to_vec();
    waits::merge(&mut findings);
    let mut shown: Vec<Diagnostic> = Vec::new();
    for finding in &findings {
        let same = shown.iter_mut().find(|known| {
            let one_rule = known.rule.rule == finding.rule.rule || known.notes == finding.notes;
            let is_alike = one_rule && known.message == finding.message;
            let is_frequent = known.rule == finding.rule && finding.rule.rule.frequent;
            known.severity == finding.severity && (is_alike || is_frequent)
        });
        match (same, &finding.primary) {
            (Some(known), Some(place)) if known.primary.is_some() => {
                let message = if known.rule != finding.rule {
                    format!("and here: {}[{}]", finding.severity.word(), finding.rule)
                } else if place.message.is_empty() {
                    "and here".to_owned()
                } else {
                    place.message.clone()
                };
                known.secondary.push(Label { span: place.span, message });
                known.edits.extend(finding.edits.iter().cloned());
            }
            _ => match shown.iter_mut().find(|known| has_one_type(known, finding)) {
                Some(known) => {
                    let span = finding.primary.as_ref().map(|place| place.span).unwrap_or_default();
                    let message = format!("{}: {}", finding.rule, finding.message);
                    known.secondary.push(Label { span, message });
                }
                None => shown.push(explained(finding)),
            },
        }
    }
    shown.extend(rest.iter().map(explained));
    shown
}

/// Whether two errors concern the element type of the same tile, which both name and label as `%tile` is 8x64xf16 vec:
/// then the declaration of the tile is the single mistake.
fn has_one_type(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let errors = [known, finding].iter().all(|one| one.severity == Severity::Error && one.primary.is_some());
    let names =
        |text: &str, word: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    let is_named = |label: &&Label| {
        let element = label.message.rsplit(' ').nth(1).and_then(|brief| brief.rsplit_once('x'));
        element.is_some_and(|(_, element)| names(&known.message, element) && names(&finding.message, element))
    };
    errors && known.secondary.iter().filter(is_named).any(|label| finding.secondary.contains(label))
}

/// Returns the finding with the reason and the remedy of its rule, if it has no help of its own, and with the positions
/// of the findings folded into it.
pub fn explained(finding: &Diagnostic) -> Diagnostic {
    let mut finding = finding.clone();
    for folded in std::mem::take(&mut finding.folded) {
        let message = format!("{}: {}", folded.rule, folded.message);
        match folded.primary {
            Some(place) => finding.secondary.push(Label { span: place.span, message }),
            None => finding.notes.push(message),
        }
    }
    let rule = finding.rule.rule;
    // The message of a syntax error states the expected text; the reason and remedy of the rule are generic.
    let is_grammar = finding.rule == RuleId::from(&rules::text::SYNTAX);
    if !is_grammar && finding.help.is_empty() && !rule.remedy.is_empty() {
        if !rule.reason.is_empty() {
            finding.notes.push(rule.reason.to_owned());
        }
        finding.help.push(rule.remedy.to_owned());
    }
    finding
}
