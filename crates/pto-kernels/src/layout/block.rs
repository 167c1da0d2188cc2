//! Copies of blocks with constant strides in destination and source.

use super::Placement;
use super::memory::Memory;
use super::transpose::transpose;
use crate::dispatch::{Features, multiversion};
use crate::prefetch;
use std::array;

/// Bytes copied per step within a large run: two cache lines.
const LINES: usize = 128;

/// Size in bytes up to which moves of a length known at compile time are faster than `memmove`.
const SMALL: usize = 512;

/// Size in bytes from which a copy does not stay in L1, so that prefetch hints pay.
pub(super) const HINTED: usize = 1 << 14;

/// Size in bytes from which `memmove` is faster than a loop with hints.
const LARGEST: usize = 1 << 17;

/// Bytes of a row of a box, except for accumulators.
const BOX_ROW: usize = 32;

/// Rows that are cut into boxes at once.
const BAND: usize = 8;

/// Blocks of `size` rows x columns: byte offsets of the first elements of the first block, strides in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) dst: usize,
    pub(crate) src: usize,
    pub(crate) dst_strides: [usize; 2],
    pub(crate) src_strides: [usize; 2],
    pub(crate) size: [usize; 2],
    /// Number of such blocks.
    pub(crate) times: usize,
    /// Bytes from one block to the next, in the destination and in the source.
    pub(crate) steps: [usize; 2],
    /// Size in bytes of the whole copy that these blocks are part of.
    pub(crate) total: usize,
}

impl Block {
    /// One block of `rows` x `cols` elements of `width` bytes, all in one box of either placement.
    #[inline(always)]
    pub(crate) fn new(dst: &Placement, src: &Placement, [rows, cols]: [usize; 2], width: usize) -> Block {
        Block {
            dst: dst.offset,
            src: src.offset,
            dst_strides: [dst.row * width, dst.col * width],
            src_strides: [src.row * width, src.col * width],
            size: [rows, cols],
            times: 1,
            steps: [0; 2],
            total: rows * cols * width,
        }
    }

    /// Rows of bytes: offset of the first row and bytes between rows, for the destination and the source.
    #[inline(always)]
    pub(crate) fn rows(dst: (usize, usize), src: (usize, usize), rows: usize, bytes: usize) -> Block {
        Block {
            dst: dst.0,
            src: src.0,
            dst_strides: [dst.1, 1],
            src_strides: [src.1, 1],
            size: [rows, bytes],
            times: 1,
            steps: [0; 2],
            total: rows * bytes,
        }
    }

    /// Whether the rows, or the columns, are contiguous in destination and source, for elements of `width` bytes.
    pub(crate) fn is_runs(&self, width: usize) -> bool {
        (0..2).any(|axis| self.are_runs(axis, width))
    }

    #[inline(always)]
    fn are_runs(&self, axis: usize, width: usize) -> bool {
        let contiguous = |strides: [usize; 2]| strides[axis] == width || self.size[axis] == 1;
        contiguous(self.dst_strides) && contiguous(self.src_strides)
    }

    /// Byte offsets of the blocks, in the destination and in the source.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        let (dst, src, steps) = (self.dst, self.src, self.steps);
        (0..self.times).map(move |time| (dst + time * steps[0], src + time * steps[1]))
    }

    /// End of the last run of `len` bytes, in the destination and in the source; there is at least one.
    #[inline(always)]
    fn ends(&self, len: usize) -> [usize; 2] {
        let last = |start, stride, step| end(end(start, self.size[0], stride, 0), self.times, step, len);
        [
            last(self.dst, self.dst_strides[0], self.steps[0]),
            last(self.src, self.src_strides[0], self.steps[1]),
        ]
    }

    /// Whether rows are cut into boxes: the runs are rows of boxes in the destination, cut out of longer rows of the
    /// source, in whole bands.
    fn is_cut(&self) -> bool {
        let [rows, len] = self.size;
        let bands = rows >= BAND && rows.is_multiple_of(BAND) && len == BOX_ROW;
        let side_by_side = self.times > 1 && self.steps[1] == BOX_ROW;
        bands && side_by_side && self.steps[0] != BOX_ROW && self.src_strides[0] > self.times * BOX_ROW
    }

    fn transpose(&mut self) {
        self.dst_strides.reverse();
        self.src_strides.reverse();
        self.size.reverse();
    }
}

