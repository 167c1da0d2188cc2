//! Reads of tile bytes that a tile of another allocation has overwritten.
//!
//! A memory plan that gives one address to two tiles with overlapping live ranges causes no race: accesses are
//! ordered, but the result is wrong. `analysis/names.rs` decides which bytes another value has overwritten, and which
//! tiles are two names of one value. Here, a read of overwritten bytes is a finding only if one of them differs from
//! the tile's former contents: a write of the same contents loses nothing.

use super::kept::Kept;
use crate::observe::conflict::{Found, Side, common};
use crate::observe::words::operand::Operand;
use crate::sim::Program;
use crate::sim::event::{CoreId, Memory, Place, Touched, Work};
use crate::sim::operands::Space;
use pto_isa::op::effect::Access;
use pto_isa::rules;
use pto_lang::analysis::Storage;
use pto_lang::analysis::names::{Name, Names};
use std::collections::BTreeMap;

/// A read of overwritten bytes: the first such byte.
#[derive(Clone, Copy, Debug)]
pub(in crate::observe) struct Clobbered {
    pub(in crate::observe) read: Touched,
    /// The overwriting access.
    pub(in crate::observe) write: Touched,
    pub(in crate::observe) core: CoreId,
    pub(in crate::observe) byte: u64,
    pub(in crate::observe) count: u64,
}

/// The overwriting operation and operand, and the operation that reads afterwards.
pub(in crate::observe) type Pair = ((Place, u16), Place);

/// The identity of the tile of an access, if its driver gave it one.
type Serials<'a> = &'a dyn Fn(&Touched) -> Option<u32>;

/// Tracks the allocations through which bytes of tiles were written.
#[derive(Default)]
pub(in crate::observe) struct Reuse {
    storage: Option<Storage>,
    /// Whether instructions run when they are issued, so that memory then holds the bytes that they read and
    /// overwrite.
    in_order: bool,
    names: BTreeMap<Space, Names<CoreId, (Place, Touched)>>,
    /// Former contents of overwritten bytes, by allocation.
    kept: BTreeMap<(Space, u32), Kept>,
    found: BTreeMap<Pair, Clobbered>,
}

impl Reuse {
    /// For a run in which instructions run at their issue (`in_order`), or later.
    pub(in crate::observe) fn new(in_order: bool) -> Reuse {
        Reuse { in_order, ..Reuse::default() }
    }

    /// Handles an instruction.
    pub(in crate::observe) fn issue(&mut self, program: &Program, core: CoreId, at: Place, work: &Work<'_>) {
        let serial = |touched: &Touched| work.serial(touched);
        self.take(program, core, at, &work.values(), &serial, Some(work.memory));
    }

    /// Handles the accesses of an instruction, reads first, with the memory before it if that is known.
    pub(in crate::observe) fn accesses(
        &mut self,
        program: &Program,
        core: CoreId,
        at: Place,
        touched: &[Touched],
        memory: Option<Memory<'_>>,
    ) {
        self.take(program, core, at, touched, &|_| None, memory);
    }

    /// Handles accesses to tiles, some of which may have identities of their own.
    fn take(
        &mut self,
        program: &Program,
        core: CoreId,
        at: Place,
        touched: &[Touched],
        serial: Serials<'_>,
        memory: Option<Memory<'_>>,
    ) {
        for touched in touched.iter().filter(|touched| matches!(touched.space, Space::Chip(..))) {
            let Some(tile) = self.named(program, at, touched, serial(touched)) else { continue };
            let memory = memory.filter(|_| self.in_order).map(|memory| memory.bytes(touched.space));
            match touched.touch.access {
                Access::Name => {}
                Access::Read => self.read(core, tile, at, touched, memory),
                _ => self.write(core, tile, at, touched, memory),
            }
        }
    }

    /// The tile of an operand; `None` if it is not a tile. In a live launch the tile's serial number identifies its
    /// allocation: a part does not contain the allocations of its tiles.
    fn named(
        &mut self,
        program: &Program,
        at: Place,
        touched: &Touched,
        serial: Option<u32>,
    ) -> Option<Name> {
        let operand = Operand::of(program, at, touched.touch.operand)?;
        let bytes = operand.bytes()?;
        let allocation = match serial {
            Some(serial) => (serial != 0).then_some(serial),
            None => operand.allocation(self.storage.get_or_insert_with(|| Storage::of(program.module()))),
        };
        Some(Name { allocation, start: touched.start, bytes })
    }

    fn read(&mut self, core: CoreId, tile: Name, at: Place, touched: &Touched, memory: Option<&[u8]>) {
        let Touched { space, range, .. } = *touched;
        let kept = tile.allocation.and_then(|own| self.kept.get(&(space, own)));
        let found = &mut self.found;
        self.names.entry(space).or_default().read(tile, &range, |overwritten| {
            if overwritten.is_one_value {
                return;
            }
            let changed = match memory.zip(kept) {
                Some((memory, kept)) => kept.changed(&range, overwritten.bytes, memory),
                None => overwritten.bytes.meets(&range),
            };
            let Some(byte) = changed else { return };
            let (writes, write) = *overwritten.by.1;
            let first = Clobbered { read: *touched, write, core, byte, count: 0 };
            found.entry(((writes, write.touch.operand), at)).or_insert(first).count += 1;
        });
    }

    fn write(&mut self, core: CoreId, tile: Name, at: Place, touched: &Touched, memory: Option<&[u8]>) {
        let Touched { space, range, .. } = *touched;
        let keeps = touched.touch.access != Access::Destroy;
        let kept = &mut self.kept;
        let names = self.names.entry(space).or_default();
        names.write(core, tile, &range, keeps, (at, *touched), |allocation, written| {
            kept.entry((space, allocation)).or_default().overwrite(&range, written, memory, keeps);
        });
        if let Some(kept) = tile.allocation.and_then(|own| self.kept.get_mut(&(space, own))) {
            kept.forget(&range);
        }
    }

    /// Drops the memory of a block that has ended.
    pub(in crate::observe) fn block_ends(&mut self, chip: Space) {
        self.names.remove(&chip);
        self.kept.retain(|(space, _), _| *space != chip);
    }

    /// The findings as data: the overwriting access, then the read. Executions of the operations are not tracked:
    /// number 1 represents all.
    pub(in crate::observe) fn conflicts(&self) -> impl Iterator<Item = Found> {
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
    pub(in crate::observe) fn found(&self) -> impl Iterator<Item = (&Pair, &Clobbered)> {
        self.found.iter()
    }
}
