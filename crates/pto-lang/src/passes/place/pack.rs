//! Packs items into memory: each gets an offset, so that no two that conflict overlap, with the end of the last as low as possible.
//!
//! Several orders are tried first fit; if none reaches the bound, which is the largest sum of sizes alive at one time, and there
//! are few items, `exact.rs` searches on. Reading: MiniMalloc (Moffitt, ASPLOS 2023), on exact packing for accelerators.

use super::exact;
use std::collections::BTreeSet;

/// Something that needs memory.
#[derive(Clone, Debug)]
pub struct Item {
    /// Size in bytes, a multiple of the alignment.
    pub bytes: u64,
    /// Its offset, if it may not be chosen.
    pub fixed: Option<u64>,
    /// The times at which it is alive: ranges with their ends, ascending and disjoint.
    pub alive: Vec<(usize, usize)>,
    /// Items of one group conflict whenever they are alive.
    pub group: u32,
    /// The loop whose rounds are repeated, and the round: items of different rounds conflict.
    pub round: Option<(usize, u32)>,
}

/// Items with their conflicts.
pub struct Problem {
    /// The allocations.
    pub items: Vec<Item>,
    /// For each item the others that may not overlap it.
    pub beside: Vec<Vec<u32>>,
}

/// Where the items are.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The first byte of each item.
    pub offsets: Vec<u64>,
    /// The end of the last item.
    pub peak: u64,
    /// No packing ends earlier.
    pub bound: u64,
    /// Whether the search has shown that no packing ends before `peak`.
    pub is_optimal: bool,
}

/// Number of orders in which items are placed first fit.
const ORDERS: usize = 6;

/// Most items for which a search follows.
pub(super) const MOST_SEARCHED: usize = 200;

impl Problem {
    /// The problem of these allocations.
    pub fn new(items: Vec<Item>) -> Problem {
        let mut beside = vec![Vec::new(); items.len()];
        for a in 0..items.len() {
            for b in a + 1..items.len() {
                let of_two_rounds = matches!(
                    (items[a].round, items[b].round),
                    (Some((one, first)), Some((other, second))) if one == other && first != second
                );
                let is_same = items[a].group == items[b].group;
                if is_same || of_two_rounds || overlap(&items[a].alive, &items[b].alive) {
                    beside[a].push(b as u32);
                    beside[b].push(a as u32);
                }
            }
        }
        Problem { items, beside }
    }

    /// The largest sum of sizes that are alive at one time, and that time.
    pub(super) fn bound(&self) -> (u64, usize) {
        most_at_once(self.items.iter())
    }

    /// No packing ends earlier: the most bytes alive at one time or, for a repeated loop, the sum of what each of its rounds needs,
    /// with what is alive through all of it.
    fn least_end(&self) -> u64 {
        let loops: BTreeSet<usize> = self.items.iter().filter_map(|item| Some(item.round?.0)).collect();
        let of_loop = |number: usize| {
            let is_inside = |item: &&Item| item.round.is_some_and(|(of, _)| of == number);
            let inside: Vec<&Item> = self.items.iter().filter(is_inside).collect();
            let rounds: BTreeSet<u32> = inside.iter().filter_map(|item| Some(item.round?.1)).collect();
            let needs = |round: u32| {
                let of_round = inside.iter().copied().filter(|item| item.round == Some((number, round)));
                most_at_once(of_round).0
            };
            let times = || inside.iter().flat_map(|item| &item.alive);
            let (first, last) = (times().map(|time| time.0).min(), times().map(|time| time.1).max());
            let is_around = |item: &&Item| {
                let mut alive = item.alive.iter();
                item.fixed.is_none()
                    && item.round.is_none()
                    && alive.any(|time| Some(time.0) <= first && Some(time.1) >= last)
            };
            let around = self.items.iter().filter(is_around).map(|item| item.bytes);
            rounds.into_iter().map(needs).sum::<u64>() + around.sum::<u64>()
        };
        loops.into_iter().map(of_loop).fold(self.bound().0, u64::max)
    }

