//! Transposes of blocks: whole squares, in host vectors where available, and the remainder element by element.

use super::block::{Block, copy_elements};
use super::memory::Memory;
use crate::dispatch::Features;

/// The destination is contiguous along columns, the source along rows.
#[inline(always)]
pub(super) fn transpose<F: Features, const WIDTH: usize, const N: usize, const AREA: usize>(
    memory: &mut Memory<'_>,
    block: &Block,
) {
    let [rows, cols] = block.size;
    #[cfg(target_arch = "x86_64")]
    let whole = if F::AVX2 {
        // SAFETY: `AVX2` is true only inside functions of a level that has AVX2.
        unsafe { super::x86::transpose::<WIDTH>(memory, block) }
    } else {
        squares::<WIDTH, N, AREA>(memory, block)
    };
    #[cfg(not(target_arch = "x86_64"))]
    let whole = squares::<WIDTH, N, AREA>(memory, block);
    if whole == block.size {
        return;
    }
    let part = |at: [usize; 2], size: [usize; 2]| Block {
        dst: block.dst + at[0] * block.dst_strides[0] + at[1] * block.dst_strides[1],
        src: block.src + at[0] * block.src_strides[0] + at[1] * block.src_strides[1],
        size,
        ..*block
    };
    copy_elements::<WIDTH>(memory, &part([0, whole[1]], [whole[0], cols - whole[1]]));
    copy_elements::<WIDTH>(memory, &part([whole[0], 0], [rows - whole[0], cols]));
}

/// Transposes as many whole squares as fit in each block. Returns the numbers of rows and columns done in each block.
#[inline(always)]
fn squares<const WIDTH: usize, const N: usize, const AREA: usize>(
    memory: &mut Memory<'_>,
    block: &Block,
) -> [usize; 2] {
    let [rows, cols] = block.size.map(|size| size - size % N);
    let (to, from) = (block.dst_strides[0], block.src_strides[1]);
    for (dst, src) in block.each() {
        for r in (0..rows).step_by(N) {
            for c in (0..cols).step_by(N) {
                let (dst, src) = (dst + r * to + c * WIDTH, src + r * WIDTH + c * from);
                square::<WIDTH, N, AREA>(memory, dst, to, src, from);
            }
        }
    }
    [rows, cols]
}

/// Transposes N x N elements in a local array by log2(N) perfect shuffles.
///
/// A shuffle interleaves the two halves, that is, it rotates the bits of an element's index by one. After log2(N)
/// shuffles row and column have changed places. Interleaving vectorizes.
#[inline(always)]
fn square<const WIDTH: usize, const N: usize, const AREA: usize>(
    memory: &mut Memory<'_>,
    dst: usize,
    dst_stride: usize,
    src: usize,
    src_stride: usize,
) {
    let mut elements = [[0u8; WIDTH]; AREA];
    for i in 0..N {
        let from = src + i * src_stride;
        let run = &memory.source()[from..from + N * WIDTH];
        elements[i * N..(i + 1) * N].as_flattened_mut().copy_from_slice(run);
    }
    let mut side = N;
    while side > 1 {
        let mut shuffled = [[0u8; WIDTH]; AREA];
        for i in 0..AREA / 2 {
            shuffled[2 * i] = elements[i];
            shuffled[2 * i + 1] = elements[i + AREA / 2];
        }
        elements = shuffled;
        side /= 2;
    }
    for i in 0..N {
        let to = dst + i * dst_stride;
        memory.dst[to..to + N * WIDTH].copy_from_slice(elements[i * N..(i + 1) * N].as_flattened());
    }
}
