use crate::testing::random;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::set_element;
use pto_kernels::sort::*;
use pto_kernels::{Element, get_element};
use std::cmp::Ordering;

fn pairs(mem: &[u8], start: usize, count: usize) -> Vec<(f32, u32)> {
    let word = |at: usize| get_element(mem, start, at, Element::U32) as u32;
    (0..count).map(|pair| (f32::from_bits(word(2 * pair)), word(2 * pair + 1))).collect()
}

fn put(mem: &mut [u8], start: usize, words: &[u32]) {
    for (word, bytes) in words.iter().zip(mem[start..].chunks_exact_mut(4)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}

/// The order of two values: larger ones first, NaN last, both zeros equal.
fn descending(element: Element, a: u64, b: u64) -> Ordering {
    let [a, b] =
        [a, b].map(
            |bits| {
                if element.is_integer() { element.decode_int(bits) as f64 } else { element.decode(bits) }
            },
        );
    a.is_nan().cmp(&b.is_nan()).then(b.partial_cmp(&a).unwrap_or(Ordering::Equal))
}

#[test]
fn values_descend_and_equal_ones_keep_the_order_of_their_indices() {
    let mut mem = vec![0; 256];
    let values = [1.0, f32::NAN, 3.0, f32::NEG_INFINITY, 3.0, -0.0, 0.0].map(f32::to_bits);
    put(&mut mem, 0, &values);
    put(&mut mem, 64, &[0, 1, 9, 3, 4, 5, 6]);
    blocks()(&mut mem, Element::F32, 7, 128, 0, 64);
    let sorted = pairs(&mem, 128, 7);
    let indices: Vec<u32> = sorted.iter().map(|pair| pair.1).collect();
    assert_eq!(indices, [4, 9, 0, 5, 6, 3, 1]);
    assert!(sorted[3].0.is_sign_negative() && sorted[4].0.is_sign_positive() && sorted[6].0.is_nan());
}

#[test]
fn blocks_sort_as_a_plain_sort_does() {
    let mut state = 1;
    let (indices, dst) = (1 << 10, 1 << 11);
    for element in [Element::F32, Element::F16, Element::Bf16, Element::I16, Element::I32] {
        for count in [0, 1, 5, 32, 45, 96] {
            // Few different values, also beside NaN and the infinities, and fewer indices.
            let values: Vec<u64> = (0..count)
                .map(|_| random(&mut state) % 5)
                .map(|n| (n << (element.bits() - 3)).wrapping_sub(n & 1) & element.mask())
                .collect();
            let mut before: Vec<u8> = (0..1 << 12).map(|_| random(&mut state) as u8).collect();
            for (i, value) in values.iter().enumerate() {
                set_element(&mut before, 0, i, element, *value);
                set_element(&mut before, indices, i, Element::U32, (random(&mut state) % 3) * 0x7fff_ffff);
            }
            let mut want = before.clone();
            for start in (0..count).step_by(BLOCK) {
                let index = |place| get_element(&before, indices, place, Element::U32);
                let mut places: Vec<usize> = (start..count.min(start + BLOCK)).collect();
                places.sort_by(|&a, &b| {
                    descending(element, values[a], values[b]).then(index(a).cmp(&index(b)))
                });
                for (to, &from) in (start..).zip(&places) {
                    set_element(&mut want, dst, to, Element::U64, values[from] | index(from) << 32);
                }
            }
            for level in levels() {
                let mut got = before.clone();
                with_level(level, blocks)(&mut got, element, count, dst, 0, indices);
                assert!(got == want, "{level:?} {element:?} {count}");
            }
        }
    }
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
