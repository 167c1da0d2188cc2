//! Code shared by TQUANT and TDEQUANT: a scale and an offset per row.

use crate::element::{Element, element_word};
use crate::op::common::agree;
use crate::op::site::Check;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::shared::byte_of,
    crate::exec::reference::Reference,
    crate::exec::state::{State, Tile},
    pto_kernels::affine::Affine,
    pto_num::get_element,
};

pub(super) const PARAMETERS: Rule = Rule::new(
    "parameters",
    "Scale and offset are f32 tiles with a valid row for each row of the destination and at least one valid column.",
    "docs/isa/TDEQUANT.md, docs/isa/TQUANT.md",
)
.because("Each row is scaled by its own parameter, read from the first column.")
.instead("Declare f32 tiles with the destination's valid rows and at least one valid column.");

/// Checks a tile of parameters.
pub(super) fn check(check: &mut Check<'_>, role: &'static str) {
    if check.site.operand(role).is_none() {
        return;
    }
    let (tile, dst) = (check.tile(role), check.tile("dst"));
    let fits = tile.element() == Element::F32 && agree(tile.rows, dst.rows) && tile.cols != Some(0);
    check.require(&PARAMETERS, role, fits, |check| {
        format!(
            "{} holds {}x{}, {} has {} valid elements",
            check.name(role),
            tile.valid_text(),
            element_word(tile.element()),
            check.name("dst"),
            dst.valid_text()
        )
    });
}

/// The parameters of an element, by the formula; columns after the last parameter column use the last one.
#[cfg(feature = "run")]
pub(super) fn of_element(reference: &Reference<'_>, row: usize, col: usize) -> Affine {
    let value = |tile: &Tile| {
        let last = reference.valid(tile).cols.saturating_sub(1);
        f32::from_bits(reference.get(tile, row, col.min(last)) as u32)
    };
    Affine {
        scale: value(&reference.tile("scale")),
        offset: reference.tile_if("offset").map(|tile| value(&tile)),
    }
}

/// Tiles of parameters and their addresses.
#[cfg(feature = "run")]
pub(super) struct Parameters<'a> {
    pub(super) scale: (&'a Tile, usize),
    pub(super) offset: Option<(&'a Tile, usize)>,
}

#[cfg(feature = "run")]
impl Parameters<'_> {
    /// Number of columns with their own parameters.
    fn columns(&self, state: &State<'_>) -> usize {
        let tiles = [Some(self.scale), self.offset].into_iter().flatten();
        tiles.map(|(tile, _)| state.live(tile).cols as usize).max().unwrap_or(1)
    }

    /// The parameters of an element.
    fn at(&self, state: &State<'_>, row: usize, col: usize) -> Affine {
        let value = |(tile, base): (&Tile, usize)| {
            let last = (state.live(tile).cols as usize).saturating_sub(1);
            let at = byte_of(tile, base, row, col.min(last));
            f32::from_bits(get_element(state.memory, at, 0, Element::F32) as u32)
        };
        Affine { scale: value(self.scale), offset: self.offset.map(value) }
    }

    /// Calls `run` with the first column, the number of columns and the parameters, for each range of a row with
    /// equal parameters.
    pub(super) fn stretches(
        &self,
        state: &mut State<'_>,
        row: usize,
        cols: usize,
        mut run: impl FnMut(&mut State<'_>, usize, usize, Affine),
    ) {
        let own = self.columns(state).saturating_sub(1).min(cols);
        for col in 0..own {
            let affine = self.at(state, row, col);
            run(state, col, 1, affine);
        }
        if own < cols {
            let affine = self.at(state, row, own);
            run(state, own, cols - own, affine);
        }
    }
}
