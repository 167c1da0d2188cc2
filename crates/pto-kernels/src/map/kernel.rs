//! The loops of [`map`](super): chunks of a fixed size, so that they become vector code without branches.

use std::marker::PhantomData;

use super::arithmetic::Arithmetic;
use super::{BinaryOp, UnaryOp};
use crate::aligned::Aligned;
use crate::dispatch::{Features, multiversion};
use crate::number::Number;
use crate::prefetch;

multiversion!(UnaryBody, select_unary, fn(mem: &mut [u8], dst: usize, src: usize, count: usize));
multiversion!(BinaryBody, select_binary, fn(mem: &mut [u8], walk: &Walk<'_>));

/// Bytes of a chunk. A chunk of the sources is read whole before its result is written, since they may coincide.
pub(super) const CHUNK_BYTES: usize = 128;

/// Bytes of the pieces of what is left after the chunks: rows of tiles are multiples of it.
const PIECE_BYTES: usize = 32;

/// Calls `$loop` with elements of a chunk and of a piece as further arguments of its type; the match disappears.
macro_rules! by_width {
    ($loop:ident::<$number:ty, $features:ty, $op:ident>($($arg:expr),*)) => {
        match <$number>::BYTES {
            1 => $loop::<$number, $features, $op, CHUNK_BYTES, PIECE_BYTES>($($arg),*),
            2 => $loop::<$number, $features, $op, { CHUNK_BYTES / 2 }, { PIECE_BYTES / 2 }>($($arg),*),
            4 => $loop::<$number, $features, $op, { CHUNK_BYTES / 4 }, { PIECE_BYTES / 4 }>($($arg),*),
            _ => $loop::<$number, $features, $op, { CHUNK_BYTES / 8 }, { PIECE_BYTES / 8 }>($($arg),*),
        }
    };
}

/// One source; `OP` is a [`UnaryOp`].
pub(super) struct Unary<N, const OP: usize>(PhantomData<N>);
/// Two sources; `OP` is a [`BinaryOp`].
pub(super) struct Binary<N, const OP: usize>(PhantomData<N>);
/// What a loop over two sources goes through: rows of elements.
pub(super) struct Walk<'a> {
    /// Rows.
    pub(super) rows: usize,
    /// Elements of a row.
    pub(super) count: usize,
    /// Where results go.
    pub(super) dst: Line,
    /// The left operand.
    pub(super) a: Source<'a>,
    /// The right operand.
    pub(super) b: Source<'a>,
}

/// Rows in the buffer.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Byte where the first row begins.
    pub(super) at: usize,
    /// Bytes from a row to the next.
    pub(super) stride: usize,
}

/// An operand of a loop over two sources.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Elements in the buffer.
    Rows(Line),
    /// A scalar for each row, as the bits of an element.
    Scalars(&'a [u64]),
}

impl Line {
    /// Where a row begins.
    #[inline(always)]
    pub(super) fn row(self, row: usize) -> usize {
        self.at + row * self.stride
    }
}

/// Panics unless `count` elements of `width` bytes from each of these places on are in the buffer: asked for once, since
/// the compiler would ask for each chunk.
#[inline(always)]
fn within<const PLACES: usize>(mem: &[u8], places: [usize; PLACES], count: usize, width: usize) {
    let last = mem.len().checked_sub(count.saturating_mul(width));
    assert!(last.is_some_and(|last| places.iter().all(|place| *place <= last)), "not in the buffer");
}

/// # Safety
///
/// `CHUNK` elements from `dst` and from `src` on are in the buffer.
#[inline(always)]
unsafe fn chunk_unary<N: Number<Value: Arithmetic>, F: Features, const OP: usize, const CHUNK: usize>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
) {
    let mut values = [N::Value::default(); CHUNK];
    // SAFETY: the caller's promise.
    N::read_all::<F>(unsafe { mem.get_unchecked(src..src + CHUNK * N::BYTES) }, &mut values);
    apply::<N, F, OP>(&mut values);
    // SAFETY: as above.
    N::write_all::<F>(&values, unsafe { mem.get_unchecked_mut(dst..dst + CHUNK * N::BYTES) });
}

