//! Unordered conflicting accesses, and redundant synchronization, found with vector clocks.

pub(in crate::observe) mod across;
pub(in crate::observe) mod chains;
pub(in crate::observe) mod clock;
pub(in crate::observe) mod findings;
pub(in crate::observe) mod pipes;
pub(in crate::observe) mod reliance;
pub(in crate::observe) mod shadow;

use crate::observe::coverage::Pairs;
use crate::observe::watch::{Watched, Watching};
use crate::sim::code::FlagReach;
use crate::sim::event::{CoreId, Event, FlagKey, Place, QueueEnd, Touched, UNIT_FLAGS, What, Work};
use crate::sim::live::OUTSIDE;
use crate::sim::operands::Space;
use crate::sim::order::Order;
use crate::sim::{Needs, Observe, Printed, Program};
use chains::Chains;
use clock::{Clock, Moment};
use findings::Findings;
use pipes::{Pipes, SetFlag, slot_of};
use pto_isa::op::Slots;
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::watcher::{Watcher, Watchers};
use reliance::{Change, Reliance};
use shadow::{Origin, Record, Shadow};
use std::collections::BTreeMap;

/// Clocks of a core, and run counts of its operations.
pub(in crate::observe) struct CoreClocks {
    pub(in crate::observe) pipes: Pipes,
    /// Number of runs of each operation.
    times: BTreeMap<Place, u32>,
}

/// A queue of a block, at one of its ends.
pub(in crate::observe) type QueueKey = (u32, u32, QueueEnd);

/// A flag between cores: its kind, its number, and the core that sets it.
pub(in crate::observe) type SignalKey = (FlagReach, u64, u32);

/// The number of a core, and its clock at a synchronization.
pub(in crate::observe) type Told = (u32, Clock);

/// The watcher `race`: clocks of each pipe of each core, and the last accesses to memory.
pub(in crate::observe) struct Race {
    watchers: Watchers,
    order: Order,
    pub(in crate::observe) cores: Vec<CoreClocks>,
    pub(in crate::observe) numbers: BTreeMap<CoreId, u32>,
    /// The core of the last event, and its number.
    last: Option<(CoreId, usize)>,
    /// The last accesses to memory; to global memory by one core alone, if it is of no launch.
    spaces: BTreeMap<(Space, Option<u32>), Shadow>,
    /// Clocks of each entry of a queue, with the pipe that pushed it, by number.
    pub(in crate::observe) entries: BTreeMap<QueueKey, BTreeMap<u64, (Told, Pipe)>>,
    /// Clocks of each freed slot, by number.
    pub(in crate::observe) freed: BTreeMap<QueueKey, BTreeMap<u64, Told>>,
    /// The pushes of the entry that a core popped last.
    pub(in crate::observe) arrived: BTreeMap<usize, [Option<Moment>; 2]>,
    pub(in crate::observe) signals: BTreeMap<SignalKey, Vec<Clock>>,
    /// Clocks of notifying cores, by buffer and byte of the signal.
    pub(in crate::observe) notified: BTreeMap<(u32, u64), Told>,
    /// Clocks of the cores of each rank at the end of its last launch, while other ranks have launches of their own.
    pub(in crate::observe) launches: BTreeMap<u32, Vec<Told>>,
    reliance: Reliance,
    ordered: Pairs,
    /// Chains of elementwise instructions, if they need no barrier.
    chains: Option<Chains>,
    findings: Findings,
}

/// Binary logarithm of the bucket size in bytes: for a block's memory, and for global memory.
const BUCKETS: [u32; 2] = [13, 18];

impl Race {
    pub(in crate::observe) fn new(order: Order, watchers: Watchers, chains: Option<Chains>) -> Race {
        Race {
            watchers,
            order,
            cores: Vec::new(),
            numbers: BTreeMap::new(),
            last: None,
            spaces: BTreeMap::new(),
            entries: BTreeMap::new(),
            freed: BTreeMap::new(),
            arrived: BTreeMap::new(),
            signals: BTreeMap::new(),
            notified: BTreeMap::new(),
            launches: BTreeMap::new(),
            reliance: Reliance::new(
                watchers.has(Watcher::Race) && watchers.has(Watcher::Sync) && order == Order::Flags,
            ),
            ordered: Pairs::default(),
            chains,
            findings: Findings::default(),
        }
    }

