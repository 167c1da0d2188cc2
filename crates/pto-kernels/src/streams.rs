//! Streams of random numbers, several side by side: the steps of one stream are dependent, those of several are not.

use crate::dispatch::{Features, multiversion};

/// Number of streams.
pub const STREAMS: usize = 8;

/// One generator xoshiro256++ for each stream: element `[w][s]` is word `w` of the state of stream `s`. The state of a stream must not be all
/// zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams(pub [[u64; STREAMS]; 4]);

impl Streams {
    /// The next words of each stream, one per stream and element of `words`.
    pub fn words(&mut self, words: &mut [[u64; STREAMS]]) {
        select_draw::<Words>()(self, words, &mut []);
    }

    /// The next approximately normal values of each stream, one per stream and element of `sums`: the sum of twelve
    /// uniform 16-bit values, from three words, minus its mean 393210. The variance is 2^32.
    pub fn normal(&mut self, sums: &mut [[i32; STREAMS]]) {
        select_draw::<Normal>()(self, &mut [], sums);
    }
}

multiversion!(
    DrawBody,
    select_draw,
    fn(streams: &mut Streams, words: &mut [[u64; STREAMS]], sums: &mut [[i32; STREAMS]])
);

struct Words;
struct Normal;

/// Advances each stream by one step and returns its word.
#[inline(always)]
fn step(state: &mut [[u64; STREAMS]; 4]) -> [u64; STREAMS] {
    let mut results = [0; STREAMS];
    let [a, b, c, d] = state;
    for i in 0..STREAMS {
        results[i] = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
        let shifted = b[i] << 17;
        c[i] ^= a[i];
        d[i] ^= b[i];
        b[i] ^= c[i];
        a[i] ^= d[i];
        c[i] ^= shifted;
        d[i] = d[i].rotate_left(45);
    }
    results
}

impl DrawBody for Words {
    #[inline(always)]
    fn run<F: Features>(streams: &mut Streams, words: &mut [[u64; STREAMS]], _: &mut [[i32; STREAMS]]) {
        let mut state = streams.0;
        for words in words {
            *words = step(&mut state);
        }
        streams.0 = state;
    }
}

impl DrawBody for Normal {
    #[inline(always)]
    fn run<F: Features>(streams: &mut Streams, _: &mut [[u64; STREAMS]], sums: &mut [[i32; STREAMS]]) {
        const LANES: u64 = 0x0000_ffff_0000_ffff;
        const MEAN: i32 = 6 * 65535;
        let mut state = streams.0;
        for sums in sums {
            // Each word holds two sums of six 16-bit values.
            let mut halves = [0u64; STREAMS];
            for _ in 0..3 {
                let words = step(&mut state);
                for i in 0..STREAMS {
                    halves[i] += (words[i] & LANES) + ((words[i] >> 16) & LANES);
                }
            }
            for i in 0..STREAMS {
                sums[i] = (halves[i] as u32 + (halves[i] >> 32) as u32) as i32 - MEAN;
            }
        }
        streams.0 = state;
    }
}
