//! Values that the dialect has beside tiles and scalars: what is declared and placed later, multi tiles, structs,
//! arrays, pointers as numbers, the control register.

use super::super::code::Step;
use super::super::value::ValueStep;
use super::Decoder;
use crate::ir::{Attribute, Operation, OperationId, Type, ValueId};
use crate::isa::op::global::NOWHERE;
use crate::isa::op::state::{MAX_RANK, Slot, View};

/// Whether this module decodes operations of a name.
pub(super) fn runs(name: &str) -> bool {
    matches!(
        name,
        "pto.alloc_multi_tile"
            | "pto.multi_tile_get"
            | "pto.declare_tile"
            | "pto.declare_global"
            | "pto.declare_struct"
            | "pto.struct_get"
            | "pto.struct_set"
            | "pto.declare_eventid_array"
            | "pto.eventid_array_get"
            | "pto.eventid_array_set"
            | "pto.set_flag_dyn"
            | "pto.wait_flag_dyn"
            | "pto.ptrtoint"
            | "pto.inttoptr"
            | "pto.tile_valid_rows"
            | "pto.tile_valid_cols"
            | "pto.get_ctrl"
            | "pto.set_ctrl"
            // It is modernized when it is read.
            | "pto.subset"
    )
}

/// Operations that may meet a declared tile or view before it has an address.
const BEFORE_ADDRESS: [&str; 7] = [
    "pto.tpop",
    "pto.talloc",
    "pto.tassign",
    "pto.set_validshape",
    "pto.get_validshape",
    "pto.tile_valid_rows",
    "pto.tile_valid_cols",
];

/// The view that a type describes, in rows and without an address.
fn declared_view(shape: &[Option<u64>]) -> View {
    let mut view = View { address: NOWHERE, ..View::default() };
    let shape = &shape[..shape.len().min(MAX_RANK)];
    view.rank = shape.len() as u8;
    let mut stride = 1i64;
    for (at, extent) in shape.iter().enumerate().rev() {
        view.shape[at] = extent.unwrap_or(0);
        view.strides[at] = stride;
        stride = stride.saturating_mul(view.shape[at].min(i64::MAX as u64) as i64);
    }
    view
}

