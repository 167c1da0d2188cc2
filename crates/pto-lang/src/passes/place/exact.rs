//! A search for a packing that ends below a limit.
//!
//! Every packing can be pushed down until each item is at offset 0, or lies on another one. Items are therefore
//! placed in the order of their offsets, each as low as the placed items allow. A branch is cut if at some time the
//! remaining items do not fit above the placed ones.

use super::pack::{Packing, Problem};
use std::collections::BTreeSet;

/// Maximum work of a search, in visited items.
const MOST_WORK: usize = 20_000_000;

struct Search<'a> {
    problem: &'a Problem,
    /// Sets of items that are alive at one time, none within another.
    times: Vec<Vec<usize>>,
    offsets: Vec<Option<u64>>,
    /// The end that must not be passed.
    limit: u64,
    work: usize,
}

/// Replaces a packing by one that ends below a limit, if the search finds one within its work.
pub(super) fn improve(problem: &Problem, best: &mut Packing, limit: u64) {
    let offsets = problem.items.iter().map(|item| item.fixed).collect();
    let mut search = Search { problem, times: times(problem), offsets, limit, work: 0 };
    if search.place(0) {
        best.offsets = search.offsets.iter().map(|offset| offset.unwrap_or_default()).collect();
        best.peak = problem.peak(&best.offsets);
    }
}

/// The sets of items that are alive at one time, without sets that are part of others.
fn times(problem: &Problem) -> Vec<Vec<usize>> {
    let starts: BTreeSet<usize> =
        problem.items.iter().flat_map(|item| item.alive.iter().map(|(first, _)| *first)).collect();
    let alive = |time: usize| -> Vec<usize> {
        let lives = |item: &super::pack::Item| {
            item.alive.iter().any(|(first, last)| (*first..=*last).contains(&time))
        };
        (0..problem.items.len()).filter(|at| lives(&problem.items[*at])).collect()
    };
    let mut sets: Vec<Vec<usize>> = starts.into_iter().map(alive).collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for set in sets {
        if !kept.iter().any(|other| set.iter().all(|item| other.contains(item))) {
            kept.push(set);
        }
    }
    kept
}

impl Search<'_> {
    /// Places the remaining items, none below `from`. Returns whether all fit.
    fn place(&mut self, from: u64) -> bool {
        let items = &self.problem.items;
        self.work += items.len() + self.times.iter().map(Vec::len).sum::<usize>();
        let open: Vec<(u64, usize)> = (0..items.len())
            .filter(|at| self.offsets[*at].is_none())
            .map(|at| (self.problem.lowest(at, &self.offsets, from), at))
            .collect();
        if open.is_empty() {
            return self
                .problem
                .items
                .iter()
                .zip(&self.offsets)
                .all(|(item, offset)| offset.unwrap_or_default() + item.bytes <= self.limit);
        }
        if !self.may_fit(&open) {
            return false;
        }
        // The next item, by offset, lies below the end of every other one.
        let first_end = open.iter().map(|(lowest, at)| lowest + items[*at].bytes).min().unwrap_or(0);
        let mut next: Vec<(u64, usize)> =
            open.into_iter().filter(|(lowest, _)| *lowest < first_end).collect();
        next.sort_unstable_by_key(|(lowest, at)| (*lowest, std::cmp::Reverse(items[*at].bytes), *at));
        for (lowest, at) in next {
            if self.work >= MOST_WORK {
                return false;
            }
            self.offsets[at] = Some(lowest);
            if self.place(lowest) {
                return true;
            }
            self.offsets[at] = None;
        }
        false
    }

    /// Whether, at each time, the items to be placed fit between the lowest of their offsets and the limit.
    fn may_fit(&self, open: &[(u64, usize)]) -> bool {
        let mut lowest = vec![None; self.problem.items.len()];
        open.iter().for_each(|(offset, at)| lowest[*at] = Some(*offset));
        self.times.iter().all(|set| {
            let to_place = set.iter().filter_map(|at| Some((lowest[*at]?, self.problem.items[*at].bytes)));
            let (mut least, mut bytes) = (u64::MAX, 0);
            for (offset, size) in to_place {
                least = least.min(offset);
                bytes += size;
            }
            bytes == 0 || least + bytes <= self.limit
        })
    }
}
