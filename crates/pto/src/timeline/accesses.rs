//! The accesses of a block to tiles, in the order of time.

use super::live::{Lives, Used};
use super::recording::{PlacedTile, Recording, Step, TileAccess};
use super::timing::Timing;
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_lang::analysis::names::{Name, Names};
use pto_machine::sim::part::Part;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction on a pipe: an index among the spans of a timing, or among the instructions of its scalar units.
#[derive(Clone, Copy)]
enum At {
    Span(u32),
    Scalar(u32),
}

/// The instructions of a block that access tiles.
pub(super) struct Accesses<'a> {
    recording: &'a Recording,
    timing: &'a Timing,
    /// Starts and instructions, ascending.
    order: Vec<(f64, At)>,
    /// For each tile that is accessed, the whole of which it is a part.
    wholes: BTreeMap<u32, u32>,
}

impl<'a> Accesses<'a> {
    /// Collects the accesses of a block, by rank and number.
    pub(super) fn of(recording: &'a Recording, timing: &'a Timing, block: (u32, u32)) -> Accesses<'a> {
        let is_of_block = |core: u32| {
            let core = recording.streams[core as usize].core;
            (core.rank, core.block) == block
        };
        let mut accesses = Accesses { recording, timing, order: Vec::new(), wholes: BTreeMap::new() };
        let (spans, scalar) = (timing.spans().iter().enumerate(), timing.scalar.iter().enumerate());
        let spans = spans.filter(|(_, span)| is_of_block(span.core));
        let spans = spans.map(|(index, span)| (span.start, At::Span(index as u32)));
        let scalar = scalar.filter(|(_, item)| is_of_block(item.lane));
        let scalar = scalar.map(|(index, item)| (item.start, At::Scalar(index as u32)));
        let mut order: Vec<(f64, At)> =
            spans.chain(scalar).filter(|(_, at)| accesses.at(*at).1.next().is_some()).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        accesses.order = order;
        accesses.wholes = accesses.wholes(&accesses.values());
        accesses
    }

    /// When an instruction ran, and its accesses to tiles on that pipe.
    fn at(&self, at: At) -> ((Used, u32), impl Iterator<Item = &'a TileAccess> + use<'a>) {
        let (step, pipe, used) = match at {
            At::Span(index) => {
                let span = &self.timing.spans()[index as usize];
                let used = Used { core: span.core, start: span.start, end: span.end, done: span.done };
                (span.step, span.pipe, used)
            }
            At::Scalar(index) => {
                let item = &self.timing.scalar[index as usize];
                let used = Used { core: item.lane, start: item.start, end: item.end, done: item.end };
                (item.step, Pipe::Scalar, used)
            }
        };
        let stream = &self.recording.streams[used.core as usize];
        let (work, uses) = match self.recording.step(stream, step as usize) {
            Some(Step::Work { work, uses, .. }) => (work, uses),
            _ => (0, 0),
        };
        let work = &self.recording.works[work as usize];
        let is_last = work.phases.last() == Some(&pipe);
        // An access without a pipe of its own belongs to the instruction's last pipe.
        let here =
            move |access: &&TileAccess| access.pipe == pipe || is_last && !work.phases.contains(&access.pipe);
        ((used, work.source), self.recording.uses[uses as usize].iter().filter(here))
    }

    /// The allocations whose tiles are names of one value, by the smallest of their numbers.
    fn values(&self) -> OneValue {
        let mut names: BTreeMap<Part, Names<u32, ()>> = BTreeMap::new();
        let (mut one, mut several) = (BTreeSet::new(), BTreeSet::new());
        for (_, at) in &self.order {
            let ((used, _), accesses) = self.at(*at);
            for access in accesses.filter(|access| access.access.is_of_bytes()) {
                let PlacedTile { allocation, part, address, bytes, .. } =
                    self.recording.tiles[access.tile as usize];
                let tile = Name { allocation, start: address, bytes };
                let names = names.entry(part).or_default();
                if access.access.changes() {
                    let keeps = access.access != Access::Destroy;
                    names.write(used.core, tile, &access.range, keeps, (), |_, _| ());
                    continue;
                }
                let Some(own) = allocation else { continue };
                names.read(tile, &access.range, |overwritten| {
                    let other = overwritten.by.0;
                    let pair = [own.min(other), own.max(other)];
                    match overwritten.is_one_value {
                        true => one.insert(pair),
                        false => several.insert(pair),
                    };
                });
            }
        }
        OneValue::of(one.difference(&several).copied())
    }

    /// The largest tile that contains a tile and belongs to the same value: a subview is a part of its tile.
    fn wholes(&self, values: &OneValue) -> BTreeMap<u32, u32> {
        let mut used = vec![false; self.recording.tiles.len()];
        for access in self.order.iter().flat_map(|(_, at)| self.at(*at).1) {
            used[access.tile as usize] = true;
        }
        let tile = |index: u32| &self.recording.tiles[index as usize];
        let mut used: Vec<u32> = (0..used.len() as u32).filter(|index| used[*index as usize]).collect();
        // Larger tiles first, and of equal ones the first that was accessed.
        used.sort_unstable_by_key(|index| (tile(*index).part, Reverse(tile(*index).bytes), *index));
        let mut wholes: Vec<u32> = Vec::new();
        let mut found = BTreeMap::new();
        for index in used {
            let part = tile(index);
            let contains = |whole: &&u32| {
                let whole = tile(**whole);
                whole.part == part.part
                    && (part.allocation.is_none() || values.value(whole) == values.value(part))
                    && whole.address <= part.address
                    && part.end() <= whole.end()
            };
            let whole = wholes.iter().find(contains).copied();
            if whole.is_none() {
                wholes.push(index);
            }
            found.insert(index, whole.unwrap_or(index));
        }
        found
    }

    /// The values of each tile over time, and the operations that access it.
    pub(super) fn lives(&self) -> BTreeMap<u32, (Lives, Vec<u32>)> {
        let mut tiles: BTreeMap<u32, (Lives, Vec<u32>)> = BTreeMap::new();
        for (_, at) in &self.order {
            let ((_, source), accesses) = self.at(*at);
            for access in accesses {
                let (lives, sources) = tiles.entry(self.wholes[&access.tile]).or_default();
                lives.note(access);
                if let Err(place) = sources.binary_search(&source) {
                    sources.insert(place, source);
                }
            }
        }
        for (_, at) in self.order.iter().rev() {
            let ((used, _), accesses) = self.at(*at);
            let mut accesses: Vec<&TileAccess> = accesses.collect();
            accesses.sort_by_key(|access| self.wholes[&access.tile]);
            for of_tile in accesses.chunk_by(|a, b| self.wholes[&a.tile] == self.wholes[&b.tile]) {
                if let Some((lives, _)) = tiles.get_mut(&self.wholes[&of_tile[0].tile]) {
                    lives.before(used, of_tile);
                }
            }
        }
        tiles.values_mut().for_each(|(lives, _)| lives.finish());
        tiles
    }
}

/// Allocations whose tiles are names of one value.
struct OneValue {
    /// For each allocation that has another name, a smaller one of the same value.
    smaller: BTreeMap<u32, u32>,
}

impl OneValue {
    /// Of pairs, each with the smaller number first.
    fn of(pairs: impl Iterator<Item = [u32; 2]>) -> OneValue {
        let mut one = OneValue { smaller: BTreeMap::new() };
        for pair in pairs {
            let [a, b] = pair.map(|allocation| one.first(allocation));
            if a != b {
                one.smaller.insert(a.max(b), a.min(b));
            }
        }
        one
    }

    fn first(&self, mut allocation: u32) -> u32 {
        while let Some(smaller) = self.smaller.get(&allocation) {
            allocation = *smaller;
        }
        allocation
    }

    /// Number of the value that a tile names; `None` for a view of the tile at an address, whichever it is.
    fn value(&self, tile: &PlacedTile) -> Option<u32> {
        tile.allocation.map(|allocation| self.first(allocation))
    }
}
