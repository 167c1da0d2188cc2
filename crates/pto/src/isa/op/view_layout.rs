//! The layouts of views: how their elements correspond to rows and columns.

use crate::isa::profile::{A5_ONLY, Profile};
use crate::isa::tile::{Location, TileType};

/// How elements of a view correspond to rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobalLayout {
    /// In rows.
    Nd,
    /// In columns.
    Dn,
    /// In boxes down the columns.
    Nz,
    /// MX scales of a left factor, in the order of a ZZ tile of scales.
    MxAZz,
    /// MX scales of a left factor, in rows of pairs.
    MxANd,
    /// MX scales of a left factor, in columns of pairs.
    MxADn,
    /// MX scales of a right factor, in the order of an NN tile of scales.
    MxBNn,
    /// MX scales of a right factor, pairs of rows in rows.
    MxBNd,
    /// MX scales of a right factor, pairs of rows in columns.
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

    /// The name as the manual writes it.
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

    /// Whether it is an order of MX scales.
    pub fn is_scales(self) -> bool {
        !matches!(self, GlobalLayout::Nd | GlobalLayout::Dn | GlobalLayout::Nz)
    }

    /// The layout of this name, in any case.
    pub fn from_word(word: &str) -> Option<GlobalLayout> {
        GlobalLayout::ALL.into_iter().find(|layout| layout.word().eq_ignore_ascii_case(word))
    }
}

/// A view's layout as far as the program says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewLayout(pub Option<GlobalLayout>);

/// Profiles on which a view of scales has its order whatever its strides are, so that two dimensions are enough.
const SCALES_IN_ORDER: &[Profile] = A5_ONLY;

impl ViewLayout {
    /// The layout of a view of `rank` dimensions; where the program is silent, DN for a tile in columns, for a
    /// tile of MX scales the order of that tile, else ND. Views of two dimensions mean the same matrix either way; of
    /// scales only on A5, where the order holds whatever the strides are.
    pub fn or_guess(self, tile: &TileType, rank: usize, profile: Profile) -> GlobalLayout {
        use crate::isa::layout::LayoutName;
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
