//! Sorting and merging pairs of a value and an index, the greatest value first.
//!
//! A pair takes 8 bytes: the value, zeros up to byte 4, the index as a u32. NaN sorts after every number; the two zeros
//! are equal, and so are all NaNs.

pub use pto_num::sizes::{BLOCK, LISTS, PAIR};

use crate::dispatch::{Features, multiversion};
use crate::format::{bf16_to_f32, f16_to_f32};
use crate::{Element, get_element};

/// Whether pairs can hold values of this format.
pub fn has_pairs(element: Element) -> bool {
    matches!(element, Element::F16 | Element::Bf16 | Element::F32 | Element::I16 | Element::I32)
}

/// Sort key of a value: smaller for values that come earlier.
#[inline(always)]
fn rank(element: Element, bits: u64) -> u32 {
    match element {
        Element::F32 => rank_of_float(f32::from_bits(bits as u32)),
        Element::F16 => rank_of_float(f16_to_f32(bits as u16)),
        Element::Bf16 => rank_of_float(bf16_to_f32(bits as u16)),
        _ => !(element.decode_int(bits) as u32 ^ 1 << 31),
    }
}

#[inline(always)]
fn rank_of_float(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    if value.is_nan() { u32::MAX } else { !ascending }
}

multiversion!(
    SortBody,
    select_sort,
    fn(mem: &mut [u8], element: Element, count: usize, dst: usize, values: usize, indices: usize)
);

/// Blocks of [`BLOCK`] values.
struct Blocks;

/// A sort of blocks: buffer, format of the values, their number, and the byte offsets of the pairs, the values and
/// their indices.
pub type SortFn = fn(&mut [u8], Element, usize, usize, usize, usize);

/// The loop that sorts each [`BLOCK`] of values, and a shorter last block, into pairs with their indices. The pairs
/// overlap neither source. Equal values are ordered by index, then by position.
pub fn blocks() -> SortFn {
    select_sort::<Blocks>()
}

impl SortBody for Blocks {
    #[inline(always)]
    fn run<F: Features>(
        mem: &mut [u8],
        element: Element,
        count: usize,
        dst: usize,
        values: usize,
        indices: usize,
    ) {
        for start in (0..count).step_by(BLOCK) {
            let block = BLOCK.min(count - start);
            let index = words::<4>(mem, indices + start * 4, block);
            let bits = match element.bits() {
                32 => words::<4>(mem, values + start * 4, block),
                _ => words::<2>(mem, values + start * 2, block),
            };
            // Padding keys come last; equal to the key of a value, they do not change its rank.
            let mut keys = [u64::MAX; BLOCK];
            // One match per block, not per key.
            match element {
                Element::F32 => key_each(&mut keys[..block], &bits, &index, Element::F32),
                Element::F16 => key_each(&mut keys[..block], &bits, &index, Element::F16),
                Element::Bf16 => key_each(&mut keys[..block], &bits, &index, Element::Bf16),
                _ => key_each(&mut keys[..block], &bits, &index, element),
            }
            let places = places(&keys, block);
            let pairs = &mut mem[dst + start * PAIR..][..block * PAIR];
            for i in 0..block {
                let pair = u64::from(bits[i]) | u64::from(index[i]) << 32;
                pairs[places[i] as usize * PAIR..][..PAIR].copy_from_slice(&pair.to_le_bytes());
            }
        }
    }
}

/// Up to [`BLOCK`] elements of `WIDTH` bytes.
#[inline(always)]
fn words<const WIDTH: usize>(mem: &[u8], at: usize, count: usize) -> [u32; BLOCK] {
    let mut words = [0; BLOCK];
    for (word, bytes) in words.iter_mut().zip(mem[at..][..count * WIDTH].as_chunks::<WIDTH>().0) {
        let mut wide = [0; 4];
        wide[..WIDTH].copy_from_slice(bytes);
        *word = u32::from_le_bytes(wide);
    }
    words
}

#[inline(always)]
fn key_each(keys: &mut [u64], bits: &[u32; BLOCK], index: &[u32; BLOCK], element: Element) {
    for ((key, bits), index) in keys.iter_mut().zip(bits).zip(index) {
        *key = u64::from(rank(element, u64::from(*bits))) << 32 | u64::from(*index);
    }
}

/// The sorted position of each of the first `count` keys: the number of keys before it. Comparing all pairs without a
/// branch is faster than fewer comparisons that depend on one another.
#[inline(always)]
fn places(keys: &[u64; BLOCK], count: usize) -> [u64; BLOCK] {
    let mut places = [0; BLOCK];
    for [a, b, c, d] in keys.as_chunks::<4>().0 {
        // With a length known at compile time the compiler vectorizes over the keys.
        for (place, key) in places[..count].iter_mut().zip(&keys[..count]) {
            *place += u64::from(a < key) + u64::from(b < key) + u64::from(c < key) + u64::from(d < key);
        }
    }
    // Equal keys share a position so far; then the sum of positions is below 0 + 1 + ... + (count - 1).
    let all = count as u64 * (count as u64).saturating_sub(1) / 2;
    if places[..count].iter().sum::<u64>() < all {
        for i in 0..count {
            places[i] += keys[..i].iter().filter(|key| **key == keys[i]).count() as u64;
        }
    }
    places
}

/// A list of pairs: the byte of the first, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Byte of the first pair.
    pub start: usize,
    /// Pairs.
    pub pairs: usize,
}

/// Merges sorted lists into up to `capacity` pairs at byte `dst`, which no list overlaps; of equal values that of the earlier
/// list comes first. If `exhausted`, ends as soon as one list is exhausted. Returns the number of pairs taken from each list:
/// their sum is the number of pairs written, or, if `exhausted`, greater once `capacity` is full.
pub fn merge(
    mem: &mut [u8],
    element: Element,
    lists: &[List],
    dst: usize,
    capacity: usize,
    exhausted: bool,
) -> [usize; LISTS] {
    let mut taken = [0; LISTS];
    let lists = &lists[..lists.len().min(LISTS)];
    let mut heads = [None; LISTS];
    let head = |mem: &[u8], list: &List, taken: usize| {
        let rank = |taken| rank(element, get_element(mem, list.start + taken * PAIR, 0, element));
        (taken < list.pairs).then(|| rank(taken))
    };
    for (head_of, list) in heads.iter_mut().zip(lists) {
        *head_of = head(mem, list, 0);
    }
    let mut written = 0;
    loop {
        if exhausted && lists.iter().zip(taken).any(|(list, taken)| taken == list.pairs) {
            return taken;
        }
        let first = heads.iter().enumerate().filter_map(|(at, head)| head.map(|rank| (rank, at))).min();
        let Some((_, at)) = first else { return taken };
        let from = lists[at].start + taken[at] * PAIR;
        if written < capacity {
            mem.copy_within(from..from + PAIR, dst + written * PAIR);
            written += 1;
        } else if !exhausted {
            return taken;
        }
        taken[at] += 1;
        heads[at] = head(mem, &lists[at], taken[at]);
    }
}
