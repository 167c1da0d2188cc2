//! The cores that run a program concurrently.

use super::super::code::{CoreKind, FlagReach, Strand};
use super::signal;
use pto_isa::diag::Diagnostic;
use pto_isa::meaning::{Between, Core, LaunchFact, Meaning};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::ir::{Function, FunctionId, Module, Operation};

/// The only cube function and the only vector function with bodies in a module, which form one kernel.
pub(super) fn pair(module: &Module) -> Option<[FunctionId; 2]> {
    let of_kind = |core: Core| {
        let mut functions = module.functions.iter().filter(|(_, function)| {
            function.body.is_some()
                && function.visibility.as_deref() != Some("private")
                && function.core() == Some(core)
        });
        let first = functions.next().map(|(id, _)| id);
        first.filter(|_| functions.next().is_none())
    };
    Some([of_kind(Core::Cube)?, of_kind(Core::Vector)?])
}

/// The name of the kernel of a pair of functions: the common part of `X_aic` and `X_aiv`.
pub(super) fn kernel_name<'m>(module: &'m Module, pair: &[FunctionId; 2]) -> &'m str {
    let name = module.functions[pair[0]].name.as_str();
    name.strip_suffix("_aic").unwrap_or(name)
}

/// The cores of a block. If a program has parts for the cube core and parts for the vector cores, all of them run
/// it concurrently, each with its own instructions, flags and barriers. Such parts are a pair of functions,
/// sections or callees of both kinds, and operations that exchange queue entries or flags with the other kind.
/// Other programs use one kind of core.
pub(super) fn strands(module: &Module, reachable: &[FunctionId], entries: usize) -> Vec<Strand> {
    let operations = || reachable.iter().flat_map(|id| module.functions[*id].operations.iter());
    let exchanges = operations().any(|(_, operation)| is_transfer(operation));
    let flags = operations().any(|(_, operation)| is_flag_of_block(operation));
    let sections = operations().any(|(_, operation)| matches!(operation.meaning(), Meaning::Section(_)));
    let meets = operations().any(|(_, operation)| waits_for_others(operation));
    let asks = reachable.iter().any(|id| asks_for_its_index(module, &module.functions[*id]));
    let mixed = is_mixed(module, reachable);
    if entries < 2 && !exchanges && !mixed && !((flags || meets) && sections) {
        let entry = &module.functions[reachable[0]];
        let both = entry.core() == Some(Core::Vector) && asks_for_its_index(module, entry);
        let whole = |vector_core| Strand { kind: CoreKind::Whole, vector_core, entry: 0 };
        return (0..if both { 2 } else { 1 }).map(whole).collect();
    }
    // A queue without split does not use the second vector core.
    let splits = operations()
        .any(|(_, operation)| is_transfer(operation) && operation.integer_or_default("split") != Some(0));
    let both = splits || asks || flags || meets || !exchanges && entries < 2;
    let entry = entries as u32 - 1;
    let mut strands = vec![Strand { kind: CoreKind::Cube, vector_core: 0, entry: 0 }];
    for index in 0..if both { 2 } else { 1 } {
        strands.push(Strand { kind: CoreKind::Vector(index), vector_core: index, entry });
    }
    strands
}

/// Whether a program has sections or functions for the cube core and for the vector cores.
fn is_mixed(module: &Module, reachable: &[FunctionId]) -> bool {
    let functions = || reachable.iter().map(|id| &module.functions[*id]);
    let has = |core| functions().any(|function| function.core() == Some(core) || function.has_section(core));
    has(Core::Cube) && has(Core::Vector)
}

/// Whether a core may wait for another core.
pub(super) fn waits(module: &Module, reachable: &[FunctionId], strands: &[Strand]) -> bool {
    let operations = || reachable.iter().flat_map(|id| module.functions[*id].operations.iter());
    strands.iter().any(|strand| strand.kind != CoreKind::Whole)
        || operations().any(|(_, operation)| waits_for_others(operation))
}

/// Whether a block may wait for another block, of the same rank or another.
pub(super) fn blocks_wait(module: &Module, reachable: &[FunctionId], profile: Profile) -> bool {
    let mut operations = reachable.iter().flat_map(|id| module.functions[*id].operations.iter());
    operations.any(|(_, operation)| match operation.meaning() {
        Meaning::CoreFlag { between, .. } => {
            signal::reach(between, operation, profile) == Some(FlagReach::Blocks)
        }
        _ => waits_for_others(operation),
    })
}

/// Whether an operation transfers entries of a queue.
fn is_transfer(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Entry { .. })
}

/// Whether an operation sets or waits for a flag between cores of a block.
fn is_flag_of_block(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::CoreFlag { between: Between::Cores | Between::Moded, .. })
}

/// Whether an operation waits for other blocks or ranks.
fn waits_for_others(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Meet | Meaning::CoreFlag { .. })
        || operation.is_one_of(&[Op::COMM_TWAIT, Op::COMM_TTEST])
}

/// Checks that the two functions of a kernel have the same arguments by position, except those that the launch
/// fills in.
///
/// # Errors
/// If they differ.
pub(super) fn same_arguments(
    module: &Module,
    cube: FunctionId,
    vector: FunctionId,
) -> Result<(), Vec<Diagnostic>> {
    let types = |id: FunctionId| {
        let function = &module.functions[id];
        let values = function.arguments.iter().map(|argument| argument.value);
        let given = values.filter(|value| function.launch_fact(&module.types, *value).is_none());
        given.map(|value| function.values[value].ty).collect::<Vec<_>>()
    };
    if types(cube) == types(vector) {
        return Ok(());
    }
    let (a, b) = (&module.functions[cube], &module.functions[vector]);
    let message = format!("`@{}` and `@{}` are one kernel, but take different arguments", a.name, b.name);
    Err(vec![
        Diagnostic::error(&rules::run::KERNEL_ARGUMENTS, message)
            .at(b.name_span)
            .with_label(a.name_span, "the other function"),
    ])
}

/// Whether a function for the vector cores reads the index of its vector core.
fn asks_for_its_index(module: &Module, function: &Function) -> bool {
    function.core() != Some(Core::Cube)
        && (function.operations.iter().any(|(_, operation)| operation.is(Op::GET_SUBBLOCK_IDX))
            || function.launch_facts(&module.types).any(|fact| fact == LaunchFact::SubBlockIndex))
}
