//! TMOV from ND or DN scales to ZZ: contiguous boxes of 16 x 2 bytes.

#[cfg(feature = "run")]
use {
    super::zz_rules::is_flat,
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
}

/// The layout of the matrix in the source.
#[derive(Clone, Copy)]
enum Order {
    Straight,
    Turned,
    /// All rows in a single row.
    Flat,
}

impl Order {
    /// The row and column in the source of an element of a matrix with `cols` columns.
    fn source(self, cols: usize, row: usize, col: usize) -> (usize, usize) {
        match self {
            Order::Straight => (row, col),
            Order::Turned => (col, row),
            Order::Flat => (0, row * cols + col),
        }
    }
}

/// Bytes in ZZ layout of `rows` x `cols` scales; rows are padded to a multiple of 16.
pub(super) fn bytes(rows: u32, cols: u32) -> u64 {
    u64::from(rows).next_multiple_of(16) * u64::from(cols)
}

/// The offset of an element of a matrix with `cols` columns: boxes in row-major order, each box row-major.
fn place(cols: usize, row: usize, col: usize) -> usize {
    ((row / 16 * (cols / 2) + col / 2) * 16 + row % 16) * 2 + col % 2
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
        let turned = prepare.site.word("grpAxis") == Some("axis0");
        Ok(Some(Zz { dst: prepare.tile("dst")?, src: prepare.tile("src")?, turned }))
    }

    /// Rows, columns and padded rows of the matrix, and its layout in the source.
    fn size(&self, state: &State<'_>) -> Result<(usize, usize, usize, Order), Fault> {
        let (from, to) = (state.live(&self.src), state.live(&self.dst));
        let (rows, cols, order) = match self.turned {
            true => (from.cols, from.rows, Order::Turned),
            false if is_flat((from.rows, from.cols), (to.rows, to.cols)) => (to.rows, to.cols, Order::Flat),
            false => (from.rows, from.cols, Order::Straight),
        };
        if cols % 2 == 1 || bytes(rows, cols) > self.dst.ty.bytes() as u64 {
            return Err(Fault::Rule);
        }
        Ok((rows as usize, cols as usize, (rows as usize).next_multiple_of(16), order))
    }

    /// Moves by the formula.
    ///
    /// # Errors
    /// If the destination is too small, or the number of columns is odd.
    pub(super) fn by_formula(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (rows, cols, filled, order) = self.size(reference.state())?;
        let base = reference.state().live(&self.dst).address;
        for i in 0..filled {
            for j in 0..cols {
                let (row, col) = order.source(cols, i, j);
                let value = if i < rows { reference.get(&self.src, row, col) } else { 0 };
                set_element(reference.state().memory, base, place(cols, i, j), self.dst.ty.element, value);
            }
        }
        Ok(())
    }

    /// Moves blocks of elements; equivalent to [`Zz::by_formula`].
    ///
    /// # Errors
    /// As for [`Zz::by_formula`].
    pub(super) fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (rows, cols, filled, order) = self.size(state)?;
        let [mut from] = state.unalias(&self.dst, [&self.src]);
        let base = state.live(&self.dst).address;
        if from == base {
            state.memory.copy_within(from..from + self.src.bytes(), state.spare.start);
            from = state.spare.start;
        }
        for i in 0..filled {
            for j in 0..cols {
                let (row, col) = order.source(cols, i, j);
                let value = if i < rows {
                    get_element(state.memory, from, self.src.layout.offset(row, col), self.src.ty.element)
                } else {
                    0
                };
                set_element(state.memory, base, place(cols, i, j), self.dst.ty.element, value);
            }
        }
        Ok(())
    }
}
