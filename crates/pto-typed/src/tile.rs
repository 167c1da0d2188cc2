//! Tile types as Rust types, and the handle of a tile.

use super::dtype::DType;
use pto_isa::profile::Profile;
use pto_isa::tile::{BLayout, CompactMode, Location as TileLocation, Pad, SLayout, TileType};
use pto_lang::build::Id;
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// Location of a tile, for the first parameter of [`Tile`].
pub mod loc {
    use super::{TileLocation, sealed::Sealed};

    /// One of the types of this module.
    pub trait Location: Sealed + Copy + 'static {
        /// The location as data.
        const LOCATION: TileLocation;
        /// Bytes of one box: 512, 1024 in accumulators, 32 in MX scales.
        const FRACTAL: u32 = 512;
    }

    macro_rules! locations {
        ($($(#[$doc:meta])* $name:ident: $place:ident $(, $fractal:literal)?;)*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}
            impl Sealed for $name {}
            impl Location for $name {
                const LOCATION: TileLocation = TileLocation::$place;
                $(const FRACTAL: u32 = $fractal;)?
            }
        )*};
    }

    locations!(
        /// Vector tile in the unified buffer.
        Vec: Vec;
        /// Matrix tile in L1.
        Mat: Mat;
        /// Left operand in L0A.
        Left: Left;
        /// Right operand in L0B.
        Right: Right;
        /// Accumulator in L0C.
        Acc: Acc, 1024;
        /// Bias row in the bias table.
        Bias: Bias;
        /// Quantization parameters in the fixpipe buffer.
        Scaling: Scaling;
        /// MX scales of the left operand, in the buffer next to L0A.
        ScaleLeft: Scaling, 32;
        /// MX scales of the right operand, in the buffer next to L0B.
        ScaleRight: Scaling, 32;
    );
}

/// Layout of elements, for a parameter of [`Tile`]: the names of `docs/isa/state-and-types/layout.md`.
pub mod layout {
    use super::{BLayout, Profile, SLayout, TileLocation, sealed::Sealed};

    /// One of the types of this module.
    pub trait Layout: Sealed + Copy + 'static {
        /// Order of boxes, for a location and a profile.
        fn blayout(location: TileLocation, profile: Profile) -> BLayout;
        /// Order inside a box.
        const SLAYOUT: SLayout;
        /// Bytes of one box, if the layout determines them; `None` if the location does.
        const FRACTAL: Option<u32> = None;
        /// Order of elements if the rows or columns are contiguous; `None` for boxes.
        const PLAIN: Option<BLayout>;
    }

    macro_rules! layouts {
        ($($(#[$doc:meta])* $name:ident: $b:ident $s:ident $plain:expr;)*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}
            impl Sealed for $name {}
            impl Layout for $name {
                fn blayout(_: TileLocation, _: Profile) -> BLayout {
                    BLayout::$b
                }
                const SLAYOUT: SLayout = SLayout::$s;
                const PLAIN: Option<BLayout> = $plain;
            }
        )*};
    }

    layouts!(
        /// Rows of elements.
        Nd: RowMajor NoneBox Some(BLayout::RowMajor);
        /// Columns of elements.
        Dn: ColMajor NoneBox Some(BLayout::ColMajor);
        /// Columns of boxes; a box is row-major.
        Nz: ColMajor RowMajor None;
        /// Rows of boxes; a box is column-major.
        Zn: RowMajor ColMajor None;
        /// Rows of boxes; a box is row-major.
        Zz: RowMajor RowMajor None;
        /// Columns of boxes; a box is column-major.
        Nn: ColMajor ColMajor None;
    );

    /// [`Nz`] with boxes of 1024 bytes outside an accumulator: 16 columns of a 4-byte type instead of 8.
    #[derive(Clone, Copy, Debug)]
    pub enum Nz1024 {}
    impl Sealed for Nz1024 {}
    impl Layout for Nz1024 {
        fn blayout(_: TileLocation, _: Profile) -> BLayout {
            BLayout::ColMajor
        }
        const SLAYOUT: SLayout = SLayout::RowMajor;
        const FRACTAL: Option<u32> = Some(1024);
        const PLAIN: Option<BLayout> = None;
    }

    /// Layout of a left operand for the matrix unit of the profile: [`Zz`] on A2/A3, [`Nz`] elsewhere.
    #[derive(Clone, Copy, Debug)]
    pub enum Native {}
    impl Sealed for Native {}
    impl Layout for Native {
        fn blayout(_: TileLocation, profile: Profile) -> BLayout {
            profile.left_blayout()
        }
        const SLAYOUT: SLayout = SLayout::RowMajor;
        const PLAIN: Option<BLayout> = None;
    }
}

