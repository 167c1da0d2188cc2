//! Integer sequences, byte histograms and counter-based random numbers.

pub use pto_num::sizes::BINS;

use crate::dispatch::{Features, multiversion};
use crate::{Element, get_element, set_element};

/// Writes `count` integers at byte `dst`: `start`, `start + step`, `start + 2 * step` and so on, wrapped to the width
/// of `element`, an integer format.
pub fn sequence(mem: &mut [u8], element: Element, dst: usize, start: u64, step: u64, count: usize) {
    macro_rules! write {
        ($integer:ty) => {{
            let places = mem[dst..dst + count * size_of::<$integer>()].as_chunks_mut().0;
            let (mut next, step) = (start as $integer, step as $integer);
            for place in places {
                *place = next.to_le_bytes();
                next = next.wrapping_add(step);
            }
        }};
    }
    match element.bits() {
        8 => write!(u8),
        16 => write!(u16),
        32 => write!(u32),
        _ => write!(u64),
    }
}

/// Cumulative histogram of byte `byte` of `count` elements at byte `src`: bin `v`, a u32 at byte `dst + 4 * v`, counts
/// the elements whose byte is at most `v`. Only elements whose more significant bytes equal `above`, most significant
/// first, are counted.
pub fn histogram(
    mem: &mut [u8],
    element: Element,
    src: usize,
    dst: usize,
    count: usize,
    byte: u32,
    above: &[u8],
) {
    let mut bins = [0u32; BINS];
    let top = element.bits() / 8 - 1;
    for i in 0..count {
        let bits = get_element(mem, src, i, element);
        let part = |byte: u32| (bits >> (8 * byte)) as u8;
        if above.iter().zip(0..).all(|(wanted, below)| part(top - below) == *wanted) {
            bins[usize::from(part(byte))] += 1;
        }
    }
    let mut sum = 0u32;
    for (value, bin) in bins.iter().enumerate() {
        sum = sum.wrapping_add(*bin);
        set_element(mem, dst, value, Element::U32, u64::from(sum));
    }
}

/// A counter-based generator: each value of a 128-bit counter gives four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    /// The key.
    pub key: [u32; 2],
    /// The counter, least significant word first.
    pub counter: [u32; 4],
    /// Rounds of mixing.
    pub rounds: u32,
}

impl Random {
    /// Advances the counter by `steps`.
    #[inline]
    pub fn advance(&mut self, steps: u32) {
        let whole = self.counter.iter().rfold(0u128, |above, word| above << 32 | u128::from(*word));
        let whole = whole.wrapping_add(u128::from(steps));
        self.counter = [0, 32, 64, 96].map(|shift| (whole >> shift) as u32);
    }

    /// The four words of the current counter.
    pub fn words(&self) -> [u32; 4] {
        let ([mut key0, mut key1], mut words) = (self.key, self.counter);
        for _ in 0..self.rounds {
            words = mixed(words, key0, key1);
            (key0, key1) = next_keys(key0, key1);
        }
        words
    }
}

multiversion!(RandomBody, select_random, fn(first: &Random, words: &mut [u8]));

/// Counters that are mixed side by side, in vector lanes.
struct Mixing;

/// Counters mixed at once, and the size in bytes of their words.
const AT_ONCE: usize = 32;
const BYTES: usize = AT_ONCE * 16;

impl RandomBody for Mixing {
    /// Writes the words of [`Random::words`] of consecutive counters, until `words` is full.
    #[inline(always)]
    fn run<F: Features>(first: &Random, words: &mut [u8]) {
        let mut next = *first;
        for piece in words.chunks_mut(BYTES) {
            let [mut a, mut b, mut c, mut d] = [[0u32; AT_ONCE]; 4];
            for i in 0..AT_ONCE {
                [a[i], b[i], c[i], d[i]] = next.counter;
                next.advance(1);
            }
            let [mut key0, mut key1] = first.key;
            for _ in 0..first.rounds {
                for i in 0..AT_ONCE {
                    [a[i], b[i], c[i], d[i]] = mixed([a[i], b[i], c[i], d[i]], key0, key1);
                }
                (key0, key1) = next_keys(key0, key1);
            }
            let mut bytes = [0; BYTES];
            for (i, bytes) in bytes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip([a[i], b[i], c[i], d[i]]) {
                    *bytes = u32::to_le_bytes(word);
                }
            }
            piece.copy_from_slice(&bytes[..piece.len()]);
        }
    }
}

/// One mixing round.
#[inline(always)]
fn mixed([a, b, c, d]: [u32; 4], key0: u32, key1: u32) -> [u32; 4] {
    let (first, second) = (u64::from(a) * 0xd251_1f53, u64::from(c) * 0xcd9e_8d57);
    [(second >> 32) as u32 ^ b ^ key0, second as u32, (first >> 32) as u32 ^ d ^ key1, first as u32]
}

#[inline(always)]
fn next_keys(key0: u32, key1: u32) -> (u32, u32) {
    (key0.wrapping_add(0x9e37_79b9), key1.wrapping_add(0xbb67_ae85))
}

/// Counters that one step of the vector unit processes.
const LANES: u32 = 64;

/// Fills `count` words at byte `dst` and advances the counter as the vector unit does: by 64 for each whole
/// step of 256 words but the last, by `(count - 1) % 64 + 1` for the last step.
pub fn fill_random(mem: &mut [u8], dst: usize, count: usize, random: &mut Random) {
    let fill = select_random::<Mixing>();
    let step = 4 * LANES as usize;
    for start in (0..count).step_by(step) {
        let end = count.min(start + step);
        fill(random, &mut mem[dst + start * 4..dst + end * 4]);
        random.advance(if end == count { ((count - 1) as u32) % LANES + 1 } else { LANES });
    }
}
