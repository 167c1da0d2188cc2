//! SETTF32MODE: lets products round f32 factors to TF32.
//!
//! The page says that A5 narrows, to 7 bits of mantissa, that `CAST_ROUND` rounds to nearest even, and that neither
//! A2/A3 nor the simulator does anything. The header's comment (`pto_tile.hpp`, `SetMadTF32Mode`) says 10 bits on A5 and 11
//! on A2/A3, and results recorded on devices agree with it: so it is here.

use super::mode_switch::{ENABLE, ModeSwitch, RESERVED, ROUNDING, WORDS, page};
use crate::isa::profile::{PerProfile, Profile};
use pto_num::Tf32;

/// The rounding of factors in the mode `RINT`, and in every other mode.
const ROUNDINGS: PerProfile<[Option<Tf32>; 2]> = PerProfile::new(
    [None, None],
    [Some(Tf32::Eleven), Some(Tf32::ElevenAway)],
    [Some(Tf32::Ten), Some(Tf32::Ten)],
);

/// The modes of a profile.
const MODES: PerProfile<&[&str]> = PerProfile::new(&WORDS, &["ROUND", "RINT"], &["ROUND"]);

/// How a profile rounds factors in a mode.
fn rounding((profile, mode): (Profile, &str)) -> Option<Tf32> {
    let [rint, other] = ROUNDINGS.of(profile);
    if mode == "RINT" { rint } else { other }
}

pub(super) static SETTF32MODE: ModeSwitch = ModeSwitch {
    page: page(
        "settf32mode",
        "Switches TF32 on or off (`enable`) for the products that follow; no effect on cpu.",
        "while it is on, products of f32 round both factors, then multiply and add in f32: on A5 to 10 bits of mantissa, ties to even; \
         on A2/A3 to 11, ties to even for CAST_RINT, away from zero for CAST_ROUND",
        "docs/isa/tile/ops/sync-and-config/settf32mode.md",
        &[&ENABLE, &ROUNDING, &RESERVED],
    ),
    #[cfg(feature = "run")]
    switch: |registers, mode| registers.tf32 = mode.and_then(rounding),
    modes: |profile| MODES.of(profile),
};
