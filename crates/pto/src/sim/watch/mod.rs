//! Watchers: they see what a run touches and what orders it, and report what a device might do otherwise.
//!
//! The machine runs instructions in program order. A device does not: each pipe of a core goes its own way until a flag,
//! a barrier or a queue holds it. [`Watch`] keeps, beside the run, what each pipe knows to be done (vector clocks), and
//! compares every access to memory with earlier ones to the same bytes.

mod clock;
mod contents;
mod findings;
mod flags;
mod log;
mod order;
mod reliance;
mod shadow;
mod words;
mod written;

use super::code::{CoreKind, FlagReach, FunctionCode, Program};
use super::footprint::{Space, Touch};
use super::machine::Core;
use super::region::Region;
use crate::isa::op::effect::Access;
use crate::isa::op::global::Global;
use crate::isa::pipe::Pipe;
use clock::{Clock, Moment};
use findings::{Findings, Trouble};
use flags::{Pipes, slot_of};
pub use log::LogEntry;
use reliance::{Change, Reliance};
use shadow::{Origin, Record, Shadow};
use std::collections::{BTreeMap, VecDeque};
use written::Written;

/// What to watch for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Accesses that nothing orders.
    pub race: bool,
    /// Flags: waited for and never set, set twice, left set.
    pub sync: bool,
    /// Bytes that are read and that nothing has written. Memory then starts as bytes of all ones, which are NaN in every
    /// format of floats, instead of zeros.
    pub init: bool,
    /// Stores through views that overlap themselves, tiles in the window that instructions keep for themselves, tiles that
    /// are used after their slot of a queue was given back.
    pub mem: bool,
    /// Every tile instruction, with a hash of what it wrote.
    pub log: bool,
}

impl Watched {
    /// Whether anything is watched.
    pub fn any(self) -> bool {
        self.race || self.sync || self.init || self.mem || self.log
    }
}

/// How a program orders the instructions of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By its own flags and barriers.
    Flags,
    /// As it is written: there are no addresses, or synchronization is declared to be inserted later.
    Program,
    /// There are addresses, and nothing orders what uses them.
    Nothing,
}

/// Whether the instructions of a core are done as they are written: where the program has no addresses, or its
/// synchronization is inserted later.
pub(super) fn keeps_program_order(program: &Program, inserted: bool) -> bool {
    findings::order_of(program, inserted) == Order::Program
}

/// A core as watchers know it.
struct Watching {
    id: u32,
    pipes: Pipes,
    /// How often each operation of each function has run.
    times: BTreeMap<(u32, u32), u32>,
}

/// What tells a core from others: rank, block, kind with the index among the vector cores.
type Name = (u32, u32, u32);

/// The name of a core.
pub(super) fn name_of(rank: u32, block: u32, kind: CoreKind, vector_core: u32) -> Name {
    let kind = match kind {
        CoreKind::Whole => 0,
        CoreKind::Cube => 1,
        CoreKind::Vector(_) => 2,
    };
    (rank, block, kind + vector_core * 4)
}

/// What entries of a queue, or slots that were given back, bring along: a core and what it knew. Of those before the last
/// turn of the queue nobody asks: who puts in waits for a slot, and who takes out cannot be further behind.
#[derive(Default)]
struct History {
    dropped: u64,
    kept: VecDeque<(u32, Clock)>,
}

impl History {
    fn len(&self) -> u64 {
        self.dropped + self.kept.len() as u64
    }

    fn get(&self, index: u64) -> Option<(u32, Clock)> {
        self.kept.get(usize::try_from(index.checked_sub(self.dropped)?).ok()?).cloned()
    }

    fn push(&mut self, entry: (u32, Clock), slots: u64) {
        self.kept.push_back(entry);
        if self.kept.len() as u64 > slots {
            self.kept.pop_front();
            self.dropped += 1;
        }
    }
}

/// A queue of a block, by the number of the core that puts in or gives back.
type QueueKey = (u32, u32, i128, bool, u32);

/// A flag between cores: what it is, its number, and who sets it.
type SignalKey = (FlagReach, u64, u32);