    /// The number of a core, assigned at its first event.
    fn core(&mut self, core: CoreId) -> usize {
        // Usually the core of the previous event.
        if let Some((last, at)) = self.last
            && last == core
        {
            return at;
        }
        let next = self.cores.len() as u32;
        let number = *self.numbers.entry(core).or_insert(next);
        if number == next {
            self.cores.push(CoreClocks { pipes: Pipes::new(), times: BTreeMap::new() });
            self.findings.cores.push(core);
            self.follow_launch(number as usize, core.rank);
        }
        self.last = Some((core, number as usize));
        number as usize
    }

    /// An instruction is issued to its pipes.
    fn issue(&mut self, profile: Profile, me: usize, at: Place, work: &Work<'_>) {
        let pipes = &mut self.cores[me].pipes;
        work.handshakes.before.iter().for_each(|(from, to)| pipes.handshake(*from, *to));
        let counts = pipes.issue_phases(profile, work.phases);
        work.handshakes.after.iter().for_each(|(from, to)| pipes.handshake(*from, *to));
        if self.watchers.has(Watcher::Race) {
            let times = self.cores[me].times.entry(at).or_default();
            *times += 1;
            let times = *times;
            let count = |pipe: Pipe| counts[slot_of(pipe)];
            self.accesses(me, at, times, work.touched, [None; 2], count);
        }
    }

    /// Compares accesses of one instruction with earlier ones.
    fn accesses(
        &mut self,
        me: usize,
        at: Place,
        times: u32,
        touched: &[Touched],
        pushes: [Option<Moment>; 2],
        count: impl Fn(Pipe) -> u32,
    ) {
        for &Touched { touch, space, range, start, grid, .. } in touched {
            let moment =
                Moment { core: me as u32, pipe: slot_of(touch.pipe) as u8, count: count(touch.pipe) };
            let origin = Origin { at, operand: touch.operand, times };
            let (access, atomic) = (touch.access, touch.atomic);
            let writes_there = |other: &Touched| {
                other.touch.access.changes() && other.space == space && other.range.common(&range).is_some()
            };
            let in_place = !access.changes() && touched.iter().any(writes_there);
            let reads_it = |other: &Touched| {
                !other.touch.access.changes() && other.space == space && other.range == range
            };
            let reads_it = self.chains.is_some() && touched.iter().any(reads_it);
            let number = 0;
            let record =
                Record { range, moment, pushes, access, atomic, in_place, origin, start, grid, number };
            self.access(me, space, record, reads_it);
        }
    }

    fn access(&mut self, me: usize, space: Space, record: Record, reads_it: bool) {
        let bits = if matches!(space, Space::Global(_)) { BUCKETS[1] } else { BUCKETS[0] };
        let is_outside = self.findings.cores[me].rank == OUTSIDE && matches!(space, Space::Global(_));
        let shadow =
            self.spaces.entry((space, is_outside.then_some(me as u32))).or_insert_with(|| Shadow::new(bits));
        let within = self.order != Order::Program;
        let (findings, chains) = (&mut self.findings, &mut self.chains);
        let clock = &self.cores[me].pipes.clocks[usize::from(record.moment.pipe)];
        let mut relied = Vec::new();
        let conflict = |old: &Record, byte| {
            if !chains.as_mut().is_some_and(|chains| chains.accept(old, &record, reads_it)) {
                findings.race(old, &record, space, byte);
            }
        };
        let ordered = |old: &Record| {
            self.ordered.meet(old.origin.at, record.origin.at);
            clock.lost(me as u32, old.moment).for_each(|change| relied.push(change));
        };
        shadow.touch(me as u32, clock, record, within, conflict, ordered);
        self.rely(relied);
    }

    /// Records that accesses rely on the operations that these changes remove.
    fn rely(&mut self, changes: Vec<Change>) {
        if !changes.is_empty() {
            changes.into_iter().for_each(|change| self.reliance.relied(change));
            let keep = |change: &Change| self.reliance.is_open(change);
            self.cores.iter_mut().for_each(|core| core.pipes.forget(keep));
        }
    }

    /// Handles an access to the tile of an entry: a push reads the tile, a pop writes it, a free releases it.
    fn entry(
        &mut self,
        profile: Profile,
        me: usize,
        at: Place,
        pipe: Pipe,
        touched: &[Touched],
        pushes: [Option<Moment>; 2],
    ) {
        if touched.is_empty() {
            return;
        }
        let count = self.cores[me].pipes.issue(profile, pipe);
        if self.watchers.has(Watcher::Race) {
            self.accesses(me, at, 1, touched, pushes, |_| count);
        }
    }

