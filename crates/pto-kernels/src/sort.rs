//! Sorting and merging pairs of a value and an index, the greatest value first.
//!
//! A pair takes 8 bytes: the value, zeros up to 4 bytes, the index as a u32. A NaN comes behind every number; the two
//! zeros are equal, and so are NaNs.

use crate::format::{bf16_to_f32, f16_to_f32};
use crate::{Element, get_element};

/// Bytes of a pair.
pub const PAIR: usize = 8;
/// Pairs of a block that [`sort_block`] sorts.
pub const BLOCK: usize = 32;
/// Most lists of one [`merge`].
pub const LISTS: usize = 4;

/// Whether pairs can hold values of this format.
pub fn has_pairs(element: Element) -> bool {
    matches!(element, Element::F16 | Element::Bf16 | Element::F32 | Element::I16 | Element::I32)
}

/// A number that is smaller the earlier a value comes.
fn rank(element: Element, bits: u64) -> u32 {
    let value = match element {
        Element::F32 => f32::from_bits(bits as u32),
        Element::F16 => f16_to_f32(bits as u16),
        Element::Bf16 => bf16_to_f32(bits as u16),
        _ => return !(element.decode_int(bits) as u32 ^ 1 << 31),
    };
    if value.is_nan() {
        return u32::MAX;
    }
    let bits = (value + 0.0).to_bits();
    let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    !ascending
}

/// Sorts up to [`BLOCK`] values with their indices into pairs at byte `dst`; equal values by index. `at` gives the bytes
/// of a value and of its index.
pub fn sort_block(
    mem: &mut [u8],
    element: Element,
    count: usize,
    dst: usize,
    at: impl Fn(usize) -> (usize, usize),
) {
    let mut keys = [(0u32, 0u32, 0u64); BLOCK];
    let keys = &mut keys[..count.min(BLOCK)];
    for (place, key) in keys.iter_mut().enumerate() {
        let (value, index) = at(place);
        let bits = get_element(mem, value, 0, element);
        // The place keeps the order of what is equal.
        let index = get_element(mem, index, 0, Element::U32);
        *key = (rank(element, bits), index as u32, bits << 8 | place as u64);
    }
    keys.sort_unstable_by_key(|(rank, index, place)| (*rank, *index, *place & 0xff));
    for (place, (_, index, bits)) in keys.iter().enumerate() {
        let pair = bits >> 8 & element.mask() | u64::from(*index) << 32;
        mem[dst + place * PAIR..][..PAIR].copy_from_slice(&pair.to_le_bytes());
    }
}

/// A list of pairs: the byte of the first, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Byte of the first pair.
    pub start: usize,
    /// Pairs.
    pub pairs: usize,
}

/// Merges sorted lists into up to `room` pairs at byte `dst`, which no list overlaps; of equal values that of the earlier
/// list comes first. Ends early when a list is used up, if `exhausted` asks for it. Says how many pairs of each list were
/// taken; their sum is the number of pairs written, or more where there was no room.
pub fn merge(
    mem: &mut [u8],
    element: Element,
    lists: &[List],
    dst: usize,
    room: usize,
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
        if written < room {
            mem.copy_within(from..from + PAIR, dst + written * PAIR);
            written += 1;
        } else if !exhausted {
            return taken;
        }
        taken[at] += 1;
        heads[at] = head(mem, &lists[at], taken[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(mem: &[u8], start: usize, count: usize) -> Vec<(f32, u32)> {
        let word = |at: usize| get_element(mem, start, at, Element::U32) as u32;
        (0..count).map(|pair| (f32::from_bits(word(2 * pair)), word(2 * pair + 1))).collect()
    }

    fn put(mem: &mut [u8], start: usize, words: &[u32]) {
        for (word, bytes) in words.iter().zip(mem[start..].chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    #[test]
    fn values_descend_and_equal_ones_keep_the_order_of_their_indices() {
        let mut mem = vec![0; 256];
        let values = [1.0, f32::NAN, 3.0, f32::NEG_INFINITY, 3.0, -0.0, 0.0].map(f32::to_bits);
        put(&mut mem, 0, &values);
        put(&mut mem, 64, &[0, 1, 9, 3, 4, 5, 6]);
        sort_block(&mut mem, Element::F32, 7, 128, |place| (place * 4, 64 + place * 4));
        let sorted = pairs(&mem, 128, 7);
        let indices: Vec<u32> = sorted.iter().map(|pair| pair.1).collect();
        assert_eq!(indices, [4, 9, 0, 5, 6, 3, 1]);
        assert!(sorted[3].0.is_sign_negative() && sorted[4].0.is_sign_positive() && sorted[6].0.is_nan());
    }

    #[test]
    fn lists_merge_and_stop_where_one_is_used_up() {
        let mut mem = vec![0; 256];
        let bits = |list: [f32; 2]| [list[0].to_bits(), 0, list[1].to_bits(), 1];
        put(&mut mem, 0, &bits([5.0, 4.0]));
        put(&mut mem, 16, &bits([4.5, 1.0]));
        let lists = [List { start: 0, pairs: 2 }, List { start: 16, pairs: 2 }];
        assert_eq!(merge(&mut mem, Element::F32, &lists, 128, 4, false), [2, 2, 0, 0]);
        let values: Vec<f32> = pairs(&mem, 128, 4).iter().map(|pair| pair.0).collect();
        assert_eq!(values, [5.0, 4.5, 4.0, 1.0]);
        assert_eq!(merge(&mut mem, Element::F32, &lists, 128, 4, true), [2, 1, 0, 0]);
        assert_eq!(merge(&mut mem, Element::F32, &lists, 128, 2, false), [1, 1, 0, 0]);
    }
}
