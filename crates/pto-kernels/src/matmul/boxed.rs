//! The highest of the widest tiles over words in boxes: rows of A of 8 or 16 words, and a packed panel of B.
//!
//! What is known of the places makes eight steps one piece of code, without counters, tables or branches. And it leaves the
//! registers that packing needs: the tile that packs its panel packs the next box while one is multiplied, a vector of
//! columns after every two steps. Shuffles take one of the two ports that multiply-adds have, so on their own they leave
//! the other one idle.

use super::WORD;
use super::micro::{MicroArguments, WIDE_ROWS};
use super::pack::Packing;
use super::vector::{SQUARE, Vector};

/// Bytes of a row of A in a box.
pub(super) const LINES: [usize; 2] = [SQUARE * WORD, 2 * SQUARE * WORD];

/// Rows of a tile that packs, and the least of the others.
pub(super) const LEAST_ROWS: usize = WIDE_ROWS - 1;

/// A tile of [`LEAST_ROWS`] rows that packs its panel, or of so many from there on if there is nothing to pack.
///
/// # Safety
///
/// As for [`tile`].
pub(super) type BoxedFn = unsafe fn(&MicroArguments, usize, Option<&Packing>);

/// The [`BoxedFn`] of a vector type.
///
/// # Safety
///
/// As for [`tile`].
#[inline(always)]
pub(super) unsafe fn by_rows<V: Vector, const VECTORS: usize, const LINE: usize>(
    operands: &MicroArguments,
    rows: usize,
    packing: Option<&Packing>,
) {
    // SAFETY: the caller's.
    unsafe {
        match (packing, rows) {
            (Some(_), _) if LINE == LINES[0] => tile::<V, LEAST_ROWS, VECTORS, LINE>(operands, packing),
            (None, WIDE_ROWS) => tile::<V, WIDE_ROWS, VECTORS, LINE>(operands, None),
            _ => tile::<V, LEAST_ROWS, VECTORS, LINE>(operands, None),
        }
    }
}

/// Chains of a tile of C, from where they start to where they go.
///
/// # Safety
///
/// The host has V's instructions, and all that the operands describe for this size is inside buffers that may be
/// read, or for C written. A lies in whole boxes, of rows of `LINE` bytes; B is a panel of `VECTORS` vectors. What is
/// packed goes there, and [`Packing::is_square`]; then lines are the shorter of [`LINES`].
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Rows and vectors are numbers here, of places in memory too.
unsafe fn tile<V: Vector, const HEIGHT: usize, const VECTORS: usize, const LINE: usize>(
    operands: &MicroArguments,
    packing: Option<&Packing>,
) {
    let o = operands;
    let (vector, step) = (V::LANES * WORD, VECTORS * V::LANES * WORD);
    // SAFETY: the caller's; every row is below HEIGHT, every vector below VECTORS and every step below `o.steps`.
    unsafe {
        let mut sums = o.sums::<V, HEIGHT, VECTORS>();
        let (mut of_box, mut b, mut rest) = (o.a, o.b, o.steps);
        let mut from = packing.map_or([std::ptr::null(); VECTORS], Packing::first);
        if packing.is_some() {
            for v in 0..VECTORS {
                V::transpose(from[v], LINES[0], b.cast_mut().add(v * vector), step);
            }
        }
        while rest > 0 {
            for part in 0..LINE / LINES[0] {
                let (a, next) = (of_box.add(part * LINES[0]), b.wrapping_add(SQUARE * step));
                rest -= SQUARE;
                for v in 0..VECTORS {
                    for p in v * SQUARE / VECTORS..(v + 1) * SQUARE / VECTORS {
                        let mut right = [V::zero(); VECTORS];
                        for v in 0..VECTORS {
                            right[v] = V::load(b.add(p * step + v * vector));
                        }
                        for i in 0..HEIGHT {
                            let left = V::splat(a.add(i * LINE + p * WORD));
                            for v in 0..VECTORS {
                                sums[i][v] = sums[i][v].step(left, right[v]);
                            }
                        }
                    }
                    if let Some(packing) = packing
                        && rest > 0
                    {
                        from[v] = from[v].wrapping_add(packing.of_boxes);
                        V::transpose(from[v], LINES[0], next.cast_mut().add(v * vector), step);
                    }
                }
                b = next;
            }
            of_box = of_box.wrapping_add(o.a_box);
        }
        o.finish(&sums);
    }
}
