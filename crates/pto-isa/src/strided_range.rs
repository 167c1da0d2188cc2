//! Strided ranges of memory: runs of bytes of equal length at a constant stride.

use crate::element::Element;
use crate::layout::{Layout, LayoutName};
use crate::matrix::{Position, Size};
use crate::tile::TileType;

/// `count` runs of `run` bytes with stride `stride` bytes, starting at byte `start`. Runs do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StridedRange {
    /// First byte.
    pub start: u64,
    /// Bytes of a run.
    pub run: u64,
    /// Number of runs.
    pub count: u64,
    /// Bytes from the start of a run to that of the next.
    pub stride: u64,
}

impl StridedRange {
    /// A range of consecutive bytes.
    pub fn bytes(start: u64, length: u64) -> StridedRange {
        StridedRange { start, run: length, count: 1, stride: length.max(1) }
    }

    /// The bytes of runs of elements, given by a range whose four numbers count elements; element 0 is at an address.
    fn of_elements(element: Element, address: u64, elements: StridedRange) -> StridedRange {
        let StridedRange { start: first, run, count, stride } = elements;
        let bits = u64::from(element.bits());
        let (start, end) = (first * bits / 8, ((first + run) * bits).div_ceil(8));
        StridedRange::new(address + start, end - start, count, stride * bits / 8)
    }

    /// `count` runs; as one run if they are contiguous.
    pub fn new(start: u64, run: u64, count: u64, stride: u64) -> StridedRange {
        if count <= 1 || run == stride {
            return StridedRange::bytes(start, run * count.max(1));
        }
        StridedRange { start, run, count, stride }
    }

    /// The end, exclusive.
    pub fn end(&self) -> u64 {
        self.start + (self.count - 1) * self.stride + self.run
    }

    /// The first common byte of two ranges.
    pub fn common(&self, other: &StridedRange) -> Option<u64> {
        if self.start >= other.end() || other.start >= self.end() || self.run == 0 || other.run == 0 {
            return None;
        }
        if self.stride == other.stride {
            return self.common_in_step(other);
        }
        // Loops over the runs of the range with fewer runs, and compares each with the other range arithmetically.
        let (few, many) = if self.count <= other.count { (self, other) } else { (other, self) };
        (0..few.count).find_map(|at| many.meets(few.start + at * few.stride, few.run))
    }

    /// The first common byte with a range of the same stride; the distance of the first runs decides for all runs.
    fn common_in_step(&self, other: &StridedRange) -> Option<u64> {
        let (low, high) = if self.start <= other.start { (self, other) } else { (other, self) };
        let (at, within) = ((high.start - low.start) / low.stride, (high.start - low.start) % low.stride);
        if at < low.count && within < low.run {
            return Some(high.start);
        }
        let next = low.start + (at + 1) * low.stride;
        (at + 1 < low.count && next < high.start + high.run).then_some(next)
    }

    /// The first common byte with consecutive bytes.
    fn meets(&self, start: u64, length: u64) -> Option<u64> {
        let end = start + length;
        if start >= self.end() || end <= self.start {
            return None;
        }
        let first = start.saturating_sub(self.start) / self.stride;
        let candidates = [first, first + 1].into_iter().filter(|at| *at < self.count);
        let common = candidates.filter_map(|at| {
            let run = self.start + at * self.stride;
            let low = run.max(start);
            (low < (run + self.run).min(end)).then_some(low)
        });
        common.min()
    }

    /// Whether the range contains every byte of another range.
    pub fn covers(&self, other: &StridedRange) -> bool {
        if self == other {
            return true;
        }
        if other.start < self.start || self.end() < other.end() {
            return false;
        }
        if self.count == 1 {
            return true;
        }
        let inside = |start: u64, length: u64| {
            let Some(offset) = start.checked_sub(self.start) else { return false };
            let (at, within) = (offset / self.stride, offset % self.stride);
            at < self.count && within + length <= self.run
        };
        (0..other.count).all(|at| inside(other.start + at * other.stride, other.run))
    }

    /// Start and length of each run.
    pub fn runs(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let StridedRange { start, run, count, stride } = *self;
        (0..count).map(move |at| (start + at * stride, run))
    }
}

/// The ranges of a window of a tile at an address, which is clipped to the declared shape: `size` elements from
/// element `start`.
pub fn of_window(
    ty: &TileType,
    layout: &Layout,
    address: u64,
    start: Position,
    size: Size,
    push: &mut impl FnMut(StridedRange),
) {
    let rows = size.rows.min((ty.rows as usize).saturating_sub(start.row));
    let cols = size.cols.min((ty.cols as usize).saturating_sub(start.col));
    of_tile(layout, ty.element, address, start, Size { rows, cols }, push);
}

