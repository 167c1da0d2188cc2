//! Logs of runs: the operations of each core in order, with hashes of the written bytes, for the comparison of two
//! runs.
//!
//! A log has an [`Entry`] for every tile instruction, or for each of its transfers, and for every operation that
//! orders instructions: flags, barriers, buffer tokens, queues, flags between cores. [`Entry`] prints as a line of
//! text and is parsed from one ([`Entry::parse`]). [`align()`] finds the corresponding entries of two logs.

mod align;
mod capture;
pub mod digest;
mod entry;
mod record;
mod spaces;
mod step;
mod text;

pub use align::{Aligned, Matched, RECENT, WINDOW, align};
pub use capture::{Captured, Contents, Value};
pub use entry::{Action, Area, Core, CoreKind, Entry, Operand, Position, QueueEnd, Reach, Shape, Use};
pub use record::Recorder;
pub use step::{Mark, Step};
pub use text::{FOOTER, HEADER, LONGEST_LINE};

use pto_isa::diag::Span;
use pto_isa::pipe::Pipe;
use std::collections::BTreeMap;

/// The log of a run.
#[derive(Clone, Debug, Default)]
pub struct Log {
    cores: Vec<Core>,
    sites: Vec<Site>,
    /// Names of memories.
    spaces: Vec<String>,
    stored: Vec<Stored>,
    accesses: Vec<StoredAccess>,
    left_out: u64,
}

/// An operation of the program that has an entry.
#[derive(Clone, Debug)]
struct Site {
    name: String,
    span: Span,
    position: Position,
    /// Names of the operation's operands and results.
    operands: Vec<String>,
    /// Number of device transfers of one execution.
    transfers: usize,
}

/// An entry, with indices into the tables of its log.
#[derive(Clone, Copy, Debug)]
struct Stored {
    core: u32,
    site: u32,
    pipe: Pipe,
    action: Action,
    /// End of the entry's accesses, which start where those of the previous entry end.
    end: usize,
}

/// An operand of an entry, with indices into the tables of its log.
#[derive(Clone, Copy, Debug)]
struct StoredAccess {
    space: u32,
    operand: u16,
    start: u64,
    end: u64,
    shape: Shape,
    usage: Use,
}

/// A name with only characters that separate nothing in a line.
fn as_word(name: &str) -> String {
    name.replace([' ', '|', '[', ']', '\n'], "_")
}

impl Log {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Number of entries of the run after the last one that the log has.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Whether the log has no entry.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// The entry with a number.
    pub fn get(&self, sequence: usize) -> Option<Entry<'_>> {
        let stored = self.stored.get(sequence)?;
        let first = sequence.checked_sub(1).map_or(0, |before| self.stored[before].end);
        let site = &self.sites[stored.site as usize];
        let operand = |access: &StoredAccess| Operand {
            name: site.operands.get(usize::from(access.operand)).map_or("?", String::as_str),
            area: Area {
                space: &self.spaces[access.space as usize],
                start: access.start,
                end: access.end,
                shape: access.shape,
            },
            usage: access.usage,
        };
        Some(Entry {
            sequence: sequence as u64,
            core: self.cores[stored.core as usize],
            pipe: stored.pipe,
            name: &site.name,
            span: site.span,
            position: site.position,
            action: stored.action,
            operands: self.accesses[first..stored.end].iter().map(operand).collect(),
        })
    }

    /// All entries, in the order of the run.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.len()).filter_map(|sequence| self.get(sequence))
    }

    /// The entries of each core, as numbers in order.
    pub fn streams(&self) -> BTreeMap<Core, Vec<usize>> {
        let mut streams: BTreeMap<Core, Vec<usize>> = BTreeMap::new();
        for (sequence, stored) in self.stored.iter().enumerate() {
            streams.entry(self.cores[stored.core as usize]).or_default().push(sequence);
        }
        streams
    }

    /// Sets the positions of all entries from their bytes in the source.
    pub fn locate(&mut self, position: impl Fn(Span) -> Position) {
        self.sites.iter_mut().for_each(|site| site.position = position(site.span));
    }
}
