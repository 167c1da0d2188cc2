//! Generated contents, equal on every host and for any number of threads.
//!
//! | word | floats | integers |
//! |---|---|---|
//! | `zeros`, `ones` | 0, 1 | 0, 1 |
//! | `arange` | 0, 1, 2, ..., rounded to nearest, at most the largest finite value | 0, 1, 2, ..., wrapping |
//! | `rand` | uniform in \[0, 1) | uniform in 0 to 15 |
//! | `randn` | normal with mean 0 and variance 1, within -6 to 6 | the same rounded, negative ones 0 if unsigned |
//!
//! Values outside a format become the nearest value. `rand` takes as many random bits as the format represents exactly
//! for every value below 1, so that none is rounded up to 1 (except in `f8E8M0`, whose values are powers of two).
//!
//! A normal value is the sum of twelve uniform values minus its mean, computed in integers, a multiple of 2^-16: a
//! logarithm and a cosine would differ between hosts in their last bit.
//!
//! The values of an array are cut into chunks of 65536. Each chunk has its own generator (xoshiro256++), seeded by
//! splitmix64 from the seed, the argument's number and the chunk's number.

use super::Array;
use super::array::item_bytes;
use super::number::encode;
use pto_kernels::streams::{STREAMS, Streams};
use pto_kernels::{Placement, transfer};
use pto_num::random::mix;
use pto_num::{Element, bf16_from_f32};

/// Kind of contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The name of the generator in SOURCE.
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

/// Values per random stream. Even, so that the two values of a byte are in one chunk.
const CHUNK: usize = 1 << 16;

