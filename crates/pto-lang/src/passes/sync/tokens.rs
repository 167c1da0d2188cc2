//! Buffer tokens instead of flags, on profiles that have them.
//!
//! A flag from pipe P to pipe Q becomes a token. P holds the token during the instruction after which the flag was
//! set, and Q during the instruction before which the flag was awaited. Tokens are acquired in program order, so Q
//! begins after P has released the token; in a loop, P begins the next round after Q has released it. So no set
//! before a loop and no wait after it is needed.

use super::plan::{Beside, InsertedId, Missing, Operation, Plan, Witness};
use super::state::State;
use super::tree::{Kind, NodeId, Order, ROOT};
use pto_isa::pipe::Pipe;
use std::collections::{BTreeMap, BTreeSet};

/// Number of tokens of a core.
const TOKENS: u8 = 32;

/// Nodes by flag.
type Sites = BTreeMap<InsertedId, Vec<NodeId>>;

/// The pairs of tokens that are held at the same time.
#[derive(Default)]
struct Held {
    now: BTreeMap<InsertedId, usize>,
    between: BTreeMap<InsertedId, BTreeSet<InsertedId>>,
}

impl Witness for Held {
    fn missing(&mut self, _: Missing) {}

    fn token(&mut self, id: InsertedId, acquires: bool) {
        if acquires {
            for other in self.now.keys().copied().filter(|other| *other != id).collect::<Vec<_>>() {
                self.between.entry(id).or_default().insert(other);
                self.between.entry(other).or_default().insert(id);
            }
            *self.now.entry(id).or_default() += 1;
        } else if let Some(count) = self.now.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.now.remove(&id);
            }
        }
    }
}

impl Plan<'_> {
    /// Replaces flags by tokens, as long as all accesses stay ordered and tokens are left.
    pub(super) fn use_tokens(&mut self) {
        let flags: Vec<InsertedId> = (0..self.inserted.len()).filter(|id| self.inserted[*id].on).collect();
        let sites = [self.sites(&self.after, true), self.sites(&self.before, false)];
        let mut made = BTreeMap::new();
        for id in flags {
            if let Some(token) = self.token_for(id, &sites) {
                made.insert(token, id);
            }
        }
        // Waits after loops may have ordered later accesses too. If these are unordered now, such flags are restored.
        let is_carried = |plan: &Self, id: InsertedId| {
            matches!(plan.inserted[id].what, Operation::Flag { carried: Some(_), .. })
        };
        for back in [is_carried as fn(&Self, InsertedId) -> bool, |_, _| true] {
            if self.is_ordered() {
                break;
            }
            for (token, flag) in &made {
                if back(self, *flag) {
                    (self.inserted[*flag].on, self.inserted[*token].on) = (true, false);
                }
            }
        }
        for token in self.without_number() {
            self.inserted[token].on = false;
            made.get(&token).into_iter().for_each(|flag| self.inserted[*flag].on = true);
        }
    }

    /// The nodes at which each flag is set, or awaited.
    fn sites(&self, lists: &BTreeMap<NodeId, Vec<Beside>>, sets: bool) -> Sites {
        let mut sites = Sites::new();
        for (node, list) in lists {
            for beside in list {
                match *beside {
                    Beside::Set(id) if sets => sites.entry(id).or_default().push(*node),
                    Beside::Wait(id) if !sets => sites.entry(id).or_default().push(*node),
                    _ => {}
                }
            }
        }
        sites
    }

    /// A token in place of a flag; `None` if the flag is set or awaited at more than one node, or if both nodes are
    /// the same.
    fn token_for(&mut self, id: InsertedId, [sets, waits]: &[Sites; 2]) -> Option<InsertedId> {
        let Operation::Flag { from, to, .. } = self.inserted[id].what else { return None };
        let (&[set], &[wait]) = (sets.get(&id)?.as_slice(), waits.get(&id)?.as_slice()) else { return None };
        if set == wait || to == Pipe::Scalar {
            return None;
        }
        let token = self.insert(Operation::Token { from, to }, self.inserted[id].reason);
        for (node, pipe) in [(set, from), (wait, to)] {
            self.before.entry(node).or_default().push(Beside::Acquire(token, pipe));
            self.after.entry(node).or_default().insert(0, Beside::Release(token, pipe));
        }
        self.inserted[id].on = false;
        Some(token)
    }

    /// Numbers the tokens: tokens held at the same time have different numbers. Returns the tokens for which no
    /// number is left.
    fn without_number(&mut self) -> Vec<InsertedId> {
        let mut held = Held::default();
        self.walk(ROOT, &mut State::default(), &mut held, 2);
        let of_program = self.tree.nodes.iter().filter_map(|node| match node.kind {
            Kind::Order(Order::Acquire(_, token) | Order::Release(_, token)) => u8::try_from(token).ok(),
            _ => None,
        });
        let taken: BTreeSet<u8> = of_program.collect();
        let (mut numbers, mut without) = (BTreeMap::new(), Vec::new());
        for id in 0..self.inserted.len() {
            if !self.inserted[id].on || !matches!(self.inserted[id].what, Operation::Token { .. }) {
                continue;
            }
            let beside = held.between.get(&id).into_iter().flatten();
            let used: BTreeSet<u8> = beside.filter_map(|other| numbers.get(other).copied()).collect();
            // Tokens are spread, since each use of one waits for all earlier ones.
            let count = numbers.len() as u8 % TOKENS;
            let free = (0..TOKENS).map(|at| (count + at) % TOKENS);
            match free.into_iter().find(|number| !used.contains(number) && !taken.contains(number)) {
                Some(number) => {
                    numbers.insert(id, number);
                    self.inserted[id].id = number;
                }
                None => without.push(id),
            }
        }
        without
    }
}
