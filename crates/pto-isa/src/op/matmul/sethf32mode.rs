//! SETHF32MODE: lets the hardware narrow f32 factors to HF32.
//!
//! No page states the mantissa bits of HF32, so products use full f32 here.

use super::mode_switch::{ENABLE, ModeSwitch, ROUNDING, WORDS, page};

pub(super) static SETHF32MODE: ModeSwitch = ModeSwitch {
    page: page(
        "sethf32mode",
        "Switches HF32 on or off (`enable`) for later products; here products keep the values of f32.",
        "nothing is computed, and no product changes",
        "docs/isa/tile/ops/sync-and-config/sethf32mode.md",
        &[&ENABLE, &ROUNDING],
    ),
    #[cfg(feature = "run")]
    switch: |_, _| {},
    modes: |_| &WORDS,
};
