//! Large sparse bitmaps.

use std::ops::Range;

/// Words per chunk, the unit of allocation.
const CHUNK: usize = 512;

/// Bits per chunk.
pub(crate) const CHUNK_BITS: usize = CHUNK * 64;

/// A bitmap that allocates only chunks with set bits.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    chunks: Vec<Option<Box<[u64; CHUNK]>>>,
}

impl Bits {
    /// Whether no chunk was ever allocated.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// A word of 64 bits.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.chunks.get(word / CHUNK).and_then(Option::as_ref).map_or(0, |chunk| chunk[word % CHUNK])
    }

    /// Sets bits of a word.
    pub(crate) fn add(&mut self, word: usize, bits: u64) {
        if bits != 0 {
            self.chunk(word / CHUNK)[word % CHUNK] |= bits;
        }
    }

    /// Sets the bits in a range.
    pub fn set(&mut self, range: Range<usize>) {
        let mut words = words(&range);
        while !words.is_empty() {
            let chunk = words.start / CHUNK;
            let end = words.end.min((chunk + 1) * CHUNK);
            let bits = self.chunk(chunk);
            for word in words.start..end {
                bits[word % CHUNK] |= mask(&range, word);
            }
            words.start = end;
        }
    }

    fn chunk(&mut self, chunk: usize) -> &mut [u64; CHUNK] {
        if self.chunks.len() <= chunk {
            self.chunks.resize(chunk + 1, None);
        }
        self.chunks[chunk].get_or_insert_with(|| Box::new([0; CHUNK]))
    }

    /// The nonzero words, with their indices.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, u64)> {
        let chunks = self.chunks.iter().enumerate().filter_map(|(at, chunk)| Some((at, chunk.as_ref()?)));
        let words = chunks.flat_map(|(at, chunk)| {
            chunk.iter().enumerate().map(move |(word, bits)| (at * CHUNK + word, *bits))
        });
        words.filter(|(_, bits)| *bits != 0)
    }

    /// Calls `each` for the runs of set bits in a range of chunks, each maximal. The first run may be empty, at
    /// the start of the range.
    pub(crate) fn runs(&self, chunks: Range<usize>, mut each: impl FnMut(Range<usize>)) {
        let end = chunks.end.min(self.chunks.len());
        let mut pending = chunks.start * CHUNK_BITS..chunks.start * CHUNK_BITS;
        for chunk in chunks.start..end {
            let Some(words) = &self.chunks[chunk] else { continue };
            for (word, bits) in words.iter().enumerate().filter(|(_, bits)| **bits != 0) {
                let (mut start, mut rest) = ((chunk * CHUNK + word) * 64, *bits);
                while rest != 0 {
                    start += rest.trailing_zeros() as usize;
                    rest >>= rest.trailing_zeros();
                    let ones = rest.trailing_ones();
                    if start != pending.end {
                        each(pending);
                        pending = start..start;
                    }
                    start += ones as usize;
                    pending.end = start;
                    rest = rest.checked_shr(ones).unwrap_or(0);
                }
            }
        }
        each(pending);
    }

    /// Calls `each` for the runs of set bits in a range.
    pub fn runs_in(&self, range: Range<usize>, mut each: impl FnMut(Range<usize>)) {
        let chunks = range.start / CHUNK_BITS..range.end.div_ceil(CHUNK_BITS);
        self.runs(chunks, |run| {
            let run = run.start.max(range.start)..run.end.min(range.end);
            if !run.is_empty() {
                each(run);
            }
        });
    }

    /// Sets the bits that are set in another bitmap, `shift` bits further on.
    pub fn join(&mut self, other: &Bits, shift: usize) {
        other.runs(0..other.chunks.len(), |run| self.set(run.start + shift..run.end + shift));
    }

    /// The first bit that is set in both bitmaps.
    pub fn first_common(&self, other: &Bits) -> Option<usize> {
        let pairs = self.chunks.iter().zip(&other.chunks).enumerate();
        let mut both = pairs.filter_map(|(at, (a, b))| Some((at, a.as_ref()?, b.as_ref()?)));
        both.find_map(|(at, a, b)| {
            let word = a.iter().zip(b.iter()).position(|(a, b)| a & b != 0)?;
            Some((at * CHUNK + word) * 64 + (a[word] & b[word]).trailing_zeros() as usize)
        })
    }

    /// Whether both bitmaps have a common set bit.
    pub(crate) fn meets(&self, other: &Bits) -> bool {
        let pairs = self.chunks.iter().zip(&other.chunks);
        let mut both = pairs.filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        both.any(|(a, b)| a.iter().zip(b.iter()).any(|(a, b)| a & b != 0))
    }
}

/// The indices of the words that contain a range of bits.
pub(crate) fn words(range: &Range<usize>) -> Range<usize> {
    if range.is_empty() { 0..0 } else { range.start / 64..range.end.div_ceil(64) }
}

/// The mask of a word's bits that are in a range.
pub(crate) fn mask(range: &Range<usize>, word: usize) -> u64 {
    let from = range.start.saturating_sub(word * 64);
    let to = (range.end - word * 64).min(64);
    u64::MAX >> (64 - (to - from)) << from
}
