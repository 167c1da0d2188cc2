//! Errors of a run: unordered conflicting accesses, and misuses of synchronization.

use super::facts::{Access, Facts, Flag, GLOBAL, Pipe, Touch, What};
use super::order::{Lost, Order};
use super::run::{Ran, Run, run};
use std::collections::{BTreeMap, BTreeSet};

/// Two conflicting accesses that are unordered.
#[derive(Clone, Debug)]
pub struct Race {
    /// The rule's name after `race::`.
    pub kind: &'static str,
    /// Indices of the two facts in the run.
    pub facts: (usize, usize),
    /// Lines of the two facts.
    pub lines: (usize, usize),
    /// Strands of the two facts.
    pub strands: (usize, usize),
    /// Pipes of the two facts.
    pub pipes: (Pipe, Pipe),
}

/// A misuse of synchronization: the rule, and its line.
pub type Misuse = (&'static str, usize);

/// The verdict of the model on a run.
///
/// If a flag is set while it is set, a device loses the second set, and the watchers order the next wait after the
/// second set; the document leaves the order after such a misuse open. So the model has two readings from there on.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// All pairs that are unordered in at least one reading.
    pub possible: Vec<Race>,
    /// All pairs that are unordered in both readings.
    pub certain: Vec<Race>,
    /// Misuses in at least one reading.
    pub possible_misuse: BTreeSet<Misuse>,
    /// Misuses in both readings.
    pub misuse: BTreeSet<Misuse>,
    /// Whether strands wait for each other at the end.
    pub stuck: bool,
    /// Whether the run stops at a slot of a queue that was freed before it was taken, or used before it was filled.
    pub broken: bool,
}

/// Races of a run that remain when the repaired ones are ordered as by a flag. The flag also orders earlier instructions
/// on the pipe of the first one.
pub(super) fn left_after(facts: &Facts, found: &Verdict, repaired: impl Fn(&Race) -> bool) -> Vec<Race> {
    let run = run(facts);
    let mut edges = Vec::new();
    for Race { facts: (first, second), strands: (strand, _), pipes: (on, _), .. } in
        found.possible.iter().filter(|race| repaired(race))
    {
        let same = |ran: &Ran<'_>| {
            ran.strand == *strand && matches!(ran.what, What::Work { pipe, .. } if pipe == on)
        };
        let earlier = (0..*first).filter(|fact| same(&run.order[*fact])).chain([*first]);
        edges.extend(earlier.map(|fact| (fact, *second)));
    }
    races(&run, &Order::of(&run, facts.overlaps, Lost::First, &edges))
}

/// Judges a run.
pub fn judge(facts: &Facts) -> Verdict {
    let run = run(facts);
    let (possible, possible_misuse) = read(&run, facts, Lost::Second);
    // Without a flag that was set twice, both readings are equal.
    let (certain, misuse) = match possible_misuse.iter().any(|(rule, _)| *rule == "sync::set-twice") {
        true => read(&run, facts, Lost::First),
        false => (possible.clone(), possible_misuse.clone()),
    };
    let stuck = !run.broken && run.ended.iter().any(|ended| !ended);
    Verdict { possible, certain, possible_misuse, misuse, stuck, broken: run.broken }
}

/// The errors of a run in one reading.
fn read(run: &Run<'_>, facts: &Facts, lost: Lost) -> (Vec<Race>, BTreeSet<Misuse>) {
    let order = Order::of(run, facts.overlaps, lost, &[]);
    let mut misuse = flags(run, &order);
    misuse.extend(tokens(run));
    if run.ended.iter().all(|ended| *ended) {
        misuse.extend(channels(run));
        misuse.extend(entries(run));
        misuse.extend(taken(run, |queue| facts.queues[queue].slots));
    }
    (races(run, &order), misuse)
}