    /// Packs the items.
    pub fn pack(&self) -> Packing {
        let bound = self.least_end();
        let mut best: Option<Packing> = None;
        for order in self.orders() {
            let offsets = self.first_fit(&order);
            let peak = self.peak(&offsets);
            if best.as_ref().is_none_or(|best| peak < best.peak) {
                best = Some(Packing { offsets, peak, bound, is_optimal: peak <= bound });
            }
            if peak <= bound {
                break;
            }
        }
        let Some(mut best) = best else {
            return Packing { offsets: Vec::new(), peak: 0, bound, is_optimal: true };
        };
        if !best.is_optimal && self.items.len() <= MOST_SEARCHED {
            exact::improve(self, &mut best);
        }
        best
    }

    /// Whether some order places all items below a limit.
    pub(super) fn fits(&self, limit: u64) -> bool {
        self.orders().any(|order| self.peak(&self.first_fit(&order)) <= limit)
    }

    /// The end of the last item, given the first byte of each.
    pub fn peak(&self, offsets: &[u64]) -> u64 {
        self.items.iter().zip(offsets).map(|(item, offset)| offset + item.bytes).max().unwrap_or(0)
    }

    /// Orders in which items are placed: large ones first, those that live long first, those that are alive together with most
    /// first, and as the program names them. Each is made when it is needed: often the first is good enough.
    pub fn orders(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        (0..ORDERS).map(|number| self.order(number))
    }

    fn order(&self, number: usize) -> Vec<usize> {
        let lifetime = |at: usize| {
            let alive = self.items[at].alive.iter().map(|(first, last)| last - first + 1);
            alive.sum::<usize>() as u64
        };
        let crowd = |at: usize| -> u64 {
            let around = self.beside[at].iter().map(|other| self.items[*other as usize].bytes);
            around.sum::<u64>() + self.items[at].bytes
        };
        let bytes = |at: usize| self.items[at].bytes;
        let first = |at: usize| self.items[at].alive.first().map_or(0, |(first, _)| *first);
        let keys: [&dyn Fn(usize) -> (u64, u64); ORDERS] = [
            &|at| (bytes(at), lifetime(at)),
            &|at| (bytes(at).saturating_mul(lifetime(at)), bytes(at)),
            &|at| (lifetime(at), bytes(at)),
            &|at| (crowd(at), bytes(at)),
            &|at| (u64::MAX - first(at) as u64, bytes(at)),
            &|at| (first(at) as u64, bytes(at)),
        ];
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_cached_key(|at| (std::cmp::Reverse(keys[number](*at)), *at));
        order
    }

    /// Places items in an order, each at the lowest offset that is free.
    pub fn first_fit(&self, order: &[usize]) -> Vec<u64> {
        let mut offsets: Vec<Option<u64>> = self.items.iter().map(|item| item.fixed).collect();
        for at in order {
            if offsets[*at].is_none() {
                offsets[*at] = Some(self.lowest(*at, &offsets, 0));
            }
        }
        offsets.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The lowest offset from `from` on at which an item overlaps none of the placed ones that it conflicts with.
    pub(super) fn lowest(&self, at: usize, offsets: &[Option<u64>], from: u64) -> u64 {
        let taken = self.beside[at].iter().filter_map(|other| {
            let start = offsets[*other as usize]?;
            Some((start, start + self.items[*other as usize].bytes))
        });
        let mut taken: Vec<(u64, u64)> = taken.collect();
        taken.sort_unstable();
        let mut offset = from;
        for (start, end) in taken {
            if offset + self.items[at].bytes <= start {
                break;
            }
            offset = offset.max(end);
        }
        offset
    }
}

/// The largest sum of sizes that are alive at one time, and that time.
fn most_at_once<'a>(items: impl Iterator<Item = &'a Item>) -> (u64, usize) {
    let mut changes: Vec<(usize, i64)> = Vec::new();
    for item in items {
        for (first, last) in &item.alive {
            changes.push((*first, item.bytes as i64));
            changes.push((*last + 1, -(item.bytes as i64)));
        }
    }
    // At one time, ends come before starts.
    changes.sort_unstable();
    let (mut now, mut most) = (0i64, (0u64, 0));
    for (time, change) in changes {
        now += change;
        if now as u64 > most.0 && now > 0 {
            most = (now as u64, time);
        }
    }
    most
}

/// Whether two lists of ranges have a common time.
fn overlap(a: &[(usize, usize)], b: &[(usize, usize)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].1 < b[j].0 {
            i += 1;
        } else if b[j].1 < a[i].0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}
