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

#[cfg(test)]
mod tests {
    use super::*;
    use pto_isa::registry::Op;

    #[test]
    fn a_loop_is_copied_with_its_body() {
        let text = "func.func @f(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {
    %more = arith.addi %sum, %i : index
    pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
    scf.yield %more : index
  }
  return
}";
        let mut module = crate::parse(text).expect("well-formed text").module;
        let (function, _) = module.functions.iter().next().expect("a function");
        module.rewrite(function, |rewriter| {
            let of = |rewriter: &Rewriter<'_>, op: Op| {
                rewriter
                    .all_operations()
                    .into_iter()
                    .find(|id| rewriter.operation(*id).is(op))
                    .expect("an operation")
            };
            let (one, end) = (of(rewriter, Op::SCF_FOR), of(rewriter, Op::FUNC_RETURN));
            let sum = rewriter.operation(one).results[0];
            let init = rewriter.operation(one).value("init").expect("a value");
            rewriter
                .copy(one, Point::Before(end), &mut HashMap::from([(init, sum)]))
                .expect("both are there");
        });
        let printed = crate::text::print(&module, &Default::default());
        let again = crate::parse(&printed).expect("well-formed text");
        assert_eq!(crate::text::print(&again.module, &Default::default()), printed);
        assert_eq!(printed.matches("scf.for").count(), 2);
        assert!(
            printed.contains("%s_1 = scf.for %i_1 = %s to %n step %c1 iter_args(%sum_1 = %s)"),
            "{printed}"
        );
    }
}