multiversion!(BlockBody, select_block, fn(memory: &mut Memory<'_>, block: &Block));
multiversion!(
    RowsBody,
    select_rows,
    fn(mem: &mut [u8], dst: (usize, usize), src: (usize, usize), rows: usize, bytes: usize)
);
multiversion!(
    PairsBody,
    select_pairs,
    fn(
        mem: &mut [u8],
        dst: (usize, usize),
        src: (usize, usize),
        half_stride: usize,
        rows: usize,
        bytes: usize,
    )
);

/// Rows of contiguous bytes.
struct Runs;
/// Rows of bytes that are cut into boxes.
struct Cut;
/// Rows of contiguous bytes in one buffer; `LARGE` if the copy exceeds L1.
struct OneBuffer<const LARGE: bool>;
/// Elements of `WIDTH` bytes that are transposed; `N`, a power of two, is the side of the square transposed at once.
struct Turn<const WIDTH: usize, const N: usize, const AREA: usize>;

/// The copies of blocks of elements of `width` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    width: usize,
    runs: fn(&mut Memory<'_>, &Block),
    turn: fn(&mut Memory<'_>, &Block),
}

/// The copy of runs of bytes: the columns of its blocks are bytes.
#[inline]
pub(crate) fn select_runs() -> fn(&mut Memory<'_>, &Block) {
    select_block::<Runs>()
}

/// The copy of runs in one buffer without planning, for small copies. `total` is the size in bytes of the whole copy.
pub(crate) fn rows(total: usize) -> super::RowsFn {
    if total < HINTED { select_rows::<OneBuffer<false>>() } else { select_rows::<OneBuffer<true>>() }
}

/// The copy of pairs of runs to adjacent places.
pub(super) fn pairs() -> super::PairsFn {
    select_pairs::<Runs>()
}

impl Kernels {
    pub(crate) fn select(width: usize) -> Kernels {
        let turn = match width {
            1 => select_block::<Turn<1, 16, 256>>(),
            2 => select_block::<Turn<2, 16, 256>>(),
            4 => select_block::<Turn<4, 8, 64>>(),
            _ => select_block::<Turn<8, 8, 64>>(),
        };
        Kernels { width, runs: select_runs(), turn }
    }

    /// The transpose of a block: contiguous along rows in the destination, along columns in the source.
    pub(crate) fn turn(&self, memory: &mut Memory<'_>, block: &Block) {
        (self.turn)(memory, block);
    }

    /// Copies a block. Changes the parameter `block` instead of building a changed one: a load of a value just written field by field would
    /// stall on store forwarding.
    #[inline]
    pub(crate) fn copy(&self, memory: &mut Memory<'_>, mut block: Block) {
        let [across, down] = [block.are_runs(1, self.width), block.are_runs(0, self.width)];
        let turned = block.dst_strides[0] == self.width && block.src_strides[1] == self.width;
        if !across && (down || turned) {
            block.transpose();
        }
        if across || down {
            block.size[1] *= self.width;
            let copy = if block.is_cut() { select_block::<Cut>() } else { self.runs };
            copy(memory, &block);
        } else {
            (self.turn)(memory, &block);
        }
    }
}

impl<const WIDTH: usize, const N: usize, const AREA: usize> BlockBody for Turn<WIDTH, N, AREA> {
    #[inline(always)]
    fn run<F: Features>(memory: &mut Memory<'_>, block: &Block) {
        if block.dst_strides[1] == WIDTH && block.src_strides[0] == WIDTH {
            transpose::<F, WIDTH, N, AREA>(memory, block);
        } else {
            copy_elements::<WIDTH>(memory, block);
        }
    }
}

impl BlockBody for Runs {
    #[inline(always)]
    fn run<F: Features>(memory: &mut Memory<'_>, block: &Block) {
        let [rows, len] = block.size;
        let (to, from) = (block.dst_strides[0], block.src_strides[0]);
        if to == len && from == len && (rows > 1 || len > SMALL) {
            for (dst, src) in block.each() {
                copy_whole(memory, dst, src, rows * len, block.total);
            }
            return;
        }
        match len {
            16 => fixed_runs::<16>(memory, block),
            32 => fixed_runs::<32>(memory, block),
            64 => fixed_runs::<64>(memory, block),
            128 => fixed_runs::<128>(memory, block),
            256 => fixed_runs::<256>(memory, block),
            512 => fixed_runs::<512>(memory, block),
            _ => {
                for (dst, src) in block.each() {
                    (0..rows).for_each(|r| memory.copy(dst + r * to, src + r * from, len));
                }
            }
        }
    }
}

impl BlockBody for Cut {
    /// Processes rows in bands: rows at distances of a power of two, such as those of weights, compete for the same
    /// cache sets.
    #[inline(always)]
    fn run<F: Features>(memory: &mut Memory<'_>, block: &Block) {
        let ([rows, _], times) = (block.size, block.times);
        let [to, from] = [block.dst_strides[0], block.src_strides[0]];
        let [dst_end, src_end] = block.ends(BOX_ROW);
        let (dst, src) = memory.pointers(dst_end, src_end);
        for top in (0..rows).step_by(BAND) {
            let (dst, src) =
                (dst.wrapping_add(block.dst + top * to), src.wrapping_add(block.src + top * from));
            // With running pointers instead the compiler runs out of registers, which is a fifth slower.
            let lines: [*const u8; BAND] = array::from_fn(|row| src.wrapping_add(row * from));
            for time in 0..times {
                let (dst, at) = (dst.wrapping_add(time * block.steps[0]), time * BOX_ROW);
                for (row, line) in lines.iter().enumerate() {
                    // SAFETY: all runs end before the ends, which are in their buffers; each is read whole before it is
                    // written, both unaligned.
                    unsafe {
                        let run = line.add(at).cast::<[u8; BOX_ROW]>().read_unaligned();
                        dst.add(row * to).cast::<[u8; BOX_ROW]>().write_unaligned(run);
                    }
                }
            }
        }
    }
}

impl<const LARGE: bool> RowsBody for OneBuffer<LARGE> {
    #[inline(always)]
    fn run<F: Features>(mem: &mut [u8], dst: (usize, usize), src: (usize, usize), rows: usize, bytes: usize) {
        if dst != src {
            let block = Block::rows(dst, src, rows, bytes);
            let total = if LARGE { HINTED } else { block.total };
            <Runs as BlockBody>::run::<F>(&mut Memory { dst: mem, src: None }, &Block { total, ..block });
        }
    }
}

impl PairsBody for Runs {
    #[inline(always)]
    fn run<F: Features>(
        mem: &mut [u8],
        dst: (usize, usize),
        src: (usize, usize),
        half_stride: usize,
        rows: usize,
        bytes: usize,
    ) {
        let block = Block::rows(dst, src, rows, bytes);
        let block = Block { times: 2, steps: [bytes, half_stride], total: HINTED, ..block };
        let memory = &mut Memory { dst: mem, src: None };
        // `times` is the constant 2 here, for which the compiler specializes these loops.
        match bytes {
            128 => fixed_runs::<128>(memory, &block),
            256 => fixed_runs::<256>(memory, &block),
            512 => fixed_runs::<512>(memory, &block),
            _ => <Runs as BlockBody>::run::<F>(memory, &block),
        }
    }
}

/// Copies one contiguous range. Up to [`LARGEST`] bytes a loop with hints is faster than `memmove`.
#[inline(always)]
fn copy_whole(memory: &mut Memory<'_>, dst: usize, src: usize, len: usize, total: usize) {
    let mut done = 0;
    if total >= HINTED && (LINES..LARGEST).contains(&len) {
        done = len / LINES * LINES;
        let block = Block { total, ..Block::rows((dst, LINES), (src, LINES), len / LINES, LINES) };
        fixed_runs::<LINES>(memory, &block);
    }
    memory.copy(dst + done, src + done, len - done);
}

/// End of the last of `runs` runs of `bytes` bytes, `stride` bytes apart; saturates rather than wraps.
#[inline(always)]
pub(crate) fn end(start: usize, runs: usize, stride: usize, bytes: usize) -> usize {
    start.saturating_add((runs - 1).saturating_mul(stride)).saturating_add(bytes)
}

/// Copies runs of a length known at compile time: a few moves each, no call.
#[inline(always)]
fn fixed_runs<const LEN: usize>(memory: &mut Memory<'_>, block: &Block) {
    let ([rows, _], times) = (block.size, block.times);
    if rows == 0 || times == 0 {
        return;
    }
    let (to, from) = ([block.dst_strides[0], block.steps[0]], [block.src_strides[0], block.steps[1]]);
    let [dst_end, src_end] = block.ends(LEN);
    let (dst, src) = memory.pointers(dst_end, src_end);
    // The order is that of the destination: where runs straddle cache lines, each line is completed at once.
    let by_rows = to[1] == LEN;
    let (outer, inner) = if by_rows { (rows, times) } else { (times, rows) };
    let (o, i) = (usize::from(!by_rows), usize::from(by_rows));
    let hinted = LEN >= 64 && block.total >= HINTED;
    for turn in 0..outer {
        let (mut dst_at, mut src_at) = (block.dst + turn * to[o], block.src + turn * from[o]);
        for _ in 0..inner {
            if hinted {
                prefetch::next_run(dst.wrapping_add(dst_at), LEN, to[i]);
            }
            // SAFETY: all runs end before the ends, which are in their buffers; each is read whole before it is
            // written, both unaligned.
            unsafe {
                let run = src.add(src_at).cast::<[u8; LEN]>().read_unaligned();
                dst.add(dst_at).cast::<[u8; LEN]>().write_unaligned(run);
            }
            (dst_at, src_at) = (dst_at + to[i], src_at + from[i]);
        }
    }
}

#[inline(always)]
pub(super) fn copy_elements<const WIDTH: usize>(memory: &mut Memory<'_>, block: &Block) {
    for (dst, src) in block.each() {
        for r in 0..block.size[0] {
            let (dst, src) = (dst + r * block.dst_strides[0], src + r * block.src_strides[0]);
            for c in 0..block.size[1] {
                memory.copy_fixed::<WIDTH>(dst + c * block.dst_strides[1], src + c * block.src_strides[1]);
            }
        }
    }
}
