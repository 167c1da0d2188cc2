//! Fused multiply-add with one rounding: `dst[i] = a[i] * b[i] + c[i]`.

use std::marker::PhantomData;

use super::kernel::CHUNK_BYTES;
use crate::dispatch::{Features, multiversion};
use crate::format::f16_from_f32;
use crate::number::{F16, F32, Number, canonical_bits};
use crate::prefetch;
use crate::{Element, Overflow, Rounding};

multiversion!(
    FusedBody,
    select_fused,
    fn(mem: &mut [u8], dst: usize, a: usize, b: usize, c: usize, count: usize)
);

/// A kernel of three sources: buffer, byte offsets of the destination and of the three sources, elements.
pub type FusedFn = fn(&mut [u8], usize, usize, usize, usize, usize);

/// `dst[i] = a[i] * b[i] + c[i]`, rounded once; `None` for formats other than f32 and f16.
///
/// The destination may coincide with any source.
pub fn multiply_add(element: Element) -> Option<FusedFn> {
    match element {
        Element::F32 => Some(select_fused::<Fused<F32>>()),
        Element::F16 => Some(select_fused::<Fused<F16>>()),
        _ => None,
    }
}

/// One element of a multiply-add, given and returned as bits.
pub fn multiply_add_one(element: Element, a: u64, b: u64, c: u64) -> Option<u64> {
    let (a, b, c) = (element.decode(a), element.decode(b), element.decode(c));
    let result = match element {
        Element::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
        // In f64 the product of two f16 is exact, and so is every sum near a value halfway between two f16.
        Element::F16 => a * b + c,
        _ => return None,
    };
    Some(element.encode(result, Rounding::NearestEven, Overflow::Ieee))
}

/// A format with a fused step.
trait Step: Number<Value = f32> {
    fn step(a: f32, b: f32, c: f32) -> Self::Raw;
}

impl Step for F32 {
    #[inline(always)]
    fn step(a: f32, b: f32, c: f32) -> u32 {
        canonical_bits(a.mul_add(b, c))
    }
}

impl Step for F16 {
    /// The product is exact in f32. The sum is rounded to odd in f32, so that the rounding to f16 gives the correctly
    /// rounded result.
    #[inline(always)]
    fn step(a: f32, b: f32, c: f32) -> u16 {
        let product = a * b;
        let sum = product + c;
        // The error of the sum, exactly; NaN if it is not finite.
        let part = sum - product;
        let lost = (product - (sum - part)) + (c - part);
        let bits = sum.to_bits();
        let towards = if (lost > 0.0) == (sum > 0.0) { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
        let inexact = lost.abs() > 0.0;
        f16_from_f32(f32::from_bits(if inexact && bits & 1 == 0 { towards } else { bits }))
    }
}

struct Fused<N>(PhantomData<N>);

impl<N: Step> FusedBody for Fused<N> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, a: usize, b: usize, c: usize, count: usize) {
        match N::BYTES {
            2 => chunks::<N, { CHUNK_BYTES / 2 }>(mem, dst, [a, b, c], count),
            _ => chunks::<N, { CHUNK_BYTES / 4 }>(mem, dst, [a, b, c], count),
        }
    }
}

/// Whole chunks, then the remainder in padded local chunks.
#[inline(always)]
fn chunks<N: Step, const CHUNK: usize>(mem: &mut [u8], dst: usize, sources: [usize; 3], count: usize) {
    let whole = count / CHUNK;
    for i in 0..whole {
        let at = i * CHUNK_BYTES;
        prefetch::next_written(mem, dst + at, CHUNK_BYTES);
        chunk::<N, CHUNK>(mem, dst + at, sources.map(|source| source + at));
    }
    let at = whole * CHUNK_BYTES;
    let rest = count * N::BYTES - at;
    if rest > 0 {
        let mut tail = [0; 3 * CHUNK_BYTES];
        for (part, source) in tail.chunks_exact_mut(CHUNK_BYTES).zip(sources) {
            part[..rest].copy_from_slice(&mem[source + at..source + at + rest]);
        }
        chunk::<N, CHUNK>(&mut tail, 0, [0, CHUNK_BYTES, 2 * CHUNK_BYTES]);
        mem[dst + at..dst + at + rest].copy_from_slice(&tail[..rest]);
    }
}

#[inline(always)]
fn chunk<N: Step, const CHUNK: usize>(mem: &mut [u8], dst: usize, sources: [usize; 3]) {
    let mut out = [N::Raw::default(); CHUNK];
    let [a, b, c] = sources.map(|source| &mem[source..source + CHUNK_BYTES]);
    for (i, out) in out.iter_mut().enumerate() {
        let at = i * N::BYTES;
        *out = N::step(N::read(&a[at..]), N::read(&b[at..]), N::read(&c[at..]));
    }
    let d = &mut mem[dst..dst + CHUNK_BYTES];
    for (i, raw) in out.into_iter().enumerate() {
        N::write(raw, &mut d[i * N::BYTES..]);
    }
}
