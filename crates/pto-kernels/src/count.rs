//! Counting up, counting bytes of elements, and counting numbers that only look random.

use crate::{Element, get_element, set_element};

/// `count` integers from byte `dst` on, the first of them `start` and each `step` more than the one before it, wrapped to
/// the bits of the element, an integer.
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

/// Values of a byte.
pub const BINS: usize = 256;

/// For each value of byte `byte` of `count` elements from byte `src` on, how many have it or a smaller one, as u32 from
/// byte `dst` on. Only elements whose bytes above it are those of `above`, the uppermost first, count.
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
    /// The counter, its least word first.
    pub counter: [u32; 4],
    /// Rounds of mixing.
    pub rounds: u32,
}

impl Random {
    /// Moves the counter on.
    pub fn advance(&mut self, steps: u32) {
        let mut carry = u64::from(steps);
        for word in &mut self.counter {
            carry += u64::from(*word);
            *word = carry as u32;
            carry >>= 32;
        }
    }

    /// The four words of the present counter.
    pub fn words(&self) -> [u32; 4] {
        let ([mut key0, mut key1], [mut a, mut b, mut c, mut d]) = (self.key, self.counter);
        for _ in 0..self.rounds {
            let (first, second) = (u64::from(a) * 0xd251_1f53, u64::from(c) * 0xcd9e_8d57);
            (a, c) = ((second >> 32) as u32 ^ b ^ key0, (first >> 32) as u32 ^ d ^ key1);
            (b, d) = (second as u32, first as u32);
            key0 = key0.wrapping_add(0x9e37_79b9);
            key1 = key1.wrapping_add(0xbb67_ae85);
        }
        [a, b, c, d]
    }
}

/// Counters that one step of the vector unit works on.
const LANES: u32 = 64;

/// Fills `count` words from byte `dst` on, and moves the counter behind them as the vector unit does: by 64 for each 256
/// words, at the end by as many as the words beyond the last 64.
pub fn fill_random(mem: &mut [u8], dst: usize, count: usize, random: &mut Random) {
    let step = 4 * LANES as usize;
    for start in (0..count).step_by(step) {
        let mut lane = *random;
        for at in (start..count.min(start + step)).step_by(4) {
            for (place, word) in (at..count).zip(lane.words()) {
                set_element(mem, dst, place, Element::U32, u64::from(word));
            }
            lane.advance(1);
        }
        let last = start + step >= count;
        random.advance(if last { ((count - 1) as u32) % LANES + 1 } else { LANES });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_wrap() {
        for element in [Element::I8, Element::I16, Element::U32, Element::I64] {
            for (start, step) in [(element.mask() - 3, 1), (2, u64::MAX)] {
                let (mut mem, count) = ([0xee; 96], 9);
                sequence(&mut mem, element, 8, start, step, count);
                for i in 0..count {
                    let want = start.wrapping_add(step.wrapping_mul(i as u64)) & element.mask();
                    assert_eq!(get_element(&mem, 8, i, element), want, "{element:?} {start} {step} {i}");
                }
                let end = 8 + element.bytes(count);
                assert!(mem[..8].iter().chain(&mem[end..]).all(|byte| *byte == 0xee));
            }
        }
    }

    /// Known answers of Philox 4x32-10, from the published test vectors of Random123.
    #[test]
    fn known_answers() {
        let zeros = Random { key: [0; 2], counter: [0; 4], rounds: 10 };
        assert_eq!(zeros.words(), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = Random { key: [u32::MAX; 2], counter: [u32::MAX; 4], rounds: 10 };
        assert_eq!(ones.words(), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    }

    #[test]
    fn the_counter_carries_and_rows_follow_each_other() {
        let mut random = Random { key: [1, 2], counter: [u32::MAX, u32::MAX, 5, 0], rounds: 7 };
        let mut mem = vec![0; 40];
        fill_random(&mut mem, 0, 10, &mut random);
        assert_eq!(random.counter, [9, 0, 6, 0]);
        assert!(mem.chunks_exact(4).all(|word| word != [0; 4]));
    }

    #[test]
    fn counts_add_up() {
        let mut mem = vec![0; 2048];
        for (i, value) in [0x0102u64, 0x0103, 0x0203, 0x0102].into_iter().enumerate() {
            set_element(&mut mem, 0, i, Element::U16, value);
        }
        let bin = |mem: &[u8], at| get_element(mem, 64, at, Element::U32);
        histogram(&mut mem, Element::U16, 0, 64, 4, 1, &[]);
        assert_eq!([0, 1, 2, 255].map(|at| bin(&mem, at)), [0, 3, 4, 4]);
        histogram(&mut mem, Element::U16, 0, 64, 4, 0, &[1]);
        assert_eq!([1, 2, 3, 255].map(|at| bin(&mem, at)), [0, 2, 3, 3]);
    }
}
