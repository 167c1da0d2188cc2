//! Operations other than control flow and instructions: scalars, tiles, views, arrays, the launch.

use super::super::code::{Extent, Step, TilePlace};
use super::Decoder;
use pto_isa::exec::state::Slot;
use pto_isa::meaning::{Binary, Conversion, LaunchFact, Meaning};
use pto_isa::memory::Buffer;
use pto_isa::rules;
use pto_isa::scalar::{Cast, Compare, Width, constant_bits};
use pto_isa::types::MAX_RANK;
use pto_lang::ir::{Operation, OperationId, Scalar, Type, ValueId};

/// Maximum number of elements of a local array.
const MAX_ARRAY: u64 = 1 << 20;

impl Decoder<'_> {
    /// Decodes arithmetic of the scalar unit.
    pub(super) fn statement(&mut self, operation: &Operation) {
        match operation.meaning() {
            Meaning::Constant => self.constant(operation),
            Meaning::Binary(op) => self.binary(operation, op),
            Meaning::Compare { float } => self.compare(operation, float),
            Meaning::Select => self.select(operation),
            Meaning::Negate => {
                let (to, from) = (self.result(operation), self.scalar_in(operation, "in"));
                let element = self.scalar_type(operation.results[0]).element();
                self.emit(Step::FloatNegate { element, to, from });
            }
            Meaning::Convert(conversion) => self.cast(operation, conversion),
            _ => {}
        }
    }

    /// Decodes a pointer plus an offset in elements.
    pub(super) fn add_pointer(&mut self, operation: &Operation) {
        let (to, pointer) = (self.result(operation), self.scalar_in(operation, "pointer"));
        let offset = self.scalar_in(operation, "offset");
        let bytes = match &self.module.types[self.function.values[operation.results[0]].ty] {
            Type::Pointer { element, .. } => element.element().bits().div_ceil(8),
            _ => 1,
        };
        self.emit(Step::AddPointer { to, pointer, offset, bytes });
    }

    pub(super) fn result(&mut self, operation: &Operation) -> u32 {
        operation.results.first().map_or(0, |result| self.scalar(*result))
    }

    fn scalar_type(&self, value: ValueId) -> Scalar {
        match &self.module.types[self.function.values[value].ty] {
            Type::Scalar(scalar) => *scalar,
            _ => Scalar::Index,
        }
    }

    fn operand_type(&self, operation: &Operation, role: &str) -> Scalar {
        operation.operand(role).map_or(Scalar::Index, |operand| self.scalar_type(operand.value))
    }

    pub(super) fn launch(&mut self, operation: &Operation, what: LaunchFact) {
        let to = self.result(operation);
        self.emit(Step::Launch { to, what });
    }

    fn constant(&mut self, operation: &Operation) {
        let ty = self.scalar_type(operation.results[0]);
        let to = self.result(operation);
        let Some(bits) = operation.attribute("value").and_then(|value| constant_bits(value, ty)) else {
            let message = "a constant of this type does not run yet".into();
            return self.problem(&rules::structure::UNSUPPORTED, operation.span, message);
        };
        self.emit(Step::Constant { to, bits });
    }

    fn binary(&mut self, operation: &Operation, op: Binary) {
        let (a, b) = (self.scalar_in(operation, "lhs"), self.scalar_in(operation, "rhs"));
        let to = self.result(operation);
        let ty = self.operand_type(operation, "lhs");
        match op {
            Binary::Float(op) => self.emit(Step::FloatBinary { op, element: ty.element(), to, a, b }),
            op => self.emit(Step::Binary { op, width: Width::of(ty.bits()), to, a, b }),
        };
    }

    fn compare(&mut self, operation: &Operation, float: bool) {
        let (a, b) = (self.scalar_in(operation, "lhs"), self.scalar_in(operation, "rhs"));
        let to = self.result(operation);
        let ty = self.operand_type(operation, "lhs");
        let word = operation.word("predicate").unwrap_or("");
        if float {
            self.emit(Step::CompareFloat { predicate: word.to_owned(), element: ty.element(), to, a, b });
            return;
        }
        // Unknown predicates are refused before a run.
        if let Some(op) = Compare::from_word(word) {
            self.emit(Step::Compare { op, width: Width::of(ty.bits()), to, a, b });
        }
    }

    fn select(&mut self, operation: &Operation) {
        let condition = self.scalar_in(operation, "condition");
        let slots: Vec<Slot> = ["then", "else"]
            .iter()
            .filter_map(|role| operation.operand(role))
            .map(|o| o.value)
            .map(|v| self.slot(v))
            .collect();
        let to = self.slot(operation.results[0]);
        let &[then, otherwise] = slots.as_slice() else { return };
        self.copy(to, then);
        let skip = self.emit(Step::JumpIfEqual { slot: condition, value: 1, target: 0 });
        self.copy(to, otherwise);
        self.land(skip);
    }

    fn cast(&mut self, operation: &Operation, conversion: Conversion) {
        let from = self.operand_type(operation, "in");
        let to_type = operation.results.first().map_or(Scalar::Index, |result| self.scalar_type(*result));
        let Some(cast) = Cast::of(conversion, from, to_type) else {
            let message = format!("`{}` does not run yet", operation.name);
            return self.problem(&rules::structure::UNSUPPORTED, operation.name_span, message);
        };
        let (to, from) = (self.result(operation), self.scalar_in(operation, "in"));
        self.emit(Step::Cast { cast, to, from });
    }

    pub(super) fn alloc(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        let Some(&result) = operation.results.first() else { return };
        let Slot::Tile(to) = self.slot(result) else { return };
        let (tile, count) = match self.module.types[self.function.values[result].ty] {
            Type::Tile(tile) => (tile, 1),
            Type::MultiTile { tile, count } => (tile, u64::from(count)),
            Type::ConvTile(tile) => {
                let place = self.tile_place(id, operation, tile.buffer(), tile.bytes());
                let none = Extent::Fixed(0);
                self.emit(Step::Alloc { to, place, rows: none, cols: none, limit: (0, 0) });
                return;
            }
            _ => return,
        };
        let place = self.tile_place(id, operation, tile.buffer(), count.saturating_mul(tile.bytes() as u64));
        let extent = |decoder: &mut Self, role: &str, fixed: Option<u32>, declared: u32| match (
            operation.operand(role),
            fixed,
        ) {
            (_, Some(fixed)) => Extent::Fixed(fixed),
            (Some(operand), None) => Extent::Slot(decoder.scalar(operand.value)),
            (None, None) => Extent::Fixed(declared),
        };
        let rows = extent(self, "valid_row", tile.valid_rows, tile.rows);
        let cols = extent(self, "valid_col", tile.valid_cols, tile.cols);
        self.emit(Step::Alloc { to, place, rows, cols, limit: (tile.rows, tile.cols) });
    }

    fn tile_place(
        &mut self,
        id: OperationId,
        operation: &Operation,
        buffer: Buffer,
        bytes: u64,
    ) -> TilePlace {
        let base = self.shared.places.map.base[buffer as usize];
        let place = match operation.operand("addr") {
            None => TilePlace::Fresh {
                address: self.shared.places.automatic(self.id, id).unwrap_or(0),
                bytes,
                in_ub: buffer == Buffer::Ub,
            },
            Some(operand) => match self.facts.constant(operand.value).and_then(|at| usize::try_from(at).ok())
            {
                Some(address) => TilePlace::Fixed(base + address),
                None => TilePlace::Slot {
                    slot: self.scalar(operand.value),
                    base,
                    capacity: self.profile.capacity(buffer),
                    bytes,
                },
            },
        };
        let written = match place {
            TilePlace::Fixed(address) | TilePlace::Fresh { address, .. } => {
                address..address.saturating_add(bytes as usize)
            }
            TilePlace::Slot { base, capacity, .. } => base..base + capacity as usize,
        };
        if buffer == Buffer::Ub {
            let second = self.shared.places.map.vector_stride;
            self.tiles.push(written.start + second..written.end + second);
        }
        self.tiles.push(written);
        place
    }

    fn scalars(&mut self, operation: &Operation, role: &str) -> Vec<Slot> {
        let values: Vec<_> = operation.operands_in(role).map(|operand| operand.value).collect();
        values.into_iter().map(|value| self.slot(value)).collect()
    }

    /// The rank of a view: the length of both lists, which have these roles.
    fn rank(&mut self, operation: &Operation, lists: [(&str, &[Slot]); 2]) -> Option<u8> {
        let [(first, a), (second, b)] = lists.map(|(role, list)| (role, list.len()));
        if a == b && (1..=MAX_RANK).contains(&a) {
            return Some(a as u8);
        }
        let message = match a == b {
            true => format!("`{first}` and `{second}` have {a} dimensions: a view has one to five"),
            false => format!(
                "`{first}` has a length of {a}, but `{second}` of {b}: give one of each for each dimension"
            ),
        };
        self.problem(&rules::values::VIEW_RANK, operation.span, message);
        None
    }

    pub(super) fn make_view(&mut self, operation: &Operation) {
        let (shape, strides) = (self.scalars(operation, "shape"), self.scalars(operation, "strides"));
        let Some(rank) = self.rank(operation, [("shape", &shape), ("strides", &strides)]) else { return };
        let pointer = self.scalar_in(operation, "source");
        let Slot::View(to) = self.slot(operation.results[0]) else { return };
        let first = self.list(&shape);
        self.code.lists.extend(strides);
        let bits = self.view_bits(operation);
        self.emit(Step::MakeView { to, pointer, first, rank, bits });
    }

    pub(super) fn partition(&mut self, operation: &Operation) {
        let (offsets, sizes) = (self.scalars(operation, "offsets"), self.scalars(operation, "sizes"));
        let Some(rank) = self.rank(operation, [("offsets", &offsets), ("sizes", &sizes)]) else { return };
        let source = operation.operand("source").map(|operand| operand.value);
        let (Some(Slot::View(from)), Slot::View(to)) =
            (source.map(|value| self.slot(value)), self.slot(operation.results[0]))
        else {
            return;
        };
        let first = self.list(&offsets);
        self.code.lists.extend(sizes);
        let bits = self.view_bits(operation);
        self.emit(Step::Partition { to, from, first, rank, bits });
    }

    /// Bits per element of the view that an operation creates.
    fn view_bits(&self, operation: &Operation) -> u32 {
        match &self.module.types[self.function.values[operation.results[0]].ty] {
            Type::TensorView { element, .. } | Type::PartitionView { element, .. } => element.bits(),
            _ => 32,
        }
    }

    pub(super) fn view_dim(&mut self, operation: &Operation, stride: bool) {
        let view = operation.operand("view").map(|operand| operand.value);
        let Some(Slot::View(view)) = view.map(|value| self.slot(value)) else { return };
        let index = self.scalar_in(operation, "index");
        let to = self.result(operation);
        self.emit(Step::ViewDim { to, view, index, stride });
    }

    /// The extents of an array.
    fn shape_of(&self, array: ValueId) -> Option<Vec<u64>> {
        match &self.module.types[self.function.values[array].ty] {
            Type::LocalArray { shape, .. } => Some(shape.clone()),
            ty => ty.events().map(|count| vec![count]),
        }
    }

    pub(super) fn new_array(&mut self, operation: &Operation) {
        let Some(&result) = operation.results.first() else { return };
        let Some(shape) = self.shape_of(result) else { return };
        let length = shape.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
        let Some(length) = length.filter(|length| *length <= MAX_ARRAY) else {
            let message = format!("an array holds at most {MAX_ARRAY} elements");
            return self.problem(&rules::values::LOCAL_ARRAY, operation.span, message);
        };
        let Slot::Array(to) = self.slot(result) else { return };
        self.emit(Step::NewArray { to, length: length as u32 });
    }

    pub(super) fn array_access(&mut self, operation: &Operation, reads: bool) {
        let Some(array) = operation.operand("array").map(|operand| operand.value) else { return };
        let Some(shape) = self.shape_of(array) else { return };
        // An array of events has one index.
        let mut indices = self.scalars(operation, "indices");
        indices.extend(self.scalars(operation, "index"));
        if indices.len() != shape.len() {
            let message = format!("{} indices for an array of {} dimensions", indices.len(), shape.len());
            return self.problem(&rules::values::LOCAL_ARRAY, operation.span, message);
        }
        let rank = shape.len() as u8;
        let shape_at = self.code.shapes.len() as u32;
        self.code.shapes.extend(shape);
        let first = self.list(&indices);
        let Slot::Array(array) = self.slot(array) else { return };
        if reads {
            let to = self.result(operation);
            self.emit(Step::ArrayGet { to, array, first, shape: shape_at, rank });
        } else {
            let value = self.scalar_in(operation, "value");
            self.emit(Step::ArraySet { array, value, first, shape: shape_at, rank });
        }
    }
}
