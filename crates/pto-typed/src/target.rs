//! Profiles as Rust types, and which locations each moves tiles between.

use super::tile::loc;
use pto_isa::profile::Profile;

mod sealed {
    pub trait Sealed {}
}

/// A profile, as the parameter of a [`Kernel`](super::Kernel).
pub trait Target: sealed::Sealed + Copy + 'static {
    /// The profile as data.
    const PROFILE: Profile;
}

macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident: $profile:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
        impl sealed::Sealed for $name {}
        impl Target for $name {
            const PROFILE: Profile = Profile::$profile;
        }
    )*};
}

targets!(
    /// Types that any profile accepts.
    Cpu: Cpu;
    /// Atlas A2 and A3.
    A2A3: A2A3;
    /// Ascend 950: A5.
    A5: A5;
);

/// TMOV moves tiles from `S` to `D` on this profile.
///
/// Source: seed page TMOV, implementation checks.
#[diagnostic::on_unimplemented(message = "`tmov` does not move from `{S}` to `{D}` on {Self}")]
pub trait Moves<S, D>: Target {}

/// TEXTRACT moves parts of tiles from `S` to `D` on this profile.
///
/// Source: `docs/isa/TEXTRACT.md`, implementation checks.
#[diagnostic::on_unimplemented(message = "`textract` does not move from `{S}` to `{D}` on {Self}")]
pub trait Extracts<S, D>: Target {}

/// TINSERT moves tiles from `S` into tiles in `D` on this profile.
///
/// Source: seed page TINSERT, implementation checks.
#[diagnostic::on_unimplemented(message = "`tinsert` does not move from `{S}` to `{D}` on {Self}")]
pub trait Inserts<S, D>: Target {}

macro_rules! paths {
    ($table:ident, $trait:ident: $($target:ident [$($from:ident => $($to:ident)*),*];)*) => {
        $($($(impl $trait<loc::$from, loc::$to> for $target {})*)*)*

        /// The pairs of the trait.
        pub const $table: &[(Profile, &str, &str)] =
            &[$($($((<$target as Target>::PROFILE, stringify!($from), stringify!($to)),)*)*)*];
    };
}

paths!(MOVES, Moves:
    A2A3 [Mat => Left Right Bias Scaling, Vec => Vec, Acc => Mat];
    A5 [
        Mat => Left Right Bias Scaling ScaleLeft ScaleRight,
        Vec => Vec Mat,
        Acc => Vec Mat
    ];
);

paths!(EXTRACTS, Extracts:
    A2A3 [Mat => Left Right, Vec => Vec, Acc => Mat];
    A5 [Mat => Left Right ScaleLeft ScaleRight, Vec => Vec Mat, Acc => Vec Mat];
);

paths!(INSERTS, Inserts:
    A2A3 [Vec => Vec, Acc => Mat];
    A5 [Vec => Vec Mat, Acc => Vec Mat];
);

impl<S, D> Moves<S, D> for Cpu {}
impl<S, D> Extracts<S, D> for Cpu {}
impl<S, D> Inserts<S, D> for Cpu {}
