//! Names of values on chip: whether a tile still holds the value written through it, and whether two tiles are names
//! of one value.
//!
//! Several tiles may share bytes. Tiles of one allocation ([`Storage`](super::Storage)) are names of one value by definition. For
//! tiles of two allocations, A and B, the accesses decide. Bytes that were written through A and then through B are
//! *overwritten*; a read of them through A has one of two meanings:
//!
//! - B has the address and the size of A, and nothing has read B since. Then A's reader needs B's value: A and B are
//!   **two names of one value**, such as a sum that a front end carries through a loop as `%acc` and `%next`, or the
//!   result that both branches of an `scf.if` write.
//! - Otherwise B held a value of its own, which replaced that of A: A's value is **lost**.
//!
//! Only this module decides between the two: the watcher of clobbered tiles follows the accesses of a run
//! (`observe/memory/reuse.rs`), maps and reports those of a timeline (`timeline/accesses.rs`). Placement needs no
//! answer: a tile is alive from its last complete write through its own name to each read of it, so its live range
//! contains that of a value with two names.
//!
//! Bytes that another core writes are a transfer: they are never lost, and belong to the tile that reads them next.

use pto_isa::strided_range::StridedRange;
use pto_isa::written::Written;
use std::collections::BTreeMap;

/// A tile as an access names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Number of the tile's allocation; `None` for a view of the tile at its address.
    pub allocation: Option<u32>,
    /// Byte address of the tile's first byte.
    pub start: u64,
    /// Size of the tile in bytes.
    pub bytes: u64,
}

/// Bytes that were written through the tiles of an allocation.
struct Held<C, W> {
    /// The core that last wrote the bytes.
    core: C,
    written: Written,
    /// The bytes that other allocations have overwritten, by their number.
    lost: BTreeMap<u32, Loss<W>>,
}

/// Bytes that were overwritten.
struct Loss<W> {
    bytes: Written,
    /// The tile and the access that last overwrote them.
    by: (Name, W),
    /// Whether that tile has been read since, so that it holds a value of its own.
    own: bool,
}

/// Bytes of a tile that were overwritten, as a read of the tile finds them.
pub struct Overwritten<'a, W> {
    /// The bytes, not all of which are read.
    pub bytes: &'a Written,
    /// The allocation and the access that overwrote them.
    pub by: (u32, &'a W),
    /// Whether the reading and the overwriting tile are names of one value.
    pub is_one_value: bool,
}

/// The allocations through which bytes of one memory were written, by cores `C` with accesses `W`.
pub struct Names<C, W> {
    held: BTreeMap<u32, Held<C, W>>,
}

impl<C, W> Default for Names<C, W> {
    fn default() -> Self {
        Names { held: BTreeMap::new() }
    }
}

impl<C: Copy + PartialEq, W: Copy> Names<C, W> {
    /// Handles a read; `found` gets the bytes of the tile that were overwritten, by each allocation.
    pub fn read(&mut self, tile: Name, range: &StridedRange, mut found: impl FnMut(Overwritten<'_, W>)) {
        let Some(own) = tile.allocation else { return };
        for (allocation, held) in &mut self.held {
            if *allocation == own {
                for (other, loss) in &held.lost {
                    let (by, write) = &loss.by;
                    let is_one_value = (by.start, by.bytes) == (tile.start, tile.bytes) && !loss.own;
                    if loss.bytes.meets(range).is_some() {
                        found(Overwritten { bytes: &loss.bytes, by: (*other, write), is_one_value });
                    }
                }
            } else if let Some(loss) = held.lost.get_mut(&own) {
                loss.own |= loss.bytes.meets(range).is_some();
            }
        }
    }

    /// Handles a write. Calls `overwrites` for each allocation whose bytes it overwrites, with all bytes that were
    /// written through that allocation. A write with `keeps` false leaves the bytes undefined.
    pub fn write(
        &mut self,
        core: C,
        tile: Name,
        range: &StridedRange,
        keeps: bool,
        write: W,
        mut overwrites: impl FnMut(u32, &Written),
    ) {
        for (allocation, held) in &mut self.held {
            if held.written.meets(range).is_none() {
                continue;
            }
            held.lost.values_mut().for_each(|loss| loss.bytes.clear(range));
            let Some(own) = tile.allocation.filter(|own| own != allocation) else { continue };
            if held.core != core {
                held.written.clear(range);
                continue;
            }
            overwrites(*allocation, &held.written);
            let by = (tile, write);
            let loss = held.lost.entry(own);
            let loss = loss.or_insert_with(|| Loss { bytes: Written::default(), by, own: false });
            loss.bytes.mark_common(range, &held.written);
            (loss.by, loss.own) = (by, false);
        }
        let Some(own) = tile.allocation else { return };
        let held = self.held.entry(own);
        let held = held.or_insert_with(|| Held { core, written: Written::default(), lost: BTreeMap::new() });
        held.core = core;
        held.lost.retain(|_, loss| !loss.bytes.is_empty());
        match keeps {
            true => held.written.mark(range),
            false => held.written.clear(range),
        }
    }
}
