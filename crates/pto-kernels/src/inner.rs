//! Parts and choices that no result shows, for the tests of this crate. Not an interface: they change with the kernels.

use crate::{Rounding, convert, map, number};

pub use crate::matmul::inner::{is_turned, is_widened, multiply_without_dots};

/// `value as i32`, as conversions compute it.
pub fn to_i32(value: f32) -> i32 {
    number::to_i32(value)
}

/// An integer as f32; `None` for modes that have another path.
pub fn integer_to_f32(value: i32, rounding: Rounding) -> Option<f32> {
    convert::directed::Added::of(rounding).map(|added| added.rounded(value))
}

/// A value rounded to a multiple of the last place of f16.
pub fn round_to_f16(value: f32, rounding: Rounding) -> f32 {
    let mut values = [value];
    convert::directed::round_to_f16::<1>(&mut values, rounding);
    values[0]
}

/// The remainder of a division with a small quotient, and whether the quotient is too large for that.
pub fn small_remainder(dividend: f32, divisor: f32) -> (f32, bool) {
    map::remainder::small(dividend, divisor)
}
