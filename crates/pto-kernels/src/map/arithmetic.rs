//! Operations on one value, written so that loops over them vectorize.

use super::elementary::{exp, exp_vectors, log, log_vectors, pow, rsqrt, rsqrt_vectors};
use super::{BinaryOp, UnaryOp};
use crate::dispatch::Features;

/// Values that operations apply to. `op` is a constant at every call, so that the match is resolved at compile time.
pub(crate) trait Arithmetic: Copy {
    /// The result of the operation; `a` if the type does not have it.
    fn unary<F: Features>(op: UnaryOp, a: Self) -> Self;
    /// The result of the operation; `a` if the type does not have it.
    fn binary<F: Features>(op: BinaryOp, a: Self, b: Self) -> Self;

    /// Applies [`unary`](Arithmetic::unary) in vectors where intrinsics are used, and returns the remaining values.
    #[inline(always)]
    fn unary_vectors<F: Features>(_: UnaryOp, values: &mut [Self]) -> &mut [Self] {
        values
    }
}

/// Larger of two by IEEE 754-2019 `maximum`: NaN wins, -0 < +0.
#[inline(always)]
pub(crate) fn maximum(a: f32, b: f32) -> f32 {
    let tie = f32::from_bits(a.to_bits() & b.to_bits());
    let larger = if a > b { a } else { b };
    let larger = if a == b { tie } else { larger };
    if a.is_nan() || b.is_nan() { f32::NAN } else { larger }
}

/// Smaller of two by IEEE 754-2019 `minimum`: NaN wins, -0 < +0.
#[inline(always)]
pub(crate) fn minimum(a: f32, b: f32) -> f32 {
    let tie = f32::from_bits(a.to_bits() | b.to_bits());
    let smaller = if a < b { a } else { b };
    let smaller = if a == b { tie } else { smaller };
    if a.is_nan() || b.is_nan() { f32::NAN } else { smaller }
}

impl Arithmetic for f32 {
    #[inline(always)]
    fn unary<F: Features>(op: UnaryOp, a: f32) -> f32 {
        match op {
            UnaryOp::Abs => a.abs(),
            UnaryOp::Neg => -a,
            UnaryOp::Not => a,
            UnaryOp::Exp => exp(a),
            UnaryOp::Log => log(a),
            UnaryOp::Sqrt => a.sqrt(),
            UnaryOp::Rsqrt => rsqrt::<F>(a),
            UnaryOp::Recip => 1.0 / a,
            UnaryOp::Relu => {
                if a <= 0.0 {
                    0.0
                } else {
                    a
                }
            }
        }
    }

    #[inline(always)]
    fn binary<F: Features>(op: BinaryOp, a: f32, b: f32) -> f32 {
        match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Max => maximum(a, b),
            BinaryOp::Min => minimum(a, b),
            BinaryOp::Fmod => a % b,
            BinaryOp::Rem => {
                let r = a % b;
                let r = if r != 0.0 && (r < 0.0) != (b < 0.0) { r + b } else { r };
                // Makes +0 of -0.
                r + 0.0
            }
            BinaryOp::Pow => pow(a, b),
            BinaryOp::ExpDif => exp(a - b),
            BinaryOp::Prelu => {
                let product = a * b;
                if a >= 0.0 { a } else { product }
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => a,
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShlModulo | BinaryOp::ShrModulo => a,
        }
    }

    #[inline(always)]
    fn unary_vectors<F: Features>(op: UnaryOp, values: &mut [f32]) -> &mut [f32] {
        match op {
            UnaryOp::Exp => exp_vectors::<F>(values),
            UnaryOp::Log => log_vectors::<F>(values),
            UnaryOp::Rsqrt => rsqrt_vectors::<F>(values),
            _ => values,
        }
    }
}

/// a to the power of b, wrapping. A negative b gives the reciprocal: 1 or -1 if a is 1 or -1, else 0.
macro_rules! integer_power {
    ($base:expr, $exponent:expr, $type:ty, $negative:expr) => {{
        let is_unit = $base == 1 || $negative($base) && $base.wrapping_add(1) == 0;
        let (mut result, mut square, mut rest) = (1 as $type, $base, $exponent);
        if $negative(rest) {
            // The sign of the power of a unit depends on the lowest bit alone.
            (result, rest) = if is_unit { (1, rest & 1) } else { (0, 0) };
        }
        while rest != 0 {
            if rest & 1 == 1 {
                result = result.wrapping_mul(square);
            }
            square = square.wrapping_mul(square);
            rest >>= 1;
        }
        result
    }};
}

macro_rules! integer {
    ($type:ty, $unsigned:ty, $negative:expr, $abs:expr) => {
        impl Arithmetic for $type {
            #[inline(always)]
            fn unary<F: Features>(op: UnaryOp, a: Self) -> Self {
                match op {
                    UnaryOp::Abs => $abs(a),
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => !a,
                    UnaryOp::Relu => a.max(0),
                    UnaryOp::Recip => {
                        // 1 and -1 are their own reciprocals; any other quotient truncates to 0.
                        let is_unit = a == 1 || $negative(a) && a.wrapping_add(1) == 0;
                        if is_unit { a } else { 0 }
                    }
                    _ => a,
                }
            }

            #[inline(always)]
            fn binary<F: Features>(op: BinaryOp, a: Self, b: Self) -> Self {
                // The shift count is taken as unsigned: a negative one exceeds the width.
                let count = b as $unsigned;
                let within = count < <$type>::BITS as $unsigned;
                let masked = (count & (<$type>::BITS - 1) as $unsigned) as u32;
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::Max => a.max(b),
                    BinaryOp::Min => a.min(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shl => {
                        if within {
                            a.wrapping_shl(masked)
                        } else {
                            0
                        }
                    }
                    BinaryOp::Shr => {
                        // Shifting twice fills with the sign, or with zeros.
                        let half = <$type>::BITS - 1;
                        if within { a.wrapping_shr(masked) } else { a.wrapping_shr(half).wrapping_shr(1) }
                    }
                    BinaryOp::ShlModulo => a.wrapping_shl(masked),
                    BinaryOp::ShrModulo => a.wrapping_shr(masked),
                    BinaryOp::Div => {
                        if b == 0 {
                            0
                        } else {
                            a.wrapping_div(b)
                        }
                    }
                    BinaryOp::Fmod => {
                        if b == 0 {
                            0
                        } else {
                            a.wrapping_rem(b)
                        }
                    }
                    BinaryOp::Rem => {
                        let r = if b == 0 { 0 } else { a.wrapping_rem(b) };
                        if r != 0 && (r > 0) != (b > 0) { r.wrapping_add(b) } else { r }
                    }
                    BinaryOp::Prelu => {
                        if $negative(a) {
                            a.wrapping_mul(b)
                        } else {
                            a
                        }
                    }
                    BinaryOp::Pow => integer_power!(a, b, $type, $negative),
                    BinaryOp::ExpDif => a,
                }
            }
        }
    };
}

integer!(i8, u8, |a: i8| a < 0, i8::wrapping_abs);
integer!(i16, u16, |a: i16| a < 0, i16::wrapping_abs);
integer!(i32, u32, |a: i32| a < 0, i32::wrapping_abs);
integer!(i64, u64, |a: i64| a < 0, i64::wrapping_abs);
integer!(u8, u8, |_| false, |a| a);
integer!(u16, u16, |_| false, |a| a);
integer!(u32, u32, |_| false, |a| a);
integer!(u64, u64, |_| false, |a| a);
