//! Order between the pipes of a core at a point of the program: for each access that may still conflict, since when each
//! pipe begins its instructions after it.

use super::plan::InsertedId;
use super::regions::{RegionIndex, Regions};
use super::tree::NodeId;
use pto_isa::pipe::Pipe;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Number of pipes of a core.
pub(super) const PIPES: usize = 7;

/// A moment of the walk through the program; later ones are larger.
pub(super) type Time = u32;

/// A time after every other time.
pub(super) const NEVER: Time = Time::MAX;

/// Number of records up to which none is dropped early.
const FEW_RECORDS: usize = 64;

/// Subject of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An access of the instruction of `node`: the index among its accesses.
    Access { region: RegionIndex, touch: u16, writes: bool, atomic: bool, global: bool },
    /// The end of a wait for this flag.
    Wait(InsertedId),
    /// All effects of a fence, on all pipes.
    Fence,
}

/// A set of pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PipeSet(u8);

impl PipeSet {
    pub(super) const ALL: PipeSet = PipeSet((1 << PIPES) - 1);

    pub(super) fn of(pipe: Pipe) -> PipeSet {
        PipeSet(1 << pipe as u8)
    }

    pub(super) fn with(self, other: PipeSet) -> PipeSet {
        PipeSet(self.0 | other.0)
    }

    fn contains(self, pipe: usize) -> bool {
        self.0 & 1 << pipe != 0
    }
}

/// An event that pipes may have to be ordered after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) what: What,
    pub(super) node: NodeId,
    /// The innermost loop around the node.
    pub(super) around: Option<NodeId>,
    pub(super) pipe: Pipe,
    pub(super) time: Time,
    /// For each pipe, the time from which its instructions begin after the record's end; [`NEVER`] if there is none.
    pub(super) known: [Time; PIPES],
    /// Pipes that must be ordered after the record; it is of no use once all of them are.
    pub(super) waiting: PipeSet,
}

/// Identity of a record.
type Key = (Time, NodeId, Pipe, u32);

/// A set flag. Its wait orders a pipe after all instructions issued to the setting pipe by `time`, and after all
/// records ordered before that pipe by `time`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Capture {
    pub(super) time: Time,
    /// Records on paths on which the flag was set later: the flag covers them too.
    also: BTreeSet<Key>,
}

impl Capture {
    pub(super) fn at(time: Time) -> Capture {
        Capture { time, also: BTreeSet::new() }
    }

    fn holds(&self, record: &Record, from: Pipe) -> bool {
        record.is_known_to(from, self.time) || self.also.contains(&record.key())
    }
}

/// The state at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) now: Time,
    pub(super) records: Vec<Record>,
    /// Number of records above which useless ones are dropped.
    limit: usize,
    /// Inserted flags that are set, with their pipes.
    pub(super) captured: BTreeMap<(InsertedId, Pipe), Capture>,
    /// Flags of the program that are set, by pipes and id.
    pub(super) set: BTreeMap<(Pipe, Pipe, u8), Capture>,
    /// Releases of buffer tokens.
    pub(super) released: BTreeMap<u32, Vec<(Pipe, Time)>>,
    /// Time at which the current iteration of each loop began.
    pub(super) rounds: BTreeMap<NodeId, Time>,
}

impl Record {
    fn key(&self) -> Key {
        let detail = match self.what {
            What::Access { touch, .. } => u32::from(touch),
            What::Wait(id) => id as u32,
            What::Fence => 0,
        };
        (self.time, self.node, self.pipe, detail)
    }

    fn is_known_to(&self, pipe: Pipe, at: Time) -> bool {
        self.pipe == pipe && self.time <= at || self.known[pipe as usize] <= at
    }

    /// Whether a pipe that must be ordered after the record is not yet.
    fn is_of_use(&self) -> bool {
        (0..PIPES).any(|pipe| self.known[pipe] == NEVER && self.waiting.contains(pipe))
    }

    /// Whether each pipe that begins after `other` begins after this, and did so no later.
    fn is_known_with(&self, other: &Record) -> bool {
        self.known.iter().zip(&other.known).all(|(ours, theirs)| ours <= theirs)
    }

