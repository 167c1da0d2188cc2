//! TMOV from ND or DN scales to ZZ: contiguous boxes of 16 x 2 bytes.
//!
//! Along axis1 rows and columns are those of the destination, and the source is read as a compact sequence of as many elements.

use crate::op::effect::{Count, Effect, Extent};
use crate::op::site::Site;
use crate::profile::{A5_ONLY, Profile};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Fault, Prepare, State, Tile},
    pto_num::{get_element, set_element},
};

/// A move of scales to the layout of MX operands.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
pub(super) struct Zz {
    dst: Tile,
    src: Tile,
    /// Whether the source is transposed: it holds the matrix's columns as rows (`grpAxis = axis0`).
    turned: bool,
    /// Whether the bytes of the source for the padding rows of the destination become zero.
    clears: bool,
}

/// Profiles that clear the source up to the last box.
const CLEARS: &[Profile] = A5_ONLY;

/// Whether a use groups along rows.
pub(super) fn is_turned(site: &Site<'_>) -> bool {
    site.word("grpAxis") == Some("axis0")
}

/// The effects of a use.
pub(super) fn effects(site: &Site<'_>) -> Vec<Effect> {
    const BOXES: &str = "boxes of 16 rows of the source are written";
    const CLEARED: &str = "the bytes after the scales become zero, up to 16 rows";
    let Some(dst) = site.tile("dst") else { return Vec::new() };
    if is_turned(site) {
        let size = site.tile("src").and_then(|src| src.rows.zip(src.cols));
        let written = match size {
            Some((rows, cols)) => leading("dst", u64::from(rows) * u64::from(cols)),
            None => Effect::writes_parts("dst", BOXES).of(Extent::Storage),
        };
        return vec![Effect::reads("src"), written];
    }
    let Some((rows, cols)) = dst.rows.zip(dst.cols) else {
        let mut effects = vec![Effect::reads("src"), Effect::destroys("tmp")];
        if CLEARS.contains(&site.profile) {
            effects.push(Effect::writes_parts("src", CLEARED).of(Extent::Storage));
        }
        effects.push(Effect::writes_parts("dst", BOXES).of(Extent::Storage));
        return effects;
    };
    let mut effects = vec![Effect::destroys("tmp"), leading("dst", bytes(rows, cols))];
    let few = u64::from(rows) * u64::from(cols);
    if !CLEARS.contains(&site.profile) {
        effects.insert(0, Effect::reads("src").loosely("only the first elements are read"));
        return effects;
    }
    let count = |number: u64| Extent::Leading(Count::Fixed(number.min(u64::from(u32::MAX)) as u32));
    effects.insert(0, Effect::reads("src").of(count(few)));
    if bytes(rows, cols) > few {
        effects.insert(2, Effect::writes_parts("src", CLEARED).of(count(bytes(rows, cols))));
    }
    effects
}

/// The write of the first bytes of a tile.
fn leading(role: &'static str, bytes: u64) -> Effect {
    Effect::writes(role).of(Extent::Leading(Count::Fixed(bytes.min(u64::from(u32::MAX)) as u32)))
}

/// Bytes in ZZ layout of `rows` x `cols` scales; rows are padded to a multiple of 16.
pub(super) fn bytes(rows: u32, cols: u32) -> u64 {
    u64::from(rows).next_multiple_of(16) * u64::from(cols)
}

/// The offset of an element of a matrix with `cols` columns: boxes in row-major order, each box row-major.
fn place(cols: usize, row: usize, col: usize) -> usize {
    ((row / 16 * (cols / 2) + col / 2) * 16 + row % 16) * 2 + col % 2
}

/// The matrix of scales that a use moves.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
struct Matrix {
    rows: usize,
    cols: usize,
    /// Rows that are written: whole boxes of 16.
    filled: usize,
}

#[cfg(feature = "run")]
impl Zz {
    /// The move, if the operands describe a move to ZZ.
    ///
    /// # Errors
    /// If an operand is missing.
    pub(super) fn of(prepare: &Prepare<'_>) -> Result<Option<Zz>, String> {
        if prepare.tile_if("tmp").is_none() {
            return Ok(None);
        }
        let turned = is_turned(prepare.site);
        let clears = !turned && CLEARS.contains(&prepare.profile());
        Ok(Some(Zz { dst: prepare.tile("dst")?, src: prepare.tile("src")?, turned, clears }))
    }

    /// The matrix of scales.
    fn matrix(&self, state: &State<'_>) -> Result<Matrix, Fault> {
        let (from, to) = (state.live(&self.src), state.live(&self.dst));
        let (rows, cols) = if self.turned { (from.cols, from.rows) } else { (to.rows, to.cols) };
        let count = |rows: u32, cols: u32| u64::from(rows) * u64::from(cols);
        let need = bytes(rows, cols);
        let short = need > self.dst.ty.bytes() as u64 || self.clears && need > self.src.ty.bytes() as u64;
        if cols % 2 == 1 || short || count(from.rows, from.cols) < count(rows, cols) {
            return Err(Fault::Rule);
        }
        let (rows, cols) = (rows as usize, cols as usize);
        Ok(Matrix { rows, cols, filled: rows.next_multiple_of(16) })
    }

    /// The row and column in the source, of which `wide` columns are valid, of element (`row`, `col`) of a matrix with `cols` columns.
    fn source(&self, wide: usize, cols: usize, row: usize, col: usize) -> (usize, usize) {
        if self.turned {
            return (col, row);
        }
        let number = row * cols + col;
        (number / wide, number % wide)
    }

    /// Clears the bytes of the source after the last scale, to the end of the last box, if the profile does so.
    fn clear(&self, state: &mut State<'_>, matrix: Matrix) {
        if self.clears {
            let Matrix { rows, cols, filled } = matrix;
            let at = state.live(&self.src).address;
            state.memory[at + rows * cols..at + filled * cols].fill(0);
        }
    }

    /// Moves by the formula.
    ///
    /// # Errors
    /// If the destination is too small, or the number of columns is odd.
    pub(super) fn by_formula(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let matrix = self.matrix(reference.state())?;
        let Matrix { rows, cols, filled } = matrix;
        let wide = reference.valid(&self.src).cols;
        let base = reference.state().live(&self.dst).address;
        for i in 0..filled {
            for j in 0..cols {
                let (row, col) = self.source(wide, cols, i, j);
                let value = if i < rows { reference.get(&self.src, row, col) } else { 0 };
                set_element(reference.state().memory, base, place(cols, i, j), self.dst.ty.element, value);
            }
        }
        self.clear(reference.state(), matrix);
        Ok(())
    }

    /// Moves blocks of elements; equivalent to [`Zz::by_formula`].
    ///
    /// # Errors
    /// As for [`Zz::by_formula`].
    pub(super) fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let matrix = self.matrix(state)?;
        let Matrix { rows, cols, filled } = matrix;
        let wide = state.live(&self.src).cols as usize;
        let [mut from] = state.unalias(&self.dst, [&self.src]);
        let base = state.live(&self.dst).address;
        if from == base {
            state.memory.copy_within(from..from + self.src.bytes(), state.spare.start);
            from = state.spare.start;
        }
        for i in 0..filled {
            for j in 0..cols {
                let (row, col) = self.source(wide, cols, i, j);
                let value = if i < rows {
                    get_element(state.memory, from, self.src.layout.offset(row, col), self.src.ty.element)
                } else {
                    0
                };
                set_element(state.memory, base, place(cols, i, j), self.dst.ty.element, value);
            }
        }
        self.clear(state, matrix);
        Ok(())
    }
}
