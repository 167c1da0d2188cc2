//! Misuse of flags, buffer tokens and queues: flags that are never set, set twice or left set, tokens that are not
//! released or not held, entries that are not popped or not freed.

use crate::observe::watch::{Watched, Watching};
use crate::observe::words::misuse_in_words;
use crate::sim::code::FlagReach;
use crate::sim::event::{CoreId, Event, FlagKey, Place, QueueEnd, UNIT_FLAGS, Unlike, What};
use crate::sim::flag_file::FlagFile;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::op::effect::Handshakes;
use pto_isa::op::pushes_that_wait;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use std::collections::{BTreeMap, VecDeque};

/// A misuse of a flag or a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::observe) enum Misuse {
    /// Set while still set by this operation.
    SetTwice(Place),
    /// Set although the wait for the previous set, this operation, may not have ended.
    SetEarly(Place),
    NeverSet,
    LeftSet,
    /// An instruction uses the flag itself while it is set by this operation.
    InUse(Place),
    /// Acquired by a pipe that already holds it, since this operation.
    TakenTwice(Place),
    LeftTaken,
    /// Released by a pipe that does not hold it.
    NotHeld,
    /// Pushed and never popped.
    LeftPushed,
    /// Popped and never freed.
    LeftPopped,
    /// Popped into a tile of other extents.
    Packed(Unlike),
}

/// The misused object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::observe) enum Subject {
    /// A flag within a core.
    Flag(FlagKey),
    /// A flag for other cores, by its number.
    Signal(u64),
    /// A buffer token.
    Token(u32),
    /// An entry of a queue, by the number of the queue.
    Entry(i128),
}

/// A queue of a block: rank and block, number and direction.
type QueueKey = ((u32, u32), (i128, bool));

/// The entries of a queue on their way.
#[derive(Default)]
struct Traffic {
    /// The number of entries that a producer has pushed, and of slots.
    pushed: u64,
    slots: u64,
    /// By producer: the entries that are not popped.
    unpopped: BTreeMap<u32, Unheard>,
    /// By consumer: the pops whose entries are not freed, oldest first.
    unfreed: BTreeMap<u32, VecDeque<Place>>,
}

/// The sets of a flag between cores that no wait has taken: operations and counts, oldest first.
#[derive(Default)]
struct Unheard {
    sets: VecDeque<(Place, u64)>,
    heard: u64,
}

impl Unheard {
    fn set(&mut self, at: Place) {
        match self.sets.back_mut() {
            Some((last, count)) if *last == at => *count += 1,
            _ => self.sets.push_back((at, 1)),
        }
    }

    /// Waits have taken all sets up to this number, counted from 1.
    fn hear(&mut self, upto: u64) {
        while self.heard < upto {
            let Some((_, count)) = self.sets.front_mut() else { return };
            let now = (*count).min(upto - self.heard);
            *count -= now;
            self.heard += now;
            if *count == 0 {
                self.sets.pop_front();
            }
        }
    }
}

/// The watcher `sync`: flags within cores, flags between cores, and buffer tokens.
#[derive(Default)]
pub(in crate::observe) struct Sync {
    flags: BTreeMap<CoreId, FlagFile<Place>>,
    /// The holders of each token of a core, in the order of acquisition.
    tokens: BTreeMap<(CoreId, u32), Vec<(Pipe, Place)>>,
    /// Sets that no wait has taken, by flag and setting core.
    signals: BTreeMap<(FlagReach, u64, CoreId), Unheard>,
    queues: BTreeMap<QueueKey, Traffic>,
    /// Running blocks.
    open: usize,
    /// By operation and misuse: the object and the number of occurrences.
    misuse: BTreeMap<(Place, Misuse), (Subject, u64)>,
    /// Number of waits, barriers and acquired tokens.
    waits: u64,
}

impl Sync {
    fn found(&mut self, at: Place, misuse: Misuse, subject: Subject, count: u64) {
        self.misuse.entry((at, misuse)).or_insert((subject, 0)).1 += count;
    }

    /// Handles the flags that an instruction itself sets and waits for: the program must not have set one of them.
    fn uses(&mut self, core: CoreId, at: Place, handshakes: Handshakes) {
        for (from, to) in handshakes.flags() {
            let key = FlagKey { from, to, id: 0 };
            let set = self.flags.get(&core).and_then(|flags| flags.oldest(key)).copied();
            if let Some(set) = set {
                self.found(at, Misuse::InUse(set), Subject::Flag(key), 1);
            }
        }
    }

    fn acquire(&mut self, core: CoreId, at: Place, pipe: Pipe, token: u32) {
        let holders = self.tokens.entry((core, token)).or_default();
        let before = holders.iter().find(|(holder, _)| *holder == pipe).map(|(_, since)| *since);
        match before {
            Some(since) => self.found(at, Misuse::TakenTwice(since), Subject::Token(token), 1),
            None => holders.push((pipe, at)),
        }
    }

    fn release(&mut self, core: CoreId, at: Place, pipe: Pipe, token: u32) {
        let holders = self.tokens.entry((core, token)).or_default();
        let before = holders.len();
        holders.retain(|(holder, _)| *holder != pipe);
        if holders.len() == before {
            self.found(at, Misuse::NotHeld, Subject::Token(token), 1);
        }
    }