    fn learn(&mut self, to: Pipe, now: Time) {
        match to {
            // Every instruction issued after the wait of the scalar unit begins after it.
            Pipe::Scalar | Pipe::All => self.known.iter_mut().for_each(|known| *known = (*known).min(now)),
            to => self.known[to as usize] = self.known[to as usize].min(now),
        }
    }
}

impl State {
    /// Orders pipe `to` after all instructions issued to `from` by time `at`, and after all records ordered before
    /// `from` at that time.
    pub(super) fn transfer(&mut self, from: Pipe, at: Time, to: Pipe) {
        let now = self.now;
        if from == Pipe::All && to == Pipe::All && at >= now {
            self.records.clear();
            return;
        }
        for record in &mut self.records {
            let holds = match from {
                Pipe::All => record.time <= at,
                from => record.pipe != Pipe::All && record.is_known_to(from, at),
            };
            if holds {
                record.learn(to, now);
            }
        }
        self.records.retain(Record::is_of_use);
    }

    /// Pipe `to` waits for a flag of pipe `from`.
    pub(super) fn take(&mut self, from: Pipe, capture: &Capture, to: Pipe) {
        let now = self.now;
        for record in self.records.iter_mut().filter(|record| record.pipe != Pipe::All) {
            if capture.holds(record, from) {
                record.learn(to, now);
            }
        }
        self.records.retain(Record::is_of_use);
    }

    pub(super) fn barrier(&mut self, pipe: Pipe) {
        self.transfer(pipe, self.now, pipe);
    }

    /// Drops records of regions that nothing accesses from a node on, if there are many records.
    pub(super) fn forget(&mut self, node: NodeId, regions: &Regions) {
        if self.records.len() < self.limit.max(FEW_RECORDS) {
            return;
        }
        self.records.retain(|record| match record.what {
            What::Access { region, .. } => regions.is_of_use(region, node),
            What::Wait(_) | What::Fence => true,
        });
        self.limit = 2 * self.records.len();
    }

    /// The next moment.
    pub(super) fn tick(&mut self) -> Time {
        self.now += 1;
        self.now
    }

    /// Adds a record and removes the records that it replaces: a wait for it is a wait for them.
    pub(super) fn push(&mut self, record: Record) {
        let stale: Vec<bool> = self.records.iter().map(|old| self.replaces(&record, old)).collect();
        if stale.contains(&true) {
            let mut at = 0;
            self.records.retain(|_| {
                at += 1;
                !stale[at - 1]
            });
        }
        self.records.push(record);
    }

    fn replaces(&self, new: &Record, old: &Record) -> bool {
        if new.pipe != old.pipe {
            return false;
        }
        match (new.what, old.what) {
            (
                What::Access { region, writes, atomic, global, .. },
                What::Access { region: of, writes: wrote, atomic: was, .. },
            ) => {
                let alike = region == of && writes == wrote && atomic == was;
                // Bytes in global memory depend on the rounds of the loops around an access.
                alike && (!global || new.around == old.around && self.is_of_this_round(old))
            }
            (What::Wait(a), What::Wait(b)) => a == b,
            (What::Fence, What::Fence) => true,
            _ => false,
        }
    }

    /// Whether no loop has gone on since a record.
    fn is_of_this_round(&self, record: &Record) -> bool {
        self.rounds.values().all(|start| record.time > *start)
    }

    /// The state after one of two paths that began at the same state.
    pub(super) fn merge(mut self, other: State) -> State {
        let captured = both(&self, &other, &self.captured, &other.captured, |(_, from)| *from);
        let set = both(&self, &other, &self.set, &other.set, |(from, ..)| *from);
        (self.captured, self.set) = (captured, set);
        self.records.extend(other.records);
        self.records.sort_by_key(Record::key);
        // Join: a pipe is ordered after a record of both paths from the later of the two times.
        self.records.dedup_by(|one, kept| {
            let is_same = one.key() == kept.key();
            if is_same {
                kept.known.iter_mut().zip(one.known).for_each(|(a, b)| *a = (*a).max(b));
            }
            is_same
        });
        self.now = self.now.max(other.now);
        self.released = released_in_both(&self.released, &other.released);
        for (node, start) in other.rounds {
            let ours = self.rounds.entry(node).or_default();
            *ours = (*ours).max(start);
        }
        self.drop_implied();
        self
    }