    /// Counts a run of a synchronization operation.
    fn repeats(&mut self, me: usize, at: Place) {
        *self.cores[me].times.entry(at).or_default() += 1;
    }

    /// A flag is set. Its last wait must happen before, otherwise a device may set the flag while it is still set.
    fn set(&mut self, me: usize, at: Place, key: FlagKey) {
        self.repeats(me, at);
        let pipes = &mut self.cores[me].pipes;
        let clock = pipes.finished(key.from);
        let mut relied = Vec::new();
        if let Some((over, wait)) = pipes.last_wait(key).filter(|_| self.order == Order::Flags) {
            match clock.covers(over) {
                true => relied.extend(clock.uncovers(over)),
                false => self.findings.early(at, *wait, key),
            }
        }
        pipes.flags.replace(key, SetFlag { clock, by: at });
        self.rely(relied);
    }

    fn wait(&mut self, me: usize, at: Place, key: FlagKey) {
        self.repeats(me, at);
        let Some(flag) = self.cores[me].pipes.flags.take(key) else { return };
        self.reliance.took(at, flag.by);
        let changes = self.reliance.open(at, false);
        let pipes = &mut self.cores[me].pipes;
        let news = pipes.learn(key.to, &flag.clock, Some(at), &changes);
        pipes.took(key, at);
        self.findings.needed(at, (!news).then(|| pipes.cover(key.from, key.to)));
    }

    fn barrier(&mut self, me: usize, at: Place, pipe: Pipe) {
        self.repeats(me, at);
        let changes = self.reliance.open(at, pipe == Pipe::All);
        let pipes = &mut self.cores[me].pipes;
        let news = pipes.barrier(pipe, at, &changes);
        self.findings.needed(at, (!news).then(|| pipes.cover(pipe, pipe)));
    }

    fn token(&mut self, me: usize, at: Place, pipe: Pipe, token: u32, acquires: bool) {
        // A unit flag cannot be removed: it is part of an instruction.
        let changes = if token < UNIT_FLAGS { self.reliance.open(at, false) } else { Vec::new() };
        let pipes = &mut self.cores[me].pipes;
        match acquires {
            true => pipes.acquire(pipe, token, at, &changes),
            false => pipes.release(pipe, token, &changes),
        }
    }

    /// Signals in global memory that an instruction changes or tests.
    fn signals(&mut self, me: usize, work: &Work<'_>) {
        for touched in work.touched {
            let Space::Global(buffer) = touched.space else { continue };
            let signal = (buffer, touched.range.start);
            match touched.touch.access {
                Access::Notify => self.notify(me, signal, Pipe::All),
                Access::Await => self.see_signal(me, signal, Pipe::All),
                Access::Look if work.looked => self.see_signal(me, signal, Pipe::All),
                _ => {}
            }
        }
    }

    /// A block has ended: accesses to its own memory are dropped.
    fn block_ended(&mut self, rank: u32, block: u32) {
        self.spaces.remove(&(Space::Chip(rank, block), None));
        self.entries.retain(|(r, b, _), _| (*r, *b) != (rank, block));
        self.freed.retain(|(r, b, _), _| (*r, *b) != (rank, block));
        let cores = &self.findings.cores;
        self.signals.retain(|(reach, _, setter), _| {
            let CoreId { rank: r, block: b, .. } = cores[*setter as usize];
            matches!(reach, FlagReach::Blocks | FlagReach::Meeting) || (r, b) != (rank, block)
        });
    }

    /// The order that the messages name. Whether a growing program has any synchronization is known at its end.
    fn order_of(&self, program: &Program) -> Order {
        let functions = program.functions().map(|id| &program.module().functions[id]);
        let mut operations = functions.flat_map(|function| function.operations.iter());
        let mut has_none = || !operations.any(|(_, operation)| operation.meaning().orders_pipes());
        if program.grows && self.order == Order::Flags && has_none() { Order::Nothing } else { self.order }
    }

