//! Matching layouts of tiles and of the views that they are loaded from.

use crate::Rng;
use pto::isa::{BLayout, Element, LayoutName, Location, Profile, SLayout, TileType};

/// A view for a tile: extents, strides, the word of its layout, and the number of elements that it spans.
pub(super) struct GlobalShape {
    pub(super) shape: Vec<u64>,
    pub(super) strides: Vec<u64>,
    pub(super) layout: &'static str,
    pub(super) elements: u64,
}

/// Number of elements in 32 bytes.
pub(super) fn unit(element: Element) -> u32 {
    256 / element.bits()
}

/// A view with the declared rows and columns of a tile, in a layout that every profile accepts.
pub(super) fn global_shape(rng: &mut Rng, tile: &TileType) -> GlobalShape {
    let (rows, cols) = (u64::from(tile.rows), u64::from(tile.cols));
    // Rows of a packed format end at whole bytes.
    let gap = if rng.chance(25) { 2 * rng.between(1, 4) as u64 } else { 0 };
    let name = tile.layout().name;
    if tile.location == Location::Mat && tile.fractal == 32 {
        return scales(rng, name, rows, cols);
    }
    let nz = name == LayoutName::Nz && tile.fractal == 512 && rows % 16 == 0;
    match (tile.location, name) {
        (Location::Vec, LayoutName::Nz) if nz => boxes(tile),
        (Location::Mat, LayoutName::Nz) if nz && rng.chance(30) => boxes(tile),
        (Location::Vec, LayoutName::Dn) | (Location::Mat, LayoutName::Dn | LayoutName::Zn) => {
            let strides = vec![1, rows + gap];
            GlobalShape { shape: vec![rows, cols], strides, layout: "dn", elements: (rows + gap) * cols }
        }
        // Loads into boxes take one matrix.
        _ if name == LayoutName::Nd && rng.chance(25) && rows % 2 == 0 => {
            // One matrix with its rows in two dimensions and a larger stride of the outer one.
            let (inner, row) = (rows / 2, cols + gap);
            let shape = vec![1, 1, 2, inner, cols];
            let strides = vec![(rows + 2) * row, (rows + 2) * row, (inner + 1) * row, row, 1];
            GlobalShape { shape, strides, layout: "nd", elements: (rows + 2) * row }
        }
        _ => {
            let strides = vec![cols + gap, 1];
            GlobalShape { shape: vec![rows, cols], strides, layout: "nd", elements: rows * (cols + gap) }
        }
    }
}

/// A view of MX scales in one of the orders that the tile's layout accepts.
fn scales(rng: &mut Rng, name: LayoutName, rows: u64, cols: u64) -> GlobalShape {
    let orders = match name {
        LayoutName::Zz => [
            ("mx_a_zz", [1, rows / 16, cols / 2, 16, 2]),
            ("mx_a_nd", [1, 1, rows, cols / 2, 2]),
            ("mx_a_dn", [1, 1, cols / 2, rows, 2]),
        ],
        _ => [
            ("mx_b_nn", [1, cols / 16, rows / 2, 16, 2]),
            ("mx_b_nd", [1, 1, rows / 2, cols, 2]),
            ("mx_b_dn", [1, 1, cols, rows / 2, 2]),
        ],
    };
    let (layout, shape) = *rng.pick(&orders);
    let stride = |at: usize| shape[at + 1..].iter().product();
    GlobalShape {
        strides: (0..5).map(stride).collect(),
        shape: shape.to_vec(),
        layout,
        elements: rows * cols,
    }
}

/// A view in boxes of 16 rows and 32 bytes.
fn boxes(tile: &TileType) -> GlobalShape {
    let (rows, cols, c0) = (u64::from(tile.rows), u64::from(tile.cols), u64::from(unit(tile.element)));
    let shape = vec![1, cols / c0, rows / 16, 16, c0];
    let strides = vec![rows * cols, rows * c0, 16 * c0, c0, 1];
    GlobalShape { shape, strides, layout: "nz", elements: rows * cols }
}

/// Layouts of tiles of a location that the profile can compute with.
pub(super) fn orders(profile: Profile, location: Location) -> &'static [(BLayout, SLayout)] {
    use BLayout as B;
    use SLayout as S;
    match (profile, location) {
        (Profile::A2A3, Location::Left) => &[(B::RowMajor, S::RowMajor)],
        (Profile::A5, Location::Left) => &[(B::ColMajor, S::RowMajor)],
        (_, Location::Left) => &[(B::ColMajor, S::RowMajor), (B::RowMajor, S::RowMajor)],
        (_, Location::Right) => &[(B::RowMajor, S::ColMajor)],
        (_, Location::Acc) => &[(B::ColMajor, S::RowMajor)],
        (_, Location::Bias | Location::Scaling) => &[(B::RowMajor, S::NoneBox)],
        (Profile::Cpu, _) => &[
            (B::RowMajor, S::NoneBox),
            (B::RowMajor, S::NoneBox),
            (B::ColMajor, S::NoneBox),
            (B::ColMajor, S::RowMajor),
            (B::RowMajor, S::ColMajor),
            (B::RowMajor, S::RowMajor),
            (B::ColMajor, S::ColMajor),
        ],
        (_, Location::Vec) => &[(B::RowMajor, S::NoneBox)],
        (_, Location::Mat) => {
            &[(B::ColMajor, S::RowMajor), (B::RowMajor, S::ColMajor), (B::RowMajor, S::NoneBox)]
        }
    }
}

/// A tile type in L1 with the same shape.
pub(super) fn mat_like(rng: &mut Rng, profile: Profile, ty: &TileType) -> TileType {
    if ty.fractal == 32 {
        return TileType { location: Location::Mat, ..*ty };
    }
    let line = ty.slayout == SLayout::NoneBox;
    let (blayout, slayout) = match ty.location {
        _ if line => (ty.blayout, ty.slayout),
        Location::Acc => (BLayout::ColMajor, SLayout::RowMajor),
        // Boxes of the operand, in any order inside a box.
        _ if ty.rows.is_multiple_of(32) && ty.cols.is_multiple_of(32) => {
            let orders = orders(profile, Location::Mat);
            let boxed: Vec<_> = orders.iter().filter(|(_, inside)| *inside != SLayout::NoneBox).collect();
            **rng.pick(&boxed)
        }
        Location::Right => (BLayout::RowMajor, SLayout::ColMajor),
        _ => (BLayout::ColMajor, SLayout::RowMajor),
    };
    TileType { location: Location::Mat, blayout, slayout, fractal: 512, ..*ty }
}
