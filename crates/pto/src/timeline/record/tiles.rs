//! The tiles that instructions access, with their addresses: for timelines.

use super::interned::Recent;
use crate::timeline::recording::{PlacedTile, TileAccess};
use pto_isa::diag::Span;
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
    /// What an operand of an operation names; `None` if it is no tile.
    operands: HashMap<(Place, u16), Option<Declared>>,
    tiles: Vec<PlacedTile>,
    /// By the number of the operand's value and the first byte in the memory of a block.
    indices: HashMap<(u32, u64), u32>,
    uses: HashMap<Vec<TileAccess>, u32>,
    recent: ByPlace<Recent<Vec<Seen>>>,
}

/// What makes an access to a tile another one: operand, access, pipe, first byte of the tile, bytes.
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
    allocation: Option<u32>,
    /// Number of the value within the module.
    value: u32,
}

impl Placed {
    /// The number of the list of an instruction's accesses to tiles.
    pub(super) fn uses(&mut self, program: &Program, at: Place, touched: &[Touched]) -> u32 {
        let recent = self.recent.get_or_insert_with(at, Recent::default);
        let is_same = |list: &Vec<Seen>| list.iter().copied().eq(of_tiles(touched).map(seen));
        if let Some((_, number)) = recent.find(|list| is_same(list)) {
            return number;
        }
        let list: Vec<TileAccess> =
            of_tiles(touched).filter_map(|touched| self.access(program, at, touched)).collect();
        // Number 0 is the empty list.
        let next = self.uses.len() as u32 + 1;
        let number = if list.is_empty() { 0 } else { *self.uses.entry(list).or_insert(next) };
        let recent = self.recent.get_or_insert_with(at, Recent::default);
        recent.keep(of_tiles(touched).map(seen).collect(), number);
        number
    }

    fn access(&mut self, program: &Program, at: Place, touched: &Touched) -> Option<TileAccess> {
        let key = (at, touched.touch.operand);
        if !self.operands.contains_key(&key) {
            let storage = self.storage.get_or_insert_with(|| Storage::of(program.module()));
            let declared = Declared::of(program, storage, at, touched.touch.operand);
            self.operands.insert(key, declared);
        }
        let declared = self.operands.get(&key)?.as_ref()?;
        let (part, first) = Part::of(program.map(), touched.start);
        let tiles = &mut self.tiles;
        let tile = *self.indices.entry((declared.value, touched.start)).or_insert_with(|| {
            let Declared { name, ty, span, bytes, allocation, .. } = declared.clone();
            tiles.push(PlacedTile {
                name,
                ty,
                span,
                allocation,
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
    fn of(program: &Program, storage: &Storage, at: Place, operand: u16) -> Option<Declared> {
        let operand = Operand::of(program, at, operand)?;
        let (ty, bytes) = (operand.brief()?, operand.bytes()?);
        let value = &operand.function.values[operand.value];
        Some(Declared {
            name: value.name.clone(),
            ty,
            span: value.span,
            bytes,
            allocation: operand.allocation(storage),
            value: storage.number(operand.id, operand.value),
        })
    }
}
