//! Computed contents, the same on every host and with any number of threads.
//!
//! | word | floats | integers |
//! |---|---|---|
//! | `zeros`, `ones` | 0, 1 | 0, 1 |
//! | `arange` | 0, 1, 2, ..., rounded to nearest, at most the largest finite value | 0, 1, 2, ..., wrapping |
//! | `rand` | uniform in \[0, 1) | uniform in 0 to 15 |
//! | `randn` | normal with mean 0 and variance 1, within -6 to 6 | the same rounded, negative ones 0 if unsigned |
//!
//! What a format cannot hold becomes its nearest value. `rand` takes as many random bits as the format holds in
//! every value below 1, so that none is rounded up to 1 (except in `f8E8M0`, whose values are powers of two).
//!
//! A normal value is the sum of twelve uniform values less its mean, computed in integers, a multiple of 2^-16:
//! a logarithm and a cosine would differ between hosts in their last bit.
//!
//! The values of an array are cut into chunks of 65536. Each chunk has its own generator (xoshiro256++), seeded by
//! splitmix64 from the seed, the argument's number and the chunk's number.

use crate::array::item_bytes;
use crate::decode::encode;
use crate::{Array, Element};

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// All zero.
    Zeros,
    /// All one.
    Ones,
    /// 0, 1, 2 and so on.
    Arange,
    /// Uniform in \[0, 1).
    Rand,
    /// Normal with mean 0 and variance 1.
    Randn,
}

impl Generator {
    /// Reads `zeros`, `ones`, `arange`, `rand` or `randn`.
    pub fn parse(word: &str) -> Option<Generator> {
        use Generator::*;
        [Zeros, Ones, Arange, Rand, Randn].into_iter().find(|g| g.word() == word)
    }

    /// The word by which users know it.
    pub fn word(self) -> &'static str {
        match self {
            Generator::Zeros => "zeros",
            Generator::Ones => "ones",
            Generator::Arange => "arange",
            Generator::Rand => "rand",
            Generator::Randn => "randn",
        }
    }
}

/// Values that one random stream fills. Even, so that no byte with two values is shared.
const CHUNK: usize = 1 << 16;

