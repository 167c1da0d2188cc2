//! Former contents of bytes of a tile that another tile overwrote.

use pto_isa::strided_range::StridedRange;
use pto_isa::written::{Written, extend, find_run};

/// Overwritten bytes of an allocation, with their old contents.
#[derive(Default)]
pub struct Kept {
    /// Bytes of the tile that other tiles have overwritten.
    overwritten: Written,
    /// Overwritten bytes whose contents before that are unknown.
    unknown: Written,
    /// Overwritten bytes that are undefined now.
    undefined: Written,
    /// The contents from byte `first` on.
    first: u64,
    contents: Vec<u8>,
}

impl Kept {
    /// Handles a write of another tile to a range; only bytes `written` through this tile count. `memory`: the
    /// contents before, if they are known. `keeps`: whether the new contents are defined.
    pub fn overwrite(&mut self, range: &StridedRange, written: &Written, memory: Option<&[u8]>, keeps: bool) {
        match memory {
            Some(memory) => self.copy(range, written, memory),
            None => self.unknown.mark_common(range, written),
        }
        self.overwritten.mark_common(range, written);
        match keeps {
            true => self.undefined.clear(range),
            false => self.undefined.mark_common(range, written),
        }
    }

    /// Copies the contents of written bytes that no tile has overwritten before.
    fn copy(&mut self, range: &StridedRange, written: &Written, memory: &[u8]) {
        extend(&mut self.first, &mut self.contents, range.start..range.end());
        let (overwritten, first, contents) = (&self.overwritten, self.first, &mut self.contents);
        let new = |word| written.word(word) & !overwritten.word(word);
        let _: Option<()> = find_run(range, new, |start, length| {
            let (from, to, length) = (start as usize, (start - first) as usize, length as usize);
            contents[to..to + length].copy_from_slice(&memory[from..from + length]);
            None
        });
    }

    /// The tile is written through its own name again.
    pub fn forget(&mut self, range: &StridedRange) {
        self.overwritten.clear(range);
        self.unknown.clear(range);
        self.undefined.clear(range);
    }

    /// The first of the `lost` bytes of a range that differs from the tile's former contents; unknown and undefined
    /// bytes count as different.
    pub fn changed(&self, range: &StridedRange, lost: &Written, memory: &[u8]) -> Option<u64> {
        let differs = |byte: u64| {
            let kept = byte.checked_sub(self.first).and_then(|at| self.contents.get(at as usize));
            kept != memory.get(byte as usize)
        };
        let is_open = |word| self.unknown.word(word) | self.undefined.word(word);
        let open = find_run(range, |word| lost.word(word) & is_open(word), |start, _| Some(start));
        let differing = find_run(
            range,
            |word| lost.word(word) & !is_open(word),
            |start, length| (start..start + length).find(|byte| differs(*byte)),
        );
        open.into_iter().chain(differing).min()
    }
}