/// The ranges of `size` elements of a tile at an address, from element `start`.
///
/// Partial boxes are separate ranges, so every byte of a range belongs to one of the elements; a byte with two
/// 4-bit elements may also hold an element outside.
pub fn of_tile(
    layout: &Layout,
    element: Element,
    address: u64,
    start: Position,
    size: Size,
    push: &mut impl FnMut(StridedRange),
) {
    if size.is_empty() {
        return;
    }
    let (Position { row, col }, Size { rows, cols }) = (start, size);
    let at = |row: usize, col: usize| layout.offset(row, col) as u64;
    let mut lines = |start: u64, run: u64, count: u64, stride: u64| {
        push(StridedRange::of_elements(element, address, StridedRange { start, run, count, stride }));
    };
    let (high, wide) = (rows as u64, cols as u64);
    let (ir, ic) = (layout.box_rows, layout.box_cols);
    match layout.name {
        LayoutName::Nd => lines(at(row, col), wide, high, layout.cols as u64),
        LayoutName::Dn => lines(at(row, col), high, wide, layout.rows as u64),
        // Within a column of boxes, rows are contiguous.
        LayoutName::Nz => segments(col, cols, ic, |col, width, boxes| match boxes {
            0 => lines(at(row, col), width, high, ic as u64),
            _ => lines(at(row, col), high * ic as u64, boxes, (layout.rows * ic) as u64),
        }),
        // Within a row of boxes, columns are contiguous.
        LayoutName::Zn => segments(row, rows, ir, |row, height, boxes| match boxes {
            0 => lines(at(row, col), height, wide, ir as u64),
            _ => lines(at(row, col), wide * ir as u64, boxes, (layout.cols * ir) as u64),
        }),
        LayoutName::Zz => each_band(row, rows, ir, |row, height| {
            segments(col, cols, ic, |col, width, boxes| match boxes {
                0 => lines(at(row, col), width, height, ic as u64),
                _ => lines(at(row, col), height * ic as u64, boxes, (ir * ic) as u64),
            });
        }),
        LayoutName::Nn => each_band(col, cols, ic, |col, width| {
            segments(row, rows, ir, |row, height, boxes| match boxes {
                0 => lines(at(row, col), height, width, ir as u64),
                _ => lines(at(row, col), width * ir as u64, boxes, (ir * ic) as u64),
            });
        }),
    }
}

/// Splits `count` rows or columns, starting at `first`, at box boundaries of `unit`. Calls `each` with the start,
/// the extent and 0 for a part of a box, and with the number of boxes for consecutive whole boxes.
fn segments(first: usize, count: usize, unit: usize, mut each: impl FnMut(usize, u64, u64)) {
    let (mut at, end) = (first, first + count);
    if !at.is_multiple_of(unit) {
        let next = at.next_multiple_of(unit).min(end);
        each(at, (next - at) as u64, 0);
        at = next;
    }
    let whole = (end - at) / unit;
    if whole > 0 {
        each(at, unit as u64, whole as u64);
        at += whole * unit;
    }
    if at < end {
        each(at, (end - at) as u64, 0);
    }
}

/// Calls `each` with the start and the number of rows (columns) for each row (column) of boxes.
fn each_band(first: usize, count: usize, unit: usize, mut each: impl FnMut(usize, u64)) {
    let (mut at, end) = (first, first + count);
    while at < end {
        let next = (at / unit + 1).saturating_mul(unit).min(end);
        each(at, (next - at) as u64);
        at = next;
    }
}

/// Merges runs of bytes into few ranges of runs with equal length and constant stride.
pub struct Collector<'a> {
    pending: Option<StridedRange>,
    push: &'a mut dyn FnMut(StridedRange),
}

impl<'a> Collector<'a> {
    /// A collector that passes finished ranges to `push`.
    pub fn new(push: &'a mut dyn FnMut(StridedRange)) -> Self {
        Collector { pending: None, push }
    }

    /// Adds a run: start and length in bytes.
    pub fn add(&mut self, start: u64, length: u64) {
        let Some(range) = &mut self.pending else {
            self.pending = Some(StridedRange::bytes(start, length));
            return;
        };
        let next = range.start + range.count * range.stride;
        if range.count == 1 && start == range.start + range.run {
            *range = StridedRange::bytes(range.start, range.run + length);
        } else if range.count == 1 && length == range.run && start > range.end() {
            *range = StridedRange { count: 2, stride: start - range.start, ..*range };
        } else if range.count > 1 && length == range.run && start == next {
            range.count += 1;
        } else {
            (self.push)(*range);
            *range = StridedRange::bytes(start, length);
        }
    }

    /// Passes the last range.
    pub fn finish(self) {
        if let Some(range) = self.pending {
            (self.push)(range);
        }
    }
}
