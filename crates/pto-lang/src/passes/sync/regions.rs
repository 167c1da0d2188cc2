//! The bytes that the instructions of a stream access, numbered, and which of them may overlap.

use super::state::PipeSet;
use crate::analysis::accesses::{Accessed, Accesses, Bytes, Issue};
use crate::analysis::global::Rounds;
use crate::analysis::places::Base;
use crate::ir::ValueId;
use pto_isa::op::effect::Handshakes;
use pto_isa::pipe::Pipe;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The index of a region.
pub(super) type RegionIndex = u32;

/// One access of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) region: RegionIndex,
    pub(super) value: ValueId,
    pub(super) pipe: Pipe,
    pub(super) writes: bool,
    pub(super) atomic: bool,
    /// Whether the access follows all earlier instructions of its pipe and leaves no record.
    pub(super) signals: bool,
}

/// An instruction: its pipes, its own flags, its accesses.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) phases: Vec<Pipe>,
    pub(super) handshakes: Handshakes,
    pub(super) touches: Vec<Touch>,
}

/// All regions of a stream.
#[derive(Debug, Default)]
pub(super) struct Regions {
    all: Vec<Bytes>,
    numbers: HashMap<Bytes, RegionIndex>,
    /// For each region, the pipes that read it; in `writing`, the pipes that write it.
    reading: Vec<PipeSet>,
    writing: Vec<PipeSet>,
    /// For each region, the regions that may overlap it, if one of the two is written; ascending.
    beside: Vec<Vec<RegionIndex>>,
    /// For each region, the pipes with accesses that may conflict with a read of it, and with a write.
    waiting: [Vec<PipeSet>; 2],
    /// For each region, the last node at which its records are of use.
    expiry: Vec<usize>,
}

/// A memory with its own addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Chip(Base),
    Global(u32),
}

/// The memory of a region, the size of its units in bits, the first unit, and the one after the last; `None` if these
/// are not constants or the region spans several memories.
fn interval(bytes: &Bytes) -> Option<(Place, u32, i64, i64)> {
    match bytes {
        Bytes::Chip(ranges) => {
            let (base, _) = ranges.first()?;
            let start = ranges.iter().map(|(_, range)| range.start).min()?;
            let end = ranges.iter().map(|(_, range)| range.end()).max()?;
            let is_one = ranges.iter().all(|(other, _)| other == base);
            let [start, end] = [start, end].map(|byte| i64::try_from(byte).ok());
            is_one.then_some((Place::Chip(*base), 8, start?, end?))
        }
        Bytes::Anywhere(_) => None,
        Bytes::Global(part) => {
            let (root, bits, start, end) = part.interval()?;
            Some((Place::Global(root.index() as u32), bits, start, end))
        }
    }
}

impl Regions {
    fn number(&mut self, bytes: Bytes) -> RegionIndex {
        if let Some(number) = self.numbers.get(&bytes) {
            return *number;
        }
        let number = self.all.len() as RegionIndex;
        self.all.push(bytes.clone());
        self.reading.push(PipeSet::default());
        self.writing.push(PipeSet::default());
        self.numbers.insert(bytes, number);
        number
    }

    /// An instruction with its accesses numbered.
    pub(super) fn step(&mut self, issue: Issue) -> Step {
        let mut touches = Vec::with_capacity(issue.accesses.len());
        for accessed in issue.accesses {
            let writes = accessed.access.changes();
            let Accessed { value, pipe, atomic, signals, .. } = accessed;
            let region = self.number(accessed.bytes);
            let users = if writes { &mut self.writing } else { &mut self.reading };
            users[region as usize] = users[region as usize].with(PipeSet::of(pipe));
            touches.push(Touch { region, value, pipe, writes, atomic, signals });
        }
        Step { phases: issue.phases, handshakes: issue.handshakes, touches }
    }

