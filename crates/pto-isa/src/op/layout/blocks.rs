//! Whole blocks: elements outside the valid region that devices move to an NZ tile.
//!
//! The fixpipe writes blocks of 32 bytes, so columns up to the next multiple of a block are moved too, and so does TINSERT
//! from UB on A5. TINSERT of an accumulator on A2/A3 moves all declared rows, a split TINSERT on A5 rows up to a multiple
//! of 16 (`include/pto/npu/{a2a3,a5}/TInsert.hpp`).

use crate::layout::{LayoutName, c0};
#[cfg(feature = "run")]
use crate::matrix::Size;
use crate::op::effect::{Count, Effect, Extent, Target};
use crate::op::site::Site;
use crate::profile::{A2A3_ONLY, A5_ONLY, Profile};
use crate::tile::Location;
#[cfg(feature = "run")]
use {super::moving::Moved, crate::exec::state::Tile};

/// The extension of a move to whole blocks.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Columns per block.
    unit: u32,
    rows: Rows,
}

/// The rows that are moved with a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// The valid ones.
    Valid,
    /// All declared ones of the source.
    Declared,
    /// The valid ones, rounded up to a box.
    Boxes,
}

/// Rows of a box.
const BOX: u32 = 16;

/// Profiles that insert all declared rows of an accumulator.
const INSERTS_ALL_ROWS: &[Profile] = A2A3_ONLY;

/// Profiles that insert whole blocks of an NZ vec tile.
const INSERTS_BLOCKS: &[Profile] = A5_ONLY;

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
        if moves_blocks {
            return Some(Blocks { unit, rows: if all_rows { Rows::Declared } else { Rows::Valid } });
        }
        let boxes = src.layout().name == LayoutName::Nz && dst.layout().name == LayoutName::Nz;
        let from_ub = INSERTS_BLOCKS.contains(&site.profile) && src.location() == Location::Vec && boxes;
        if !from_ub || !inserts(site) {
            return None;
        }
        let split = site.attribute("tinsertMode").is_some();
        Some(Blocks { unit, rows: if split { Rows::Boxes } else { Rows::Valid } })
    }

    /// The moved extent, extended to whole blocks as far as both tiles allow.
    #[cfg(feature = "run")]
    pub(super) fn completed(self, extent: &Moved, src: &Tile, dst: &Tile) -> Moved {
        let Size { rows, cols } = extent.size;
        if extent.size.is_empty() {
            return *extent;
        }
        let room = |from: usize, to: usize, [src, dst]: [usize; 2]| (src - from).min(dst - to);
        let wide = cols.next_multiple_of(self.unit as usize);
        let wide = wide.min(room(extent.from.col, extent.to.col, [src.cols(), dst.cols()]));
        let high = room(extent.from.row, extent.to.row, [src.rows(), dst.rows()]);
        let tall = match self.rows {
            Rows::Valid => rows,
            Rows::Declared => high,
            Rows::Boxes => rows.next_multiple_of(BOX as usize).min(high),
        };
        Moved { size: Size { rows: tall, cols: wide }, ..*extent }
    }

    /// Extends an effect from the valid region to whole blocks; only the valid region must hold values.
    pub(super) fn effect(self, effect: Effect) -> Effect {
        let Target::Operand(role, extent) = effect.target else { return effect };
        let rows = |rows: Count| match rows {
            Count::Valid if self.rows == Rows::Declared => Count::Declared,
            Count::Valid if self.rows == Rows::Boxes => Count::RoundedUp(BOX),
            Count::Rows(of) if self.rows == Rows::Declared => Count::DeclaredRows(of),
            Count::Rows(of) if self.rows == Rows::Boxes => Count::RoundedRows(of, BOX),
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
        let why =
            effect.loose.unwrap_or("columns up to the end of a block, and rows, are moved with any contents");
        Effect { target: Target::Operand(role, wide), loose: Some(why), ..effect }.holding(extent)
    }
}

/// Whether the instruction writes a window of its destination.
fn inserts(site: &Site<'_>) -> bool {
    let mut effects = site.instruction.page().effects.iter();
    effects.any(|effect| matches!(effect.target, Target::Operand("dst", Extent::Window(..))))
}
