//! Packs items into memory: assigns offsets such that conflicting items do not overlap.
//!
//! The aim is the shortest time of the program, not the least memory. Two items that share bytes must be ordered: the
//! later one waits for the earlier one, often on another pipe. So no bytes are shared while memory suffices.
//! Otherwise the bytes that were free longest are reused, because their order is most likely free: every item is kept
//! for some instructions after its end, as many as memory allows. `exact.rs` searches further if items do not fit
//! even when none is kept.
//!
//! Reading: MiniMalloc (Moffitt, ASPLOS 2023), on exact packing for accelerators.

use super::exact;
use super::rest::Rests;

/// An allocation to be packed into memory.
#[derive(Clone, Debug)]
pub struct Item {
    /// Size in bytes, a multiple of the alignment.
    pub bytes: u64,
    /// Byte offset of an item that cannot be moved; `None` if the offset may be chosen.
    pub fixed: Option<u64>,
    /// The times at which the item is alive: ranges with their ends, ascending and disjoint.
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
    /// For each item, the items that must not overlap it.
    pub beside: Vec<Vec<u32>>,
}

/// Offsets of the items.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The first byte of each item.
    pub offsets: Vec<u64>,
    /// The end of the last item.
    pub peak: u64,
}

/// Number of orders in which items are placed first fit.
const ORDERS: usize = 6;

/// Maximum number of items for a search.
const MOST_SEARCHED: usize = 200;

/// Maximum number of compared pairs of items, to find out how long bytes are free between them.
const MOST_PAIRS: usize = 1 << 18;

impl Problem {
    /// The problem of these allocations.
    pub fn new(items: Vec<Item>) -> Problem {
        let mut beside = vec![Vec::new(); items.len()];
        for a in 0..items.len() {
            for b in a + 1..items.len() {
                if conflict(&items[a], &items[b]) {
                    beside[a].push(b as u32);
                    beside[b].push(a as u32);
                }
            }
        }
        Problem { items, beside }
    }

    /// The most bytes that are alive at one time, and that time.
    pub fn bound(&self) -> (u64, usize) {
        bound(&self.items)
    }

    /// Packs items that do not fit without shared bytes: below the first of two limits if they fit there, else below
    /// the second. If they fit neither, the peak is above both.
    pub fn pack(&self, limits: [u64; 2], rests: &Rests) -> Packing {
        let mut best: Option<Packing> = None;
        for limit in limits {
            if let Some(packing) = self.rested(limit, rests) {
                return packing;
            }
            let least = self.lowest_end(limit);
            if least.peak <= limit {
                return least;
            }
            best = best.filter(|best| best.peak <= least.peak).or(Some(least));
        }
        best.unwrap_or(Packing { offsets: Vec::new(), peak: 0 })
    }

    fn packing(&self, offsets: Vec<u64>) -> Packing {
        let peak = self.peak(&offsets);
        Packing { offsets, peak }
    }

    /// A packing below a limit in which bytes rest as long as possible before they are reused.
    fn rested(&self, limit: u64, rests: &Rests) -> Option<Packing> {
        if self.items.len().pow(2) > MOST_PAIRS {
            return None;
        }
        let rests = rests.between_all(&self.items);
        let mut lengths: Vec<u32> = rests.iter().map(|(_, _, rest)| *rest).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let with = |least: u32| {
            let mut kept = Problem { items: self.items.clone(), beside: self.beside.clone() };
            for (a, b, _) in rests.iter().filter(|(_, _, rest)| *rest < least) {
                kept.beside[*a as usize].push(*b);
                kept.beside[*b as usize].push(*a);
            }
            kept.below(limit)
        };
        let mut found = None;
        // Items that fit with long rests usually fit with shorter ones; the heuristic orders allow exceptions.
        let (mut low, mut high) = (0, lengths.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match with(lengths[middle]) {
                Some(packing) => (found, low) = (Some(packing), middle + 1),
                None => high = middle,
            }
        }
        found
    }

    /// A packing by one of the orders that ends below a limit.
    fn below(&self, limit: u64) -> Option<Packing> {
        let mut packings = self.orders().map(|order| self.packing(self.first_fit(&order)));
        packings.find(|packing| packing.peak <= limit)
    }

    /// The packing that ends first, as far as a search finds it before it is below a limit.
    fn lowest_end(&self, limit: u64) -> Packing {
        let mut best: Option<Packing> = None;
        for order in self.orders() {
            let packing = self.packing(self.first_fit(&order));
            if packing.peak <= limit {
                return packing;
            }
            best = best.filter(|best| best.peak <= packing.peak).or(Some(packing));
        }
        let Some(mut best) = best else { return Packing { offsets: Vec::new(), peak: 0 } };
        if best.peak > limit && self.bound().0 <= limit && self.items.len() <= MOST_SEARCHED {
            exact::improve(self, &mut best, limit);
        }
        best
    }

    /// Whether some order places all items below a limit.
    pub(super) fn fits(&self, limit: u64) -> bool {
        self.below(limit).is_some()
    }

    /// The end of the last item, given the first byte of each.
    pub fn peak(&self, offsets: &[u64]) -> u64 {
        peak(&self.items, offsets)
    }

    /// Orders in which items are placed: large ones first; long-lived ones first; those alive at the same time as the
    /// most bytes first; and the order of the program. Each order is computed on demand, because the first one often
    /// suffices.
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

    /// The lowest offset, at least `from`, at which an item overlaps none of the placed items that it conflicts with.
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

/// Places the items one after another, without overlap.
pub fn apart(items: &[Item]) -> Packing {
    let fixed = items.iter().filter_map(|item| Some((item.fixed?, item.bytes)));
    let mut taken: Vec<(u64, u64)> = fixed.map(|(start, bytes)| (start, start + bytes)).collect();
    taken.sort_unstable();
    let (mut taken, mut end) = (taken.into_iter().peekable(), 0);
    let place = |item: &Item| {
        item.fixed.unwrap_or_else(|| {
            while let Some((_, behind)) = taken.next_if(|(start, _)| end + item.bytes > *start) {
                end = behind.max(end);
            }
            end += item.bytes;
            end - item.bytes
        })
    };
    let offsets: Vec<u64> = items.iter().map(place).collect();
    let peak = peak(items, &offsets);
    Packing { offsets, peak }
}

/// The end of the last item, given the first byte of each.
fn peak(items: &[Item], offsets: &[u64]) -> u64 {
    items.iter().zip(offsets).map(|(item, offset)| offset + item.bytes).max().unwrap_or(0)
}

/// The most bytes of items that are alive at one time, and that time.
pub(super) fn bound(items: &[Item]) -> (u64, usize) {
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

/// Whether two items may not overlap.
pub(super) fn conflict(one: &Item, other: &Item) -> bool {
    let of_two_rounds = matches!(
        (one.round, other.round),
        (Some((one, first)), Some((other, second))) if one == other && first != second
    );
    one.group == other.group || of_two_rounds || overlap(&one.alive, &other.alive)
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