impl Decoder<'_> {
    /// Prepares what definitions far behind their uses need: flags of what is declared without an address, and the
    /// slots of handles, which TASSIGN gives another name.
    pub(super) fn declarations(&mut self) {
        for (_, operation) in self.function.operations.iter() {
            let Some(&result) = operation.results.first() else { continue };
            match operation.name.as_str() {
                "pto.declare_tile" | "pto.declare_global" => {
                    let flag = self.new_scalar();
                    self.declared.insert(result, flag);
                }
                "pto.tassign" => {
                    let Some(tile) = operation.operand("tile") else { continue };
                    let slot = self.slot(tile.value);
                    self.slots.insert(result, slot);
                }
                _ => {}
            }
        }
    }

    fn new_scalar(&mut self) -> u32 {
        self.code.scalar_slots += 1;
        self.code.scalar_slots - 1
    }

    /// What an operation uses has an address.
    pub(super) fn placed(&mut self, operation: &Operation) {
        if self.declared.is_empty() || BEFORE_ADDRESS.contains(&operation.name.as_str()) {
            return;
        }
        let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
        let used: Vec<ValueId> =
            operation.operands.iter().chain(passed).map(|operand| operand.value).collect();
        for value in used {
            if let Some(&flag) = self.declared.get(&value) {
                let name = self.function.values[value].name.as_str().into();
                self.emit(Step::Value(ValueStep::Placed { flag, name }));
            }
        }
    }

    /// The address that an operation gives to what was declared.
    pub(super) fn place(&mut self, operation: &Operation) {
        let Some(tile) = operation.operand("tile").map(|operand| operand.value) else { return };
        if let Slot::View(view) = self.slot(tile) {
            let pointer = self.scalar_in(operation, "address");
            self.emit(Step::Value(ValueStep::BindView { view, pointer }));
        }
        self.has_address(tile);
    }

    /// What was declared has an address from here on.
    pub(super) fn has_address(&mut self, value: ValueId) {
        if let Some(&flag) = self.declared.get(&value) {
            self.emit(Step::Constant { to: flag, bits: 1 });
        }
    }

    pub(super) fn value(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        let step = match operation.name.as_str() {
            "pto.alloc_multi_tile" => return self.alloc(id),
            "pto.declare_tile" => {
                self.alloc(id);
                return self.unplace(operation);
            }
            "pto.declare_global" => {
                self.unplace(operation);
                self.declared_view(operation)
            }
            "pto.multi_tile_get" => self.multi_tile(operation),
            "pto.declare_struct" => self.new_struct(operation),
            "pto.struct_get" | "pto.struct_set" => self.field(operation),
            "pto.declare_eventid_array" => return self.new_array(operation),
            "pto.eventid_array_get" | "pto.eventid_array_set" => return self.array_access(operation),
            "pto.set_flag_dyn" | "pto.wait_flag_dyn" => {
                let id = self.scalar_in(operation, "event");
                self.emit(Step::Value(ValueStep::EventId { id }));
                return self.order(operation);
            }
            "pto.ptrtoint" => Some(ValueStep::PointerToInt {
                to: self.result(operation),
                pointer: self.scalar_in(operation, "in"),
            }),
            "pto.inttoptr" => Some(ValueStep::IntToPointer {
                to: self.result(operation),
                from: self.scalar_in(operation, "in"),
            }),
            "pto.get_ctrl" => Some(ValueStep::ReadControl { to: self.result(operation) }),
            "pto.set_ctrl" => Some(ValueStep::WriteControl { value: self.scalar_in(operation, "value") }),
            "pto.tile_valid_rows" | "pto.tile_valid_cols" => self.tile_extent(operation),
            _ => None,
        };
        if let Some(step) = step {
            self.emit(Step::Value(step));
        }
    }

    /// What is declared anew has no address.
    fn unplace(&mut self, operation: &Operation) {
        let flag = operation.results.first().and_then(|result| self.declared.get(result).copied());
        if let Some(to) = flag {
            self.emit(Step::Constant { to, bits: 0 });
        }
    }

    fn type_of(&self, value: ValueId) -> &Type {
        &self.module.types[self.function.values[value].ty]
    }

    fn declared_view(&mut self, operation: &Operation) -> Option<ValueStep> {
        let &result = operation.results.first()?;
        let Type::TensorView { shape, .. } = self.type_of(result) else { return None };
        let view = Box::new(declared_view(shape));
        let Slot::View(to) = self.slot(result) else { return None };
        Some(ValueStep::DeclareView { to, view })
    }

    fn multi_tile(&mut self, operation: &Operation) -> Option<ValueStep> {
        let (source, &result) = (operation.operand("source")?.value, operation.results.first()?);
        let &Type::MultiTile { tile, count } = self.type_of(source) else { return None };
        let (Slot::Tile(from), Slot::Tile(to)) = (self.slot(source), self.slot(result)) else { return None };
        let index = self.scalar_in(operation, "index");
        Some(ValueStep::MultiGet { to, from, index, count, bytes: tile.bytes() })
    }

    fn new_struct(&mut self, operation: &Operation) -> Option<ValueStep> {
        let &result = operation.results.first()?;
        let length = self.shared.fields.scalars(self.function.values[result].ty)?;
        let to = self.scalar(result);
        self.code.array_slots += 1;
        Some(ValueStep::NewStruct { to, array: self.code.array_slots - 1, length })
    }

    /// The checker has followed the path: it ends at a scalar.
    fn field(&mut self, operation: &Operation) -> Option<ValueStep> {
        let of = operation.operand("struct")?.value;
        let Some(Attribute::Array(path)) = operation.attribute("path") else { return None };
        let path: Vec<_> = path.iter().filter_map(Attribute::as_integer).collect();
        let (field, _) =
            self.shared.fields.find(&self.module.types, self.function.values[of].ty, &path).ok()?;
        let of = self.scalar(of);
        Some(if operation.name == "pto.struct_get" {
            ValueStep::Field { to: self.result(operation), of, field }
        } else {
            ValueStep::SetField { of, field, value: self.scalar_in(operation, "value") }
        })
    }

    fn tile_extent(&mut self, operation: &Operation) -> Option<ValueStep> {
        let tile = operation.operand("tile")?.value;
        let Slot::Tile(tile) = self.slot(tile) else { return None };
        let cols = operation.name.ends_with("cols");
        Some(ValueStep::TileExtent { to: self.result(operation), tile, cols })
    }
}
