//! Moves of pairs of 4-bit values to left and right tiles that pack the other direction.
//!
//! A tile packs pairs along its contiguous direction: an NZ tile along its rows, a ZN tile down its columns. A transposing move
//! keeps each value at its row and column, so the extents of both tiles are compared in values. Source:
//! `include/pto/npu/a5/TExtract.hpp`, TMov.hpp.

use crate::op::effect::{Count, Effect, Extent};
use crate::op::site::{Site, TileFact};
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::moving::offsets,
    super::moving::start,
    crate::exec::reference::Reference,
    crate::exec::state::{Fault, Prepare, State, Tile},
    crate::matrix::Size,
    pto_num::{get_value, set_value},
};

/// Values per element down a column and along a row of a tile.
fn packing(tile: &TileFact) -> [u32; 2] {
    tile.layout().values(tile.element()).map(|count| count as u32)
}

/// Extents of the destination in the elements of the source.
pub(super) fn in_source(src: &TileFact, dst: &TileFact, extents: [Option<u32>; 2]) -> [Option<u32>; 2] {
    let (from, to) = (packing(src), packing(dst));
    [0, 1].map(|at| extents[at].map(|extent| extent.saturating_mul(to[at]).div_ceil(from[at])))
}

/// Whether a use moves pairs into a tile that packs the other direction.
pub(super) fn turns_pairs(site: &Site<'_>) -> bool {
    let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return false };
    src.element().is_packed()
        && src.element() == dst.element()
        && src.location() == Location::Mat
        && matches!(dst.location(), Location::Left | Location::Right)
        && packing(src) != packing(dst)
}

/// The effects of such a use: the declared destination is written, and as many values of the source are read.
pub(super) fn effects(site: &Site<'_>) -> Vec<Effect> {
    let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return Vec::new() };
    let [rows, cols] = in_source(src, dst, [Some(dst.ty.rows), Some(dst.ty.cols)]);
    let count = |extent: Option<u32>| Count::Fixed(extent.unwrap_or(0));
    let read = Extent::Window(count(rows), count(cols), ["row", "col"]);
    vec![
        Effect::reads("src").of(read).holding(Extent::VALID),
        Effect::writes("dst").of(Extent::DECLARED).holding(Extent::VALID),
    ]
}

/// Such a move, ready to run.
#[cfg(feature = "run")]
pub(super) struct Repack {
    src: Tile,
    dst: Tile,
}

#[cfg(feature = "run")]
impl Repack {
    /// The move of a use; `None` if elements are moved whole.
    ///
    /// # Errors
    /// If an operand is missing.
    pub(super) fn of(prepare: &Prepare<'_>) -> Result<Option<Repack>, String> {
        if !turns_pairs(prepare.site) {
            return Ok(None);
        }
        Ok(Some(Repack { src: prepare.tile("src")?, dst: prepare.tile("dst")? }))
    }

    /// Rows and columns in values, and the first row and column in values of the source, whose offsets count elements.
    fn window(&self, state: &State<'_>, prepare: [Option<usize>; 2]) -> Result<[usize; 4], Fault> {
        let [down, along] = self.src.layout.values(self.src.ty.element);
        let (row, col) = start(state, prepare);
        let at = |offset: u64, unit: usize| usize::try_from(offset).ok()?.checked_mul(unit);
        let (row, col) = at(row, down).zip(at(col, along)).ok_or(Fault::Rule)?;
        let Size { rows, cols } = self.dst.values_in(self.dst.size());
        let Size { rows: tall, cols: wide } = self.src.values_in(self.src.size());
        let inside = |first: usize, count: usize, limit: usize| {
            first.checked_add(count).is_some_and(|end| end <= limit)
        };
        if inside(row, rows, tall) && inside(col, cols, wide) {
            Ok([rows, cols, row, col])
        } else {
            Err(Fault::Rule)
        }
    }

    /// Moves by the formula.
    ///
    /// # Errors
    /// [`Fault::Rule`] if the window leaves the source.
    pub(super) fn by_formula(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let offsets = offsets(reference.prepare());
        let [rows, cols, row, col] = self.window(reference.state(), offsets)?;
        for i in 0..rows {
            for j in 0..cols {
                let value = reference.get_value(&self.src, row + i, col + j);
                reference.set_value(&self.dst, i, j, value);
            }
        }
        Ok(())
    }

    /// Moves.
    ///
    /// # Errors
    /// [`Fault::Rule`] if the window leaves the source.
    pub(super) fn run(&self, state: &mut State<'_>, offsets: [Option<usize>; 2]) -> Result<(), Fault> {
        let [rows, cols, row, col] = self.window(state, offsets)?;
        let (from, to) = (state.live(&self.src).address, state.live(&self.dst).address);
        let element = self.src.ty.element;
        let (source, target) = (self.src.layout.of_values(element), self.dst.layout.of_values(element));
        for i in 0..rows {
            for j in 0..cols {
                let value = get_value(state.memory, from, source.offset(row + i, col + j), element);
                set_value(state.memory, to, target.offset(i, j), element, value);
            }
        }
        Ok(())
    }
}
