//! Storage of tiles: the memory object of each tile of a function, and the offset in it, as far as they are known before the run.

use super::{Facts, Storage};
use crate::ir::flow::Flow;
use crate::ir::{Function, FunctionId, Module, Operation, OperationId, Type, ValueId};
use pto_isa::layout::Layout;
use pto_isa::meaning::Meaning;
use pto_isa::memory::Buffer;
use pto_isa::op::site::Fact;
use pto_isa::registry::Op;
use pto_isa::tile::TileType;
use std::collections::HashMap;

/// The memory object that contains a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Base {
    /// A buffer; offsets are addresses.
    Buffer(Buffer),
    /// An allocation without an address, by its number in [`Storage`]; it overlaps nothing else.
    Object(u32),
}

/// Bytes of a memory object: first byte, and number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) base: Base,
    pub(crate) start: u64,
    pub(crate) bytes: u64,
}

/// Memory object and offset of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The memory object, and the byte offset of the tile's first byte.
    At(Base, u64),
    /// Somewhere in these bytes.
    Within(Vec<Span>),
    /// Anywhere in a buffer.
    Anywhere(Buffer),
}

/// The places of the tiles of one function.
pub(crate) struct Places<'a> {
    module: &'a Module,
    id: FunctionId,
    facts: &'a Facts,
    storage: &'a Storage,
    known: HashMap<ValueId, Place>,
    /// All bytes that the tiles of an allocation may occupy.
    whole: HashMap<u32, Place>,
}

/// Buffer and bytes of the storage of a tile or of several tiles; `None` for other types.
pub(crate) fn storage_of(ty: &Type) -> Option<(Buffer, u64)> {
    match ty {
        Type::Tile(tile) => Some((tile.buffer(), tile.bytes() as u64)),
        Type::MultiTile { tile, count } => {
            Some((tile.buffer(), (tile.bytes() as u64).saturating_mul(u64::from(*count))))
        }
        Type::ConvTile(tile) => Some((tile.buffer(), tile.bytes())),
        _ => None,
    }
}

impl<'a> Places<'a> {
    /// Computes the places of all tiles of a function.
    pub(crate) fn of(module: &'a Module, id: FunctionId, facts: &'a Facts, storage: &'a Storage) -> Self {
        let (known, whole) = (HashMap::new(), HashMap::new());
        let mut places = Places { module, id, facts, storage, known, whole };
        let function = places.function();
        for (_, operation) in function.operations.iter() {
            places.own(operation);
        }
        for operation in Flow::of(function).operations() {
            places.names(*operation);
        }
        places
    }

