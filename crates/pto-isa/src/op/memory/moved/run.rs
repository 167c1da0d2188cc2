//! The elements that a transfer moves in a run.

use super::{EXTENT, Known, Side, Transfer};
use crate::element::Element;
use crate::exec::overlay::Area;
use crate::exec::state::{Fault, State, Tile, View};
use crate::layout::{Layout, LayoutName, c0};
use crate::op::memory::feature_map;
use crate::op::memory::paths::{Count, Lines, Path};
use crate::op::memory::window::{Piece, Window};
use crate::op::site::GlobalLayout;
use std::ops::Range;

/// The elements that one run of a transfer moves.
pub(in crate::op::memory) struct Moved {
    /// The view, with the extents and strides that the device uses.
    pub(in crate::op::memory) window: Window,
    pub(in crate::op::memory) rows: usize,
    pub(in crate::op::memory) cols: usize,
    /// The rows and columns of the tile with the padding behind them.
    pub(in crate::op::memory) padded: (usize, usize),
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

    /// Whether nothing is written behind what is moved.
    pub(in crate::op::memory) fn pads_nothing(&self) -> bool {
        self.pads.is_none()
    }

    /// Whether a transfer whose view and valid region are as given moves just the valid region, by the strides of view and tile.
    pub(in crate::op::memory) fn is_logical(&self, view: (u64, u64), valid: (usize, usize)) -> bool {
        match self.path {
            None => view.0 >= valid.0 as u64 && view.1 >= valid.1 as u64,
            Some(_) => view == (valid.0 as u64, valid.1 as u64) && !self.is_peculiar(),
        }
    }

    /// The elements that are moved, given the valid rows and columns of the tile and the layout of its elements.
    ///
    /// # Errors
    /// If the device cannot move it, or on `cpu` if the view is smaller than the valid region.
    pub(in crate::op::memory) fn moved(
        &self,
        view: &View,
        valid: (usize, usize),
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let moved = self.unpadded(view, valid, layout)?;
        let up =
            |count: usize, unit: u32, most: u32| count.next_multiple_of(unit as usize).min(most as usize);
        let padded = match self.pads {
            Some((Side::Rows, unit)) => (up(moved.rows, unit, self.ty.rows), moved.cols),
            Some((Side::Cols, unit)) => (moved.rows, up(moved.cols, unit, self.ty.cols)),
            None => (moved.rows, moved.cols),
        };
        Ok(Moved { padded, ..moved })
    }

    fn unpadded(&self, view: &View, (rows, cols): (usize, usize), layout: &Layout) -> Result<Moved, Fault> {
        let window = Window::of(view, self.layout);
        let have = window.extent();
        let logical = Moved::logical(window, (rows, cols));
        if self.layout.is_of_convolutions() && rows > 0 && cols > 0 {
            let (shape, strides) = Window::rows(view).dimensions();
            if let Some(why) = feature_map::obstacle(self.layout, shape.map(Some), strides.map(Some)) {
                return Err(Fault::Broken(&feature_map::POINTS, why));
            }
        }
        let is_logical = self.is_logical(have, (rows, cols));
        let Some(path) = self.path else {
            return if is_logical { Ok(logical) } else { Err(Fault::Rule) };
        };
        if rows == 0 || cols == 0 || is_logical && !path.single {
            return Ok(logical);
        }
        let known = Known {
            shape: window.dimensions().0.map(Some),
            strides: window.dimensions().1.map(Some),
            view: [Some(have.0), Some(have.1)],
            valid: [Some(rows as u64), Some(cols as u64)],
        };
        if let Some(why) = self.obstacle(&known) {
            return Err(Fault::Broken(&EXTENT, why));
        }
        let [down, along] = known.taken(path).map(|count| count.unwrap_or(0) as usize);
        let moved = self.by_path(path, (window, &known), (down, along), layout)?;
        let same = have == (rows as u64, cols as u64) && moved.is_like(&window, (down, along));
        Ok(Moved { differs: (!same).then_some(known), ..moved })
    }

    /// The rows and columns that a path takes, with its distances of lines.
    fn by_path(
        &self,
        path: &Path,
        (window, known): (Window, &Known),
        taken: (usize, usize),
        layout: &Layout,
    ) -> Result<Moved, Fault> {
        let broken = |why: &str| Err(Fault::Broken(&EXTENT, why.to_owned()));
        let (mut shape, mut strides) = window.dimensions();
        let across = path.across();
        strides[across] = self.distance(known).unwrap_or(strides[across]);
        let mut moved = Moved::logical(window, taken);
        let length = match path.matrix {
            GlobalLayout::Nd | GlobalLayout::Dn => {
                self.lines(path, &mut moved, (&mut shape, &mut strides), layout)
            }
            _ => boxes(path, taken, (&mut shape, &mut strides)),
        };
        if strides.iter().any(|stride| *stride < 0) {
            return broken("the lines of the view overlap, and are longer than the valid region");
        }
        moved.overlaps = strides[across] < length || moved.pitch.is_some_and(|pitch| (pitch as i64) < length);
        moved.window = window.reshaped(shape, strides, (moved.rows, moved.cols));
        let last = moved.offset(layout, (moved.rows.saturating_sub(1), moved.cols.saturating_sub(1)));
        if moved.pitch.is_some() && last >= self.ty.elements() {
            return broken("the device moves elements behind the end of the tile");
        }
        Ok(moved)
    }

