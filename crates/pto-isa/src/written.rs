//! Bitmaps of written bytes.

use crate::strided_range::StridedRange;
use std::ops::Range;

/// One bit for each byte of a memory, stored from the first word in use to the last.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The number of the first stored word.
    first: u64,
    words: Vec<u64>,
}

/// The mask of a word from one byte to another.
fn mask(from: u64, to: u64) -> u64 {
    let low = u64::MAX << (from % 64);
    if to.is_multiple_of(64) { low } else { low & (u64::MAX >> (64 - to % 64)) }
}

/// Extends a window of items, of which the first has number `first`, by zeros so that it includes `range`.
pub fn extend<T: Clone + Default>(first: &mut u64, items: &mut Vec<T>, range: Range<u64>) {
    if items.is_empty() {
        *first = range.start;
    }
    if range.start < *first {
        let missing = (*first - range.start) as usize;
        items.splice(0..0, std::iter::repeat_n(T::default(), missing));
        *first = range.start;
    }
    let needed = (range.end - *first) as usize;
    if items.len() < needed {
        items.resize(needed, T::default());
    }
}

/// The runs of a range that have bytes, each with its first and its last word, and the masks of these.
fn spans_of(range: &StridedRange) -> impl Iterator<Item = [(u64, u64); 2]> + use<> {
    range.runs().filter(|(_, length)| *length > 0).map(|(start, length)| {
        let end = start + length;
        let mask_of = |word: u64| mask(start.max(word * 64), end.min(word * 64 + 64));
        [start / 64, (end - 1) / 64].map(|word| (word, mask_of(word)))
    })
}

impl Written {
    /// The bytes from the first word in use to the last.
    pub fn span(&self) -> Range<u64> {
        self.first * 64..(self.first + self.words.len() as u64) * 64
    }

    /// Marks a range as written.
    pub fn mark(&mut self, range: &StridedRange) {
        self.keep(range.start / 64, range.end() / 64);
        self.change(range, |word, mask| *word |= mask);
    }

    /// Marks consecutive bytes as written.
    pub fn mark_bytes(&mut self, start: u64, length: u64) {
        self.mark(&StridedRange::bytes(start, length));
    }

    /// Changes the stored words of a range, given the mask of its bytes in each.
    fn change(&mut self, range: &StridedRange, act: impl Fn(&mut u64, u64)) {
        for [(first, low), (last, high)] in spans_of(range) {
            if first == last {
                self.kept_mut(first, first + 1).iter_mut().for_each(|word| act(word, low & high));
                continue;
            }
            self.kept_mut(first, first + 1).iter_mut().for_each(|word| act(word, low));
            self.kept_mut(first + 1, last).iter_mut().for_each(|word| act(word, u64::MAX));
            self.kept_mut(last, last + 1).iter_mut().for_each(|word| act(word, high));
        }
    }

    /// The indices of the stored ones among consecutive words.
    fn kept(&self, from: u64, to: u64) -> Range<usize> {
        let index = |word: u64| (word.saturating_sub(self.first) as usize).min(self.words.len());
        index(from)..index(to.max(from))
    }

    fn kept_mut(&mut self, from: u64, to: u64) -> &mut [u64] {
        let kept = self.kept(from, to);
        &mut self.words[kept]
    }

    /// Extends the storage to include words.
    fn keep(&mut self, from: u64, to: u64) {
        extend(&mut self.first, &mut self.words, from..to + 1);
    }

    /// The bits of the 64 bytes from byte `64 * at`.
    pub fn word(&self, at: u64) -> u64 {
        let at = at.checked_sub(self.first);
        at.and_then(|at| self.words.get(at as usize)).copied().unwrap_or(0)
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The number of written bytes.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Marks a range as unwritten.
    pub fn clear(&mut self, range: &StridedRange) {
        self.change(range, |word, mask| *word &= !mask);
    }

    /// The first written byte of a range.
    pub fn first(&self, range: &StridedRange) -> Option<u64> {
        spans_of(range).find_map(|[(first, low), (last, high)]| {
            let inner = || (first + 1..last).find_map(|word| first_of(word, self.word(word)));
            first_of(first, low & self.word(first))
                .or_else(inner)
                .or_else(|| first_of(last, high & self.word(last)))
        })
    }

    /// The first unwritten byte of a range.
    pub fn missing(&self, range: &StridedRange) -> Option<u64> {
        spans_of(range).find_map(|[(first, low), (last, high)]| {
            let within = |word: &u64| self.word(*word) != u64::MAX;
            let inner = || (first + 1..last).find(within).and_then(|word| first_of(word, !self.word(word)));
            first_of(first, low & !self.word(first))
                .or_else(inner)
                .or_else(|| first_of(last, high & !self.word(last)))
        })
    }

    /// The first written byte of a range.
    pub fn meets(&self, range: &StridedRange) -> Option<u64> {
        let span = self.span();
        if range.end() <= span.start || range.start >= span.end {
            return None;
        }
        spans_of(range).find_map(|[(first, low), (last, high)]| {
            // Words outside the storage are unwritten.
            let inner = || {
                let kept = self.kept(first + 1, last);
                let at = self.words[kept.clone()].iter().position(|word| *word != 0)? + kept.start;
                first_of(self.first + at as u64, self.words[at])
            };
            first_of(first, low & self.word(first))
                .or_else(inner)
                .or_else(|| first_of(last, high & self.word(last)))
        })
    }

    /// Marks the bytes of a range that are also written in another bitmap.
    pub fn mark_common(&mut self, range: &StridedRange, other: &Written) {
        if other.meets(range).is_some() {
            self.keep(range.start / 64, range.end() / 64);
            for [(first, low), (last, high)] in spans_of(range) {
                for word in first..=last {
                    let low = if word == first { low } else { u64::MAX };
                    let high = if word == last { high } else { u64::MAX };
                    self.words[(word - self.first) as usize] |= low & high & other.word(word);
                }
            }
        }
    }
}

/// Calls `each` with the runs of the bytes of a range whose bits are set, given the bits of 64 bytes by number: first byte and
/// length, at most 64. Ends with the first answer.
pub fn find_run<T>(
    range: &StridedRange,
    bits: impl Fn(u64) -> u64,
    mut each: impl FnMut(u64, u64) -> Option<T>,
) -> Option<T> {
    for [(first, low), (last, high)] in spans_of(range) {
        for word in first..=last {
            let low = if word == first { low } else { u64::MAX };
            let high = if word == last { high } else { u64::MAX };
            let mut left = bits(word) & low & high;
            while left != 0 {
                let start = u64::from(left.trailing_zeros());
                let length = u64::from((left >> start).trailing_ones());
                if let Some(found) = each(word * 64 + start, length) {
                    return Some(found);
                }
                left &= u64::MAX.checked_shl((start + length) as u32).unwrap_or(0);
            }
        }
    }
    None
}

/// The byte of the lowest bit of a word that is set.
fn first_of(word: u64, bits: u64) -> Option<u64> {
    (bits != 0).then(|| word * 64 + u64::from(bits.trailing_zeros()))
}
