//! Comparison of trial runs of one instruction: changed bytes against declared ones.

use super::super::{Core, Machine};
use crate::sim::event::Touched;
use crate::sim::footprint::Kind;
use crate::sim::operands::Space;
use pto_isa::exec::registers::Registers;
use pto_isa::exec::state::Live;
use pto_isa::op::effect::Access;
use pto_isa::strided_range::StridedRange;
use pto_num::random;
use std::ops::Range;

/// How a byte is accessed.
mod mark {
    pub(super) const READ: u8 = 1;
    pub(super) const WRITE: u8 = 2;
    pub(super) const PARTIAL: u8 = 4;
    pub(super) const DESTROY: u8 = 8;
}

fn mark_of(touch: &Kind) -> u8 {
    match touch.access {
        Access::Read | Access::Await | Access::Look => mark::READ,
        Access::Write => mark::WRITE,
        Access::PartialWrite | Access::Notify => mark::PARTIAL,
        Access::Destroy => mark::DESTROY,
        Access::Name | Access::Order => 0,
    }
}

/// Whether this access may change the byte.
pub(super) fn may_change(mark: u8) -> bool {
    mark & (mark::WRITE | mark::PARTIAL | mark::DESTROY) != 0
}

/// The parts of the block's memory that a program may write, which snapshots hold one after the other.
pub(super) struct Parts {
    parts: Vec<Range<usize>>,
}

impl Parts {
    pub(super) fn new(parts: impl Iterator<Item = Range<usize>>) -> Parts {
        Parts { parts: parts.collect() }
    }

    /// Bytes of all parts.
    fn size(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).sum()
    }

    /// Each part with its offset in a snapshot.
    fn iter(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let mut at = 0;
        self.parts.iter().map(move |part| {
            at += part.len();
            (part.clone(), at - part.len())
        })
    }

    /// Copies the parts.
    pub(super) fn copy(&self, memory: &[u8]) -> Vec<u8> {
        let mut copy = Vec::with_capacity(self.size());
        self.parts.iter().for_each(|part| copy.extend_from_slice(&memory[part.clone()]));
        copy
    }

    /// Whether the parts of a memory are as in a copy.
    pub(super) fn are_in(&self, memory: &[u8], copy: &[u8]) -> bool {
        self.iter().all(|(part, at)| memory[part.clone()] == copy[at..at + part.len()])
    }

    /// Restores the parts.
    pub(super) fn restore(&self, memory: &mut [u8], from: &[u8]) {
        for (part, at) in self.iter() {
            let length = part.len();
            memory[part].copy_from_slice(&from[at..at + length]);
        }
    }

    /// Offset of a byte of the memory in a snapshot.
    fn find(&self, byte: usize) -> Option<usize> {
        self.iter().find(|(part, _)| part.contains(&byte)).map(|(part, at)| byte - part.start + at)
    }
}

/// Everything that an instruction may change.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) memory: Vec<u8>,
    pub(super) global: Vec<Vec<u8>>,
    pub(super) scalars: Vec<u64>,
    pub(super) tiles: Vec<Live>,
    pub(super) registers: Registers,
    pub(super) printed: usize,
}

/// For each byte of a snapshot, how the instruction accesses it.
pub(super) struct Marks {
    pub(super) memory: Vec<u8>,
    pub(super) global: Vec<Vec<u8>>,
}

impl Marks {
    /// The marks of some effects, with buffers of these sizes; one that is not given is not marked.
    pub(super) fn of(touched: &[Touched], parts: &Parts, global: impl Iterator<Item = usize>) -> Marks {
        let memory = vec![0; parts.size()];
        let mut marks = Marks { memory, global: global.map(|size| vec![0; size]).collect() };
        for Touched { touch, space, range, .. } in touched {
            let mark = mark_of(touch);
            for (start, length) in range.runs() {
                let run = start as usize..(start + length) as usize;
                match *space {
                    Space::Chip(..) => marks.add(parts, &run, mark),
                    Space::Global(buffer) => {
                        let bytes =
                            marks.global.get_mut(buffer as usize).and_then(|marks| marks.get_mut(run));
                        bytes.into_iter().flatten().for_each(|byte| *byte |= mark);
                    }
                }
            }
        }
        marks
    }

    fn add(&mut self, parts: &Parts, run: &Range<usize>, mark: u8) {
        for (part, at) in parts.iter() {
            let (start, end) = (run.start.max(part.start), run.end.min(part.end));
            if start < end {
                let bytes = &mut self.memory[at + start - part.start..at + end - part.start];
                bytes.iter_mut().for_each(|byte| *byte |= mark);
            }
        }
    }
}

/// A byte of some ranges.
pub(super) fn sample(ranges: &[(Space, StridedRange)], random: &mut u64) -> (Space, u64) {
    let mut below = |limit: u64| random::next(random) % limit;
    let (space, range) = ranges[below(ranges.len() as u64) as usize];
    (space, range.start + below(range.count) * range.stride + below(range.run))
}

