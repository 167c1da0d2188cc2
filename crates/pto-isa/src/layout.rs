//! The six layouts of a tile's elements, and the offset of each element.
//!
//! The first letter is the order of the boxes (N: column-major, Z: row-major), the second the order inside a box
//! (z: row-major, n: column-major). ND and DN have no boxes. Source: `docs/isa/cube/nz-fractal-layout.md`.

use super::element::Element;
use super::tile::{BLayout, SLayout, TileType};
use crate::matrix::Position;
#[cfg(feature = "run")]
use pto_kernels::Placement;

/// The name of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayoutName {
    /// Row-major, without boxes.
    Nd,
    /// Column-major, without boxes.
    Dn,
    /// Column-major boxes, row-major elements.
    Nz,
    /// Row-major boxes, column-major elements.
    Zn,
    /// Row-major boxes, row-major elements.
    Zz,
    /// Column-major boxes, column-major elements.
    Nn,
}

impl LayoutName {
    /// The manual's name.
    pub fn word(self) -> &'static str {
        match self {
            LayoutName::Nd => "ND",
            LayoutName::Dn => "DN",
            LayoutName::Nz => "NZ",
            LayoutName::Zn => "ZN",
            LayoutName::Zz => "ZZ",
            LayoutName::Nn => "NN",
        }
    }
}

impl LayoutName {
    /// Whether elements of a row are contiguous (within a box, if there are boxes); else elements of a column are.
    pub fn is_by_rows(self) -> bool {
        matches!(self, LayoutName::Nd | LayoutName::Nz | LayoutName::Zz)
    }
}

/// A tile's layout: name, stored shape and box shape, all in elements.
///
/// The stored shape is the declared one, except for compact left and right tiles whose valid region is part of the
/// type: they store the boxes with valid elements (`include/pto/npu/a5/TExtract.hpp`: strides and size of such a
/// tile are those of its valid region). If the valid region is known only at run time, they store the declared
/// shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name of the layout.
    pub name: LayoutName,
    /// Stored rows.
    pub rows: usize,
    /// Stored columns.
    pub cols: usize,
    /// Rows of one box; 1 without boxes.
    pub box_rows: usize,
    /// Columns of one box; 1 without boxes.
    pub box_cols: usize,
}

/// Elements per 32 bytes, the hardware's C0.
pub fn c0(element: Element) -> u32 {
    256 / element.bits()
}

impl Layout {
    /// The layout of a tile type.
    pub fn of(tile: &TileType) -> Layout {
        let name = match (tile.blayout, tile.slayout) {
            (BLayout::RowMajor, SLayout::NoneBox) => LayoutName::Nd,
            (BLayout::ColMajor, SLayout::NoneBox) => LayoutName::Dn,
            (BLayout::ColMajor, SLayout::RowMajor) => LayoutName::Nz,
            (BLayout::RowMajor, SLayout::ColMajor) => LayoutName::Zn,
            (BLayout::RowMajor, SLayout::RowMajor) => LayoutName::Zz,
            (BLayout::ColMajor, SLayout::ColMajor) => LayoutName::Nn,
        };
        let wide = c0(tile.element) as usize;
        let (long, short) = match tile.fractal {
            1024 => (16, 16),
            32 => (16, 2),
            _ => (16, wide),
        };
        let (box_rows, box_cols) = match tile.slayout {
            SLayout::NoneBox => (1, 1),
            SLayout::RowMajor => (long, short),
            SLayout::ColMajor => (short, long),
        };
        let (rows, cols) = (tile.rows as usize, tile.cols as usize);
        let declared = Layout { name, rows, cols, box_rows, box_cols };
        match (tile.is_compact(), tile.valid_rows, tile.valid_cols) {
            (true, Some(rows), Some(cols)) => {
                let boxes = |valid: u32, unit: usize| (valid.max(1) as usize).next_multiple_of(unit);
                Layout { rows: boxes(rows, box_rows), cols: boxes(cols, box_cols), ..declared }
            }
            _ => declared,
        }
    }

