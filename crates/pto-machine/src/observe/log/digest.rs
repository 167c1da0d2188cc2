//! Hashes of written bytes.

use pto_num::random::mix;

/// A hash of 64 bits over bytes. It does not depend on how the bytes are divided among calls of `add`.
///
/// Eight bytes at a time are combined by a product with an odd number whose halves are added without carry, so that a
/// change of any bit, the highest too, reaches bits all over the state. It detects differences; it is not
/// cryptographic.
#[derive(Default)]
pub struct Digest {
    state: u64,
    /// The last bytes, fewer than eight, as the low part of a word.
    rest: u64,
    bytes: u64,
}

/// An odd number with random bits.
const FACTOR: u64 = 0x9e6c_63d0_876a_9a47;

impl Digest {
    /// Adds a run of bytes.
    pub fn add(&mut self, run: &[u8]) {
        let missing = (8 - (self.bytes % 8) as usize) % 8;
        let (first, whole) = run.split_at(missing.min(run.len()));
        first.iter().for_each(|byte| self.byte(*byte));
        let mut words = whole.chunks_exact(8);
        for word in &mut words {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(word);
            self.word(u64::from_le_bytes(bytes));
        }
        self.bytes += (whole.len() - words.remainder().len()) as u64;
        words.remainder().iter().for_each(|byte| self.byte(*byte));
    }

    fn byte(&mut self, byte: u8) {
        self.rest |= u64::from(byte) << (self.bytes % 8 * 8);
        self.bytes += 1;
        if self.bytes.is_multiple_of(8) {
            self.word(self.rest);
            self.rest = 0;
        }
    }

    fn word(&mut self, word: u64) {
        self.state = combined(self.state, word);
    }

    /// Number of bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The hash of all bytes.
    pub fn hash(&self) -> u64 {
        mix(combined(self.state, self.rest) ^ self.bytes)
    }
}

fn combined(state: u64, word: u64) -> u64 {
    let product = u128::from(state.rotate_left(23) ^ word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}
