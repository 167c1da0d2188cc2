//! The kind of core that runs an operation, in functions and sections that declare it: each operation needs the pipes
//! of its effects, the pipes that it names, and its end of a queue.

use super::operands;
use crate::analysis::Facts;
use crate::ir::flow::Flow;
use crate::ir::{Function, Operation, TypeTable};
use pto_isa::diag::{Diagnostic, Severity};
use pto_isa::meaning::{Core, Meaning};
use pto_isa::op::effect::{Access, Target};
use pto_isa::op::site::Site;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::rules;

/// Reports operations that the core around them lacks.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    flow: &Flow,
    facts: &Facts,
    profile: Profile,
    findings: &mut Vec<Diagnostic>,
) {
    let ends = function.operations.iter().filter_map(|(id, end)| match end.meaning() {
        Meaning::QueueEnd(core) if function.core_of(flow, id).is_none() => Some((end, core)),
        _ => None,
    });
    findings.extend(ends.map(|(end, core)| {
        let message = format!("`{}` is for {}, and stands where both kinds run", end.name, core.phrase());
        error(end, message).with_help(move_to(core))
    }));
    let sections = [Core::Cube, Core::Vector].map(|core| function.has_section(core));
    if function.core().is_none() && sections == [false; 2] {
        return;
    }
    for id in flow.operations() {
        let operation = &function.operations[*id];
        if let Some(core) = function.core_of(flow, *id) {
            findings.extend(needed_by_queue(operation, core).or_else(|| {
                let lacking = pipes(types, function, facts, operation, profile)
                    .into_iter()
                    .find(|pipe| !profile.has_pipe(core, *pipe))?;
                Some(lacks(operation, core, lacking, profile))
            }));
        } else if profile.is_device() {
            findings.extend(ambiguous(operation, profile));
        }
    }
}

/// The error for an operation of a queue that belongs to the other kind of core.
fn needed_by_queue(operation: &Operation, core: Core) -> Option<Diagnostic> {
    let needed = match operation.meaning() {
        Meaning::QueueEnd(core) => core,
        Meaning::Entry { action, to: Some(to) } => action.core(to),
        _ => return None,
    };
    (needed != core).then(|| {
        let message =
            format!("`{}` is for {}, but runs on {} here", operation.name, needed.phrase(), core.phrase());
        error(operation, message).with_help(move_to(needed))
    })
}

fn lacks(operation: &Operation, core: Core, pipe: Pipe, profile: Profile) -> Diagnostic {
    let (name, core) = (&operation.name, core.phrase());
    let verb = if named(operation).contains(&pipe) { "names" } else { "runs on" };
    let message = format!("`{name}` {verb} PIPE_{}, which {core} does not have", pipe.word());
    let finding = error(operation, message);
    match profile.only_core(pipe) {
        Some(needed) if verb == "runs on" => finding.with_help(move_to(needed)),
        _ => finding,
    }
}

/// The lint for a flag or a barrier between sections that only one of the cores can run.
fn ambiguous(operation: &Operation, profile: Profile) -> Option<Diagnostic> {
    let pipe = named(operation).into_iter().find(|pipe| profile.only_core(*pipe).is_some())?;
    let core = profile.only_core(pipe)?;
    let message = format!(
        "`{}` stands outside the sections, and only {} has PIPE_{}",
        operation.name,
        core.phrase(),
        pipe.word()
    );
    let finding = Diagnostic::new(Severity::Lint, &rules::cores::KIND, message).at(operation.name_span);
    Some(finding.with_help(move_to(core)))
}

fn error(operation: &Operation, message: String) -> Diagnostic {
    let rule = &rules::cores::KIND;
    let note = rule.note();
    Diagnostic::error(rule, message).at(operation.name_span).with_note(note)
}

fn move_to(core: Core) -> String {
    format!("move it to `pto.section.{0}`, or to a function of the kind {0}", core.word())
}

/// The pipes that an operation needs: those named by its attributes, or, if there are none, those of its effects.
fn pipes(
    types: &TypeTable,
    function: &Function,
    facts: &Facts,
    operation: &Operation,
    profile: Profile,
) -> Vec<Pipe> {
    let named = named(operation);
    if !named.is_empty() || !operands::fits(types, function, operation) {
        return named;
    }
    let Some(site) = facts.site(function, types, operation, profile) else { return named };
    accessing(&site)
}

/// The pipes of the effects of an instruction on bytes.
fn accessing(site: &Site<'_>) -> Vec<Pipe> {
    let own = site.instruction.pipe(site);
    let effects = site.instruction.effects(site).into_iter();
    let accesses = effects
        .filter(|effect| effect.access != Access::Name && matches!(effect.target, Target::Operand(..)));
    accesses.map(|effect| effect.pipe.unwrap_or(own)).collect()
}

/// The pipes that a flag, a barrier or a token names, directly or as classes of instructions.
fn named(operation: &Operation) -> Vec<Pipe> {
    let keys: &[&str] = match operation.meaning() {
        Meaning::Flag { .. } => &["src", "dst"],
        Meaning::Barrier => &["pipe", "op"],
        Meaning::CoreFlag { .. } => &["pipe"],
        Meaning::Token { .. } => &["event"],
        _ => &[],
    };
    keys.iter().filter_map(|key| operation.pipe(key)).collect()
}
