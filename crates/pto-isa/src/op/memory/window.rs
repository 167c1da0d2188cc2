//! The correspondence of elements of a view and a tile, and the bounds check of a view in its buffer.
//!
//! Views have up to five dimensions, s0 to s4. ND: rows count through s0 to s3, columns through s4. DN: rows
//! through s3, columns through s0, s1, s2 and s4. NZ: s2 x s3 rows in boxes of s3, s0 x s1 x s4 columns in boxes
//! of s4. MX scales: see [`GlobalLayout`]; s4 is a pair, and ZZ and NN have boxes of s3 pairs. Source: `docs/isa/tile/ops/memory-and-data-movement/`.

#[cfg(feature = "run")]
use {
    super::feature_map,
    crate::element::Element,
    crate::exec::global::Global,
    crate::exec::overlay::Area,
    crate::exec::state::{Fault, View},
    crate::matrix::Size,
    crate::op::site::GlobalLayout,
    crate::types::MAX_RANK,
    pto_kernels::Placement,
};

/// A view extended to five dimensions.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "run")]
pub(in crate::op) struct Window {
    shape: [u64; MAX_RANK],
    strides: [i64; MAX_RANK],
    address: u64,
    layout: GlobalLayout,
    rank: usize,
    /// The last element of a view whose last box may be partial, in elements from the start.
    last: Option<u64>,
}

/// The five dimensions of a window, outermost first.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "run")]
pub(in crate::op) struct Dimensions {
    /// Extents in elements.
    pub(in crate::op) shape: [u64; MAX_RANK],
    /// Strides in elements.
    pub(in crate::op) strides: [i64; MAX_RANK],
}

/// A part of a view that is one matrix with a simple placement, and its position in the tile.
#[cfg(feature = "run")]
pub(in crate::op) struct Piece {
    /// Placement from the start of the buffer.
    pub(in crate::op) placement: Placement,
    /// First row in the tile.
    pub(in crate::op) row: usize,
    /// First column in the tile.
    pub(in crate::op) col: usize,
    /// Rows to move.
    pub(in crate::op) rows: usize,
    /// Columns to move.
    pub(in crate::op) cols: usize,
}

#[cfg(feature = "run")]
impl Piece {
    /// The elements in the buffer.
    pub(in crate::op) fn area(&self, element: Element) -> Area {
        Area { placement: self.placement, rows: self.rows, cols: self.cols, bits: element.bits() }
    }

    /// Rows and columns to move.
    pub(in crate::op) fn size(&self) -> Size {
        Size { rows: self.rows, cols: self.cols }
    }
}

/// A view with a matrix of scales as pairs, whose dimensions are those of its strides; any other view unchanged.
#[cfg(feature = "run")]
pub fn paired(view: &View, layout: GlobalLayout) -> View {
    match usize::from(view.rank) {
        MAX_RANK => {
            let shape = layout.in_pairs(view.shape.map(Some)).map(Option::unwrap_or_default);
            View { shape, ..*view }
        }
        _ => *view,
    }
}

/// The byte runs, from the start of the buffer, of the first `size` elements of a view as a matrix; false, without
/// a call of `each`, if they are the whole view. `start` is the byte of its first element.
#[cfg(feature = "run")]
pub fn covered_runs(
    view: &View,
    layout: GlobalLayout,
    start: u64,
    element: Element,
    size: Size,
    mut each: impl FnMut(std::ops::Range<usize>),
) -> bool {
    let window = Window::of(view, layout);
    let by_strides =
        !layout.is_scales() || usize::from(view.rank) == MAX_RANK && window.shape == Window::rows(view).shape;
    if by_strides && layout != GlobalLayout::Ncdhw && window.extent() == (size.rows as u64, size.cols as u64)
    {
        return false;
    }
    window.pieces(start, element, size.rows, size.cols, |piece| piece.area(element).runs(&mut each));
    true
}

