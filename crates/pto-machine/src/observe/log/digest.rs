//! Hashes of written bytes.

use pto_num::random::mix;

/// A hash of 64 bits over bytes, whatever the runs in which they are added.
///
/// Eight bytes at a time are combined by a product with an odd number whose halves are added without carry, so that a change
/// of any bit, the highest too, reaches bits all over the state. It finds differences; it resists nobody.
#[derive(Default)]
pub(super) struct Digest {
    state: u64,
    /// The last bytes, fewer than eight, as the low part of a word.
    rest: u64,
    bytes: u64,
}

/// An odd number with random bits.
const FACTOR: u64 = 0x9e6c_63d0_876a_9a47;

impl Digest {
    /// Adds a run of bytes.
    pub(super) fn add(&mut self, run: &[u8]) {
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
    pub(super) fn hash(&self) -> u64 {
        mix(combined(self.state, self.rest) ^ self.bytes)
    }
}

fn combined(state: u64, word: u64) -> u64 {
    let product = u128::from(state.rotate_left(23) ^ word) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_of(runs: &[&[u8]]) -> u64 {
        let mut digest = Digest::default();
        runs.iter().for_each(|run| digest.add(run));
        digest.hash()
    }

    #[test]
    fn a_hash_does_not_depend_on_runs() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = hash_of(&[&bytes]);
        for first in 0..100 {
            for second in [first, (first + 3).min(100), (first + 17).min(100)] {
                assert_eq!(hash_of(&[&bytes[..first], &bytes[first..second], &bytes[second..]]), whole);
            }
        }
        assert_ne!(hash_of(&[&bytes[..99]]), whole);
        assert_ne!(hash_of(&[&[0; 8]]), hash_of(&[&[0; 9]]));
    }

    /// Changes of one or two bits, such as the signs of two numbers, never cancel.
    #[test]
    fn every_pair_of_bits_counts() {
        let mut seen = std::collections::BTreeSet::from([hash_of(&[&[0; 40]])]);
        for one in 0..320 {
            for other in one..320 {
                let mut bytes = [0u8; 40];
                bytes[one / 8] ^= 1 << (one % 8);
                if other > one {
                    bytes[other / 8] ^= 1 << (other % 8);
                }
                assert!(seen.insert(hash_of(&[&bytes])), "{one} {other}");
            }
        }
    }
}
