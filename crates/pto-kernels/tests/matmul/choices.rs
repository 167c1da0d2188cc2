//! Choices that results do not show: which factors are widened as they are packed, which products alternate direction, and the loop of
//! integers without an instruction of its own.

use super::*;
use pto_kernels::inner::{is_turned, is_widened, multiply_without_dots};

/// A matrix in boxes of 16 bytes side by side, as a right tile of `n` columns has it: its elements by columns.
fn right_tile(c0: usize, n: usize) -> Placement {
    Placement {
        offset: B,
        box_rows: c0,
        box_cols: 16,
        row_of_boxes: n.next_multiple_of(16) * c0,
        col_of_boxes: 16 * c0,
        row: 1,
        col: c0,
    }
}

/// Whether columns that are contiguous in boxes of 32 bytes a column, as in a right tile, are widened as they are packed.
fn in_boxes(element: Element, k: usize, n: usize) -> bool {
    let place = right_tile(32 / element.bytes(1), n);
    assert!(
        !is_widened(element, &place, [k, n], B + 1),
        "a factor that the product overwrites is copied first"
    );
    is_widened(element, &place, [k, n], A)
}

#[test]
fn right_factors_in_the_usual_boxes_are_widened_as_they_are_packed() {
    for (k, n) in [(16, 16), (32, 32), (64, 48), (40, 17), (2, 1)] {
        for element in [Element::F16, Element::Bf16, Element::E4M3, Element::I8] {
            assert!(in_boxes(element, k, n), "{element:?} {k} x {n}");
        }
    }
    assert!(!in_boxes(Element::F32, 64, 64), "f32 are words");
    assert!(!in_boxes(Element::I8, 33, 64), "the last pair has only one element");
}

#[test]
fn products_of_sixteen_rows_are_turned_where_vectors_have_sixteen_lanes() {
    let a = Placement {
        offset: A,
        box_rows: 16,
        box_cols: 8,
        row_of_boxes: 16 * 8,
        col_of_boxes: 16 * 8,
        row: 8,
        col: 1,
    };
    let (b, c) = (right_tile(8, 112), Placement::rows(C, 112));
    for (k, n) in [(48, 16), (64, 112), (99, 48), (104, 64), (112, 32)] {
        for level in levels() {
            let (turned, lanes) = is_turned(level, &MatMul { m: 16, k, n, a, b, c, init: Init::Zero });
            assert_eq!(turned, lanes == 16, "{level:?} {k} x {n}");
        }
    }
}

/// The loop of 8-bit integers for hosts with AVX-512 but without its dot products gives the sums of the plain triple loop.
#[test]
fn integers_need_no_instruction_of_their_own() {
    const SIDE: usize = 112;
    let mut mem = vec![0u8; 3 << 16];
    for matrix in [A, B, C] {
        fill_with(&mut mem, matrix, Element::I8, 1 << 16, false);
    }
    let [a, rows, c] = [A, B, C].map(|offset| Placement::rows(offset, SIDE));
    for (m, k, n, b) in
        [(1, 1, 1, rows), (16, 32, 64, rows), (17, 33, 41, rows), (16, 96, 64, right_tile(32, SIDE))]
    {
        let product = MatMul { m, k, n, a, b, c, init: Init::Accumulate };
        let (mut want, mut got) = (mem.clone(), mem.clone());
        slowly(&mut want, &product, Element::I8, Element::I8);
        if !multiply_without_dots(&mut got, &product) {
            return;
        }
        assert!(got == want, "{m} x {k} x {n}");
    }
}
