//! The loops of [`map`](super): chunks of a fixed size, so that they become vector code without branches.

use std::marker::PhantomData;

use super::arithmetic::Arithmetic;
use super::{BinaryOp, Rows, UnaryOp};
use crate::dispatch::{Features, multiversion};
use crate::number::Number;

multiversion!(UnaryBody, select_unary, fn(mem: &mut [u8], dst: usize, src: usize, count: usize));
multiversion!(BinaryBody, select_binary, fn(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize));
multiversion!(ScalarBody, select_scalar, fn(mem: &mut [u8], rows: &Rows, scalars: &[u64]));

/// Bytes of a chunk. A chunk of the sources is read whole before its result is written, since they may coincide.
pub(super) const CHUNK_BYTES: usize = 128;

/// Bytes of the pieces of what is left after the chunks: rows of tiles are multiples of it.
const PIECE_BYTES: usize = 32;

/// Calls `$loop::<N, elements of a chunk, elements of a piece>`; the match disappears.
macro_rules! by_width {
    ($number:ty, $features:ty, $loop:ident($($arg:expr),*)) => {
        match <$number>::BYTES {
            1 => $loop::<$number, $features, CHUNK_BYTES, PIECE_BYTES>($($arg),*),
            2 => $loop::<$number, $features, { CHUNK_BYTES / 2 }, { PIECE_BYTES / 2 }>($($arg),*),
            4 => $loop::<$number, $features, { CHUNK_BYTES / 4 }, { PIECE_BYTES / 4 }>($($arg),*),
            _ => $loop::<$number, $features, { CHUNK_BYTES / 8 }, { PIECE_BYTES / 8 }>($($arg),*),
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
fn chunk_unary<N: Number, F: Features, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    f: impl Fn(N::Value) -> N::Value,
) {
    let mut values = [N::Value::default(); CHUNK];
    N::read_all::<F>(&mem[src..src + CHUNK * N::BYTES], &mut values);
    for value in &mut values {
        *value = f(*value);
    }
    N::write_all::<F>(&values, &mut mem[dst..dst + CHUNK * N::BYTES]);
}

#[inline(always)]
fn chunk_binary<N: Number, F: Features, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    a: usize,
    b: usize,
    f: impl Fn(N::Value, N::Value) -> N::Value,
) {
    let (mut left, mut right) = ([N::Value::default(); CHUNK], [N::Value::default(); CHUNK]);
    N::read_all::<F>(&mem[a..a + CHUNK * N::BYTES], &mut left);
    N::read_all::<F>(&mem[b..b + CHUNK * N::BYTES], &mut right);
    for (left, right) in left.iter_mut().zip(right) {
        *left = f(*left, right);
    }
    N::write_all::<F>(&left, &mut mem[dst..dst + CHUNK * N::BYTES]);
}

/// Each row with its scalar: the chunks of all rows, then what is left of them. With both in one loop over the rows the
/// chunks take twice as long.
#[inline(always)]
fn rows_unary<N: Number, F: Features, const CHUNK: usize, const PIECE: usize>(
    mem: &mut [u8],
    rows: &Rows,
    scalars: &[u64],
    f: impl Fn(N::Value, N::Value) -> N::Value + Copy,
) {
    let chunks = rows.count / CHUNK;
    let done = chunks * CHUNK * N::BYTES;
    for (row, scalar) in scalars.iter().enumerate() {
        let scalar = N::read(&scalar.to_le_bytes());
        let (dst, src) = (rows.dst + row * rows.dst_stride, rows.src + row * rows.src_stride);
        for i in 0..chunks {
            let at = i * CHUNK * N::BYTES;
            chunk_unary::<N, F, CHUNK>(mem, dst + at, src + at, |a| f(a, scalar));
        }
    }
    if done == rows.count * N::BYTES {
        return;
    }
    for (row, scalar) in scalars.iter().enumerate() {
        let scalar = N::read(&scalar.to_le_bytes());
        let (dst, src) = (rows.dst + row * rows.dst_stride, rows.src + row * rows.src_stride);
        let left = rows.count * N::BYTES - done;
        rest_unary::<N, F, PIECE>(mem, dst + done, src + done, left, |a| f(a, scalar));
    }
}

/// Chunks, then what is left.
#[inline(always)]
fn loop_unary<N: Number, F: Features, const CHUNK: usize, const PIECE: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    count: usize,
    f: impl Fn(N::Value) -> N::Value + Copy,
) {
    let whole = count / CHUNK;
    for i in 0..whole {
        let at = i * CHUNK * N::BYTES;
        chunk_unary::<N, F, CHUNK>(mem, dst + at, src + at, f);
    }
    let at = whole * CHUNK * N::BYTES;
    rest_unary::<N, F, PIECE>(mem, dst + at, src + at, count * N::BYTES - at, f);
}

