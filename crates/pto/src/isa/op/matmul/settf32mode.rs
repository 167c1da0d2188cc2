//! SETTF32MODE: lets products round f32 factors to TF32.
//!
//! The page says that A5 narrows, to 7 bits of mantissa, that `CAST_ROUND` rounds to nearest even, and that neither
//! A2/A3 nor the simulator does anything. The header's comment (`pto_tile.hpp`, `SetMadTF32Mode`) says 10 bits on A5 and 11
//! on A2/A3, and results recorded on devices agree with it: so it is here.

use super::mode_switch::{ENABLE, ModeSwitch, RESERVED, ROUNDING, WORDS, page};
use crate::isa::profile::Profile;
use pto_num::Tf32;

/// How a profile rounds factors in a mode.
fn rounding((profile, mode): (Profile, &str)) -> Option<Tf32> {
    match (profile, mode) {
        (Profile::Cpu, _) => None,
        (Profile::A5, _) => Some(Tf32::Ten),
        (Profile::A2A3, "RINT") => Some(Tf32::Eleven),
        (Profile::A2A3, _) => Some(Tf32::ElevenAway),
    }
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
    modes: |profile| match profile {
        Profile::A5 => &["ROUND"],
        Profile::A2A3 => &["ROUND", "RINT"],
        Profile::Cpu => &WORDS,
    },
};
