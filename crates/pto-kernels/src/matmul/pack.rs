//! Panels: columns of a factor, packed row by row so that the words of each step are contiguous.

use super::factor::grown;
use super::lines::{Lines, WORD, Widen};
use super::micro::Micro;
use super::vector::{SQUARE, Vector};
use crate::layout::{Axis, Cursor};

/// Most groups of lines packed at once.
const GROUPS: usize = 4;

/// Groups of lines of B, each of at most one vector, and their destination in a panel. Strides are in bytes.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    /// The first word of each group.
    pub(super) from: [*const u8; GROUPS],
    /// Number of groups.
    pub(super) groups: usize,
    /// Lines of each group.
    pub(super) lines: usize,
    /// Stride from line to line.
    pub(super) line: usize,
    /// Words along k.
    pub(super) steps: usize,
    /// Words along k in one box.
    pub(super) run: usize,
    /// Stride along k inside a box.
    pub(super) step: usize,
    /// Stride from box to box along k.
    pub(super) of_boxes: usize,
    /// Destination of the first group; groups are contiguous.
    pub(super) to: *mut u8,
    /// Stride from row to row of the panel.
    pub(super) stride: usize,
}

/// A panel to be packed.
pub(super) struct Packer<'a> {
    /// The factor whose lines become columns of the panel.
    pub(super) factor: &'a Lines<'a>,
    /// The first line.
    pub(super) first: &'a Cursor,
    /// Number of lines.
    pub(super) width: usize,
    /// Bytes from row to row of the panel: whole vectors.
    pub(super) stride: usize,
    /// Whether the last word of each line is a pair whose second element must be ignored.
    pub(super) padded: bool,
    pub(super) micro: &'a Micro,
}

impl Packer<'_> {
    /// Packs the panel into the first buffer, padded with zeros; the second is an intermediate buffer. Returns its start.
    pub(super) fn pack(&self, mem: &[u8], [buffer, narrow]: &mut [&mut Vec<u8>; 2]) -> *const u8 {
        let (steps, stride) = (self.factor.steps, self.stride);
        let out = grown(buffer, steps * stride);
        if self.width * WORD < stride {
            out.chunks_exact_mut(stride).for_each(|row| row[self.width * WORD..].fill(0));
        }
        match self.factor.widen {
            Some(widen) => self.pack_narrow(mem, widen, narrow, out),
            None => self.pack_words(mem, out),
        }
        if self.padded {
            let last = &mut out[(steps - 1) * stride..];
            last.as_chunks_mut::<WORD>().0.iter_mut().for_each(|pair| pair[WORD / 2..].fill(0));
        }
        out.as_ptr()
    }

    /// Packs columns that still are narrow elements: the adjacent columns of one row of boxes are widened and then
    /// packed while they are in L1.
    fn pack_narrow(&self, mem: &[u8], widen: Widen, words: &mut Vec<u8>, out: &mut [u8]) {
        let (steps, stride, lanes) = (self.factor.steps, self.stride, self.micro.lanes);
        let Axis { side, of_boxes, inside } = self.factor.step;
        // Bytes from column to column, as words and in B.
        let (column, line) = (self.factor.line.inside / inside * WORD, self.factor.line.inside);
        let words = grown(words, self.width * column);
        let (mut at, mut step) = (self.factor.offset + self.first.place(), 0);
        while step < steps {
            let run = side.min(steps - step);
            widen(&mem[at..at + (self.width - 1) * line + run * inside], words);
            let (mut done, groups) = (0, self.width / lanes);
            while done < self.width {
                let whole = done == 0 && groups > 0;
                let (groups, lines) = if whole { (groups, lanes) } else { (1, self.width - done) };
                let group = |group: usize| words[(done + group.min(groups - 1) * lines) * column..].as_ptr();
                let packing = Packing {
                    from: std::array::from_fn(group),
                    groups,
                    lines,
                    line: column,
                    steps: run,
                    run,
                    step: WORD,
                    of_boxes: 0,
                    to: out[step * stride + done * WORD..].as_mut_ptr(),
                    stride,
                };
                // SAFETY: the lines of the groups are in `words`, `column` bytes each for `run` words; the panel has
                // `steps` rows of `stride` bytes, and the columns of the groups are below `width`.
                unsafe { (self.micro.pack)(&packing) }
                done += groups * lines;
            }
            (at, step) = (at + of_boxes, step + run);
        }
    }

    /// Packs columns of words.
    fn pack_words(&self, mem: &[u8], out: &mut [u8]) {
        let (mut first, mut j) = (*self.first, 0);
        while j < self.width {
            let packing = self.groups(mem, out, j, &mut first);
            // SAFETY: the lines of a group are in one box and their words in B's buffer, as `run` has checked; the
            // panel has `steps` rows of `stride` bytes, and the columns of the groups are below `width`.
            unsafe { (self.micro.pack)(&packing) }
            j += packing.groups * packing.lines;
        }
    }

    /// The most groups of words that can be packed at once from column `j`, line `first`, on. Advances `first` past
    /// them.
    #[inline(always)] // What it returns would be written, copied and read again: loads wait for such stores.
    fn groups(&self, mem: &[u8], out: &mut [u8], j: usize, first: &mut Cursor) -> Packing {
        let (stride, lanes) = (self.stride, self.micro.lanes);
        let whole = self.width * WORD == stride && self.factor.line.unbroken(lanes);
        let lines = lanes.min(self.width - j).min(first.rest());
        let pointer = self.factor.pointer(mem.as_ptr());
        let mut packing = Packing {
            from: [std::ptr::null(); GROUPS],
            groups: if whole { stride / (lanes * WORD) } else { 1 },
            lines,
            line: self.factor.line.inside,
            steps: self.factor.steps,
            run: self.factor.step.side,
            step: self.factor.step.inside,
            of_boxes: self.factor.step.of_boxes,
            to: out[j * WORD..].as_mut_ptr(),
            stride,
        };
        for from in &mut packing.from[..packing.groups] {
            *from = pointer.wrapping_add(first.place());
            first.advance(lines);
        }
        packing
    }
}