/// An extent of a valid region that is given when the tile is made, or later.
pub const DYNAMIC: usize = usize::MAX;

/// Valid region of a tile, for the last parameter of [`Tile`].
pub trait Valid: sealed::Sealed + Copy + 'static {
    /// Valid rows, [`DYNAMIC`], or `None` for all of them.
    const ROWS: Option<usize>;
    /// Valid columns, [`DYNAMIC`], or `None` for all of them.
    const COLS: Option<usize>;
}

/// The whole tile is valid.
#[derive(Clone, Copy, Debug)]
pub enum Full {}

/// `ROWS` x `COLS` elements are valid; either may be [`DYNAMIC`].
#[derive(Clone, Copy, Debug)]
pub enum Part<const ROWS: usize, const COLS: usize> {}

/// The valid region is given when the tile is made, or later.
pub type Dynamic = Part<DYNAMIC, DYNAMIC>;

impl sealed::Sealed for Full {}
impl Valid for Full {
    const ROWS: Option<usize> = None;
    const COLS: Option<usize> = None;
}

impl<const ROWS: usize, const COLS: usize> sealed::Sealed for Part<ROWS, COLS> {}
impl<const ROWS: usize, const COLS: usize> Valid for Part<ROWS, COLS> {
    const ROWS: Option<usize> = Some(ROWS);
    const COLS: Option<usize> = Some(COLS);
}

/// Properties of a tile's type in addition to its shape, without a value.
type Parameters<L, T, B, V> = fn() -> (L, T, B, V);

/// A tile of `ROWS` x `COLS` elements of `T` at location `L`, laid out as `B`, of which `V` is valid.
///
/// It is a handle: copying it does not copy the tile.
pub struct Tile<L, T, const ROWS: usize, const COLS: usize, B = layout::Nd, V = Full> {
    id: Id,
    marker: PhantomData<Parameters<L, T, B, V>>,
}

impl<L, T, const R: usize, const C: usize, B, V> Clone for Tile<L, T, R, C, B, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, T, const R: usize, const C: usize, B, V> Copy for Tile<L, T, R, C, B, V> {}

impl<L, T, const R: usize, const C: usize, B, V> std::fmt::Debug for Tile<L, T, R, C, B, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tile({:?})", self.id.value)
    }
}

/// A left operand, in the layout of the profile's matrix unit.
pub type TileLeft<T, const ROWS: usize, const COLS: usize, V = Full> =
    Tile<loc::Left, T, ROWS, COLS, layout::Native, V>;
/// A right operand.
pub type TileRight<T, const ROWS: usize, const COLS: usize, V = Full> =
    Tile<loc::Right, T, ROWS, COLS, layout::Zn, V>;
/// An accumulator.
pub type TileAcc<T, const ROWS: usize, const COLS: usize, V = Full> =
    Tile<loc::Acc, T, ROWS, COLS, layout::Nz, V>;
/// MX scales of a left operand.
pub type TileLeftScale<T, const ROWS: usize, const COLS: usize, V = Full> =
    Tile<loc::ScaleLeft, T, ROWS, COLS, layout::Zz, V>;
/// MX scales of a right operand.
pub type TileRightScale<T, const ROWS: usize, const COLS: usize, V = Full> =
    Tile<loc::ScaleRight, T, ROWS, COLS, layout::Nn, V>;

/// Any [`Tile`], as the instructions' methods see it.
pub trait AnyTile: sealed::Sealed + Copy {
    /// Location of the tile.
    type Location: loc::Location;
    /// Type of the elements.
    type DType: DType;
    /// Layout of the elements.
    type Layout: layout::Layout;
    /// Valid region.
    type Valid: Valid;
    /// Declared rows.
    const ROWS: usize;
    /// Declared columns.
    const COLS: usize;

    #[doc(hidden)]
    fn id(self) -> TileId;
    #[doc(hidden)]
    fn with(id: TileId) -> Self;
}

