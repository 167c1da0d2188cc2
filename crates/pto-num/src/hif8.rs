//! HiFloat8, whose exponent field has a variable width; the mantissa takes the remaining bits.

use crate::{Overflow, power_of_two};

const NAN: u8 = 0x80;
const INFINITY: u8 = 0x6f;
const MAX: u8 = 0x6e;

pub(crate) fn decode(bits: u8) -> f64 {
    let payload = bits & 0x7f;
    let magnitude = match payload {
        0 if bits == NAN => return f64::NAN,
        0 => return 0.0,
        INFINITY => f64::INFINITY,
        1..=7 => power_of_two(i32::from(payload) - 23),
        _ => {
            // The prefix encodes the widths of the exponent field and of the mantissa.
            let (width, mantissa_bits) = match payload {
                0x60.. => (4, 1),
                0x40.. => (3, 2),
                0x20.. => (2, 3),
                0x10.. => (1, 3),
                _ => (0, 3),
            };
            let mantissa = payload & ((1 << mantissa_bits) - 1);
            let field = payload >> mantissa_bits & ((1u8 << width) - 1);
            let exponent = if width == 0 {
                0
            } else {
                let top = 1 << (width - 1);
                let size = i32::from(top | field & (top - 1));
                if field & top != 0 { -size } else { size }
            };
            (1.0 + f64::from(mantissa) / f64::from(1 << mantissa_bits)) * power_of_two(exponent)
        }
    };
    if bits & 0x80 != 0 { -magnitude } else { magnitude }
}

pub(crate) fn encode(value: f64, overflow: Overflow) -> u8 {
    if value.is_nan() {
        return NAN;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    if magnitude < power_of_two(-23) {
        return 0;
    }
    if magnitude >= 1.25 * power_of_two(15) {
        return sign | if overflow == Overflow::Saturate { MAX } else { INFINITY };
    }
    let bits = magnitude.to_bits();
    let mantissa_bits = mantissa_bits((bits >> 52) as i32 - 1023);
    // Half of the last place, added to the bits, rounds half away and carries into the exponent.
    let rounded = bits + (1 << (51 - mantissa_bits));
    let exponent = (rounded >> 52) as i32 - 1023;
    if exponent <= -16 {
        return sign | (exponent.max(-22) + 23) as u8;
    }
    // After a carry the mantissa is zero, so that a narrower mantissa field loses nothing.
    let mantissa_bits = self::mantissa_bits(exponent);
    let mantissa = (rounded >> (52 - mantissa_bits)) as u8 & ((1 << mantissa_bits) - 1);
    let size = exponent.unsigned_abs() as u8;
    let (prefix, width) = match size {
        0 => (0x08, 0),
        1 => (0x10, 1),
        2..4 => (0x20, 2),
        4..8 => (0x40, 3),
        _ => (0x60, 4),
    };
    let field = match width {
        0 => 0,
        _ => {
            let top = 1u8 << (width - 1);
            size & (top - 1) | if exponent < 0 { top } else { 0 }
        }
    };
    sign | prefix | field << mantissa_bits | mantissa
}

fn mantissa_bits(exponent: i32) -> u32 {
    match exponent.unsigned_abs() {
        0..4 => 3,
        4..8 => 2,
        8..16 => 1,
        _ => 0,
    }
}
