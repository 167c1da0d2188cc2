//! Panels: columns of a factor, packed row by row so that each step finds its words side by side.

use super::factor::grown;
use super::lines::{Lines, WORD, Widen};
use super::micro::{GROUPS, Micro, Packing};
use crate::layout::{Axis, Cursor};

/// A panel to be packed.
pub(super) struct Packer<'a> {
    /// The factor whose lines become columns, and the first of them.
    pub(super) factor: &'a Lines<'a>,
    pub(super) first: &'a Cursor,
    /// Lines, and bytes from a row of the panel to the next: whole vectors.
    pub(super) width: usize,
    pub(super) stride: usize,
    /// Whether the last words of lines are pairs whose second element must not count.
    pub(super) padded: bool,
    pub(super) micro: &'a Micro,
}

impl Packer<'_> {
    /// Packs the panel into the first buffer, by way of the second, padded with zeros. Returns where its rows start.
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

    /// Packs columns whose words are still to be made: those of a row of boxes, which are one behind the other, are widened
    /// and packed from there while they are in L1.
    fn pack_narrow(&self, mem: &[u8], widen: Widen, words: &mut Vec<u8>, out: &mut [u8]) {
        let (steps, stride, lanes) = (self.factor.steps, self.stride, self.micro.lanes);
        let Axis { side, of_boxes, inside } = self.factor.step;
        // Words of a column in a box, which are bytes of it in B.
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
                // SAFETY: the lines of the groups are in `words`, `column` bytes for `run` words each; the panel has `steps`
                // rows of `stride` bytes, of which the groups' columns are before `width`.
                unsafe { (self.micro.pack)(&packing) }
                done += groups * lines;
            }
            (at, step) = (at + of_boxes, step + run);
        }
    }

    /// A panel that the widest tile packs as it goes, in the buffer, if it can be.
    pub(super) fn to_be_packed(&self, mem: &[u8], buffer: &mut Vec<u8>) -> Option<Packing> {
        if self.factor.widen.is_some() || self.padded || self.width * WORD < self.stride {
            return None;
        }
        let out = grown(buffer, self.factor.steps * self.stride);
        let packing = self.groups(mem, out, 0, &mut self.first.clone());
        let whole = packing.groups * packing.lines == self.width;
        (whole && packing.is_square(self.micro.lanes)).then_some(packing)
    }

    /// Packs columns of words.
    fn pack_words(&self, mem: &[u8], out: &mut [u8]) {
        let (mut first, mut j) = (*self.first, 0);
        while j < self.width {
            let packing = self.groups(mem, out, j, &mut first);
            // SAFETY: the lines of a group are in one box and their words in B's buffer, as `run` has checked; the
            // panel has `steps` rows of `stride` bytes, of which the groups' columns are before `width`.
            unsafe { (self.micro.pack)(&packing) }
            j += packing.groups * packing.lines;
        }
    }

    /// As many groups of words from column `j` on as can be packed at once: the first line of it, which goes on behind them.
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