/// `OP`, a [`UnaryOp`], of each value.
#[inline(always)]
fn apply<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(values: &mut [N::Value]) {
    let op = UnaryOp::ALL[OP];
    for value in Arithmetic::unary_vectors::<F>(op, values) {
        *value = Arithmetic::unary::<F>(op, *value);
    }
}

/// Chunks, then pieces; the last bytes in a padded local one, done at the same place, so that less is compiled.
#[inline(always)]
fn loop_unary<
    N: Number<Value: Arithmetic>,
    F: Features,
    const OP: usize,
    const CHUNK: usize,
    const PIECE: usize,
>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    count: usize,
) {
    within(mem, [dst, src], count, N::BYTES);
    let bytes = count * N::BYTES;
    let chunked = chunked::<F>(bytes);
    for at in (0..chunked).step_by(CHUNK_BYTES) {
        prefetch::next_written(mem, dst + at, CHUNK_BYTES);
        // SAFETY: the chunks are among the elements that are in the buffer.
        unsafe { chunk_unary::<N, F, OP, CHUNK>(mem, dst + at, src + at) };
    }
    let mut tail = [0; PIECE_BYTES];
    for at in (chunked..bytes).step_by(PIECE_BYTES) {
        let rest = bytes - at;
        if rest < PIECE_BYTES {
            tail[..rest].copy_from_slice(&mem[src + at..src + bytes]);
        }
        let (piece, to, from) =
            if rest < PIECE_BYTES { (&mut tail[..], 0, 0) } else { (&mut *mem, dst + at, src + at) };
        // SAFETY: the piece is among the bytes that are in the buffer, or all of the local one.
        unsafe { chunk_unary::<N, F, OP, PIECE>(piece, to, from) };
        if rest < PIECE_BYTES {
            mem[dst + at..dst + bytes].copy_from_slice(&tail[..rest]);
        }
    }
}

/// How many of the bytes of a row are done in chunks: none without wide vectors, so that less is compiled.
#[inline(always)]
fn chunked<F: Features>(bytes: usize) -> usize {
    if F::FUSED { bytes - bytes % CHUNK_BYTES } else { 0 }
}

/// # Safety
///
/// `CHUNK` elements may be read from `a` and `b` on, and written from `dst` on.
#[inline(always)]
unsafe fn chunk_binary<N: Number<Value: Arithmetic>, F: Features, const OP: usize, const CHUNK: usize>(
    dst: *mut u8,
    a: *const u8,
    b: *const u8,
) {
    let bytes = CHUNK * N::BYTES;
    let (mut left, mut right) = ([N::Value::default(); CHUNK], [N::Value::default(); CHUNK]);
    // SAFETY: the caller's promise; neither slice is used once the destination is written.
    N::read_all::<F>(unsafe { std::slice::from_raw_parts(a, bytes) }, &mut left);
    // SAFETY: as above.
    N::read_all::<F>(unsafe { std::slice::from_raw_parts(b, bytes) }, &mut right);
    for (left, right) in left.iter_mut().zip(right) {
        *left = combine::<N, F, OP>(*left, right);
    }
    finish::<N, F, OP>(&mut left);
    // SAFETY: as above.
    N::write_all::<F>(&left, unsafe { std::slice::from_raw_parts_mut(dst, bytes) });
}

/// An operand in one row: where its elements begin, and 1, or 0 where a single chunk is repeated.
type Operand = (*const u8, usize);

/// The operand of a row. A scalar is repeated in a local chunk, so that one loop serves both kinds of operands.
///
/// # Safety
///
/// Rows of the source lie within the buffer at `base`.
#[inline(always)]
unsafe fn operand<N: Number>(
    base: *const u8,
    source: Source<'_>,
    row: usize,
    repeated: &mut Aligned<[u8; CHUNK_BYTES]>,
) -> Operand {
    match source {
        // SAFETY: the caller's promise.
        Source::Rows(line) => (unsafe { base.add(line.row(row)) }, 1),
        Source::Scalars(scalars) => {
            let bytes = scalars[row].to_le_bytes();
            for element in repeated.0.chunks_exact_mut(N::BYTES) {
                element.copy_from_slice(&bytes[..N::BYTES]);
            }
            (repeated.0.as_ptr(), 0)
        }
    }
}