    fn function(&self) -> &'a Function {
        &self.module.functions[self.id]
    }

    fn type_of(&self, value: ValueId) -> &'a Type {
        &self.module.types[self.function().values[value].ty]
    }

    /// The place of a tile.
    pub(crate) fn place(&self, value: ValueId) -> Place {
        if let Some(place) = self.known.get(&value) {
            return place.clone();
        }
        let allocation = self.storage.allocation(self.id, value);
        self.whole.get(&allocation).cloned().unwrap_or(Place::At(Base::Object(allocation), 0))
    }

    /// Adds the storage of an allocation: its own, or the storage at an address that the operation assigns.
    fn own(&mut self, operation: &Operation) {
        let (value, address) = match operation.op() {
            Some(Op::TASSIGN) => {
                let Some(tile) = operation.value("tile") else { return };
                let address = operation.operands.iter().find(|operand| operand.role != "tile");
                (tile, Some(address.and_then(|operand| self.facts.constant(operand.value))))
            }
            _ if operation.meaning() == Meaning::AllocTile => {
                let Some(result) = operation.result() else { return };
                (result, operation.value("addr").map(|address| self.facts.constant(address)))
            }
            _ => return,
        };
        let Some((buffer, bytes)) = storage_of(self.type_of(value)) else { return };
        let allocation = self.storage.allocation(self.id, value);
        let span = match address {
            None => Some(Span { base: Base::Object(allocation), start: 0, bytes }),
            Some(address) => address.and_then(|address| u64::try_from(address).ok()).map(|start| Span {
                base: Base::Buffer(buffer),
                start,
                bytes,
            }),
        };
        let whole = self.whole.entry(allocation).or_insert(Place::Within(Vec::new()));
        match (span, whole) {
            (Some(span), Place::Within(spans)) => {
                if !spans.contains(&span) {
                    spans.push(span);
                }
            }
            (_, whole) => *whole = Place::Anywhere(buffer),
        }
    }

    /// Records the place of the tile that an operation defines.
    fn names(&mut self, id: OperationId) {
        let operation = &self.function().operations[id];
        if operation.is(Op::TRESHAPE) {
            self.reshaped(operation);
        }
        let Some(result) = operation.result() else { return };
        let source = |places: &Self| operation.value("source").map(|value| (value, places.place(value)));
        let place = match operation.op() {
            Some(Op::ALLOC_TILE | Op::ALLOC_MULTI_TILE) => self.allocated(operation, result),
            Some(Op::SUBVIEW) => {
                let (Some((value, place)), Type::Tile(_)) = (source(self), self.type_of(result)) else {
                    return;
                };
                self.part(operation, value, place)
            }
            Some(Op::MULTI_TILE_GET) => {
                let (Some((value, place)), Type::Tile(tile)) = (source(self), self.type_of(result)) else {
                    return;
                };
                let index = operation.value("index").and_then(|index| self.facts.constant(index));
                let offset =
                    index.and_then(|index| u64::try_from(index).ok()?.checked_mul(tile.bytes() as u64));
                self.moved(value, place, offset)
            }
            Some(Op::TASSIGN) => self.assigned(operation, result),
            Some(Op::TRESHAPE) => match operation.value("src") {
                Some(value) => self.place(value),
                None => return,
            },
            _ => return,
        };
        self.known.insert(result, place);
    }

    /// The place of a tile after its address was assigned.
    fn assigned(&self, operation: &Operation, result: ValueId) -> Place {
        let address = operation.operands.iter().find(|operand| operand.role != "tile");
        let address = address.and_then(|operand| u64::try_from(self.facts.constant(operand.value)?).ok());
        match (address, storage_of(self.type_of(result))) {
            (Some(address), Some((buffer, _))) => Place::At(Base::Buffer(buffer), address),
            (None, Some((buffer, _))) => Place::Anywhere(buffer),
            _ => self.place(result),
        }
    }

    /// A tile that TRESHAPE makes an alias of another one may be at either place.
    fn reshaped(&mut self, operation: &Operation) {
        let (Some(source), Some(to)) = (operation.value("src"), operation.value("dst")) else { return };
        let both = [source, to].map(|value| {
            let bytes = storage_of(self.type_of(value)).map_or(0, |(_, bytes)| bytes);
            match self.place(value) {
                Place::At(base, start) => Place::Within(vec![Span { base, start, bytes }]),
                other => other,
            }
        });
        let place = match both {
            [Place::Within(a), Place::Within(b)] => Place::Within([a, b].concat()),
            [Place::Anywhere(buffer), _] | [_, Place::Anywhere(buffer)] => Place::Anywhere(buffer),
            [one, _] => one,
        };
        self.known.insert(to, place);
    }

    fn allocated(&self, operation: &Operation, result: ValueId) -> Place {
        let allocation = self.storage.allocation(self.id, result);
        let is_moved = operation.value("addr").is_some() && self.facts.address(result).is_none();
        match (operation.value("addr"), self.facts.address(result), self.whole.get(&allocation)) {
            (Some(_), Some(address), _) => {
                let buffer = storage_of(self.type_of(result)).map_or(Buffer::Ub, |(buffer, _)| buffer);
                Place::At(Base::Buffer(buffer), address)
            }
            (_, _, Some(whole)) if is_moved || !self.is_single(whole, allocation) => whole.clone(),
            _ => Place::At(Base::Object(allocation), 0),
        }
    }

    /// Whether an allocation is one object without an address.
    fn is_single(&self, whole: &Place, allocation: u32) -> bool {
        matches!(whole, Place::Within(spans) if spans.iter().all(|span| span.base == Base::Object(allocation)))
    }

    /// The place of a part of a tile.
    fn part(&self, operation: &Operation, source: ValueId, place: Place) -> Place {
        let offsets: Vec<_> =
            operation.operands_in("offsets").map(|offset| self.facts.constant(offset.value)).collect();
        let layout = self.layout(operation, source);
        let offset = match (offsets.as_slice(), layout) {
            (&[Some(row), Some(col)], Some((layout, tile))) => {
                let inside = |at: i64, limit: usize| usize::try_from(at).ok().filter(|at| *at < limit);
                inside(row, layout.rows)
                    .zip(inside(col, layout.cols))
                    .map(|(row, col)| tile.element.bytes(layout.offset(row, col)) as u64)
            }
            _ => None,
        };
        self.moved(source, place, offset)
    }

    fn layout(&self, operation: &Operation, source: ValueId) -> Option<(Layout, TileType)> {
        let fact = self.facts.fact(self.function(), &self.module.types, source, operation);
        match fact {
            Fact::Tile(tile) => Some((tile.layout(), tile.ty)),
            _ => None,
        }
    }

    /// The place `offset` bytes after that of a tile; all bytes of the tile if the offset is unknown.
    fn moved(&self, tile: ValueId, place: Place, offset: Option<u64>) -> Place {
        let bytes = storage_of(self.type_of(tile)).map_or(0, |(_, bytes)| bytes);
        match (place, offset) {
            (Place::At(base, start), Some(offset)) => Place::At(base, start.saturating_add(offset)),
            (Place::At(base, start), None) => Place::Within(vec![Span { base, start, bytes }]),
            (other, _) => other,
        }
    }
}
