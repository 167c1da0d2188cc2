//! The slots of a queue of tiles in global memory: a push stores the entry there, a pop loads it from there. A queue has them on A2/A3
//! with `gm_slot_buffer`, and on devices with `gm_slot_tensor`.
//!
//! The consumer gets the copy that the queue keeps, so that its result does not depend on other writes to the slot.
//! Watchers see both accesses, and report a program that uses the bytes of a slot itself without an order.
//!
//! Source: `include/pto/npu/a2a3/TPush.hpp`: entry i lies at slot i modulo their number, its rows packed by valid
//! columns; the halves of two vector cores lie below or beside each other. Slots to the cube core follow those to the
//! vector cores if there are both.

use super::super::{Core, Machine};
use super::{Entry, Queue, part};
use crate::sim::code::Route;
use crate::sim::operands::{Space, merged};
use pto_isa::exec::overlay::Area;
use pto_isa::strided_range::StridedRange;
use pto_kernels::{Placement, transfer};

/// The bytes of a slot that a core accessed last.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim::machine) struct InSlot {
    buffer: usize,
    area: Area,
}

impl InSlot {
    /// Calls `push` for the ranges of bytes.
    pub(in crate::sim::machine) fn ranges(&self, push: &mut impl FnMut(Space, StridedRange)) {
        merged(Space::Global(self.buffer as u32), push, |each| self.area.runs(each));
    }
}

impl Queue {
    /// The address of the slot of an entry in global memory, if the queue has slots there.
    fn slot_address(&self, entry: u64) -> Option<u64> {
        self.memory?.checked_add(entry % self.slots * self.size)
    }
}

impl Machine<'_> {
    /// The bytes in global memory of a part of the entry with a number: `size` rows and columns, and the position of
    /// the first element within the whole entry, whose rows have `pitch` elements.
    pub(super) fn in_slot(
        &self,
        queue: &Queue,
        number: u64,
        entry: &Entry,
        (first, size, pitch): ((usize, usize), (usize, usize), usize),
    ) -> Option<InSlot> {
        let (buffer, start) = self.state.global.locate(queue.slot_address(number)?)?;
        let offset = start as usize + entry.element.bytes(first.0 * pitch + first.1);
        let area = Area {
            placement: Placement::strided(offset, pitch, 1),
            rows: size.0,
            cols: size.1,
            bits: entry.element.bits(),
        };
        let end = offset + entry.element.bytes((size.0.max(1) - 1) * pitch + size.1);
        (end <= self.state.global.buffer(buffer).size()).then_some(InSlot { buffer, area })
    }

    /// The bytes in global memory from which a consumer pops an entry. `number`: number of the entry; `index`: its
    /// index among the entries that the queue holds.
    pub(super) fn loaded_bytes(&self, route: Route, me: usize, number: u64, index: usize) -> Option<InSlot> {
        let queue = self.state.exchange.queues.get(&(route.id, route.to_vector))?;
        let entry = queue.entries[0].get(index)?;
        let (rows, cols) = (entry.rows, entry.cols);
        let (first, size, pitch) = match (route.to_vector, route.split) {
            (true, split) => {
                let (first, size) = part(split, me as u32, rows, cols)?;
                (first, size, cols)
            }
            (false, 1 | 3) => ((0, 0), (2 * rows, cols), cols),
            (false, 2 | 4) => ((0, 0), (rows, 2 * cols), 2 * cols),
            (false, _) => ((0, 0), (rows, cols), cols),
        };
        self.in_slot(queue, number, entry, (first, size, pitch))
    }

    /// Stores an entry that a core pushes into its slot, if the queue has slots in memory; returns its bytes.
    pub(super) fn store_entry(
        &mut self,
        core: &Core,
        route: Route,
        number: u64,
        entry: &Entry,
    ) -> Option<InSlot> {
        let queue = self.state.exchange.queues.get(&(route.id, route.to_vector))?;
        let second = !route.to_vector && core.vector_core == 1;
        let (pitch, first) = match (route.to_vector, route.split) {
            (false, 2 | 4) => (2 * entry.cols, (0, if second { entry.cols } else { 0 })),
            (false, 1 | 3) => (entry.cols, (if second { entry.rows } else { 0 }, 0)),
            _ => (entry.cols, (0, 0)),
        };
        let place = self.in_slot(queue, number, entry, (first, (entry.rows, entry.cols), pitch))?;
        let InSlot { buffer, area } = place;
        let target = self.state.global.writing(buffer).write(&area);
        let from = Placement::rows(0, entry.cols);
        transfer(target, &area.placement, &entry.bytes, &from, entry.rows, entry.cols, area.bits);
        Some(place)
    }
}
