//! Finishing of a rewritten function: removes unreachable objects, and numbers the others in text order.

use super::Rewriter;
use crate::ir::comments::{PlacedComment, Spot};
use crate::ir::{Arena, Block, BlockId, Function, Operand, OperationId, Region, RegionId, ValueId};
use std::collections::HashMap;

/// New handles by old handles.
#[derive(Default)]
struct Numbers {
    values: HashMap<ValueId, ValueId>,
    operations: HashMap<OperationId, OperationId>,
    blocks: HashMap<BlockId, BlockId>,
    regions: HashMap<RegionId, RegionId>,
}

impl Rewriter<'_> {
    /// Writes the result back to the function.
    pub(super) fn finish(mut self) {
        let ends: Vec<BlockId> = self.function.blocks.iter().map(|(block, _)| block).collect();
        for block in ends {
            self.function.blocks[block].operations = self.operations(block).collect();
        }
        let comments = std::mem::take(&mut self.comments);
        let numbers = Numbers::of(self.function);
        renumber(self.function, &numbers);
        self.function.comments = placed(self.function, &numbers, comments);
    }
}

impl Numbers {
    fn of(function: &Function) -> Numbers {
        let mut numbers = Numbers::default();
        for argument in &function.arguments {
            numbers.value(argument.value);
        }
        if let Some(body) = function.body {
            numbers.region(function, body);
        }
        numbers
    }

    fn value(&mut self, value: ValueId) {
        let next = ValueId::from_index(self.values.len());
        self.values.entry(value).or_insert(next);
    }

    fn region(&mut self, function: &Function, region: RegionId) {
        self.regions.insert(region, RegionId::from_index(self.regions.len()));
        let blocks = &function.regions[region].blocks;
        for block in blocks {
            self.blocks.insert(*block, BlockId::from_index(self.blocks.len()));
        }
        for block in blocks {
            let block = &function.blocks[*block];
            block.arguments.iter().for_each(|argument| self.value(*argument));
            for id in &block.operations {
                self.operations.insert(*id, OperationId::from_index(self.operations.len()));
                let operation = &function.operations[*id];
                for region in &operation.regions {
                    self.region(function, *region);
                }
                operation.results.iter().for_each(|result| self.value(*result));
            }
        }
    }

    /// The members of an arena that have a new number, in the order of those numbers.
    fn sorted<T: Clone>(
        arena: &Arena<T>,
        numbers: &HashMap<crate::ir::Handle<T>, crate::ir::Handle<T>>,
    ) -> Arena<T> {
        let mut order: Vec<_> = numbers.iter().collect();
        order.sort_unstable_by_key(|(_, new)| new.index());
        let mut sorted = Arena::default();
        for (old, _) in order {
            sorted.push(arena[*old].clone());
        }
        sorted
    }
}

fn renumber(function: &mut Function, numbers: &Numbers) {
    // An undefined value, which the checker reports as an error, is numbered after all others.
    let mut values = numbers.values.clone();
    let used = numbers
        .operations
        .keys()
        .flat_map(|id| super::uses_of(&function.operations[*id]))
        .collect::<Vec<_>>();
    for value in used {
        let next = ValueId::from_index(values.len());
        values.entry(value).or_insert(next);
    }
    function.values = Numbers::sorted(&function.values, &values);
    function.operations = Numbers::sorted(&function.operations, &numbers.operations);
    function.blocks = Numbers::sorted(&function.blocks, &numbers.blocks);
    function.regions = Numbers::sorted(&function.regions, &numbers.regions);
    let operands =
        |list: &mut Vec<Operand>| list.iter_mut().for_each(|operand| operand.value = values[&operand.value]);
    for argument in &mut function.arguments {
        argument.value = values[&argument.value];
    }
    function.body = function.body.map(|body| numbers.regions[&body]);
    for index in 0..function.operations.len() {
        let operation = &mut function.operations[OperationId::from_index(index)];
        operands(&mut operation.operands);
        operation.results.iter_mut().for_each(|result| *result = values[result]);
        operation.regions.iter_mut().for_each(|region| *region = numbers.regions[region]);
        for successor in &mut operation.successors {
            operands(&mut successor.arguments);
            successor.block = numbers.blocks[&successor.block];
        }
    }
    for index in 0..function.blocks.len() {
        let Block { arguments, operations, .. } = &mut function.blocks[BlockId::from_index(index)];
        arguments.iter_mut().for_each(|argument| *argument = values[argument]);
        operations.iter_mut().for_each(|operation| *operation = numbers.operations[operation]);
    }
    for index in 0..function.regions.len() {
        let Region { blocks } = &mut function.regions[RegionId::from_index(index)];
        blocks.iter_mut().for_each(|block| *block = numbers.blocks[block]);
    }
}

/// The comments with their spots renumbered, in the order in which they are printed.
fn placed(
    function: &Function,
    numbers: &Numbers,
    comments: HashMap<Spot, Vec<crate::ir::Comment>>,
) -> Vec<PlacedComment> {
    let moved = |spot: Spot| {
        Some(match spot {
            Spot::Above(id) => Spot::Above(*numbers.operations.get(&id)?),
            Spot::Behind(id) => Spot::Behind(*numbers.operations.get(&id)?),
            Spot::AboveBlock(id) => Spot::AboveBlock(*numbers.blocks.get(&id)?),
            Spot::BehindBlock(id) => Spot::BehindBlock(*numbers.blocks.get(&id)?),
            Spot::Opening(id) => Spot::Opening(*numbers.regions.get(&id)?),
            Spot::Closing(id) => Spot::Closing(*numbers.regions.get(&id)?),
        })
    };
    let order: HashMap<Spot, usize> =
        Spot::all(function).into_iter().enumerate().map(|(index, spot)| (spot, index)).collect();
    let mut placed: Vec<(usize, Spot, Vec<crate::ir::Comment>)> = comments
        .into_iter()
        .filter_map(|(spot, list)| {
            let spot = moved(spot)?;
            Some((*order.get(&spot)?, spot, list))
        })
        .collect();
    placed.sort_unstable_by_key(|(index, ..)| *index);
    let each = |(_, spot, list): (usize, Spot, Vec<crate::ir::Comment>)| {
        list.into_iter().map(move |comment| PlacedComment { spot, comment })
    };
    placed.into_iter().flat_map(each).collect()
}
