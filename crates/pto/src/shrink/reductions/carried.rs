//! Values that loops carry are dropped: each round uses the initial value.

use super::InModule;
use super::operations::is_needed;
use pto_isa::meaning::Meaning;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::{Block, Function, FunctionId, Module, Operand, OperationId, ValueId};

/// A carried value of a counted loop, by loop and number.
pub(super) const CARRIED: InModule<(FunctionId, OperationId, usize)> = InModule {
    name: "carried",
    does: "drops values that loops carry from one round to the next",
    places,
    change: |module, places| {
        for (function, id, at) in places.iter().rev() {
            drop_carried(&mut module.functions[*function], *id, *at);
        }
    },
};

fn places(module: &Module) -> Vec<(FunctionId, OperationId, usize)> {
    let mut places = Vec::new();
    for (id, function) in module.functions.iter() {
        for operation in Flow::of(function).operations() {
            let known = &function.operations[*operation];
            if known.meaning() == Meaning::For {
                places.extend((0..known.results.len()).map(|at| (id, *operation, at)));
            }
        }
    }
    places
}

fn drop_carried(function: &mut Function, id: OperationId, at: usize) -> Option<()> {
    let operation = &function.operations[id];
    let position = operation.operands.iter().enumerate().filter(|(_, operand)| operand.role == "init");
    let (position, init) = position.map(|(position, operand)| (position, operand.value)).nth(at)?;
    let result = *operation.results.get(at)?;
    let &[block] = function.regions[*operation.regions.first()?].blocks.as_slice() else { return None };
    let Block { arguments, operations, .. } = &function.blocks[block];
    let (argument, end) = (*arguments.get(at + 1)?, *operations.last()?);
    let is_value = |(_, operand): &(usize, &Operand)| operand.role == "values";
    let passed = function.operations[end].operands.iter().enumerate().filter(is_value).nth(at)?.0;
    function.operations[id].operands.remove(position);
    function.operations[id].results.remove(at);
    function.blocks[block].arguments.remove(at + 1);
    function.operations[end].operands.remove(passed);
    if !is_needed(&function.operations[end]) {
        function.blocks[block].operations.pop();
    }
    replace(function, result, init);
    replace(function, argument, init);
    Some(())
}

/// Replaces all uses of a value.
pub(super) fn replace(function: &mut Function, of: ValueId, by: ValueId) {
    for index in 0..function.operations.len() {
        let operation = &mut function.operations[OperationId::from_index(index)];
        let passed = operation.successors.iter_mut().flat_map(|successor| &mut successor.arguments);
        for operand in operation.operands.iter_mut().chain(passed).filter(|operand| operand.value == of) {
            operand.value = by;
        }
    }
}
