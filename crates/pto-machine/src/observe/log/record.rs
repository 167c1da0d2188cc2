//! The observer that records a log, or captures contents of its entries.

use super::capture::{Captured, capture};
use super::digest::Digest;
use super::entry::{Action, Core, CoreKind, Entry, QueueEnd, Reach, Shape, Use};
use super::spaces::Spaces;
use super::{Log, Position, Site, Stored, StoredAccess, as_word};
use crate::observe::words::{operands_at, operation_at};
use crate::sim::code::FlagReach;
use crate::sim::event::{self, CoreId, Event, Memory, Place, Touched, What, Work};
use crate::sim::{CoreKind as MachineCore, Needs, Observe, Printed, Program};
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::strided_range::{Collector, StridedRange};
use std::collections::BTreeMap;

/// Records the log of a run, passes its entries on, or captures the contents that some of them wrote.
pub struct Recorder<'s> {
    log: Log,
    cores: BTreeMap<CoreId, u32>,
    sites: BTreeMap<Place, u32>,
    spaces: Spaces,
    purpose: Purpose<'s>,
    captured: Vec<Captured>,
    /// Entries so far.
    count: u64,
}

/// Destination of the entries.
enum Purpose<'s> {
    /// Keeps the first entries, up to this number.
    Keep(usize),
    /// Passes each complete entry on, and keeps none.
    PassOn(Box<dyn FnMut(Entry<'_>) + Send + 's>),
    /// Captures the contents of the entries with these numbers, in ascending order; there is no log.
    Capture(Vec<u64>),
}

/// The ranges of one operand.
struct Group {
    operand: u16,
    access: Access,
    touched: Touched,
    ranges: Vec<StridedRange>,
}

fn is_written(access: Access) -> bool {
    matches!(access, Access::Write | Access::PartialWrite)
}

/// Accesses by operand.
fn groups(touched: &[Touched]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for touched in touched {
        match groups.last_mut() {
            Some(group) if group.touched.index == touched.index && group.touched.space == touched.space => {
                group.ranges.push(touched.range);
            }
            _ => groups.push(Group {
                operand: touched.touch.operand,
                access: touched.touch.access,
                touched: *touched,
                ranges: vec![touched.range],
            }),
        }
    }
    groups
}

/// The share of one transfer in the written ranges of an instruction that consists of several transfers. The runs,
/// which are columns of boxes, are divided equally, and the last transfer also gets the remainder.
fn share(group: &Group, part: usize, parts: usize) -> Vec<StridedRange> {
    if parts == 1 || !is_written(group.access) {
        return group.ranges.clone();
    }
    let runs: Vec<_> = group.ranges.iter().flat_map(StridedRange::runs).collect();
    let share = runs.len() / parts;
    let count = if part + 1 == parts { runs.len() } else { share };
    let mut ranges = Vec::new();
    let mut push = |range| ranges.push(range);
    let mut collector = Collector::new(&mut push);
    runs.iter().skip(part * share).take(count).for_each(|(start, length)| collector.add(*start, *length));
    collector.finish();
    ranges
}

impl Recorder<'static> {
    /// A recorder of the log.
    pub fn of_log() -> Recorder<'static> {
        Recorder::of_first(usize::MAX)
    }

    /// A recorder of the first `most` entries of the log, which bounds its memory.
    pub fn of_first(most: usize) -> Recorder<'static> {
        Recorder::of_purpose(Purpose::Keep(most))
    }

    /// A recorder of the contents that the entries with these numbers write.
    pub fn of_contents(wanted: &[u64]) -> Recorder<'static> {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        Recorder::of_purpose(Purpose::Capture(wanted))
    }
}

impl<'s> Recorder<'s> {
    /// A recorder that passes the entries on during the run. It keeps none of them, so its memory does not depend on
    /// their number.
    pub fn passing_on(sink: impl FnMut(Entry<'_>) + Send + 's) -> Recorder<'s> {
        Recorder::of_purpose(Purpose::PassOn(Box::new(sink)))
    }

