//! What memory holds: what was written, slots that were given back, the part that instructions keep for themselves.

use super::super::code::Program;
use super::super::footprint::Touch;
use super::findings::Trouble;
use super::shadow::{Origin, Record};
use super::written::Written;
use super::{Space, Watch};
use crate::isa::Buffer;
use crate::isa::op::effect::Access;
use crate::isa::op::state::View;
use crate::sim::region::Region;

impl Watch {
    /// What an access finds in memory, and leaves there.
    pub(super) fn contents(&mut self, space: Space, record: &Record) {
        let Origin { function, operation, operand, .. } = record.origin;
        let place = (function, operation);
        if self.watched.mem {
            let returned = self.returned.get(&space).into_iter().flatten();
            if returned.into_iter().any(|slot| slot.common(&record.region).is_some()) {
                self.findings.memory(place, operand, Trouble::Returned);
            }
        }
        if !self.watched.init {
            return;
        }
        let Some(written) = self.written.get_mut(&space) else { return };
        match record.access {
            Access::Read => {}
            Access::Destroy => return written.clear(&record.region),
            _ => return written.mark(&record.region),
        }
        if let Some(byte) = written.missing(&record.region) {
            self.findings.unwritten(record, byte);
            // Said once.
            written.mark(&record.region);
        }
    }

    /// Tiles in the part of UB that instructions of A2/A3 keep for themselves.
    /// Source: `docs/isa/tile/ops/sync-and-config/tassign.md`, and the pages of the instructions that use it.
    pub(super) fn reserved(&mut self, program: &Program, accesses: &[(Touch, Region)], place: (u32, u32)) {
        const WINDOW: (u64, u64) = (184 << 10, 8 << 10);
        let base = program.map.base[Buffer::Ub as usize] as u64;
        // Tiles that the machine places lie beyond the buffer.
        let windows = [0, program.map.vector_stride as u64];
        for (touch, region) in accesses {
            let in_window =
                |stride| region.common(&Region::bytes(base + stride + WINDOW.0, WINDOW.1)).is_some();
            if touch.access.changes() && windows.into_iter().any(in_window) {
                self.findings.memory(place, touch.operand, Trouble::Reserved);
            }
        }
    }

    /// A buffer in global memory that starts without contents.
    pub(in crate::sim) fn blank(&mut self, buffer: usize) {
        self.written.insert(Space::Global(buffer as u32), Written::default());
    }

    /// A block begins: its memory holds nothing.
    pub(in crate::sim) fn block_began(&mut self, rank: u32, block: u32) {
        if self.watched.init {
            self.written.insert(Space::Chip(rank, block), Written::default());
        }
    }
}

/// Whether two indices of a view are one place.
pub(super) fn overlaps_itself(view: &View) -> bool {
    let rank = usize::from(view.rank);
    let mut dimensions: Vec<(u64, u64)> = (0..rank)
        .map(|at| (view.strides[at].unsigned_abs(), view.shape[at]))
        .filter(|(_, extent)| *extent > 1)
        .collect();
    dimensions.sort_unstable();
    let mut span = 1u64;
    dimensions.into_iter().any(|(stride, extent)| {
        let overlaps = stride < span;
        span = span.saturating_add((extent - 1).saturating_mul(stride));
        overlaps
    })
}
