//! Shadow memory: the last accesses to each byte that can still conflict with later ones.

use super::clock::{Clock, Moment};
use crate::sim::event::{Grid, Place};
use pto_isa::op::effect::Access;
use pto_isa::strided_range::StridedRange;
use std::collections::BTreeMap;

/// The accessing operand, and the execution count of its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::observe) struct Origin {
    pub(in crate::observe) at: Place,
    pub(in crate::observe) operand: u16,
    /// Execution count of the instruction on the core, this run included.
    pub(in crate::observe) times: u32,
}

/// An access that must be ordered before later conflicting ones.
#[derive(Clone, Copy, Debug)]
pub(in crate::observe) struct Record {
    pub(in crate::observe) range: StridedRange,
    pub(in crate::observe) moment: Moment,
    /// For a pop of a slot on chip, the pushes that wrote the slot. Such a pop moves no bytes: an access that is ordered after all these
    /// pushes counts as ordered after the pop.
    pub(in crate::observe) pushes: [Option<Moment>; 2],
    pub(in crate::observe) access: Access,
    /// Whether the access is an atomic addition.
    pub(in crate::observe) atomic: bool,
    /// Whether the access is a read of bytes that its instruction also writes.
    pub(in crate::observe) in_place: bool,
    pub(in crate::observe) origin: Origin,
    /// First byte of the tile that contains the range; for other operands the first byte of the range.
    pub(in crate::observe) start: u64,
    /// Rows of the buffer, as divided by the view of the access.
    pub(in crate::observe) grid: Option<Grid>,
    /// Number of the access among those to its memory.
    pub(in crate::observe) number: u64,
}

/// An entry of a bucket: first and last byte of the access, and the slot of its record.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u64,
    end: u64,
    slot: u32,
    /// The core and the pipe of the access.
    by: (u32, u8),
    /// Whether the access changes the bytes.
    changes: bool,
}

/// The accesses to one memory. Each has one record, and an entry in each bucket of bytes that it spans.
#[derive(Debug)]
pub(in crate::observe) struct Shadow {
    bits: u32,
    /// Records by slot; `None` for a free slot.
    records: Vec<Option<Record>>,
    /// Free slots.
    free: Vec<u32>,
    buckets: BTreeMap<u64, Vec<Entry>>,
    /// Records of accesses that span more than the most buckets.
    wide: Vec<Entry>,
    /// Accesses so far.
    count: u64,
    /// Reused buffers for the results of one access.
    conflicts: Vec<(Record, u64)>,
    before: Vec<(u64, StridedRange)>,
}

/// Maximum number of buckets in which an access has entries.
const MOST: u64 = 64;

