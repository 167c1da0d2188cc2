//! Values other than tiles and scalars: declared tiles and views, multi tiles, structs, arrays, pointers from
//! integers, the control register.

use super::super::code::Step;
use super::super::value::ValueStep;
use super::Decoder;
use pto_isa::exec::global::NOWHERE;
use pto_isa::exec::state::{Slot, View};
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_isa::types::MAX_RANK;
use pto_lang::ir::{Operation, OperationId, Type, ValueId};

/// Operations that may use a declared tile or view before it has an address.
const BEFORE_ADDRESS: [Op; 7] = [
    Op::TPOP,
    Op::TALLOC,
    Op::TASSIGN,
    Op::SET_VALIDSHAPE,
    Op::GET_VALIDSHAPE,
    Op::TILE_VALID_ROWS,
    Op::TILE_VALID_COLS,
];

/// The view of a type, row-major and without an address.
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
    /// Allocates slots for values whose definitions may follow their uses: flags of declared values without an
    /// address, and handles that TASSIGN aliases.
    pub(super) fn declarations(&mut self) {
        for (_, operation) in self.function.operations.iter() {
            let Some(&result) = operation.results.first() else { continue };
            match operation.op() {
                Some(Op::DECLARE_TILE | Op::DECLARE_GLOBAL) => {
                    let flag = self.new_scalar();
                    self.declared.insert(result, flag);
                }
                Some(Op::TASSIGN) => {
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

    /// Checks at run time that the operands of an operation have addresses.
    pub(super) fn placed(&mut self, operation: &Operation) {
        if self.declared.is_empty() || operation.is_one_of(&BEFORE_ADDRESS) {
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

    /// Decodes an operation that assigns an address to a declared value.
    pub(super) fn place(&mut self, operation: &Operation) {
        let Some(tile) = operation.operand("tile").map(|operand| operand.value) else { return };
        if let Slot::View(view) = self.slot(tile) {
            let pointer = self.scalar_in(operation, "address");
            self.emit(Step::Value(ValueStep::BindView { view, pointer }));
        }
        self.has_address(tile);
    }

    /// Marks a declared value as having an address.
    pub(super) fn has_address(&mut self, value: ValueId) {
        if let Some(&flag) = self.declared.get(&value) {
            self.emit(Step::Constant { to: flag, bits: 1 });
        }
    }

    /// Decodes any other operation: not control flow, scalar arithmetic, an instruction with a formula, or a
    /// queue.
    pub(super) fn value(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        let step = match operation.meaning() {
            Meaning::AllocTile => return self.alloc(id),
            Meaning::DeclareTile => {
                self.alloc(id);
                return self.unplace(operation);
            }
            Meaning::DeclareView => {
                self.unplace(operation);
                self.declared_view(operation)
            }
            Meaning::MultiTileGet => self.multi_tile(operation),
            Meaning::MakeView => return self.make_view(operation),
            Meaning::Partition => return self.partition(operation),
            Meaning::ViewExtent { stride } => return self.view_dim(operation, stride),
            Meaning::TileExtent { cols } => self.tile_extent(operation, cols),
            Meaning::DeclareStruct => self.new_struct(operation),
            Meaning::StructGet | Meaning::StructSet => self.field(operation),
            Meaning::DeclareArray => return self.new_array(operation),
            Meaning::ArrayGet => return self.array_access(operation, true),
            Meaning::ArraySet => return self.array_access(operation, false),
            Meaning::AddPointer => return self.add_pointer(operation),
            Meaning::PointerToInteger => Some(ValueStep::PointerToInt {
                to: self.result(operation),
                pointer: self.scalar_in(operation, "in"),
            }),
            Meaning::IntegerToPointer => Some(ValueStep::IntToPointer {
                to: self.result(operation),
                from: self.scalar_in(operation, "in"),
            }),
            Meaning::ReadControl => Some(ValueStep::ReadControl { to: self.result(operation) }),
            Meaning::WriteControl => {
                Some(ValueStep::WriteControl { value: self.scalar_in(operation, "value") })
            }
            Meaning::Launch(fact) => return self.launch(operation, fact),
            Meaning::Flag { computed: true, .. } => {
                let id = self.scalar_in(operation, "event");
                self.emit(Step::Value(ValueStep::EventId { id }));
                return self.order(operation);
            }
            Meaning::Flag { .. } | Meaning::Barrier | Meaning::Token { .. } | Meaning::Fence => {
                return self.order(operation);
            }
            _ => {
                let message = format!("`{}` does not run yet", operation.name);
                return self.problem(&rules::structure::UNSUPPORTED, operation.name_span, message);
            }
        };
        if let Some(step) = step {
            self.emit(Step::Value(step));
        }
    }

    /// Marks newly declared values as having no address.
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

    /// Resolves the path of a struct field; the checker ensures that it ends at a scalar.
    fn field(&mut self, operation: &Operation) -> Option<ValueStep> {
        let of = operation.operand("struct")?.value;
        let path = operation.integers("path")?;
        let (field, _) =
            self.shared.fields.find(&self.module.types, self.function.values[of].ty, &path).ok()?;
        let of = self.scalar(of);
        Some(if operation.meaning() == Meaning::StructGet {
            ValueStep::Field { to: self.result(operation), of, field }
        } else {
            ValueStep::SetField { of, field, value: self.scalar_in(operation, "value") }
        })
    }

    fn tile_extent(&mut self, operation: &Operation, cols: bool) -> Option<ValueStep> {
        let tile = operation.operand("tile")?.value;
        let Slot::Tile(tile) = self.slot(tile) else { return None };
        Some(ValueStep::TileExtent { to: self.result(operation), tile, cols })
    }
}
