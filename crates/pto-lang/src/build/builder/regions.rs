//! Operations with regions.

use super::{Builder, MAX_DEPTH, operand};
use crate::build::error::Error;
use crate::build::{Begun, Id};
use crate::ir::{Block, BlockId, Region, TypeId, ValueId};
use pto_isa::registry::Op;
use pto_isa::rules;

impl Builder {
    /// Appends an operation with a region of one block, such as `scf.for`. `arguments` are the names and types of
    /// the block's arguments, which `body` gets. The operation itself is checked with the whole module.
    ///
    /// # Errors
    /// If an operand belongs to another builder, regions are nested too deeply, or `body` fails; the function is
    /// then unchanged.
    pub fn region(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        arguments: &[(&str, TypeId)],
        body: impl FnOnce(&mut Builder, &[Id]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.in_roles(operands)?;
        let before = self.clone();
        let made: Vec<Id> = arguments.iter().map(|(name, ty)| self.region_value(name, *ty)).collect();
        let opened = self.open_region(made.iter().map(|id| id.value).collect(), operands);
        match opened.and_then(|block| body(self, &made).map(|()| block)) {
            Ok(block) => {
                self.close_region(block, op, operands);
                Ok(())
            }
            Err(error) => {
                *self = before;
                Err(error)
            }
        }
    }

    /// Begins an operation with a region, as [`region`](Builder::region) without a closure. What is appended until
    /// [`end`](Builder::end) is in the region. To abandon it, go back to a clone of the builder.
    ///
    /// # Errors
    /// If an operand belongs to another builder, or regions are nested too deeply.
    pub fn begin(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        arguments: &[(&str, TypeId)],
    ) -> Result<(Begun, Vec<Id>), Error> {
        self.in_roles(operands)?;
        let made: Vec<Id> = arguments.iter().map(|(name, ty)| self.region_value(name, *ty)).collect();
        let block = self.open_region(made.iter().map(|id| id.value).collect(), operands)?;
        Ok((Begun { op, block, operands: operands.to_vec() }, made))
    }

    /// Ends the operation that was begun last.
    ///
    /// # Errors
    /// If another one was begun later, or this one has ended.
    pub fn end(&mut self, begun: Begun) -> Result<(), Error> {
        if self.open.last() != Some(&begun.block) {
            return Err(Error::own(&rules::kernel::DEPTH, "it is not the innermost region that is open"));
        }
        self.close_region(begun.block, begun.op, &begun.operands);
        Ok(())
    }

    /// Opens a region; its operation is appended when the region is closed.
    pub fn open_region(
        &mut self,
        arguments: Vec<ValueId>,
        operands: &[(&'static str, Id)],
    ) -> Result<BlockId, Error> {
        if self.open.len() > MAX_DEPTH {
            let message = format!("loops and sections are nested more than {MAX_DEPTH} deep");
            return Err(Error::own(&rules::kernel::DEPTH, message));
        }
        self.mark_used(&operands.iter().map(|(_, id)| id.value).collect::<Vec<_>>());
        let block = self.function.blocks.push(Block { arguments, ..Block::default() });
        self.open.push(block);
        self.reset.push(Vec::new());
        Ok(block)
    }

    /// Closes the innermost region and appends its operation.
    pub fn close_region(&mut self, block: BlockId, op: Op, operands: &[(&'static str, Id)]) {
        self.open.pop();
        let set = self.reset.pop().unwrap_or_default();
        // The region may run any number of times, so the valid regions that it sets are unknown after it.
        set.iter().for_each(|tile| self.rules.forget_region(*tile));
        if let Some(outer) = self.reset.last_mut() {
            outer.extend(set);
        }
        let region = self.function.regions.push(Region { blocks: vec![block] });
        let operands = operands.iter().map(|(role, id)| operand(role, id.value)).collect();
        let id = self.push_detached(op, operands, Vec::new(), Vec::new());
        self.function.operations[id].regions.push(region);
        self.block().operations.push(id);
    }

    /// An argument of a region, such as a loop's induction variable.
    pub fn region_value(&mut self, name: &str, ty: TypeId) -> Id {
        Id { builder: self.serial, value: self.value(name, ty) }
    }
}
