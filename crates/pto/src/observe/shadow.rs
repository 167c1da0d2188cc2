//! Who touched which bytes last, as far as it can still matter.

use super::clock::{Clock, Moment};
use crate::isa::op::effect::Access;
use crate::sim::event::{Grid, Place};
use crate::sim::region::Region;
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
    pub(super) region: Region,
    pub(super) moment: Moment,
    pub(super) access: Access,
    /// Whether it adds to what is there in one go.
    pub(super) atomic: bool,
    /// Whether it is a read, and its instruction writes there, too.
    pub(super) in_place: bool,
    pub(super) origin: Origin,
    /// The first byte of the tile that the region belongs to; of anything else that of the region.
    pub(super) start: u64,
    /// How the view that names the region divides its buffer.
    pub(super) grid: Option<Grid>,
    /// Number of the access among those to its memory.
    pub(super) number: u64,
}

/// The accesses to one memory, in buckets of bytes.
#[derive(Debug)]
pub(super) struct Shadow {
    bits: u32,
    buckets: BTreeMap<u64, Vec<Record>>,
    /// Accesses to more buckets than are worth listing.
    wide: Vec<Record>,
    /// Accesses so far.
    count: u64,
}

/// Most buckets that an access is listed in.
const MOST: u64 = 64;

impl Shadow {
    /// A memory in buckets of `1 << bits` bytes.
    pub(super) fn new(bits: u32) -> Shadow {
        Shadow { bits, buckets: BTreeMap::new(), wide: Vec::new(), count: 0 }
    }

    /// Adds an access after handing those that it conflicts with to `conflict`: one of the two writes, they share a
    /// byte, and nothing that `clock` knows of orders them. What the order with an earlier one relies on goes to `relied`.
    pub(super) fn touch(
        &mut self,
        me: u32,
        clock: &Clock,
        record: Record,
        within_core: bool,
        (mut conflict, mut ordered): (impl FnMut(&Record, u64), impl FnMut(&Record)),
    ) {
        self.count += 1;
        let record = Record { number: self.count, ..record };
        let mut conflicts: Vec<(Record, u64)> = Vec::new();
        // Reads of the same pipe before this access: what they race with was reported with them.
        let mut before: Vec<Record> = Vec::new();
        let Region { start, .. } = record.region;
        let (first, last) = (start >> self.bits, (record.region.end().max(start + 1) - 1) >> self.bits);
        let mut look = |records: &mut Vec<Record>| {
            records.retain(|old| {
                let writes = old.access.changes() || record.access.changes();
                let both_atomic = old.atomic && record.atomic;
                let apart = old.moment.core != me;
                // An instruction that reads and writes the same bytes reads them first.
                let own = old.moment == record.moment;
                let known = own || clock.knows(me, &old.moment) || !apart && !within_core;
                let same = old.moment.core == me && old.moment.pipe == record.moment.pipe;
                if same && !old.access.changes() && !conflicts.is_empty() {
                    before.push(*old);
                }
                if writes && !known && !both_atomic {
                    if let Some(byte) = record.region.common(&old.region) {
                        // An access is listed in each of its buckets.
                        let listed = |(seen, _): &(Record, u64)| {
                            (seen.moment, seen.origin) == (old.moment, old.origin)
                        };
                        if !conflicts.iter().any(listed) {
                            conflicts.push((*old, byte));
                        }
                        // Reported once: what comes later is compared with the newer of the two. A read does not stand
                        // for the write before it: who waits for that write need not wait for the read.
                        return !(record.access.changes() && record.region.covers(&old.region));
                    }
                    return true;
                }
                let by_order = writes && !own && !both_atomic && (apart || within_core);
                if by_order && record.region.common(&old.region).is_some() {
                    ordered(old);
                }
                // What this access replaces: all that is ordered before a write, older reads of the same pipe. Those
                // before a read in place are held against the write that comes with it.
                let replaced = match (record.access.changes(), old.access.changes()) {
                    (true, _) => known,
                    (false, false) => same && !record.in_place,
                    (false, true) => false,
                };
                !(replaced && record.region.covers(&old.region))
            });
        };
        look(&mut self.wide);
        if last - first >= MOST {
            for (_, records) in self.buckets.range_mut(first..=last) {
                look(records);
            }
            self.wide.push(record);
        } else {
            for bucket in first..=last {
                let records = self.buckets.entry(bucket).or_default();
                look(records);
                records.push(record);
            }
        }
        // What reads a value comes behind what wrote it: who waits for the reader has waited for the writer. And a pipe that
        // waits for the writer before its first read does not read too early later.
        let reads = conflicts.iter().map(|(old, _)| old).filter(|old| !old.access.changes());
        let reads: Vec<&Record> = reads.chain(&before).collect();
        for (old, byte) in &conflicts {
            let since =
                |read: &&Record| read.number > old.number && read.region.common(&old.region).is_some();
            if !old.access.changes() || !reads.iter().any(since) {
                conflict(old, *byte);
            }
        }
    }
}
