//! Products of factors with scales: 32 elements adjacent along k share a power of two.
//!
//! Factors are widened to f32 and multiplied by their scales; the product is then an ordinary one.

use super::factor::{E1M2x2, E2M1x2, E4M3, E5M2, Elements, Input, WidenBody, elements, grown};
use super::lines::{Lines, WORD};
use super::multiply::Product;
use super::{MatMul, Scratch, micro};
use crate::dispatch::{Features, multiversion};
use crate::layout::Placement;
use crate::{Element, level};
use std::marker::PhantomData;
use std::sync::LazyLock;

/// Elements along k that share a scale.
pub const GROUP: usize = 32;

/// Placement of the scales of the factors, one byte of [`Element::E8M0`] each; `g` is the number of groups in k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scales {
    /// Scales of the left factor, m x g.
    pub a: Placement,
    /// Scales of the right factor, g x n.
    pub b: Placement,
}

/// A multiplication kernel for factors with scales.
pub type ScaledMatMulFn = fn(&mut [u8], &MatMul, &Scales, &mut Scratch);

/// The multiplication of factors with scales in these formats, into f32; `None` unless both are E4M3 or E5M2, or both
/// are E2M1x2 or E1M2x2.
///
/// Sizes and placements of formats of two values a byte count values; the two values of a byte are adjacent along k.
#[inline(never)] // As `matmul`.
pub fn matmul_scaled(a: Element, b: Element) -> Option<ScaledMatMulFn> {
    use Element as E;
    Some(match (a, b) {
        (E::E4M3, E::E4M3) => scaled::<E4M3, E4M3>,
        (E::E4M3, E::E5M2) => scaled::<E4M3, E5M2>,
        (E::E5M2, E::E4M3) => scaled::<E5M2, E4M3>,
        (E::E5M2, E::E5M2) => scaled::<E5M2, E5M2>,
        (E::E2M1x2, E::E2M1x2) => scaled::<E2M1x2, E2M1x2>,
        (E::E2M1x2, E::E1M2x2) => scaled::<E2M1x2, E1M2x2>,
        (E::E1M2x2, E::E2M1x2) => scaled::<E1M2x2, E2M1x2>,
        (E::E1M2x2, E::E1M2x2) => scaled::<E1M2x2, E1M2x2>,
        _ => return None,
    })
}

fn scaled<A: Input + WidenBody, B: Input + WidenBody>(
    mem: &mut [u8],
    product: &MatMul,
    scales: &Scales,
    scratch: &mut Scratch,
) {
    let MatMul { m, k, n, init, .. } = *product;
    assert!(m > 0 && k > 0 && n > 0, "a product of nothing");
    let c = Lines::new(None, &product.c.widened(m, n), [m, n]);
    let Scratch { a, b, panel, gathered } = scratch;
    let a = factor::<A>(mem, [&product.a, &scales.a], [m, k], a, gathered);
    let [right, right_scales] = [product.b.transposed(), scales.b.transposed()];
    let b = factor::<B>(mem, [&right, &right_scales], [n, k], b, gathered);
    let micro = micro::floats(level());
    Product { a: &a, b: &b, c: &c, padded: false, init, micro }.run(mem, [panel, gathered]);
}

/// The words of a factor of lines and elements along k, each multiplied by its scale; `place` and `scales` are the two
/// placements.
fn factor<'a, T: Input + WidenBody>(
    mem: &[u8],
    [place, scales]: [&Placement; 2],
    size: [usize; 2],
    buffer: &'a mut Vec<u8>,
    gathered: &mut Vec<u8>,
) -> Lines<'a> {
    let place = place.widened(size[0], size[1]);
    let Elements { bytes, count, place } = elements::<T>(mem, &place, size, true, gathered);
    let lines = Lines::new(None, &place, size);
    let words = grown(buffer, count.next_multiple_of(T::PER_BYTE) * WORD);
    select_scale::<Scale<T>>()(bytes, words, &lines, mem, scales);
    lines.of_buffer(words)
}

fn powers() -> &'static [f32; 256] {
    static TABLE: LazyLock<[f32; 256]> =
        LazyLock::new(|| std::array::from_fn(|bits| Element::E8M0.decode(bits as u64) as f32));
    &TABLE
}

multiversion!(
    ScaleBody,
    select_scale,
    fn(elements: &[u8], words: &mut [u8], lines: &Lines<'_>, mem: &[u8], scales: &Placement)
);

/// Widens the elements of lines, adjacent in each box, and multiplies them by their scales.
struct Scale<T>(PhantomData<T>);

impl<T: Input + WidenBody> ScaleBody for Scale<T> {
    #[inline(always)]
    fn run<F: Features>(
        elements: &[u8],
        words: &mut [u8],
        lines: &Lines<'_>,
        mem: &[u8],
        scales: &Placement,
    ) {
        let (powers, [down, across]) = (powers(), scales.axes(1));
        let (mut line, mut scale_line) = (lines.line.cursor(), down.cursor());
        for _ in 0..lines.lines {
            let (mut step, mut group) = (lines.step.cursor(), across.cursor());
            let mut rest = lines.steps;
            while rest > 0 {
                let scale = powers[usize::from(mem[scales.offset + scale_line.place() + group.place()])];
                let mut of_group = rest.min(GROUP);
                rest -= of_group;
                while of_group > 0 {
                    let (run, at) = (of_group.min(step.rest()), line.place() + step.place());
                    let from = at / WORD / T::PER_BYTE * T::BYTES;
                    let (elements, words) = (&elements[from..], &mut words[at..]);
                    if run == GROUP {
                        scaled_run::<T, F>(elements, words, GROUP, scale);
                    } else {
                        scaled_run::<T, F>(elements, words, run, scale);
                    }
                    of_group -= run;
                    step.advance(run);
                }
                group.advance(1);
            }
            line.advance(1);
            scale_line.advance(1);
        }
    }
}

/// Widens `count` elements that share a scale, up to a whole byte, and multiplies them by it.
#[inline(always)]
fn scaled_run<T: Input + WidenBody, F: Features>(
    elements: &[u8],
    words: &mut [u8],
    count: usize,
    scale: f32,
) {
    let words = &mut words[..count.next_multiple_of(T::PER_BYTE) * WORD];
    T::run::<F>(&elements[..T::bytes(count)], words);
    for word in words.as_chunks_mut::<WORD>().0 {
        *word = (f32::from_le_bytes(*word) * scale).to_le_bytes();
    }
}
