//! Alignment of two streams of entries of one core.
//!
//! Both streams are read through a window of [`WINDOW`] entries, so time is linear in their length and memory does not
//! depend on it.
//!
//! 1. If the first entries of both windows are the same operation on the same addresses, they are a pair, unless
//!    another execution of the operation in the window wrote the same contents as one of them.
//! 2. Else the first entry of one window is looked for in the other one, with the same contents, past entries that
//!    commute with it: entries that share no changed bytes and order no common pipe. So any order of independent entries
//!    is aligned, as far as no entry moves by more than a window.
//! 3. Else something has been inserted, removed or changed. A longest common subsequence of both windows, weighted by
//!    the common properties of entries (addresses, else names, else destinations; contents), decides; the pairs of
//!    its first half are taken.
//!
//! Up to [`RECENT`] entries without a partner are kept, for as many pairs. If the other stream then has the same
//! entry without a partner, the entry has moved: this is not a difference if it commutes with all entries that it has
//! passed.

use super::step::{Mark, Step};
use std::collections::VecDeque;

/// Entries of each stream that are compared with each other.
pub const WINDOW: usize = 256;

/// Maximum number of kept entries without a partner, and number of pairs for which they are kept.
pub const RECENT: usize = 512;

/// Kind of correspondence of two aligned entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matched {
    /// One operation on the same addresses.
    Same,
    /// One operation on tiles or arguments of the same names, at other addresses.
    Elsewhere,
    /// Two operations with the same destinations.
    Replaced,
    /// One operation that another entry, on which it depends, precedes in one stream and follows in the other.
    Reordered,
}

/// A step of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aligned {
    /// Two entries correspond.
    Pair {
        /// The entry of the first log.
        a: Mark,
        /// The entry of the second log.
        b: Mark,
        /// Kind of the correspondence.
        matched: Matched,
        /// Whether both entries wrote the same bytes, by their hashes.
        equal: bool,
    },
    /// An entry of the first log has no partner.
    OnlyA(Mark),
    /// An entry of the second log has no partner.
    OnlyB(Mark),
}

/// Aligns two streams, each of one core, and passes every entry once to `see`, about in the order of the streams.
///
/// # Errors
/// The first error of a stream.
pub fn align<E>(
    a: impl Iterator<Item = Result<Step, E>>,
    b: impl Iterator<Item = Result<Step, E>>,
    see: impl FnMut(Aligned),
) -> Result<(), E> {
    let mut aligner = Aligner {
        a: Side { stream: a, ended: false, window: VecDeque::new(), lost: VecDeque::new() },
        b: Side { stream: b, ended: false, window: VecDeque::new(), lost: VecDeque::new() },
        pairs: 0,
        recent: VecDeque::new(),
        see,
    };
    aligner.run()
}

/// An entry of a window.
struct Pending {
    step: Step,
    /// Number of pairs when the entry was read.
    since: u64,
}

/// One of the streams.
struct Side<I> {
    stream: I,
    ended: bool,
    window: VecDeque<Pending>,
    /// Entries without a partner, with the number of pairs before them.
    lost: VecDeque<Pending>,
}

impl<E, I: Iterator<Item = Result<Step, E>>> Side<I> {
    fn fill(&mut self, pairs: u64) -> Result<(), E> {
        while !self.ended && self.window.len() < WINDOW {
            match self.stream.next() {
                Some(step) => self.window.push_back(Pending { step: step?, since: pairs }),
                None => self.ended = true,
            }
        }
        Ok(())
    }
}

impl<I> Side<I> {
    /// The entry of the window to which `step` may be moved, past entries that commute with it.
    fn reachable(&self, step: &Step) -> Option<usize> {
        for (at, pending) in self.window.iter().enumerate() {
            if pending.step.is_same(step) {
                return pending.step.wrote_same(step).then_some(at);
            }
            if !pending.step.commutes(step) {
                return None;
            }
        }
        None
    }

