//! Layouts of views: the correspondence of their elements to rows and columns.

use crate::profile::{A5_ONLY, Profile};
use crate::tile::{Location, TileType};

/// The correspondence of a view's elements to rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobalLayout {
    /// Row-major.
    Nd,
    /// Column-major.
    Dn,
    /// Boxes, ordered down the columns.
    Nz,
    /// MX scales of a left factor, in the order of a ZZ scaling tile.
    MxAZz,
    /// MX scales of a left factor, row-major pairs.
    MxANd,
    /// MX scales of a left factor, column-major pairs.
    MxADn,
    /// MX scales of a right factor, in the order of an NN scaling tile.
    MxBNn,
    /// MX scales of a right factor: pairs of rows, row-major.
    MxBNd,
    /// MX scales of a right factor: pairs of rows, column-major.
    MxBDn,
    /// A feature map of images, rows, columns and channels: 1, N, H, W, C.
    Nhwc,
    /// A feature map of images, channels, rows and columns: 1, N, C, H, W.
    Nchw,
    /// A feature map with depth: N, C, D, H, W.
    Ncdhw,
    /// A feature map with channels in blocks: N, C1, H, W, C0.
    Nc1hwc0,
    /// A feature map with depth and with channels in blocks: N, D, C1, H, W, C0; the first two as one.
    Ndc1hwc0,
    /// The weights of a convolution in blocks.
    FractalZ,
    /// The weights of a convolution with depth, in blocks.
    FractalZ3d,
}

impl GlobalLayout {
    /// Every layout.
    pub const ALL: [GlobalLayout; 16] = [
        GlobalLayout::Nd,
        GlobalLayout::Dn,
        GlobalLayout::Nz,
        GlobalLayout::MxAZz,
        GlobalLayout::MxANd,
        GlobalLayout::MxADn,
        GlobalLayout::MxBNn,
        GlobalLayout::MxBNd,
        GlobalLayout::MxBDn,
        GlobalLayout::Nhwc,
        GlobalLayout::Nchw,
        GlobalLayout::Ncdhw,
        GlobalLayout::Nc1hwc0,
        GlobalLayout::Ndc1hwc0,
        GlobalLayout::FractalZ,
        GlobalLayout::FractalZ3d,
    ];

