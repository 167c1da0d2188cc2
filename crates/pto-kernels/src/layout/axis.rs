//! Going along a row or a column of a placement without a division for each step.

/// The places of elements 0, 1, ... along one axis, in bytes: boxes of `side` elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) side: usize,
    /// From a box to the next.
    pub(crate) of_boxes: usize,
    /// From an element to the next inside a box.
    pub(crate) inside: usize,
}

impl Axis {
    /// The farthest place of `count` elements, at least 1; `usize::MAX` if it is beyond all memory.
    pub(crate) fn farthest(&self, count: usize) -> usize {
        let last = count - 1;
        if last < self.side {
            return last.saturating_mul(self.inside);
        }
        let place = |boxes: usize, index: usize| {
            boxes.saturating_mul(self.of_boxes).saturating_add(index.saturating_mul(self.inside))
        };
        // A shift where it can be: a division takes as long as some products of small tiles.
        let boxes =
            if self.side.is_power_of_two() { last >> self.side.trailing_zeros() } else { last / self.side };
        place(boxes, last - boxes * self.side).max(place(boxes - 1, self.side - 1))
    }

    /// Whether `count` elements, a power of two, from each multiple of `count` share a box.
    pub(crate) fn unbroken(&self, count: usize) -> bool {
        self.side == usize::MAX || self.side & (count - 1) == 0
    }

    pub(crate) fn cursor(&self) -> Cursor {
        Cursor { axis: *self, start: 0, index: 0 }
    }
}

/// An element of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    axis: Axis,
    /// Where its box starts, and its index there.
    start: usize,
    index: usize,
}

impl Cursor {
    /// Its place.
    pub(crate) fn place(&self) -> usize {
        self.start + self.index * self.axis.inside
    }

    /// Elements from this one to the end of its box.
    pub(crate) fn rest(&self) -> usize {
        self.axis.side - self.index
    }

    /// Goes to the element `count` further.
    pub(crate) fn advance(&mut self, count: usize) {
        self.index += count;
        while self.index >= self.axis.side {
            self.index -= self.axis.side;
            self.start += self.axis.of_boxes;
        }
    }

    /// The element `count` further.
    pub(crate) fn after(mut self, count: usize) -> Cursor {
        self.advance(count);
        self
    }
}