    /// Orders everything in later launches after everything so far.
    fn launches_ended(&mut self) {
        self.spaces.clear();
        self.signals.clear();
        self.notified.clear();
        self.launches.clear();
        self.cores.iter_mut().for_each(|core| core.pipes = Pipes::new());
    }
}

impl Observe for Race {
    fn needs(&self) -> Needs {
        Needs { events: true, accesses: self.watchers.has(Watcher::Race), ..Needs::NONE }
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let (me, at, profile) = (self.core(event.core), event.at, program.profile());
        // If synchronization is inserted later, the pipe that a queue names orders all pipes of its core.
        let order = self.order;
        let of_queue = move |pipe: Pipe| if order == Order::Program { Pipe::All } else { pipe };
        match &event.what {
            What::Issue(work) if !work.signals => self.issue(profile, me, at, work),
            What::End(work) if work.signals => {
                self.signals(me, work);
                self.issue(profile, me, at, work);
            }
            What::Issue(_) | What::Begin | What::End(_) => {}
            What::Entry { pipe, slots, touched, .. } => {
                let reads = touched.iter().any(|touched| touched.touch.access == Access::Read);
                let named = *slots == Slots::OnChip && !reads;
                let pushes = self.arrived.get(&me).copied().filter(|_| named).unwrap_or_default();
                self.entry(profile, me, at, *pipe, touched, pushes);
            }
            What::Slot { pipe, touched } => {
                self.entry(profile, me, at, *pipe, touched, Default::default());
            }
            What::Set(key) => self.set(me, at, *key),
            What::Wait(key) => self.wait(me, at, *key),
            What::Barrier(pipe) => self.barrier(me, at, *pipe),
            What::Behind(pipe) => self.cores[me].pipes.handshake(*pipe, Pipe::All),
            What::Acquire { pipe, token } => self.token(me, at, *pipe, *token, true),
            What::Release { pipe, token } => self.token(me, at, *pipe, *token, false),
            What::Allocate { queue, pipe, returns, consumers } => {
                self.allocated(me, event.core, of_queue(*pipe), *queue, *returns, *consumers);
            }
            What::Push { queue, pipe, entry, slots } => {
                self.pushed(me, event.core, of_queue(*pipe), *queue, *entry, *slots);
            }
            What::Pop { queue, pipe, entry, producers } => {
                self.popped(me, event.core, of_queue(*pipe), *queue, *entry, *producers);
            }
            What::Return { queue, pipe, number, slots, tile } => {
                let given_up = tile.filter(|tile| tile.touch.access.is_of_bytes());
                self.entry(profile, me, at, *pipe, given_up.as_slice(), [None; 2]);
                self.given_back(me, event.core, of_queue(*pipe), *queue, *number, *slots);
            }
            What::Signal { flag, pipe } => self.signalled(me, *flag, *pipe),
            What::Hear { flag, pipe, setters, count } => self.heard(me, *flag, *pipe, setters, *count),
            What::Notify { signal } => self.notify(me, *signal, Pipe::Scalar),
            What::See { signal } => self.see_signal(me, *signal, Pipe::Scalar),
            What::BlockEnds => self.block_ended(event.core.rank, event.core.block),
            What::LaunchEnds { of_all: false } => self.launch_ended(event.core.rank),
            What::LaunchEnds { of_all: true } | What::LaunchStops => self.launches_ended(),
            What::Blank { .. }
            | What::HostWrites { .. }
            | What::BlockBegins
            | What::CoreEnds
            | What::Beyond(_)
            | What::Fresh { .. }
            | What::Unlike { .. } => {}
        }
    }
}

impl Watching for Race {
    fn has_found(&self) -> bool {
        self.findings.has_errors()
    }

    fn report(&mut self, program: &Program, names: &[String], watched: &mut Watched) {
        if self.watchers.has(Watcher::Race) {
            watched.examined.ordered = Some(self.ordered.count());
            watched.examined.chained = self.chains.as_ref().map(|chains| chains.accepted);
            watched.conflicts.extend(self.findings.conflicts());
            watched.findings.extend(self.findings.races_in_words(program, names, self.order_of(program)));
        }
        if self.watchers.has(Watcher::Sync) {
            watched.findings.extend(self.findings.early_in_words(program));
            let repeated =
                |at: Place| self.cores.iter().any(|core| core.times.get(&at).is_some_and(|times| *times > 1));
            watched.findings.extend(self.findings.lints(program, &self.reliance, repeated));
        }
    }
}