    /// Offset of element (`row`, `col`) from the tile's start, in elements.
    ///
    /// The manual's formulas: with `ir x ic` boxes, `br = row / ir`, `bc = col / ic`.
    pub fn offset(&self, row: usize, col: usize) -> usize {
        // Avoids slow divisions: most tiles have no boxes.
        match self.name {
            LayoutName::Nd => return row * self.cols + col,
            LayoutName::Dn => return col * self.rows + row,
            _ => {}
        }
        let (ir, ic) = (self.box_rows, self.box_cols);
        let (br, rr, bc, cc) = (row / ir, row % ir, col / ic, col % ic);
        match self.name {
            LayoutName::Nd | LayoutName::Dn => 0,
            LayoutName::Nz => bc * self.rows * ic + br * ir * ic + rr * ic + cc,
            LayoutName::Zn => br * self.cols * ir + bc * ir * ic + cc * ir + rr,
            LayoutName::Zz => br * self.cols * ir + bc * ir * ic + rr * ic + cc,
            LayoutName::Nn => bc * self.rows * ic + br * ir * ic + cc * ir + rr,
        }
    }

    /// Values per element down a column and along a row; the two values of a pair are adjacent in the contiguous
    /// direction.
    pub fn values(&self, element: Element) -> [usize; 2] {
        if self.name.is_by_rows() { [1, element.values()] } else { [element.values(), 1] }
    }

    /// The layout counted in values: declared shape and boxes in values, not elements.
    pub fn of_values(&self, element: Element) -> Layout {
        let [down, along] = self.values(element);
        let boxed =
            |extent: usize, times: usize| if self.box_rows * self.box_cols == 1 { 1 } else { extent * times };
        Layout {
            name: self.name,
            rows: self.rows * down,
            cols: self.cols * along,
            box_rows: boxed(self.box_rows, down),
            box_cols: boxed(self.box_cols, along),
        }
    }

    /// The stride between rows in elements, if it is constant over a whole column.
    pub fn step_down(&self) -> Option<usize> {
        match self.name {
            LayoutName::Nd => Some(self.cols),
            LayoutName::Dn => Some(1),
            LayoutName::Nz => Some(self.box_cols),
            LayoutName::Zn | LayoutName::Zz | LayoutName::Nn => None,
        }
    }

    /// Row and column of the element at an offset in elements from the tile's start: the inverse of
    /// [`Layout::offset`]. Offsets beyond the tile's end give rows or columns beyond its shape.
    pub fn place(&self, offset: usize) -> Position {
        let (ir, ic) = (self.box_rows, self.box_cols);
        let (band, wide, tall) = (ir * ic, self.cols * ir, self.rows * ic);
        let (row, col) = match self.name {
            LayoutName::Nd => (offset / self.cols, offset % self.cols),
            LayoutName::Dn => (offset % self.rows, offset / self.rows),
            LayoutName::Nz => (offset % tall / ic, offset / tall * ic + offset % ic),
            LayoutName::Zn => (offset / wide * ir + offset % ir, offset % wide / ir),
            LayoutName::Zz => {
                let (boxes, inner) = (offset % wide / band, offset % band);
                (offset / wide * ir + inner / ic, boxes * ic + inner % ic)
            }
            LayoutName::Nn => {
                let (boxes, inner) = (offset % tall / band, offset % band);
                (boxes * ir + inner % ir, offset / tall * ic + inner / ir)
            }
        };
        Position { row, col }
    }

    /// The layout as strides for the kernels, for a tile at byte `address`.
    #[cfg(feature = "run")]
    pub fn placement(&self, address: usize) -> Placement {
        let (ir, ic) = (self.box_rows, self.box_cols);
        let area = ir * ic;
        let (row_of_boxes, col_of_boxes, row, col) = match self.name {
            LayoutName::Nd => return Placement::rows(address, self.cols),
            LayoutName::Dn => return Placement::columns(address, self.rows),
            LayoutName::Nz => (area, self.rows * ic, ic, 1),
            LayoutName::Zn => (self.cols * ir, area, 1, ir),
            LayoutName::Zz => (self.cols * ir, area, ic, 1),
            LayoutName::Nn => (area, self.rows * ic, 1, ir),
        };
        Placement { offset: address, box_rows: ir, box_cols: ic, row_of_boxes, col_of_boxes, row, col }
    }
}
