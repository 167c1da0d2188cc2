//! Vector clocks: what a pipe knows to have happened.

use std::collections::BTreeMap;

/// Pipes of a core, in the order of [`slot_of`].
pub(super) const PIPES: usize = 7;

/// How far each pipe of a core has come, counted in instructions.
pub(super) type Local = [u32; PIPES];

/// What is known to be done: on the core itself, and on others that it has heard of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) own: Local,
    others: BTreeMap<u32, Local>,
}

/// An instruction as clocks count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) core: u32,
    pub(super) pipe: u8,
    pub(super) count: u32,
}

fn raise(to: &mut Local, from: &Local) -> bool {
    let mut news = false;
    for (to, from) in to.iter_mut().zip(from) {
        news |= *from > *to;
        *to = (*to).max(*from);
    }
    news
}

impl Clock {
    /// Learns what another clock of the same core knows. Says whether that is anything new.
    pub(super) fn join(&mut self, other: &Clock) -> bool {
        let mut news = raise(&mut self.own, &other.own);
        for (core, local) in &other.others {
            news |= raise(self.others.entry(*core).or_default(), local);
        }
        news
    }

    /// Learns what a clock of core `from` knows, as core `me`. Says whether that is anything new.
    pub(super) fn join_from(&mut self, me: u32, from: u32, other: &Clock) -> bool {
        if me == from {
            return self.join(other);
        }
        let mut news = raise(self.others.entry(from).or_default(), &other.own);
        for (core, local) in &other.others {
            news |= match *core == me {
                true => raise(&mut self.own, local),
                false => raise(self.others.entry(*core).or_default(), local),
            };
        }
        news
    }

    /// Whether an instruction is known to be done, on core `me`.
    pub(super) fn knows(&self, me: u32, moment: &Moment) -> bool {
        let local = if moment.core == me { Some(&self.own) } else { self.others.get(&moment.core) };
        local.is_some_and(|local| local[usize::from(moment.pipe)] >= moment.count)
    }
}
