//! Accesses of launches to buffers, and conflicts between launches without order.

use super::session::{BufferId, Launch, SessionBuffer};
use super::window::Window;
use super::words::{Conflict, Finding, Named, conflict_in_words, unread_in_words};
use pto_isa::diag::Span;
use pto_isa::strided_range::StridedRange;
use pto_machine::observe::{Accessor, Sides, Traffic, span_of};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most launches of a group whose operations are kept, to name them in findings.
const MOST_NAMED: usize = 10_000;

/// An operation of a launch that accesses a buffer.
pub(super) struct Access {
    buffer: BufferId,
    writes: bool,
    span: Span,
    /// Bytes of the buffer.
    ranges: Vec<StridedRange>,
}

/// The bytes of buffers: a bit for each byte of a buffer, so they are not kept for each launch.
type Bytes = BTreeMap<BufferId, Sides>;

/// A launch, and the operations that have accessed buffers.
pub(super) struct Seen {
    name: String,
    kernel: usize,
    accesses: Vec<Access>,
}

impl Seen {
    /// A launch, and the bytes that it has accessed. `traffic` numbers buffers as `windows` does, and counts bytes from the start of a window.
    pub(super) fn of(launch: &Launch<'_>, traffic: Traffic, windows: &[Window]) -> (Seen, Bytes) {
        let window = |buffer: u32| windows.get(buffer as usize);
        let mut sides = Bytes::new();
        for (buffer, of_buffer) in traffic.buffers {
            let Some(window) = window(buffer) else { continue };
            sides.insert(window.buffer, of_buffer.moved(window.bytes.start));
        }
        let access = |(accessor, ranges): (Accessor, Vec<StridedRange>)| {
            let window = window(accessor.buffer)?;
            let start = window.bytes.start as u64;
            let moved = ranges.into_iter().map(|range| StridedRange { start: range.start + start, ..range });
            Some(Access {
                buffer: window.buffer,
                writes: accessor.writes,
                span: span_of(launch.program, accessor.place),
                ranges: moved.collect(),
            })
        };
        let accesses = traffic.accessors.into_iter().filter_map(access).collect();
        (Seen { name: launch.name.clone(), kernel: launch.kernel, accesses }, sides)
    }

    /// The operation of this launch that accesses a byte.
    fn access(&self, buffer: BufferId, byte: usize, writes: bool) -> Option<Named> {
        let one = StridedRange::bytes(byte as u64, 1);
        let does = |access: &&Access| {
            let touches = || access.ranges.iter().any(|range| range.common(&one).is_some());
            access.buffer == buffer && access.writes == writes && touches()
        };
        let access = self.accesses.iter().find(does)?;
        Some(Named { launch: self.name.clone(), kernel: self.kernel, span: Some(access.span) })
    }
}

/// A group of branches without order.
#[derive(Default)]
struct Group {
    /// Accesses of earlier branches.
    earlier: Bytes,
    /// Accesses of the current branch.
    branch: Bytes,
    /// Number of the current branch.
    number: usize,
    /// Launches with their branches.
    launches: Vec<(usize, Arc<Seen>)>,
}

/// The accesses to all buffers.
#[derive(Default)]
pub(super) struct Watch {
    groups: Vec<Group>,
    /// The last launch that wrote each buffer.
    writers: BTreeMap<BufferId, Named>,
    read: BTreeSet<BufferId>,
    /// By buffer, kernels, and whether each writes.
    conflicts: BTreeMap<(BufferId, [(usize, bool); 2]), Conflict>,
}

impl Watch {
    pub(super) fn begin_group(&mut self) {
        self.groups.push(Group::default());
    }

    pub(super) fn next_branch(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        group.number += 1;
        for (buffer, sides) in std::mem::take(&mut group.branch) {
            join(&mut group.earlier, buffer, sides);
        }
    }

    pub(super) fn end_group(&mut self) {
        self.groups.pop();
    }

    /// Adds the accesses of a launch.
    pub(super) fn add(&mut self, seen: Seen, mut bytes: Bytes, buffers: &mut [SessionBuffer]) {
        for (buffer, sides) in &bytes {
            if !sides.read.is_empty() {
                self.read.insert(*buffer);
            }
            if sides.written.is_empty() {
                continue;
            }
            if let Some(written) = &mut buffers[buffer.0].written {
                written.join(&sides.written, 0);
            }
            let writes = seen.accesses.iter().find(|access| access.buffer == *buffer && access.writes);
            let span = writes.map(|access| access.span);
            self.writers.insert(*buffer, Named { launch: seen.name.clone(), kernel: seen.kernel, span });
        }
        let seen = Arc::new(seen);
        for at in 0..self.groups.len() {
            self.compare(at, &seen, &bytes, buffers);
            let is_last = at + 1 == self.groups.len();
            let group = &mut self.groups[at];
            let of_group = if is_last { std::mem::take(&mut bytes) } else { bytes.clone() };
            for (buffer, sides) in of_group {
                join(&mut group.branch, buffer, sides);
            }
            if group.launches.len() < MOST_NAMED {
                group.launches.push((group.number, Arc::clone(&seen)));
            }
        }
    }

    /// Compares the accesses of a launch with those of earlier branches of a group.
    fn compare(&mut self, group: usize, seen: &Seen, bytes: &Bytes, buffers: &[SessionBuffer]) {
        let group = &self.groups[group];
        for (buffer, now) in bytes {
            let Some(before) = group.earlier.get(buffer) else { continue };
            let pairs = [
                (&before.written, true, &now.written, true),
                (&before.written, true, &now.read, false),
                (&before.read, false, &now.written, true),
            ];
            for (earlier, wrote, later, writes) in pairs {
                let Some(byte) = earlier.first_common(later) else { continue };
                let others = group.launches.iter().filter(|(branch, _)| *branch != group.number);
                let first =
                    others.map(|(_, other)| other).find_map(|other| other.access(*buffer, byte, wrote));
                let unnamed =
                    || Named { launch: "an earlier launch".to_owned(), kernel: seen.kernel, span: None };
                let first = first.unwrap_or_else(unnamed);
                let Some(second) = seen.access(*buffer, byte, writes) else { continue };
                let key = (*buffer, [(first.kernel, wrote), (second.kernel, writes)]);
                let element = buffers[buffer.0].element_of(byte);
                let name = buffers[buffer.0].name.clone();
                let new = Conflict { buffer: name, element, first, wrote, second, writes, count: 0 };
                self.conflicts.entry(key).or_insert(new).count += 1;
            }
        }
    }

    /// The conflicts so far.
    pub(super) fn conflicts(&self) -> Vec<Finding> {
        self.conflicts.values().map(conflict_in_words).collect()
    }

    /// Lints on buffers that were written, but not read.
    pub(super) fn unread(&self, buffers: &[SessionBuffer], results: &[BufferId]) -> Vec<Finding> {
        let unread = self
            .writers
            .iter()
            .filter(|(buffer, _)| !self.read.contains(buffer) && !results.contains(buffer));
        unread.map(|(buffer, by)| unread_in_words(&buffers[buffer.0].name, by)).collect()
    }
}

/// Adds accesses to a buffer.
fn join(sum: &mut Bytes, buffer: BufferId, more: Sides) {
    match sum.entry(buffer) {
        Entry::Vacant(entry) => {
            entry.insert(more);
        }
        Entry::Occupied(mut entry) => {
            entry.get_mut().read.join(&more.read, 0);
            entry.get_mut().written.join(&more.written, 0);
        }
    }
}
