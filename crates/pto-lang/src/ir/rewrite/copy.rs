//! Copies of operations with their regions.

use super::links::{Ends, Link};
use super::{Point, RewriteError, Rewriter};
use crate::ir::{Block, BlockId, Operand, OperationId, Region, RegionId, Successor, Value, ValueId};
use std::collections::HashMap;

impl Rewriter<'_> {
    /// Copies an operation with its regions. Operands that `map` has are replaced; the values that the copy defines are
    /// added to it. A number is appended to names that are used; comments are not copied.
    ///
    /// # Errors
    /// If the operation or the point is not in the function.
    pub fn copy(
        &mut self,
        id: OperationId,
        point: Point,
        map: &mut HashMap<ValueId, ValueId>,
    ) -> Result<OperationId, RewriteError> {
        self.present(Point::Before(id))?;
        self.present(point)?;
        Ok(self.copy_at(id, point, map, &HashMap::new()))
    }

    fn copy_at(
        &mut self,
        id: OperationId,
        point: Point,
        map: &mut HashMap<ValueId, ValueId>,
        blocks: &HashMap<BlockId, BlockId>,
    ) -> OperationId {
        let mut copy = self.function.operations[id].clone();
        copy.operands.iter_mut().for_each(|operand| mapped(operand, map));
        for Successor { block, arguments } in &mut copy.successors {
            *block = blocks.get(block).copied().unwrap_or(*block);
            arguments.iter_mut().for_each(|argument| mapped(argument, map));
        }
        copy.results = copy.results.iter().map(|result| self.copy_value(*result, map)).collect();
        let regions = std::mem::take(&mut copy.regions);
        let new = self.function.operations.push(copy);
        self.links.push(Link::default());
        self.attach(new, point);
        self.note_uses(new);
        let regions = regions.into_iter().map(|region| self.copy_region(new, region, map)).collect();
        self.function.operations[new].regions = regions;
        new
    }

    fn copy_value(&mut self, value: ValueId, map: &mut HashMap<ValueId, ValueId>) -> ValueId {
        let Value { name, ty, span } = self.function.values[value].clone();
        let name = self.unused_name(&name);
        self.users.push(Vec::new());
        let new = self.function.values.push(Value { name, ty, span });
        map.insert(value, new);
        new
    }

    fn copy_region(
        &mut self,
        owner: OperationId,
        region: RegionId,
        map: &mut HashMap<ValueId, ValueId>,
    ) -> RegionId {
        let old = self.function.regions[region].blocks.clone();
        let new_region = self.function.regions.push(Region::default());
        self.owners.push(Some(owner));
        let mut blocks = HashMap::new();
        for block in &old {
            let Block { name, arguments, span, .. } = self.function.blocks[*block].clone();
            let arguments = arguments.iter().map(|argument| self.copy_value(*argument, map)).collect();
            let new = self.function.blocks.push(Block { name, arguments, operations: Vec::new(), span });
            self.ends.push(Ends::default());
            self.regions.push(Some(new_region));
            self.function.regions[new_region].blocks.push(new);
            blocks.insert(*block, new);
        }
        for block in &old {
            for id in self.operations(*block).collect::<Vec<_>>() {
                self.copy_at(id, Point::End(blocks[block]), map, &blocks);
            }
        }
        new_region
    }
}

fn mapped(operand: &mut Operand, map: &HashMap<ValueId, ValueId>) {
    operand.value = map.get(&operand.value).copied().unwrap_or(operand.value);
}
