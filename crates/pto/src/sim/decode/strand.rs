//! Which cores run a program side by side.

use super::super::code::{CoreKind, Strand};
use super::pipe;
use crate::diag::Diagnostic;
use crate::ir::{Function, FunctionId, Module};

/// Whether a function is for the vector cores, if it says for which cores it is.
pub(super) fn kind_of(function: &Function) -> Option<bool> {
    let named = |attributes: &[crate::ir::NamedAttribute]| {
        let word = crate::ir::find_attribute(attributes, "pto.kernel_kind")
            .and_then(|kind| kind.as_word().map(str::to_owned));
        word.map(|word| word == "vector")
    };
    named(&function.attributes)
}

/// The one cube function and the one vector function with bodies of a module, which together are one kernel.
pub(super) fn pair(module: &Module) -> Option<[FunctionId; 2]> {
    let of_kind = |vector: bool| {
        let mut functions = module.functions.iter().filter(|(_, function)| {
            function.body.is_some()
                && function.visibility.as_deref() != Some("private")
                && kind_of(function) == Some(vector)
        });
        let first = functions.next().map(|(id, _)| id);
        first.filter(|_| functions.next().is_none())
    };
    Some([of_kind(false)?, of_kind(true)?])
}

/// The name of the kernel that a pair of functions is: what `X_aic` and `X_aiv` have in common.
pub(super) fn kernel_name<'m>(module: &'m Module, pair: &[FunctionId; 2]) -> &'m str {
    let name = module.functions[pair[0]].name.as_str();
    name.strip_suffix("_aic").unwrap_or(name)
}

/// The cores that run side by side: of a pair of functions, or of a function whose callees exchange entries of
/// queues.
pub(super) fn strands(module: &Module, reachable: &[FunctionId], entries: usize) -> Vec<Strand> {
    let operations = || reachable.iter().flat_map(|id| module.functions[*id].operations.iter());
    let exchanges = operations().any(|(_, operation)| pipe::is_transfer(&operation.name));
    if entries < 2 && !exchanges {
        return Vec::new();
    }
    let splits = operations()
        .any(|(_, operation)| pipe::is_transfer(&operation.name) && pipe::number(operation, "split", 0) != 0);
    let asks = reachable.iter().any(|id| asks_for_its_index(&module.functions[*id]));
    let vector = entries as u32 - 1;
    let mut strands = vec![Strand { kind: CoreKind::Cube, entry: 0 }];
    for index in 0..if splits || asks { 2 } else { 1 } {
        strands.push(Strand { kind: CoreKind::Vector(index), entry: vector });
    }
    strands
}

/// The two functions of a kernel take the same arguments by position, apart from those that the launch fills in.
///
/// # Errors
/// If they do not.
pub(super) fn same_arguments(
    module: &Module,
    cube: FunctionId,
    vector: FunctionId,
) -> Result<(), Vec<Diagnostic>> {
    let types = |id: FunctionId| {
        let function = &module.functions[id];
        let values = function.arguments.iter().map(|argument| &function.values[argument.value]);
        values
            .filter(|value| !value.name.starts_with("__pypto_spmd_"))
            .map(|value| value.ty)
            .collect::<Vec<_>>()
    };
    if types(cube) == types(vector) {
        return Ok(());
    }
    let (a, b) = (&module.functions[cube], &module.functions[vector]);
    let message = format!("`@{}` and `@{}` are one kernel, but take different arguments", a.name, b.name);
    Err(vec![
        Diagnostic::error("kernel::arguments", message)
            .at(b.name_span)
            .with_label(a.name_span, "the other function"),
    ])
}

/// Whether a function for the vector cores asks which of them runs it.
fn asks_for_its_index(function: &Function) -> bool {
    kind_of(function) != Some(false)
        && (function.operations.iter().any(|(_, operation)| operation.name == "pto.get_subblock_idx")
            || function
                .arguments
                .iter()
                .any(|argument| function.values[argument.value].name == "__pypto_spmd_subblock_idx"))
}
