//! Products of factors with scales: 32 elements that follow each other along k share a power of two.
//!
//! Each element is multiplied by its scale in f32 while it is packed; then the product is one like any other.

use super::pack::{self, E1M2, E2M1, E4M3, E5M2, Input, aligned};
use super::{MatMul, Scratch, micro, multiply};
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
    let MatMul { m, k, n, .. } = *product;
    let micro = micro::floats(level());
    in_bytes::<A>(mem, &product.a, m, k, scratch, |mem, place, scratch| {
        pack::rows::<A>(mem, place, m, k, scratch);
    });
    scale_rows(mem, &scales.a, k, &mut scratch.a[..m * k]);
    in_bytes::<B>(mem, &product.b, k, n, scratch, |mem, place, scratch| {
        pack::panels::<B>(mem, place, k, n, micro.lanes, scratch);
    });
    scale_panels(mem, &scales.b, product, micro.lanes, scratch);
    multiply(mem, product, k, scratch, micro);
}

/// Gives `pack` the matrix with a byte for each element, where two share one.
fn in_bytes<T: Input>(
    mem: &[u8],
    place: &Placement,
    rows: usize,
    cols: usize,
    scratch: &mut Scratch,
    pack: impl FnOnce(&[u8], &Placement, &mut Scratch),
) {
    if !T::PACKED {
        return pack(mem, place, scratch);
    }
    let pitch = cols.next_multiple_of(2);
    scratch.bytes.clear();
    scratch.bytes.resize(rows * pitch / 2, 0);
    transfer(&mut scratch.bytes, &Placement::rows(0, pitch), mem, place, rows, cols, 4);
    let mut wide = std::mem::take(&mut scratch.wide);
    wide.clear();
    for pairs in scratch.bytes.chunks_exact(pitch / 2) {
        wide.extend(pairs.iter().flat_map(|pair| [pair & 15, pair >> 4]));
    }
    pack(&wide, &Placement::rows(0, pitch), scratch);
    scratch.wide = wide;
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
fn times(word: &mut u32, scale: f32) {
    *word = (f32::from_bits(*word) * scale).to_bits();
}

/// Multiplies packed rows of `k` elements by their scales.
fn scale_rows(mem: &[u8], scales: &Placement, k: usize, words: &mut [u32]) {
    for (row, words) in words.chunks_exact_mut(k).enumerate() {
        for (group, words) in words.chunks_mut(GROUP).enumerate() {
            let scale = scale(mem, scales, row, group);
            words.iter_mut().for_each(|word| times(word, scale));
        }
    }
}

/// Multiplies packed panels of columns by their scales.
fn scale_panels(mem: &[u8], scales: &Placement, product: &MatMul, lanes: usize, scratch: &mut Scratch) {
    let MatMul { k, n, .. } = *product;
    let mut panels = aligned(&mut scratch.b, k * n.next_multiple_of(lanes));
    let mut row_of_scales = [0.0; 2 * MAX_LANES];
    for left in (0..n).step_by(2 * lanes) {
        let width = (n - left).min(2 * lanes);
        let stride = width.next_multiple_of(lanes);
        let (panel, rest) = panels.split_at_mut(k * stride);
        panels = rest;
        for (group, rows) in panel.chunks_mut(GROUP * stride).enumerate() {
            for (col, value) in row_of_scales[..width].iter_mut().enumerate() {
                *value = scale(mem, scales, group, left + col);
            }
            for row in rows.chunks_exact_mut(stride) {
                row[..width].iter_mut().zip(&row_of_scales).for_each(|(word, scale)| times(word, *scale));
            }
        }
    }
}

/// Columns of the widest vector.
const MAX_LANES: usize = 16;
