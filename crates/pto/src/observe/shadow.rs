//! Who touched which bytes last, as far as it can still matter.

use super::clock::{Clock, Moment};
use crate::isa::op::effect::Access;
use crate::sim::event::{Grid, Place};
use crate::sim::strided_range::StridedRange;
use std::collections::BTreeMap;

/// The accessing operand, and the execution count of its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) at: Place,
    pub(super) operand: u16,
    /// How often the core had run it, this run included.
    pub(super) times: u32,
}

/// One access that later ones must be ordered behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) range: StridedRange,
    pub(super) moment: Moment,
    pub(super) access: Access,
    /// Whether it adds to what is there in one go.
    pub(super) atomic: bool,
    /// Whether it is a read, and its instruction writes there, too.
    pub(super) in_place: bool,
    pub(super) origin: Origin,
    /// The first byte of the tile that the range belongs to; of anything else that of the range.
    pub(super) start: u64,
    /// How the view that names the range divides its buffer.
    pub(super) grid: Option<Grid>,
    /// Number of the access among those to its memory.
    pub(super) number: u64,
}

/// Where an access is listed: the bytes from its first to its last one, and the slot of its record.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u64,
    end: u64,
    slot: u32,
    /// The core and the pipe of the access.
    by: (u32, u8),
    /// Whether the access changes what is there.
    changes: bool,
}

/// The accesses to one memory. Each has one record, and an entry in each bucket of bytes that it spans.
#[derive(Debug)]
pub(super) struct Shadow {
    bits: u32,
    /// A slot is `None` from the access that replaces its record to the next one that needs a slot.
    records: Vec<Option<Record>>,
    /// Slots without a record.
    free: Vec<u32>,
    buckets: BTreeMap<u64, Vec<Entry>>,
    /// Accesses to more buckets than are worth listing.
    wide: Vec<Entry>,
    /// Accesses so far.
    count: u64,
    /// Room for what one access finds.
    conflicts: Vec<(Record, u64)>,
    before: Vec<(u64, StridedRange)>,
}

/// Most buckets that an access is listed in.
const MOST: u64 = 64;

impl Shadow {
    /// A memory in buckets of `1 << bits` bytes.
    pub(super) fn new(bits: u32) -> Shadow {
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

    /// Adds an access after handing those that it conflicts with to `conflict`: one of the two writes, they share a
    /// byte, and nothing that `clock` knows of orders them. What the order with an earlier one relies on goes to `relied`.
    pub(super) fn touch(
        &mut self,
        me: u32,
        clock: &Clock,
        record: Record,
        within_core: bool,
        (mut conflict, ordered): (impl FnMut(&Record, u64), impl FnMut(&Record)),
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
                // Of accesses without a common byte, and of reads, unless one may replace the other, nothing follows.
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
                // An access is judged in the first of the buckets that it shares with this one.
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

/// An access, and what it finds among earlier ones.
struct Visit<'a, F> {
    me: u32,
    clock: &'a Clock,
    record: &'a Record,
    within_core: bool,
    /// Takes earlier accesses that conflict with this one, and that are ordered before it.
    ordered: F,
    /// Earlier accesses that conflict with this one, each with a common byte.
    conflicts: &'a mut Vec<(Record, u64)>,
    /// Reads of the same pipe before this access, by number: what they race with was reported with them.
    before: &'a mut Vec<(u64, StridedRange)>,
}

impl<F: FnMut(&Record)> Visit<'_, F> {
    /// Whether an earlier access is by the same pipe.
    fn is_same(&self, old: &Record) -> bool {
        old.moment.core == self.me && old.moment.pipe == self.record.moment.pipe
    }

    /// Judges an earlier access that may share bytes with this one. Says whether it still matters to later ones.
    fn keeps(&mut self, old: &Record) -> bool {
        let record = self.record;
        let changes = record.access.changes();
        if !changes && !old.access.changes() {
            // Older reads of the same pipe are replaced, except by a read in place: those before that are held against
            // the write that comes with it.
            return !self.is_same(old) || record.in_place || !record.range.covers(&old.range);
        }
        let both_atomic = old.atomic && record.atomic;
        let apart = old.moment.core != self.me;
        // An instruction that reads and writes the same bytes reads them first.
        let own = old.moment == record.moment;
        let known = own || !apart && !self.within_core || self.clock.knows(self.me, &old.moment);
        if !known && !both_atomic {
            let Some(byte) = record.range.common(&old.range) else { return true };
            // Regions of one access count once.
            let listed = |(seen, _): &(Record, u64)| (seen.moment, seen.origin) == (old.moment, old.origin);
            if !self.conflicts.iter().any(listed) {
                self.conflicts.push((*old, byte));
            }
            // Reported once: what comes later is compared with the newer of the two. A read does not stand for the write
            // before it: who waits for that write need not wait for the read.
            return !(changes && record.range.covers(&old.range));
        }
        let by_order = !own && !both_atomic && (apart || self.within_core);
        if by_order && record.range.common(&old.range).is_some() {
            (self.ordered)(old);
        }
        // A write replaces all that is ordered before it.
        !(changes && known && record.range.covers(&old.range))
    }

    /// Hands over the conflicts that no other one implies.
    fn report(&self, conflict: &mut impl FnMut(&Record, u64)) {
        // What reads a value comes behind what wrote it: who waits for the reader has waited for the writer. And a pipe that
        // waits for the writer before its first read does not read too early later.
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
