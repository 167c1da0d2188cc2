//! Transposes in 32-byte vectors: two squares at once, one in each 16-byte half.

use super::block::{Block, HINTED, end};
use super::memory::Memory;
use crate::prefetch;
use std::arch::x86_64::*;

/// Bytes of a half of a vector, the side of a square.
const HALF: usize = 16;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Transposes as many whole pairs of squares as fit in each block, or a single column of squares. The destination is
/// contiguous along columns, the source along rows, with elements of `WIDTH` bytes. Returns the numbers of rows and
/// columns done in each block.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose<const WIDTH: usize>(memory: &mut Memory<'_>, block: &Block) -> [usize; 2] {
    let side = HALF / WIDTH;
    // Where no pair of squares fits, as in small overlaps of boxes, single squares may.
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
    // SAFETY: the 16-byte reads and the 16- or 32-byte writes end before the ends, which are in their buffers.
    unsafe {
        let (dst, src) = (dst.add(block.dst), src.add(block.src));
        if rows == 2 * side && cols == 2 * side {
            crossings::<WIDTH>(dst, src, block);
            return [rows, cols];
        }
        if !paired {
            columns::<WIDTH>(dst, src, block);
            return [rows, cols];
        }
        let block = Block { size: [rows, cols], ..*block };
        if block.total > HINTED && cols * WIDTH > LINE {
            strips::<WIDTH, true>(dst, src, &block);
        } else {
            strips::<WIDTH, false>(dst, src, &block);
        }
    }
    [rows, cols]
}

/// Transposes blocks of whole pairs of squares. With hints, the first pair of a cache line prefetches the next line.
/// Not inlined, so that its loop has all registers.
///
/// # Safety
///
/// As for [`squares`] of pairs, at each pair.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn strips<const WIDTH: usize, const HINTS: bool>(dst: *mut u8, src: *const u8, block: &Block) {
    let side = HALF / WIDTH;
    let ([rows, cols], to, from) = (block.size, block.dst_strides[0], block.src_strides[1]);
    for time in 0..block.times {
        let (dst, src) = (dst.wrapping_add(time * block.steps[0]), src.wrapping_add(time * block.steps[1]));
        for c in (0..cols).step_by(2 * side) {
            let (mut dst, mut src) = (dst.wrapping_add(c * WIDTH), src.wrapping_add(c * from));
            let hinted = HINTS && (c * WIDTH).is_multiple_of(LINE) && c + LINE / WIDTH < cols;
            for _ in 0..rows / side {
                if hinted {
                    for line in 0..side {
                        prefetch::line(dst.wrapping_add(line * to + LINE));
                    }
                }
                // SAFETY: the caller's.
                unsafe { fitting::<WIDTH, BESIDE>((dst, 0), to, (src, 0), from) };
                (dst, src) = (dst.wrapping_add(side * to), src.wrapping_add(HALF));
            }
        }
    }
}

/// Transposes groups of 2x2 squares: the overlap of a source box and a destination box. Not inlined, so that its loop
/// has all registers.
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
            fitting::<WIDTH, BESIDE>((dst, 0), to, (src, 0), from);
            fitting::<WIDTH, BESIDE>((dst.add(side * to), 0), to, (src.add(HALF), 0), from);
        }
        (dst, src) = (dst.wrapping_add(block.steps[0]), src.wrapping_add(block.steps[1]));
    }
}

/// Transposes blocks of a single column of squares, two at once. Not inlined, so that its loop has all registers.
///
/// # Safety
///
/// As for [`squares`], one below the other in the destination and side by side in the source, at each block.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn columns<const WIDTH: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let side = HALF / WIDTH;
    let (to, from, below) = (block.dst_strides[0], block.src_strides[1], side * block.dst_strides[0]);
    for time in 0..block.times {
        let mut dst = dst.wrapping_add(time * block.steps[0]);
        let mut src = src.wrapping_add(time * block.steps[1]);
        for _ in 0..block.size[0] / (2 * side) {
            // SAFETY: the caller's.
            unsafe { fitting::<WIDTH, APART>((dst, below), to, (src, HALF), from) };
            (dst, src) = (dst.wrapping_add(2 * below), src.wrapping_add(2 * HALF));
        }
        if block.size[0] / side % 2 == 1 {
            // SAFETY: the caller's.
            unsafe { fitting::<WIDTH, ONE>((dst, 0), to, (src, 0), from) };
        }
    }
}