    fn traffic(&mut self, core: CoreId, queue: QueueEnd) -> &mut Traffic {
        self.queues.entry(((core.rank, core.block), (queue.id, queue.to_vector))).or_default()
    }

    fn queue_ends(&mut self, profile: Profile, id: i128, traffic: Traffic) {
        for (at, count) in traffic.unpopped.into_values().flat_map(|unheard| unheard.sets) {
            self.found(at, Misuse::LeftPushed, Subject::Entry(id), count);
        }
        let waits = pushes_that_wait(profile, traffic.slots).is_some_and(|least| traffic.pushed >= least);
        for at in traffic.unfreed.into_values().flatten().filter(|_| waits) {
            self.found(at, Misuse::LeftPopped, Subject::Entry(id), 1);
        }
    }

    fn core_ends(&mut self, core: CoreId) {
        let left = self.flags.remove(&core).unwrap_or_default();
        for (key, by) in left.iter() {
            self.found(*by, Misuse::LeftSet, Subject::Flag(key), 1);
        }
        let tokens: Vec<_> = self.tokens.extract_if((core, 0)..=(core, u32::MAX), |_, _| true).collect();
        for ((_, token), holders) in tokens {
            // Later holders wait for the first.
            if let Some((_, at)) = holders.first() {
                self.found(*at, Misuse::LeftTaken, Subject::Token(token), 1);
            }
        }
    }
}

impl Observe for Sync {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let (core, at) = (event.core, event.at);
        if let What::Acquire { token, .. } | What::Release { token, .. } = event.what
            && token >= UNIT_FLAGS
        {
            return;
        }
        let waits =
            matches!(event.what, What::Wait(_) | What::Barrier(_) | What::Acquire { .. } | What::Hear { .. });
        self.waits += u64::from(waits);
        match event.what {
            What::Set(key) => {
                let before = self.flags.entry(core).or_default().replace(key, at);
                if let Some(before) = before {
                    self.found(at, Misuse::SetTwice(before), Subject::Flag(key), 1);
                }
            }
            What::Wait(key) => {
                let taken = self.flags.entry(core).or_default().take(key);
                if taken.is_none() {
                    self.found(at, Misuse::NeverSet, Subject::Flag(key), 1);
                }
            }
            What::Issue(work) => self.uses(core, at, work.handshakes),
            What::Acquire { pipe, token } => self.acquire(core, at, pipe, token),
            What::Release { pipe, token } => self.release(core, at, pipe, token),
            // A barrier of cores takes the sets of all cores.
            What::Signal { flag: (FlagReach::Meeting, _), .. } => {}
            What::Signal { flag: (reach, id), .. } => {
                self.signals.entry((reach, id, core)).or_default().set(at);
            }
            What::Hear { flag: (reach, id), setters, count, .. } => {
                for setter in setters {
                    self.signals.entry((reach, id, *setter)).or_default().hear(count + 1);
                }
            }
            What::Push { queue, entry, slots, .. } => {
                let traffic = self.traffic(core, queue);
                traffic.unpopped.entry(queue.core).or_default().set(at);
                (traffic.pushed, traffic.slots) = (traffic.pushed.max(entry + 1), slots);
            }
            What::Pop { queue, entry, producers, .. } => {
                let traffic = self.traffic(core, queue);
                for producer in 0..producers {
                    traffic.unpopped.entry(producer).or_default().hear(entry + 1);
                }
                traffic.unfreed.entry(queue.core).or_default().push_back(at);
            }
            What::Return { queue, .. } => {
                self.traffic(core, queue).unfreed.entry(queue.core).or_default().pop_front();
            }
            What::Unlike { queue, unlike } => {
                self.found(at, Misuse::Packed(unlike), Subject::Entry(queue), 1);
            }
            What::CoreEnds => self.core_ends(core),
            What::BlockBegins => self.open += 1,
            What::BlockEnds => self.open -= 1,
            // The remaining operations of its cores are unknown.
            What::LaunchStops => {
                self.flags.clear();
                self.tokens.clear();
                self.signals.clear();
                self.queues.clear();
            }
            _ => {}
        }
    }
}

impl Watching for Sync {
    fn has_found(&self) -> bool {
        !self.misuse.is_empty()
    }

    fn report(&mut self, program: &Program, _: &[String], watched: &mut Watched) {
        // If the run stopped early, the waits may not have been reached.
        let ended = self.open == 0;
        let signals = if ended { std::mem::take(&mut self.signals) } else { BTreeMap::new() };
        let queues = if ended { std::mem::take(&mut self.queues) } else { BTreeMap::new() };
        for ((_, (id, _)), traffic) in queues {
            self.queue_ends(program.profile(), id, traffic);
        }
        for ((_, id, _), unheard) in signals {
            for (at, count) in unheard.sets {
                self.found(at, Misuse::LeftSet, Subject::Signal(id), count);
            }
        }
        watched.examined.waits = Some(self.waits);
        let words = self
            .misuse
            .iter()
            .map(|((at, misuse), (subject, count))| misuse_in_words(program, *at, *misuse, *subject, *count));
        watched.findings.extend(words);
    }
}
