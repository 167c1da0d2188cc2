//! Conversion in chunks: read into a common type, round, write. Each stage is a loop that vectorizes. The loop is
//! chosen per chunk, so that one function serves all pairs of formats.

use std::marker::PhantomData;

use super::Conversion;
use super::directed::{Added, round_to_f16};
use super::small_floats::{e2m1, e4m3, hif8, small};
use crate::aligned::Aligned;
use crate::dispatch::{Features, each_chunk, multiversion};
use crate::format::{bf16_from_f32, narrow_in_place};
use crate::number::{Bf16, F16, F32, Number, to_i32};
use crate::prefetch;
use crate::{Element, Rounding};

multiversion!(
    StagesBody,
    select_stages,
    fn(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize)
);

const CHUNK: usize = 64;

/// Between two floats of 16 and 32 bits, the most frequent conversions: a function for each pair.
struct Direct<A, B>(PhantomData<(A, B)>);
/// From f32 to bf16 in any rounding mode: little more than a shift.
struct ToBf16;
/// Through f32, which holds every source exactly or is the destination.
struct ThroughFloat;
/// Through i64.
struct ThroughInteger;

/// The function for a pair that is converted in stages.
#[allow(clippy::type_complexity)]
pub(super) fn select(
    from: Element,
    to: Element,
    rounding: Rounding,
) -> Option<fn(&Conversion, &mut [u8], usize, usize, usize)> {
    use Element as E;
    if matches!(from, E::F32 | E::F16 | E::Bf16) && to.is_float() && to.bits() <= 8 && to != E::E8M0 {
        return Some(select_stages::<ThroughFloat>());
    }
    if (from, to) == (E::F32, E::Bf16) {
        return Some(select_stages::<ToBf16>());
    }
    let narrow = matches!(from, E::F32 | E::F16 | E::Bf16 | E::I8 | E::U8 | E::I16 | E::U16);
    let wide = matches!(from, E::I32 | E::U32);
    let widest = matches!(from, E::I64 | E::U64);
    let exact = narrow && to == E::F32 && from != E::F32;
    let nearest = rounding == Rounding::NearestEven;
    let float = match to {
        E::F32 => {
            let directed = from == E::I32 && Added::of(rounding).is_some();
            exact || from == E::F32 && rounding != Rounding::Odd || (wide || widest) && nearest || directed
        }
        // From 32-bit integers: every integer in the range of f16 is exact in f32.
        E::F16 => (narrow || wide) && nearest || from == E::F32 && rounding != Rounding::Odd,
        E::Bf16 => narrow && nearest,
        E::I8 | E::U8 | E::I16 | E::U16 | E::I32 | E::U32 | E::I64 => {
            matches!(from, E::F32 | E::F16 | E::Bf16) && rounding != Rounding::Odd
        }
        _ => false,
    };
    if float {
        return Some(match (from, to) {
            (E::F32, E::F16) if nearest => select_stages::<Direct<F32, F16>>(),
            (E::F16, E::F32) => select_stages::<Direct<F16, F32>>(),
            (E::F16, E::Bf16) => select_stages::<Direct<F16, Bf16>>(),
            (E::Bf16, E::F32) => select_stages::<Direct<Bf16, F32>>(),
            (E::Bf16, E::F16) => select_stages::<Direct<Bf16, F16>>(),
            _ => select_stages::<ThroughFloat>(),
        });
    }
    let integer = from.is_integer() && to.is_integer() && from != E::U64 && to != E::U64;
    integer.then(select_stages::<ThroughInteger>)
}

/// Reads elements as values of another type.
#[inline(always)]
fn read<N: Number, V>(bytes: &[u8], values: &mut [V], convert: impl Fn(N::Value) -> V) {
    let bytes = &bytes[..values.len() * N::BYTES];
    for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(N::BYTES)) {
        *value = convert(N::read(bytes));
    }
}

/// Writes values as elements, rounding once.
#[inline(always)]
fn write<N: Number, V: Copy>(bytes: &mut [u8], values: &[V], convert: impl Fn(V) -> N::Value) {
    let bytes = &mut bytes[..values.len() * N::BYTES];
    for (&value, bytes) in values.iter().zip(bytes.chunks_exact_mut(N::BYTES)) {
        N::write(N::round(convert(value)), bytes);
    }
}

