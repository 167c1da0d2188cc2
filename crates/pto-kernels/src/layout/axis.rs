//! Traversal of a row or a column of a placement without a division per step.

/// Byte offsets of elements 0, 1, ... along one axis, in boxes of `side` elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) side: usize,
    /// Bytes from one box to the next.
    pub(crate) of_boxes: usize,
    /// Bytes from one element to the next inside a box.
    pub(crate) inside: usize,
}

impl Axis {
    /// The largest byte offset of the first `count` elements, `count` at least 1; `usize::MAX` if it overflows.
    pub(crate) fn farthest(&self, count: usize) -> usize {
        let last = count - 1;
        if last < self.side {
            return last.saturating_mul(self.inside);
        }
        let place = |boxes: usize, index: usize| {
            boxes.saturating_mul(self.of_boxes).saturating_add(index.saturating_mul(self.inside))
        };
        // A shift if possible: a division takes as long as some products of small tiles.
        let boxes =
            if self.side.is_power_of_two() { last >> self.side.trailing_zeros() } else { last / self.side };
        place(boxes, last - boxes * self.side).max(place(boxes - 1, self.side - 1))
    }

    /// Whether each aligned group of `count` elements, a power of two, is in one box.
    pub(crate) fn unbroken(&self, count: usize) -> bool {
        self.side == usize::MAX || self.side & (count - 1) == 0
    }

    pub(crate) fn cursor(&self) -> Cursor {
        Cursor { axis: *self, start: 0, index: 0 }
    }
}

/// Position of an element on an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    axis: Axis,
    /// Byte offset of the start of its box, and its index in the box.
    start: usize,
    index: usize,
}

impl Cursor {
    /// Byte offset of the element.
    pub(crate) fn place(&self) -> usize {
        self.start + self.index * self.axis.inside
    }

    /// Elements from this one to the end of its box.
    pub(crate) fn rest(&self) -> usize {
        self.axis.side - self.index
    }

    /// Advances by `count` elements.
    pub(crate) fn advance(&mut self, count: usize) {
        self.index += count;
        while self.index >= self.axis.side {
            self.index -= self.axis.side;
            self.start += self.axis.of_boxes;
        }
    }

    /// The position `count` elements further.
    pub(crate) fn after(mut self, count: usize) -> Cursor {
        self.advance(count);
        self
    }
}
