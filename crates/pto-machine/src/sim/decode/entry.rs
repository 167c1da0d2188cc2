//! Entry functions, and the functions reachable from them.

use super::{DecodeError, strand};
use pto_isa::diag::Diagnostic;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::ir::{FunctionId, Module, Names, Operation};
use std::collections::HashSet;

/// The entry function, or the cube and the vector function of a kernel.
pub(super) fn find_entry(module: &Module, name: Option<&str>) -> Result<Vec<FunctionId>, DecodeError> {
    let bodies = || module.functions.iter().filter(|(_, function)| function.body.is_some());
    if let Some(name) = name {
        let found = bodies().find(|(_, function)| function.name == name);
        if let Some(pair) = strand::pair(module).filter(|pair| strand::kernel_name(module, pair) == name) {
            return Ok(pair.to_vec());
        }
        return found.map(|(id, _)| vec![id]).ok_or_else(|| {
            let known: Vec<_> = bodies().map(|(_, function)| format!("`{}`", function.name)).collect();
            let message = format!("there is no function `{name}`; there is {}", known.join(", "));
            let error = Diagnostic::error(&rules::run::ENTRY, message);
            let names = bodies().map(|(_, function)| function.name.as_str());
            vec![pto_isa::diag::suggest(error, None, name, names)]
        });
    }
    let roots = roots(module);
    match roots.as_slice() {
        [only] => Ok(vec![*only]),
        [] => {
            let error =
                Diagnostic::error(&rules::run::ENTRY, "the file defines no function that could be run");
            Err(vec![error.with_help("a kernel is `func.func @name(%x: !pto.ptr<f32>) { ... return }`")])
        }
        several => {
            if let Some(pair) = strand::pair(module).filter(|pair| pair.iter().all(|id| several.contains(id)))
            {
                return Ok(pair.to_vec());
            }
            let names: Vec<_> =
                several.iter().map(|id| format!("`{}`", module.functions[*id].name)).collect();
            let message = format!("the file defines several functions: {}", names.join(", "));
            Err(vec![Diagnostic::error(&rules::run::ENTRY, message).with_help("name one with `--entry`")])
        }
    }
}

/// The candidates for the entry if none is named: the function marked as entry, else the functions that are never
/// called.
fn roots(module: &Module) -> Vec<FunctionId> {
    let bodies = || module.functions.iter().filter(|(_, function)| function.body.is_some());
    let marked: Vec<_> = bodies()
        .filter(|(_, function)| function.attributes.iter().any(|attribute| attribute.name == "pto.entry"))
        .map(|(id, _)| id)
        .collect();
    if let [only] = marked.as_slice() {
        return vec![*only];
    }
    let called = called_names(module);
    bodies()
        .filter(|(_, function)| {
            function.visibility.as_deref() != Some("private") && !called.contains(function.name.as_str())
        })
        .map(|(id, _)| id)
        .collect()
}

/// The names of the kernels of a module: its root functions, two of which may form one kernel.
pub(super) fn kernels(module: &Module) -> Vec<String> {
    let roots = roots(module);
    let pair = strand::pair(module).filter(|pair| pair.iter().all(|id| roots.contains(id)));
    let alone = roots.iter().filter(|id| pair.is_none_or(|pair| !pair.contains(id)));
    let both = pair.iter().map(|pair| strand::kernel_name(module, pair).to_owned());
    both.chain(alone.map(|id| module.functions[*id].name.clone())).collect()
}

fn called_names(module: &Module) -> HashSet<&str> {
    let operations = module.functions.iter().flat_map(|(_, function)| function.operations.iter());
    operations.filter_map(|(_, operation)| callee(operation)).collect()
}

pub(super) fn callee(operation: &Operation) -> Option<&str> {
    operation.symbol("callee").filter(|_| operation.is(Op::FUNC_CALL))
}

/// The entry functions and all functions that they call, the entries first.
pub(super) fn reachable(module: &Module, entries: &[FunctionId]) -> Vec<FunctionId> {
    let names = Names::of(module);
    let mut list = entries.to_vec();
    let mut listed: HashSet<FunctionId> = entries.iter().copied().collect();
    let mut next = 0;
    while let Some(&id) = list.get(next) {
        next += 1;
        for (_, operation) in module.functions[id].operations.iter() {
            let Some(name) = callee(operation) else { continue };
            let target = names.find(&module.functions[id], name);
            if let Some(target) = target.filter(|target| listed.insert(*target)) {
                list.push(target);
            }
        }
    }
    list
}
