//! The execution order of the facts: each strand runs until it must wait, in the order of program and launch.

use super::facts::{Change, Facts, Wanted, What};
use std::collections::BTreeMap;

/// A fact that a strand executed.
pub(super) struct Ran<'f> {
    pub strand: usize,
    pub line: usize,
    pub what: &'f What,
    /// Earlier facts of other strands that this one waited for, by their index in the run.
    pub after: Vec<usize>,
}

/// A run.
pub(super) struct Run<'f> {
    /// The executed facts, in order.
    pub order: Vec<Ran<'f>>,
    /// Whether each strand ended.
    pub ended: Vec<bool>,
    /// Whether the run stops early: a slot was freed that was not taken, or used that was not filled.
    pub broken: bool,
}

/// Signals between strands so far.
#[derive(Default)]
struct Told {
    /// Facts of a strand that set a channel.
    raised: BTreeMap<(u64, usize), Vec<usize>>,
    awaited: BTreeMap<(u64, usize), usize>,
    /// Facts of a strand on a queue, by kind.
    allocated: BTreeMap<(usize, usize), usize>,
    pushed: BTreeMap<(usize, usize), Vec<usize>>,
    popped: BTreeMap<(usize, usize), usize>,
    freed: BTreeMap<(usize, usize), Vec<usize>>,
    discarded: BTreeMap<(usize, usize), usize>,
    /// Whether the run stops early.
    broken: bool,
    /// The value of a signal, and the facts that changed it.
    signals: BTreeMap<u64, (i64, Vec<usize>)>,
}

/// Fact number `index` of each of these strands; `None` if one of them has not executed it yet.
fn each(
    facts: &BTreeMap<(usize, usize), Vec<usize>>,
    queue: usize,
    strands: &[usize],
    index: usize,
) -> Option<Vec<usize>> {
    strands.iter().map(|strand| facts.get(&(queue, *strand))?.get(index).copied()).collect()
}

impl Told {
    /// The facts that this one is ordered after; `None` if it must wait.
    fn partners(&self, facts: &Facts, strand: usize, what: &What) -> Option<Vec<usize>> {
        let count = |counts: &BTreeMap<(usize, usize), usize>, queue: usize| {
            counts.get(&(queue, strand)).copied().unwrap_or(0)
        };
        match what {
            What::Await { channel, setters, .. } => {
                let taken = self.awaited.get(&(*channel, strand)).copied().unwrap_or(0);
                setters
                    .iter()
                    .map(|setter| self.raised.get(&(*channel, *setter))?.get(taken).copied())
                    .collect()
            }
            What::Allocate(_, queue) => {
                let Some(free) = count(&self.allocated, *queue).checked_sub(facts.queues[*queue].slots)
                else {
                    return Some(Vec::new());
                };
                each(&self.freed, *queue, &facts.queues[*queue].consumers, free)
            }
            What::Pop(_, queue) => {
                each(&self.pushed, *queue, &facts.queues[*queue].producers, count(&self.popped, *queue))
            }
            What::See(signal, wanted) => {
                let (value, changes) = self.signals.get(signal).cloned().unwrap_or_default();
                let seen = match wanted {
                    Wanted::AtLeast(least) => value >= *least,
                    Wanted::Exactly(exact) => value == *exact,
                };
                seen.then_some(changes)
            }
            _ => Some(Vec::new()),
        }
    }

    /// Records facts that others may wait for.
    fn keep(&mut self, strand: usize, number: usize, what: &What) {
        match what {
            What::Raise { channel, .. } => self.raised.entry((*channel, strand)).or_default().push(number),
            What::Await { channel, .. } => *self.awaited.entry((*channel, strand)).or_default() += 1,
            What::Allocate(_, queue) => *self.allocated.entry((*queue, strand)).or_default() += 1,
            What::Push(_, queue) => self.pushed.entry((*queue, strand)).or_default().push(number),
            What::Pop(_, queue) => *self.popped.entry((*queue, strand)).or_default() += 1,
            What::Free(_, queue) => self.freed.entry((*queue, strand)).or_default().push(number),
            What::Discard(queue) => {
                let discarded = self.discarded.entry((*queue, strand)).or_default();
                *discarded += 1;
                self.broken |= self.popped.get(&(*queue, strand)).is_none_or(|popped| popped < discarded);
            }
            What::Stop => self.broken = true,
            What::Notify(signal, change) => {
                let (value, changes) = self.signals.entry(*signal).or_default();
                *value = match change {
                    Change::Add(more) => *value + more,
                    Change::Set(new) => *new,
                };
                changes.push(number);
            }
            _ => {}
        }
    }
}

/// Runs the facts: each core until it must wait, then the next of its block; then the next block.
pub(super) fn run(facts: &Facts) -> Run<'_> {
    let mut order = Vec::new();
    let mut at = vec![0; facts.strands.len()];
    let mut told = Told::default();
    loop {
        let before = order.len();
        for block in &facts.blocks {
            advance(facts, block, &mut at, &mut order, &mut told);
        }
        if order.len() == before || told.broken {
            let ended = facts.strands.iter().zip(&at).map(|(strand, at)| *at == strand.len()).collect();
            return Run { order, ended, broken: told.broken };
        }
    }
}

/// Runs the strands of a block until each has ended or waits.
fn advance<'f>(
    facts: &'f Facts,
    block: &[usize],
    at: &mut [usize],
    order: &mut Vec<Ran<'f>>,
    told: &mut Told,
) {
    loop {
        let before = order.len();
        for strand in block.iter().copied() {
            while let Some(fact) = facts.strands[strand].get(at[strand]) {
                if told.broken {
                    return;
                }
                let Some(after) = told.partners(facts, strand, &fact.what) else { break };
                told.keep(strand, order.len(), &fact.what);
                order.push(Ran { strand, line: fact.line, what: &fact.what, after });
                at[strand] += 1;
            }
        }
        if order.len() == before {
            return;
        }
    }
}