/// The watchers of a run.
pub(super) struct Watch {
    watched: Watched,
    order: Order,
    cores: Vec<Watching>,
    names: BTreeMap<Name, u32>,
    /// The core that was mentioned last, and where it stands in `cores`.
    last: Option<(Name, usize)>,
    spaces: BTreeMap<Space, Shadow>,
    /// What has been written, of memory that started without contents.
    written: BTreeMap<Space, Written>,
    /// Slots that each core has taken and not given back.
    popped_at: BTreeMap<(u32, u32, u32), VecDeque<Vec<Region>>>,
    /// Slots of queues that were given back and not filled again.
    returned: BTreeMap<Space, Vec<Region>>,
    /// What each entry of a queue, and each slot given back, brings along.
    entries: BTreeMap<QueueKey, History>,
    freed: BTreeMap<QueueKey, History>,
    signals: BTreeMap<SignalKey, Vec<Clock>>,
    /// What those who notify know, by the place of the signal.
    notified: BTreeMap<(u32, u64), (u32, Clock)>,
    reliance: Reliance,
    findings: Findings,
    pub(super) log: Vec<LogEntry>,
}

/// Bits of the bytes of a bucket: of a block's memory, and of global memory.
const BUCKETS: [u32; 2] = [13, 18];

impl Watch {
    pub(super) fn new(program: &Program, watched: Watched, inserted: bool) -> Watch {
        let order = findings::order_of(program, inserted);
        Watch {
            watched,
            order,
            cores: Vec::new(),
            names: BTreeMap::new(),
            last: None,
            spaces: BTreeMap::new(),
            written: BTreeMap::new(),
            popped_at: BTreeMap::new(),
            returned: BTreeMap::new(),
            entries: BTreeMap::new(),
            freed: BTreeMap::new(),
            signals: BTreeMap::new(),
            notified: BTreeMap::new(),
            reliance: Reliance::new(watched.race && watched.sync && order == Order::Flags),
            findings: Findings::default(),
            log: Vec::new(),
        }
    }

    /// The number of a core; it is made at its first mention.
    fn core(&mut self, core: &Core) -> usize {
        let name = name_of(core.rank, core.block, core.kind, core.vector_core);
        // Mostly the one that was mentioned before.
        if let Some((last, at)) = self.last
            && last == name
        {
            return at;
        }
        let next = self.cores.len() as u32;
        let id = *self.names.entry(name).or_insert(next);
        if id == next {
            self.cores.push(Watching { id, pipes: Pipes::new(), times: BTreeMap::new() });
            self.findings.cores.push((core.kind.name(), core.rank, core.block));
        }
        self.last = Some((name, id as usize));
        id as usize
    }

