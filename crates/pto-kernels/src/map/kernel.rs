//! The loops of [`map`](super): chunks of a fixed size, which compile to vector code without branches.

use std::marker::PhantomData;

use super::arithmetic::Arithmetic;
use super::{BinaryOp, Rows, UnaryOp};
use crate::dispatch::{Features, multiversion};
use crate::number::Number;
use crate::prefetch;

multiversion!(UnaryBody, select_unary, fn(mem: &mut [u8], dst: usize, src: usize, count: usize));
multiversion!(BinaryBody, select_binary, fn(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize));
multiversion!(ScalarBody, select_scalar, fn(mem: &mut [u8], rows: &Rows, scalars: &[u64]));

/// Size of a chunk in bytes. A chunk of each source is read whole before its result is written, since the ranges may
/// coincide.
pub(super) const CHUNK_BYTES: usize = 128;

/// Size in bytes of the pieces of the remainder after the chunks; rows of tiles are multiples of it.
const PIECE_BYTES: usize = 32;

/// Calls `$loop` with the number of elements of a chunk and of a piece as further type arguments; the match is resolved
/// at compile time.
macro_rules! by_width {
    ($loop:ident::<$number:ty, $features:ty $(, $given:tt)*>($($arg:expr),*)) => {
        match <$number>::BYTES {
            1 => $loop::<$number, $features $(, $given)*, CHUNK_BYTES, PIECE_BYTES>($($arg),*),
            2 => {
                $loop::<$number, $features $(, $given)*, { CHUNK_BYTES / 2 }, { PIECE_BYTES / 2 }>($($arg),*)
            }
            4 => {
                $loop::<$number, $features $(, $given)*, { CHUNK_BYTES / 4 }, { PIECE_BYTES / 4 }>($($arg),*)
            }
            _ => {
                $loop::<$number, $features $(, $given)*, { CHUNK_BYTES / 8 }, { PIECE_BYTES / 8 }>($($arg),*)
            }
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

/// An operation on elements. Not a closure: one called in several loops is not inlined, and then not compiled for the
/// level.
trait One<N: Number>: Copy {
    fn apply<F: Features>(self, values: &mut [N::Value]);
}

/// `OP` is a [`UnaryOp`].
#[derive(Clone, Copy)]
struct Alone<const OP: usize>;

/// `OP` is a [`BinaryOp`]; the scalar is on the left if `LEFT`, else on the right.
#[derive(Clone, Copy)]
struct With<V, const OP: usize, const LEFT: bool>(V);

impl<N: Number<Value: Arithmetic>, const OP: usize> One<N> for Alone<OP> {
    #[inline(always)]
    fn apply<F: Features>(self, values: &mut [N::Value]) {
        let op = UnaryOp::ALL[OP];
        for value in Arithmetic::unary_vectors::<F>(op, values) {
            *value = Arithmetic::unary::<F>(op, *value);
        }
    }
}

impl<N: Number<Value: Arithmetic>, const OP: usize, const LEFT: bool> One<N> for With<N::Value, OP, LEFT> {
    #[inline(always)]
    fn apply<F: Features>(self, values: &mut [N::Value]) {
        for value in values.iter_mut() {
            let (a, b) = if LEFT { (self.0, *value) } else { (*value, self.0) };
            *value = combine::<N, F, OP>(a, b);
        }
        finish::<N, F, OP>(values);
    }
}

/// Panics unless `count` elements of `width` bytes from each of these byte offsets are in the buffer. One check
/// replaces the checks of each chunk.
#[inline(always)]
fn within<const PLACES: usize>(mem: &[u8], places: [usize; PLACES], count: usize, width: usize) {
    let last = mem.len().checked_sub(count.saturating_mul(width));
    assert!(last.is_some_and(|last| places.iter().all(|place| *place <= last)), "not in the buffer");
}

/// # Safety
///
/// `CHUNK` elements from `dst` and from `src` on are in the buffer.
#[inline(always)]
unsafe fn chunk_unary<N: Number, F: Features, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    one: impl One<N>,
) {
    let mut values = [N::Value::default(); CHUNK];
    // SAFETY: the caller's promise.
    N::read_all::<F>(unsafe { mem.get_unchecked(src..src + CHUNK * N::BYTES) }, &mut values);
    one.apply::<F>(&mut values);
    // SAFETY: the caller's promise.
    N::write_all::<F>(&values, unsafe { mem.get_unchecked_mut(dst..dst + CHUNK * N::BYTES) });
}

/// # Safety
///
/// `CHUNK` elements from `dst`, `a` and `b` on are in the buffer.
#[inline(always)]
unsafe fn chunk_binary<N: Number<Value: Arithmetic>, F: Features, const OP: usize, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    a: usize,
    b: usize,
) {
    let (mut left, mut right) = ([N::Value::default(); CHUNK], [N::Value::default(); CHUNK]);
    // SAFETY: the caller's promise.
    N::read_all::<F>(unsafe { mem.get_unchecked(a..a + CHUNK * N::BYTES) }, &mut left);
    // SAFETY: the caller's promise.
    N::read_all::<F>(unsafe { mem.get_unchecked(b..b + CHUNK * N::BYTES) }, &mut right);
    for (left, right) in left.iter_mut().zip(right) {
        *left = combine::<N, F, OP>(*left, right);
    }
    finish::<N, F, OP>(&mut left);
    // SAFETY: as above.
    N::write_all::<F>(&left, unsafe { mem.get_unchecked_mut(dst..dst + CHUNK * N::BYTES) });
}

/// Number of whole chunks of `CHUNK` elements; 0 at the portable level, so that less code is compiled.
#[inline(always)]
fn chunks_of<F: Features, const CHUNK: usize>(count: usize) -> usize {
    if F::FUSED { count / CHUNK } else { 0 }
}

/// Combines each row with its scalar: first the chunks of all rows, then the remainders. With both in one loop over the
/// rows the chunks take twice as long.
#[inline(always)]
fn loop_rows<
    N: Number<Value: Arithmetic>,
    F: Features,
    const OP: usize,
    const LEFT: bool,
    const CHUNK: usize,
    const PIECE: usize,
>(
    mem: &mut [u8],
    rows: &Rows,
    scalars: &[u64],
) {
    let chunks = chunks_of::<F, CHUNK>(rows.count);
    let done = chunks * CHUNK * N::BYTES;
    // Short rows have no chunks.
    let chunked = if chunks == 0 { &[] } else { scalars };
    for (row, scalar) in chunked.iter().enumerate() {
        let one = With::<_, OP, LEFT>(N::read(&scalar.to_le_bytes()));
        let (dst, src) = (rows.dst + row * rows.dst_stride, rows.src + row * rows.src_stride);
        within(mem, [dst, src], rows.count, N::BYTES);
        for i in 0..chunks {
            let at = i * CHUNK * N::BYTES;
            prefetch::next_written(mem, dst + at, CHUNK_BYTES);
            // SAFETY: the chunks are among the elements that are in the buffer.
            unsafe { chunk_unary::<N, F, CHUNK>(mem, dst + at, src + at, one) };
        }
    }
    if done == rows.count * N::BYTES {
        return;
    }
    for (row, scalar) in scalars.iter().enumerate() {
        let one = With::<_, OP, LEFT>(N::read(&scalar.to_le_bytes()));
        let (dst, src) = (rows.dst + row * rows.dst_stride, rows.src + row * rows.src_stride);
        within(mem, [dst, src], rows.count, N::BYTES);
        // SAFETY: the rest is among the elements that are in the buffer.
        unsafe {
            let left = rows.count * N::BYTES - done;
            rest_unary::<N, F, PIECE>(mem, dst + done, src + done, left, one);
        }
    }
}

/// Whole chunks, then the remainder.
#[inline(always)]
fn loop_unary<N: Number, F: Features, const CHUNK: usize, const PIECE: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    count: usize,
    one: impl One<N>,
) {
    within(mem, [dst, src], count, N::BYTES);
    let whole = chunks_of::<F, CHUNK>(count);
    for i in 0..whole {
        let at = i * CHUNK * N::BYTES;
        prefetch::next_written(mem, dst + at, CHUNK_BYTES);
        // SAFETY: the chunks are among the elements that are in the buffer.
        unsafe { chunk_unary::<N, F, CHUNK>(mem, dst + at, src + at, one) };
    }
    let at = whole * CHUNK * N::BYTES;
    // SAFETY: as above, the rest.
    unsafe { rest_unary::<N, F, PIECE>(mem, dst + at, src + at, count * N::BYTES - at, one) };
}

