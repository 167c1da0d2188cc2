//! The conversion of elements that are moved between tiles or to memory: a copy, a conversion or a quantization,
//! then an optional relu. Shared by TMOV, TEXTRACT, TINSERT and TSTORE. Source: semantics of
//! `docs/isa/cube/fixpipe-model.md`.

use super::attribute::AttributeSpec;
use super::site::Site;
#[cfg(feature = "run")]
use {
    super::subtile::{SubTile, copy_subtile},
    crate::element::Element,
    crate::exec::reference::Reference,
    crate::exec::state::{Prepare, State, Tile},
    crate::layout::Layout,
    crate::matrix::Size,
    crate::tile::{Location, TileType},
    pto_kernels::map::{UnaryFn, UnaryFormula, unary},
    pto_kernels::quant::set_row,
    pto_kernels::{Conversion, Parameter, Parameters, Quantization, convert, convert_one, quantization},
    pto_num::{Rounding, UnaryOp, get_element, quantizes},
};

/// The source of quantization parameters.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
pub(super) enum Source {
    /// One scalar parameter, in this scalar slot.
    Scalar(usize),
    /// One parameter per column of the result, from this scaling tile.
    Columns(Tile),
}

#[derive(Clone, Copy)]
#[cfg(feature = "run")]
enum Step {
    Copy,
    Convert(Conversion),
    Quantize(Quantization, Source),
}

/// The conversion that a move applies to each element.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
pub(super) struct Path {
    from: Element,
    to: Element,
    step: Step,
    relu: Option<UnaryFn>,
}

/// The relu mode of an accumulator's elements.
pub(super) const RELU: AttributeSpec = AttributeSpec::words(
    "reluPreMode",
    "relu_pre_mode",
    &["no_relu", "normal_relu"],
    "Whether negative values become zero.",
)
.without_meaning(&["scalar_relu", "vector_relu", "pwl"])
.or_word("no_relu");

/// Whether the instruction applies relu.
pub(super) fn has_relu(site: &Site<'_>) -> bool {
    site.listed_word(RELU.name) == Some("normal_relu")
}

/// The source of quantization parameters among the operands: `q`, or a scaling tile `fp`.
#[cfg(feature = "run")]
fn parameters(prepare: &Prepare<'_>) -> Option<Source> {
    if let Some((slot, _)) = prepare.scalar_if("q") {
        return Some(Source::Scalar(slot));
    }
    let fp = prepare.tile_if("fp").filter(|tile| tile.ty.location == Location::Scaling)?;
    Some(Source::Columns(words_of(fp)))
}

/// The tile of parameters as a row of 64-bit words: the fixpipe reads such words for every element type.
#[cfg(feature = "run")]
fn words_of(tile: Tile) -> Tile {
    if tile.ty.element.bits() == 64 {
        return tile;
    }
    let words = TileType::vec(Element::U64, 1, (tile.ty.bytes() / 8) as u32);
    let ty = TileType { location: tile.ty.location, ..words };
    Tile::new(tile.slot, ty, Layout::of(&ty))
}

#[cfg(feature = "run")]
impl Path {
    /// The conversion selected by the operands and attributes.
    ///
    /// # Errors
    /// If no such conversion exists.
    pub(super) fn of(prepare: &Prepare<'_>, from: Element, to: Element) -> Result<Path, String> {
        let relu = has_relu(prepare.site);
        if let Some(source) = parameters(prepare) {
            let chosen = quantization(from, to, relu).ok_or("there is no such quantization")?;
            return Ok(Path { from, to, step: Step::Quantize(chosen, source), relu: None });
        }
        let relu = if relu { unary(UnaryOp::Relu, to) } else { None };
        if from == to || from.bits() == to.bits() && !quantizes(from, to) {
            return Ok(Path { from, to, step: Step::Copy, relu });
        }
        let chosen = convert(from, to, Rounding::NearestEven, false).ok_or("there is no such conversion")?;
        Ok(Path { from, to, step: Step::Convert(chosen), relu })
    }

    /// Whether elements are copied unchanged.
    pub(super) fn is_copy(&self) -> bool {
        matches!(self.step, Step::Copy) && self.relu.is_none()
    }

    /// Converts one element by the formula; `col` is the column of the scaling tile.
    pub(super) fn apply(&self, reference: &mut Reference<'_>, col: usize, bits: u64) -> u64 {
        let value = match &self.step {
            Step::Copy => bits,
            Step::Convert(_) => {
                convert_one(self.from, self.to, Rounding::NearestEven, false, bits).unwrap_or_default()
            }
            Step::Quantize(chosen, Source::Scalar(slot)) => {
                chosen.one(Parameter::scalar(reference.state().scalars[*slot]), bits)
            }
            Step::Quantize(chosen, Source::Columns(tile)) => {
                chosen.one(Parameter::column(reference.get(tile, 0, col)), bits)
            }
        };
        if self.relu.is_some() { UnaryOp::Relu.apply(self.to, value).unwrap_or(value) } else { value }
    }

    /// Whether the scaling tile has parameters for all columns below `end`.
    pub(super) fn has_columns(&self, end: usize) -> bool {
        match &self.step {
            Step::Quantize(_, Source::Columns(tile)) => end <= tile.cols(),
            _ => true,
        }
    }

    /// The parameters of `cols` columns from `first`; per-column parameters are copied to a row at byte `at`.
    fn parameters(&self, state: &mut State<'_>, first: usize, cols: usize, at: usize) -> Parameters {
        match &self.step {
            Step::Quantize(_, Source::Columns(tile)) => {
                let base = state.live(tile).address;
                for col in 0..cols {
                    let offset = tile.layout.offset(0, first + col);
                    let bits = get_element(state.memory, base, offset, tile.ty.element);
                    set_row(state.memory, at + col * 8, std::iter::once(bits));
                }
                Parameters::Row { at, columns: cols }
            }
            Step::Quantize(_, Source::Scalar(slot)) => {
                Parameters::One(Parameter::scalar(state.scalars[*slot]))
            }
            _ => Parameters::One(Parameter::scalar(0)),
        }
    }

    /// Converts the elements of the first `size` of a subtile, writes them to spare memory after byte `behind`,
    /// row-major, and returns their address. `first`: column of the scaling tile for the first converted column.
    pub(super) fn stage(
        &self,
        state: &mut State<'_>,
        src: &SubTile,
        size: Size,
        first: usize,
        behind: usize,
    ) -> usize {
        let Size { rows, cols } = size;
        let count = size.elements();
        let values = behind.next_multiple_of(64);
        let results = (values + self.from.bytes(count)).next_multiple_of(64);
        let row = (results + self.to.bytes(count)).next_multiple_of(64);
        let parameters = self.parameters(state, first, cols, row);
        let memory = &mut *state.memory;
        let plain = SubTile::plain(values, rows, cols, self.from.bits());
        copy_subtile(memory, &plain, src, rows, cols);
        let results = match &self.step {
            Step::Copy => values,
            Step::Convert(conversion) => {
                conversion.run(memory, results, values, count);
                results
            }
            Step::Quantize(chosen, _) => {
                chosen.run(memory, results, values, &parameters, count);
                results
            }
        };
        if let Some(relu) = self.relu {
            relu(memory, results, results, count);
        }
        results
    }
}
