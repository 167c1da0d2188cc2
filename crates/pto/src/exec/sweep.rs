//! From which end large tiles are gone through.
//!
//! An instruction that has read and written more than fits the first cache leaves the parts that it touched last in there,
//! and the next one of a chain reads just those tiles: it begins where the last one ended. So instructions take parts of
//! large tiles from first to last and from last to first in turn. What they compute does not depend on it: a source lies
//! where the destination does, or shares no byte with it ([`settle`](super::state::State::settle)).

use super::state::State;
use std::ops::Range;

/// Elements of a part: large enough that finding its place does not count, and three operands of 32 bits fit a cache of
/// 32 KB.
const PART: usize = 2048;

/// Whether the next large instruction goes from the last part to the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sweep {
    backward: bool,
}

impl Sweep {
    /// The parts of `count` things of `each` elements, in their order: all in one if they are few.
    #[inline]
    pub(crate) fn parts(&mut self, count: usize, each: usize) -> Parts {
        if is_small(count, each) {
            return Parts { count, size: count, left: usize::from(count > 0), done: 0, backward: false };
        }
        let size = (PART / each).max(1);
        let backward = self.backward;
        self.backward = !backward;
        Parts { count, size, left: count.div_ceil(size), done: 0, backward }
    }

    /// Calls `body` for each of these parts, or for all at once if they are few.
    #[inline(always)]
    pub(crate) fn try_each<E>(
        &mut self,
        count: usize,
        each: usize,
        mut body: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        if is_small(count, each) { body(0..count) } else { self.try_each_part(count, each, body) }
    }

    /// Goes through parts where there are many: out of the way of the case of few.
    #[inline(never)]
    fn try_each_part<E>(
        &mut self,
        count: usize,
        each: usize,
        body: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.parts(count, each).try_for_each(body)
    }
}

/// Whether so many things are a single part.
#[inline]
fn is_small(count: usize, each: usize) -> bool {
    count * each <= 2 * PART
}

impl State<'_> {
    /// Calls `body` for parts of `rows` rows of `cols` elements, in their order: for all at once if they are few.
    #[inline(always)]
    pub(crate) fn sweep(&mut self, rows: usize, cols: usize, mut body: impl FnMut(&mut Self, Range<usize>)) {
        if is_small(rows, cols) { body(self, 0..rows) } else { self.sweep_parts(rows, cols, body) }
    }

    /// Goes through the parts of a matrix where there are many: out of the way of the case of few.
    #[inline(never)]
    fn sweep_parts(&mut self, rows: usize, cols: usize, mut body: impl FnMut(&mut Self, Range<usize>)) {
        self.sweep.parts(rows, cols).for_each(|part| body(self, part));
    }
}

/// See [`Sweep::parts`].
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    count: usize,
    size: usize,
    left: usize,
    done: usize,
    backward: bool,
}

impl Iterator for Parts {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        self.left = self.left.checked_sub(1)?;
        let part = if self.backward { self.left } else { self.done };
        self.done += 1;
        let start = part * self.size;
        Some(start..self.count.min(start + self.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every thing is in one part, in either direction, and large instructions alone change the direction.
    #[test]
    fn parts_cover_everything_once_and_in_turn() {
        for (count, each) in
            [(0, 5), (1, 1), (4096, 1), (4097, 1), (8192, 1), (64, 128), (3, 10_000), (33, 127)]
        {
            let mut sweep = Sweep::default();
            let forward: Vec<_> = sweep.parts(count, each).collect();
            let is_large = count * each > 2 * PART;
            assert_eq!(sweep.backward, is_large, "{count} of {each}");
            assert_eq!(forward.iter().cloned().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            let mut second: Vec<_> = sweep.parts(count, each).collect();
            assert!(!sweep.backward);
            if is_large {
                assert_ne!(forward.first(), second.first());
                second.reverse();
            }
            assert_eq!(forward, second, "{count} of {each}");
        }
    }
}
