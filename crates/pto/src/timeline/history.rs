//! The instructions that have run: all of them, or as few as the critical path may still need.

use super::critical::Parts;
use super::lane::{Item, Moment, ScalarItem};
use super::recording::{Recording, Work};
use super::timing::LineTime;
use std::collections::BTreeMap;

/// Detail that a [`Timing`](super::Timing) keeps of single instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing: times by operation, by pipe and along the critical path alone. Memory does not grow with the number of instructions.
    Totals,
    /// When each of the first ones ran, for traces, reports and [`occupancy`](super::occupancy()).
    Spans {
        /// The number of instructions from which on only totals grow.
        most: usize,
    },
}

impl Detail {
    /// The number of instructions that are kept.
    fn most(self) -> usize {
        match self {
            Detail::Totals => 0,
            Detail::Spans { most } => most,
        }
    }
}

/// Number of instructions up to which all are kept.
const FEW: usize = 4096;

/// Shows each moment that something may still wait for.
type Visit<'a> = dyn FnMut(&mut dyn FnMut(&mut Moment)) + 'a;

/// Times by operation, and the executed instructions.
///
/// Each instruction names the instruction that delayed its start. These causes lead from every moment that a core may
/// still wait for back to the start of the launch. The critical path will be one of these paths, so instructions that are
/// on none of them are dropped from time to time. The common start of all paths through an instruction is kept only as
/// its [`Parts`].
pub(super) struct History<'a> {
    recording: &'a Recording,
    detail: Detail,
    pub(super) items: Vec<Item>,
    /// The number of instructions that have run.
    pub(super) count: u64,
    /// All instructions before the first drop.
    first: Option<Vec<Item>>,
    pub(super) scalar: Vec<ScalarItem>,
    /// By source.
    pub(super) lines: Vec<LineTime>,
    /// Operations of products: two for each multiplication with an addition; and the bits of their last factors.
    pub(super) operations: f64,
    pub(super) bits: u32,
    /// Path from the start of the launch to the start of an item whose causes are dropped, by the index of the item.
    before: BTreeMap<u32, Parts>,
    /// Number of items at which the next drop happens.
    most: usize,
}

impl<'a> History<'a> {
    pub(super) fn new(recording: &'a Recording, detail: Detail) -> History<'a> {
        History {
            recording,
            detail,
            items: Vec::new(),
            count: 0,
            first: None,
            scalar: Vec::new(),
            lines: vec![LineTime::default(); recording.sources.len()],
            operations: 0.0,
            bits: 16,
            before: BTreeMap::new(),
            most: FEW,
        }
    }

    /// Notes an instruction that has run, and returns its index plus one.
    pub(super) fn push(&mut self, item: Item) -> u32 {
        let work = self.work(&item);
        let line = &mut self.lines[work.source as usize];
        line.count += 1;
        line.busy += item.end - item.start;
        line.bytes += work.load.bytes;
        if let Some([rows, inner, cols]) = work.load.product {
            self.operations += 2.0 * (rows * inner * cols) as f64;
            self.bits = work.load.element.bits();
        }
        self.count += 1;
        self.items.push(item);
        self.items.len() as u32
    }

    /// Notes an instruction with accesses to tiles that a scalar unit has run.
    pub(super) fn push_scalar(&mut self, item: ScalarItem) {
        if self.scalar.len() < self.detail.most() {
            self.scalar.push(item);
        }
    }

    /// Whether it is time to [`forget`](History::forget).
    pub(super) fn is_full(&self) -> bool {
        let most = if self.first.is_none() { self.most.max(self.detail.most()) } else { self.most };
        self.items.len() >= most
    }

    /// The first instructions that have run, as many as are to be shown.
    pub(super) fn shown(&self) -> &[Item] {
        let items = self.first.as_ref().unwrap_or(&self.items);
        &items[..items.len().min(self.detail.most())]
    }

    /// Drops the items that no path from a moment back to the start needs individually. `visit` shows all moments that
    /// are left.
    pub(super) fn forget(&mut self, visit: &mut Visit<'_>) {
        let (needs, moments) = self.needs(visit);
        let mut kept: Vec<Item> = Vec::new();
        let mut before = BTreeMap::new();
        // The way to each item, if its causes are forgotten.
        let mut ways: Vec<Option<Parts>> = vec![None; self.items.len()];
        for (index, parts) in std::mem::take(&mut self.before) {
            ways[index as usize] = Some(parts);
        }
        // For each item, its new index plus one; 0 if it is gone.
        let mut new = vec![0; self.items.len()];
        for (index, item) in self.items.iter().enumerate() {
            let cause = item.cause.checked_sub(1).map_or(0, |cause| new[cause as usize]);
            match needs[index] {
                Need::Nobody => {}
                Need::One(follower) if cause == 0 => {
                    let mut parts = ways[index].take().unwrap_or_else(|| {
                        let mut parts = Parts::default();
                        parts.start(Some(self.source(item)), item.start);
                        parts
                    });
                    let next = &self.items[follower as usize];
                    parts.through(self.recording, item, next.start, Some(self.source(next)));
                    ways[follower as usize] = Some(parts);
                }
                Need::One(_) | Need::Several => {
                    if let Some(parts) = ways[index].take() {
                        before.insert(kept.len() as u32, parts);
                    }
                    kept.push(Item { cause, ..*item });
                    new[index] = kept.len() as u32;
                }
            }
        }
        visit(&mut |moment| moment.by = moment.by.checked_sub(1).map_or(0, |by| new[by as usize]));
        let all = std::mem::replace(&mut self.items, kept);
        self.before = before;
        if self.first.is_none() && self.detail.most() > 0 {
            self.first = Some(all);
        }
        // Looking through all of them is worth it if about as many may go.
        self.most = FEW.max(2 * self.items.len()).max(self.items.len() + moments);
    }

    /// Dependents of each item, and the number of moments.
    fn needs(&self, visit: &mut Visit<'_>) -> (Vec<Need>, usize) {
        let mut needs = vec![Need::Nobody; self.items.len()];
        let mut moments = 0;
        visit(&mut |moment| {
            moments += 1;
            if let Some(by) = moment.by.checked_sub(1) {
                needs[by as usize] = Need::Several;
            }
        });
        // A cause has run before its dependent.
        for (index, item) in self.items.iter().enumerate().rev() {
            if needs[index] != Need::Nobody
                && let Some(cause) = item.cause.checked_sub(1)
            {
                let need = &mut needs[cause as usize];
                *need = if *need == Need::Nobody { Need::One(index as u32) } else { Need::Several };
            }
        }
        (needs, moments)
    }

    /// The instruction of an item.
    pub(super) fn work(&self, item: &Item) -> &'a Work {
        &self.recording.works[item.work as usize]
    }

    /// The operation of an item.
    pub(super) fn source(&self, item: &Item) -> u32 {
        self.work(item).source
    }

    /// The way from the start of the launch to the start of an item, if its causes are forgotten.
    pub(super) fn before(&self, index: u32) -> Option<&Parts> {
        self.before.get(&index)
    }
}

/// Dependents that need an item for their path to the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Nobody,
    /// One later item, by its index.
    One(u32),
    /// Several items, or a moment that a core may still wait for.
    Several,
}
