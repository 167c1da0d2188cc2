//! Jumps between blocks: to one of two targets, or none.

use super::InModule;
use super::carried::replace;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::{BlockId, Function, FunctionId, Module, OperationId, RegionId, ValueId};

/// A jump to one of two blocks, and the number of the block to which it goes instead.
pub(super) const ONE_SIDED: InModule<(FunctionId, OperationId, usize)> = InModule {
    name: "jumps",
    does: "replaces a jump with a condition by a jump to one of its blocks",
    places: |module| {
        let sides = |(id, operation, meaning)| match meaning {
            Meaning::BranchIf => vec![(id, operation, 1), (id, operation, 0)],
            _ => Vec::new(),
        };
        ends(module).into_iter().flat_map(sides).collect()
    },
    change: |module, places| {
        for (function, id, side) in places.iter().rev() {
            let function = &mut module.functions[*function];
            let operation = &mut function.operations[*id];
            if operation.successors.len() == 2 {
                operation.successors = vec![operation.successors.swap_remove(*side)];
                operation.operands.clear();
                operation.name = Op::CF_BR.into();
                drop_unreachable(function);
            }
        }
    },
};

/// A jump to a block to which no other leads, and which is appended to the block of the jump.
pub(super) const MERGED: InModule<(FunctionId, OperationId)> = InModule {
    name: "blocks",
    does: "appends a block to the only one that jumps to it",
    places: |module| {
        let jumps = ends(module).into_iter().filter(|(_, _, meaning)| *meaning == Meaning::Branch);
        jumps.map(|(function, id, _)| (function, id)).collect()
    },
    change: |module, places| {
        for (function, id) in places.iter().rev() {
            merge(&mut module.functions[*function], *id);
        }
    },
};

fn ends(module: &Module) -> Vec<(FunctionId, OperationId, Meaning)> {
    let of = |(id, function): (FunctionId, &Function)| {
        let operations = Flow::of(function).operations().to_vec();
        operations
            .into_iter()
            .map(|operation| (id, operation, function.operations[operation].meaning()))
            .collect::<Vec<_>>()
    };
    module.functions.iter().flat_map(of).collect()
}

/// The region and the block that end with an operation.
fn place(function: &Function, id: OperationId) -> Option<(RegionId, BlockId)> {
    let flow = Flow::of(function);
    let (block, _) = flow.place(id)?;
    Some((flow.region(block)?, block))
}

fn merge(function: &mut Function, id: OperationId) -> Option<()> {
    let (region, before) = place(function, id)?;
    let successor = function.operations[id].successors.first()?.clone();
    let target = successor.block;
    let jumps = function.operations.iter().flat_map(|(_, operation)| &operation.successors);
    let first = function.regions[region].blocks.first();
    if jumps.filter(|jump| jump.block == target).count() != 1 || first == Some(&target) || target == before {
        return None;
    }
    let arguments = std::mem::take(&mut function.blocks[target].arguments);
    let given: Vec<ValueId> = successor.arguments.iter().map(|operand| operand.value).collect();
    for (argument, value) in arguments.into_iter().zip(given) {
        replace(function, argument, value);
    }
    let moved = std::mem::take(&mut function.blocks[target].operations);
    let own = &mut function.blocks[before].operations;
    own.retain(|operation| *operation != id);
    own.extend(moved);
    function.operations[id].successors.clear();
    function.regions[region].blocks.retain(|block| *block != target);
    Some(())
}

/// Drops blocks to which no jump leads.
fn drop_unreachable(function: &mut Function) {
    for region in 0..function.regions.len() {
        let region = RegionId::from_index(region);
        loop {
            let blocks = &function.regions[region].blocks;
            let is_used = |target: &BlockId| {
                blocks.iter().any(|block| {
                    let operations = &function.blocks[*block].operations;
                    let jumps = operations.iter().flat_map(|id| &function.operations[*id].successors);
                    block != target && jumps.into_iter().any(|jump| jump.block == *target)
                })
            };
            let kept: Vec<BlockId> = blocks
                .iter()
                .enumerate()
                .filter(|(at, block)| *at == 0 || is_used(block))
                .map(|(_, b)| *b)
                .collect();
            if kept.len() == blocks.len() {
                break;
            }
            function.regions[region].blocks = kept;
        }
    }
}