    /// Drops each record that a later record of the other path would have replaced: a flag set at the join of the
    /// paths or later covers both. Exception: a flag that is already set may have been set on the path of the later
    /// record only, such as a flag of a branch in a loop. Such a record replaces nothing.
    fn drop_implied(&mut self) {
        let captures = || {
            let inserted = self.captured.iter().map(|((_, from), capture)| (*from, capture));
            inserted.chain(self.set.iter().map(|((from, ..), capture)| (*from, capture)))
        };
        let held: HashSet<Key> = captures().flat_map(|(_, capture)| capture.also.iter().copied()).collect();
        let is_held_alone = |new: &Record, old: &Record| {
            held.contains(&new.key())
                && captures().any(|(from, capture)| capture.holds(new, from) && !capture.holds(old, from))
        };
        let mut accesses: Vec<(RegionIndex, Pipe, usize)> = (self.records.iter().enumerate())
            .filter_map(|(at, record)| match record.what {
                What::Access { region, .. } => Some((region, record.pipe, at)),
                _ => None,
            })
            .collect();
        accesses.sort_unstable();
        let mut implied = vec![false; self.records.len()];
        for group in accesses.chunk_by(|(region, pipe, _), (other, by, _)| region == other && pipe == by) {
            for (.., at) in group.iter().filter(|_| group.len() > 1) {
                let old = &self.records[*at];
                implied[*at] = group.iter().any(|(.., other)| {
                    let new = &self.records[*other];
                    new.time > old.time
                        && self.replaces(new, old)
                        && old.is_known_with(new)
                        && !is_held_alone(new, old)
                });
            }
        }
        let mut implied = implied.into_iter();
        self.records.retain(|_| !implied.next().unwrap_or_default());
    }
}

/// The releases of tokens on both paths, the earlier one of each pipe.
fn released_in_both(
    one: &BTreeMap<u32, Vec<(Pipe, Time)>>,
    other: &BTreeMap<u32, Vec<(Pipe, Time)>>,
) -> BTreeMap<u32, Vec<(Pipe, Time)>> {
    let in_both = |(token, ours): (&u32, &Vec<(Pipe, Time)>)| {
        let theirs = other.get(token)?;
        let earlier = |(pipe, time): &(Pipe, Time)| {
            let their = theirs.iter().find(|(of, _)| of == pipe)?;
            Some((*pipe, (*time).min(their.1)))
        };
        Some((*token, ours.iter().filter_map(earlier).collect()))
    };
    one.iter().filter_map(in_both).collect()
}

/// Merges the set flags of two paths; a flag set on one path only is kept. A flag with two set times gets the earlier
/// one, and `also` lists the records that it covers on each path that has them.
fn both<K: Ord + Clone>(
    one: &State,
    other: &State,
    ours: &BTreeMap<K, Capture>,
    theirs: &BTreeMap<K, Capture>,
    from: impl Fn(&K) -> Pipe,
) -> BTreeMap<K, Capture> {
    let mut merged = ours.clone();
    for (key, their) in theirs {
        let Some(our) = ours.get(key) else {
            merged.insert(key.clone(), their.clone());
            continue;
        };
        if our == their {
            continue;
        }
        let keys = |state: &State| state.records.iter().map(Record::key).collect::<BTreeSet<Key>>();
        let (in_one, in_other) = (keys(one), keys(other));
        let held = |state: &State, capture: &Capture, elsewhere: &BTreeSet<Key>, also: &Capture| {
            let held = state.records.iter().filter(|record| capture.holds(record, from(key)));
            let held =
                held.filter(|record| !elsewhere.contains(&record.key()) || also.holds(record, from(key)));
            held.map(Record::key).collect::<BTreeSet<Key>>()
        };
        let mut also = held(one, our, &in_other, their);
        also.extend(held(other, their, &in_one, our));
        merged.insert(key.clone(), Capture { time: our.time.min(their.time), also });
    }
    merged
}
