//! Idle time of bytes: the number of instructions between the last access to one item and the first access to another.
//!
//! In a loop both directions count: the next round follows the last one.

use super::pack::{Item, conflict};
use crate::analysis::Facts;
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module, OperationId};
use pto_isa::meaning::Meaning;
use pto_isa::profile::Profile;
use std::collections::HashMap;

/// The instructions of a function, by position in text order, and its loops.
pub struct Rests {
    /// For each position, the number of instructions before it.
    before: Vec<u32>,
    /// For each position, the number of the innermost loop around it.
    around: Vec<Option<usize>>,
    /// The loops: an outer one comes before those in it.
    loops: Vec<Loop>,
}

/// A loop: its first and last position, and the loop around it.
#[derive(Clone, Copy)]
struct Loop {
    first: usize,
    last: usize,
    around: Option<usize>,
}

impl Rests {
    /// The instructions of straight code: the number of them before each position.
    pub fn straight(before: Vec<u32>) -> Rests {
        Rests { before, around: Vec::new(), loops: Vec::new() }
    }

    pub(super) fn of(module: &Module, id: FunctionId, flow: &Flow, facts: &Facts, profile: Profile) -> Rests {
        let function = &module.functions[id];
        let mut rests = Rests::straight(vec![0]);
        let mut numbers: HashMap<OperationId, usize> = HashMap::new();
        for (position, it) in flow.operations().iter().enumerate() {
            let operation = &function.operations[*it];
            let site = facts.site(function, &module.types, operation, profile);
            rests.before.push(rests.before[position] + u32::from(site.is_some()));
            let around = flow.around(*it).find_map(|around| numbers.get(&around).copied());
            rests.around.push(around);
            let mut outer = around;
            while let Some(number) = outer {
                rests.loops[number].last = position;
                outer = rests.loops[number].around;
            }
            if matches!(operation.meaning(), Meaning::For | Meaning::While) {
                numbers.insert(*it, rests.loops.len());
                rests.loops.push(Loop { first: position, last: position, around });
            }
        }
        rests
    }

    /// The pairs of items that may overlap, each with its rest.
    pub(super) fn between_all(&self, items: &[Item]) -> Vec<(u32, u32, u32)> {
        let mut rests = Vec::new();
        for (a, one) in items.iter().enumerate() {
            for (b, other) in items.iter().enumerate().skip(a + 1) {
                if !conflict(one, other) {
                    rests.extend(
                        self.between(&one.alive, &other.alive).map(|rest| (a as u32, b as u32, rest)),
                    );
                }
            }
        }
        rests
    }

    /// The instructions between two lists of ranges without a common time, at the least.
    fn between(&self, a: &[(usize, usize)], b: &[(usize, usize)]) -> Option<u32> {
        let ends = |list: &[(usize, usize)]| Some((list.first()?.0, list.last()?.1));
        let ((a_first, a_last), (b_first, b_last)) = (ends(a)?, ends(b)?);
        let (first, last) = (a_first.min(b_first), a_last.max(b_last));
        let mut around = self.around.get(first).copied().flatten().map(|number| self.loops[number]);
        while let Some(inner) = around.filter(|inner| inner.last < last) {
            around = inner.around.map(|number| self.loops[number]);
        }
        let across = around.map(|around| {
            let next = |behind: usize, before: usize| {
                self.count(behind, around.last) + self.count(around.first, before)
            };
            next(a_last, b_first).min(next(b_last, a_first))
        });
        let within = |one: &[(usize, usize)], other: &[(usize, usize)]| {
            let behind = |(_, end): &(usize, usize)| {
                let next = other.iter().find(|(start, _)| start > end)?;
                Some(self.count(*end, next.0))
            };
            one.iter().filter_map(behind).min()
        };
        [across, within(a, b), within(b, a)].into_iter().flatten().min()
    }

    /// The instructions between two positions, without those at them.
    fn count(&self, first: usize, last: usize) -> u32 {
        let before = |at: usize| self.before.get(at).or(self.before.last()).copied().unwrap_or(0);
        before(last).saturating_sub(before(first + 1))
    }
}
