//! Operations on two elements whose results are exact or correctly rounded, as plain formulas.

use crate::{BinaryOp, Element, Overflow, Rounding};

impl BinaryOp {
    /// The bits of `a op b`; `None` if the format does not have the operation, and for powers and exponentials of
    /// floats, whose results are approximations.
    pub fn exact(self, element: Element, a: u64, b: u64) -> Option<u64> {
        let approximate = matches!(self, BinaryOp::Pow | BinaryOp::ExpDif);
        if !self.applies_to(element) || approximate && element.is_float() {
            return None;
        }
        if element.is_integer() {
            return Some(integer(self, element, a, b) as u64 & element.mask());
        }
        let result = float(self, element.decode(a) as f32, element.decode(b) as f32);
        Some(element.encode(f64::from(result), Rounding::NearestEven, Overflow::Ieee))
    }
}

fn integer(op: BinaryOp, element: Element, a_bits: u64, b_bits: u64) -> i128 {
    let (a, b) = (element.decode_int(a_bits), element.decode_int(b_bits));
    let count = (b_bits & element.mask()).min(64) as u32;
    let shifted_out = count >= element.bits();
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        // The low 64 bits of a product of 64-bit values are right even if the product exceeds 128 bits.
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::Min => a.min(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if shifted_out => 0,
        BinaryOp::Shl => a << count,
        BinaryOp::Shr => a >> count,
        BinaryOp::ShlModulo => a << (b_bits % 64),
        BinaryOp::ShrModulo => a >> (b_bits % 64),
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Fmod if b == 0 => 0,
        BinaryOp::Div => a / b,
        BinaryOp::Fmod => a % b,
        BinaryOp::Rem => ((a % b) + b) % b,
        BinaryOp::Prelu => {
            if a >= 0 {
                a
            } else {
                a * b
            }
        }
        BinaryOp::Pow => power(a, b),
        BinaryOp::ExpDif => a,
    }
}

fn float(op: BinaryOp, a: f32, b: f32) -> f32 {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Max | BinaryOp::Min if a.is_nan() || b.is_nan() => f32::NAN,
        BinaryOp::Max => {
            if a.total_cmp(&b).is_ge() {
                a
            } else {
                b
            }
        }
        BinaryOp::Min => {
            if a.total_cmp(&b).is_le() {
                a
            } else {
                b
            }
        }
        BinaryOp::Fmod => a % b,
        BinaryOp::Rem => {
            let remainder = a % b;
            let differ = remainder.is_sign_negative() != b.is_sign_negative();
            // x - x: a remainder of zero has no sign.
            if remainder == 0.0 {
                0.0
            } else if !remainder.is_nan() && differ {
                remainder + b
            } else {
                remainder
            }
        }
        BinaryOp::Prelu => {
            if a >= 0.0 {
                a
            } else {
                a * b
            }
        }
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Pow | BinaryOp::ExpDif => a,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShlModulo | BinaryOp::ShrModulo => a,
    }
}

/// An integer power, of which the low 64 bits are right. A negative exponent gives 1 or -1 for bases 1 and -1, else 0.
fn power(a: i128, b: i128) -> i128 {
    match (a, b) {
        (_, 0) | (1, _) => 1,
        (-1, _) => 1 - 2 * (b & 1),
        (_, ..0) => 0,
        _ => power(a.wrapping_mul(a), b / 2).wrapping_mul(if b & 1 == 1 { a } else { 1 }),
    }
}
