//! Remainders of floats, a chunk at a time: in f64 where the quotient is small enough for an exact result.

use std::marker::PhantomData;

use super::kernel::{BinaryBody, ScalarBody};
use super::{BinaryOp, Rows};
use crate::aligned::Aligned;
use crate::dispatch::Features;
use crate::number::Number;

/// Two sources; `OP` is [`BinaryOp::Fmod`] or [`BinaryOp::Rem`].
pub(super) struct Remainder<N, const OP: usize>(PhantomData<N>);
/// A row and a scalar divisor.
pub(super) struct ScalarRemainder<N, const OP: usize>(PhantomData<N>);

/// Elements of a chunk.
const CHUNK: usize = 32;

/// Quotients of smaller magnitude are computed in f64.
const SMALL: f64 = (1u64 << 29) as f64;

/// The remainder with the sign of `a`, and whether the quotient is too large for it to be valid.
///
/// If |a| < |b|, the remainder is `a`. Otherwise the last place u of b, with b = Bu and B < 2^24, divides a = Au. A/B
/// is an integer or at least 1/B > 2^-24 away from the next one, and f64 numbers below 2^29 are 2^-24 apart or less: a
/// quotient is never rounded up to an integer, so that its integral part q is that of A/B. qB < 2^53 and A - qB < B are
/// exact in f64, and the latter, times u, in f32.
#[inline(always)]
pub(crate) fn small(a: f32, b: f32) -> (f32, bool) {
    let (dividend, divisor) = (f64::from(a), f64::from(b));
    let quotient = (dividend / divisor).trunc();
    // NaN for an infinite dividend and for a zero divisor, as required.
    let rest = ((dividend - quotient * divisor) as f32).copysign(a);
    let size = quotient.abs();
    (if a.abs() < b.abs() { a } else { rest }, (SMALL..f64::INFINITY).contains(&size))
}

/// Replaces the dividends by the remainders.
#[inline(always)]
fn all<F: Features, const OP: usize>(dividends: &mut [f32; CHUNK], divisors: &[f32; CHUNK]) {
    let Aligned(rests) = &mut Aligned([0f32; CHUNK]);
    let mut large = !F::FUSED;
    // This is faster only with instructions that truncate to integers.
    if F::FUSED {
        for i in 0..CHUNK {
            let (rest, is_large) = small(dividends[i], divisors[i]);
            rests[i] = rest;
            large |= is_large;
        }
    }
    if large {
        for i in 0..CHUNK {
            rests[i] = dividends[i] % divisors[i];
        }
    }
    for i in 0..CHUNK {
        let (rest, divisor) = (rests[i], divisors[i]);
        let floored = OP == BinaryOp::Rem as usize;
        let differ = floored && rest != 0.0 && (rest < 0.0) != (divisor < 0.0);
        let rest = if differ { rest + divisor } else { rest };
        // Adding +0 makes +0 of -0.
        dividends[i] = if floored { rest + 0.0 } else { rest };
    }
}

/// Reads `count` elements into a chunk; the other values keep their contents.
#[inline(always)]
fn load<N: Number<Value = f32>, F: Features>(mem: &[u8], at: usize, count: usize, values: &mut [f32; CHUNK]) {
    N::read_all::<F>(&mem[at..at + count * N::BYTES], &mut values[..count]);
}

/// Writes the elements of a chunk.
#[inline(always)]
fn store<N: Number<Value = f32>, F: Features>(mem: &mut [u8], at: usize, values: &[f32]) {
    N::write_all::<F>(values, &mut mem[at..at + values.len() * N::BYTES]);
}

impl<N: Number<Value = f32>, const OP: usize> BinaryBody for Remainder<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize) {
        let Aligned([dividends, divisors]) = &mut Aligned([[1.0; CHUNK]; 2]);
        for start in (0..count).step_by(CHUNK) {
            let (at, length) = (start * N::BYTES, (count - start).min(CHUNK));
            load::<N, F>(mem, a + at, length, dividends);
            load::<N, F>(mem, b + at, length, divisors);
            all::<F, OP>(dividends, divisors);
            store::<N, F>(mem, dst + at, &dividends[..length]);
        }
    }
}

impl<N: Number<Value = f32>, const OP: usize> ScalarBody for ScalarRemainder<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        let Aligned(dividends) = &mut Aligned([1.0; CHUNK]);
        for (row, scalar) in scalars.iter().enumerate() {
            let Aligned(divisors) = &Aligned([N::read(&scalar.to_le_bytes()); CHUNK]);
            for start in (0..rows.count).step_by(CHUNK) {
                let (at, length) = (start * N::BYTES, (rows.count - start).min(CHUNK));
                load::<N, F>(mem, rows.src + row * rows.src_stride + at, length, dividends);
                all::<F, OP>(dividends, divisors);
                store::<N, F>(mem, rows.dst + row * rows.dst_stride + at, &dividends[..length]);
            }
        }
    }
}