/// The remainder in pieces; the last bytes in a padded local piece, by the call that the other pieces use, so that less
/// code is compiled.
///
/// # Safety
///
/// `bytes` bytes from `dst` and from `src` on are in the buffer.
#[inline(always)]
unsafe fn rest_unary<N: Number, F: Features, const PIECE: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    bytes: usize,
    one: impl One<N>,
) {
    let mut tail = [0; PIECE_BYTES];
    for at in (0..bytes).step_by(PIECE_BYTES) {
        let rest = bytes - at;
        if rest < PIECE_BYTES {
            tail[..rest].copy_from_slice(&mem[src + at..src + bytes]);
        }
        let (piece, to, from) =
            if rest < PIECE_BYTES { (&mut tail[..], 0, 0) } else { (&mut *mem, dst + at, src + at) };
        // SAFETY: the piece is among the bytes that are in the buffer, or all of the local one.
        unsafe { chunk_unary::<N, F, PIECE>(piece, to, from, one) };
        if rest < PIECE_BYTES {
            mem[dst + at..dst + bytes].copy_from_slice(&tail[..rest]);
        }
    }
}

/// A loop over two sources. The last bytes have a call of their own, which is 3 ns faster on a row of 8 f32.
#[inline(always)]
fn loop_binary<
    N: Number<Value: Arithmetic>,
    F: Features,
    const OP: usize,
    const CHUNK: usize,
    const PIECE: usize,
