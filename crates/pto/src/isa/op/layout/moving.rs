//! Moving a window of one tile into a window of another: what TMOV, TEXTRACT and TINSERT share.

use crate::isa::element::{Element, element_word};
use crate::isa::layout::Layout;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{State, Tile};
use crate::isa::pipe::Pipe;
use crate::isa::tile::Location;
use pto_kernels::map::UnaryOp;
use pto_kernels::{
    Conversion, Placement, Rounding, convert, convert_one, copy_matrix, get_element, set_element,
};

pub(super) const ELEMENTS: Rule = Rule::new(
    "element-type",
    "Source and destination have one element type; from an accumulator f32 also goes to f16 and bf16.",
    "docs/isa/tile/ops/layout-and-rearrangement",
);
pub(super) const PAIR: Rule = Rule::new(
    "location-pair",
    "The profile moves between these two locations.",
    "docs/isa/tile/ops/layout-and-rearrangement",
);

/// A rectangle of a tile: first row, first column, rows, columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) row: usize,
    pub(super) col: usize,
}

/// What happens to elements on the way.
#[derive(Clone, Copy)]
pub(super) struct Path {
    from: Element,
    to: Element,
    conversion: Option<Conversion>,
    relu: bool,
}

/// Whether the elements of one tile can become those of another.
pub(super) fn elements_fit(location: Location, from: Element, to: Element) -> bool {
    from == to
        || location == Location::Acc && from == Element::F32 && matches!(to, Element::F16 | Element::Bf16)
}

/// The rule on element types, for `src` and `dst`.
pub(super) fn check_elements(check: &mut Check<'_>) {
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    let (from, to) = (src.element(), dst.element());
    let bias = dst.location() == Location::Bias
        && to == Element::F32
        && matches!(from, Element::F16 | Element::Bf16);
    check.require(&ELEMENTS, "dst", bias || elements_fit(src.location(), from, to), |check| {
        let (from, to) = (element_word(from), element_word(to));
        format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
    });
}

/// Whether the instruction clamps negative values.
pub(super) fn has_relu(site: &Site<'_>) -> bool {
    site.word("reluPreMode").is_some_and(|word| word == "normal_relu")
}

/// The pipe that moves between two locations.
pub(super) fn pipe_between(src: Location, dst: Location) -> Pipe {
    match (src, dst) {
        (Location::Acc, _) | (_, Location::Scaling) => Pipe::Fixpipe,
        (Location::Mat, _) => Pipe::Mte1,
        (Location::Vec, Location::Mat) => Pipe::Mte3,
        _ => Pipe::Vector,
    }
}

impl Path {
    /// The path between two formats.
    pub(super) fn new(from: Element, to: Element, relu: bool) -> Result<Path, String> {
        let conversion = if from == to { None } else { convert(from, to, Rounding::NearestEven, false) };
        if from != to && conversion.is_none() {
            return Err("there is no such conversion".into());
        }
        Ok(Path { from, to, conversion, relu })
    }

    /// One element, by the formula.
    pub(super) fn apply(&self, value: u64) -> u64 {
        let mut value = value;
        if self.from != self.to {
            value = convert_one(self.from, self.to, Rounding::NearestEven, false, value).unwrap_or_default();
        }
        if self.relu {
            value = UnaryOp::Relu.apply(self.to, value).unwrap_or(value);
        }
        value
    }

    /// Moves `rows` x `cols` elements from a window of `src`, which starts at byte `from`, to one of `dst`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn run(
        &self,
        state: &mut State<'_>,
        dst: &Tile,
        to_window: Window,
        src: &Tile,
        from: usize,
        from_window: Window,
        rows: usize,
        cols: usize,
    ) {
        let target = state.live(dst).address;
        if self.conversion.is_none() && !self.relu {
            let (a, b) = (Part::new(dst, target, to_window), Part::new(src, from, from_window));
            return copy_parts(state.memory, &a, &b, rows, cols, self.from.bits());
        }
        // At the end of the spare room: a copy of the source may stand at its start.
        let result = state.spare.end - self.to.bytes(cols).next_multiple_of(64);
        let line = result - self.from.bytes(cols).next_multiple_of(64);
        let memory = &mut *state.memory;
        let relu = if self.relu { pto_kernels::map::unary(UnaryOp::Relu, self.to) } else { None };
        for i in 0..rows {
            for j in 0..cols {
                let at = src.layout.offset(from_window.row + i, from_window.col + j);
                let value = get_element(memory, from, at, self.from);
                set_element(memory, line, j, self.from, value);
            }
            let value = match &self.conversion {
                Some(conversion) => {
                    conversion.run(memory, result, line, cols);
                    result
                }
                None => line,
            };
            if let Some(relu) = relu {
                relu(memory, value, value, cols);
            }
            for j in 0..cols {
                let bits = get_element(memory, value, j, self.to);
                let at = dst.layout.offset(to_window.row + i, to_window.col + j);
                set_element(memory, target, at, self.to, bits);
            }
        }
    }
}

/// A tile from one element on.
struct Part {
    layout: Layout,
    address: usize,
    bits: usize,
    window: Window,
}

impl Part {
    fn new(tile: &Tile, address: usize, window: Window) -> Part {
        Part { layout: tile.layout, address, bits: tile.ty.element.bits() as usize, window }
    }

    fn starts_at_box(&self) -> bool {
        self.window.row.is_multiple_of(self.layout.box_rows)
            && self.window.col.is_multiple_of(self.layout.box_cols)
    }

    /// The placement from (`row`, `col`) of the window on: of the boxes if that starts one, else of one box.
    fn placement(&self, row: usize, col: usize) -> Placement {
        let (row, col) = (self.window.row + row, self.window.col + col);
        let whole = self.layout.placement(self.address);
        let offset = self.address + self.layout.offset(row, col) * self.bits / 8;
        let starts = row % self.layout.box_rows == 0 && col % self.layout.box_cols == 0;
        if starts { Placement { offset, ..whole } } else { Placement::strided(offset, whole.row, whole.col) }
    }

    /// Rows (columns) from `row` (`col`) of the window to the end of its box.
    fn rest(&self, row: usize, col: usize) -> (usize, usize) {
        let unit = |size: usize, at: usize| if size == 1 { usize::MAX } else { size - at % size };
        (unit(self.layout.box_rows, self.window.row + row), unit(self.layout.box_cols, self.window.col + col))
    }
}

fn copy_parts(memory: &mut [u8], dst: &Part, src: &Part, rows: usize, cols: usize, bits: u32) {
    if bits < 8 {
        // A window of 4-bit elements may start in the middle of a byte.
        return copy_nibbles(memory, dst, src, rows, cols);
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

fn copy_nibbles(memory: &mut [u8], dst: &Part, src: &Part, rows: usize, cols: usize) {
    for i in 0..rows {
        for j in 0..cols {
            let place = |part: &Part| part.layout.offset(part.window.row + i, part.window.col + j);
            let value = get_element(memory, src.address, place(src), Element::E2M1);
            set_element(memory, dst.address, place(dst), Element::E2M1, value);
        }
    }
}
