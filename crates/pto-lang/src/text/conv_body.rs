//! The parameters of a convolution tile type: `mat, NC1HWC0, 1x2x16x16x16xf16`.

use pto_isa::conv::{ConvLayout, ConvTileType, MAX_CONV_RANK};
use pto_isa::element::Element;
use pto_isa::tile::Location;
use std::collections::BTreeSet;

/// An example of the type, for messages.
const EXAMPLE: &str = "`!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>`";

/// Builds the type from its words, and from the extents and the element type of the third parameter.
pub(super) fn conv_tile(
    location: &str,
    layout: &str,
    shape: &[Option<u64>],
    element: Element,
) -> Result<ConvTileType, String> {
    let location = Location::from_word(location).ok_or_else(|| format!("`{location}` is not a location"))?;
    let layout = named(layout, shape.len())?;
    let mut extents = [1; MAX_CONV_RANK];
    for (to, extent) in extents.iter_mut().zip(shape) {
        let known = extent.and_then(|extent| u32::try_from(extent).ok()).filter(|extent| *extent > 0);
        *to = known.ok_or("the extents of a convolution tile are positive numbers below 2^32")?;
    }
    Ok(ConvTileType { location, layout, element, extents })
}

/// The layout with a word and a number of dimensions.
fn named(word: &str, rank: usize) -> Result<ConvLayout, String> {
    if let Some(layout) = ConvLayout::named(word).find(|layout| layout.rank() == rank) {
        return Ok(layout);
    }
    let ranks: Vec<_> = ConvLayout::named(word).map(|layout| layout.rank().to_string()).collect();
    if ranks.is_empty() {
        let known: BTreeSet<_> = ConvLayout::ALL.map(ConvLayout::word).into();
        let known: Vec<_> = known.into_iter().collect();
        return Err(format!("`{word}` is not a layout of a convolution tile: {}", known.join(", ")));
    }
    Err(format!("{word} has {} dimensions, not {rank}", ranks.join(" or ")))
}

/// Splits the body at commas into its three parameters.
pub(super) fn parameters(body: &str) -> Result<[&str; 3], String> {
    let parts: Vec<_> = body.split(',').map(str::trim).collect();
    parts.try_into().map_err(|_| format!("a convolution tile is spelled like {EXAMPLE}"))
}

/// The parameters of the type as text.
pub(super) fn write(tile: &ConvTileType) -> String {
    format!("{}, {}, {}", tile.location.word(), tile.layout.word(), tile.shape_text())
}
