//! Subtiles: windows of tiles, and copies between them.

#[cfg(feature = "run")]
use {
    crate::exec::state::Tile,
    crate::layout::{Layout, LayoutName},
    crate::matrix::Position,
    pto_kernels::{Placement, copy_matrix, copy_rows},
};

/// The part of a tile that starts at an element.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "run")]
pub(super) struct SubTile {
    layout: Layout,
    address: usize,
    bits: usize,
    window: Position,
}

#[cfg(feature = "run")]
impl SubTile {
    /// The subtile of a tile at byte `address` that starts at `window`.
    pub(super) fn new(tile: &Tile, address: usize, window: Position) -> SubTile {
        SubTile { layout: tile.layout, address, bits: tile.ty.element.bits() as usize, window }
    }

    /// A row-major matrix of `cols` columns without boxes.
    pub(super) fn plain(address: usize, rows: usize, cols: usize, bits: u32) -> SubTile {
        let layout = Layout { name: LayoutName::Nd, rows, cols, box_rows: 1, box_cols: 1 };
        SubTile { layout, address, bits: bits as usize, window: Position::default() }
    }

    /// The address of the first byte and the row stride in bytes; `None` if rows are not contiguous.
    fn lines(&self) -> Option<(usize, usize)> {
        if self.layout.name != LayoutName::Nd {
            return None;
        }
        Some(lines(&self.layout, self.address, self.window, self.bits / 8))
    }

    fn starts_at_box(&self) -> bool {
        self.is_start(self.window.row, self.window.col)
    }

    /// Whether an element of the tile is the first element of a box.
    fn is_start(&self, row: usize, col: usize) -> bool {
        let Layout { box_rows, box_cols, .. } = self.layout;
        // Avoids slow divisions: most tiles have no boxes.
        (box_rows == 1 || row.is_multiple_of(box_rows)) && (box_cols == 1 || col.is_multiple_of(box_cols))
    }

    /// The placement from (`row`, `col`) of the window: of all boxes if that element starts a box, else of one
    /// box.
    fn placement(&self, row: usize, col: usize) -> Placement {
        let (row, col) = (self.window.row + row, self.window.col + col);
        let whole = self.layout.placement(self.address);
        let offset = self.address + self.layout.offset(row, col) * self.bits / 8;
        let starts = self.is_start(row, col);
        if starts { Placement { offset, ..whole } } else { Placement::strided(offset, whole.row, whole.col) }
    }

    /// Rows and columns from (`row`, `col`) of the window to the end of its box.
    fn rest(&self, row: usize, col: usize) -> (usize, usize) {
        let unit = |size: usize, at: usize| if size == 1 { usize::MAX } else { size - at % size };
        (unit(self.layout.box_rows, self.window.row + row), unit(self.layout.box_cols, self.window.col + col))
    }
}

/// The address of a window's first byte and the row stride in bytes, if elements of `width` bytes are row-major.
#[inline]
#[cfg(feature = "run")]
pub(super) fn lines(
    layout: &Layout,
    address: usize,
    Position { row, col }: Position,
    width: usize,
) -> (usize, usize) {
    (address + (row * layout.cols + col) * width, layout.cols * width)
}

/// Copies `rows` x `cols` elements from one subtile to another.
#[cfg(feature = "run")]
pub(super) fn copy_subtile(memory: &mut [u8], dst: &SubTile, src: &SubTile, rows: usize, cols: usize) {
    let bits = src.bits as u32;
    if let (Some(to), Some(from)) = (dst.lines(), src.lines()) {
        return copy_rows(memory, to, from, rows, cols * src.bits / 8);
    }
    if dst.starts_at_box() && src.starts_at_box() {
        return copy_matrix(memory, &dst.placement(0, 0), &src.placement(0, 0), rows, cols, bits);
    }
    let mut row = 0;
    while row < rows {
        let height = dst.rest(row, 0).0.min(src.rest(row, 0).0).min(rows - row);
        let mut col = 0;
        while col < cols {
            let width = dst.rest(row, col).1.min(src.rest(row, col).1).min(cols - col);
            copy_matrix(memory, &dst.placement(row, col), &src.placement(row, col), height, width, bits);
            col += width;
        }
        row += height;
    }
}
