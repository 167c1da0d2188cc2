//! How long bytes rest: the number of instructions between the last access to one item and the first one to another.
//!
//! In a loop both directions count: the next round follows the last one.

use super::pack::{Item, conflict};
use crate::analysis::Facts;
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module};
use pto_isa::meaning::Meaning;
use pto_isa::profile::Profile;
use std::collections::HashMap;

/// The instructions of a function, by position in text order, and its loops.
pub struct Rests {
    /// For each position, the number of instructions before it.
    before: Vec<u32>,
    /// The first and the last position of each loop, an outer one before those in it.
    loops: Vec<(usize, usize)>,
}

impl Rests {
    /// The number of instructions before each position, and the first and last positions of loops, outer ones before those in them.
    pub fn new(before: Vec<u32>, loops: Vec<(usize, usize)>) -> Rests {
        Rests { before, loops }
    }

    pub(super) fn of(
        module: &Module,
        id: FunctionId,
        (flow, facts): (&Flow, &Facts),
        profile: Profile,
    ) -> Rests {
        let function = &module.functions[id];
        let (mut before, mut ends) = (vec![0], HashMap::new());
        for (position, it) in flow.operations().iter().enumerate() {
            let site = facts.site(function, &module.types, &function.operations[*it], profile);
            before.push(before[position] + u32::from(site.is_some()));
            ends.extend(flow.around(*it).map(|around| (around, position)));
        }
        let mut loops = Vec::new();
        for (position, it) in flow.operations().iter().enumerate() {
            let is_loop = matches!(function.operations[*it].meaning(), Meaning::For | Meaning::While);
            loops.extend(ends.get(it).filter(|_| is_loop).map(|end| (position, *end)));
        }
        Rests { before, loops }
    }

    /// The pairs of items that may overlap, each with its rest.
    pub(super) fn between_all(&self, items: &[Item]) -> Vec<(u32, u32, u32)> {
        let mut rests = Vec::new();
        for (a, one) in items.iter().enumerate() {
            for (b, other) in items.iter().enumerate().skip(a + 1) {
                if !conflict(one, other) {
                    rests.extend(self.between(&one.alive, &other.alive).map(|rest| (a as u32, b as u32, rest)));
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
        let around = self.loops.iter().rev().find(|(start, end)| *start <= first && last <= *end);
        let across = around.map(|(start, end)| {
            let next = |behind: usize, before: usize| self.count(behind, *end) + self.count(*start, before);
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
