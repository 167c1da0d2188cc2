//! The tiles that instructions access, with their addresses: for timelines.

use super::interned::Recent;
use crate::timeline::recording::{PlacedTile, TileAccess};
use pto_isa::diag::Span;
use pto_isa::memory::Buffer;
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::strided_range::StridedRange;
use pto_lang::analysis::Storage;
use pto_machine::observe::Operand;
use pto_machine::sim::Program;
use pto_machine::sim::by_place::ByPlace;
use pto_machine::sim::event::{Place, Touched};
use pto_machine::sim::footprint::Kind;
use pto_machine::sim::operands::Space;
use pto_machine::sim::part::Part;
use std::collections::HashMap;

/// Tiles and lists of accesses, each once.
#[derive(Default)]
pub(super) struct Placed {
    storage: Option<Storage>,
    /// Tile that an operand of an operation names; `None` if the operand is not a tile.
    operands: HashMap<(Place, u16), Option<Declared>>,
    tiles: Vec<PlacedTile>,
    indices: HashMap<Identity, u32>,
    uses: HashMap<Vec<TileAccess>, u32>,
    recent: ByPlace<Recent<Vec<Seen>>>,
}

/// Key of a tile, with its first byte in the memory of a block.
///
/// In a live launch each call has values of its own, and an object may get another serial number in each round of a loop: tiles of one
/// type at one address are one there.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Identity {
    Value(u32, u64),
    Live(String, u64),
}

/// The serial number of the tile of an access in a live launch.
type Serials<'a> = &'a dyn Fn(&Touched) -> Option<u32>;

/// Key of an access to a tile: operand, access, pipe, first byte of the tile, bytes.
type Seen = (u16, Access, Pipe, u64, StridedRange);

/// The accesses to tiles among all.
fn of_tiles(touched: &[Touched]) -> impl Iterator<Item = &Touched> {
    let of_tile =
        |touched: &&Touched| matches!(touched.space, Space::Chip(..)) && touched.touch.access.is_of_bytes();
    touched.iter().filter(of_tile)
}

fn seen(touched: &Touched) -> Seen {
    let Kind { operand, access, pipe, .. } = touched.touch;
    (operand, access, pipe, touched.start, touched.range)
}

/// A tile as the program declares it.
#[derive(Clone)]
struct Declared {
    name: String,
    ty: String,
    span: Span,
    bytes: u64,
    memory: Buffer,
    allocation: Option<u32>,
    /// Number of the value within the module.
    value: u32,
}

impl Placed {
    /// The number of the list of an instruction's accesses to tiles.
    pub(super) fn uses(
        &mut self,
        program: &Program,
        at: Place,
        touched: &[Touched],
        serials: Serials<'_>,
    ) -> u32 {
        let recent = self.recent.get_or_insert_with(at, Recent::default);
        let is_same = |list: &Vec<Seen>| list.iter().copied().eq(of_tiles(touched).map(seen));
        if let Some((_, number)) = recent.find(|list| is_same(list)) {
            return number;
        }
        let list: Vec<TileAccess> = of_tiles(touched)
            .filter_map(|touched| self.access(program, at, touched, serials(touched)))
            .collect();
        // Number 0 is the empty list.
        let next = self.uses.len() as u32 + 1;
        let number = if list.is_empty() { 0 } else { *self.uses.entry(list).or_insert(next) };
        let recent = self.recent.get_or_insert_with(at, Recent::default);
        recent.keep(of_tiles(touched).map(seen).collect(), number);
        number
    }

    fn access(
        &mut self,
        program: &Program,
        at: Place,
        touched: &Touched,
        serial: Option<u32>,
    ) -> Option<TileAccess> {
        let key = (at, touched.touch.operand);
        if !self.operands.contains_key(&key) {
            let operand = Operand::of(program, at, touched.touch.operand);
            let storage = &mut self.storage;
            let declared = operand.and_then(|operand| match serial {
                // A part does not see where its tiles come from.
                Some(serial) => Declared::of(&operand, (serial != 0).then_some(serial), 0),
                None => {
                    let storage = storage.get_or_insert_with(|| Storage::of(program.module()));
                    let value = storage.number(operand.id, operand.value);
                    Declared::of(&operand, operand.allocation(storage), value)
                }
            });
            self.operands.insert(key, declared);
        }
        let declared = self.operands.get(&key)?.as_ref()?;
        let identity = match serial {
            Some(_) => Identity::Live(declared.ty.clone(), touched.start),
            None => Identity::Value(declared.value, touched.start),
        };
        let (part, first) = Part::of(program.map(), touched.start);
        let tiles = &mut self.tiles;
        let tile = *self.indices.entry(identity).or_insert_with(|| {
            let Declared { name, ty, span, bytes, memory, allocation, .. } = declared.clone();
            tiles.push(PlacedTile {
                name,
                ty,
                span,
                allocation,
                memory,
                part,
                address: touched.start - first,
                bytes,
            });
            tiles.len() as u32 - 1
        });
        let range = StridedRange { start: touched.range.start.saturating_sub(first), ..touched.range };
        Some(TileAccess { tile, access: touched.touch.access, pipe: touched.touch.pipe, range })
    }

    /// The tiles, and the lists of accesses by number.
    pub(super) fn finish(self) -> (Vec<PlacedTile>, Vec<Vec<TileAccess>>) {
        let mut uses: Vec<(u32, Vec<TileAccess>)> =
            self.uses.into_iter().map(|(list, number)| (number, list)).collect();
        uses.sort_unstable_by_key(|(number, _)| *number);
        let lists = std::iter::once(Vec::new()).chain(uses.into_iter().map(|(_, list)| list));
        (self.tiles, lists.collect())
    }
}

impl Declared {
    fn of(operand: &Operand<'_>, allocation: Option<u32>, value: u32) -> Option<Declared> {
        let (ty, bytes, memory) = (operand.brief()?, operand.bytes()?, operand.buffer()?);
        let declared = &operand.function.values[operand.value];
        Some(Declared {
            name: declared.name.clone(),
            ty,
            span: declared.span,
            bytes,
            memory,
            allocation,
            value,
        })
    }
}