/// Copies words of lines of B to rows of a panel.
///
/// # Safety
///
/// The host has V's instructions, and everything that `packing` describes is inside buffers that may be read and, for
/// the panel, written.
#[inline(always)]
pub(super) unsafe fn pack<V: Vector>(packing: &Packing) {
    let (mut of_box, mut step) = (0usize, 0);
    while step < packing.steps {
        let run = packing.run.min(packing.steps - step);
        for group in 0..packing.groups {
            let from = packing.from[group].wrapping_add(of_box);
            let to = packing.to.wrapping_add(step * packing.stride + group * packing.lines * WORD);
            // SAFETY: the caller's; steps stay below the end of the box.
            unsafe { pack_run::<V>(packing, from, to, run) }
        }
        step += run;
        of_box = of_box.wrapping_add(packing.of_boxes);
    }
}

/// [`pack`] for a group's `run` steps in one box, from the first word at `from` to the panel at `to`.
///
/// # Safety
///
/// Those of [`pack`].
#[inline(always)]
unsafe fn pack_run<V: Vector>(packing: &Packing, from: *const u8, to: *mut u8, run: usize) {
    let Packing { lines, line, step, stride, .. } = *packing;
    let mut done = 0;
    // SAFETY: the caller's; lines are below `lines` and steps below `run`. Where vectors are read, a step has LANES
    // contiguous words; where squares are, a line has SQUARE words for each.
    unsafe {
        if lines == V::LANES && step == WORD {
            // Most tiles have boxes of 32 bytes a line: constant addresses need no registers.
            while line == SQUARE * WORD && done + SQUARE <= run {
                V::transpose(from.add(done * WORD), SQUARE * WORD, to.add(done * stride), stride);
                done += SQUARE;
            }
            while done + SQUARE <= run {
                V::transpose(from.add(done * WORD), line, to.add(done * stride), stride);
                done += SQUARE;
            }
        } else if lines == V::LANES && line == WORD {
            while done < run {
                V::load(from.add(done * step)).store(to.add(done * stride));
                done += 1;
            }
        }
        if done < run {
            pack_words(packing, from.wrapping_add(done * step), to.wrapping_add(done * stride), run - done);
        }
    }
}

/// [`pack_run`] word by word, for groups that do not fill vectors. Not inlined, to leave the registers to full groups.
///
/// # Safety
///
/// Those of [`pack`].
#[cold]
#[inline(never)]
unsafe fn pack_words(packing: &Packing, from: *const u8, to: *mut u8, run: usize) {
    let Packing { lines, line, step, stride, .. } = *packing;
    for p in 0..run {
        for i in 0..lines {
            // SAFETY: the caller's; line i is below `lines`, step p below `run`.
            unsafe {
                let word = from.add(p * step + i * line).cast::<[u8; WORD]>().read();
                to.add(p * stride + i * WORD).cast::<[u8; WORD]>().write(word);
            }
        }
    }
}
