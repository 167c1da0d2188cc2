//! Convolution tiles as Rust types, and the parameters of a convolution.

use super::dtype::DType;
use pto_isa::conv::ConvLayout;
use pto_lang::build::Id;
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute};
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// Meaning of the dimensions of a [`ConvTile`].
pub mod map {
    use super::{ConvLayout, sealed::Sealed};

    /// One of the types of this module.
    pub trait Map: Sealed + Copy + 'static {
        /// The layout as data.
        const LAYOUT: ConvLayout;
    }

    macro_rules! maps {
        ($($(#[$doc:meta])* $name:ident;)*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}
            impl Sealed for $name {}
            impl Map for $name {
                const LAYOUT: ConvLayout = ConvLayout::$name;
            }
        )*};
    }

    maps!(
        /// N, C, H, W.
        Nchw;
        /// G, N, C, H, W.
        Gnchw;
        /// N, C, D, H, W.
        Ncdhw;
        /// N, C1, H, W, C0.
        Nc1hwc0;
        /// G, N, C1, H, W, C0.
        Gnc1hwc0;
        /// N, D, C1, H, W, C0.
        Ndc1hwc0;
        /// G x C1 x H x W, N1, N0, C0.
        FractalZ;
        /// D x C1 x H x W, N1, N0, C0.
        FractalZ3d;
        /// C1, H, W, N, C0: FRACTAL_Z with each dimension of its own.
        FractalZPoints;
    );
}

/// A tile of a feature map or of filters: elements of `T`, dimensions of `M`, at location `L`.
///
/// It is a handle: copying it does not copy the tile.
pub struct ConvTile<L, T, M> {
    pub(super) id: Id,
    pub(super) marker: PhantomData<Parameters<L, T, M>>,
}

/// Properties of a tile's type, without a value.
type Parameters<L, T, M> = fn() -> (L, T, M);

impl<L, T, M> Clone for ConvTile<L, T, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, T, M> Copy for ConvTile<L, T, M> {}

impl<L, T, M> std::fmt::Debug for ConvTile<L, T, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConvTile({:?})", self.id.value)
    }
}

/// A register set of the unfolding, and the instruction that writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FmatrixMode {
    /// Set A, written by the instructions that set registers.
    #[default]
    AManual,
    /// Set B, written by the instructions that set registers.
    BManual,
    /// Set A, written by TIMG2COL itself.
    AAuto,
    /// Set B, written by TIMG2COL itself.
    BAuto,
}

/// A convolution: the attributes of TIMG2COL and of the instructions that set its registers. Numbers are in elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Convolution {
    /// Rows and columns of the feature map; `None` for those of the tile.
    pub fmap: Option<[u16; 2]>,
    /// Padding: left, right, top, bottom.
    pub pad: Option<[u8; 4]>,
    /// Rows and columns of the filter.
    pub filter: Option<[u16; 2]>,
    /// Distance between positions of the filter, by rows and columns.
    pub stride: Option<[u8; 2]>,
    /// Distance between elements of the filter, by rows and columns.
    pub dilation: Option<[u8; 2]>,
    /// Value outside the feature map, an integer.
    pub pad_value: Option<i32>,
    /// The registers, and the instruction that writes them.
    pub mode: Option<FmatrixMode>,
}

impl Convolution {
    /// The attributes for one instruction.
    pub(super) fn attributes(&self) -> Vec<NamedAttribute> {
        fn list<const N: usize, U: Into<i128> + Copy>(numbers: [U; N]) -> Attribute {
            Attribute::Array(
                numbers.iter().map(|number| Attribute::Integer((*number).into(), None)).collect(),
            )
        }
        let mode = self.mode.map(|mode| Attribute::Enum {
            name: "fmatrix_mode".into(),
            value: match mode {
                FmatrixMode::AManual => "a_manual",
                FmatrixMode::BManual => "b_manual",
                FmatrixMode::AAuto => "a_auto",
                FmatrixMode::BAuto => "b_auto",
            }
            .into(),
            spelling: EnumSpelling::Dotted,
        });
        let all = [
            ("fmap", self.fmap.map(list)),
            ("pad", self.pad.map(list)),
            ("filter", self.filter.map(list)),
            ("stride", self.stride.map(list)),
            ("dilation", self.dilation.map(list)),
            ("pad_value", self.pad_value.map(|value| Attribute::Integer(value.into(), None))),
            ("mode", mode),
        ];
        let named = |(name, value): (&str, Option<Attribute>)| Some(NamedAttribute::new(name, value?));
        all.into_iter().filter_map(named).collect()
    }
}

impl<L, T: DType, M> ConvTile<L, T, M> {
    pub(super) fn of(id: Id) -> Self {
        ConvTile { id, marker: PhantomData }
    }
}
