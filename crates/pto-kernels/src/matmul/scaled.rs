//! Products of factors with scales: 32 elements that follow each other along k share a power of two.
//!
//! Factors become rows of f32, multiplied by their scales; then the product is one like any other.

use super::factor::{E1M2, E2M1, E4M3, E5M2, Input, grown};
use super::lines::{Lines, WORD};
use super::multiply::Product;
use super::{MatMul, Scratch, micro};
use crate::layout::{Placement, transfer};
use crate::{Element, level};
use std::sync::LazyLock;

/// Elements along k that share a scale.
pub const GROUP: usize = 32;

/// Where the scales of the factors lie, one byte of [`Element::E8M0`] each; with `g` the number of groups in k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scales {
    /// Those of the left factor, m x g.
    pub a: Placement,
    /// Those of the right factor, g x n.
    pub b: Placement,
}

/// A multiplication kernel for factors with scales.
pub type ScaledMatMulFn = fn(&mut [u8], &MatMul, &Scales, &mut Scratch);

/// The multiplication of factors with scales in these formats, into f32, or `None` where there is none: any two of
/// E4M3 and E5M2, or of E2M1 and E1M2.
pub fn matmul_scaled(a: Element, b: Element) -> Option<ScaledMatMulFn> {
    use Element as E;
    Some(match (a, b) {
        (E::E4M3, E::E4M3) => scaled::<E4M3, E4M3>,
        (E::E4M3, E::E5M2) => scaled::<E4M3, E5M2>,
        (E::E5M2, E::E4M3) => scaled::<E5M2, E4M3>,
        (E::E5M2, E::E5M2) => scaled::<E5M2, E5M2>,
        (E::E2M1, E::E2M1) => scaled::<E2M1, E2M1>,
        (E::E2M1, E::E1M2) => scaled::<E2M1, E1M2>,
        (E::E1M2, E::E2M1) => scaled::<E1M2, E2M1>,
        (E::E1M2, E::E1M2) => scaled::<E1M2, E1M2>,
        _ => return None,
    })
}

fn scaled<A: Input, B: Input>(mem: &mut [u8], product: &MatMul, scales: &Scales, scratch: &mut Scratch) {
    let MatMul { m, k, n, init, .. } = *product;
    assert!(m > 0 && k > 0 && n > 0, "a product of nothing");
    rows::<A>(mem, &product.a, [m, k], &mut scratch.a, &mut scratch.gathered, &mut scratch.unpacked);
    rows::<B>(mem, &product.b, [k, n], &mut scratch.b, &mut scratch.gathered, &mut scratch.unpacked);
    scale_left(mem, &scales.a, k, grown(&mut scratch.a, m * k * WORD));
    scale_right(mem, &scales.b, n, grown(&mut scratch.b, k * n * WORD));
    let a = Lines::new(Some(grown(&mut scratch.a, m * k * WORD)), &Placement::rows(0, k), [m, k]);
    let b = Lines::new(Some(grown(&mut scratch.b, k * n * WORD)), &Placement::columns(0, n), [n, k]);
    let c = Lines::new(None, &product.c.widened(m, n), [m, n]);
    let micro = micro::floats(level());
    Product { a, b, c, padded: false, init, micro }.run(mem, [&mut scratch.panel, &mut scratch.gathered]);
}

/// Widens a factor as rows of `cols` words without gaps.
fn rows<T: Input>(
    mem: &[u8],
    place: &Placement,
    [rows, cols]: [usize; 2],
    buffer: &mut Vec<u8>,
    gathered: &mut Vec<u8>,
    unpacked: &mut Vec<u8>,
) {
    let (bits, pitch) = if T::PACKED { (4, cols.next_multiple_of(2)) } else { (8, cols) };
    let gathered = grown(gathered, rows * pitch * bits / 8);
    transfer(gathered, &Placement::rows(0, pitch), mem, place, rows, cols, bits as u32);
    let words = grown(buffer, rows * cols * WORD);
    if !T::PACKED {
        return T::widen()(gathered, words);
    }
    let bytes = grown(unpacked, rows * pitch);
    for (pair, packed) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(gathered) {
        *pair = [*packed & 15, *packed >> 4];
    }
    for (row, bytes) in words.chunks_exact_mut(cols * WORD).zip(bytes.chunks_exact(pitch)) {
        T::widen()(bytes, row);
    }
}

fn powers() -> &'static [f32; 256] {
    static TABLE: LazyLock<[f32; 256]> =
        LazyLock::new(|| std::array::from_fn(|bits| Element::E8M0.decode(bits as u64) as f32));
    &TABLE
}

/// The scale at a place.
fn scale(mem: &[u8], place: &Placement, row: usize, col: usize) -> f32 {
    powers()[usize::from(mem[place.offset + place.index(row, col)])]
}

#[inline(always)]
fn times(word: &mut [u8; WORD], scale: f32) {
    *word = (f32::from_le_bytes(*word) * scale).to_le_bytes();
}

/// Multiplies the rows of A, of `k` words, by their scales.
fn scale_left(mem: &[u8], scales: &Placement, k: usize, words: &mut [u8]) {
    for (row, words) in words.as_chunks_mut().0.chunks_exact_mut(k).enumerate() {
        for (group, words) in words.chunks_mut(GROUP).enumerate() {
            let scale = scale(mem, scales, row, group);
            words.iter_mut().for_each(|word| times(word, scale));
        }
    }
}

/// Multiplies the rows of B, of `n` words, by their scales.
fn scale_right(mem: &[u8], scales: &Placement, n: usize, words: &mut [u8]) {
    for (group, rows) in words.as_chunks_mut().0.chunks_mut(GROUP * n).enumerate() {
        let (first, below) = rows.split_at_mut(n);
        for col in 0..n {
            let scale = scale(mem, scales, group, col);
            times(&mut first[col], scale);
            for row in below.chunks_exact_mut(n) {
                times(&mut row[col], scale);
            }
        }
    }
}
