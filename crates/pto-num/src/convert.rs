//! Conversion of one value from format to format.

use crate::{Element, Overflow, Rounding, converts, power_of_two};

/// The bits of one converted value. `None` unless [`converts`]. Every conversion of the toolchain equals this
/// definition.
///
/// - Float to float: correctly rounded. E4M3, E5M2 and the 4-bit floats round to nearest even, HiF8 to nearest away, in
///   every rounding mode. Saturating, overflow and infinities become the largest finite value and NaN stays NaN, except
///   into f32, which never saturates.
/// - Float to integer: rounded to an integral value. Saturating, it is clamped; otherwise it is clamped to i32
///   (i64 for u32 and 64-bit integers) and its low bits are kept, +infinity has all bits set, -infinity none.
///   NaN gives 0.
/// - Integer to float: correctly rounded.
/// - Integer to integer: clamped, or the low bits kept.
pub fn convert_one(from: Element, to: Element, rounding: Rounding, saturate: bool, bits: u64) -> Option<u64> {
    if !converts(from, to) {
        return None;
    }
    let overflow = if saturate { Overflow::Saturate } else { Overflow::Ieee };
    Some(match (from.holds_integers(), to.holds_integers()) {
        (true, true) => to.encode_int(from.decode_int(bits), overflow),
        (true, false) => encode_float(to, sticky(from.decode_int(bits)), rounding, overflow),
        (false, true) => encode_integer(to, from.decode(bits), rounding, saturate),
        (false, false) if from == to => {
            to.encode(rounding.integral(from.decode(bits)), rounding, Overflow::Ieee)
        }
        (false, false) => encode_float(to, from.decode(bits), rounding, overflow),
    })
}

fn encode_float(to: Element, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
    let (rounding, overflow) = match to {
        Element::F32 => (rounding, Overflow::Ieee),
        Element::E4M3 | Element::E5M2 | Element::E2M1x2 | Element::E1M2x2 => {
            (Rounding::NearestEven, overflow)
        }
        _ => (rounding, overflow),
    };
    to.encode(value, rounding, overflow)
}

fn encode_integer(to: Element, value: f64, rounding: Rounding, saturate: bool) -> u64 {
    let whole = rounding.integral(value) as i128;
    if saturate || value.is_nan() {
        return to.encode_int(whole, Overflow::Saturate);
    }
    if value.is_infinite() {
        return if value > 0.0 { to.value_mask() } else { 0 };
    }
    let wide =
        if matches!(to, Element::U32 | Element::I64 | Element::U64) { Element::I64 } else { Element::I32 };
    wide.encode_int(whole, Overflow::Saturate) & to.value_mask()
}

/// An integer as f64, rounded to odd if it has more than 53 bits, so that rounding it further, in any mode, rounds the
/// integer itself.
fn sticky(value: i128) -> f64 {
    let magnitude = value.unsigned_abs() as u64;
    let excess = (64 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = magnitude >> excess;
    let lost = kept << excess != magnitude;
    let wide = (kept | u64::from(lost)) as f64 * power_of_two(excess as i32);
    if value < 0 { -wide } else { wide }
}