    /// Whether another entry than the first is the same operation as `step`, with the same contents.
    fn repeats(&self, step: &Step) -> bool {
        let mut others = self.window.iter().skip(1).map(|pending| &pending.step);
        others.any(|other| other.is_same(step) && other.wrote_same(step))
    }

    /// Whether the first entry of the window has been overtaken for so long that it has no partner.
    fn is_overdue(&self, pairs: u64) -> bool {
        self.window.front().is_some_and(|first| first.since + 3 * (WINDOW as u64) < pairs)
    }
}

struct Aligner<I, J, F> {
    a: Side<I>,
    b: Side<J>,
    pairs: u64,
    /// Entries of the last pairs.
    recent: VecDeque<Step>,
    see: F,
}

impl<E, I, J, F> Aligner<I, J, F>
where
    I: Iterator<Item = Result<Step, E>>,
    J: Iterator<Item = Result<Step, E>>,
    F: FnMut(Aligned),
{
    fn run(&mut self) -> Result<(), E> {
        loop {
            self.a.fill(self.pairs)?;
            self.b.fill(self.pairs)?;
            match (self.a.window.front(), self.b.window.front()) {
                (None, None) => break,
                (Some(_), None) => self.drop_a(),
                (None, Some(_)) => self.drop_b(),
                (Some(a), Some(b)) if a.step.is_same(&b.step) => match self.is_best(&a.step, &b.step) {
                    true => self.pair(0, 0),
                    false => self.resume(),
                },
                _ if self.a.is_overdue(self.pairs) => self.drop_a(),
                _ if self.b.is_overdue(self.pairs) => self.drop_b(),
                (Some(a), Some(b)) => match (self.b.reachable(&a.step), self.a.reachable(&b.step)) {
                    (Some(b), _) => self.pair(0, b),
                    (None, Some(a)) => self.pair(a, 0),
                    (None, None) => self.resume(),
                },
            }
        }
        self.forget(u64::MAX);
        Ok(())
    }
}

impl<I, J, F: FnMut(Aligned)> Aligner<I, J, F> {
    /// Whether the first entries, which are the same operation, have no better partners.
    fn is_best(&self, a: &Step, b: &Step) -> bool {
        a.wrote_same(b) || !(self.b.repeats(a) || self.a.repeats(b))
    }

    /// Aligns two entries of the windows.
    fn pair(&mut self, a: usize, b: usize) {
        let (Some(a), Some(b)) = (self.a.window.remove(a), self.b.window.remove(b)) else { return };
        let (a, b) = (a.step, b.step);
        let matched = match () {
            () if a.is_same(&b) => Matched::Same,
            () if a.is_replaced_by(&b) => Matched::Replaced,
            () => Matched::Elsewhere,
        };
        let equal = a.wrote_same(&b);
        (self.see)(Aligned::Pair { a: a.mark, b: b.mark, matched, equal });
        self.pairs += 1;
        self.recent.push_back(a);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        self.forget(self.pairs.saturating_sub(RECENT as u64));
    }

    /// Takes the first entry of the first window, which has no partner there.
    fn drop_a(&mut self) {
        let Some(pending) = self.a.window.pop_front() else { return };
        let lost = Pending { since: self.pairs, ..pending };
        let found = self.b.lost.iter().position(|other| self.moved(&lost, other).is_some());
        match found.and_then(|at| self.b.lost.remove(at)) {
            Some(other) => self.report_moved(&lost, &other),
            None => self.a.lost.push_back(lost),
        }
        if self.a.lost.len() > RECENT {
            self.lose_a();
        }
    }

    fn drop_b(&mut self) {
        let Some(pending) = self.b.window.pop_front() else { return };
        let lost = Pending { since: self.pairs, ..pending };
        let found = self.a.lost.iter().position(|other| self.moved(other, &lost).is_some());
        match found.and_then(|at| self.a.lost.remove(at)) {
            Some(other) => self.report_moved(&other, &lost),
            None => self.b.lost.push_back(lost),
        }
        if self.b.lost.len() > RECENT {
            self.lose_b();
        }
    }

