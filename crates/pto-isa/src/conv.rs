//! Convolution tiles: feature maps and filters with four to six dimensions, the last one innermost in memory.
//!
//! Source: `docs/isa/TIMG2COL.md`, `docs/isa/TTRANS.md` and `include/pto/common/pto_tile.hpp` of the public repository.

use super::element::{Element, element_word};
use super::memory::Buffer;
use super::tile::{Location, TileType};

/// The dimensions of a convolution tile, outermost first.
///
/// N images, C channels in C1 blocks of C0, D x H x W points, G groups. A filter has N output channels, in N1
/// blocks of N0 or without blocks. FRACTAL_Z with four dimensions combines C1, H and W in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConvLayout {
    /// N, C, H, W.
    Nchw,
    /// G, N, C, H, W.
    Gnchw,
    /// N, C, D, H, W.
    Ncdhw,
    /// N, C1, H, W, C0.
    Nc1hwc0,
    /// G, N, C1, H, W, C0.
    Gnc1hwc0,
    /// N, D, C1, H, W, C0.
    Ndc1hwc0,
    /// G x C1 x H x W, N1, N0, C0.
    FractalZ,
    /// D x C1 x H x W, N1, N0, C0.
    FractalZ3d,
    /// C1, H, W, N, C0: FRACTAL_Z with separate dimensions.
    FractalZPoints,
}

impl ConvLayout {
    /// Every layout, in declaration order.
    pub const ALL: [ConvLayout; 9] = [
        ConvLayout::Nchw,
        ConvLayout::Gnchw,
        ConvLayout::Ncdhw,
        ConvLayout::Nc1hwc0,
        ConvLayout::Gnc1hwc0,
        ConvLayout::Ndc1hwc0,
        ConvLayout::FractalZ,
        ConvLayout::FractalZ3d,
        ConvLayout::FractalZPoints,
    ];

    /// The manual's name. FRACTAL_Z is the name of two layouts, which differ in their number of dimensions.
    pub fn word(self) -> &'static str {
        match self {
            ConvLayout::Nchw => "NCHW",
            ConvLayout::Gnchw => "GNCHW",
            ConvLayout::Ncdhw => "NCDHW",
            ConvLayout::Nc1hwc0 => "NC1HWC0",
            ConvLayout::Gnc1hwc0 => "GNC1HWC0",
            ConvLayout::Ndc1hwc0 => "NDC1HWC0",
            ConvLayout::FractalZ | ConvLayout::FractalZPoints => "FRACTAL_Z",
            ConvLayout::FractalZ3d => "FRACTAL_Z_3D",
        }
    }

    /// The layouts with a name.
    pub fn named(word: &str) -> impl Iterator<Item = ConvLayout> {
        ConvLayout::ALL.into_iter().filter(move |layout| layout.word() == word)
    }

    /// Number of dimensions.
    pub fn rank(self) -> usize {
        match self {
            ConvLayout::Nchw | ConvLayout::FractalZ | ConvLayout::FractalZ3d => 4,
            ConvLayout::Gnchw | ConvLayout::Ncdhw | ConvLayout::Nc1hwc0 | ConvLayout::FractalZPoints => 5,
            ConvLayout::Gnc1hwc0 | ConvLayout::Ndc1hwc0 => 6,
        }
    }
}

/// Maximum number of dimensions of a convolution tile.
pub const MAX_CONV_RANK: usize = 6;

/// The type of a convolution tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConvTileType {
    /// Kind of tile.
    pub location: Location,
    /// The meaning of its dimensions.
    pub layout: ConvLayout,
    /// Number format.
    pub element: Element,
    /// Extents, outermost first; unused ones are 1.
    pub extents: [u32; MAX_CONV_RANK],
}

impl ConvTileType {
    /// The extents of the layout's dimensions, outermost first.
    pub fn shape(&self) -> &[u32] {
        &self.extents[..self.layout.rank()]
    }

    /// Number of elements, saturating.
    pub fn elements(&self) -> u64 {
        self.shape().iter().fold(1, |product, extent| product.saturating_mul(u64::from(*extent)))
    }

    /// Size in bytes, saturating.
    pub fn bytes(&self) -> u64 {
        self.elements().saturating_mul(u64::from(self.element.bits())).div_ceil(8)
    }

    /// The buffer that holds it.
    pub fn buffer(&self) -> Buffer {
        TileType { location: self.location, ..TileType::vec(self.element, 1, 1) }.buffer()
    }

    /// The shape as text, such as `1x2x16x16x16xf16`.
    pub fn shape_text(&self) -> String {
        let mut text: String = self.shape().iter().map(|extent| format!("{extent}x")).collect();
        text.push_str(element_word(self.element));
        text
    }

    /// Layout, shape and location as text for messages, such as `NC1HWC0 1x2x16x16x16xf16 mat`.
    pub fn brief(&self) -> String {
        format!("{} {} {}", self.layout.word(), self.shape_text(), self.location.word())
    }
}
