//! The messages about buffers in which tiles do not fit: the tiles alive at the fullest point, and changes that would
//! help.

use super::demand::Need;
use super::pack::{Packing, Problem};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::memory::Buffer;
use pto_isa::rules;

/// Maximum number of allocations that the message about a full buffer lists.
const MOST_LISTED: usize = 12;
/// Maximum number of tiles for which the message states that changing one of them suffices.
const MOST_HELPFUL: usize = 3;
/// Maximum number of tiles that are tried: each packs the buffer anew.
const MOST_TRIED: usize = 64;
/// Maximum number of pairs of tiles that these packings compare.
const MOST_PAIRS: usize = 4_000_000;

/// The finding on a tile without an address, in a buffer where the program computes the address of another tile.
pub(super) fn beside_computed(buffer: Buffer, open: &Need, computed: &Need) -> Diagnostic {
    let message = format!(
        "`%{}` cannot be placed in {}: the program computes the address of `%{}` there",
        open.name,
        buffer.word(),
        computed.name
    );
    Diagnostic::error(&rules::place::COMPUTED, message)
        .at(open.span)
        .with_label(computed.span, "may be anywhere in the buffer")
        .with_help("give both tiles addresses, or write the computed address as a constant")
}

/// A buffer in which the allocations do not fit.
pub(super) struct Full<'a> {
    pub(super) module: &'a Module,
    pub(super) function: FunctionId,
    pub(super) buffer: Buffer,
    pub(super) needs: &'a [&'a Need],
    pub(super) problem: &'a Problem,
    pub(super) packing: &'a Packing,
    /// The bytes of the buffer that may be used.
    pub(super) capacity: u64,
}

impl Full<'_> {
    /// The finding.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let function = &self.module.functions[self.function];
        let (bytes, time) = self.problem.bound();
        let (name, capacity) = (self.buffer.word(), self.capacity);
        let message = match bytes > capacity {
            true => format!(
                "{bytes} bytes of {name} are alive at one point of `@{}`, which has {capacity}: {} are missing",
                function.name,
                bytes - capacity
            ),
            false => format!(
                "the tiles of `@{}` need {} bytes of {name}, which has {capacity}: {} are missing; {bytes} are alive at one point",
                function.name,
                self.packing.peak,
                self.packing.peak - capacity
            ),
        };
        let mut error = Diagnostic::error(&rules::place::CAPACITY, message).at(self.span(time));
        let alive = self.alive(time);
        for need in alive.iter().take(MOST_LISTED).map(|at| self.needs[*at]) {
            error = error.with_label(need.span, format!("`%{}` is alive: {} bytes", need.name, need.bytes));
        }
        if alive.len() > MOST_LISTED {
            error = error.with_note(format!("{} more are alive", alive.len() - MOST_LISTED));
        }
        self.help(error, &alive, time)
    }

    /// Live items at a time, large ones first.
    fn alive(&self, time: usize) -> Vec<usize> {
        let lives =
            |at: &usize| self.needs[*at].alive.iter().any(|(first, last)| (*first..=*last).contains(&time));
        let mut alive: Vec<usize> = (0..self.needs.len()).filter(lives).collect();
        alive.sort_unstable_by_key(|at| {
            (std::cmp::Reverse(self.needs[*at].bytes), self.needs[*at].span.start)
        });
        alive
    }

    /// Adds the changes of a single tile that suffice to the message, those of small tiles first.
    fn help(&self, mut error: Diagnostic, alive: &[usize], time: usize) -> Diagnostic {
        let open = alive.iter().copied().filter(|at| self.needs[*at].address.is_none());
        let tried = MOST_TRIED.min(MOST_PAIRS / self.needs.len().pow(2).max(1));
        let mut open: Vec<usize> = open.take(tried).collect();
        open.reverse();
        let gaps = open.iter().filter_map(|at| Some((*at, self.gap(*at, time)?)));
        let again: Vec<_> = gaps
            .filter(|(at, (last, next))| self.fits_if_apart(*at, *last, *next))
            .take(MOST_HELPFUL)
            .collect();
        let halves: Vec<usize> =
            open.iter().copied().filter(|at| self.fits_in_halves(*at)).take(MOST_HELPFUL).collect();
        let name = |at: &usize| format!("`%{}`", self.needs[*at].name);
        if let [(first, (last, next)), ..] = again.as_slice() {
            let names: Vec<String> = again.iter().map(|(at, _)| name(at)).collect();
            error = error
                .with_label(self.span(*last), format!("{} is used here", name(first)))
                .with_label(self.span(*next), format!("{} is not used again before here", name(first)))
                .with_help(format!(
                    "it fits if {} is loaded or computed again for its next use instead of kept",
                    names.join(" or ")
                ));
        }
        if !halves.is_empty() {
            let names: Vec<String> = halves.iter().map(name).collect();
            error = error.with_help(format!(
                "it fits if {} is split into halves, one after the other",
                names.join(" or ")
            ));
        }
        match again.is_empty() && halves.is_empty() {
            true => error.with_help("no change of one tile is enough: split several, load them again instead of keeping them, or move what is read early before what is written late"),
            false => error,
        }
    }

    /// The last use of a tile before a time and the next one after it, if there is an operation between that does not use it.
    fn gap(&self, at: usize, time: usize) -> Option<(usize, usize)> {
        let uses = &self.needs[at].uses;
        let split = uses.partition_point(|used| *used < time);
        let (last, next) = (*uses.get(split.checked_sub(1)?)?, *uses.get(split)?);
        (last < time && time < next).then_some((last, next))
    }

    /// Whether everything fits if a tile is not alive between `last` and `next`, two positions at which it is used.
    fn fits_if_apart(&self, at: usize, last: usize, next: usize) -> bool {
        let mut items = self.problem.items.clone();
        let alive = items[at].alive.iter().flat_map(|(first, end)| {
            let before = (*first, (*end).min(last));
            // The value is computed again right before its use, so everything alive at the computation is alive at
            // that use too.
            let after = ((*first).max(next), *end);
            [before, after].into_iter().filter(|(first, end)| first <= end)
        });
        items[at].alive = alive.collect();
        Problem::new(items).fits(self.capacity)
    }

    /// Whether everything fits if half of a tile is enough.
    fn fits_in_halves(&self, at: usize) -> bool {
        let mut items = self.problem.items.clone();
        items[at].bytes = items[at].bytes.div_ceil(2).next_multiple_of(super::LEAST_ALIGNMENT);
        Problem::new(items).fits(self.capacity)
    }

    fn span(&self, position: usize) -> Span {
        let function = &self.module.functions[self.function];
        let flow = Flow::of(function);
        flow.operations().get(position).map_or(function.name_span, |at| function.operations[*at].span)
    }
}