    /// The manual's name.
    pub fn word(self) -> &'static str {
        match self {
            GlobalLayout::Nd => "ND",
            GlobalLayout::Dn => "DN",
            GlobalLayout::Nz => "NZ",
            GlobalLayout::MxAZz => "MX_A_ZZ",
            GlobalLayout::MxANd => "MX_A_ND",
            GlobalLayout::MxADn => "MX_A_DN",
            GlobalLayout::MxBNn => "MX_B_NN",
            GlobalLayout::MxBNd => "MX_B_ND",
            GlobalLayout::MxBDn => "MX_B_DN",
            GlobalLayout::Nhwc => "NHWC",
            GlobalLayout::Nchw => "NCHW",
            GlobalLayout::Ncdhw => "NCDHW",
            GlobalLayout::Nc1hwc0 => "NC1HWC0",
            GlobalLayout::Ndc1hwc0 => "NDC1HWC0",
            GlobalLayout::FractalZ => "FRACTAL_Z",
            GlobalLayout::FractalZ3d => "FRACTAL_Z_3D",
        }
    }

    /// Whether the layout is one of MX scales.
    pub fn is_scales(self) -> bool {
        use GlobalLayout::{MxADn, MxANd, MxAZz, MxBDn, MxBNd, MxBNn};
        matches!(self, MxAZz | MxANd | MxADn | MxBNn | MxBNd | MxBDn)
    }

    /// Whether the layout is one of convolutions: of feature maps or weights.
    pub fn is_of_convolutions(self) -> bool {
        !self.is_scales() && !matches!(self, GlobalLayout::Nd | GlobalLayout::Dn | GlobalLayout::Nz)
    }

    /// Rows and columns of a view with these extents as a matrix, given whether an extent is more than one, and a product; `None` if
    /// the layout has no matrix with these extents.
    pub(crate) fn matrix<T: Copy>(
        self,
        shape: [T; 5],
        is_many: impl Fn(T) -> bool,
        times: impl Fn(&[T]) -> T,
    ) -> Option<(T, T)> {
        let [s0, s1, s2, s3, s4] = shape;
        Some(match self {
            GlobalLayout::Nd | GlobalLayout::Nhwc => (times(&[s0, s1, s2, s3]), s4),
            GlobalLayout::Dn => (s3, times(&[s0, s1, s2, s4])),
            GlobalLayout::Nz => (times(&[s2, s3]), times(&[s0, s1, s4])),
            GlobalLayout::MxAZz => (times(&[s0, s1, s3]), times(&[s2, s4])),
            GlobalLayout::MxBNn => (times(&[s2, s4]), times(&[s0, s1, s3])),
            GlobalLayout::Nc1hwc0 | GlobalLayout::Ndc1hwc0 => (times(&[s0, s2, s3]), times(&[s1, s4])),
            // Channels are columns; of the depth only the first plane is taken.
            GlobalLayout::Nchw => (times(&[s0, s1, s3, s4]), s2),
            GlobalLayout::Ncdhw => (times(&[s0, s3, s4]), s1),
            // The other layouts of scales have three dimensions.
            _ if !self.is_scales() || is_many(s0) || is_many(s1) => return None,
            GlobalLayout::MxANd => (s2, times(&[s3, s4])),
            GlobalLayout::MxADn => (s3, times(&[s2, s4])),
            GlobalLayout::MxBNd => (times(&[s2, s4]), s3),
            _ => (times(&[s3, s4]), s2),
        })
    }

    /// The extents of a view in five dimensions. A matrix of scales (1x1x1, rows, columns) becomes a matrix of pairs,
    /// which has the same strides. An extent that is already of pairs ends in 2 and stays unchanged.
    pub(crate) fn in_pairs(self, shape: [Option<u64>; 5]) -> [Option<u64>; 5] {
        let (one, two, [s0, s1, s2, s3, s4]) = (Some(1), Some(2), shape);
        let of_pairs = self.is_scales() && !matches!(self, GlobalLayout::MxAZz | GlobalLayout::MxBNn);
        if !of_pairs || [s0, s1, s2] != [one; 3] || s4 == two {
            return shape;
        }
        if s4.is_none() {
            return [one, one, None, None, None];
        }
        let half = |extent: Option<u64>| extent.map(|extent| extent / 2);
        match self {
            GlobalLayout::MxANd => [one, one, s3, half(s4), two],
            GlobalLayout::MxADn => [one, one, half(s4), s3, two],
            GlobalLayout::MxBNd => [one, one, half(s3), s4, two],
            _ => [one, one, s4, half(s3), two],
        }
    }

    /// The layout with this name, ignoring case.
    pub fn from_word(word: &str) -> Option<GlobalLayout> {
        GlobalLayout::ALL.into_iter().find(|layout| layout.word().eq_ignore_ascii_case(word))
    }
}

/// The declared layout of a view, if there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewLayout(pub Option<GlobalLayout>);

/// Profiles on which a view of scales has its declared order regardless of its strides, so that two dimensions
/// suffice.
const SCALES_IN_ORDER: &[Profile] = A5_ONLY;

impl ViewLayout {
    /// The declared layout of a view of `rank` dimensions, or a default: DN for a column-major tile, the tile's
    /// own order for a tile of MX scales, else ND. A view of two dimensions is the same matrix in every layout,
    /// except views of scales on A5, whose order does not depend on strides.
    pub fn or_guess(self, tile: &TileType, rank: usize, profile: Profile) -> GlobalLayout {
        use crate::layout::LayoutName;
        let scales = tile.fractal == 32
            && (rank == 5 || SCALES_IN_ORDER.contains(&profile) && tile.location == Location::Mat);
        match (self.0, tile.layout().name) {
            (Some(layout), _) => layout,
            (None, LayoutName::Dn) => GlobalLayout::Dn,
            (None, LayoutName::Zz) if scales => GlobalLayout::MxAZz,
            (None, LayoutName::Nn) if scales => GlobalLayout::MxBNn,
            (None, _) => GlobalLayout::Nd,
        }
    }
}