fn races(run: &Run<'_>, order: &Order) -> Vec<Race> {
    let mut found = Vec::new();
    for (second, later) in run.order.iter().enumerate() {
        for (first, earlier) in run.order[..second].iter().enumerate() {
            let (What::Work { pipe, touches }, What::Work { pipe: on, touches: others }) =
                (earlier.what, later.what)
            else {
                continue;
            };
            if order.orders(first, second) {
                continue;
            }
            let pairs = touches.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
            let mut kinds_of: BTreeMap<bool, BTreeSet<&'static str>> = BTreeMap::new();
            for (a, b) in pairs.filter(|(a, b)| overlap(a, b)) {
                let on_chip = a.space < GLOBAL;
                kinds_of.entry(on_chip).or_default().extend(kinds(a.access, b.access));
            }
            for (on_chip, kinds) in kinds_of {
                // A core writes the memory of another one only by a push, which the other one sees as its pop.
                let popped = on_chip.then(|| pop_of(run, first, second)).flatten();
                let (at, by) = popped.unwrap_or((first, *pipe));
                found.extend(kinds.into_iter().map(|kind| Race {
                    kind,
                    facts: (at, second),
                    lines: (run.order[at].line, later.line),
                    strands: (run.order[at].strand, later.strand),
                    pipes: (by, *on),
                }));
            }
        }
    }
    found
}

/// The pop of the entry that a fact pushes, by the strand of a later fact and before it, with the pipe that waits in it.
fn pop_of(run: &Run<'_>, pushed: usize, used: usize) -> Option<(usize, Pipe)> {
    let (producer, consumer) = (run.order[pushed].strand, run.order[used].strand);
    let is_push = |ran: &&Ran<'_>| ran.strand == producer && matches!(ran.what, What::Push(..));
    let pops = |ran: &Ran<'_>| match ran.what {
        What::Pop(pipe, _) if ran.strand == consumer => Some(*pipe),
        _ => None,
    };
    let entry = run.order[..pushed].iter().filter(is_push).count();
    let mut popped = run.order[..used].iter().enumerate().filter_map(|(at, ran)| Some((at, pops(ran)?)));
    popped.nth(entry).filter(|(at, _)| producer != consumer && *at > pushed)
}

/// The kinds of conflict of two accesses. An addition reads and writes; two additions do not conflict.
fn kinds(first: Access, second: Access) -> &'static [&'static str] {
    use Access::{Add, Read, Write};
    match (first, second) {
        (Read, Read) | (Add, Add) => &[],
        (Write | Add, Read) => &["read-after-write"],
        (Read, Write | Add) => &["write-after-read"],
        (Write, Write) => &["write-after-write"],
        (Write, Add) => &["read-after-write", "write-after-write"],
        (Add, Write) => &["write-after-read", "write-after-write"],
    }
}

/// Whether two accesses share a byte.
fn overlap(a: &Touch, b: &Touch) -> bool {
    let mut pairs = a.bytes.iter().flat_map(|a| b.bytes.iter().map(move |b| (a, b)));
    a.space == b.space && pairs.any(|(a, b)| a.start < b.end && b.start < a.end)
}

/// Misuses of flags within a core: a flag holds one set, and may only be set again by a pipe that is ordered after the
/// wait for the previous set.
fn flags(run: &Run<'_>, order: &Order) -> BTreeSet<Misuse> {
    let mut found = BTreeSet::new();
    let mut set: BTreeMap<(usize, Flag), usize> = BTreeMap::new();
    let mut waited: BTreeMap<(usize, Flag), usize> = BTreeMap::new();
    for (now, Ran { strand, line, what, .. }) in run.order.iter().enumerate() {
        match what {
            What::Set(flag) => {
                let taken =
                    waited.get(&(*strand, *flag)).is_none_or(|wait| order.is_over(&run.order, *wait, now));
                if set.insert((*strand, *flag), *line).is_some() || !taken {
                    found.insert(("sync::set-twice", *line));
                }
            }
            What::Wait(flag) => {
                if set.remove(&(*strand, *flag)).is_some() {
                    waited.insert((*strand, *flag), now);
                } else {
                    found.insert(("sync::never-set", *line));
                }
            }
            _ => {}
        }
    }
    let left = set.into_iter().filter(|((strand, _), _)| run.ended[*strand]);
    found.extend(left.map(|(_, line)| ("sync::left-set", line)));
    found
}

