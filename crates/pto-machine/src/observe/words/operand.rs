//! The values that operands of instructions name.

use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::memory::Buffer;
use pto_lang::analysis::Storage;
use pto_lang::ir::{Function, FunctionId, Module, OperationId, Type, ValueId};

/// An operand or a result of an instruction.
pub struct Operand<'a> {
    module: &'a Module,
    /// The number of the function.
    pub id: FunctionId,
    /// The function of the instruction.
    pub function: &'a Function,
    /// The value.
    pub value: ValueId,
}

impl<'a> Operand<'a> {
    /// The operand, or after the operands the result, with an index.
    pub fn of(program: &'a Program, at: Place, index: u16) -> Option<Operand<'a>> {
        let module = program.module();
        let id = program.function_at(at.function)?.0.id?;
        let function = &module.functions[id];
        let operation = &function.operations[OperationId::from_index(at.operation as usize)];
        let index = usize::from(index);
        let operand = operation.operands.get(index).map(|operand| operand.value);
        let value = operand
            .or_else(|| operation.results.get(index.checked_sub(operation.operands.len())?).copied())?;
        Some(Operand { module, id, function, value })
    }

    /// Name of the operand without `%`.
    pub(crate) fn name(&self) -> &'a str {
        &self.function.values[self.value].name
    }

    fn ty(&self) -> &'a Type {
        &self.module.types[self.function.values[self.value].ty]
    }

    /// Size of the tile in bytes; `None` if the operand is not a tile.
    pub fn bytes(&self) -> Option<u64> {
        match self.ty() {
            Type::Tile(tile) => Some(tile.bytes() as u64),
            Type::ConvTile(tile) => Some(tile.bytes()),
            _ => None,
        }
    }

    /// Memory of the tile; `None` if the operand is not a tile.
    pub fn buffer(&self) -> Option<Buffer> {
        match self.ty() {
            Type::Tile(tile) => Some(tile.buffer()),
            Type::ConvTile(tile) => Some(tile.buffer()),
            _ => None,
        }
    }

    /// Type of the tile in short; `None` if the operand is not a tile.
    pub fn brief(&self) -> Option<String> {
        match self.ty() {
            Type::Tile(tile) => Some(tile.brief()),
            Type::ConvTile(tile) => Some(tile.brief()),
            _ => None,
        }
    }

    /// Number of the tile's allocation; `None` for a view of the tile at its address.
    pub fn allocation(&self, storage: &Storage) -> Option<u32> {
        (!storage.is_part(self.id, self.value)).then(|| storage.allocation(self.id, self.value))
    }
}
