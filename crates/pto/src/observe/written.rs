//! Which bytes something has written.

use crate::sim::region::Region;

/// One bit for each byte of a memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    words: Vec<u64>,
}

/// The bits of a word from one byte on to another one.
fn mask(from: u64, to: u64) -> u64 {
    let low = u64::MAX << (from % 64);
    if to.is_multiple_of(64) { low } else { low & (u64::MAX >> (64 - to % 64)) }
}

impl Written {
    /// Marks a region as written.
    pub(super) fn mark(&mut self, region: &Region) {
        let needed = (region.end() / 64 + 1) as usize;
        if self.words.len() < needed {
            self.words.resize(needed, 0);
        }
        for (start, length) in region.runs().filter(|(_, length)| *length > 0) {
            let end = start + length;
            for word in start / 64..=(end - 1) / 64 {
                let (from, to) = (start.max(word * 64), end.min(word * 64 + 64));
                self.words[word as usize] |= mask(from, to);
            }
        }
    }

    /// Whether nothing has been written.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Marks a region as holding nothing that was written.
    pub(super) fn clear(&mut self, region: &Region) {
        for (start, length) in region.runs().filter(|(_, length)| *length > 0) {
            let end = start + length;
            for word in start / 64..=(end - 1) / 64 {
                let (from, to) = (start.max(word * 64), end.min(word * 64 + 64));
                if let Some(bits) = self.words.get_mut(word as usize) {
                    *bits &= !mask(from, to);
                }
            }
        }
    }

    /// The first byte of a region that nothing has written.
    pub(super) fn missing(&self, region: &Region) -> Option<u64> {
        region.runs().filter(|(_, length)| *length > 0).find_map(|(start, length)| {
            let end = start + length;
            (start / 64..=(end - 1) / 64).find_map(|word| {
                let (from, to) = (start.max(word * 64), end.min(word * 64 + 64));
                let have = self.words.get(word as usize).copied().unwrap_or(0);
                let missing = mask(from, to) & !have;
                (missing != 0).then(|| word * 64 + u64::from(missing.trailing_zeros()))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_marked_one_by_one() {
        let mut written = Written::default();
        written.mark(&Region::bytes(3, 70));
        written.mark(&Region::bytes(128, 64));
        assert_eq!(written.missing(&Region::bytes(3, 70)), None);
        assert_eq!(written.missing(&Region::bytes(2, 4)), Some(2));
        assert_eq!(written.missing(&Region::bytes(60, 20)), Some(73));
        assert_eq!(written.missing(&Region::bytes(128, 64)), None);
        assert_eq!(written.missing(&Region::bytes(150, 60)), Some(192));
        assert_eq!(written.missing(&Region::bytes(9000, 0)), None);
        written.clear(&Region::bytes(62, 4));
        assert_eq!(written.missing(&Region::bytes(3, 70)), Some(62));
        assert_eq!(written.missing(&Region::bytes(66, 7)), None);
        written.clear(&Region::bytes(9000, 8));
    }
}