impl Shadow {
    /// A memory in buckets of `1 << bits` bytes.
    pub(in crate::observe) fn new(bits: u32) -> Shadow {
        Shadow {
            bits,
            records: Vec::new(),
            free: Vec::new(),
            buckets: BTreeMap::new(),
            wide: Vec::new(),
            count: 0,
            conflicts: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Adds an access. Calls `conflict` for each earlier access that conflicts with it and that `clock` does not order before
    /// it, and `relied` with the changes on which the order of earlier accesses relies.
    pub(in crate::observe) fn touch(
        &mut self,
        me: u32,
        clock: &Clock,
        record: Record,
        within_core: bool,
        mut conflict: impl FnMut(&Record, u64),
        ordered: impl FnMut(&Record),
    ) {
        self.count += 1;
        let record = Record { number: self.count, ..record };
        let (start, end) = (record.range.start, record.range.end());
        let (first, last) = (start >> self.bits, (end.max(start + 1) - 1) >> self.bits);
        let mut visit = Visit {
            me,
            clock,
            record: &record,
            within_core,
            ordered,
            conflicts: &mut self.conflicts,
            before: &mut self.before,
        };
        visit.conflicts.clear();
        visit.before.clear();
        let changes = record.access.changes();
        let slot = self.free.pop().unwrap_or(self.records.len() as u32);
        let entry = Entry { start, end, slot, by: (record.moment.core, record.moment.pipe), changes };
        let (bits, records, free) = (self.bits, &mut self.records, &mut self.free);
        let mut look = |entries: &mut Vec<Entry>, bucket: Option<u64>| {
            entries.retain(|old| {
                // Accesses without a common byte, and two reads, do not conflict, unless one may replace the other.
                let inside = start <= old.start && old.end <= end;
                let apart = old.end <= start || end <= old.start || !(changes || old.changes || inside);
                let noted = !visit.conflicts.is_empty() && !old.changes && old.by == entry.by;
                if apart && !noted {
                    return true;
                }
                let Some(record) = &records[old.slot as usize] else { return false };
                if noted {
                    visit.before.push((record.number, record.range));
                }
                // Compare two accesses only in the first bucket that they share.
                let judged = bucket.is_some_and(|bucket| first.max(old.start >> bits) < bucket);
                let keeps = apart || judged || visit.keeps(record);
                if !keeps {
                    records[old.slot as usize] = None;
                    free.push(old.slot);
                }
                keeps
            });
        };
        look(&mut self.wide, None);
        if last - first >= MOST {
            for (bucket, entries) in self.buckets.range_mut(first..=last) {
                look(entries, Some(*bucket));
            }
            self.wide.push(entry);
        } else {
            for bucket in first..=last {
                let entries = self.buckets.entry(bucket).or_default();
                look(entries, Some(bucket));
                entries.push(entry);
            }
        }
        visit.report(&mut conflict);
        match self.records.get_mut(slot as usize) {
            Some(free) => *free = Some(record),
            None => self.records.push(Some(record)),
        }
    }
}

/// An access, and its relation to earlier ones.
struct Visit<'a, F> {
    me: u32,
    clock: &'a Clock,
    record: &'a Record,
    within_core: bool,
    /// Callback for earlier conflicting accesses that are ordered before this one.
    ordered: F,
    /// Earlier unordered conflicting accesses, each with a common byte.
    conflicts: &'a mut Vec<(Record, u64)>,
    /// Earlier reads of the same pipe, by number: races with them were reported before.
    before: &'a mut Vec<(u64, StridedRange)>,
}

impl<F: FnMut(&Record)> Visit<'_, F> {
    /// Whether an earlier access is by the same pipe.
    fn is_same(&self, old: &Record) -> bool {
        old.moment.core == self.me && old.moment.pipe == self.record.moment.pipe
    }

    /// Compares an earlier access that may share bytes with this one. Returns whether later accesses must still be compared
    /// with the earlier one.
    fn keeps(&mut self, old: &Record) -> bool {
        let record = self.record;
        let changes = record.access.changes();
        if !changes && !old.access.changes() {
            // Older reads of the same pipe are replaced, except by an in-place read: its own write must be compared with
            // the older reads.
            return !self.is_same(old) || record.in_place || !record.range.covers(&old.range);
        }
        let both_atomic = old.atomic && record.atomic;
        let apart = old.moment.core != self.me;
        // An instruction that reads and writes the same bytes reads them first.
        let own = old.moment == record.moment;
        let knows = |moment: &Moment| self.clock.knows(self.me, moment);
        let mut pushes = old.pushes.iter().flatten().peekable();
        let is_pushed = pushes.peek().is_some() && pushes.all(knows);
        let known = own || !apart && !self.within_core || knows(&old.moment) || is_pushed;
        if !known && !both_atomic {
            let Some(byte) = record.range.common(&old.range) else { return true };
            // Ranges of one access count once.
            let listed = |(seen, _): &(Record, u64)| (seen.moment, seen.origin) == (old.moment, old.origin);
            if !self.conflicts.iter().any(listed) {
                self.conflicts.push((*old, byte));
            }
            // Reported once: later accesses are compared with the newer of the two. A read does not replace an earlier
            // write: synchronization with that write does not imply synchronization with the read.
            return !(changes && record.range.covers(&old.range));
        }
        let by_order = !own && !both_atomic && (apart || self.within_core);
        if by_order && record.range.common(&old.range).is_some() {
            (self.ordered)(old);
        }
        // A write replaces all accesses that are ordered before it.
        !(changes && known && record.range.covers(&old.range))
    }

    /// Reports the conflicts that no other conflict implies.
    fn report(&self, conflict: &mut impl FnMut(&Record, u64)) {
        // A reader of a value is ordered after its writer, so synchronization with the reader implies the writer. And a pipe
        // that waits for the writer before its first read also orders its later reads.
        let reads = self.conflicts.iter().map(|(old, _)| old).filter(|old| !old.access.changes());
        let reads = reads.map(|read| (read.number, read.range)).chain(self.before.iter().copied());
        for (old, byte) in self.conflicts.iter() {
            let since = |(number, range): (u64, StridedRange)| {
                number > old.number && range.common(&old.range).is_some()
            };
            if !old.access.changes() || !reads.clone().any(since) {
                conflict(old, *byte);
            }
        }
    }
}
