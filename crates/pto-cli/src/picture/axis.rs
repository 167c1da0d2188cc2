//! The pieces along one side of a layout that are drawn: all of them, or the first and the last with an ellipsis.

/// Pieces drawn at the end of a side with an ellipsis.
const TAIL: usize = 3;

/// One side of a picture of a layout; a slot is the place of a piece or of the ellipsis.
pub(super) struct Axis {
    /// Pieces of the tile.
    count: usize,
    /// Pieces drawn from the first on.
    head: usize,
    /// Pieces drawn up to the last, after the ellipsis; 0 if there is none.
    tail: usize,
}

impl Axis {
    /// A side of `count` pieces, of which at most `limit` slots are drawn.
    pub(super) fn of(count: usize, limit: usize) -> Axis {
        if count <= limit {
            return Axis { count, head: count, tail: 0 };
        }
        Axis { count, head: limit.saturating_sub(TAIL + 1), tail: TAIL.min(count) }
    }

    /// The slot of the ellipsis, if there is one.
    pub(super) fn gap(&self) -> Option<usize> {
        (self.tail > 0).then_some(self.head)
    }

    /// Number of slots.
    pub(super) fn slots(&self) -> usize {
        self.head + if self.tail > 0 { 1 + self.tail } else { 0 }
    }

    /// Slot and piece of everything that is drawn.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + Clone + use<> {
        let (head, last) = (self.head, self.count - self.tail);
        (0..head).map(|piece| (piece, piece)).chain((0..self.tail).map(move |at| (head + 1 + at, last + at)))
    }

    /// Pixels from the first piece to the end of `extent` elements, with `unit` elements and `size` pixels for a piece;
    /// after the ellipsis for extents that end in it.
    pub(super) fn edge(&self, extent: usize, unit: usize, size: i32) -> i32 {
        let (piece, rest) = (extent / unit, extent % unit);
        let at = |slot: usize| slot as i32 * size + (rest * size as usize / unit) as i32;
        match piece {
            piece if piece < self.head || piece == self.head && rest == 0 => at(piece),
            piece if piece >= self.count => self.slots() as i32 * size,
            piece if piece < self.count - self.tail => self.head as i32 * size + size * 5 / 6,
            piece => at(self.head + 1 + piece - (self.count - self.tail)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_pieces_are_drawn() {
        let axis = Axis::of(40, 8);
        let pieces: Vec<_> = axis.pieces().collect();
        assert_eq!(pieces, [(0, 0), (1, 1), (2, 2), (3, 3), (5, 37), (6, 38), (7, 39)]);
        assert_eq!((axis.gap(), axis.slots()), (Some(4), 8));
        assert_eq!([0, 4, 20, 37, 39, 40].map(|extent| axis.edge(extent, 1, 10)), [0, 40, 48, 50, 70, 80]);
        let whole = Axis::of(8, 8);
        assert_eq!((whole.gap(), whole.slots(), whole.edge(12, 2, 10)), (None, 8, 60));
    }
}
