//! Rounding of an f32 to a float of 8 bits or less.

/// Rounds an f32 to a float of 8 bits or less, to nearest, ties to even. Parameters: exponent bias, mantissa bits,
/// largest finite code, codes of overflow and of NaN. The sign is the bit above.
#[inline(always)]
pub(super) fn small<const BIAS: u32, const MANTISSA: u32, const MAX: u32, const OVER: u32, const NAN: u32>(
    value: f32,
    saturate: bool,
) -> u8 {
    let shift = 23 - MANTISSA;
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = if MAX == 7 { (bits >> 28) & 8 } else { (bits >> 24) & 0x80 };
    let shifted = magnitude.wrapping_sub((127 - BIAS) << 23);
    let half = (1 << (shift - 1)) - 1 + ((shifted >> shift) & 1);
    let normal = shifted.wrapping_add(half) >> shift;
    // The last place of an f32 at this power of two is that of the subnormals, so that the sum rounds to it.
    let magic = (127 + 1 - BIAS - MANTISSA + 23) << 23;
    let denormal = (f32::from_bits(magnitude) + f32::from_bits(magic)).to_bits().wrapping_sub(magic);
    let code = if magnitude < (127 + 1 - BIAS) << 23 { denormal } else { normal };
    let code = if code > MAX { if saturate { MAX } else { OVER } } else { code };
    (if magnitude > 0x7f80_0000 { NAN } else { code | sign }) as u8
}

/// The E4M3 nearest to an f32, ties to even.
#[inline(always)]
pub(crate) fn e4m3(value: f32, saturate: bool) -> u8 {
    small::<7, 3, 0x7e, 0x7f, 0x7f>(value, saturate)
}

/// The E2M1 nearest to an f32, ties to even; always saturates, and NaN becomes 0.
#[inline(always)]
pub(crate) fn e2m1(value: f32, saturate: bool) -> u8 {
    small::<1, 1, 7, 7, 0>(value, saturate)
}

/// The HiF8 nearest to an f32, ties away.
#[inline(always)]
pub(crate) fn hif8(value: f32, saturate: bool) -> u8 {
    /// Mantissa bits at an exponent.
    #[inline(always)]
    fn kept_bits(exponent: i32) -> u32 {
        let size = exponent.unsigned_abs();
        let wide = if size < 4 { 3 } else { 2 };
        let narrow = if size < 16 { 1 } else { 0 };
        if size < 8 { wide } else { narrow }
    }
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = (bits >> 24) & 0x80;
    let rounded = magnitude.wrapping_add(1 << (22 - kept_bits((magnitude >> 23) as i32 - 127)));
    let exponent = (rounded >> 23) as i32 - 127;
    let kept_bits = kept_bits(exponent);
    let size = exponent.unsigned_abs();
    let mantissa = (rounded & 0x7f_ffff) >> (23 - kept_bits);
    // The leading bit of the exponent field, 2^(width - 1), is also the smallest exponent magnitude of that width.
    let two = if size < 4 { 2 } else { 4 };
    let wide = if size < 8 { two } else { 8 };
    let top = if size < 2 { size } else { wide };
    let short = if size < 2 { 0x10 } else { 0x20 };
    let long = if size < 8 { 0x40 } else { 0x60 };
    let prefix = if size < 4 { short } else { long };
    let prefix = if size == 0 { 0x08 } else { prefix };
    let field = (size - top) | if exponent < 0 { top } else { 0 };
    let normal = prefix | field << kept_bits | mantissa;
    let code = if exponent <= -16 { (exponent.max(-22) + 23) as u32 } else { normal };
    let limit = if saturate { 0x6e } else { 0x6f };
    let code = if magnitude >= 0x4720_0000 { limit } else { code };
    // Results below 2^-23 are zero, which has no sign.
    let code = if magnitude < 0x3400_0000 { 0 } else { code | sign };
    (if magnitude > 0x7f80_0000 { 0x80 } else { code }) as u8
}