/// Kind of [`squares`]: a single square.
const ONE: u8 = 0;
/// Kind of [`squares`]: two, one below the other in the source and side by side in the destination.
const BESIDE: u8 = 1;
/// Kind of [`squares`]: two, at given distances in bytes.
const APART: u8 = 2;

/// [`squares`] of the side that fits elements of `WIDTH` bytes.
///
/// # Safety
///
/// Those of [`squares`].
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn fitting<const WIDTH: usize, const KIND: u8>(
    dst: (*mut u8, usize),
    dst_stride: usize,
    src: (*const u8, usize),
    src_stride: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        match WIDTH {
            1 => squares::<1, 16, KIND>(dst, dst_stride, src, src_stride),
            2 => squares::<2, 8, KIND>(dst, dst_stride, src, src_stride),
            4 => squares::<4, 4, KIND>(dst, dst_stride, src, src_stride),
            _ => squares::<8, 2, KIND>(dst, dst_stride, src, src_stride),
        }
    }
}

/// Transposes a square of `N` x `N` elements, or two of them, by log2(N) perfect shuffles as the portable path does;
/// 4-byte elements use other shuffles. Joining two halves at the load costs no shuffle. Each side is given as a pointer
/// to the first square and, for [`APART`], the distance in bytes to the second.
///
/// # Safety
///
/// `src` is valid for reads of 16 bytes at `N` places `src_stride` bytes apart, `dst` for writes of 16 bytes at `N`
/// places `dst_stride` bytes apart, for each square; for [`BESIDE`], `src` at twice as many places, and `dst` for 32
/// bytes at each.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn squares<const WIDTH: usize, const N: usize, const KIND: u8>(
    (dst, dst_half_stride): (*mut u8, usize),
    dst_stride: usize,
    (src, src_half_stride): (*const u8, usize),
    src_stride: usize,
) {
    let mut lines = [_mm256_setzero_si256(); N];
    let second = src.wrapping_add(if KIND == BESIDE { N * src_stride } else { src_half_stride });
    for (i, line) in lines.iter_mut().enumerate() {
        // SAFETY: the caller's promise for reads.
        *line = unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(src.add(i * src_stride).cast()));
            if KIND == ONE {
                low
            } else {
                let high = _mm_loadu_si128(second.add(i * src_stride).cast());
                _mm256_inserti128_si256::<1>(low, high)
            }
        };
    }
    if WIDTH == 4 {
        words(&mut lines);
    } else {
        let mut side = N;
        while side > 1 {
            let mut shuffled = lines;
            for i in 0..N / 2 {
                [shuffled[2 * i], shuffled[2 * i + 1]] = interleaved::<WIDTH>(lines[i], lines[i + N / 2]);
            }
            lines = shuffled;
            side /= 2;
        }
    }
    for (i, line) in lines.into_iter().enumerate() {
        // SAFETY: the caller's promise for writes.
        unsafe {
            let to = dst.add(i * dst_stride);
            match KIND {
                BESIDE => _mm256_storeu_si256(to.cast(), line),
                _ => _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(line)),
            }
            if KIND == APART {
                _mm_storeu_si128(to.add(dst_half_stride).cast(), _mm256_extracti128_si256::<1>(line));
            }
        }
    }
}

/// Transposes a 4 x 4 square of words in each half. On some hosts `shuffle_ps` runs twice per cycle,
/// unpacks once.
#[inline]
#[target_feature(enable = "avx2")]
fn words(lines: &mut [__m256i]) {
    let [a, b, c, d] = lines else { return };
    let halves = |a: __m256i, b: __m256i| {
        [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)].map(|pair| _mm256_castsi256_ps(pair))
    };
    let ([ab, ab_high], [cd, cd_high]) = (halves(*a, *b), halves(*c, *d));
    let even_and_odd = |ab: __m256, cd: __m256| {
        let (even, odd) =
            (_mm256_shuffle_ps::<0b10_00_10_00>(ab, cd), _mm256_shuffle_ps::<0b11_01_11_01>(ab, cd));
        [even, odd].map(|line| _mm256_castps_si256(line))
    };
    [*a, *b] = even_and_odd(ab, cd);
    [*c, *d] = even_and_odd(ab_high, cd_high);
}

/// Interleaves the elements of two vectors, in each half.
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
