//! Direction of iteration over large tiles.
//!
//! If an instruction accesses more bytes than fit L1, L1 holds the parts that it accessed last. The next instruction of a
//! chain reads the same tiles, so it begins with those parts: successive instructions alternate between first-to-last and
//! last-to-first order. Results do not depend on the direction: a source has the address of the destination, or shares no
//! byte with it ([`unalias`](super::state::State::unalias)).

use super::state::State;
use std::ops::Range;

/// Elements of a part: large enough to amortize address computation, small enough that three operands of 32 bits fit an
/// L1 cache of 32 KB.
const PART: usize = 2048;

/// Whether the next large instruction goes from the last part to the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direction {
    backward: bool,
}

impl Direction {
    /// The parts of `count` rows of `each` elements, in the current direction; a single part if they are few.
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

    /// The case of several parts, not inlined.
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

/// Whether `count` rows of `each` elements are a single part.
#[inline]
fn is_small(count: usize, each: usize) -> bool {
    count * each <= 2 * PART
}

impl State<'_> {
    /// Calls `body` for parts of `rows` rows of `cols` elements, in the current direction; once if they are few.
    #[inline(always)]
    pub(crate) fn by_parts(
        &mut self,
        rows: usize,
        cols: usize,
        mut body: impl FnMut(&mut Self, Range<usize>),
    ) {
        if is_small(rows, cols) { body(self, 0..rows) } else { self.by_many_parts(rows, cols, body) }
    }

    /// The case of several parts of a matrix, not inlined.
    #[inline(never)]
    fn by_many_parts(&mut self, rows: usize, cols: usize, mut body: impl FnMut(&mut Self, Range<usize>)) {
        self.direction.parts(rows, cols).for_each(|part| body(self, part));
    }
}

/// See [`Direction::parts`].
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
            let mut direction = Direction::default();
            let forward: Vec<_> = direction.parts(count, each).collect();
            let is_large = count * each > 2 * PART;
            assert_eq!(direction.backward, is_large, "{count} of {each}");
            assert_eq!(forward.iter().cloned().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            let mut second: Vec<_> = direction.parts(count, each).collect();
            assert!(!direction.backward);
            if is_large {
                assert_ne!(forward.first(), second.first());
                second.reverse();
            }
            assert_eq!(forward, second, "{count} of {each}");
        }
    }
}
