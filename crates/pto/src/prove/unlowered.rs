//! Work that a program leaves to another tool that lowers it.

use super::VerifyOptions;
use pto_isa::diag::Diagnostic;
use pto_isa::meaning::Meaning;
use pto_isa::rules::verify;
use pto_lang::analysis::Synchronization;
use pto_lang::check::{check, names_target};
use pto_lang::ir::Operation;
use pto_lang::passes::{LowerOptions, lower};
use pto_machine::sim::Program;

/// Whether the program is meant for `cpu`, where nothing needs an address or a flag. A program that names no target is checked
/// for `cpu`, but it is built for a device.
pub(super) fn is_for_cpu(program: &Program, options: &VerifyOptions) -> bool {
    !program.profile().is_device() && (options.target_given || names_target(program.module()))
}

/// The finding for a program that is not lowered.
fn unlowered(message: String) -> Diagnostic {
    let help = "`pto lower kernel.pto -o lowered.pto` adds addresses, flags and barriers";
    Diagnostic::error(&verify::NOT_LOWERED, message).with_help(help)
}

/// A tile whose address a program leaves to another tool.
pub(super) fn without_address(program: &Program) -> Option<Diagnostic> {
    let module = program.module();
    program.functions().find_map(|id| {
        let function = &module.functions[id];
        let is_open = |operation: &Operation| {
            operation.meaning() == Meaning::AllocTile && operation.value("addr").is_none()
        };
        let (_, open) = function.operations.iter().find(|(_, operation)| is_open(operation))?;
        let name = open.result().map_or("", |tile| function.values[tile].name.as_str());
        let message = format!("not lowered: `%{name}` has no address");
        Some(unlowered(message).at(open.span))
    })
}

/// The finding for a race that only later synchronization can end.
pub(super) fn without_order(race: &Diagnostic) -> Diagnostic {
    let message = format!("not lowered: it has no synchronization, and needs some: {}", race.message);
    let mut finding = unlowered(message);
    (finding.primary, finding.secondary) = (race.primary.clone(), race.secondary.clone());
    finding
}

/// Whether our own passes still add something to a program without synchronization. No launch needs to show why: it is not final. What a
/// tool has synchronized is judged by its runs: our passes may not see why it needs no more.
pub(super) fn not_final(program: &Program) -> Option<Diagnostic> {
    if Synchronization::of(program.module(), program.functions()) == Synchronization::Explicit {
        return None;
    }
    let checked = check(program.module().clone(), Some(program.profile())).ok()?;
    let lowered = lower(&checked, &LowerOptions::default()).ok()?;
    let addresses =
        lowered.buffers.iter().flat_map(|plan| &plan.places).filter(|place| place.is_chosen).count();
    let flags = lowered.insertions.len();
    (addresses + flags > 0).then(|| {
        let message =
            format!("not lowered: `pto lower` adds {addresses} addresses, {flags} flags and barriers");
        unlowered(message)
    })
}