/// Fills `array`, which has zero bits. Zeros are not written, so that fresh pages stay unallocated.
pub(super) fn fill(array: &mut Array, kind: Generator, seed: u64, arg_index: usize) {
    let element = array.element();
    if kind == Generator::Zeros && element != Element::E8M0 {
        return;
    }
    let stream = mix(mix(seed) ^ arg_index as u64);
    let chunk_bytes = element.bytes(CHUNK);
    let chunks = array.bytes().len().div_ceil(chunk_bytes).max(1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(chunks);
    let share = chunks.div_ceil(threads);
    let work = |first: usize, part: &mut [u8]| match kind {
        Generator::Rand | Generator::Randn => {
            for (i, chunks) in part.chunks_mut(STREAMS * chunk_bytes).enumerate() {
                draw_chunks(chunks, element, kind, stream, first + i * STREAMS);
            }
        }
        _ => {
            for (i, chunk) in part.chunks_mut(chunk_bytes).enumerate() {
                fill_chunk(chunk, element, kind, first + i);
            }
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

/// Fills a chunk with values that need no random numbers.
fn fill_chunk(bytes: &mut [u8], element: Element, kind: Generator, chunk: usize) {
    let mut index = (chunk * CHUNK) as u64;
    if kind == Generator::Arange {
        return store(bytes, element, || {
            index += 1;
            let value = index - 1;
            if element.is_integer() { value } else { saturated(element, value as f64) }
        });
    }
    let same = encode(element, f64::from(u8::from(kind == Generator::Ones)));
    store(bytes, element, || same);
}

/// Writes the values of `next`, in order.
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

/// Values drawn at once per chunk. Even, so that the two values of a byte are drawn together.
const ROUNDS: usize = 128;

/// Random values for up to [`STREAMS`] chunks in parallel.
fn draw_chunks(bytes: &mut [u8], element: Element, kind: Generator, stream: u64, first: usize) {
    let states: [_; STREAMS] = std::array::from_fn(|i| seeded(mix(stream ^ (first + i) as u64)));
    let mut streams = Streams([0, 1, 2, 3].map(|word| states.map(|state| state[word])));
    let (width, per_item) = (item_bytes(element), if element.is_packed() { 2 } else { 1 });
    let count = bytes.len() / width * per_item;
    let mut drawn = vec![0; ROUNDS * STREAMS * width];
    for at in (0..CHUNK.min(count)).step_by(ROUNDS) {
        draw(&mut drawn, element, kind, &mut streams);
        let mut done = 0;
        if per_item == 1 {
            // Chunks that have room for a whole draw; the values for each are a column of `drawn`.
            done = (0..STREAMS).take_while(|i| i * CHUNK + at + ROUNDS <= count).count();
            let (rows, columns) = (Placement::rows(at * width, CHUNK), Placement::columns(0, STREAMS));
            transfer(bytes, &rows, &drawn, &columns, done, ROUNDS, element.bits());
        }
        for i in done..STREAMS {
            let items = drawn[i * width..].chunks(STREAMS * width);
            let Some(chunk) = bytes.get_mut((i * CHUNK + at) / per_item * width..) else { break };
            if per_item == 2 {
                // Joins two values to a byte; until here each had an item of its own.
                let pairs = items.clone().step_by(2).zip(items.skip(1).step_by(2)).take(ROUNDS / 2);
                chunk
                    .iter_mut()
                    .zip(pairs)
                    .for_each(|(byte, (low, high))| *byte = low[0] & 0xf | high[0] << 4);
            } else {
                let places = chunk.chunks_exact_mut(width);
                places.zip(items).for_each(|(to, item)| to.copy_from_slice(&item[..width]));
            }
        }
    }
}

/// Draws [`ROUNDS`] values of each stream, one item each; the values of a round are adjacent.
fn draw(block: &mut [u8], element: Element, kind: Generator, streams: &mut Streams) {
    if kind == Generator::Rand {
        let mut words = [[0; STREAMS]; ROUNDS];
        streams.words(&mut words);
        let words = words.as_flattened();
        if element.holds_integers() {
            let places = integer_bits(element);
            return each(block, element, words, |word| word >> (64 - places));
        }
        let significant = significant_bits(element);
        let scale = 1.0 / (1u64 << significant) as f32;
        let value = |word: u64| (word >> (64 - significant)) as u32 as f32 * scale;
        return each_float(block, element, words, value);
    }
    let mut sums = [[0; STREAMS]; ROUNDS];
    streams.normal(&mut sums);
    let sums = sums.as_flattened();
    if element.holds_integers() {
        let (least, most) = element.int_range();
        let (least, most) = (least.max(i32::MIN.into()) as i32, most.min(i32::MAX.into()) as i32);
        // The nearest integer, ties away from zero.
        let whole = |sum: i32| ((sum.abs() + 0x8000) >> 16) * sum.signum();
        return each(block, element, sums, |sum| i64::from(whole(sum).clamp(least, most)) as u64);
    }
    each_float(block, element, sums, |sum| sum as f32 / 65536.0);
}

/// Writes an item for each drawn number: its low bits.
fn each<T: Copy>(block: &mut [u8], element: Element, drawn: &[T], bits: impl Fn(T) -> u64) {
    match item_bytes(element) {
        1 => block.iter_mut().zip(drawn).for_each(|(b, one)| *b = bits(*one) as u8),
        2 => write_all(block, drawn, |one| (bits(one) as u16).to_le_bytes()),
        4 => write_all(block, drawn, |one| (bits(one) as u32).to_le_bytes()),
        _ => write_all(block, drawn, |one| bits(one).to_le_bytes()),
    }
}

/// Writes an item for each drawn number: the float `value` of it, which f32 represents exactly. The most frequent
/// formats have direct conversions.
fn each_float<T: Copy>(block: &mut [u8], element: Element, drawn: &[T], value: impl Fn(T) -> f32) {
    match element {
        Element::F32 => write_all(block, drawn, |one| value(one).to_le_bytes()),
        Element::Bf16 => write_all(block, drawn, |one| bf16_from_f32(value(one)).to_le_bytes()),
        _ => each(block, element, drawn, |one| encode(element, f64::from(value(one)))),
    }
}

fn write_all<T: Copy, const N: usize>(block: &mut [u8], drawn: &[T], bytes: impl Fn(T) -> [u8; N]) {
    for (item, one) in block.as_chunks_mut().0.iter_mut().zip(drawn) {
        *item = bytes(*one);
    }
}

/// Random bits of an integer of `rand`: numbers below 16, for 4-bit integers below 8.
fn integer_bits(element: Element) -> u32 {
    if element.is_packed() { 3 } else { 4 }
}

/// Fractional bits that the format represents exactly for every value of [0, 1).
fn significant_bits(element: Element) -> u32 {
    match element {
        Element::F32 => 24,
        Element::F16 => 11,
        Element::Bf16 => 8,
        Element::HiF8 | Element::E4M3 => 4,
        Element::E5M2 => 3,
        Element::E2M1x2 => 1,
        Element::E1M2x2 => 2,
        _ => 16,
    }
}

/// The bits of `value`, or of the largest finite value if that is smaller.
fn saturated(element: Element, value: f64) -> u64 {
    let largest = match element {
        Element::F16 => 65504.0,
        Element::E5M2 => 57344.0,
        Element::HiF8 => 32768.0,
        _ => f64::MAX,
    };
    encode(element, value.min(largest))
}

/// The initial state of a generator.
fn seeded(seed: u64) -> [u64; 4] {
    let a = mix(seed);
    let b = mix(a);
    let c = mix(b);
    // The state must not be all zero.
    [a, b, c, mix(c) | 1]
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

    /// The reference: chunk after chunk, each value by its definition.
    fn one_by_one(element: Element, kind: Generator, count: usize, seed: u64, arg: u64) -> Vec<u64> {
        let stream = mix(mix(seed) ^ arg);
        let value = |streams: &mut Streams| {
            if kind == Generator::Rand {
                let mut words = [[0; STREAMS]];
                streams.words(&mut words);
                let significant =
                    if element.holds_integers() { integer_bits(element) } else { significant_bits(element) };
                let whole = (words[0][0] >> (64 - significant)) as f64;
                return if element.holds_integers() { whole } else { whole / 2f64.powi(significant as i32) };
            }
            let mut sums = [[0; STREAMS]];
            streams.normal(&mut sums);
            let value = f64::from(sums[0][0]) / 65536.0;
            if element.holds_integers() { value.round() } else { value }
        };
        (0..count.div_ceil(CHUNK))
            .flat_map(|chunk| {
                let state = seeded(mix(stream ^ chunk as u64));
                let mut streams = Streams(state.map(|word| [word; STREAMS]));
                let own: Vec<u64> = (chunk * CHUNK..count.min((chunk + 1) * CHUNK))
                    .map(|_| encode(element, value(&mut streams)))
                    .collect();
                own
            })
            .collect()
    }

    #[test]
    fn streams_side_by_side_give_what_each_gives_alone() {
        for element in Element::ALL.into_iter().filter(|e| e.is_float() || e.bits() < 64) {
            for (kind, count) in
                [(Generator::Randn, 5000), (Generator::Rand, 131), (Generator::Randn, 2 * CHUNK + 6)]
            {
                let array = make(element, kind, count, 5, 1);
                let want = one_by_one(element, kind, count, 5, 1);
                let got: Vec<u64> = (0..count).map(|index| array.bits(index)).collect();
                assert!(got == want, "{element:?} {kind:?} {count}");
            }
        }
        let (element, count) = (Element::I8, 17 * CHUNK + 77);
        let array = make(element, Generator::Randn, count, 9, 0);
        assert!((0..count).map(|index| array.bits(index)).eq(one_by_one(
            element,
            Generator::Randn,
            count,
            9,
            0
        )));
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
        assert_eq!(make(Element::E2M1x2, Generator::Arange, 2, 0, 0).full(), "[0.0 1.0 2.0 3.0]");
    }
}