#[inline(always)]
pub(super) fn round_all(values: &mut [f32], rounding: Rounding) {
    #[inline(always)]
    fn each(values: &mut [f32], round: impl Fn(f32) -> f32) {
        values.iter_mut().for_each(|value| *value = round(*value));
    }
    match rounding {
        Rounding::NearestEven => each(values, f32::round_ties_even),
        Rounding::Floor => each(values, f32::floor),
        Rounding::Ceil => each(values, f32::ceil),
        Rounding::TowardZero | Rounding::Odd => each(values, f32::trunc),
        Rounding::NearestAway => each(values, |value| {
            let whole = value.trunc();
            let up = whole + 1f32.copysign(value);
            if (value - whole).abs() >= 0.5 { up } else { whole }
        }),
    }
}

/// Writes integral values as integers of at most 32 bits.
#[inline(always)]
fn write_integers<N: Number>(
    bytes: &mut [u8],
    values: &[f32],
    saturate: bool,
    range: [i32; 2],
    low: impl Fn(i32) -> N::Value,
) {
    if saturate {
        write::<N, f32>(bytes, values, |value| low(to_i32(value).clamp(range[0], range[1])));
    } else {
        write::<N, f32>(bytes, values, |value| {
            let finite = to_i32(value);
            let positive = if value == f32::INFINITY { -1 } else { finite };
            low(if value == f32::NEG_INFINITY { 0 } else { positive })
        });
    }
}

/// An integral value as i64, without saturation: clamped if finite, -1 for +infinity and 0 for -infinity.
#[inline(always)]
fn wrapped(value: f32) -> i64 {
    let positive = if value == f32::INFINITY { -1 } else { value as i64 };
    if value == f32::NEG_INFINITY { 0 } else { positive }
}

/// Writes pairs of 4-bit floats, which always saturate. If the last pair is incomplete, the other half of its byte is
/// kept.
#[inline(always)]
fn write_pairs(bytes: &mut [u8], values: &[f32], code: impl Fn(f32, bool) -> u8) {
    let (pairs, rest) = values.as_chunks::<2>();
    for (byte, [low, high]) in bytes.iter_mut().zip(pairs) {
        *byte = code(*low, true) | code(*high, true) << 4;
    }
    if let ([last], Some(byte)) = (rest, bytes.last_mut()) {
        *byte = *byte & 0xf0 | code(*last, true);
    }
}

/// Clamps to the finite range of a 16-bit float.
#[inline(always)]
fn clamp_to(to: Element, values: &mut [f32]) {
    let max = match to {
        Element::F16 => 65504.0,
        Element::Bf16 => f32::from_bits(0x7f7f_0000),
        _ => return,
    };
    for value in values.iter_mut() {
        let below = if *value > max { max } else { *value };
        *value = if below < -max { -max } else { below };
    }
}

impl<A: Number<Value = f32>, B: Number<Value = f32>> StagesBody for Direct<A, B> {
    #[inline(always)]
    fn run<F: Features>(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        let mut done = 0;
        if A::IS_F32 && B::IS_F16 {
            done = narrow_in_place::<F>(mem, dst, src, count, conversion.saturate);
        }
        let (dst, src, count) = (dst + done * B::BYTES, src + done * A::BYTES, count - done);
        let Aligned(buffer) = &mut Aligned([0f32; CHUNK]);
        each_chunk!(count, CHUNK, |start, length| {
            let (at, values) = (src + start * A::BYTES, &mut buffer[..length]);
            A::read_all::<F>(&mem[at..at + values.len() * A::BYTES], values);
            if conversion.saturate {
                clamp_to(conversion.to, values);
            }
            let at = dst + start * B::BYTES;
            prefetch::next_written(mem, at, CHUNK * B::BYTES);
            B::write_all::<F>(values, &mut mem[at..at + values.len() * B::BYTES]);
        });
    }
}

