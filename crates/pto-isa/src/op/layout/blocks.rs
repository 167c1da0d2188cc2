//! Whole blocks: elements outside the valid region that devices move from an accumulator to an NZ mat tile.
//!
//! The fixpipe writes blocks of 32 bytes, so columns up to the next multiple of a block are moved too. TINSERT on
//! A2/A3 moves all declared rows (`include/pto/npu/a2a3/TInsert.hpp`).

use crate::layout::{LayoutName, c0};
use crate::op::effect::{Count, Effect, Extent, Target};
use crate::op::site::Site;
use crate::profile::{A2A3_ONLY, Profile};
use crate::tile::Location;
#[cfg(feature = "run")]
use {super::moving::Moved, crate::exec::state::Tile};

/// The extension of a move to whole blocks.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Columns per block.
    unit: u32,
    /// Whether all declared rows of the source are moved.
    all_rows: bool,
}

/// Profiles that insert all declared rows of an accumulator.
const INSERTS_ALL_ROWS: &[Profile] = A2A3_ONLY;

impl Blocks {
    /// The blocks of a use that moves whole blocks; `None` if the accumulator or the row of parameters ends within
    /// a block.
    pub(super) fn of(site: &Site<'_>) -> Option<Blocks> {
        let (src, dst) = (site.tile("src")?, site.tile("dst")?);
        let to_boxes = (src.location(), dst.location()) == (Location::Acc, Location::Mat)
            && dst.layout().name == LayoutName::Nz;
        let unit = c0(dst.element());
        let whole = |role: &str| site.tile(role).is_none_or(|tile| tile.ty.cols.is_multiple_of(unit));
        let moves_blocks = site.profile.is_device() && to_boxes && whole("src") && whole("fp");
        let all_rows = INSERTS_ALL_ROWS.contains(&site.profile) && inserts(site);
        moves_blocks.then_some(Blocks { unit, all_rows })
    }

    /// The moved extent, extended to whole blocks as far as both tiles allow.
    #[cfg(feature = "run")]
    pub(super) fn completed(self, extent: &Moved, src: &Tile, dst: &Tile) -> Moved {
        let (rows, cols) = extent.size;
        if rows == 0 || cols == 0 {
            return *extent;
        }
        let room = |from: usize, to: usize, [src, dst]: [usize; 2]| (src - from).min(dst - to);
        let wide = cols.next_multiple_of(self.unit as usize);
        let wide = wide.min(room(extent.from.col, extent.to.col, [src.cols(), dst.cols()]));
        let high = room(extent.from.row, extent.to.row, [src.rows(), dst.rows()]);
        Moved { size: (if self.all_rows { high } else { rows }, wide), ..*extent }
    }

    /// Extends an effect from the valid region to whole blocks; only the valid region must hold values.
    pub(super) fn effect(self, effect: Effect) -> Effect {
        let Target::Operand(role, extent) = effect.target else { return effect };
        let rows = |rows: Count| match rows {
            Count::Valid if self.all_rows => Count::Declared,
            Count::Rows(of) if self.all_rows => Count::DeclaredRows(of),
            _ => rows,
        };
        let cols = |cols: Count| match cols {
            Count::Valid => Count::Blocks(role, self.unit),
            Count::Cols(of) => Count::Blocks(of, self.unit),
            _ => cols,
        };
        let wide = match extent {
            Extent::Rect(r, c) => Extent::Rect(rows(r), cols(c)),
            Extent::Window(r, c, at) => Extent::Window(rows(r), cols(c), at),
            _ => return effect,
        };
        let why = effect
            .loose
            .unwrap_or("columns up to the end of a block, and rows, are moved whatever they hold");
        Effect { target: Target::Operand(role, wide), loose: Some(why), ..effect }.holding(extent)
    }
}

/// Whether the instruction writes a window of its destination.
fn inserts(site: &Site<'_>) -> bool {
    let mut effects = site.instruction.page().effects.iter();
    effects.any(|effect| matches!(effect.target, Target::Operand("dst", Extent::Window(..))))
}
