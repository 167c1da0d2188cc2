//! A fast path for views of a few short rows, such as in loops over single rows: they are copied directly, because
//! planning the copy would take longer.

#[cfg(feature = "run")]
use {
    crate::element::Element,
    crate::exec::global::Global,
    crate::exec::overlay::Area,
    crate::exec::state::{State, Tile, View},
    crate::layout::LayoutName,
    crate::matrix::Size,
    crate::op::site::GlobalLayout,
    pto_kernels::Placement,
    std::ops::Range,
};

/// Limits: rows, and bytes per row.
const MOST: (u64, u64) = (8, 512);

/// A few contiguous rows in a buffer; `start` is their byte offset, `pitch` the row stride in bytes.
pub(super) struct FewRows {
    buffer: usize,
    pub(super) rows: u64,
    pub(super) cols: u64,
    start: usize,
    pitch: usize,
}

impl FewRows {
    /// Whether tile and view are both row-major.
    #[cfg(feature = "run")]
    pub(super) fn fit(tile: &Tile, layout: GlobalLayout) -> bool {
        tile.layout.name == LayoutName::Nd && layout == GlobalLayout::Nd
    }

    /// The rows of a view; `None` if they are too many, too long, not contiguous or outside their buffer.
    #[inline]
    #[cfg(feature = "run")]
    pub(super) fn of(view: &View, element: Element, global: &Global) -> Option<FewRows> {
        let (cols_at, rows_at) =
            (usize::from(view.rank).checked_sub(1)?, usize::from(view.rank).checked_sub(2));
        let cols = view.shape[cols_at];
        let (rows, stride) = rows_at.map_or((1, 0), |at| (view.shape[at], view.strides[at]));
        let outer = rows_at.map_or(&[][..], |at| &view.shape[..at]);
        let width = u64::from(element.bits() / 8);
        let few = (1..=MOST.0).contains(&rows) && cols <= MOST.1 / width;
        if !few || view.strides[cols_at] != 1 || outer.iter().any(|extent| *extent != 1) {
            return None;
        }
        let (buffer, start) = global.locate(view.address)?;
        let pitch = u64::try_from(stride).ok()?.checked_mul(width)?;
        let end = ((rows - 1).checked_mul(pitch)?).checked_add(start)?.checked_add(cols * width)?;
        let inside = end <= global.buffer(buffer).size() as u64;
        inside.then_some(FewRows { buffer, rows, cols, start: start as usize, pitch: pitch as usize })
    }

    /// The accessed area of the buffer.
    #[cfg(feature = "run")]
    fn area(&self, size: Size, element: Element) -> Area {
        let placement = Placement::rows(self.start, self.pitch / element.bytes(1));
        Area { placement, rows: size.rows, cols: size.cols, bits: element.bits() }
    }

    /// Byte ranges of the first rows and columns, in the buffer and in a row-major tile at byte `address`.
    #[cfg(feature = "run")]
    fn places(&self, tile: &Tile, address: usize, size: Size) -> impl Iterator<Item = [Range<usize>; 2]> {
        let (bytes, pitch) = (tile.ty.element.bytes(size.cols), tile.ty.element.bytes(tile.layout.cols));
        let row = move |start: usize, pitch: usize, i: usize| start + i * pitch..start + i * pitch + bytes;
        let (start, own) = (self.start, self.pitch);
        (0..size.rows).map(move |i| [row(start, own, i), row(address, pitch, i)])
    }

    /// Copies the first rows and columns to a row-major tile at byte `address`.
    #[inline]
    #[cfg(feature = "run")]
    pub(super) fn load(&self, state: &mut State<'_>, tile: &Tile, address: usize, size: Size) {
        if !size.is_empty() {
            let source = state.global.reading(self.buffer).read(&self.area(size, tile.ty.element));
            for [from, to] in self.places(tile, address, size) {
                state.memory[to].copy_from_slice(&source[from]);
            }
        }
    }

    /// Copies the first rows and columns from a row-major tile at byte `address`.
    #[inline]
    #[cfg(feature = "run")]
    pub(super) fn store(&self, state: &mut State<'_>, tile: &Tile, address: usize, size: Size) {
        if !size.is_empty() {
            let target = state.global.writing(self.buffer).write(&self.area(size, tile.ty.element));
            for [to, from] in self.places(tile, address, size) {
                target[to].copy_from_slice(&state.memory[from]);
            }
        }
    }
}