/// Rounds an f32 to bf16. Each mode is an addend applied before truncation; round-to-odd sets the last bit instead.
#[inline(always)]
fn rounded_to_bf16(value: f32, rounding: Rounding) -> u16 {
    let bits = value.to_bits();
    let (negative, lost) = (bits >> 31 != 0, bits & 0xffff != 0);
    let (added, sticky) = match rounding {
        Rounding::NearestEven => return bf16_from_f32(value),
        Rounding::NearestAway => (0x8000, 0),
        Rounding::TowardZero => (0, 0),
        Rounding::Floor => (if negative { 0xffff } else { 0 }, 0),
        Rounding::Ceil => (if negative { 0 } else { 0xffff }, 0),
        Rounding::Odd => (0, u32::from(lost)),
    };
    let rounded = bits.wrapping_add(added) >> 16 | sticky;
    (if value.is_nan() { 0x7fc0 } else { rounded }) as u16
}

impl StagesBody for ToBf16 {
    #[inline(always)]
    fn run<F: Features>(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        if !F::FUSED && conversion.rounding == Rounding::NearestEven {
            return Direct::<F32, Bf16>::run::<F>(conversion, mem, dst, src, count);
        }
        let Aligned(buffer) = &mut Aligned([0f32; CHUNK]);
        macro_rules! loops {
            ($($rounding:ident),*) => {
                match conversion.rounding {
                    $(Rounding::$rounding => each_chunk!(count, CHUNK, |start, length| {
                        let values = &mut buffer[..length];
                        F32::read_all::<F>(&mem[src + start * 4..src + (start + values.len()) * 4], values);
                        if conversion.saturate {
                            clamp_to(Element::Bf16, values);
                        }
                        let bytes = &mut mem[dst + start * 2..dst + (start + values.len()) * 2];
                        for (bytes, value) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(values.iter()) {
                            *bytes = rounded_to_bf16(*value, Rounding::$rounding).to_le_bytes();
                        }
                    }),)*
                }
            };
        }
        loops!(NearestEven, NearestAway, TowardZero, Floor, Ceil, Odd);
    }
}

/// Converts one chunk through f32, an element for each element of the intermediate buffer.
#[inline(always)]
fn floats<F: Features>(
    conversion: &Conversion,
    mem: &mut [u8],
    dst: usize,
    src: usize,
    start: usize,
    values: &mut [f32],
) {
    let Conversion { from, to, rounding, saturate, .. } = *conversion;
    let at = src + from.bytes(start);
    let bytes = &mem[at..at + from.bytes(values.len())];
    match from {
        Element::F16 => F16::read_all::<F>(bytes, values),
        Element::Bf16 => read::<Bf16, f32>(bytes, values, |x| x),
        Element::I8 => read::<i8, f32>(bytes, values, f32::from),
        Element::U8 => read::<u8, f32>(bytes, values, f32::from),
        Element::I16 => read::<i16, f32>(bytes, values, f32::from),
        Element::U16 => read::<u16, f32>(bytes, values, f32::from),
        Element::I32 => match Added::of(rounding).filter(|_| to == Element::F32) {
            Some(added) => read::<i32, f32>(bytes, values, |x| added.rounded(x)),
            None => read::<i32, f32>(bytes, values, |x| x as f32),
        },
        Element::U32 => read::<u32, f32>(bytes, values, |x| x as f32),
        Element::I64 => read::<i64, f32>(bytes, values, |x| x as f32),
        Element::U64 => read::<u64, f32>(bytes, values, |x| x as f32),
        _ => read::<F32, f32>(bytes, values, |x| x),
    }
    if to.is_integer() || from == to {
        round_all(values, rounding);
    }
    if (from, to) == (Element::F32, Element::F16) && rounding != Rounding::NearestEven {
        round_to_f16::<CHUNK>(values, rounding);
    }
    if saturate {
        clamp_to(to, values);
    }
    let at = dst + to.bytes(start / to.values());
    let bytes = &mut mem[at..at + to.bytes(values.len().div_ceil(to.values()))];
    match to {
        Element::F16 => F16::write_all::<F>(values, bytes),
        Element::Bf16 => write::<Bf16, f32>(bytes, values, |x| x),
        Element::E4M3 => write::<u8, f32>(bytes, values, |x| e4m3(x, saturate)),
        Element::E5M2 => write::<u8, f32>(bytes, values, |x| small::<15, 2, 0x7b, 0x7c, 0x7e>(x, saturate)),
        Element::HiF8 => write::<u8, f32>(bytes, values, |x| hif8(x, saturate)),
        Element::E2M1x2 => write_pairs(bytes, values, e2m1),
        Element::E1M2x2 => write_pairs(bytes, values, small::<1, 2, 7, 7, 0>),
        Element::I8 => write_integers::<i8>(bytes, values, saturate, [-128, 127], |x| x as i8),
        Element::U8 => write_integers::<u8>(bytes, values, saturate, [0, 255], |x| x as u8),
        Element::I16 => write_integers::<i16>(bytes, values, saturate, [-32768, 32767], |x| x as i16),
        Element::U16 => write_integers::<u16>(bytes, values, saturate, [0, 65535], |x| x as u16),
        Element::I32 => write_integers::<i32>(bytes, values, saturate, [i32::MIN, i32::MAX], |x| x),
        Element::U32 if saturate => write::<u32, f32>(bytes, values, |x| x as u32),
        Element::U32 => write::<u32, f32>(bytes, values, |x| wrapped(x) as u32),
        Element::I64 if saturate => write::<i64, f32>(bytes, values, |x| x as i64),
        Element::I64 => write::<i64, f32>(bytes, values, wrapped),
        _ => write::<F32, f32>(bytes, values, |x| x),
    }
}

