//! Waits that should order two accesses, and do not: of another pipe, or for a flag that is not set in between.

use super::{name_of, operation_at};
use crate::diag::{Diagnostic, Label, Severity, Span};
use crate::ir::Attribute;
use crate::isa::pipe::Pipe;
use crate::isa::registry::Op;
use crate::isa::rules;
use crate::sim::Program;
use crate::sim::event::Place;

/// A wait between two accesses of a function.
struct Wait<'p> {
    span: Span,
    source: Pipe,
    event: &'p str,
}

/// The last wait of pipe `to` between two accesses in the text; one for pipe `from` if there is any.
fn between(program: &Program, [first, second]: [Place; 2], [from, to]: [Pipe; 2]) -> Option<Wait<'_>> {
    let (function, earlier) = operation_at(program, first)?;
    let (_, later) = operation_at(program, second).filter(|_| first.function == second.function)?;
    let inside = earlier.span.end..later.span.start;
    let waits = function.operations.iter().filter_map(|(_, operation)| {
        let word = |key| operation.attribute(key).and_then(Attribute::as_word);
        let pipe = |key| word(key).and_then(Pipe::from_word);
        let here = operation.is(Op::WAIT_FLAG) && inside.contains(&operation.span.start);
        let wait = Wait { span: operation.span, source: pipe("src")?, event: word("event")? };
        (here && pipe("dst") == Some(to)).then_some(wait)
    });
    waits.max_by_key(|wait| (wait.source == from, wait.span.start))
}

/// Explains a race by a wait that is there and does not order the accesses: a label on the wait, and the help.
pub(super) fn explain(program: &Program, places: [Place; 2], pipes: [Pipe; 2]) -> Option<(Label, String)> {
    let Wait { span, source, event } = between(program, places, pipes)?;
    let [from, to] = pipes.map(Pipe::word);
    let first = name_of(program, places[0]);
    let (message, help) = if source == pipes[0] {
        (
            format!("the flag of this wait is not set after `{first}`"),
            format!("put `pto.set_flag[<PIPE_{from}>, <PIPE_{to}>, <{event}>]` after `{first}`"),
        )
    } else {
        (
            format!("this waits for {}, but `{first}` runs on {from}", source.word()),
            format!("write `<PIPE_{from}>` in this wait and in its `set_flag`, which goes after `{first}`"),
        )
    };
    Some((Label { span, message }, help))
}

/// Removes findings that have one cause with another one: a race and the wait that would order its accesses, whose flag is
/// never set or that waits for another pipe.
pub(in crate::observe) fn merge(findings: &mut Vec<Diagnostic>) {
    let is = |finding: &Diagnostic, rule| finding.rule == crate::isa::rule::RuleId::from(rule);
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
