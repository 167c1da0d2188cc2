//! Random tile types and their spelling.

use super::layouts::{orders, unit};
use crate::Rng;
use pto::isa::{BLayout, Element, Location, Pad, Profile, SLayout, TileType};

/// A tile of a program.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) name: String,
    pub(super) ty: TileType,
    /// Valid rows, also if the type leaves them dynamic.
    pub(super) rows: u32,
    /// Valid columns.
    pub(super) cols: u32,
    pub(super) address: Option<u64>,
}

/// The type of a tile, valid as a whole and without pad value.
pub(super) fn full(ty: &TileType) -> TileType {
    TileType { valid_rows: Some(ty.rows), valid_cols: Some(ty.cols), pad: Pad::NULL, ..*ty }
}

/// A random element type; common ones are more frequent.
pub(super) fn element(rng: &mut Rng) -> Element {
    match rng.below(10) {
        0..=3 => Element::F32,
        4 => Element::F16,
        5 => Element::I32,
        6 => Element::I16,
        _ => *rng.pick(&Element::ALL),
    }
}

/// Valid rows and columns: mostly small, sometimes a line or a large tile.
pub(super) fn extents(rng: &mut Rng) -> (u32, u32) {
    let (rows, cols) = match rng.below(10) {
        0 => (1, rng.between(1, 300)),
        1 => (rng.between(1, 64), 1),
        2 => (rng.between(16, 64), rng.between(16, 64)),
        3 => (16 * rng.between(1, 2), 16 * rng.between(1, 3)),
        _ => (rng.between(1, 20), rng.between(1, 40)),
    };
    (rows as u32, cols as u32)
}

/// A tile type that holds `rows` x `cols` valid elements, in a layout of its location.
pub(super) fn holding(
    rng: &mut Rng,
    profile: Profile,
    location: Location,
    element: Element,
    rows: u32,
    cols: u32,
) -> TileType {
    let order = *rng.pick(orders(profile, location));
    ordered(rng, order, location, element, rows, cols)
}

/// A tile type of this order for `rows` x `cols` valid elements; sometimes larger than necessary.
pub(super) fn ordered(
    rng: &mut Rng,
    (blayout, slayout): (BLayout, SLayout),
    location: Location,
    element: Element,
    rows: u32,
    cols: u32,
) -> TileType {
    let fractal = if location == Location::Acc { 1024 } else { 512 };
    let ty = TileType { location, blayout, slayout, fractal, ..TileType::vec(element, rows, cols) };
    let mut more = |extent: u32| {
        let extra = [0, 0, 0, rng.between(0, 9), rng.between(0, 40)];
        extent + *rng.pick(&extra) as u32
    };
    let layout = ty.layout();
    let (row_unit, col_unit) = match (blayout, slayout) {
        (BLayout::RowMajor, SLayout::NoneBox) => (1, unit(element)),
        (BLayout::ColMajor, SLayout::NoneBox) => (unit(element), 1),
        // A vec tile may end inside a box of rows, but a view in boxes cannot.
        _ => (layout.box_rows.max(16) as u32, layout.box_cols as u32),
    };
    let single = location == Location::Bias || rows == 1 && slayout == SLayout::NoneBox;
    let rows = if single && row_unit == 1 { 1 } else { more(rows).max(1).next_multiple_of(row_unit) };
    let cols = more(cols).max(1).next_multiple_of(col_unit);
    TileType { rows, cols, ..ty }
}