/// Fills `array`, which holds zero bits. Where those are meant they are not touched: fresh pages cost nothing then.
pub fn fill(array: &mut Array, kind: Generator, seed: u64, arg_index: usize) {
    let element = array.element();
    if kind == Generator::Zeros && element != Element::E8M0 {
        return;
    }
    let stream = mix(mix(seed) ^ arg_index as u64);
    let chunk_bytes = element.bytes(CHUNK);
    let chunks = array.bytes().len().div_ceil(chunk_bytes).max(1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(chunks);
    let share = chunks.div_ceil(threads);
    let work = |first: usize, part: &mut [u8]| {
        for (i, chunk) in part.chunks_mut(chunk_bytes).enumerate() {
            fill_chunk(chunk, element, kind, stream, first + i);
        }
    };
    if threads == 1 {
        work(0, array.bytes_mut());
        return;
    }
    std::thread::scope(|scope| {
        for (i, part) in array.bytes_mut().chunks_mut(share * chunk_bytes).enumerate() {
            scope.spawn(move || work(i * share, part));
        }
    });
}

fn fill_chunk(bytes: &mut [u8], element: Element, kind: Generator, stream: u64, chunk: usize) {
    let mut random = Random::new(mix(stream ^ chunk as u64));
    let mut index = (chunk * CHUNK) as u64;
    match kind {
        Generator::Zeros => store(bytes, element, || encode(element, 0.0)),
        Generator::Ones => {
            let one = encode(element, 1.0);
            store(bytes, element, || one);
        }
        Generator::Arange => store(bytes, element, || {
            index += 1;
            let value = index - 1;
            if element.is_integer() { value } else { saturated(element, value as f64) }
        }),
        Generator::Rand if element.is_integer() => store(bytes, element, || random.next() >> 60),
        Generator::Rand => {
            let significant = significant_bits(element);
            let scale = 1.0 / (1u64 << significant) as f64;
            store(bytes, element, || {
                float_bits(element, (random.next() >> (64 - significant)) as f64 * scale)
            });
        }
        Generator::Randn if element.is_integer() => {
            let least = if element.is_signed_integer() { i64::MIN } else { 0 };
            store(bytes, element, || random.normal_integer().max(least) as u64);
        }
        Generator::Randn => store(bytes, element, || float_bits(element, random.normal())),
    }
}

/// As `encode`, without its detour for the commonest formats: every value made here is exact in f32.
fn float_bits(element: Element, value: f64) -> u64 {
    let bits = (value as f32).to_bits();
    match element {
        Element::F32 => u64::from(bits),
        // To nearest, ties to even; none is near infinity.
        Element::Bf16 => u64::from((bits + 0x7fff + (bits >> 16 & 1)) >> 16),
        _ => encode(element, value),
    }
}

/// Writes the values that `next` gives, in order.
fn store(bytes: &mut [u8], element: Element, mut next: impl FnMut() -> u64) {
    match item_bytes(element) {
        1 if element.is_packed() => bytes.iter_mut().for_each(|b| {
            let low = next() & 0xf;
            *b = (low | next() << 4) as u8;
        }),
        1 => bytes.iter_mut().for_each(|b| *b = next() as u8),
        2 => bytes.chunks_exact_mut(2).for_each(|b| b.copy_from_slice(&(next() as u16).to_le_bytes())),
        4 => bytes.chunks_exact_mut(4).for_each(|b| b.copy_from_slice(&(next() as u32).to_le_bytes())),
        _ => bytes.chunks_exact_mut(8).for_each(|b| b.copy_from_slice(&next().to_le_bytes())),
    }
}

/// How many random bits below the point every value of [0, 1) can hold exactly.
fn significant_bits(element: Element) -> u32 {
    match element {
        Element::F32 => 24,
        Element::F16 => 11,
        Element::Bf16 => 8,
        Element::HiF8 | Element::E4M3 => 4,
        Element::E5M2 => 3,
        Element::E2M1 => 1,
        Element::E1M2 => 2,
        _ => 16,
    }
}

/// The bits of `value`, or of the largest finite value.
fn saturated(element: Element, value: f64) -> u64 {
    let largest = match element {
        Element::F16 => 65504.0,
        Element::E5M2 => 57344.0,
        Element::HiF8 => 32768.0,
        _ => f64::MAX,
    };
    encode(element, value.min(largest))
}

/// One step of splitmix64: spreads any change of `x` over all bits.
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// xoshiro256++.
struct Random([u64; 4]);

impl Random {
    fn new(seed: u64) -> Random {
        let a = mix(seed);
        let b = mix(a);
        let c = mix(b);
        // The state must not be all zero.
        Random([a, b, c, mix(c) | 1])
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A normal value, exact in 20 bits.
    fn normal(&mut self) -> f64 {
        self.normal_steps() as f64 / 65536.0
    }

    /// The integer nearest to a normal value, ties away from zero.
    fn normal_integer(&mut self) -> i64 {
        let steps = self.normal_steps();
        ((steps.abs() + 0x8000) >> 16) * steps.signum()
    }

    /// The sum of twelve uniform values of 16 bits each, less its mean: a normal value in steps of 2^-16.
    fn normal_steps(&mut self) -> i64 {
        const LANES: u64 = 0x0000_ffff_0000_ffff;
        let mut sums = 0u64;
        for _ in 0..3 {
            let word = self.next();
            sums += (word & LANES) + ((word >> 16) & LANES);
        }
        let sum = (sums & 0xffff_ffff) + (sums >> 32);
        // Twelve times the mean of 0..=65535.
        const MEAN: i64 = 6 * 65535;
        sum as i64 - MEAN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(element: Element, kind: Generator, count: usize, seed: u64, arg: usize) -> Array {
        let mut array = Array::zeros(element, vec![count]).unwrap();
        fill(&mut array, kind, seed, arg);
        array
    }

    #[test]
    fn the_streams_are_fixed_for_ever() {
        let array = make(Element::F32, Generator::Rand, 3, 0, 0);
        assert_eq!(array.full(), "[0.39135772  0.3408659  0.8876022]");
        let array = make(Element::F32, Generator::Randn, 3, 0, 0);
        assert_eq!(array.full(), "[   0.27349854    -1.4879913 -0.0032196045]");
    }

    #[test]
    fn short_ways_lead_to_the_same_values() {
        for element in Element::ALL.into_iter().filter(|e| e.is_float() || e.bits() < 64) {
            let mut random = Random::new(mix(mix(mix(5) ^ 1)));
            let array = make(element, Generator::Randn, 5000, 5, 1);
            for index in 0..5000 {
                let value = random.normal();
                let value = if element.is_integer() { value.round() } else { value };
                assert_eq!(array.bits(index), encode(element, value), "{element:?} {value}");
            }
        }
    }

    #[test]
    fn a_longer_array_starts_with_the_shorter() {
        let long = make(Element::F16, Generator::Randn, 5 * CHUNK + 3, 7, 1);
        let short = make(Element::F16, Generator::Randn, CHUNK + 9, 7, 1);
        assert_eq!(&long.bytes()[..short.bytes().len()], short.bytes());
        let chunks: Vec<&[u8]> = long.bytes().chunks(2 * CHUNK).take(5).collect();
        assert!(chunks.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn seed_and_argument_choose_the_stream() {
        let base = make(Element::F32, Generator::Rand, 8, 1, 2);
        assert_eq!(base, make(Element::F32, Generator::Rand, 8, 1, 2));
        assert_ne!(base, make(Element::F32, Generator::Rand, 8, 2, 1));
        assert_ne!(base, make(Element::F32, Generator::Rand, 8, 1, 3));
    }

    #[test]
    fn uniform_is_below_one_and_centred() {
        for element in Element::ALL.into_iter().filter(|e| e.is_float() && *e != Element::E8M0) {
            let array = make(element, Generator::Rand, 20000, 3, 0);
            let values: Vec<f64> = (0..array.values()).map(|i| array.value_as_f64(i)).collect();
            assert!(values.iter().all(|v| (0.0..1.0).contains(v)), "{element:?}");
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            assert!((0.24..0.51).contains(&mean), "{element:?} {mean}");
        }
    }

    #[test]
    fn normal_has_mean_zero_and_variance_one() {
        let array = make(Element::F32, Generator::Randn, 200_000, 3, 0);
        let values: Vec<f64> = (0..array.values()).map(|i| array.value_as_f64(i)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn integers_are_small() {
        let uniform = make(Element::I8, Generator::Rand, 4000, 0, 0);
        assert!((0..16).all(|v| uniform.bytes().contains(&v)) && uniform.bytes().iter().all(|&b| b < 16));
        let normal = make(Element::U16, Generator::Randn, 4000, 0, 0);
        assert!((0..normal.values()).all(|i| normal.bits(i) <= 6));
    }

    #[test]
    fn ones_and_arange_in_every_format() {
        for element in Element::ALL {
            let ones = make(element, Generator::Ones, 3, 0, 0);
            assert!((0..ones.values()).all(|i| ones.value_as_f64(i) == 1.0), "{element:?}");
            let range = make(element, Generator::Arange, 2, 0, 0);
            assert_eq!(range.value_as_f64(1), 1.0, "{element:?}");
        }
        assert_eq!(make(Element::U8, Generator::Arange, 258, 0, 0).bytes()[256..], [0, 1]);
        assert_eq!(make(Element::F16, Generator::Arange, CHUNK + 1, 0, 0).value_as_f64(CHUNK), 65504.0);
        assert_eq!(make(Element::E2M1, Generator::Arange, 2, 0, 0).full(), "[0.0 1.0 2.0 3.0]");
    }
}
