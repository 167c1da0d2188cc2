//! The accesses of a launch to global memory, for findings across launches.

use crate::sim::event::{Event, Place, Touched, What};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::exec::bits::Bits;
use pto_isa::op::effect::Access;
use pto_isa::strided_range::StridedRange;
use std::collections::BTreeMap;

/// Maximum number of ranges kept for one operation and buffer; more become one range around them.
const MOST_RANGES: usize = 1024;

/// The bytes of a buffer that a launch has read and written.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// The bytes that were read.
    pub read: Bits,
    /// The bytes that were written.
    pub written: Bits,
}

impl Sides {
    /// The bytes with addresses that are `shift` bytes higher.
    pub fn moved(self, shift: usize) -> Sides {
        if shift == 0 {
            return self;
        }
        let mut moved = Sides::default();
        moved.read.join(&self.read, shift);
        moved.written.join(&self.written, shift);
        moved
    }
}

/// An operation that accesses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Accessor {
    /// The number of the buffer.
    pub buffer: u32,
    /// Whether the operation writes the buffer.
    pub writes: bool,
    /// The operation.
    pub place: Place,
}

/// The accesses of a launch to global memory. Buffers are numbered in the order of the launch's buffer arguments.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// The accessed bytes of each buffer.
    pub buffers: BTreeMap<u32, Sides>,
    /// The ranges that each operation accesses.
    pub accessors: BTreeMap<Accessor, Vec<StridedRange>>,
}

impl Traffic {
    fn touch(&mut self, place: Place, touched: &Touched) {
        let Space::Global(buffer) = touched.space else { return };
        let access = touched.touch.access;
        if !access.is_of_bytes() {
            return;
        }
        let writes = access != Access::Read;
        let sides = self.buffers.entry(buffer).or_default();
        let side = if writes { &mut sides.written } else { &mut sides.read };
        for (start, length) in touched.range.runs() {
            side.set(start as usize..(start + length) as usize);
        }
        let ranges = self.accessors.entry(Accessor { buffer, writes, place }).or_default();
        if ranges.last() == Some(&touched.range) {
            return;
        }
        if ranges.len() < MOST_RANGES {
            ranges.push(touched.range);
        } else if let Some(last) = ranges.last_mut() {
            let start = last.start.min(touched.range.start);
            *last = StridedRange::bytes(start, last.end().max(touched.range.end()) - start);
        }
    }
}

impl Observe for Traffic {
    fn needs(&self) -> Needs {
        Needs::ACCESSES
    }

    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        match &event.what {
            What::Issue(work) => work.touched.iter().for_each(|touched| self.touch(event.at, touched)),
            What::Entry { touched, .. } | What::Slot { touched, .. } => {
                touched.iter().for_each(|touched| self.touch(event.at, touched))
            }
            _ => {}
        }
    }
}