#[cfg(feature = "run")]
impl Window {
    /// A view; missing outer dimensions have extent 1.
    pub(in crate::op) fn of(view: &View, layout: GlobalLayout) -> Window {
        let rank = usize::from(view.rank);
        let (mut shape, mut strides) = ([1; MAX_RANK], [0; MAX_RANK]);
        shape[MAX_RANK - rank..].copy_from_slice(&view.shape[..rank]);
        strides[MAX_RANK - rank..].copy_from_slice(&view.strides[..rank]);
        if matches!(layout, GlobalLayout::MxAZz | GlobalLayout::MxBNn) && rank < MAX_RANK {
            return Window::of_scales(view.address, shape, layout);
        }
        if layout.is_of_convolutions() {
            let known = feature_map::as_matrix(layout, shape.map(Some), strides.map(Some));
            let (shape, strides) =
                (known.1.map(Option::unwrap_or_default), known.2.map(Option::unwrap_or_default));
            return Window {
                shape,
                strides,
                address: view.address,
                layout: known.0,
                rank: MAX_RANK,
                last: None,
            };
        }
        let shape = layout.in_pairs(shape.map(Some)).map(Option::unwrap_or_default);
        Window { shape, strides, address: view.address, layout, rank, last: None }
    }

    /// The window of a matrix of scales in boxes of 16 pairs, regardless of its strides; the scales of a single
    /// line of a factor are contiguous.
    fn of_scales(address: u64, shape: [u64; MAX_RANK], layout: GlobalLayout) -> Window {
        let (rows, cols) = (shape[..4].iter().product::<u64>(), shape[4]);
        let (lines, depth) = if layout == GlobalLayout::MxAZz { (rows, cols) } else { (cols, rows) };
        let rank = MAX_RANK;
        if lines == 1 {
            let (shape, strides) = ([1, 1, 1, rows, cols], [0, 0, 0, cols as i64, 1]);
            return Window { shape, strides, address, layout: GlobalLayout::Nd, rank, last: None };
        }
        let (pairs, end) = (depth.div_ceil(2), lines.saturating_sub(1));
        let strides = [0, 32 * pairs as i64, 32, 2, 1];
        let last = end / 16 * 32 * pairs + pairs.saturating_sub(1) * 32 + end % 16 * 2 + 1;
        let shape = [1, lines.div_ceil(16), pairs, 16, 2];
        Window { shape, strides, address, layout, rank, last: Some(last) }
    }

    /// The window with other extents and strides, of which `size` elements are accessed.
    pub(in crate::op) fn reshaped(self, dimensions: Dimensions, size: Size) -> Window {
        let Dimensions { shape, strides } = dimensions;
        let window = Window { shape, strides, last: None, ..self };
        let last = window.offset((size.rows as u64).saturating_sub(1), (size.cols as u64).saturating_sub(1));
        Window { last: Some(last), ..window }
    }

    /// Rows and columns of one matrix of a view in ND or DN, which has one or more.
    pub(in crate::op) fn matrix(&self) -> (usize, usize) {
        let [.., s3, s4] = self.shape.map(|extent| (extent as usize).max(1));
        if self.layout == GlobalLayout::Dn { (usize::MAX, s4) } else { (s3, usize::MAX) }
    }

    /// Number of consecutive lines that `cols` columns span, and the columns of each line.
    pub(in crate::op) fn in_lines(&self, cols: usize) -> (usize, usize) {
        let wide = match self.layout {
            GlobalLayout::Dn => 1,
            GlobalLayout::Nz => (self.shape[4] as usize).max(1),
            _ => cols.max(1),
        };
        (cols.div_ceil(wide), wide)
    }

    /// Whether the first `size` elements, at least one, are those of another window of the same layout.
    pub(in crate::op) fn is_like(&self, other: &Window, size: Size) -> bool {
        let [_, s1, s2, s3, s4] = self.shape;
        // A step in each dimension, and the last element: offsets are linear between them.
        let at = |steps: [u64; 4], end: usize| {
            steps.into_iter().chain([end as u64 - 1]).filter(move |at| *at < end as u64)
        };
        let down = || at([0, 1, s3, s2 * s3], size.rows);
        let along = || at([0, 1, s4, s1 * s4], size.cols);
        !size.is_empty() && down().all(|i| along().all(|j| self.offset(i, j) == other.offset(i, j)))
    }

