//! Happens before: a graph of moments, two for each fact, with its transitive closure.
//!
//! The edges are the table of `docs/race-checking.md`, row by row. A fact *begins* when its pipe starts it, and has
//! *ended* when its effect is visible. Edges go forward in the order of the run, so that one pass finds all
//! predecessors.

use super::facts::{Pipe, What};
use super::run::{Ran, Run};
use std::collections::BTreeMap;

/// A set of moments.
#[derive(Clone)]
struct Moments(Vec<u64>);

impl Moments {
    fn add(&mut self, moment: usize) {
        self.0[moment / 64] |= 1 << (moment % 64);
    }

    fn has(&self, moment: usize) -> bool {
        self.0[moment / 64] >> (moment % 64) & 1 == 1
    }

    fn join(&mut self, other: &Moments) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }
}

/// Which set a wait is ordered after, if a flag is set twice before the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The second set is lost: the wait is only ordered after the first one. The weakest order.
    Second,
    /// The wait is ordered after the second set. The strongest order.
    First,
}

/// The happens-before relation of a run.
pub(super) struct Order {
    /// For each moment, its predecessors. Fact `n` has the moments `2 * n`, its begin, and `2 * n + 1`, its end.
    before: Vec<Moments>,
}

fn begin(fact: usize) -> usize {
    2 * fact
}

fn end(fact: usize) -> usize {
    2 * fact + 1
}

/// The pipe that executes a fact; `None` for operations of the whole core.
fn pipe_of(what: &What) -> Option<Pipe> {
    match what {
        What::Work { pipe, .. }
        | What::Barrier(pipe)
        | What::Take(pipe, _)
        | What::Give(pipe, _)
        | What::Raise { pipe, .. }
        | What::Await { pipe, .. }
        | What::Allocate(pipe, _)
        | What::Push(pipe, _)
        | What::Pop(pipe, _)
        | What::Free(pipe, _) => Some(*pipe),
        What::Set(flag) => Some(flag.from),
        What::Wait(flag) => Some(flag.to),
        _ => None,
    }
}

/// Whether a fact is ordered after all earlier instructions of its pipe.
fn follows_its_pipe(what: &What) -> bool {
    signals(what) || matches!(what, What::Barrier(_))
}

/// Whether a fact signals that its pipe has come this far. It does not block the pipe: it does not order later
/// instructions of the pipe after earlier ones.
fn signals(what: &What) -> bool {
    let to_another = matches!(what, What::Raise { .. } | What::Push(..) | What::Free(..));
    to_another || matches!(what, What::Set(_) | What::Give(..))
}

/// Whether a fact is a wait: it ends when its event has happened and all earlier instructions of its pipe have ended.
fn waits(what: &What) -> bool {
    let for_another = matches!(what, What::Await { .. } | What::Allocate(..) | What::Pop(..));
    for_another || matches!(what, What::Wait(_) | What::Take(..))
}

/// Whether a fact is ordered after all earlier facts of its strand.
fn follows_everything(what: &What) -> bool {
    matches!(what, What::BarrierAll | What::Notify(..))
}

/// Whether all later facts of the strand are ordered after a fact.
fn precedes_everything(what: &What) -> bool {
    matches!(what, What::BarrierAll | What::See(..)) || pipe_of(what) == Some(Pipe::S)
}

/// Whether a pipe ends each instruction before the next one begins.
fn is_serial(overlaps: bool, pipe: Pipe) -> bool {
    pipe == Pipe::S || !overlaps && pipe != Pipe::Mte2 && pipe != Pipe::Mte3
}

impl Order {
    /// The order of a run, with edges between additional pairs of facts.
    pub(super) fn of(run: &Run<'_>, overlaps: bool, lost: Lost, more: &[(usize, usize)]) -> Order {
        let matched = matched(run, lost);
        let words = (2 * run.order.len()).div_ceil(64);
        let mut order = Order { before: vec![Moments(vec![0; words]); 2 * run.order.len()] };
        for (now, ran) in run.order.iter().enumerate() {
            for (earlier, other) in run.order[..now].iter().enumerate() {
                if other.strand == ran.strand {
                    order.within(earlier, other, now, ran, overlaps);
                }
            }
            let firsts = more.iter().filter(|(_, second)| *second == now).map(|(first, _)| first);
            for partner in ran.after.iter().chain(&matched[now]).chain(firsts) {
                order.edge(end(*partner), begin(now));
            }
            order.edge(begin(now), end(now));
        }
        order
    }

    /// Adds the edges between two facts of one strand.
    fn within(&mut self, earlier: usize, other: &Ran<'_>, now: usize, ran: &Ran<'_>, overlaps: bool) {
        if precedes_everything(other.what) || follows_everything(ran.what) {
            self.edge(end(earlier), begin(now));
        }
        let Some(pipe) = pipe_of(ran.what).filter(|pipe| pipe_of(other.what) == Some(*pipe)) else { return };
        if !signals(other.what) {
            self.edge(begin(earlier), begin(now));
        }
        if signals(other.what) && !follows_its_pipe(ran.what) {
            return;
        }
        if is_serial(overlaps, pipe) || follows_its_pipe(ran.what) {
            self.edge(end(earlier), begin(now));
        }
        if waits(ran.what) {
            self.edge(end(earlier), end(now));
        }
    }

    fn edge(&mut self, from: usize, to: usize) {
        // Edges go forward: the source is in the first part.
        let (known, later) = self.before.split_at_mut(to);
        later[0].join(&known[from]);
        later[0].add(from);
    }

    /// Whether the first fact ends before the second begins.
    pub(super) fn orders(&self, first: usize, second: usize) -> bool {
        self.before[begin(second)].has(end(first))
    }

    /// Whether a wait has ended before another fact begins. A wait takes no time itself: it ends when all instructions
    /// ordered before it have ended.
    pub(super) fn is_over(&self, run: &[Ran<'_>], wait: usize, now: usize) -> bool {
        let works = (0..now).filter(|fact| matches!(run[*fact].what, What::Work { .. }));
        let mut needed = works.filter(|fact| self.before[end(wait)].has(end(*fact)));
        needed.all(|fact| self.orders(fact, now))
    }
}

/// For each wait the sets, and for each acquired token the releases, of its own strand that it is ordered after.
fn matched(run: &Run<'_>, lost: Lost) -> Vec<Vec<usize>> {
    let mut set = BTreeMap::new();
    let mut given: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let mut all = Vec::new();
    for (now, Ran { strand, what, .. }) in run.order.iter().enumerate() {
        let mut after = Vec::new();
        match what {
            What::Set(flag) => {
                let first = *set.entry((*strand, *flag)).or_insert(now);
                let kept = if lost == Lost::Second { first } else { now };
                set.insert((*strand, *flag), kept);
            }
            What::Wait(flag) => after.extend(set.remove(&(*strand, *flag))),
            What::Give(_, token) => given.entry((*strand, *token)).or_default().push(now),
            What::Take(_, token) => after.extend(given.get(&(*strand, *token)).into_iter().flatten()),
            _ => {}
        }
        all.push(after);
    }
    all
}
