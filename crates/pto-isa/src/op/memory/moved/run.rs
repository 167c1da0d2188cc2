//! The elements that a transfer moves in a run.

use super::{EXTENT, Known, Side, Transfer};
use crate::element::Element;
use crate::exec::overlay::Area;
use crate::exec::state::{Fault, State, Tile, View};
use crate::layout::{Layout, LayoutName, c0};
use crate::matrix::Size;
use crate::op::memory::feature_map;
use crate::op::memory::paths::{Count, Lines, Path};
use crate::op::memory::window::{Dimensions, Piece, Window};
use crate::op::site::GlobalLayout;
use std::ops::Range;

/// The elements that one run of a transfer moves.
pub(in crate::op::memory) struct Moved {
    /// The view, with the extents and strides that the device uses.
    pub(in crate::op::memory) window: Window,
    /// Rows and columns of the moved elements.
    pub(in crate::op::memory) size: Size,
    /// Rows and columns of the tile that are written: the moved elements and the padding after them.
    pub(in crate::op::memory) padded: Size,
    /// Elements from one line of the tile to the next within one matrix of the view, if that is not the tile's own distance.
    pub(in crate::op::memory) pitch: Option<usize>,
    /// Whether lines overlap, in memory or in the tile, so that their order matters.
    pub(in crate::op::memory) overlaps: bool,
    /// The extents, if this is not the logical transfer.
    differs: Option<Known>,
}

impl Transfer {
    /// The layout of the view.
    pub(in crate::op::memory) fn layout(&self) -> GlobalLayout {
        self.layout
    }

    /// Whether the transfer writes no padding.
    pub(in crate::op::memory) fn pads_nothing(&self) -> bool {
        self.pads.is_none()
    }

    /// Whether a transfer whose view and valid region are as given moves just the valid region, by the strides of view and tile.
    pub(in crate::op::memory) fn is_logical(&self, view: (u64, u64), valid: Size) -> bool {
        match self.path {
            None => view.0 >= valid.rows as u64 && view.1 >= valid.cols as u64,
            Some(_) => view == (valid.rows as u64, valid.cols as u64) && !self.is_peculiar(),
        }
    }

    /// The elements that are moved, given the valid rows and columns of the tile and the layout of its elements.
    ///
    /// # Errors
    /// If the device cannot move it, or on `cpu` if the view is smaller than the valid region.
    pub(in crate::op::memory) fn moved(
        &self,
        view: &View,
        valid: Size,
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let moved = self.unpadded(view, valid, layout)?;
        let up =
            |count: usize, unit: u32, most: u32| count.next_multiple_of(unit as usize).min(most as usize);
        let padded = match self.pads {
            Some((Side::Rows, unit)) => Size { rows: up(moved.size.rows, unit, self.ty.rows), ..moved.size },
            Some((Side::Cols, unit)) => Size { cols: up(moved.size.cols, unit, self.ty.cols), ..moved.size },
            None => moved.size,
        };
        Ok(Moved { padded, ..moved })
    }

    fn unpadded(&self, view: &View, valid: Size, layout: &Layout) -> Result<Moved, Fault> {
        let window = Window::of(view, self.layout);
        let have = window.extent();
        let logical = Moved::logical(window, valid);
        if self.layout.is_of_convolutions() && !valid.is_empty() {
            let Dimensions { shape, strides } = Window::rows(view).dimensions();
            if let Some(why) = feature_map::obstacle(self.layout, shape.map(Some), strides.map(Some)) {
                return Err(Fault::Broken(&feature_map::POINTS, why));
            }
        }
        let is_logical = self.is_logical(have, valid);
        let Some(path) = self.path else {
            return if is_logical { Ok(logical) } else { Err(Fault::Rule) };
        };
        if valid.is_empty() || is_logical && !path.single {
            return Ok(logical);
        }
        let Dimensions { shape, strides } = window.dimensions();
        let known = Known {
            shape: shape.map(Some),
            strides: strides.map(Some),
            view: [Some(have.0), Some(have.1)],
            valid: [Some(valid.rows as u64), Some(valid.cols as u64)],
        };
        if let Some(why) = self.obstacle(&known) {
            return Err(Fault::Broken(&EXTENT, why));
        }
        let [rows, cols] = known.taken(path).map(|count| count.unwrap_or(0) as usize);
        let taken = Size { rows, cols };
        let moved = self.by_path(path, window, &known, taken, layout)?;
        let same = have == (valid.rows as u64, valid.cols as u64) && moved.is_like(&window, taken);
        Ok(Moved { differs: (!same).then_some(known), ..moved })
    }

