//! Products of matrices in all kinds of placements, against the plain triple loop.

use super::*;

/// Elements from row to row of the widest matrix, and elements reserved for each matrix.
const SIDE: usize = 112;
const ROOM: usize = SIDE * SIDE;

const FORMATS: [(Element, Element); 5] = [
    (Element::F32, Element::F32),
    (Element::F16, Element::F16),
    (Element::Bf16, Element::Bf16),
    (Element::E5M2, Element::HiF8),
    (Element::I8, Element::U8),
];

/// Memory with two factors, C and a row; C and the row have arbitrary contents.
fn memory(a: Element, b: Element, special: bool) -> Vec<u8> {
    let mut mem = vec![0u8; 4 << 16];
    fill_with(&mut mem, A, a, ROOM, special);
    fill_with(&mut mem, B, b, ROOM, special);
    let sums = if a.is_integer() { Element::I32 } else { Element::F32 };
    fill_with(&mut mem, C, sums, ROOM, special);
    fill_with(&mut mem, BIAS, sums, SIDE, special);
    mem
}

fn check(mem: &[u8], product: &MatMul, a: Element, b: Element, scratch: &mut Scratch) {
    let mut want = mem.to_vec();
    slowly(&mut want, product, a, b);
    for level in levels() {
        let mut got = mem.to_vec();
        with_level(level, || matmul(a, b).unwrap()(&mut got, product, scratch));
        assert!(got == want, "{level:?} {a:?} {b:?} {product:?}");
    }
}

/// Placements of matrices of at most 112 x 112 elements at byte `offset`, with boxes of different kinds and without.
fn places(offset: usize) -> [Placement; 8] {
    [
        Placement::rows(offset, SIDE),
        Placement::columns(offset, SIDE - 1),
        // Boxes one below the other, elements by rows and by columns.
        boxed(offset, 16, 8, 16 * 8, SIDE * 8, false),
        boxed(offset, 16, 32, 16 * 32, SIDE * 32, true),
        // Boxes side by side.
        boxed(offset, 16, 16, SIDE * 16, 16 * 16, false),
        boxed(offset, 8, 16, SIDE * 8, 8 * 16, true),
        // Boxes of odd sides, and columns two elements apart.
        boxed(offset, 3, 5, SIDE * 3, 3 * 5, false),
        Placement { offset, ..Placement::strided(0, SIDE, 2) },
    ]
}

#[test]
fn factors_and_results_may_lie_in_any_place() {
    let mut scratch = Scratch::default();
    for (a, b) in FORMATS {
        let mem = memory(a, b, false);
        for i in 0..8 {
            for j in 0..8 {
                let c = places(C)[(i + 3 * j) % 8];
                let init = [Init::Zero, Init::Accumulate, Init::Row { offset: BIAS }][(i + j) % 3];
                let (m, k, n) = [(17, 33, 41), (24, 16, 48), (9, 40, 56)][(i + 2 * j) % 3];
                check(
                    &mem,
                    &MatMul { m, k, n, a: places(A)[i], b: places(B)[j], c, init },
                    a,
                    b,
                    &mut scratch,
                );
            }
        }
    }
}

/// The elements from the first to the last of a matrix.
fn extent(place: &Placement, rows: usize, cols: usize) -> usize {
    let last = |i| (0..cols).map(move |j| place.index(i, j)).max();
    (0..rows).filter_map(last).max().map_or(0, |last| last + 1)
}

