//! TSCATTER by indices.

use super::index::covers;
use super::tscatter::SOURCE;
use crate::diag::Severity;
use crate::element::element_word;
use crate::op::common::{agree, valid_regions, vec_row_major};
use crate::op::site::Check;
use crate::profile::Profile;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::index::{Indexed, clear, in_memory},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    pto_num::{get_element, set_element},
};

const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "Indices are integers of 4 bytes for elements of 4 (or 8), else of 2 bytes; any integers in the simulator.",
    SOURCE,
)
.because("The device pairs each element with an index of the same size.")
.instead("Declare the index tile with integers of the size in the statement.");
const INDEX_SHAPE: Rule = Rule::new(
    "index-shape",
    "The index tile has one valid element for each valid element of the source, and no others: the page walks over the \
     source, the headers over the indices.",
    "docs/isa/tile/ops/irregular-and-complex/tscatter.md; include/pto/npu/{a2a3,a5}/TScatter.hpp",
)
.because("An element without an index is lost; an index without an element moves undefined bytes.")
.instead("Give the index tile the source's valid region.")
.weighing(&[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)]);
const INDEX_RANGE: Rule = Rule::new(
    "index-range",
    "An index names an element of the destination; devices check no bounds.",
    SOURCE,
)
.because("A device writes to bytes of other tiles.")
.instead("Clamp the indices to the destination, or give it a larger shape.");
const CONFLICT: Rule = Rule::new("index-conflict", "No two elements go to one place.", SOURCE)
    .because("Which value remains depends on the order in which the device writes.")
    .instead("Make the indices distinct, or combine the elements before the scatter.")
    .lint();

/// Rules of the form by indices.
pub(super) const RULES: &[&Rule] = &[&INDEX_TYPE, &INDEX_SHAPE, &INDEX_RANGE, &CONFLICT];

/// Checks the form by indices.
pub(super) fn check(check: &mut Check<'_>) {
    vec_row_major(check, "idx");
    let (src, idx) = (check.tile("src"), check.tile("idx"));
    let index = idx.element();
    let bits = match src.element().bits() {
        64 | 32 => 32,
        _ => 16,
    };
    let fits = index.is_integer() && (index.bits() == bits || !check.profile().is_device());
    check.require(&INDEX_TYPE, "idx", fits, |check| {
        let (have, data) = (element_word(index), element_word(src.element()));
        format!("{} holds {have} beside {data}", check.name("idx"))
    });
    if covers(check, &INDEX_SHAPE, "idx", "src") {
        let same = agree(src.rows, idx.rows) && agree(src.cols, idx.cols);
        check.judge(Severity::Lint, &INDEX_SHAPE, "idx", same, |check| valid_regions(check, "idx", "src"));
    }
}

/// The operands of the form by indices.
#[cfg(feature = "run")]
struct Scatter(Indexed);

#[cfg(feature = "run")]
impl Scatter {
    fn of(prepare: &Prepare<'_>) -> Result<Scatter, String> {
        Indexed::of(prepare, "dst").map(Scatter)
    }

    /// The element of the destination that the index at a position selects.
    fn target(&self, bits: u64, at: Position) -> Result<Position, Fault> {
        self.0.named(&INDEX_RANGE, &self.0.dst, in_memory, bits, at)
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let Indexed { dst, src, idx, .. } = &self.0;
        let mut free = state.spare.start;
        let [from, table] = state.apart_from([dst], [src, idx], &mut free);
        clear(state, dst);
        let (source, address) = (state.live(src), state.live(dst).address);
        let mut taken = Taken::new(state, free, dst);
        let places = self.0.places(dst);
        for i in 0..source.rows as usize {
            for j in 0..source.cols as usize {
                let bits = get_element(state.memory, table, idx.layout.offset(i, j), idx.ty.element);
                let place = if bits < places {
                    bits as usize
                } else {
                    let to = self.target(bits, Position { row: i, col: j })?;
                    dst.layout.offset(to.row, to.col)
                };
                let value = get_element(state.memory, from, src.layout.offset(i, j), src.ty.element);
                set_element(state.memory, address, place, dst.ty.element, value);
                if taken.again(state, place) && state.lint.is_none() {
                    let ([idx, to], Position { row, col }) = (&self.0.names, dst.layout.place(place));
                    let message = format!(
                        "`%{idx}` names element ({row}, {col}) of `%{to}` in element ({i}, {j}) and before"
                    );
                    state.lint = Some((&CONFLICT, message));
                }
            }
        }
        Ok(())
    }
}

/// A bitmap in spare memory of the elements of a tile that were written.
struct Taken {
    start: usize,
    bytes: usize,
}

impl Taken {
    #[cfg(feature = "run")]
    fn new(state: &mut State<'_>, free: usize, tile: &Tile) -> Taken {
        let bytes = (tile.layout.rows * tile.layout.cols).div_ceil(8);
        // If spare memory is too small, nothing is recorded.
        let bytes = if free + bytes <= state.spare.end { bytes } else { 0 };
        state.memory[free..free + bytes].fill(0);
        Taken { start: free, bytes }
    }

    /// Records an element; returns whether it was recorded before.
    #[cfg(feature = "run")]
    fn again(&mut self, state: &mut State<'_>, place: usize) -> bool {
        if place / 8 >= self.bytes {
            return false;
        }
        let byte = &mut state.memory[self.start + place / 8];
        let bit = 1 << (place % 8);
        let again = *byte & bit != 0;
        *byte |= bit;
        again
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let scatter = Scatter::of(reference.prepare()).map_err(Fault::Other)?;
    let Indexed { dst, src, idx, .. } = &scatter.0;
    for i in 0..dst.rows() {
        for j in 0..dst.cols() {
            reference.set(dst, i, j, 0);
        }
    }
    let Size { rows, cols } = reference.valid(src);
    for i in 0..rows {
        for j in 0..cols {
            let to = scatter.target(reference.get(idx, i, j), Position { row: i, col: j })?;
            let value = reference.get(src, i, j);
            reference.set(dst, to.row, to.col, value);
        }
    }
    Ok(())
}

/// The form, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let scatter = Scatter::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| scatter.run(state)))
}