/// Contents of a tile handle; opaque.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TileId(pub(super) Id);

impl<L, T, const R: usize, const C: usize, B, V> sealed::Sealed for Tile<L, T, R, C, B, V> {}

impl<L, T, const R: usize, const C: usize, B, V> AnyTile for Tile<L, T, R, C, B, V>
where
    L: loc::Location,
    T: DType,
    B: layout::Layout,
    V: Valid,
{
    type Location = L;
    type DType = T;
    type Layout = B;
    type Valid = V;
    const ROWS: usize = R;
    const COLS: usize = C;

    fn id(self) -> TileId {
        TileId(self.id)
    }

    fn with(id: TileId) -> Self {
        Tile { id: id.0, marker: PhantomData }
    }
}

/// Stops the compiler at tile types that no profile has: empty ones, ones whose valid region is larger than
/// they are, and rows or columns that do not fill 32-byte units.
pub(super) const fn assert_legal<T: AnyTile>() {
    use layout::Layout as _;
    assert!(T::ROWS > 0 && T::COLS > 0, "a tile has at least one row and one column");
    assert!(T::ROWS <= u32::MAX as usize && T::COLS <= u32::MAX as usize, "a tile's extents fit 32 bits");
    let [down, along] = per_element::<T>();
    let whole = T::ROWS.is_multiple_of(down) && T::COLS.is_multiple_of(along);
    assert!(whole, "a tile ends inside a pair of 4-bit numbers");
    if let Some(rows) = <T::Valid as Valid>::ROWS {
        assert!(rows == DYNAMIC || rows <= T::ROWS, "more valid rows than the tile has");
        assert!(
            rows == DYNAMIC || rows.is_multiple_of(down),
            "a valid region ends inside a pair of 4-bit numbers"
        );
    }
    if let Some(cols) = <T::Valid as Valid>::COLS {
        assert!(cols == DYNAMIC || cols <= T::COLS, "more valid columns than the tile has");
        assert!(
            cols == DYNAMIC || cols.is_multiple_of(along),
            "a valid region ends inside a pair of 4-bit numbers"
        );
    }
    let bits = <T::DType as DType>::ELEMENT.value_bits() as usize;
    match T::Layout::PLAIN {
        Some(BLayout::RowMajor) => {
            assert!((T::COLS * bits).is_multiple_of(256), "a row of the tile is not a multiple of 32 bytes")
        }
        Some(BLayout::ColMajor) => {
            assert!(
                (T::ROWS * bits).is_multiple_of(256),
                "a column of the tile is not a multiple of 32 bytes"
            )
        }
        None => {}
    }
}

/// Number of Rust elements in one element of a tile of `.pto` text, down a column and along a row: there a pair of
/// 4-bit numbers is one element, along the direction of contiguous numbers.
pub(super) const fn per_element<T: AnyTile>() -> [usize; 2] {
    use layout::Layout as _;
    let by_rows = match T::Layout::PLAIN {
        Some(BLayout::RowMajor) => true,
        Some(BLayout::ColMajor) => false,
        None => matches!(T::Layout::SLAYOUT, SLayout::RowMajor),
    };
    let values = <T::DType as DType>::PER_VALUE;
    if by_rows { [1, values] } else { [values, 1] }
}

/// The type of a tile on a profile.
pub(super) fn type_of<T: AnyTile>(profile: Profile, pad: Pad) -> TileType {
    use {layout::Layout as _, loc::Location as _};
    let extent = |valid: Option<usize>, declared: usize, per: usize| match valid {
        None => Some((declared / per) as u32),
        Some(DYNAMIC) => None,
        Some(valid) => Some((valid / per) as u32),
    };
    let [down, along] = per_element::<T>();
    let location = T::Location::LOCATION;
    TileType {
        location,
        element: T::DType::ELEMENT,
        rows: (T::ROWS / down) as u32,
        cols: (T::COLS / along) as u32,
        valid_rows: extent(T::Valid::ROWS, T::ROWS, down),
        valid_cols: extent(T::Valid::COLS, T::COLS, along),
        blayout: T::Layout::blayout(location, profile),
        slayout: T::Layout::SLAYOUT,
        fractal: T::Layout::FRACTAL.unwrap_or(T::Location::FRACTAL),
        pad,
        compact: CompactMode::Null,
    }
}