/// Misuses of tokens. A pipe must release a token that it holds, before it acquires it again, and before the end. At the
/// end, the report names the first pipe that acquired the token: a device blocks later acquisitions.
fn tokens(run: &Run<'_>) -> BTreeSet<Misuse> {
    let mut found = BTreeSet::new();
    let mut held: BTreeMap<(usize, u32), Vec<(Pipe, usize)>> = BTreeMap::new();
    for Ran { strand, line, what, .. } in &run.order {
        match what {
            What::Give(pipe, token) => {
                let holders = held.entry((*strand, *token)).or_default();
                if !holders.iter().any(|(holder, _)| holder == pipe) {
                    found.insert(("sync::token-not-held", *line));
                }
                holders.retain(|(holder, _)| holder != pipe);
            }
            What::Take(pipe, token) => {
                let holders = held.entry((*strand, *token)).or_default();
                if holders.iter().any(|(holder, _)| holder == pipe) {
                    found.insert(("sync::left-taken", *line));
                } else {
                    holders.push((*pipe, *line));
                }
            }
            _ => {}
        }
    }
    let left = held.into_iter().filter(|((strand, _), _)| run.ended[*strand]);
    found.extend(left.filter_map(|(_, holders)| Some(("sync::left-taken", holders.first()?.1))));
    found
}

/// Entries of queues that no consumer has popped.
fn entries(run: &Run<'_>) -> BTreeSet<Misuse> {
    let mut popped: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for Ran { strand, what, .. } in &run.order {
        if let What::Pop(_, queue) = what {
            *popped.entry(*queue).or_default().entry(*strand).or_default() += 1;
        }
    }
    let mut pushed: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for Ran { line, what, .. } in &run.order {
        let What::Push(_, queue) = what else { continue };
        let count = pushed.entry(*queue).or_default();
        *count += 1;
        let most = popped.get(queue).and_then(|consumers| consumers.values().max()).copied().unwrap_or(0);
        if *count > most {
            found.insert(("queue::left", *line));
        }
    }
    found
}

/// Entries that a consumer has popped and not freed, if the producer has pushed more entries than there are slots: it waits for them.
fn taken(run: &Run<'_>, slots: impl Fn(usize) -> usize) -> BTreeSet<Misuse> {
    let mut popped: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut freed: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut pushed: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for Ran { strand, line, what, .. } in &run.order {
        match what {
            What::Pop(_, queue) => popped.entry((*queue, *strand)).or_default().push(*line),
            What::Free(_, queue) => *freed.entry((*queue, *strand)).or_default() += 1,
            What::Push(_, queue) => *pushed.entry((*queue, *strand)).or_default() += 1,
            _ => {}
        }
    }
    let waits = |queue: usize| pushed.iter().any(|((of, _), count)| *of == queue && *count > slots(queue));
    let mut found = BTreeSet::new();
    for ((queue, strand), lines) in popped.into_iter().filter(|((queue, _), _)| waits(*queue)) {
        let given_back = freed.get(&(queue, strand)).copied().unwrap_or(0);
        found.extend(lines.into_iter().skip(given_back).map(|line| ("queue::not-freed", line)));
    }
    found
}

/// Flags between cores for which a receiver has waited less often than they were set.
fn channels(run: &Run<'_>) -> BTreeSet<Misuse> {
    let mut awaited: BTreeMap<(u64, usize, usize), usize> = BTreeMap::new();
    for Ran { strand, what, .. } in &run.order {
        let What::Await { channel, setters, .. } = what else { continue };
        for setter in setters {
            *awaited.entry((*channel, *setter, *strand)).or_default() += 1;
        }
    }
    let mut found = BTreeSet::new();
    for Ran { strand, line, what, .. } in &run.order {
        let What::Raise { channel, receivers, .. } = what else { continue };
        for receiver in receivers {
            let count = awaited.entry((*channel, *strand, *receiver)).or_default();
            match count.checked_sub(1) {
                Some(left) => *count = left,
                None => {
                    found.insert(("sync::left-set", *line));
                }
            }
        }
    }
    found
}
