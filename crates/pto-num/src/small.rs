//! The values of floats of 8 and 4 bits by branch-free arithmetic: loops over it vectorize, loops over a table do not.

/// The magnitude of a float of `MANTISSA` bits from its code without the sign: moves the fields to those of an f32.
#[inline(always)]
fn magnitude<const MANTISSA: u32, const BIAS: u32>(code: u32) -> f32 {
    let fields = code << (23 - MANTISSA);
    let normal = f32::from_bits(fields + ((127 - BIAS) << 23));
    // Subnormals are the difference of adding them to the smallest normal number.
    let least = (128 - BIAS) << 23;
    let denormal = f32::from_bits(fields + least) - f32::from_bits(least);
    if code < 1 << MANTISSA { denormal } else { normal }
}

#[inline(always)]
fn signed(magnitude: f32, negative: u32) -> f32 {
    f32::from_bits(magnitude.to_bits() | negative << 31)
}

/// The value of an E4M3; NaN keeps its sign.
#[inline(always)]
pub fn e4m3_to_f32(bits: u8) -> f32 {
    let code = u32::from(bits & 0x7f);
    let value = if code == 0x7f { f32::NAN } else { magnitude::<3, 7>(code) };
    signed(value, u32::from(bits >> 7))
}

/// The value of an E5M2; NaN keeps its sign and payload.
#[inline(always)]
pub fn e5m2_to_f32(bits: u8) -> f32 {
    let code = u32::from(bits & 0x7f);
    let beyond = f32::from_bits(0x7f80_0000 | code << 21);
    let value = if code < 0x7c { magnitude::<2, 15>(code) } else { beyond };
    signed(value, u32::from(bits >> 7))
}

/// The value of an E2M1 in the low four bits of `bits`.
#[inline(always)]
pub fn e2m1_to_f32(bits: u8) -> f32 {
    signed(magnitude::<1, 1>(u32::from(bits & 7)), u32::from(bits >> 3 & 1))
}

/// The value of an E1M2 in the low four bits of `bits`.
#[inline(always)]
pub fn e1m2_to_f32(bits: u8) -> f32 {
    signed(magnitude::<2, 1>(u32::from(bits & 7)), u32::from(bits >> 3 & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;

    #[test]
    fn arithmetic_gives_what_the_fields_mean() {
        type Value = fn(u8) -> f32;
        let formats: [(Element, Value); 4] = [
            (Element::E4M3, e4m3_to_f32),
            (Element::E5M2, e5m2_to_f32),
            (Element::E2M1x2, e2m1_to_f32),
            (Element::E1M2x2, e1m2_to_f32),
        ];
        for (element, value) in formats {
            for bits in 0..=element.value_mask() as u8 {
                let (got, want) = (value(bits), element.decode(u64::from(bits)) as f32);
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(same, "{element:?} {bits:x}: {got:e}, not {want:e}");
            }
        }
    }
}
