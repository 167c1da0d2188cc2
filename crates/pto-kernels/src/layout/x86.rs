//! Transposes in vectors of 32 bytes: two squares at once, each in a half of its own.

use super::block::{Block, Memory, end};
use crate::prefetch;
use std::arch::x86_64::*;

/// Bytes of a half of a vector, the side of a square.
const HALF: usize = 16;

/// Transposes as many whole pairs of squares as fit in each block, or a column of single ones: the destination is
/// contiguous along columns, the source along rows, of elements of `WIDTH` bytes. Gives how many rows and columns of each
/// are done.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose<const WIDTH: usize>(memory: &mut Memory<'_>, block: &Block) -> [usize; 2] {
    let side = HALF / WIDTH;
    // Where no pair of squares fits, as between boxes that cross, single ones may.
    let paired = block.size[1] >= 2 * side;
    let width = if paired { 2 * side } else { side };
    let [rows, cols] = [block.size[0] / side * side, block.size[1] / width * width];
    if rows == 0 || cols == 0 || block.times == 0 {
        return [0, 0];
    }
    let (to, from) = (block.dst_strides[0], block.src_strides[1]);
    let last = |start: usize, lines: usize, stride: usize, step: usize, bytes: usize| {
        end(end(start, lines, stride, 0), block.times, step, bytes)
    };
    let dst_end = last(block.dst, rows, to, block.steps[0], cols * WIDTH);
    let src_end = last(block.src, cols, from, block.steps[1], rows * WIDTH);
    let (dst, src) = memory.pointers(dst_end, src_end);
    // SAFETY: the runs of 16 bytes that are read, and those of 16 or 32 bytes that are written, lie before the ends, which
    // are in their buffers.
    unsafe {
        let (dst, src) = (dst.add(block.dst), src.add(block.src));
        if rows == 2 * side && cols == 2 * side {
            crossings::<WIDTH>(dst, src, block);
            return [rows, cols];
        }
        for time in 0..block.times {
            let (dst, src) = (dst.add(time * block.steps[0]), src.add(time * block.steps[1]));
            for c in (0..cols).step_by(width) {
                for r in (0..rows).step_by(side) {
                    let (dst, src) = (dst.add(r * to + c * WIDTH), src.add(c * from + r * WIDTH));
                    if paired {
                        fitting::<WIDTH, true>(dst, to, src, from);
                    } else {
                        fitting::<WIDTH, false>(dst, to, src, from);
                    }
                }
            }
        }
    }
    [rows, cols]
}

/// Transposes blocks of two pairs of squares, what boxes that cross have in common. Not inlined, so that its loop has the
/// registers for itself.
///
/// # Safety
///
/// As for [`squares`] of pairs, at the first and the second half of the rows of each block.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn crossings<const WIDTH: usize>(mut dst: *mut u8, mut src: *const u8, block: &Block) {
    let side = HALF / WIDTH;
    let (to, from) = (block.dst_strides[0], block.src_strides[1]);
    let dense = to == 2 * HALF;
    for _ in 0..block.times {
        if dense {
            prefetch::next_run(dst, 2 * HALF * 2 * side, block.steps[0]);
        }
        // SAFETY: the caller's.
        unsafe {
            fitting::<WIDTH, true>(dst, to, src, from);
            fitting::<WIDTH, true>(dst.add(side * to), to, src.add(HALF), from);
        }
        (dst, src) = (dst.wrapping_add(block.steps[0]), src.wrapping_add(block.steps[1]));
    }
}

/// [`squares`] of as many elements of `WIDTH` bytes as fit.
///
/// # Safety
///
/// As there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn fitting<const WIDTH: usize, const PAIR: bool>(
    dst: *mut u8,
    dst_stride: usize,
    src: *const u8,
    src_stride: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        match WIDTH {
            1 => squares::<1, 16, PAIR>(dst, dst_stride, src, src_stride),
            2 => squares::<2, 8, PAIR>(dst, dst_stride, src, src_stride),
            4 => squares::<4, 4, PAIR>(dst, dst_stride, src, src_stride),
            _ => squares::<8, 2, PAIR>(dst, dst_stride, src, src_stride),
        }
    }
}

/// Transposes a square of `N` x `N` elements, or a pair of them, one below the other in the source, one beside the other in
/// the destination, by log2(N) perfect shuffles as the portable path does. To put two halves together as they are loaded
/// costs no shuffle.
///
/// # Safety
///
/// `src` is valid for reads of 16 bytes at `N` places `src_stride` apart, `dst` for writes of 16 bytes at `N` places
/// `dst_stride` apart; of a pair, at twice as many places, and of 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn squares<const WIDTH: usize, const N: usize, const PAIR: bool>(
    dst: *mut u8,
    dst_stride: usize,
    src: *const u8,
    src_stride: usize,
) {
    let mut lines = [_mm256_setzero_si256(); N];
    for (i, line) in lines.iter_mut().enumerate() {
        // SAFETY: the caller's promise for reads.
        *line = unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(src.add(i * src_stride).cast()));
            if PAIR {
                let high = _mm_loadu_si128(src.add((N + i) * src_stride).cast());
                _mm256_inserti128_si256::<1>(low, high)
            } else {
                low
            }
        };
    }
    let mut side = N;
    while side > 1 {
        let mut shuffled = lines;
        for i in 0..N / 2 {
            [shuffled[2 * i], shuffled[2 * i + 1]] = interleaved::<WIDTH>(lines[i], lines[i + N / 2]);
        }
        lines = shuffled;
        side /= 2;
    }
    for (i, line) in lines.into_iter().enumerate() {
        // SAFETY: the caller's promise for writes.
        unsafe {
            let to = dst.add(i * dst_stride);
            if PAIR {
                _mm256_storeu_si256(to.cast(), line);
            } else {
                _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(line));
            }
        }
    }
}

/// The elements of two vectors in turn, in each half.
#[inline]
#[target_feature(enable = "avx2")]
fn interleaved<const WIDTH: usize>(a: __m256i, b: __m256i) -> [__m256i; 2] {
    match WIDTH {
        1 => [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)],
        2 => [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)],
        4 => [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)],
        _ => [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)],
    }
}
