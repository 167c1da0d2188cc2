//! Directed rounding to formats whose hardware conversion only rounds to nearest even: values are rounded first, and
//! then converted exactly.

use super::stages::round_all;
use crate::Rounding;
use crate::aligned::Aligned;

/// The largest finite f16.
const LARGEST: f32 = 65504.0;

/// Rounds values to multiples of the f16 last place; beyond the finite range, to infinity or to the largest finite
/// value. Not for [`Rounding::Odd`].
#[inline(always)]
pub(crate) fn round_to_f16<const N: usize>(values: &mut [f32], rounding: Rounding) {
    // The value divided by the last place of its f16 is rounded to an integer. Division and product are exact: last
    // places are powers of two; subnormals use that of the least normal number.
    let Aligned(last_places) = &mut Aligned([0f32; N]);
    for (value, last_place) in values.iter_mut().zip(&mut *last_places) {
        let exponent = (value.to_bits() >> 23 & 0xff).max(127 - 14);
        *last_place = f32::from_bits((exponent - 10) << 23);
        *value *= f32::from_bits((254 + 10 - exponent) << 23);
    }
    round_all(values, rounding);
    let (up, down) = match rounding {
        Rounding::Floor => (LARGEST, f32::NEG_INFINITY),
        Rounding::Ceil => (f32::INFINITY, -LARGEST),
        Rounding::TowardZero => (LARGEST, -LARGEST),
        _ => (f32::INFINITY, f32::NEG_INFINITY),
    };
    for (value, last_place) in values.iter_mut().zip(&*last_places) {
        let rounded = *value * last_place;
        let upper = if rounded > LARGEST && rounded < f32::INFINITY { up } else { rounded };
        *value = if upper < -LARGEST && upper > f32::NEG_INFINITY { down } else { upper };
    }
}

/// The addend for the magnitude of an integer before the bits that f32 lacks are truncated.
#[derive(Clone, Copy)]
pub(crate) struct Added {
    /// All ones to add half of the last place.
    half: u32,
    /// All ones to add the whole truncated part, for a positive and for a negative integer.
    all: [u32; 2],
}

impl Added {
    /// The addend for a rounding mode; `None` for modes that this path does not handle.
    #[inline(always)]
    pub(crate) fn of(rounding: Rounding) -> Option<Added> {
        let (half, all) = match rounding {
            Rounding::NearestAway => (u32::MAX, [0, 0]),
            Rounding::TowardZero => (0, [0, 0]),
            Rounding::Floor => (0, [0, u32::MAX]),
            Rounding::Ceil => (0, [u32::MAX, 0]),
            Rounding::NearestEven | Rounding::Odd => return None,
        };
        Some(Added { half, all })
    }

    /// Converts an integer to f32.
    #[inline(always)]
    pub(crate) fn rounded(self, value: i32) -> f32 {
        let magnitude = value.unsigned_abs();
        let exponent = (f64::from(magnitude).to_bits() >> 52) as u32;
        let lost = exponent.max(1023 + 23) - (1023 + 23);
        let mask = (1u32 << lost) - 1;
        let all = if value < 0 { self.all[1] } else { self.all[0] };
        let added = (mask.div_ceil(2) & self.half) | (mask & all);
        let rounded = ((magnitude + added) & !mask) as f32;
        if value < 0 { -rounded } else { rounded }
    }
}
