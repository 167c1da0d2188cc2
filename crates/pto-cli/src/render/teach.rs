//! What a reader needs beyond the finding: findings with one cause as one, and the reason and the remedy of its rule.

use pto::diag::{Diagnostic, Label};

/// The findings as text shows them: equal ones at several places are one with further places, and each has a remedy.
pub fn for_reading(findings: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut shown: Vec<Diagnostic> = Vec::new();
    for finding in findings {
        let same = shown.iter_mut().find(|known| {
            let one_rule = std::ptr::eq(known.rule.rule, finding.rule.rule) || known.notes == finding.notes;
            one_rule && known.severity == finding.severity && known.message == finding.message
        });
        match (same, &finding.primary) {
            (Some(known), Some(place)) if known.primary.is_some() => {
                let message =
                    if place.message.is_empty() { "and here".into() } else { place.message.clone() };
                known.secondary.push(Label { span: place.span, message });
                known.edits.extend(finding.edits.iter().cloned());
            }
            _ => shown.push(explained(finding)),
        }
    }
    shown
}

/// The finding with the reason and the remedy of its rule, if it has no help of its own.
fn explained(finding: &Diagnostic) -> Diagnostic {
    let mut finding = finding.clone();
    let rule = finding.rule.rule;
    if finding.help.is_empty() && !rule.remedy.is_empty() {
        if !rule.reason.is_empty() {
            finding.notes.push(rule.reason.to_owned());
        }
        finding.help.push(rule.remedy.to_owned());
    }
    finding
}