/// Pieces, then the last bytes in a padded local piece.
#[inline(always)]
fn rest_unary<N: Number, F: Features, const PIECE: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    bytes: usize,
    f: impl Fn(N::Value) -> N::Value + Copy,
) {
    let pieces = bytes / PIECE_BYTES * PIECE_BYTES;
    for at in (0..pieces).step_by(PIECE_BYTES) {
        chunk_unary::<N, F, PIECE>(mem, dst + at, src + at, f);
    }
    let rest = bytes - pieces;
    if rest > 0 {
        let mut tail = [0; PIECE_BYTES];
        tail[..rest].copy_from_slice(&mem[src + pieces..src + bytes]);
        chunk_unary::<N, F, PIECE>(&mut tail, 0, 0, f);
        mem[dst + pieces..dst + bytes].copy_from_slice(&tail[..rest]);
    }
}

/// As [`loop_unary`], of two sources.
#[inline(always)]
fn loop_binary<N: Number, F: Features, const CHUNK: usize, const PIECE: usize>(
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
        chunk_binary::<N, F, CHUNK>(mem, dst + at, a + at, b + at, f);
    }
    let mut at = whole * CHUNK * N::BYTES;
    let end = count * N::BYTES;
    while end - at >= PIECE_BYTES {
        chunk_binary::<N, F, PIECE>(mem, dst + at, a + at, b + at, f);
        at += PIECE_BYTES;
    }
    let rest = end - at;
    if rest > 0 {
        let mut tail = [0; 2 * PIECE_BYTES];
        tail[..rest].copy_from_slice(&mem[a + at..a + at + rest]);
        tail[PIECE_BYTES..][..rest].copy_from_slice(&mem[b + at..b + at + rest]);
        chunk_binary::<N, F, PIECE>(&mut tail, 0, 0, PIECE_BYTES, f);
        mem[dst + at..dst + at + rest].copy_from_slice(&tail[..rest]);
    }
}

impl<N: Number, const OP: usize> UnaryBody for Unary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, src: usize, count: usize) {
        by_width!(N, F, loop_unary(mem, dst, src, count, |a| Arithmetic::unary::<F>(UnaryOp::ALL[OP], a)));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarRight<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        let f = |a, scalar| combine::<N, F, OP>(a, scalar);
        by_width!(N, F, rows_unary(mem, rows, scalars, f));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarLeft<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        let f = |a, scalar| combine::<N, F, OP>(scalar, a);
        by_width!(N, F, rows_unary(mem, rows, scalars, f));
    }
}

impl<N: Number, const OP: usize> BinaryBody for Binary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize) {
        let f = |a, b| combine::<N, F, OP>(a, b);
        by_width!(N, F, loop_binary(mem, dst, a, b, count, f));
    }
}

/// One operation; the difference whose exponential is taken is itself rounded to the format, as the device does.
#[inline(always)]
fn combine<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(a: N::Value, b: N::Value) -> N::Value {
    if OP != BinaryOp::ExpDif as usize {
        return Arithmetic::binary::<F>(BinaryOp::ALL[OP], a, b);
    }
    let mut bytes = [0; 8];
    N::write(N::round(Arithmetic::binary::<F>(BinaryOp::Sub, a, b)), &mut bytes);
    Arithmetic::unary::<F>(UnaryOp::Exp, N::read(&bytes))
}
