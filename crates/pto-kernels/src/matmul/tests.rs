//! Choices that results do not show: which factors are widened as they are packed, which products alternate direction, and
//! the loop of integers without an instruction of its own.

use super::*;
use crate::dispatch::levels;
use crate::number;
use micro::without_dots;

/// A matrix in boxes of 16 bytes side by side, as a right tile of `n` columns has it: its elements by columns.
fn right_tile(c0: usize, n: usize) -> Placement {
    Placement {
        offset: 1 << 16,
        box_rows: c0,
        box_cols: 16,
        row_of_boxes: n.next_multiple_of(16) * c0,
        col_of_boxes: 16 * c0,
        row: 1,
        col: c0,
    }
}

/// Whether [`factor::narrow`] takes columns that are contiguous in boxes of 32 bytes a column, as in a right tile.
fn is_widened<T: factor::Input>(k: usize, n: usize) -> bool {
    let place = right_tile(32 / T::BYTES, n);
    let columns = |c: usize| {
        let c = lines::Lines::new(None, &Placement::rows(c, 1), [1, 1]);
        factor::narrow::<T>(&place.transposed(), [n, k], &c).is_some_and(|b| b.widen.is_some())
    };
    assert!(!columns(place.offset + 1), "a factor that the product overwrites is copied first");
    columns(0)
}

#[test]
fn right_factors_in_the_usual_boxes_are_widened_as_they_are_packed() {
    for (k, n) in [(16, 16), (32, 32), (64, 48), (40, 17), (2, 1)] {
        let formats = [is_widened::<number::F16>(k, n), is_widened::<number::Bf16>(k, n)];
        assert_eq!(formats, [true; 2], "{k} x {n}");
        assert_eq!([is_widened::<factor::E4M3>(k, n), is_widened::<i8>(k, n)], [true; 2], "{k} x {n}");
    }
    assert!(!is_widened::<number::F32>(64, 64), "f32 are words");
    assert!(!is_widened::<i8>(33, 64), "the last pair has only one element");
}

#[test]
fn products_of_sixteen_rows_are_turned_where_vectors_have_sixteen_lanes() {
    let sixteen_rows = Placement {
        offset: 0,
        box_rows: 16,
        box_cols: 8,
        row_of_boxes: 16 * 8,
        col_of_boxes: 16 * 8,
        row: 8,
        col: 1,
    };
    for (k, n) in [(48, 16), (64, 112), (99, 48), (104, 64), (112, 32)] {
        let a = lines::Lines::new(None, &sixteen_rows, [16, k]);
        let b = lines::Lines::new(None, &right_tile(8, 112).transposed(), [n, k]);
        let c = lines::Lines::new(None, &Placement::rows(2 << 16, 112), [16, n]);
        for level in levels() {
            let micro = micro::floats(level);
            let product = multiply::Product { a: &a, b: &b, c: &c, padded: false, init: Init::Zero, micro };
            assert_eq!(product.turned().is_some(), micro.lanes == 16, "{level:?} {k} x {n}");
        }
    }
}

/// The loop of 8-bit integers for hosts with AVX-512 but without its dot products gives the sums of the plain triple loop.
#[test]
fn integers_need_no_instruction_of_their_own() {
    let Some(micro) = without_dots() else { return };
    const SIDE: usize = 112;
    let mut state = 1;
    let mem: Vec<u8> = (0..4 << 16).map(|_| pto_num::random::next(&mut state) as u8).collect();
    let [a, rows, c] = [0, 1 << 16, 2 << 16].map(|offset| Placement::rows(offset, SIDE));
    for (m, k, n, b) in
        [(1, 1, 1, rows), (16, 32, 64, rows), (17, 33, 41, rows), (16, 96, 64, right_tile(32, SIDE))]
    {
        let (mut want, mut got) = (mem.clone(), mem.clone());
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let at = c.offset + 4 * c.index(i, j);
            let start = i32::from_le_bytes(want[at..at + 4].try_into().expect("four bytes"));
            let term = |p| {
                let [x, y] = [a.offset + a.index(i, p), b.offset + b.index(p, j)].map(|at| mem[at] as i8);
                i32::from(x) * i32::from(y)
            };
            let sum = (0..k).fold(start, |sum, p| sum.wrapping_add(term(p)));
            want[at..at + 4].copy_from_slice(&sum.to_le_bytes());
        }
        let [mut left, mut right, mut panel, mut rest] = [const { Vec::new() }; 4];
        let lines = lines::Lines::new(None, &c, [m, n]);
        multiply::Product {
            a: &factor::words::<i8>(&mem, &a, [m, k], &lines, &mut left, &mut rest),
            b: &factor::words::<i8>(&mem, &b.transposed(), [n, k], &lines, &mut right, &mut rest),
            c: &lines,
            padded: k % 2 == 1,
            init: Init::Accumulate,
            micro,
        }
        .run(&mut got, [&mut panel, &mut rest]);
        assert!(got == want, "{m} x {k} x {n}");
    }
}