    /// A view in row-major order, one dimension at a time.
    pub(in crate::op) fn rows(view: &View) -> Window {
        Window::of(view, GlobalLayout::Nd)
    }

    /// Extents and strides.
    pub(in crate::op) fn dimensions(&self) -> Dimensions {
        Dimensions { shape: self.shape, strides: self.strides }
    }

    /// Rows and columns of the view as a matrix.
    pub(in crate::op) fn extent(&self) -> (u64, u64) {
        let times =
            |factors: &[u64]| factors.iter().fold(1u64, |product, factor| product.saturating_mul(*factor));
        self.layout.matrix(self.shape, |extent| extent != 1, times).unwrap_or_default()
    }

    /// The number of elements from the first one to the end of the last one; 0 for an empty view.
    fn span(&self) -> u64 {
        if self.shape.contains(&0) {
            return 0;
        }
        let last = self.last.unwrap_or_else(|| {
            self.shape.iter().zip(self.strides).fold(0, |last, (extent, stride)| {
                let stride = u64::try_from(stride).unwrap_or(u64::MAX);
                last.saturating_add((extent - 1).saturating_mul(stride))
            })
        });
        last.saturating_add(1)
    }

    /// Whether an offset in bytes of each element is a number that can be counted with.
    pub(in crate::op) fn is_addressable(&self) -> bool {
        self.span() <= u64::from(u32::MAX) << 16
    }

    /// The buffer that contains the view.
    ///
    /// # Errors
    /// If an element of the view is outside the buffer; the message names the buffer and its size.
    pub(in crate::op) fn locate(
        &self,
        global: &Global,
        element: Element,
        name: &str,
    ) -> Result<(usize, u64), Fault> {
        let (buffer, start) = global
            .locate(self.address)
            .ok_or_else(|| Fault::OutOfBounds(format!("`%{name}` points nowhere")))?;
        let size = global.buffer(buffer).size() as u64;
        let span = self.span();
        if span == 0 {
            return Ok((buffer, start));
        }
        let end = span.saturating_mul(u64::from(element.bits())).div_ceil(8).saturating_add(start);
        if end <= size {
            return Ok((buffer, start));
        }
        let own = &self.shape[MAX_RANK - self.rank..];
        let index = own.iter().map(|extent| (extent - 1).to_string()).collect::<Vec<_>>().join(", ");
        Err(Fault::OutOfBounds(format!(
            "element ({index}) of `%{name}` ends at byte {end} of `{}`, which holds {size} bytes",
            global.buffer(buffer).name
        )))
    }

    /// Calls `each` for the parts of the view that cover the first `rows` x `cols` of the tile; `start` is the
    /// byte of the view's first element in its buffer.
    pub(in crate::op) fn pieces(
        &self,
        start: u64,
        element: Element,
        rows: usize,
        cols: usize,
        mut each: impl FnMut(Piece),
    ) {
        let [s0, s1, s2, s3, s4] = self.shape.map(|extent| extent as usize);
        let [t0, t1, t2, t3, t4] = self.strides.map(|stride| stride as usize);
        let at = |elements: usize| start as usize + elements * element.bits() as usize / 8;
        if self.layout.is_scales() {
            return self.pieces_of_scales(at, rows, cols, each);
        }
        if self.layout == GlobalLayout::Nz {
            for i0 in 0..s0 {
                let col = i0 * s1 * s4;
                if col >= cols {
                    break;
                }
                let placement = Placement {
                    offset: at(i0 * t0),
                    box_rows: s3,
                    box_cols: s4,
                    row_of_boxes: t2,
                    col_of_boxes: t1,
                    row: t3,
                    col: t4,
                };
                each(Piece {
                    placement,
                    row: 0,
                    col,
                    rows: rows.min(s2 * s3),
                    cols: (cols - col).min(s1 * s4),
                });
            }
            return;
        }
        let down = self.layout == GlobalLayout::Nd;
        for i0 in 0..s0 {
            for i1 in 0..s1 {
                for i2 in 0..s2 {
                    let outer = (i0 * s1 + i1) * s2 + i2;
                    let (row, col) = if down { (outer * s3, 0) } else { (0, outer * s4) };
                    if row >= rows || col >= cols {
                        return;
                    }
                    let placement = Placement::strided(at(i0 * t0 + i1 * t1 + i2 * t2), t3, t4);
                    each(Piece {
                        placement,
                        row,
                        col,
                        rows: (rows - row).min(s3),
                        cols: (cols - col).min(s4),
                    });
                }
            }
        }
    }