    /// The correspondence of two entries with pairs between them. `None` if they depend on these pairs and wrote
    /// different contents, since they are different executions then.
    fn moved(&self, a: &Pending, b: &Pending) -> Option<Matched> {
        if !a.step.is_same(&b.step) {
            return None;
        }
        let passed = a.since.min(b.since)..a.since.max(b.since);
        let first = self.pairs - self.recent.len() as u64;
        let skipped = passed.start.saturating_sub(first) as usize;
        let count = (passed.end - passed.start) as usize;
        let commutes = self.recent.iter().skip(skipped).take(count).all(|step| step.commutes(&a.step));
        match commutes {
            true => Some(Matched::Same),
            false => a.step.wrote_same(&b.step).then_some(Matched::Reordered),
        }
    }

    /// Reports two entries between which pairs lie.
    fn report_moved(&mut self, a: &Pending, b: &Pending) {
        let Some(matched) = self.moved(a, b) else { return };
        let equal = a.step.wrote_same(&b.step);
        (self.see)(Aligned::Pair { a: a.step.mark, b: b.step.mark, matched, equal });
    }

    /// Reports the oldest entry of the first stream that has no partner.
    fn lose_a(&mut self) {
        let lost = self.a.lost.pop_front();
        lost.into_iter().for_each(|lost| (self.see)(Aligned::OnlyA(lost.step.mark)));
    }

    fn lose_b(&mut self) {
        let lost = self.b.lost.pop_front();
        lost.into_iter().for_each(|lost| (self.see)(Aligned::OnlyB(lost.step.mark)));
    }

    /// Reports entries without a partner from before a number of pairs.
    fn forget(&mut self, before: u64) {
        while self.a.lost.front().is_some_and(|lost| lost.since < before) {
            self.lose_a();
        }
        while self.b.lost.front().is_some_and(|lost| lost.since < before) {
            self.lose_b();
        }
    }

    /// Aligns the first halves of both windows by a weighted longest common subsequence; all of them if both streams end
    /// there.
    fn resume(&mut self) {
        let path = best_path(&self.a.window, &self.b.window);
        let ended = self.a.ended && self.b.ended;
        let most = |length: usize| if ended { length } else { length.div_ceil(2) };
        let (most_a, most_b) = (most(self.a.window.len()), most(self.b.window.len()));
        let (mut taken_a, mut taken_b) = (0, 0);
        for &(a, b) in path.iter().take_while(|(a, b)| *a < most_a && *b < most_b) {
            (taken_a..a).for_each(|_| self.drop_a());
            (taken_b..b).for_each(|_| self.drop_b());
            self.pair(0, 0);
            (taken_a, taken_b) = (a + 1, b + 1);
        }
        if (taken_a, taken_b) == (0, 0) {
            // The first pair lies beyond one of the halves: only entries before it have no partner.
            let (a, b) = path.first().map_or((most_a, most_b), |(a, b)| (most_a.min(*a), most_b.min(*b)));
            (0..a).for_each(|_| self.drop_a());
            (0..b).for_each(|_| self.drop_b());
        }
    }
}

/// The pairs of the common subsequence of two windows with the greatest sum of likenesses.
fn best_path(a: &VecDeque<Pending>, b: &VecDeque<Pending>) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // `best[i * width + j]`: the greatest sum of the rests from `i` and `j` on.
    let mut best = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let skip = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let alike = a[i].step.likeness(&b[j].step);
            let both = if alike > 0 { best[(i + 1) * width + j + 1] + alike } else { 0 };
            best[i * width + j] = skip.max(both);
        }
    }
    let (mut i, mut j, mut path) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let alike = a[i].step.likeness(&b[j].step);
        let here = best[i * width + j];
        if alike > 0 && here == best[(i + 1) * width + j + 1] + alike {
            path.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    path
}
