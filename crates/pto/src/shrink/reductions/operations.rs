//! Operations are erased.

use super::InFunctions;
use pto_isa::meaning::Meaning;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::rewrite::Rewriter;
use pto_lang::ir::{Function, Module, Operation, OperationId};
use std::collections::HashSet;

/// An operation and the operations that use its results, and so on.
pub(super) const ERASED: InFunctions<OperationId> = InFunctions {
    name: "operations",
    does: "erases operations, with those that use their results",
    places: erasable,
    change: erase_with_users,
};

/// An operation whose results are not used.
pub(super) const UNUSED: InFunctions<OperationId> = InFunctions {
    name: "unused",
    does: "erases operations whose results are not used",
    places: erasable,
    change: |rewriter, id| {
        // Users are erased before: places are changed from the last to the first.
        if !rewriter.operation(*id).results.is_empty() {
            let _ = rewriter.erase(*id);
        }
    },
};

fn erasable(_: &Module, function: &Function) -> Vec<OperationId> {
    let is_erasable = |id: &OperationId| !is_needed(&function.operations[*id]);
    Flow::of(function).operations().iter().copied().filter(is_erasable).collect()
}

/// Whether a block needs the operation as its end; a `yield` without values may be left out.
pub(super) fn is_needed(operation: &Operation) -> bool {
    let is_empty = operation.meaning() == Meaning::Yield && operation.operands.is_empty();
    operation.meaning().ends_block() && !is_empty
}

/// Erases an operation with its users, unless the end of a block is among them.
pub(super) fn erase_with_users(rewriter: &mut Rewriter<'_>, id: &OperationId) {
    let (mut open, mut seen, mut order) = (vec![*id], HashSet::from([*id]), Vec::new());
    while let Some(id) = open.pop() {
        if is_needed(rewriter.operation(id)) {
            return;
        }
        order.push(id);
        for result in rewriter.operation(id).results.clone() {
            open.extend(rewriter.users(result).into_iter().filter(|user| seen.insert(*user)));
        }
    }
    // An operation is erased once its users are: each pass over the list erases at least one.
    while !order.is_empty() {
        let before = order.len();
        order.retain(|id| rewriter.block_of(*id).is_some() && rewriter.erase(*id).is_err());
        if order.len() == before {
            return;
        }
        order.reverse();
    }
}
