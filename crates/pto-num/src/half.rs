//! Conversions between 16-bit floats and f32 by branch-free arithmetic, so that loops over them vectorize.

/// The f32 of a binary16; exact, NaN payloads included.
#[inline(always)]
pub fn f16_to_f32(bits: u16) -> f32 {
    const REBIAS: u32 = 112 << 23;
    let magnitude = u32::from(bits) & 0x7fff;
    let sign = (u32::from(bits) & 0x8000) << 16;
    let special = if magnitude >= 0x7c00 { REBIAS } else { 0 };
    let normal = (magnitude << 13).wrapping_add(REBIAS).wrapping_add(special);
    let denormal = (magnitude as i32 as f32 * 5.960_464_5e-8).to_bits();
    f32::from_bits(sign | if magnitude < 0x400 { denormal } else { normal })
}

/// The binary16 nearest to an f32, ties to even; NaN becomes 7e00.
#[inline(always)]
pub fn f16_from_f32(value: f32) -> u16 {
    const REBIAS: u32 = 112 << 23;
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = (bits >> 16) & 0x8000;
    let shifted = magnitude.wrapping_sub(REBIAS);
    let normal = shifted.wrapping_add(0xfff).wrapping_add((shifted >> 13) & 1) >> 13;
    // The last place of an f32 near 0.5 is that of the binary16 subnormals, so that the sum rounds to it.
    let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let finite = if magnitude < 0x3880_0000 { denormal } else { normal };
    let bounded = if magnitude >= 0x477f_f000 { 0x7c00 } else { finite };
    (if magnitude > 0x7f80_0000 { 0x7e00 } else { bounded | sign }) as u16
}

/// The f32 of a bfloat16; exact.
#[inline(always)]
pub fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bfloat16 nearest to an f32, ties to even; NaN becomes 7fc0.
#[inline(always)]
pub fn bf16_from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff).wrapping_add((bits >> 16) & 1) >> 16;
    (if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0 } else { rounded }) as u16
}
