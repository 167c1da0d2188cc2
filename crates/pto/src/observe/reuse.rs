//! Reads of tile bytes that a tile of another allocation has overwritten.
//!
//! A memory plan that gives one address to two tiles with overlapping live ranges causes no race: accesses are ordered, but
//! the result is wrong. A byte is lost if it was written through a tile, then by the same core through a tile of another
//! allocation, and then read through the first. An allocation includes all its views, loop and branch values, call results and
//! slots ([`Storage`]); a tile that is declared as a view of another one belongs to the allocation at its address. Two tiles of
//! equal address and size may be one value, such as the results of two branches: then the byte is lost only if the second tile
//! was also read, so that it held another value. Bytes that another core writes are a transfer and never lost.

use super::conflict::{Found, Side, common};
use super::named::Operand;
use super::written::Written;
use crate::analysis::Storage;
use crate::isa::op::effect::Access;
use crate::isa::rules;
use crate::sim::Program;
use crate::sim::event::{CoreId, Place, Touched, Work};
use crate::sim::operands::Space;
use std::collections::BTreeMap;

/// The tile of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Named {
    /// Its allocation; `None` for a view of whatever tile is at its address.
    allocation: Option<u32>,
    /// Its first byte, and its size.
    start: u64,
    bytes: u64,
}

/// Bytes that were written through the tiles of an allocation.
struct Held {
    /// The core that wrote it last.
    core: CoreId,
    written: Written,
    /// The bytes that other allocations have overwritten, by their number.
    lost: BTreeMap<u32, Loss>,
}

/// Bytes that were overwritten.
struct Loss {
    bytes: Written,
    /// The tile, the operation and its access that last overwrote them.
    by: (Named, Place, Touched),
    /// Whether that tile has been read since, so that it holds another value.
    own: bool,
}

/// A read of overwritten bytes: the first such byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clobbered {
    pub(super) read: Touched,
    /// The overwriting access.
    pub(super) write: Touched,
    pub(super) core: CoreId,
    pub(super) byte: u64,
    pub(super) count: u64,
}

/// The overwriting operation and operand, and the operation that reads afterwards.
pub(super) type Pair = ((Place, u16), Place);

/// Tracks the allocations through which bytes of tiles were written.
#[derive(Default)]
pub(super) struct Reuse {
    storage: Option<Storage>,
    held: BTreeMap<(Space, u32), Held>,
    found: BTreeMap<Pair, Clobbered>,
}

impl Reuse {
    /// Handles an instruction.
    pub(super) fn issue(&mut self, program: &Program, core: CoreId, at: Place, work: &Work<'_>) {
        self.instruction(program, core, at, &work.values());
    }

    /// Handles the accesses of an instruction, reads first.
    pub(super) fn instruction(&mut self, program: &Program, core: CoreId, at: Place, touched: &[Touched]) {
        for touched in touched.iter().filter(|touched| matches!(touched.space, Space::Chip(..))) {
            let Some(tile) = self.named(program, at, touched) else { continue };
            match touched.touch.access {
                Access::Name => {}
                Access::Read => self.read((core, tile), at, touched),
                access => self.write((core, tile), at, touched, access != Access::Destroy),
            }
        }
    }

    /// The tile of an operand; `None` if it is not a tile.
    fn named(&mut self, program: &Program, at: Place, touched: &Touched) -> Option<Named> {
        let operand = Operand::of(program, at, touched.touch.operand)?;
        let bytes = operand.bytes()?;
        let allocation =
            operand.allocation(self.storage.get_or_insert_with(|| Storage::of(program.module())));
        Some(Named { allocation, start: touched.start, bytes })
    }

    fn read(&mut self, (core, tile): (CoreId, Named), at: Place, touched: &Touched) {
        let Touched { space, range, .. } = touched;
        let Some(own) = tile.allocation else { return };
        for ((_, allocation), held) in self.held.range_mut((*space, 0)..=(*space, u32::MAX)) {
            if *allocation == own {
                for loss in held.lost.values_mut() {
                    let (by, writes, write) = loss.by;
                    let linked = (by.start, by.bytes) == (tile.start, tile.bytes) && !loss.own;
                    let Some(byte) = loss.bytes.meets(range).filter(|_| !linked) else { continue };
                    let first = Clobbered { read: *touched, write, core, byte, count: 0 };
                    self.found.entry(((writes, write.touch.operand), at)).or_insert(first).count += 1;
                }
            } else if let Some(loss) = held.lost.get_mut(&own) {
                loss.own |= loss.bytes.meets(range).is_some();
            }
        }
    }

    fn write(&mut self, (core, tile): (CoreId, Named), at: Place, touched: &Touched, keeps: bool) {
        let Touched { space, range, .. } = *touched;
        for ((_, allocation), held) in self.held.range_mut((space, 0)..=(space, u32::MAX)) {
            if held.written.meets(&range).is_none() {
                continue;
            }
            held.lost.values_mut().for_each(|loss| loss.bytes.clear(&range));
            let Some(own) = tile.allocation.filter(|own| own != allocation) else { continue };
            if held.core != core {
                held.written.clear(&range);
                continue;
            }
            let by = (tile, at, *touched);
            let loss = held.lost.entry(own);
            let loss = loss.or_insert_with(|| Loss { bytes: Written::default(), by, own: false });
            loss.bytes.mark_common(&range, &held.written);
            (loss.by, loss.own) = (by, false);
        }
        let Some(own) = tile.allocation else { return };
        let held = self.held.entry((space, own));
        let held = held.or_insert_with(|| Held { core, written: Written::default(), lost: BTreeMap::new() });
        held.core = core;
        held.lost.retain(|_, loss| !loss.bytes.is_empty());
        match keeps {
            true => held.written.mark(&range),
            false => held.written.clear(&range),
        }
    }

    /// A block has ended: its memory is dropped.
    pub(super) fn block_ends(&mut self, chip: Space) {
        self.held.retain(|(space, _), _| *space != chip);
    }

    /// The findings as data: the overwriting access, then the read. Which run of their operations it was is not tracked: the
    /// first one stands for all.
    pub(super) fn conflicts(&self) -> impl Iterator<Item = Found> {
        self.found.iter().map(|(((writes, _), reads), found)| {
            let side = |at: Place, touched: &Touched| Side {
                at,
                operand: touched.touch.operand,
                core: found.core,
                pipe: touched.touch.pipe,
                writes: touched.touch.access.changes(),
                run: 1,
            };
            let common = Some(common(&found.write.range, &found.read.range));
            let sides = [side(*writes, &found.write), side(*reads, &found.read)];
            Found { rule: &rules::mem::CLOBBERED, sides, common, count: found.count }
        })
    }

    /// The findings.
    pub(super) fn found(&self) -> impl Iterator<Item = (&Pair, &Clobbered)> {
        self.found.iter()
    }
}
