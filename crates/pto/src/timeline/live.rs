//! The values of one tile over time, found backwards: a byte is live before a read, until the write of it.

use super::occupancy::{LiveRange, MOST_LIVES};
use super::recording::TileAccess;
use pto_isa::op::effect::Access;
use pto_isa::written::Written;

/// When an instruction accesses tiles, and on which core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) core: u32,
    pub(super) start: f64,
    /// When the sources have been read.
    pub(super) end: f64,
    /// When the results are there.
    pub(super) done: f64,
}

/// A value of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) range: LiveRange,
    /// Start of the last instruction that reads it.
    pub(super) last_read: f64,
    /// First byte and end of the bytes that are written.
    pub(super) bytes: (u64, u64),
    /// The core that writes it.
    pub(super) core: u32,
}

/// The accesses to a tile, from the last instruction to the first one.
#[derive(Default)]
pub(super) struct Lives {
    /// Bytes that are written, and bytes that are read, at any time.
    written: Written,
    read: Written,
    /// The bytes that are read later.
    live: Written,
    /// The value that is live.
    open: Option<Value>,
    values: Vec<Value>,
    joined: u64,
}

impl Lives {
    /// Notes the bytes of an access. All accesses are noted before the first call of [`Lives::before`].
    pub(super) fn note(&mut self, access: &TileAccess) {
        let bytes = if access.access.changes() { &mut self.written } else { &mut self.read };
        bytes.mark(&access.range);
    }

    /// Goes back over an instruction: over its writes, then over its reads.
    pub(super) fn before(&mut self, at: Used, accesses: &[&TileAccess]) {
        let (writes, reads): (Vec<&TileAccess>, Vec<&TileAccess>) =
            accesses.iter().copied().partition(|access| access.access.changes());
        if !writes.is_empty() {
            self.before_writes(at, &writes, reads.is_empty());
        }
        if !reads.is_empty() {
            self.before_reads(at, &reads);
        }
        if self.values.len() >= 4 * MOST_LIVES {
            self.join();
        }
    }

    fn before_writes(&mut self, at: Used, writes: &[&TileAccess], only: bool) {
        // The data determine which bytes a partial write overwrites: the other bytes may have been live before.
        for access in writes.iter().filter(|access| access.access != Access::PartialWrite) {
            self.live.clear(&access.range);
        }
        let start = writes.iter().map(|access| access.range.start).min().unwrap_or(0);
        let end = writes.iter().map(|access| access.range.end()).max().unwrap_or(0);
        match &mut self.open {
            Some(value) => {
                value.range.start = at.start;
                value.range.writes += 1;
                value.bytes = (value.bytes.0.min(start), value.bytes.1.max(end));
                value.core = at.core;
            }
            None => {
                // Only the instruction itself reads its workspace.
                let is_workspace = writes.iter().all(|access| access.access == Access::Destroy);
                let range =
                    LiveRange { start: at.start, end: at.done, writes: 1, reads: u64::from(is_workspace) };
                let value = Value { range, last_read: at.start, bytes: (start, end), core: at.core };
                if only {
                    self.values.push(value);
                }
            }
        }
        if only && self.live.is_empty() {
            self.values.extend(self.open.take());
        }
    }

    fn before_reads(&mut self, at: Used, reads: &[&TileAccess]) {
        let value = self.open.get_or_insert(Value {
            range: LiveRange { start: at.start, end: at.end, writes: 0, reads: 0 },
            last_read: at.start,
            bytes: (u64::MAX, 0),
            core: at.core,
        });
        value.range.start = at.start;
        value.range.reads += 1;
        for access in reads {
            // Bytes that nothing writes were there before, or are padding that is moved along.
            match self.written.is_empty() {
                true => self.live.mark(&access.range),
                false => self.live.mark_common(&access.range, &self.written),
            }
        }
        if self.live.is_empty() {
            self.values.extend(self.open.take());
        }
    }

    /// Ends at the first access: brings the values into the order of time.
    pub(super) fn finish(&mut self) {
        self.values.extend(self.open.take());
        self.values.reverse();
        self.join();
    }

    /// Joins values with short dead times between them until at most [`MOST_LIVES`] are left.
    fn join(&mut self) {
        let dead = |one: &Value, other: &Value| {
            (other.range.start - one.range.end).max(one.range.start - other.range.end)
        };
        let mut excess = self.values.len().saturating_sub(MOST_LIVES);
        if excess == 0 {
            return;
        }
        let mut gaps: Vec<f64> = self.values.windows(2).map(|pair| dead(&pair[0], &pair[1])).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let shortest = gaps[excess - 1];
        let mut left: Vec<Value> = Vec::with_capacity(MOST_LIVES);
        for value in self.values.drain(..) {
            match left.last_mut().filter(|last| excess > 0 && dead(last, &value) <= shortest) {
                Some(last) => {
                    last.range.start = last.range.start.min(value.range.start);
                    last.range.end = last.range.end.max(value.range.end);
                    last.range.reads += value.range.reads;
                    last.range.writes += value.range.writes;
                    self.joined += 1;
                    excess -= 1;
                }
                None => left.push(value),
            }
        }
        self.values = left;
    }

    /// The values in the order of time, at most [`MOST_LIVES`].
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    /// Number of values that were joined with the previous one.
    pub(super) fn joined(&self) -> u64 {
        self.joined
    }

    /// Bytes that are written, and bytes that are read.
    pub(super) fn bytes(&self) -> [&Written; 2] {
        [&self.written, &self.read]
    }
}
