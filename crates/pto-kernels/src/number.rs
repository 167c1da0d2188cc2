//! Formats as types, for loops that are compiled once per format.

use crate::dispatch::Features;
use crate::format::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};

/// A format whose elements are computed with as values of type `Value`.
pub(crate) trait Number: 'static {
    /// Type that is computed with: the integer itself, or f32 for every float.
    type Value: Copy + Default + 'static;
    /// An element as it is stored, for use in local arrays.
    type Raw: Copy + Default + PartialEq;
    /// Width of an element in bytes.
    const BYTES: usize;
    /// Whether this is [`F32`], for which some loops are specialized.
    const IS_F32: bool = false;
    /// Whether this is [`F16`].
    const IS_F16: bool = false;
    /// Reads the element at the start of `bytes`.
    fn read(bytes: &[u8]) -> Self::Value;
    /// Rounds a value once; NaN becomes canonical.
    fn round(value: Self::Value) -> Self::Raw;
    /// Writes a stored element at the start of `bytes`.
    fn write(raw: Self::Raw, bytes: &mut [u8]);

    /// Reads consecutive elements, up to the end of the shorter slice.
    #[inline(always)]
    fn read_all<F: Features>(bytes: &[u8], values: &mut [Self::Value]) {
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(Self::BYTES)) {
            *value = Self::read(bytes);
        }
    }

    /// Rounds values and writes them contiguously, up to the end of the shorter slice.
    #[inline(always)]
    fn write_all<F: Features>(values: &[Self::Value], bytes: &mut [u8]) {
        for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(Self::BYTES)) {
            Self::write(Self::round(*value), bytes);
        }
    }
}

/// The bits of an f32, every NaN as the canonical one.
#[inline(always)]
pub(crate) fn canonical_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// `value as i32` (0 for NaN, saturating) in steps that vectorize.
#[inline(always)]
pub(crate) fn to_i32(value: f32) -> i32 {
    const END: f32 = 2_147_483_648.0;
    // NaN fails the first comparison.
    let below = if value < END { value } else { 0.0 };
    let inside = if below > -END { below } else { -END };
    // SAFETY: not NaN and in range: at least -2^31 and less than 2^31.
    let whole = unsafe { inside.to_int_unchecked::<i32>() };
    if value >= END { i32::MAX } else { whole }
}

macro_rules! number {
    ($name:ty, $value:ty, $raw:ty, $widen:expr, $round:expr $(, $all:item)*) => {
        impl Number for $name {
            type Value = $value;
            type Raw = $raw;
            const BYTES: usize = size_of::<$raw>();
            #[inline(always)]
            fn read(bytes: &[u8]) -> $value {
                let mut raw = [0; size_of::<$raw>()];
                raw.copy_from_slice(&bytes[..size_of::<$raw>()]);
                $widen(<$raw>::from_le_bytes(raw))
            }
            #[inline(always)]
            fn round(value: $value) -> $raw {
                $round(value)
            }
            #[inline(always)]
            fn write(raw: $raw, bytes: &mut [u8]) {
                bytes[..size_of::<$raw>()].copy_from_slice(&raw.to_le_bytes());
            }
            $($all)*
        }
    };
}

/// [`Element::F32`](crate::Element::F32).
pub(crate) struct F32;
/// [`Element::F16`](crate::Element::F16).
pub(crate) struct F16;
/// [`Element::Bf16`](crate::Element::Bf16).
pub(crate) struct Bf16;

number!(F32, f32, u32, f32::from_bits, canonical_bits, const IS_F32: bool = true;);
number!(
    F16,
    f32,
    u16,
    f16_to_f32,
    f16_from_f32,
    const IS_F16: bool = true;,
    #[inline(always)]
    fn read_all<F: Features>(bytes: &[u8], values: &mut [f32]) {
        crate::format::widen_halves::<F>(bytes, values);
    },
    #[inline(always)]
    fn write_all<F: Features>(values: &[f32], bytes: &mut [u8]) {
        crate::format::narrow_to_halves::<F>(values, bytes);
    }
);
number!(
    Bf16,
    f32,
    u16,
    bf16_to_f32,
    bf16_from_f32,
    #[inline(always)]
    fn read_all<F: Features>(bytes: &[u8], values: &mut [f32]) {
        crate::format::widen_bfloats::<F>(bytes, values);
    },
    #[inline(always)]
    fn write_all<F: Features>(values: &[f32], bytes: &mut [u8]) {
        crate::format::narrow_to_bfloats::<F>(values, bytes);
    }
);
number!(i8, i8, i8, |x| x, |x| x);
number!(i16, i16, i16, |x| x, |x| x);
number!(i32, i32, i32, |x| x, |x| x);
number!(i64, i64, i64, |x| x, |x| x);
number!(u8, u8, u8, |x| x, |x| x);
number!(u16, u16, u16, |x| x, |x| x);
number!(u32, u32, u32, |x| x, |x| x);
number!(u64, u64, u64, |x| x, |x| x);