/// A random byte other than 0.
pub(super) fn flip(random: &mut u64) -> u8 {
    (random::next(random) % 255 + 1) as u8
}

/// The first byte that changed but is not declared as written.
pub(super) fn undeclared(old: &[u8], new: &[u8], marks: &[u8]) -> Option<usize> {
    changed(old, new, marks, |mark| !may_change(mark))
}

/// The first byte whose result differs.
fn differs(new: &[u8], old: &[u8], marks: &[u8]) -> Option<usize> {
    changed(old, new, marks, |mark| {
        let written = mark & mark::WRITE != 0;
        written || mark & mark::PARTIAL != 0 && mark & mark::DESTROY == 0
    })
}

/// The first byte that differs and has such a mark. Most bytes are equal, so they are compared in chunks.
fn changed(old: &[u8], new: &[u8], marks: &[u8], counts: impl Fn(u8) -> bool) -> Option<usize> {
    const CHUNK: usize = 256;
    let chunks = old.chunks(CHUNK).zip(new.chunks(CHUNK)).zip(marks.chunks(CHUNK));
    chunks.enumerate().filter(|(_, ((old, new), _))| old != new).find_map(|(number, ((old, new), marks))| {
        let at = old.iter().zip(new).zip(marks).position(|((old, new), mark)| old != new && counts(*mark))?;
        Some(number * CHUNK + at)
    })
}

/// One run of an instruction that others are compared with.
pub(super) struct Trial<'a> {
    pub(super) parts: &'a Parts,
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    pub(super) marks: &'a Marks,
    pub(super) printed: &'a [String],
}

impl Trial<'_> {
    /// A byte that changed without being declared as written.
    pub(super) fn undeclared(&self) -> Option<String> {
        if let Some(at) = undeclared(&self.before.memory, &self.after.memory, &self.marks.memory) {
            return Some(format!("changes byte {at} of the tiles without declaring it"));
        }
        let buffers = self.before.global.iter().zip(&self.after.global).zip(&self.marks.global);
        buffers.enumerate().find_map(|(buffer, ((old, new), marks))| {
            let at = undeclared(old, new, marks)?;
            Some(format!("changes byte {at} of buffer {buffer} without declaring it"))
        })
    }

    /// Changes every byte that is not read.
    pub(super) fn scramble(&self, other: &mut Snapshot, random: &mut u64) {
        let mut change = |bytes: &mut [u8], marks: &[u8]| {
            for (byte, mark) in bytes.iter_mut().zip(marks) {
                if mark & (mark::READ | mark::PARTIAL) == 0 {
                    *byte ^= flip(random);
                }
            }
        };
        change(&mut other.memory, &self.marks.memory);
        other.global.iter_mut().zip(&self.marks.global).for_each(|(bytes, marks)| change(bytes, marks));
    }

    /// Difference from the results of the first run.
    pub(super) fn difference(&self, machine: &Machine<'_>, core: &Core) -> Option<String> {
        const WHY: &str = "depends on bytes that are not declared to be read, or keeps its old value";
        let (after, marks) = (self.after, self.marks);
        for (part, at) in self.parts.iter() {
            let here = at..at + part.len();
            let new = &core.memory[part];
            if let Some(byte) = differs(new, &after.memory[here.clone()], &marks.memory[here]) {
                return Some(format!("byte {} of the tiles {WHY}", at + byte));
            }
        }
        for (at, buffer) in machine.state.global.buffers().iter().enumerate() {
            if let Some(byte) = differs(buffer.watched(), &after.global[at], &marks.global[at]) {
                return Some(format!("byte {byte} of buffer {at} {WHY}"));
            }
        }
        if core.scalars != after.scalars || core.tiles != after.tiles {
            return Some(format!("a scalar {WHY}"));
        }
        let printed = &machine.state.outcome.printed[self.before.printed..];
        (printed != self.printed).then(|| format!("what it prints {WHY}"))
    }

    /// Whether a byte was written: it is only written, not read, or its value changed.
    pub(super) fn is_written(&self, space: Space, byte: u64) -> bool {
        let byte = byte as usize;
        let (old, new, marks, at) = match space {
            Space::Chip(..) => {
                let Some(at) = self.parts.find(byte) else { return false };
                (&self.before.memory, &self.after.memory, &self.marks.memory, at)
            }
            Space::Global(buffer) => {
                let buffer = buffer as usize;
                (&self.before.global[buffer], &self.after.global[buffer], &self.marks.global[buffer], byte)
            }
        };
        let pure = marks.get(at).is_some_and(|mark| mark & (mark::READ | mark::PARTIAL) == 0);
        pure || old.get(at) != new.get(at)
    }
}