impl StagesBody for ThroughFloat {
    #[inline(always)]
    fn run<F: Features>(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        let Aligned(buffer) = &mut Aligned([0f32; CHUNK]);
        each_chunk!(count, CHUNK, |start, length| {
            floats::<F>(conversion, mem, dst, src, start, &mut buffer[..length])
        });
    }
}

/// Writes integers, clamped or truncated to their low bits.
#[inline(always)]
fn write_low<N: Number>(
    bytes: &mut [u8],
    values: &[i64],
    saturate: bool,
    to: Element,
    low: impl Fn(i64) -> N::Value,
) {
    if saturate {
        let (least, most) = to.int_range();
        let (least, most) = (least as i64, most as i64);
        write::<N, i64>(bytes, values, |value| low(value.clamp(least, most)));
    } else {
        write::<N, i64>(bytes, values, low);
    }
}

/// Converts one chunk through i64, an element for each element of the intermediate buffer.
#[inline(always)]
fn integers(
    conversion: &Conversion,
    mem: &mut [u8],
    dst: usize,
    src: usize,
    start: usize,
    values: &mut [i64],
) {
    let Conversion { from, to, saturate, .. } = *conversion;
    let at = src + from.bytes(start);
    let bytes = &mem[at..at + from.bytes(values.len())];
    match from {
        Element::I8 => read::<i8, i64>(bytes, values, i64::from),
        Element::U8 => read::<u8, i64>(bytes, values, i64::from),
        Element::I16 => read::<i16, i64>(bytes, values, i64::from),
        Element::U16 => read::<u16, i64>(bytes, values, i64::from),
        Element::I32 => read::<i32, i64>(bytes, values, i64::from),
        Element::U32 => read::<u32, i64>(bytes, values, i64::from),
        _ => read::<i64, i64>(bytes, values, |x| x),
    }
    let at = dst + to.bytes(start);
    let bytes = &mut mem[at..at + to.bytes(values.len())];
    match to {
        Element::I8 | Element::U8 => write_low::<u8>(bytes, values, saturate, to, |x| x as u8),
        Element::I16 | Element::U16 => write_low::<u16>(bytes, values, saturate, to, |x| x as u16),
        Element::I32 | Element::U32 => write_low::<u32>(bytes, values, saturate, to, |x| x as u32),
        _ => write_low::<i64>(bytes, values, saturate, to, |x| x),
    }
}

impl StagesBody for ThroughInteger {
    #[inline(always)]
    fn run<F: Features>(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        let Aligned(buffer) = &mut Aligned([0i64; CHUNK]);
        each_chunk!(count, CHUNK, |start, length| {
            integers(conversion, mem, dst, src, start, &mut buffer[..length])
        });
    }
}