    fn of_purpose(purpose: Purpose<'s>) -> Recorder<'s> {
        Recorder {
            log: Log::default(),
            cores: BTreeMap::new(),
            sites: BTreeMap::new(),
            spaces: Spaces::default(),
            purpose,
            captured: Vec::new(),
            count: 0,
        }
    }

    /// The log.
    pub fn into_log(self) -> Log {
        self.log
    }

    /// The contents that the wanted entries wrote, in order.
    pub fn into_captured(self) -> Vec<Captured> {
        self.captured
    }

    fn core(&mut self, id: CoreId) -> u32 {
        let cores = &mut self.log.cores;
        *self.cores.entry(id).or_insert_with(|| {
            let kind = match id.kind {
                MachineCore::Whole => CoreKind::Core,
                MachineCore::Cube => CoreKind::Cube,
                MachineCore::Vector(_) => CoreKind::Vector,
            };
            cores.push(Core { rank: id.rank, block: id.block, kind, vector_core: id.vector_core });
            cores.len() as u32 - 1
        })
    }

    fn site(&mut self, program: &Program, at: Place) -> u32 {
        if let Some(site) = self.sites.get(&at) {
            return *site;
        }
        let operation = operation_at(program, at).map(|(_, operation)| operation);
        let transfers = operation.and_then(|it| Some(it.instruction()?.transfers(&it.attributes)));
        self.log.sites.push(Site {
            name: operation.map_or("?".to_owned(), |operation| as_word(operation.short_name())),
            span: operation.map(|operation| operation.span).unwrap_or_default(),
            position: Position::default(),
            operands: operands_at(program, at).into_iter().map(|(name, _)| as_word(name)).collect(),
            transfers: transfers.unwrap_or(1).max(1),
        });
        let site = self.log.sites.len() as u32 - 1;
        self.sites.insert(at, site);
        site
    }

    /// An instruction, or each of its transfers.
    fn instruction(
        &mut self,
        program: &Program,
        core: CoreId,
        at: Place,
        pipe: Pipe,
        touched: &[Touched],
        memory: &Memory<'_>,
    ) {
        let site = self.site(program, at);
        let parts = self.log.sites[site as usize].transfers;
        let groups = groups(touched);
        for part in 0..parts {
            if !self.is_logged() {
                if self.is_captured() {
                    let written = groups.iter().filter(|group| is_written(group.access));
                    let shares = written.map(|group| (group.touched, share(group, part, parts))).collect();
                    self.captured.push(capture(program, at, self.count, shares, memory));
                }
                self.leave_out();
                continue;
            }
            for group in &groups {
                let ranges = if parts == 1 { None } else { Some(share(group, part, parts)) };
                self.operand(program, core, group, ranges.as_deref().unwrap_or(&group.ranges), memory);
            }
            self.push(core, site, pipe, Action::Run);
        }
    }

    /// Whether the next entry goes to the log, or is passed on.
    fn is_logged(&self) -> bool {
        match &self.purpose {
            Purpose::Keep(most) => self.log.stored.len() < *most,
            Purpose::PassOn(_) => true,
            Purpose::Capture(_) => false,
        }
    }

    fn is_captured(&self) -> bool {
        matches!(&self.purpose, Purpose::Capture(wanted) if wanted.binary_search(&self.count).is_ok())
    }

    /// Counts an entry that is not logged.
    fn leave_out(&mut self) {
        self.count += 1;
        self.log.left_out += 1;
    }

    /// Adds an operand of the entry that follows.
    fn operand(
        &mut self,
        program: &Program,
        core: CoreId,
        group: &Group,
        ranges: &[StridedRange],
        memory: &Memory<'_>,
    ) {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(StridedRange::end).max().unwrap_or(0);
        let of = group.touched.space;
        let (space, base) = self.spaces.locate(program, core, memory, of, start, &mut self.log.spaces);
        let shape = match ranges {
            [range] if range.count > 1 => Shape::Runs { run: range.run, stride: range.stride },
            [] | [_] => Shape::Whole,
            _ => Shape::Parts,
        };
        let usage = match group.access {
            access if is_written(access) => {
                let bytes = memory.bytes(group.touched.space);
                let mut digest = Digest::default();
                let runs = ranges.iter().flat_map(StridedRange::runs);
                runs.for_each(|(start, length)| {
                    digest.add(bytes.get(start as usize..(start + length) as usize).unwrap_or_default());
                });
                Use::Writes { bytes: digest.bytes(), hash: digest.hash() }
            }
            Access::Destroy => Use::Destroys,
            Access::Notify => Use::Notifies,
            Access::Await | Access::Look => Use::Awaits,
            _ => Use::Reads,
        };
        let (start, end) = (start.saturating_sub(base), end.saturating_sub(base));
        self.log.accesses.push(StoredAccess { space, operand: group.operand, start, end, shape, usage });
    }

    fn push(&mut self, core: CoreId, site: u32, pipe: Pipe, action: Action) {
        let core = self.core(core);
        self.log.stored.push(Stored { core, site, pipe, action, end: self.log.accesses.len() });
        if let Purpose::PassOn(sink) = &mut self.purpose {
            if let Some(entry) = self.log.get(0) {
                sink(Entry { sequence: self.count, ..entry });
            }
            self.log.stored.clear();
            self.log.accesses.clear();
        }
        self.count += 1;
    }

    /// An operation of synchronization.
    fn order(&mut self, program: &Program, core: CoreId, at: Place, pipe: Pipe, action: Action) {
        if !self.is_logged() {
            return self.leave_out();
        }
        let site = self.site(program, at);
        self.push(core, site, pipe, action);
    }
}

fn queue_end(queue: &event::QueueEnd) -> QueueEnd {
    let id = i64::try_from(queue.id).unwrap_or(i64::MAX);
    QueueEnd { id, to_vector: queue.to_vector, core: queue.core }
}

fn reach_of(reach: FlagReach) -> Reach {
    match reach {
        FlagReach::Core => Reach::Core,
        FlagReach::Block => Reach::Block,
        FlagReach::VectorCores => Reach::VectorCores,
        FlagReach::Blocks => Reach::Blocks,
        FlagReach::Meeting => Reach::Meeting,
    }
}

/// The synchronization that an event is, and its pipe.
fn action_of(what: &What<'_>) -> Option<(Pipe, Action)> {
    Some(match what {
        What::Set(key) => (key.from, Action::Set { from: key.from, to: key.to, event: key.id }),
        What::Wait(key) => (key.to, Action::Wait { from: key.from, to: key.to, event: key.id }),
        What::Barrier(pipe) => (*pipe, Action::Barrier(*pipe)),
        What::Behind(pipe) => (*pipe, Action::AllWait(*pipe)),
        What::Acquire { pipe, token } => (*pipe, Action::Acquire { pipe: *pipe, token: *token }),
        What::Release { pipe, token } => (*pipe, Action::Release { pipe: *pipe, token: *token }),
        What::Allocate { queue, pipe, returns, .. } => {
            (*pipe, Action::Allocate { queue: queue_end(queue), returns: *returns })
        }
        What::Push { queue, pipe, entry, .. } => {
            (*pipe, Action::Push { queue: queue_end(queue), entry: *entry })
        }
        What::Pop { queue, pipe, entry, .. } => {
            (*pipe, Action::Pop { queue: queue_end(queue), entry: *entry })
        }
        What::Return { queue, pipe, number, .. } => {
            (*pipe, Action::Free { queue: queue_end(queue), number: *number })
        }
        What::Signal { flag: (reach, flag), pipe } => {
            (*pipe, Action::Signal { pipe: *pipe, reach: reach_of(*reach), flag: *flag })
        }
        What::Hear { flag: (reach, flag), pipe, count, .. } => {
            (*pipe, Action::Await { pipe: *pipe, reach: reach_of(*reach), flag: *flag, count: *count })
        }
        What::Notify { .. } => (Pipe::Scalar, Action::Notify),
        What::See { .. } => (Pipe::Scalar, Action::See),
        _ => return None,
    })
}

impl Observe for Recorder<'_> {
    fn needs(&self) -> Needs {
        Needs::ACCESSES.or(Needs::ENDS)
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let Event { core, at, .. } = *event;
        match &event.what {
            What::End(work) => {
                let Work { phases, touched, memory, .. } = work;
                let pipe = phases.last().copied().unwrap_or(Pipe::Scalar);
                self.instruction(program, core, at, pipe, touched, memory);
            }
            What::Entry { pipe, touched, memory, .. } => {
                self.instruction(program, core, at, *pipe, touched, memory);
            }
            what => {
                if let Some((pipe, action)) = action_of(what) {
                    self.order(program, core, at, pipe, action);
                }
            }
        }
    }
}
