//! Positions and sizes within a matrix: a tile, a region of one, or a view as a matrix.

/// Size of a matrix or of a region: in elements, or in values where a function states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
}

impl Size {
    /// Number of elements.
    pub fn elements(self) -> usize {
        self.rows * self.cols
    }

    /// The rows and columns that two matrices have in common if they start at the same element.
    pub fn common(self, other: Size) -> Size {
        Size { rows: self.rows.min(other.rows), cols: self.cols.min(other.cols) }
    }

    /// Whether the number of elements is 0.
    pub fn is_empty(self) -> bool {
        self.rows == 0 || self.cols == 0
    }
}

/// The position of an element in a matrix, both numbers from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Row.
    pub row: usize,
    /// Column.
    pub col: usize,
}
