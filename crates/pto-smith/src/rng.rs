//! Random choices that follow from a seed.

use pto_num::random;

/// A source of choices: equal seeds give equal choices on every host.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// Bytes that determine the first choices, so that a fuzzer controls them.
    bytes: Vec<u8>,
    at: usize,
}

impl Rng {
    /// Choices from a seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed, bytes: Vec::new(), at: 0 }
    }

    /// Choices from bytes, one byte each at first; later choices follow from a hash of the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Rng {
        let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Rng { state: bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold), bytes: bytes.to_vec(), at: 0 }
    }

    /// The next 64 bits of SplitMix64.
    pub fn bits(&mut self) -> u64 {
        random::next(&mut self.state)
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        let bits = match byte {
            Some(byte) if limit <= 256 => u64::from(byte),
            _ => self.bits() >> 11,
        };
        (bits % limit.max(1) as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A random element of a list that is not empty.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// A random word of a list that is not empty.
    pub(crate) fn word(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }
}