    /// The rows and columns that a path moves, with its line distances.
    fn by_path(
        &self,
        path: &Path,
        window: Window,
        known: &Known,
        taken: Size,
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let broken = |why: &str| Err(Fault::Broken(&EXTENT, why.to_owned()));
        let mut dimensions = window.dimensions();
        let across = path.across();
        if let Some(distance) = self.distance(known) {
            dimensions.strides[across] = distance;
        }
        let mut moved = Moved::logical(window, taken);
        let length = match path.matrix {
            GlobalLayout::Nd | GlobalLayout::Dn => self.lines(path, &mut moved, &mut dimensions, layout),
            _ => boxes(path, taken, &mut dimensions),
        };
        if dimensions.strides.iter().any(|stride| *stride < 0) {
            return broken("the lines of the view overlap, and are longer than the valid region");
        }
        moved.overlaps =
            dimensions.strides[across] < length || moved.pitch.is_some_and(|pitch| (pitch as i64) < length);
        moved.window = window.reshaped(dimensions, moved.size);
        let last = moved.offset(layout, moved.size.rows.saturating_sub(1), moved.size.cols.saturating_sub(1));
        if moved.pitch.is_some() && last >= self.ty.elements() {
            return broken("the device moves elements behind the end of the tile");
        }
        Ok(moved)
    }

    /// Gives rows of ND, or columns of DN, the length and the distances of a path; returns the length.
    fn lines(&self, path: &Path, moved: &mut Moved, dimensions: &mut Dimensions, layout: &Layout) -> i64 {
        let Dimensions { shape, strides } = dimensions;
        let by_rows = path.matrix == GlobalLayout::Nd;
        let along = if by_rows { 4 } else { 3 };
        let (line, number, counted_by) = if by_rows {
            (&mut moved.size.cols, moved.size.rows, path.rows)
        } else {
            (&mut moved.size.rows, moved.size.cols, path.cols)
        };
        let own = if by_rows { layout.cols } else { layout.rows };
        let length = self.counted(path, *line as i64);
        let pitch = match path.lines {
            Lines::PackedBlocks => Some(length + self.counted(path, own as i64 - *line as i64)),
            // A column is padded to whole blocks, and so is the gap after it.
            Lines::Packed if !by_rows && length != shape[along] as i64 => {
                let unit = i64::from(c0(self.ty.element));
                let gap = (own as i64).saturating_sub(shape[along] as i64).div_euclid(unit);
                let whole = (length as usize).next_multiple_of(unit as usize) as i64;
                Some(whole.saturating_add(gap.saturating_mul(unit)))
            }
            _ => None,
        };
        *line = length as usize;
        shape[along] = length as u64;
        if counted_by == Count::Valid {
            shape[path.across()] = number as u64;
        }
        if !by_rows && self.ignores_rows {
            strides[along] = 1;
        }
        moved.pitch = pitch.map(|pitch| pitch.max(0) as usize).filter(|pitch| *pitch != own);
        length
    }

    /// Calls `each` for the runs of bytes in the buffer whose byte `start` is the first of the view; `element` is the view's element type,
    /// `valid` the valid region of the tile. Without a call if the device cannot move the elements.
    pub fn view_runs(
        &self,
        view: &View,
        start: u64,
        element: Element,
        tile: &Tile,
        valid: Size,
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        if moved.window.is_addressable() {
            moved.pieces(start, element, |piece| piece.area(element).runs(&mut each));
        }
    }

