//! Rules and values of matrix products with MX scales.
//!
//! 32 consecutive elements along K share a scale, a power of two: the left factor, M x K, has M x ceil(K / 32)
//! scales, the right factor, K x N, has ceil(K / 32) x N. Each element is multiplied by its scale in f32 before
//! the product. K counts values: factors of pairs, which are consecutive along K, have half as many elements.

use crate::element::{Element, element_word};
#[cfg(feature = "run")]
use crate::matrix::Position;
use crate::memory::Buffer;
use crate::op::common::pairs_note;
use crate::op::site::{Check, TileFact};
use crate::profile::{A5_ONLY, Profile};
use crate::rule::Rule;
use pto_num::sizes::GROUP;
#[cfg(feature = "run")]
use {crate::exec::reference::Reference, crate::exec::state::Tile};

const PAGE: &str = "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md";

pub(super) const SCALE_LOCATION: Rule = Rule::new(
    "scale-location",
    "Scales are in scaling tiles with boxes of 32 bytes: row_major with row_major boxes (ZZ) for the left factor, \
     col_major with col_major boxes (NN) for the right one.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md, Constraints: TileLeftScale, TileRightScale",
)
.because("The matrix unit reads scales next to the boxes of their factor.")
.instead("Declare scaling tiles with `fractal=32`: ZZ for the left factor, NN for the right one.");
pub(super) const SCALE_TYPE: Rule = Rule::new("scale-type", "Scales are f8E8M0.", PAGE)
    .because("The matrix unit reads scales as powers of two of 8 bits.")
    .instead("Declare the tiles of scales as f8E8M0.");
pub(super) const SCALE_SHAPE: Rule = Rule::new(
    "scale-shape",
    "There is a scale for every 32 elements along K: M x ceil(K / 32) for the left factor, ceil(K / 32) x N for the \
     right one.",
    PAGE,
)
.because("Elements without a scale would be scaled by undefined bytes.")
.instead("Declare one scale for each 32 elements along K.");
pub(super) const K_MULTIPLE: Rule = Rule::new(
    "k-multiple",
    "The left factor declares a multiple of 64 values along K: 64 columns, or 32 columns of pairs.",
    "include/pto/npu/a5/TMatmul.hpp, CheckMadMxValid",
)
.because("The matrix unit reads the scales in pairs, for 64 elements along K.")
.instead("Pad the declared columns of the left tile to a multiple of 64, or of 32 pairs.")
.only(A5_ONLY);

/// Whether two formats are multiplied with scales.
pub(super) fn types_fit(profile: Profile, left: Element, right: Element, acc: Element) -> bool {
    use Element::{E1M2x2, E2M1x2, E4M3, E5M2, F32};
    let both = |list: [Element; 2]| list.contains(&left) && list.contains(&right);
    profile.small_floats && acc == F32 && (both([E4M3, E5M2]) || both([E1M2x2, E2M1x2]))
}

/// The number of scales for `k` elements along K.
pub(super) fn groups(k: u32) -> u32 {
    k.div_ceil(GROUP as u32)
}

/// The rules of the scales.
pub(super) fn check(check: &mut Check<'_>) {
    let places = [("left_scale", Buffer::ScaleLeft), ("right_scale", Buffer::ScaleRight)];
    for (role, buffer) in places {
        let tile = check.tile(role);
        check.require(&SCALE_LOCATION, role, tile.ty.buffer() == buffer, |check| {
            format!(
                "{} is a {} tile, {} with boxes of {} bytes: it is not in {}",
                check.name(role),
                tile.location().word(),
                tile.layout().name.word(),
                tile.ty.fractal,
                buffer.word()
            )
        });
        check.require(&SCALE_TYPE, role, tile.element() == Element::E8M0, |check| {
            format!("{} holds {}", check.name(role), element_word(tile.element()))
        });
    }
    let (left, right) = (check.tile("left"), check.tile("right"));
    let ([m, along], [down, n]) = (left.values(), right.values());
    let k = along.or(down).map(groups);
    enough(check, "left_scale", m, k);
    enough(check, "right_scale", k, n);
    let (declared, element) = (left.ty.cols, left.element());
    let [_, per_column] = left.layout().values(element).map(|count| count as u32);
    let whole = declared.saturating_mul(per_column).is_multiple_of(64);
    check.require(&K_MULTIPLE, "left", whole, |check| {
        let note = pairs_note(&[element]);
        format!("{} is declared with {declared} columns{note}", check.name("left"))
    });
}

/// Checks that a tile of scales has at least these rows and columns.
fn enough(check: &mut Check<'_>, role: &'static str, rows: Option<u32>, cols: Option<u32>) {
    let tile: &TileFact = check.tile(role);
    let has = |have: Option<u32>, need: Option<u32>| have.zip(need).is_none_or(|(have, need)| have >= need);
    check.require(&SCALE_SHAPE, role, has(tile.rows, rows) && has(tile.cols, cols), |check| {
        let text = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
        let have = tile.valid_text();
        format!("{} has {have} scales, the factor needs {}x{}", check.name(role), text(rows), text(cols))
    });
}

/// A value of a factor, multiplied by its scale if it has one; `at` counts values.
#[cfg(feature = "run")]
pub(super) fn value(
    reference: &Reference<'_>,
    factor: &Tile,
    scale: Option<&Tile>,
    at: Position,
    is_left: bool,
) -> f32 {
    let value = factor.ty.element.decode(reference.get_value(factor, at.row, at.col)) as f32;
    let Some(scale) = scale else { return value };
    let (row, col) = if is_left { (at.row, at.col / GROUP) } else { (at.row / GROUP, at.col) };
    value * scale.ty.element.decode(reference.get(scale, row, col)) as f32
}