    /// Sees an instruction that has just run: what it read and wrote.
    pub(super) fn instruction(
        &mut self,
        program: &Program,
        core: &Core,
        frame: super::machine::Frame,
        code: &FunctionCode,
        (index, global): (usize, &Global),
    ) {
        let step = &code.tiles[index];
        let (function, operation) = (frame.function as u32, step.operation.index() as u32);
        let at = self.core(core);
        let footprint = &step.footprint;
        let operands = core.operands(program, frame, global);
        for touch in &footprint.touches {
            let Some(place) = operands.signal(touch) else { continue };
            let seen = footprint.seen.is_none_or(|slot| operands.scalars[slot as usize] != 0);
            match touch.access {
                Access::Notify => self.notified(core, place, Pipe::All),
                Access::Await => self.saw(core, place, Pipe::All),
                Access::Look if seen => self.saw(core, place, Pipe::All),
                _ => {}
            }
        }
        if footprint.fenced {
            self.cores[at].pipes.fence();
        }
        let counts = self.cores[at].pipes.issue_phases(program.profile, &footprint.phases);
        if footprint.fenced {
            self.cores[at].pipes.fence();
        }
        if self.watched == (Watched { sync: true, ..Watched::default() }) {
            return;
        }
        let times = self.cores[at].times.entry((function, operation)).or_default();
        *times += 1;
        let times = *times;
        let mut written = log::Digest::default();
        let mut regions: Vec<(Space, Region)> = Vec::new();
        let mut on_chip: Vec<(Touch, Region)> = Vec::new();
        for touch in footprint.touches.iter().filter(|touch| touch.access.is_of_bytes()) {
            let origin = Origin { function, operation, operand: touch.operand, times };
            let count = counts[slot_of(touch.pipe)];
            let moment = Moment { core: at as u32, pipe: slot_of(touch.pipe) as u8, count };
            operands.regions(touch, &mut |space, region| regions.push((space, region)));
            for (space, region) in regions.drain(..) {
                if self.watched.log && matches!(touch.access, Access::Write | Access::PartialWrite) {
                    written.add(
                        &region,
                        match space {
                            Space::Chip(..) => &core.memory,
                            Space::Global(buffer) => global.buffer(buffer as usize).watched(),
                        },
                    );
                }
                let record = Record { region, moment, access: touch.access, atomic: touch.atomic, origin };
                if self.watched.race {
                    self.access(at, space, record);
                }
                self.contents(space, &record);
                if matches!(space, Space::Chip(..)) {
                    on_chip.push((*touch, region));
                }
            }
            if let (true, true, Some(view)) =
                (self.watched.mem, touch.access.changes(), operands.whole_view(touch))
                && contents::overlaps_itself(view)
            {
                self.findings.memory((function, operation), touch.operand, Trouble::SelfOverlap);
            }
        }
        if self.watched.log {
            self.log.push(written.entry(program, core, footprint.pipe(), (function, operation)));
        }
        if self.watched.mem && program.profile == crate::isa::profile::Profile::A2A3 {
            self.reserved(program, &on_chip, (function, operation));
        }
    }

    fn access(&mut self, at: usize, space: Space, record: Record) {
        let bits = if matches!(space, Space::Global(_)) { BUCKETS[1] } else { BUCKETS[0] };
        let shadow = self.spaces.entry(space).or_insert_with(|| Shadow::new(bits));
        let within = self.order != Order::Program;
        let (findings, reliance) = (&mut self.findings, &mut self.reliance);
        let clock = &self.cores[at].pipes.clocks[usize::from(record.moment.pipe)];
        let mut needed = false;
        let conflict = |old: &Record, byte| findings.race(old, &record, space, byte);
        let relied = |change| {
            needed = true;
            reliance.relied(change);
        };
        shadow.touch(at as u32, clock, record, within, (conflict, relied));
        if needed {
            let keep = |change: &Change| self.reliance.is_open(change);
            self.cores.iter_mut().for_each(|core| core.pipes.forget(keep));
        }
    }

    /// A core has come to its end.
    pub(super) fn ended(&mut self, core: &Core) {
        let at = self.core(core);
        let flags = std::mem::take(&mut self.cores[at].pipes.flags);
        if self.watched.sync {
            flags.into_iter().for_each(|(key, flag)| self.findings.left_set(key, flag.by));
        }
    }

    /// A block has come to its end: what it did on its own buffers no longer matters.
    pub(super) fn block_ended(&mut self, rank: u32, block: u32) {
        self.spaces.remove(&Space::Chip(rank, block));
        self.written.remove(&Space::Chip(rank, block));
        self.returned.remove(&Space::Chip(rank, block));
        self.entries.retain(|(r, b, ..), _| (*r, *b) != (rank, block));
        self.freed.retain(|(r, b, ..), _| (*r, *b) != (rank, block));
        let cores = &self.findings.cores;
        self.signals.retain(|(reach, _, setter), _| {
            let (_, r, b) = cores[*setter as usize];
            matches!(reach, FlagReach::Blocks | FlagReach::Meeting) || (r, b) != (rank, block)
        });
    }

    /// What was found, at most `most` findings.
    pub(super) fn report(&self, program: &Program, most: usize) -> Vec<crate::diag::Diagnostic> {
        self.findings.report(program, self.order, (self.watched, most), &self.reliance)
    }
}
