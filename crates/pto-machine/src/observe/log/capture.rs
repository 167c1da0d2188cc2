//! Contents of the destinations of chosen entries.

use super::as_word;
use crate::observe::words::operands_at;
use crate::sim::Program;
use crate::sim::event::{Grid, Memory, Place, Touched};
use pto_isa::Element;
use pto_isa::layout::Layout;
use pto_isa::op::site::Fact;
use pto_isa::strided_range::StridedRange;
use pto_num::get_element;

/// Contents that an entry of a log wrote.
#[derive(Clone, Debug)]
pub struct Captured {
    /// Number of the entry.
    pub sequence: u64,
    /// Destinations, in the order of the entry's operands.
    pub destinations: Vec<Contents>,
}

/// Contents of the bytes that an instruction wrote to a destination.
#[derive(Clone, Debug)]
pub struct Contents {
    name: String,
    element: Element,
    form: Form,
    ranges: Vec<StridedRange>,
    bytes: Vec<u8>,
}

/// Arrangement of elements.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A tile: address of its first element, layout, declared rows and columns.
    Tile { start: u64, layout: Layout, rows: usize, cols: usize },
    /// Global memory with rows.
    Rows(Grid),
    /// A list of elements.
    Flat,
}

/// A value of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Row of the tile or of the buffer in global memory, from 0; 0 if it has no rows.
    pub row: u64,
    /// Column, from 0; the index in elements if there are no rows.
    pub column: u64,
    /// The value's bits.
    pub bits: u64,
}

/// Captures the contents that an entry wrote, given the ranges of each destination.
pub(super) fn capture(
    program: &Program,
    at: Place,
    sequence: u64,
    shares: Vec<(Touched, Vec<StridedRange>)>,
    memory: &Memory<'_>,
) -> Captured {
    let operands = operands_at(program, at);
    let contents = |(touched, ranges): (Touched, Vec<StridedRange>)| {
        let known = operands.get(usize::from(touched.touch.operand));
        let (element, form) = match known.map(|(_, fact)| fact) {
            Some(Fact::Tile(tile)) => {
                let (rows, cols) = (tile.ty.rows as usize, tile.ty.cols as usize);
                (tile.element(), Form::Tile { start: touched.start, layout: tile.layout(), rows, cols })
            }
            Some(Fact::View(view)) => (view.element, rows_of(touched.grid)),
            Some(Fact::Pointer(scalar, _)) => (scalar.element(), rows_of(touched.grid)),
            Some(Fact::ConvTile(ty)) => (ty.element, Form::Flat),
            _ => (Element::U8, Form::Flat),
        };
        let source = memory.bytes(touched.space);
        let runs = ranges.iter().flat_map(StridedRange::runs);
        let slices =
            runs.map(|(start, length)| source.get(start as usize..(start + length) as usize).unwrap_or(&[]));
        let bytes = slices.collect::<Vec<_>>().concat();
        let name = known.map_or("?".to_owned(), |(name, _)| as_word(name));
        Contents { name, element, form, ranges, bytes }
    };
    Captured { sequence, destinations: shares.into_iter().map(contents).collect() }
}

fn rows_of(grid: Option<Grid>) -> Form {
    grid.filter(|grid| grid.element > 0 && grid.row >= grid.element).map_or(Form::Flat, Form::Rows)
}

impl Contents {
    /// The value's name, without `%`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number format.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The written bytes, in the order of addresses of each range.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the elements have rows and columns, rather than an index.
    pub fn has_rows(&self) -> bool {
        !matches!(self.form, Form::Flat)
    }

    /// The values of the completely written elements: those of a tile by rows, others by address.
    pub fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        let width = self.element.bytes(1);
        match &self.form {
            Form::Tile { start, layout, rows, cols } => {
                let [down, along] = layout.values(self.element).map(|count| count as u64);
                for (row, col) in (0..*rows).flat_map(|row| (0..*cols).map(move |col| (row, col))) {
                    let byte = start + self.element.bytes(layout.offset(row, col)) as u64;
                    let Some(at) = self.find(byte, width as u64) else { continue };
                    let (row, column) = (row as u64 * down, col as u64 * along);
                    self.push(
                        at,
                        |index| (row + index * (down - 1), column + index * (along - 1)),
                        &mut values,
                    );
                }
                // Both values of a pair down a column are pushed together.
                values.sort_unstable_by_key(|value| (value.row, value.column));
            }
            form => {
                let per = self.element.values() as u64;
                let mut at = 0;
                for (start, length) in self.ranges.iter().flat_map(StridedRange::runs) {
                    for byte in (0..length / width as u64).map(|index| start + index * width as u64) {
                        let (row, column) = match form {
                            Form::Rows(grid) => (byte / grid.row, byte % grid.row / grid.element),
                            _ => (0, byte / width as u64),
                        };
                        self.push(at, |index| (row, column * per + index), &mut values);
                        at += width;
                    }
                    at += length as usize % width;
                }
            }
        }
        values
    }

    /// Adds the value, or the pair of values, of an element at a captured byte.
    fn push(&self, at: usize, position: impl Fn(u64) -> (u64, u64), values: &mut Vec<Value>) {
        let Some(bytes) = self.bytes.get(at..at + self.element.bytes(1)) else { return };
        let item = get_element(bytes, 0, 0, self.element);
        let mut add = |index: u64, bits| {
            let (row, column) = position(index);
            values.push(Value { row, column, bits });
        };
        if self.element.is_packed() {
            add(0, item & 15);
            add(1, item >> 4 & 15);
        } else {
            add(0, item);
        }
    }

    /// The position in the captured bytes of a range of memory, if all of it was captured.
    fn find(&self, byte: u64, length: u64) -> Option<usize> {
        let mut before = 0;
        for range in &self.ranges {
            if let Some(offset) = byte.checked_sub(range.start) {
                let (run, within) = (offset / range.stride, offset % range.stride);
                if run < range.count && within + length <= range.run {
                    return Some((before + run * range.run + within) as usize);
                }
            }
            before += range.count * range.run;
        }
        None
    }
}