    /// Gives rows of ND, or columns of DN, the length and the distances of a path; returns the length.
    fn lines(
        &self,
        path: &Path,
        moved: &mut Moved,
        (shape, strides): (&mut [u64; 5], &mut [i64; 5]),
        layout: &Layout,
    ) -> i64 {
        let by_rows = path.matrix == GlobalLayout::Nd;
        let along = if by_rows { 4 } else { 3 };
        let (line, number, counted_by) = if by_rows {
            (&mut moved.cols, moved.rows, path.rows)
        } else {
            (&mut moved.rows, moved.cols, path.cols)
        };
        let own = if by_rows { layout.cols } else { layout.rows };
        let length = self.counted(path, *line as i64);
        let pitch = match path.lines {
            Lines::PackedBlocks => Some(length + self.counted(path, own as i64 - *line as i64)),
            // A column is padded to whole blocks, and so is the gap behind it.
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

    /// Calls `each` for the runs of bytes in the buffer whose byte `start` is the first of the view.
    pub fn view_runs(
        &self,
        view: &View,
        (start, element): (u64, Element),
        (valid, tile): ((usize, usize), &Tile),
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        if moved.window.is_addressable() {
            moved.pieces(start, element, |piece| piece.area(element).runs(&mut each));
        }
    }

    /// Calls `each` for the runs of bytes of the tile at an address, its padding included, of at most so many rows and columns.
    pub fn tile_runs(
        &self,
        view: &View,
        (valid, most): ((usize, usize), (usize, usize)),
        (tile, address): (&Tile, usize),
        mut each: impl FnMut(Range<usize>),
    ) {
        let Ok(moved) = self.moved(view, valid, &tile.layout) else { return };
        let element = tile.ty.element;
        if moved.pitch.is_none() {
            let placement = tile.layout.placement(address);
            let (rows, cols) = (moved.padded.0.min(most.0), moved.padded.1.min(most.1));
            return Area { placement, rows, cols, bits: element.bits() }.runs(each);
        }
        let inner = moved.layout(&tile.layout);
        moved.pieces(0, element, |piece| {
            let start = address + element.bytes(tile.layout.offset(piece.row, piece.col));
            let placement = inner.placement(start);
            let rows = piece.rows.min(most.0.saturating_sub(piece.row));
            let cols = piece.cols.min(most.1.saturating_sub(piece.col));
            Area { placement, rows, cols, bits: element.bits() }.runs(&mut each);
        });
    }
}

/// Gives boxes of NZ the extents and strides of a path; returns the elements of a block column.
fn boxes(path: &Path, (rows, cols): (usize, usize), (shape, strides): (&mut [u64; 5], &mut [i64; 5])) -> i64 {
    let [box_rows, box_cols] = [shape[3], shape[4]].map(|extent| (extent as usize).max(1));
    let [s3, s4] = [shape[3] as i64, shape[4] as i64];
    if path.lines == Lines::Dense {
        *strides = [0, strides[1], s3.saturating_mul(s4), s4, 1];
    }
    if path.cols == Count::Valid {
        [shape[0], shape[1]] = [1, cols.div_ceil(box_cols) as u64];
    }
    shape[2] = rows.div_ceil(box_rows) as u64;
    (rows as i64).saturating_mul(s4)
}

impl Moved {
    /// The first rows and columns of a view, by the strides of view and tile.
    pub(in crate::op::memory) fn logical(window: Window, (rows, cols): (usize, usize)) -> Moved {
        Moved { window, rows, cols, padded: (rows, cols), pitch: None, overlaps: false, differs: None }
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
    pub(in crate::op::memory) fn offset(&self, layout: &Layout, (row, col): (usize, usize)) -> usize {
        if self.pitch.is_none() {
            return layout.offset(row, col);
        }
        let (down, along) = self.window.matrix();
        let (first, within) = ((row / down * down, col / along * along), (row % down, col % along));
        layout.offset(first.0, first.1) + self.layout(layout).offset(within.0, within.1)
    }

    /// Calls `each` for the row and column of each element, in the order of a device: line by line.
    pub(in crate::op::memory) fn in_order(
        &self,
        (rows, cols): (usize, usize),
        mut each: impl FnMut(usize, usize),
    ) {
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
        self.window.pieces(start, element, self.rows, self.cols, each);
    }

    /// Whether the same elements as these rows and columns of a view are moved, to the same places of the tile.
    fn is_like(&self, window: &Window, (rows, cols): (usize, usize)) -> bool {
        (self.rows, self.cols) == (rows, cols)
            && self.pitch.is_none()
            && self.window.is_like(window, (rows, cols))
    }

    /// Notes the finding of its transfer.
    pub(in crate::op::memory) fn note(&self, transfer: &Transfer, state: &mut State<'_>) {
        if let Some(known) = &self.differs {
            state.lint = Some((&EXTENT, transfer.difference(known)));
        }
    }
}