>(
    mem: &mut [u8],
    dst: usize,
    a: usize,
    b: usize,
    count: usize,
) {
    within(mem, [dst, a, b], count, N::BYTES);
    let whole = chunks_of::<F, CHUNK>(count);
    for i in 0..whole {
        let at = i * CHUNK * N::BYTES;
        prefetch::next_written(mem, dst + at, CHUNK_BYTES);
        // SAFETY: the chunks are among the elements that are in the buffer.
        unsafe { chunk_binary::<N, F, OP, CHUNK>(mem, dst + at, a + at, b + at) };
    }
    let mut at = whole * CHUNK * N::BYTES;
    let end = count * N::BYTES;
    while end - at >= PIECE_BYTES {
        // SAFETY: as above.
        unsafe { chunk_binary::<N, F, OP, PIECE>(mem, dst + at, a + at, b + at) };
        at += PIECE_BYTES;
    }
    let rest = end - at;
    if rest > 0 {
        let mut tail = [0; 2 * PIECE_BYTES];
        tail[..rest].copy_from_slice(&mem[a + at..a + at + rest]);
        tail[PIECE_BYTES..][..rest].copy_from_slice(&mem[b + at..b + at + rest]);
        // SAFETY: two pieces are all of the local buffer.
        unsafe { chunk_binary::<N, F, OP, PIECE>(&mut tail, 0, 0, PIECE_BYTES) };
        mem[dst + at..dst + at + rest].copy_from_slice(&tail[..rest]);
    }
}

impl<N: Number, const OP: usize> UnaryBody for Unary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, src: usize, count: usize) {
        by_width!(loop_unary::<N, F>(mem, dst, src, count, Alone::<OP>));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarRight<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        by_width!(loop_rows::<N, F, OP, false>(mem, rows, scalars));
    }
}

impl<N: Number, const OP: usize> ScalarBody for ScalarLeft<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], rows: &Rows, scalars: &[u64]) {
        by_width!(loop_rows::<N, F, OP, true>(mem, rows, scalars));
    }
}

impl<N: Number, const OP: usize> BinaryBody for Binary<N, OP>
where
    N::Value: Arithmetic,
{
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, a: usize, b: usize, count: usize) {
        by_width!(loop_binary::<N, F, OP>(mem, dst, a, b, count));
    }
}

/// One operation. For [`BinaryOp::ExpDif`] the difference, rounded to the format, as the device does; [`finish`]
/// applies the exponential.
#[inline(always)]
fn combine<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(a: N::Value, b: N::Value) -> N::Value {
    if OP != BinaryOp::ExpDif as usize {
        return Arithmetic::binary::<F>(BinaryOp::ALL[OP], a, b);
    }
    let mut bytes = [0; 8];
    N::write(N::round(Arithmetic::binary::<F>(BinaryOp::Sub, a, b)), &mut bytes);
    N::read(&bytes)
}

/// The step that follows once all values of a chunk are combined.
#[inline(always)]
fn finish<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(values: &mut [N::Value]) {
    if OP == BinaryOp::ExpDif as usize {
        <Alone<{ UnaryOp::Exp as usize }> as One<N>>::apply::<F>(Alone, values);
    }
}
