//! The loops of [`map`](super): chunks of a fixed size, so that they become vector code without branches.

use std::marker::PhantomData;

use super::arithmetic::Arithmetic;
use super::{BinaryOp, UnaryOp};
use crate::dispatch::multiversion;
use crate::number::Number;

multiversion!(UnaryBody, select_unary, fn(mem: &mut [u8], dst: usize, src: usize, count: usize));
multiversion!(BinaryBody, select_binary, fn(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize));
multiversion!(ScalarBody, select_scalar, fn(mem: &mut [u8], dst: usize, a: usize, scalar: u64, count: usize));

/// Bytes of a chunk. A chunk of the sources is read whole before its result is written, since they may coincide.
pub(super) const CHUNK_BYTES: usize = 128;

/// Calls `$loop::<N, elements of a chunk>`; the match disappears.
macro_rules! by_width {
    ($number:ty, $loop:ident($($arg:expr),*)) => {
        match <$number>::BYTES {
            1 => $loop::<$number, CHUNK_BYTES>($($arg),*),
            2 => $loop::<$number, { CHUNK_BYTES / 2 }>($($arg),*),
            4 => $loop::<$number, { CHUNK_BYTES / 4 }>($($arg),*),
            _ => $loop::<$number, { CHUNK_BYTES / 8 }>($($arg),*),
        }
    };
}

/// One source; `OP` is a [`UnaryOp`].
pub(super) struct Unary<N, const OP: usize>(PhantomData<N>);
/// Two sources; `OP` is a [`BinaryOp`].
pub(super) struct Binary<N, const OP: usize>(PhantomData<N>);
/// A scalar on the right.
pub(super) struct ScalarRight<N, const OP: usize>(PhantomData<N>);
/// A scalar on the left.
pub(super) struct ScalarLeft<N, const OP: usize>(PhantomData<N>);

#[inline(always)]
fn chunk_unary<N: Number, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    f: impl Fn(N::Value) -> N::Value,
) {
    let mut out = [N::Raw::default(); CHUNK];
    let a = &mem[src..src + CHUNK * N::BYTES];
    for i in 0..CHUNK {
        out[i] = N::round(f(N::read(&a[i * N::BYTES..])));
    }
    let d = &mut mem[dst..dst + CHUNK * N::BYTES];
    for i in 0..CHUNK {
        N::write(out[i], &mut d[i * N::BYTES..]);
    }
}

#[inline(always)]
fn chunk_binary<N: Number, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    a: usize,
    b: usize,
    f: impl Fn(N::Value, N::Value) -> N::Value,
) {
    let mut out = [N::Raw::default(); CHUNK];
    let a = &mem[a..a + CHUNK * N::BYTES];
    let b = &mem[b..b + CHUNK * N::BYTES];
    for i in 0..CHUNK {
        out[i] = N::round(f(N::read(&a[i * N::BYTES..]), N::read(&b[i * N::BYTES..])));
    }
    let d = &mut mem[dst..dst + CHUNK * N::BYTES];
    for i in 0..CHUNK {
        N::write(out[i], &mut d[i * N::BYTES..]);
    }
}

/// Chunks, then the tail in a padded local chunk.
#[inline(always)]
fn loop_unary<N: Number, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    count: usize,
    f: impl Fn(N::Value) -> N::Value + Copy,
) {
    let whole = count / CHUNK;
    for i in 0..whole {
        let at = i * CHUNK * N::BYTES;
        chunk_unary::<N, CHUNK>(mem, dst + at, src + at, f);
    }
    let at = whole * CHUNK * N::BYTES;
    let rest = count * N::BYTES - at;
    if rest > 0 {
        let mut tail = [0; CHUNK_BYTES];
        tail[..rest].copy_from_slice(&mem[src + at..src + at + rest]);
        chunk_unary::<N, CHUNK>(&mut tail, 0, 0, f);
        mem[dst + at..dst + at + rest].copy_from_slice(&tail[..rest]);
    }
}

/// As [`loop_unary`], of two sources.
#[inline(always)]
fn loop_binary<N: Number, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    a: usize,
    b: usize,
    count: usize,
    f: impl Fn(N::Value, N::Value) -> N::Value + Copy,
) {
    let whole = count / CHUNK;
    for i in 0..whole {
        let at = i * CHUNK * N::BYTES;
        chunk_binary::<N, CHUNK>(mem, dst + at, a + at, b + at, f);
    }
    let at = whole * CHUNK * N::BYTES;
    let rest = count * N::BYTES - at;
    if rest > 0 {
        let mut tail = [0; 2 * CHUNK_BYTES];
        tail[..rest].copy_from_slice(&mem[a + at..a + at + rest]);
        tail[CHUNK_BYTES..][..rest].copy_from_slice(&mem[b + at..b + at + rest]);
        chunk_binary::<N, CHUNK>(&mut tail, 0, 0, CHUNK_BYTES, f);
        mem[dst + at..dst + at + rest].copy_from_slice(&tail[..rest]);
    }
}

impl<N: Number, const OP: usize> UnaryBody for Unary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run(mem: &mut [u8], dst: usize, src: usize, count: usize) {
        by_width!(N, loop_unary(mem, dst, src, count, |a| Arithmetic::unary(UnaryOp::ALL[OP], a)));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarRight<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run(mem: &mut [u8], dst: usize, a: usize, scalar: u64, count: usize) {
        let b = N::read(&scalar.to_le_bytes());
        by_width!(N, loop_unary(mem, dst, a, count, |a| combine::<N, OP>(a, b)));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarLeft<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run(mem: &mut [u8], dst: usize, a: usize, scalar: u64, count: usize) {
        let s = N::read(&scalar.to_le_bytes());
        by_width!(N, loop_unary(mem, dst, a, count, |a| combine::<N, OP>(s, a)));
    }
}

impl<N: Number, const OP: usize> BinaryBody for Binary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize) {
        let f = |a, b| combine::<N, OP>(a, b);
        by_width!(N, loop_binary(mem, dst, a, b, count, f));
    }
}

/// One operation; the difference whose exponential is taken is itself rounded to the format, as the device does.
#[inline(always)]
fn combine<N: Number<Value: Arithmetic>, const OP: usize>(a: N::Value, b: N::Value) -> N::Value {
    if OP != BinaryOp::ExpDif as usize {
        return Arithmetic::binary(BinaryOp::ALL[OP], a, b);
    }
    let mut bytes = [0; 8];
    N::write(N::round(Arithmetic::binary(BinaryOp::Sub, a, b)), &mut bytes);
    Arithmetic::unary(UnaryOp::Exp, N::read(&bytes))
}
