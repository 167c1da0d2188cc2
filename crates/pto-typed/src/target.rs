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
    /// What any profile accepts.
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

        /// The pairs of the trait, for the test that holds them and the rules together.
        #[cfg(test)]
        pub(super) const $table: &[(Profile, &str, &str)] =
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Recorder;
    use pto_isa::element::Element;
    use pto_isa::memory::Buffer;
    use pto_isa::profile::NPU;
    use pto_isa::registry::Op;
    use pto_isa::tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType};
    use pto_lang::build::Call;
    use pto_lang::build::Id;
    use pto_lang::ir::{Scalar, Type};

    const NAMES: [&str; 9] =
        ["Vec", "Mat", "Left", "Right", "Acc", "Bias", "Scaling", "ScaleLeft", "ScaleRight"];

    /// Tiles at a location, of every layout and of formats that some move takes.
    fn tiles(recorder: &mut Recorder, name: &str) -> Vec<Id> {
        let (location, fractal) = match name {
            "Acc" => (Location::Acc, 1024),
            "ScaleLeft" | "ScaleRight" => (Location::Scaling, 32),
            "Scaling" => (Location::Scaling, 512),
            other => (Location::from_word(&other.to_lowercase()).expect("a location"), 512),
        };
        let mut made = Vec::new();
        for (rows, cols) in [(1, 64), (32, 32)] {
            for blayout in [BLayout::RowMajor, BLayout::ColMajor] {
                for slayout in [SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor] {
                    for element in [Element::F32, Element::F16, Element::E8M0, Element::U64] {
                        let ty = TileType {
                            location,
                            element,
                            rows,
                            cols,
                            valid_rows: Some(rows),
                            valid_cols: Some(cols),
                            blayout,
                            slayout,
                            fractal,
                            pad: Pad::NULL,
                            compact: CompactMode::Null,
                        };
                        // `scaling` is three buffers, told apart by the layout.
                        let buffer = match name {
                            "Scaling" => Buffer::Fixpipe,
                            "ScaleLeft" => Buffer::ScaleLeft,
                            "ScaleRight" => Buffer::ScaleRight,
                            _ => ty.buffer(),
                        };
                        if ty.buffer() != buffer {
                            continue;
                        }
                        let ty = recorder.intern(Type::Tile(ty));
                        let alloc = recorder.operation(Op::ALLOC_TILE, &[], &[("t", ty)], Vec::new());
                        made.extend(alloc.into_iter().flat_map(|(_, made)| made));
                    }
                }
            }
        }
        made
    }

    /// Whether the rules accept the instruction for any tiles of two locations.
    fn accepted(profile: Profile, op: Op, from: &str, to: &str) -> bool {
        let mut recorder = Recorder::new("probe", profile);
        let (sources, targets) = (tiles(&mut recorder, from), tiles(&mut recorder, to));
        let zero = recorder.integer(Scalar::Index, 0);
        let offsets: &[Id] = if op == Op::TMOV { &[] } else { &[zero, zero] };
        sources.iter().any(|src| {
            targets.iter().any(|dst| {
                let ins: Vec<Id> = [*src].iter().chain(offsets).copied().collect();
                recorder.issue(Call { ins: &ins, outs: &[*dst], ..Call::of(op) }).is_ok()
            })
        })
    }

    #[test]
    fn what_compiles_is_what_the_rules_allow() {
        for (op, table) in [(Op::TMOV, MOVES), (Op::TEXTRACT, EXTRACTS), (Op::TINSERT, INSERTS)] {
            for &profile in NPU {
                for (from, to) in NAMES.iter().flat_map(|from| NAMES.map(|to| (*from, to))) {
                    let compiles = table.contains(&(profile, from, to));
                    let legal = accepted(profile, op, from, to);
                    assert_eq!(compiles, legal, "{op} from {from} to {to} on {}", profile.word());
                }
            }
        }
    }
}
