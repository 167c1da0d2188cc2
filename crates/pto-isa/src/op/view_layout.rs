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
}

impl GlobalLayout {
    /// Every layout.
    pub const ALL: [GlobalLayout; 9] = [
        GlobalLayout::Nd,
        GlobalLayout::Dn,
        GlobalLayout::Nz,
        GlobalLayout::MxAZz,
        GlobalLayout::MxANd,
        GlobalLayout::MxADn,
        GlobalLayout::MxBNn,
        GlobalLayout::MxBNd,
        GlobalLayout::MxBDn,
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
        }
    }

    /// Whether it is a layout of MX scales.
    pub fn is_scales(self) -> bool {
        !matches!(self, GlobalLayout::Nd | GlobalLayout::Dn | GlobalLayout::Nz)
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
