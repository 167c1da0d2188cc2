//! The mapping from elements of a feature map to the matrix of a convolution.

use crate::conv::{ConvLayout, ConvTileType};

/// Filter, strides and dilations, each as (rows, columns).
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) size: [u64; 2],
    pub(super) stride: [u64; 2],
    pub(super) dilation: [u64; 2],
}

/// A convolution: the feature map in FMATRIX, the filter, and the number of its positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    images: u64,
    depth: u64,
    blocks: u64,
    c0: u64,
    /// Rows and columns of the feature map.
    pub(super) map: [u64; 2],
    /// Padding above and to the left of the feature map.
    before: [u64; 2],
    pub(super) filter: Filter,
    /// Rows and columns of filter positions.
    pub(super) out: [u64; 2],
}

/// A filter position: the digits of a row index of the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterPosition {
    plane: u64,
    out: [u64; 2],
}

/// A weight: the digits of a column index of the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    block: u64,
    at: [u64; 2],
    pub(super) channel: u64,
}

/// Number of filter positions along one direction; 0 if the filter does not fit.
fn positions(extent: u64, padding: u64, size: u64, stride: u64, dilation: u64) -> u64 {
    let span = dilation * (size - 1) + 1;
    (extent + padding).checked_sub(span).map_or(0, |room| room / stride + 1)
}

impl Geometry {
    /// A convolution over a tile in NC1HWC0 or NDC1HWC0 with the feature map in FMATRIX.
    pub(super) fn new(ty: &ConvTileType, fmatrix: u64, filter: Filter) -> Geometry {
        let shape: Vec<u64> = ty.shape().iter().map(|extent| u64::from(*extent)).collect();
        let depth = if ty.layout == ConvLayout::Ndc1hwc0 { shape[1] } else { 1 };
        let field = |at: u32, bits: u32| fmatrix >> at & ((1 << bits) - 1);
        let map = [field(16, 16), field(0, 16)];
        let [left, right, top, bottom] = [32, 40, 48, 56].map(|at| field(at, 8));
        let out = |at: usize, padding: u64| {
            positions(map[at], padding, filter.size[at], filter.stride[at], filter.dilation[at])
        };
        Geometry {
            images: shape[0],
            depth,
            blocks: shape[shape.len() - 4],
            c0: shape[shape.len() - 1],
            map,
            before: [top, left],
            filter,
            out: [out(0, top + bottom), out(1, left + right)],
        }
    }

    /// Channels per block.
    pub(super) fn c0(&self) -> u64 {
        self.c0
    }

    /// Rows and columns of the matrix.
    pub(super) fn matrix(&self) -> [u64; 2] {
        let rows = self.images.saturating_mul(self.depth).saturating_mul(self.out[0] * self.out[1]);
        let [height, width] = self.filter.size;
        [rows, self.blocks.saturating_mul(height * width).saturating_mul(self.c0)]
    }

    /// Row `m` of the matrix: n, d, then rows and columns of the output, the last one varying fastest.
    pub(super) fn position(&self, m: u64) -> FilterPosition {
        let [rows, cols] = self.out;
        FilterPosition { plane: m / (rows * cols), out: [m / cols % rows, m % cols] }
    }

    /// Column `k` of the matrix: c1, then rows and columns of the filter, then c0, the last one varying fastest.
    pub(super) fn weight(&self, k: u64) -> Weight {
        let [height, width] = self.filter.size;
        let (weight, channel) = (k / self.c0, k % self.c0);
        Weight { block: weight / (height * width), at: [weight / width % height, weight % width], channel }
    }

    /// The offset of the element in the tile, in elements; `None` outside the feature map.
    pub(super) fn element(&self, position: &FilterPosition, weight: &Weight) -> Option<u64> {
        let mut point = [0; 2];
        for at in 0..2 {
            let moved = position.out[at] * self.filter.stride[at] + weight.at[at] * self.filter.dilation[at];
            point[at] = moved.checked_sub(self.before[at]).filter(|point| *point < self.map[at])?;
        }
        if position.plane >= self.images * self.depth || weight.block >= self.blocks {
            return None;
        }
        let row = (position.plane * self.blocks + weight.block) * self.map[0] + point[0];
        Some((row * self.map[1] + point[1]) * self.c0 + weight.channel)
    }
}
