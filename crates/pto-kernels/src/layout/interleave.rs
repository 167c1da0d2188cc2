//! Interleaving two rows of elements into one, and the inverse.

use crate::aligned::Aligned;
use crate::dispatch::{Features, each_chunk, multiversion};
use crate::prefetch;

multiversion!(
    InterleaveBody,
    select_interleave,
    fn(mem: &mut [u8], first: usize, second: usize, both: usize, count: usize)
);

struct Interleave<const WIDTH: usize>;
struct Deinterleave<const WIDTH: usize>;

/// A kernel on two rows of `count` elements and one row of twice as many. Parameters: buffer, byte offsets of the two
/// rows, byte offset of the long row, `count`.
pub type InterleaveFn = fn(&mut [u8], usize, usize, usize, usize);

/// `both[2i] = first[i]`, `both[2i + 1] = second[i]`, for elements of `bits` bits, at least 8. The ranges are disjoint.
pub fn interleave(bits: u32) -> InterleaveFn {
    match bits {
        8 => select_interleave::<Interleave<1>>(),
        16 => select_interleave::<Interleave<2>>(),
        32 => select_interleave::<Interleave<4>>(),
        _ => select_interleave::<Interleave<8>>(),
    }
}

/// The inverse: `first[i] = both[2i]`, `second[i] = both[2i + 1]`.
pub fn deinterleave(bits: u32) -> InterleaveFn {
    match bits {
        8 => select_interleave::<Deinterleave<1>>(),
        16 => select_interleave::<Deinterleave<2>>(),
        32 => select_interleave::<Deinterleave<4>>(),
        _ => select_interleave::<Deinterleave<8>>(),
    }
}

/// Pairs of a chunk.
const CHUNK: usize = 64;

/// Implements both directions for a width. A pair is an integer of twice the width: its halves need no shuffles, which
/// the compiler would not find.
macro_rules! turns {
    ($width:literal, $pair_width:literal, $one:ty, $pair:ty) => {
        impl InterleaveBody for Interleave<$width> {
            #[inline(always)]
            fn run<F: Features>(mem: &mut [u8], first: usize, second: usize, both: usize, count: usize) {
                let Aligned(pairs) = &mut Aligned([[0; $pair_width]; CHUNK]);
                each_chunk!(count, CHUNK, |start, length| {
                    let (at, bytes) = (start * $width, length * $width);
                    let low = mem[first + at..first + at + bytes].as_chunks().0;
                    let high = mem[second + at..second + at + bytes].as_chunks().0;
                    for (pair, (low, high)) in pairs.iter_mut().zip(low.iter().zip(high)) {
                        let [low, high] = [low, high].map(|one| <$pair>::from(<$one>::from_le_bytes(*one)));
                        *pair = (low | high << <$one>::BITS).to_le_bytes();
                    }
                    let to = both + 2 * at;
                    prefetch::next_written(mem, to, CHUNK * 2 * $width);
                    mem[to..to + 2 * bytes].copy_from_slice(pairs[..length].as_flattened());
                });
            }
        }

        impl InterleaveBody for Deinterleave<$width> {
            #[inline(always)]
            fn run<F: Features>(mem: &mut [u8], first: usize, second: usize, both: usize, count: usize) {
                let Aligned([low, high]) = &mut Aligned([[[0; $width]; CHUNK]; 2]);
                each_chunk!(count, CHUNK, |start, length| {
                    let (at, bytes) = (start * $width, length * $width);
                    let pairs = mem[both + 2 * at..both + 2 * (at + bytes)].as_chunks().0;
                    for (pair, (low, high)) in pairs.iter().zip(low.iter_mut().zip(&mut *high)) {
                        let pair = <$pair>::from_le_bytes(*pair);
                        *low = (pair as $one).to_le_bytes();
                        *high = ((pair >> <$one>::BITS) as $one).to_le_bytes();
                    }
                    mem[first + at..first + at + bytes].copy_from_slice(low[..length].as_flattened());
                    mem[second + at..second + at + bytes].copy_from_slice(high[..length].as_flattened());
                });
            }
        }
    };
}

turns!(1, 2, u8, u16);
turns!(2, 4, u16, u32);
turns!(4, 8, u32, u64);
turns!(8, 16, u64, u128);
