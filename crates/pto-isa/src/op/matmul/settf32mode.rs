//! SETTF32MODE: lets products round f32 factors to TF32.
//!
//! According to the page, A5 narrows to 7 bits of mantissa, `CAST_ROUND` rounds to nearest even, and A2/A3 and the
//! simulator ignore the mode. The header's comment (`pto_tile.hpp`, `SetMadTF32Mode`) states 10 bits on A5 and 11
//! on A2/A3. Results recorded on devices agree with the header, and so does this implementation.

use super::mode_switch::{ENABLE, ModeSwitch, RESERVED, ROUNDING, WORDS, page};
use crate::profile::{PerProfile, Profile};
use pto_num::Tf32;

/// The rounding of factors in the mode `RINT`, then in all other modes.
const ROUNDINGS: PerProfile<[Option<Tf32>; 2]> = PerProfile::new(
    [None, None],
    [Some(Tf32::Eleven), Some(Tf32::ElevenAway)],
    [Some(Tf32::Ten), Some(Tf32::Ten)],
);

/// The modes of a profile.
const MODES: PerProfile<&[&str]> = PerProfile::new(&WORDS, &["ROUND", "RINT"], &["ROUND", "RINT"]);

/// The rounding of factors on a profile in a mode.
fn rounding(profile: Profile, mode: &str) -> Option<Tf32> {
    let [rint, other] = ROUNDINGS.of(profile);
    if mode == "RINT" { rint } else { other }
}

pub(super) static SETTF32MODE: ModeSwitch = ModeSwitch {
    page: page(
        "settf32mode",
        "Switches TF32 on or off (`enable`) for later products; no effect on cpu.",
        "while TF32 is on, products of f32 round both factors, then multiply and add in f32; A5 rounds to 10 bits of mantissa, \
         ties to even; A2/A3 round to 11 bits, ties to even for CAST_RINT, away from zero for CAST_ROUND",
        "docs/isa/tile/ops/sync-and-config/settf32mode.md",
        &[&ENABLE, &ROUNDING, &RESERVED],
    ),
    #[cfg(feature = "run")]
    switch: |registers, mode| registers.tf32 = mode.and_then(|(profile, mode)| rounding(profile, mode)),
    modes: |profile| MODES.of(profile),
};