    /// Calls `each` for the runs of bytes of the tile at byte `address`, its padding included, in its first `most` elements; `valid` is its
    /// valid region. Without a call if the device cannot move the elements.
    pub fn tile_runs(
        &self,
        view: &View,
        tile: &Tile,
        address: usize,
        valid: Size,
        most: Size,
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        let element = tile.ty.element;
        if moved.pitch.is_none() {
            let placement = tile.layout.placement(address);
            let Size { rows, cols } = moved.padded.common(most);
            return Area { placement, rows, cols, bits: element.bits() }.runs(each);
        }
        let inner = moved.layout(&tile.layout);
        moved.pieces(0, element, |piece| {
            let start = address + element.bytes(tile.layout.offset(piece.row, piece.col));
            let placement = inner.placement(start);
            let rows = piece.rows.min(most.rows.saturating_sub(piece.row));
            let cols = piece.cols.min(most.cols.saturating_sub(piece.col));
            Area { placement, rows, cols, bits: element.bits() }.runs(&mut each);
        });
    }
}

/// Gives boxes of NZ the extents and strides of a path; returns the elements of a block column.
fn boxes(path: &Path, size: Size, dimensions: &mut Dimensions) -> i64 {
    let Dimensions { shape, strides } = dimensions;
    let [box_rows, box_cols] = [shape[3], shape[4]].map(|extent| (extent as usize).max(1));
    let [s3, s4] = [shape[3] as i64, shape[4] as i64];
    if path.lines == Lines::Dense {
        *strides = [0, strides[1], s3.saturating_mul(s4), s4, 1];
    }
    if path.cols == Count::Valid {
        [shape[0], shape[1]] = [1, size.cols.div_ceil(box_cols) as u64];
    }
    shape[2] = size.rows.div_ceil(box_rows) as u64;
    (size.rows as i64).saturating_mul(s4)
}

impl Moved {
    /// The first rows and columns of a view, by the strides of view and tile.
    pub(in crate::op::memory) fn logical(window: Window, size: Size) -> Moved {
        Moved { window, size, padded: size, pitch: None, overlaps: false, differs: None }
    }

    /// The layout of the tile within one matrix of the view.
    pub(in crate::op::memory) fn layout(&self, layout: &Layout) -> Layout {
        match (self.pitch, layout.name) {
            (Some(pitch), LayoutName::Nd) => Layout { cols: pitch, ..*layout },
            (Some(pitch), LayoutName::Dn) => Layout { rows: pitch, ..*layout },
            _ => *layout,
        }
    }

    /// The offset of an element in the tile, in elements.
    pub(in crate::op::memory) fn offset(&self, layout: &Layout, row: usize, col: usize) -> usize {
        if self.pitch.is_none() {
            return layout.offset(row, col);
        }
        let (down, along) = self.window.matrix();
        let (first, within) = ((row / down * down, col / along * along), (row % down, col % along));
        layout.offset(first.0, first.1) + self.layout(layout).offset(within.0, within.1)
    }

    /// Calls `each` for the row and column of each of the first `size` elements, in the order of a device: line by line.
    pub(in crate::op::memory) fn in_order(&self, size: Size, mut each: impl FnMut(usize, usize)) {
        let Size { rows, cols } = size;
        let (lines, wide) = self.window.in_lines(cols);
        for line in 0..lines {
            let columns = (line * wide).min(cols)..((line + 1) * wide).min(cols);
            for i in 0..rows {
                columns.clone().for_each(|j| each(i, j));
            }
        }
    }

    /// Calls `each` for the parts of the view that are moved.
    pub(in crate::op::memory) fn pieces(&self, start: u64, element: Element, each: impl FnMut(Piece)) {
        self.window.pieces(start, element, self.size.rows, self.size.cols, each);
    }

    /// Whether the first `size` elements of a window are moved, by the strides of window and tile.
    fn is_like(&self, window: &Window, size: Size) -> bool {
        self.size == size && self.pitch.is_none() && self.window.is_like(window, size)
    }

    /// Reports the finding of the transfer.
    pub(in crate::op::memory) fn note(&self, transfer: &Transfer, state: &mut State<'_>) {
        if let Some(known) = &self.differs {
            state.lint = Some((&EXTENT, transfer.difference(known)));
        }
    }
}