/// No byte after the last element of a matrix is read or written, for matrices at the end of memory.
#[test]
fn each_matrix_may_be_the_last_in_memory() {
    let mut scratch = Scratch::default();
    for (a, b) in FORMATS {
        let mut mem = memory(a, b, false);
        let [left, right, sums] = [a.bytes(1), b.bytes(1), 4];
        mem.copy_within(C..BIAS, BIAS);
        let c0 = 32 / left;
        for (m, k, n) in [(16, 64, 48), (17, 33, 41), (6, 40, 64), (1, 1, 1)] {
            let rows = [A, B, C].map(|offset| Placement::rows(offset, SIDE));
            let boxes = [
                boxed(A, 16, c0, 16 * c0, SIDE * c0, false),
                boxed(B, c0, 16, SIDE * c0, 16 * c0, true),
                boxed(C, 16, 16, 256, SIDE * 16, false),
            ];
            for [left_place, right_place, sums_place] in [rows, boxes] {
                let at_the_end = |place: Placement| Placement { offset: BIAS, ..place };
                let end = |place: &Placement, rows, cols, width| BIAS + extent(place, rows, cols) * width;
                let product =
                    MatMul { m, k, n, a: left_place, b: right_place, c: sums_place, init: Init::Accumulate };
                let last = [
                    (end(&left_place, m, k, left), MatMul { a: at_the_end(left_place), ..product }),
                    (end(&right_place, k, n, right), MatMul { b: at_the_end(right_place), ..product }),
                    (end(&sums_place, m, n, sums), MatMul { c: at_the_end(sums_place), ..product }),
                ];
                for (end, product) in last {
                    check(&mem[..end], &product, a, b, &mut scratch);
                }
            }
        }
    }
}

/// Panels of full width, from whole boxes and from boxes with a remainder.
#[test]
fn panels_of_whole_boxes_are_right() {
    let mut scratch = Scratch::default();
    let (a, b) = (Element::F32, Element::F32);
    for special in [false, true] {
        let mem = memory(a, b, special);
        for (i, (m, k)) in [(6, 16), (12, 64), (23, 40), (48, 104), (5, 16), (6, 20)].into_iter().enumerate()
        {
            for n in [64, 80, 112] {
                let product = MatMul {
                    m,
                    k,
                    n,
                    a: boxed(A, 16, 8, 16 * 8, SIDE * 8, false),
                    b: boxed(B, 8, 16, SIDE * 8, 16 * 8, true),
                    c: boxed(C, 16, 16, 256, SIDE * 16, false),
                    init: [Init::Zero, Init::Accumulate, Init::Row { offset: BIAS }][(i + n / 16) % 3],
                };
                check(&mem, &product, a, b, &mut scratch);
                check(&mem, &MatMul { c: Placement::rows(C, SIDE), ..product }, a, b, &mut scratch);
            }
        }
    }
}

#[test]
fn tiles_of_all_sizes_are_right() {
    let mut scratch = Scratch::default();
    for (a, b) in FORMATS {
        for special in [false, true] {
            let mem = memory(a, b, special);
            let c0 = 32 / a.bytes(1);
            for m in 1..20 {
                let n = [1, 15, 16, 17, 32, 47, 48, 64, 65, 80, 96, 112][m % 12];
                let product = MatMul {
                    m,
                    k: 3 * m % 23 + 1,
                    n,
                    a: boxed(A, 16, c0, 16 * c0, 32 * c0, false),
                    b: boxed(B, c0, 16, SIDE * c0, 16 * c0, true),
                    c: boxed(C, 16, 16, 256, 32 * 16, false),
                    init: Init::Accumulate,
                };
                check(&mem, &product, a, b, &mut scratch);
                let (b, c) = (Placement::rows(B, SIDE), Placement::rows(C, SIDE));
                check(&mem, &MatMul { b, c, init: Init::Zero, ..product }, a, a, &mut scratch);
            }
        }
    }
}

#[test]
fn sixteen_rows_are_turned_about() {
    let mut scratch = Scratch::default();
    for (a, b) in FORMATS {
        for special in [false, true] {
            let mem = memory(a, b, special);
            let c0 = 32 / a.bytes(1);
            for (i, (k, n)) in [(48, 16), (64, 112), (99, 48), (104, 64), (112, 32)].into_iter().enumerate() {
                let product = MatMul {
                    m: 16,
                    k,
                    n,
                    a: boxed(A, 16, c0, 16 * c0, 16 * c0, false),
                    b: boxed(B, c0, 16, SIDE * c0, 16 * c0, true),
                    c: boxed(C, 16, 16, 256, 16 * 16, false),
                    init: [Init::Zero, Init::Accumulate, Init::Row { offset: BIAS }][i % 3],
                };
                check(&mem, &product, a, b, &mut scratch);
                check(&mem, &MatMul { c: Placement::rows(C, SIDE), ..product }, a, b, &mut scratch);
            }
        }
    }
}

