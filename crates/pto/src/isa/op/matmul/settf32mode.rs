//! SETTF32MODE: lets products round f32 factors to TF32.
//!
//! The page says that A5 narrows, to 7 bits of mantissa, that `CAST_ROUND` rounds to nearest even, and that neither
//! A2/A3 nor the simulator does anything. The header's comment and the page of `pto.mad` speak of TF32, which has 10
//! bits of mantissa: so has it here.

use super::mode::{ENABLE, Mode, RESERVED, ROUNDING, page};
use crate::isa::profile::Profile;

pub(super) static SETTF32MODE: Mode = Mode {
    page: page(
        "settf32mode",
        "Switches TF32 on or off (`enable`) for the products that follow; without effect but on A5.",
        "on A5, while it is on, products of f32 round both factors to 10 bits of mantissa, to nearest even, and add in f32",
        "docs/isa/tile/ops/sync-and-config/settf32mode.md",
        &[&ENABLE, &ROUNDING, &RESERVED],
    ),
    switch: |registers, profile, enable| registers.tf32 = enable && profile == Profile::A5,
    reserves: true,
};
