//! What bytes of a tile held before another tile overwrote them.

use pto_isa::strided_range::StridedRange;
use pto_isa::written::{Written, extend, find_run};

/// Overwritten bytes of an allocation, with their old contents.
#[derive(Default)]
pub(in crate::observe) struct Kept {
    /// All of these bytes.
    overwritten: Written,
    /// Those among them whose contents nobody has seen before they were overwritten.
    unknown: Written,
    /// Those among them that are undefined now.
    undefined: Written,
    /// The contents from byte `first` on.
    first: u64,
    contents: Vec<u8>,
}

impl Kept {
    /// Another tile overwrites bytes of a range, as far as they were `written` through this one. `memory` holds the contents
    /// before, if these are known; `keeps` says whether the new ones are defined.
    pub(in crate::observe) fn overwrite(
        &mut self,
        range: &StridedRange,
        written: &Written,
        memory: Option<&[u8]>,
        keeps: bool,
    ) {
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
    pub(in crate::observe) fn forget(&mut self, range: &StridedRange) {
        self.overwritten.clear(range);
        self.unknown.clear(range);
        self.undefined.clear(range);
    }

    /// The first of the `lost` bytes of a range that differs from what the tile held, as far as both are known.
    pub(in crate::observe) fn changed(
        &self,
        range: &StridedRange,
        lost: &Written,
        memory: &[u8],
    ) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> StridedRange {
        StridedRange::bytes(0, 200)
    }

    /// Contents of bytes 100 to 163, overwritten in memory that holds `before`.
    fn kept(before: &[u8; 200], keeps: bool) -> (Kept, Written) {
        let (mut kept, mut written) = (Kept::default(), Written::default());
        written.mark(&StridedRange::bytes(100, 64));
        kept.overwrite(&StridedRange::bytes(50, 100), &written, Some(before), keeps);
        let mut lost = Written::default();
        lost.mark(&StridedRange::bytes(100, 50));
        (kept, lost)
    }

    #[test]
    fn equal_bytes_have_not_changed() {
        let before: [u8; 200] = std::array::from_fn(|at| at as u8);
        let (mut kept, lost) = kept(&before, true);
        let mut now = before;
        assert_eq!(kept.changed(&all(), &lost, &now), None);
        now[130] = 0;
        now[170] = 0;
        assert_eq!(kept.changed(&all(), &lost, &now), Some(130));
        assert_eq!(kept.changed(&StridedRange::bytes(131, 69), &lost, &now), None);
        // The contents before the first tile that overwrote them count.
        kept.overwrite(&all(), &lost, Some(&now), true);
        assert_eq!(kept.changed(&all(), &lost, &now), Some(130));
        assert_eq!(kept.changed(&all(), &lost, &before), None);
    }

    #[test]
    fn undefined_and_unknown_bytes_count_as_changed() {
        let before = [7; 200];
        let (mut destroyed, lost) = kept(&before, false);
        assert_eq!(destroyed.changed(&all(), &lost, &before), Some(100));
        // Another tile writes the old contents afterwards.
        destroyed.overwrite(&StridedRange::bytes(0, 120), &lost, Some(&before), true);
        assert_eq!(destroyed.changed(&all(), &lost, &before), Some(120));
        let mut unknown = Kept::default();
        unknown.overwrite(&all(), &lost, None, true);
        assert_eq!(unknown.changed(&all(), &lost, &before), Some(100));
        unknown.forget(&StridedRange::bytes(100, 64));
        unknown.overwrite(&all(), &lost, Some(&before), true);
        assert_eq!(unknown.changed(&all(), &lost, &before), None);
    }
}
