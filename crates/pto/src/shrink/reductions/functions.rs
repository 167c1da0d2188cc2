//! Functions and modules are removed.

use super::InModule;
use super::operations::erase_with_users;
use pto_lang::ir::{FunctionId, Item, Module, OperationId};
use std::collections::HashSet;

/// A function, and the calls of it.
pub(super) const DROPPED: InModule<FunctionId> = InModule {
    name: "functions",
    does: "removes functions, and calls of them",
    places: |module| module.functions.iter().map(|(id, _)| id).collect(),
    change: drop_functions,
};

/// A module inside which there are others or functions. Its members take its place, without its attributes.
pub(super) const UNWRAPPED: InModule<usize> = InModule {
    name: "modules",
    does: "replaces modules by their members",
    places: |module| (0..modules(&module.items)).collect(),
    change: |module, places| places.iter().rev().for_each(|at| unwrap(&mut module.items, &mut (*at).clone())),
};

fn drop_functions(module: &mut Module, places: &[FunctionId]) {
    let dropped: HashSet<FunctionId> = places.iter().copied().collect();
    let kept = |id: &FunctionId| !dropped.contains(id);
    let names: HashSet<String> = places.iter().map(|id| module.functions[*id].name.clone()).collect();
    let still: HashSet<&str> =
        module.functions.iter().filter(|(id, _)| kept(id)).map(|(_, other)| other.name.as_str()).collect();
    let gone: HashSet<String> = names.into_iter().filter(|name| !still.contains(name.as_str())).collect();
    remove(&mut module.items, &dropped);
    let rest: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).filter(kept).collect();
    for function in rest {
        module.rewrite(function, |rewriter| {
            let calls = |id: &OperationId| {
                rewriter.operation(*id).symbol("callee").is_some_and(|callee| gone.contains(callee))
            };
            let calls: Vec<OperationId> = rewriter.all_operations().into_iter().filter(calls).collect();
            calls.iter().rev().for_each(|call| erase_with_users(rewriter, call));
        });
    }
}

/// Removes functions from the tree. The nesting of modules is bounded by the parser.
fn remove(items: &mut Vec<Item>, dropped: &HashSet<FunctionId>) {
    items.retain_mut(|item| match item {
        Item::Function(id) => !dropped.contains(id),
        Item::Module(inner) => {
            remove(&mut inner.items, dropped);
            true
        }
    });
}

fn modules(items: &[Item]) -> usize {
    let of = |item: &Item| match item {
        Item::Function(_) => 0,
        Item::Module(inner) => 1 + modules(&inner.items),
    };
    items.iter().map(of).sum()
}

/// Replaces the module with a number, in the order of the text, by its members.
fn unwrap(items: &mut Vec<Item>, number: &mut usize) {
    for at in 0..items.len() {
        let Item::Module(inner) = &mut items[at] else { continue };
        if *number == 0 {
            let members = std::mem::take(&mut inner.items);
            items.splice(at..=at, members);
            *number = usize::MAX;
            return;
        }
        *number -= 1;
        unwrap(&mut inner.items, number);
        if *number == usize::MAX {
            return;
        }
    }
}