    /// The pieces of a window of MX scales: pairs along one side, boxes of 16 lines along the other.
    fn pieces_of_scales(
        &self,
        at: impl Fn(usize) -> usize,
        rows: usize,
        cols: usize,
        mut each: impl FnMut(Piece),
    ) {
        use GlobalLayout::{MxADn, MxANd, MxAZz, MxBDn, MxBNd, MxBNn};
        let [s0, s1, _, s3, s4] = self.shape.map(|extent| (extent as usize).max(1));
        let [t0, t1, t2, t3, t4] = self.strides.map(|stride| stride as usize);
        // Computed as a matrix whose pairs are columns; pieces of a right factor are transposed at the end.
        let of_left = matches!(self.layout, MxAZz | MxANd | MxADn);
        let (lines, pairs) = if of_left { (rows, cols) } else { (cols, rows) };
        let (box_lines, line_of_boxes, line, pair_of_boxes) = match self.layout {
            MxAZz | MxBNn => (s3, t1, t3, t2),
            MxANd | MxBDn => (usize::MAX, 0, t2, t3),
            _ => (usize::MAX, 0, t3, t2),
        };
        let outer = if matches!(self.layout, MxAZz | MxBNn) { s1 * s3 } else { usize::MAX };
        for i0 in 0..s0 {
            let first = i0.saturating_mul(outer);
            if first >= lines {
                break;
            }
            let offset = at(i0 * t0);
            let (count, row_of_boxes) = ((lines - first).min(outer), line_of_boxes);
            let placement = Placement {
                offset,
                box_rows: box_lines,
                box_cols: s4,
                row_of_boxes,
                col_of_boxes: pair_of_boxes,
                row: line,
                col: t4,
            };
            each(match self.layout {
                MxBNn | MxBNd | MxBDn => {
                    let placement = placement.transposed();
                    Piece { placement, row: 0, col: first, rows: pairs, cols: count }
                }
                _ => Piece { placement, row: first, col: 0, rows: count, cols: pairs },
            });
        }
    }

    /// Offset of element (`row`, `col`) of the matrix from the view's start, in elements.
    pub(in crate::op) fn offset(&self, row: u64, col: u64) -> u64 {
        let [_, s1, s2, s3, s4] = self.shape.map(|extent| extent.max(1));
        let index = match self.layout {
            GlobalLayout::Nd => [row / (s1 * s2 * s3), row / (s2 * s3) % s1, row / s3 % s2, row % s3, col],
            GlobalLayout::Dn => {
                let outer = col / s4;
                [outer / (s1 * s2), outer / s2 % s1, outer % s2, row, col % s4]
            }
            GlobalLayout::Nz => {
                let box_col = col / s4;
                [box_col / s1, box_col % s1, row / s3, row % s3, col % s4]
            }
            GlobalLayout::MxAZz => {
                let box_row = row / s3;
                [box_row / s1, box_row % s1, col / s4, row % s3, col % s4]
            }
            GlobalLayout::MxBNn => {
                let box_col = col / s3;
                [box_col / s1, box_col % s1, row / s4, col % s3, row % s4]
            }
            GlobalLayout::MxANd => [0, 0, row, col / s4, col % s4],
            GlobalLayout::MxADn => [0, 0, col / s4, row, col % s4],
            GlobalLayout::MxBNd => [0, 0, row / s4, col, row % s4],
            // Views in layouts of convolutions have become ND or DN.
            _ => [0, 0, col, row / s4, row % s4],
        };
        let steps = index.iter().zip(self.strides);
        steps.fold(0, |at: u64, (index, stride)| at.saturating_add(index.saturating_mul(stride as u64)))
    }
}