/// The chunks of all rows, then what is left of them. With both in one loop over the rows the chunks take twice as long.
#[inline(always)]
fn loop_binary<
    N: Number<Value: Arithmetic>,
    F: Features,
    const OP: usize,
    const CHUNK: usize,
    const PIECE: usize,
>(
    mem: &mut [u8],
    walk: &Walk<'_>,
) {
    for row in 0..walk.rows {
        for line in [Source::Rows(walk.dst), walk.a, walk.b] {
            if let Source::Rows(line) = line {
                within(mem, [line.row(row)], walk.count, N::BYTES);
            }
        }
    }
    let bytes = walk.count * N::BYTES;
    let chunked = chunked::<F>(bytes);
    let base = mem.as_mut_ptr();
    let repeated = &mut [const { Aligned([0; CHUNK_BYTES]) }; 2];
    if chunked > 0 {
        for row in 0..walk.rows {
            let [of_a, of_b] = &mut *repeated;
            // SAFETY: all elements of all rows are in the buffer, as was just asserted, and the repeated chunks are whole.
            unsafe {
                let (dst, (a, step_a), (b, step_b)) = (
                    base.add(walk.dst.row(row)),
                    operand::<N>(base, walk.a, row, of_a),
                    operand::<N>(base, walk.b, row, of_b),
                );
                for at in (0..chunked).step_by(CHUNK_BYTES) {
                    prefetch::next_to_write(dst.add(at), CHUNK_BYTES);
                    chunk_binary::<N, F, OP, CHUNK>(dst.add(at), a.add(at * step_a), b.add(at * step_b));
                }
            }
        }
    }
    if chunked == bytes {
        return;
    }
    let mut tail = Aligned([0u8; 2 * PIECE_BYTES]);
    for row in 0..walk.rows {
        let [of_a, of_b] = &mut *repeated;
        // SAFETY: as above; a piece that is not whole is copied to a local one that is.
        unsafe {
            let (dst, (a, step_a), (b, step_b)) = (
                base.add(walk.dst.row(row)),
                operand::<N>(base, walk.a, row, of_a),
                operand::<N>(base, walk.b, row, of_b),
            );
            for at in (chunked..bytes).step_by(PIECE_BYTES) {
                let rest = bytes - at;
                let (to, a, b) = (dst.add(at), a.add(at * step_a), b.add(at * step_b));
                if rest >= PIECE_BYTES {
                    chunk_binary::<N, F, OP, PIECE>(to, a, b);
                    continue;
                }
                let local = tail.0.as_mut_ptr();
                local.copy_from_nonoverlapping(a, rest);
                local.add(PIECE_BYTES).copy_from_nonoverlapping(b, rest);
                chunk_binary::<N, F, OP, PIECE>(local, local, local.add(PIECE_BYTES));
                to.copy_from_nonoverlapping(local, rest);
            }
        }
    }
}

impl<N: Number<Value: Arithmetic>, const OP: usize> UnaryBody for Unary<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: usize, src: usize, count: usize) {
        by_width!(loop_unary::<N, F, OP>(mem, dst, src, count));
    }
}

impl<N: Number<Value: Arithmetic>, const OP: usize> BinaryBody for Binary<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], walk: &Walk<'_>) {
        by_width!(loop_binary::<N, F, OP>(mem, walk));
    }
}

/// One operation; of [`BinaryOp::ExpDif`] the difference, rounded to the format, as the device does: [`finish`] is the
/// rest.
#[inline(always)]
fn combine<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(a: N::Value, b: N::Value) -> N::Value {
    if OP != BinaryOp::ExpDif as usize {
        return Arithmetic::binary::<F>(BinaryOp::ALL[OP], a, b);
    }
    let mut bytes = [0; 8];
    N::write(N::round(Arithmetic::binary::<F>(BinaryOp::Sub, a, b)), &mut bytes);
    N::read(&bytes)
}

/// What is left to do when all values of a chunk are combined.
#[inline(always)]
fn finish<N: Number<Value: Arithmetic>, F: Features, const OP: usize>(values: &mut [N::Value]) {
    if OP == BinaryOp::ExpDif as usize {
        apply::<N, F, { UnaryOp::Exp as usize }>(values);
    }
}
