//! A wait that does not order two accesses, and the race of these accesses, as one finding.

use pto::diag::{Diagnostic, Label, Severity};
use pto::isa::rule::RuleId;
use pto::isa::rules;

/// Removes findings that have one cause with another one: a race and the wait that would order its accesses, whose flag is
/// never set or that waits for another pipe.
pub(super) fn merge(findings: &mut Vec<Diagnostic>) {
    let is = |finding: &Diagnostic, rule| finding.rule == RuleId::from(rule);
    let marks = |race: &Diagnostic, wait: &Diagnostic| {
        let span = wait.primary.as_ref().map(|label| label.span);
        race.severity == Severity::Error && race.secondary.iter().any(|label| Some(label.span) == span)
    };
    let mut kept: Vec<Diagnostic> = Vec::new();
    let found = std::mem::take(findings);
    for mut finding in found.clone() {
        if is(&finding, &rules::sync::REDUNDANT) && found.iter().any(|race| marks(race, &finding)) {
            continue;
        }
        let causes = |wait: &&Diagnostic| is(wait, &rules::sync::NEVER_SET) && marks(&finding, wait);
        if !is(&finding, &rules::sync::NEVER_SET) && found.iter().any(|wait| causes(&wait)) {
            continue;
        }
        if is(&finding, &rules::sync::NEVER_SET)
            && let Some(race) =
                found.iter().find(|race| !is(race, &rules::sync::NEVER_SET) && marks(race, &finding))
        {
            let own = finding.primary.as_ref().map(|label| label.span);
            let places = race.secondary.iter().filter(|label| Some(label.span) != own).cloned();
            finding.secondary.extend(places);
            if let Some(second) = &race.primary {
                finding
                    .secondary
                    .push(Label { span: second.span, message: "not ordered after it".to_owned() });
            }
            finding.notes.push(race.message.clone());
            finding.help.clone_from(&race.help);
        }
        kept.push(finding);
    }
    *findings = kept;
}
