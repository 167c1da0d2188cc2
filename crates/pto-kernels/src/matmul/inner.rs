//! Choices of products that results do not show, for tests: which factors are widened as they are packed, which products alternate
//! direction, and the loop of integers for hosts without an instruction for pairs.

use super::factor::{self, E4M3, Input};
use super::lines::Lines;
use super::micro;
use super::multiply;
use super::{MatMul, Scratch};
use crate::number::{Bf16, F16, F32};
use crate::{Element, Level, Placement};

/// Whether the columns of a right factor, k x n at `b`, are widened as they are packed, in a product whose result is at byte `c`.
/// Of formats, f32, f16, bf16, E4M3 and i8.
pub fn is_widened(element: Element, b: &Placement, [k, n]: [usize; 2], c: usize) -> bool {
    fn widened<T: Input>(b: &Placement, size: [usize; 2], c: usize) -> bool {
        let c = Lines::new(None, &Placement::rows(c, 1), [1, 1]);
        factor::narrow::<T>(b, size, &c).is_some_and(|b| b.widen.is_some())
    }
    let (b, size) = (b.transposed(), [n, k]);
    match element {
        Element::F32 => widened::<F32>(&b, size, c),
        Element::F16 => widened::<F16>(&b, size, c),
        Element::Bf16 => widened::<Bf16>(&b, size, c),
        Element::E4M3 => widened::<E4M3>(&b, size, c),
        _ => widened::<i8>(&b, size, c),
    }
}

/// Whether a product of f32 is computed with rows and columns exchanged at a level, and the number of its lanes.
pub fn is_turned(level: Level, product: &MatMul) -> (bool, usize) {
    let MatMul { m, k, n, init, .. } = *product;
    let a = Lines::new(None, &product.a, [m, k]);
    let b = Lines::new(None, &product.b.transposed(), [n, k]);
    let c = Lines::new(None, &product.c, [m, n]);
    let micro = micro::floats(level);
    let product = multiply::Product { a: &a, b: &b, c: &c, padded: false, init, micro };
    (product.turned().is_some(), micro.lanes)
}

/// Multiplies i8 as hosts do that have AVX-512 but not its dot products; `false` where this host lacks AVX-512.
pub fn multiply_without_dots(mem: &mut [u8], product: &MatMul) -> bool {
    let Some(micro) = micro::without_dots() else { return false };
    super::product_by::<i8, i8>(micro, mem, product, &mut Scratch::default());
    true
}