    /// Finds the regions that may overlap, in any iterations of the loops around their accesses.
    pub(super) fn connect(&mut self, accesses: &Accesses<'_>) {
        self.beside = vec![Vec::new(); self.all.len()];
        for (a, b) in self.candidates() {
            let matters = [a, b].iter().any(|at| self.writing[*at] != PipeSet::default());
            if matters && accesses.may_overlap(&self.all[a], &self.all[b], &Rounds::default()) {
                self.beside[a].push(b as RegionIndex);
                if a != b {
                    self.beside[b].push(a as RegionIndex);
                }
            }
        }
        self.beside.iter_mut().for_each(|list| list.sort_unstable());
        let all = |list: &Vec<RegionIndex>, of: &[PipeSet]| {
            list.iter().fold(PipeSet::default(), |set, other| set.with(of[*other as usize]))
        };
        let writers: Vec<PipeSet> = self.beside.iter().map(|list| all(list, &self.writing)).collect();
        let readers = self.beside.iter().map(|list| all(list, &self.reading));
        let either = writers.iter().zip(readers).map(|(writers, readers)| writers.with(readers)).collect();
        self.waiting = [writers, either];
    }

    /// The pairs of regions that are not disjoint by their intervals alone, each once.
    fn candidates(&self) -> Vec<(usize, usize)> {
        let mut groups: BTreeMap<Place, Vec<(i64, i64, usize)>> = BTreeMap::new();
        let mut elements: BTreeMap<Place, u32> = BTreeMap::new();
        let mut wide: BTreeSet<usize> = BTreeSet::new();
        for (at, bytes) in self.all.iter().enumerate() {
            let Some((place, bits, start, end)) = interval(bytes) else {
                wide.insert(at);
                continue;
            };
            // Intervals of elements of other sizes are not comparable.
            match *elements.entry(place).or_insert(bits) == bits {
                true => groups.entry(place).or_default().push((start, end, at)),
                false => drop(wide.insert(at)),
            }
        }
        let mut pairs = Vec::new();
        for group in groups.values_mut() {
            group.sort_unstable();
            for (number, (_, end, at)) in group.iter().enumerate() {
                pairs.push((*at, *at));
                let later = group[number + 1..].iter().take_while(|(start, ..)| start < end);
                pairs.extend(later.map(|(_, _, other)| (*at, *other)));
            }
        }
        for at in &wide {
            let others = (0..self.all.len()).filter(|other| other >= at || !wide.contains(other));
            pairs.extend(others.map(|other| (*at, other)));
        }
        pairs
    }

    /// Computes the last node of the stream at which a record of each region may be of use: the last node that
    /// accesses possibly overlapping bytes, or the end of the outermost loop around that node.
    pub(super) fn expire(
        &mut self,
        last_accesses: impl Iterator<Item = (RegionIndex, usize)>,
        last_fence: Option<usize>,
    ) {
        let mut last = vec![0; self.all.len()];
        for (region, node) in last_accesses {
            last[region as usize] = node.max(last[region as usize]);
        }
        let latest = |list: &Vec<RegionIndex>| list.iter().map(|other| last[*other as usize]).max();
        self.expiry = self.beside.iter().map(|list| latest(list).max(last_fence).unwrap_or(0)).collect();
    }

    /// Whether a record of a region is of use at a node or later.
    pub(super) fn is_of_use(&self, region: RegionIndex, node: usize) -> bool {
        self.expiry.get(region as usize).is_none_or(|last| *last >= node)
    }

    /// Whether two regions may overlap.
    pub(super) fn are_beside(&self, one: RegionIndex, other: RegionIndex) -> bool {
        self.beside[one as usize].binary_search(&other).is_ok()
    }

    /// The pipes with accesses that may conflict with one to a region.
    pub(super) fn waiting(&self, region: RegionIndex, writes: bool) -> PipeSet {
        self.waiting[usize::from(writes)][region as usize]
    }

    /// Whether no access conflicts with one to this region.
    pub(super) fn is_alone(&self, region: RegionIndex) -> bool {
        self.beside[region as usize].is_empty()
    }

    pub(super) fn bytes(&self, region: RegionIndex) -> &Bytes {
        &self.all[region as usize]
    }
}