#[test]
fn a_result_may_coincide_with_a_factor() {
    let mut scratch = Scratch::default();
    for (m, k, n) in [(64, 64, 64), (33, 33, 70), (50, 70, 70)] {
        let [a, b, c] = [A, B, C].map(|offset| Placement::rows(offset, 70));
        let mut mem = memory(Element::F32, Element::F32, false);
        mem.copy_within(A..A + ROOM * 4, C);
        let product = MatMul { m, k, n, a, b, c, init: Init::Zero };
        let mut want = mem.clone();
        slowly(&mut want, &product, Element::F32, Element::F32);
        for (a, b) in [(c, b), (b, c)] {
            for level in levels() {
                let mut got = mem.clone();
                let other = if a == c { Placement::rows(B, 70) } else { Placement::rows(A, 70) };
                let product =
                    if a == c { MatMul { a, ..product } } else { MatMul { a: other, b, ..product } };
                if a != c {
                    got.copy_within(B..B + ROOM * 4, C);
                }
                let kernel = matmul(Element::F32, Element::F32).unwrap();
                with_level(level, || kernel(&mut got, &product, &mut scratch));
                for row in 0..m {
                    let row = C + row * 70 * 4..C + (row * 70 + n) * 4;
                    assert!(got[row.clone()] == want[row], "{level:?} {product:?}");
                }
            }
        }
    }
}

/// Multiplies every element of a format by one.
#[test]
fn elements_of_16_bits_become_f32_exactly() {
    for element in [Element::F16, Element::Bf16] {
        let mut mem = vec![0u8; 8 << 16];
        for bits in 0..1 << 16 {
            set_element(&mut mem, 0, bits, element, bits as u64);
        }
        let (b, c) = (2 << 16, 4 << 16);
        set_element(&mut mem, b, 0, element, element.encode(1.0, Rounding::NearestEven, Overflow::Saturate));
        let product = MatMul {
            m: 1 << 16,
            k: 1,
            n: 1,
            a: Placement::rows(0, 1),
            b: Placement::rows(b, 1),
            c: Placement::rows(c, 1),
            init: Init::Zero,
        };
        for level in levels() {
            let mut got = mem.clone();
            let kernel = matmul(element, element).unwrap();
            with_level(level, || kernel(&mut got, &product, &mut Scratch::default()));
            for bits in 0..1 << 16 {
                let value = 1f32.mul_add(element.decode(bits as u64) as f32, 0.0);
                let want = u64::from(canonical_bits(value));
                assert_eq!(get_element(&got, c, bits, Element::U32), want, "{level:?} {element:?} {bits:x}");
            }
        }
    }
}

#[test]
fn what_is_not_in_memory_is_refused() {
    let inside = MatMul {
        m: 16,
        k: 16,
        n: 16,
        a: Placement::rows(0, 16),
        b: Placement::rows(1024, 16),
        c: Placement::rows(2048, 16),
        init: Init::Zero,
    };
    let huge = boxed(0, 4, 4, usize::MAX / 8, 16, false);
    let wrong = [
        MatMul { a: Placement::rows(2052, 16), ..inside },
        MatMul { b: Placement::rows(0, 64), ..inside },
        MatMul { c: Placement::rows(2049, 16), ..inside },
        MatMul { init: Init::Row { offset: 3072 - 60 }, ..inside },
        MatMul { a: huge, ..inside },
        MatMul { b: huge, ..inside },
        MatMul { c: huge, ..inside },
        MatMul { c: Placement::rows(usize::MAX - 100, 16), ..inside },
    ];
    for element in [Element::F32, Element::F16, Element::I8] {
        let kernel = matmul(element, element).unwrap();
        let run = |product: &MatMul| kernel(&mut vec![0; 3072], product, &mut Scratch::default());
        run(&inside);
        for (i, product) in wrong.iter().enumerate() {
            if element == Element::F32 || i >= 2 {
                assert!(std::panic::catch_unwind(|| run(product)).is_err(), "{element:?} {product:?}");
            }
        }
    }
}
