use crate::testing::{canonical_bits, operands, random};
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::{get_element, get_value, set_element, set_value};
use pto_kernels::matmul::*;
use pto_kernels::{Element, Placement};
use pto_kernels::{Overflow, Rounding};

const A: usize = 0;
const B: usize = 1 << 16;
const C: usize = 2 << 16;
const BIAS: usize = 3 << 16;

/// The reference: a plain triple loop.
fn slowly(mem: &mut [u8], product: &MatMul, a: Element, b: Element) {
    for i in 0..product.m {
        for j in 0..product.n {
            let at = product.c.index(i, j);
            let start = match product.init {
                Init::Zero => 0,
                Init::Accumulate => get_element(mem, product.c.offset, at, Element::U32),
                Init::Row { offset } => get_element(mem, offset, j, Element::U32),
            } as u32;
            let mut float = f32::from_bits(start);
            let mut integer = start as i32;
            for p in 0..product.k {
                let x = get_element(mem, product.a.offset, product.a.index(i, p), a);
                let y = get_element(mem, product.b.offset, product.b.index(p, j), b);
                if a.is_integer() {
                    integer = integer.wrapping_add((a.decode_int(x) * b.decode_int(y)) as i32);
                } else {
                    float = (a.decode(x) as f32).mul_add(b.decode(y) as f32, float);
                }
            }
            let bits = if a.is_integer() { integer as u32 } else { canonical_bits(float) };
            set_element(mem, product.c.offset, at, Element::U32, u64::from(bits));
        }
    }
}

fn boxed(
    offset: usize,
    ir: usize,
    ic: usize,
    row_of_boxes: usize,
    col_of_boxes: usize,
    by_columns: bool,
) -> Placement {
    let (row, col) = if by_columns { (1, ir) } else { (ic, 1) };
    Placement { offset, box_rows: ir, box_cols: ic, row_of_boxes, col_of_boxes, row, col }
}

fn fill_with(mem: &mut [u8], offset: usize, element: Element, count: usize, special: bool) {
    let mut state = offset as u64;
    let specials = operands(element, count);
    for (i, &bits) in specials.iter().enumerate() {
        let small = (random(&mut state) % 4096) as f64 / 512.0 - 4.0;
        let small = element.encode(small, Rounding::NearestEven, Overflow::Saturate);
        let wild = special && random(&mut state).is_multiple_of(20);
        set_value(mem, offset, i, element, if wild || element.is_integer() { bits } else { small });
    }
}

#[test]
fn products_are_the_plain_triple_loop() {
    let mut pairs = Vec::new();
    for a in Element::ALL {
        for b in Element::ALL {
            pairs.extend(matmul(a, b).map(|_| (a, b)));
        }
    }
    assert_eq!(pairs.len(), 16);
    let mut scratch = Scratch::default();
    for (a, b) in pairs {
        for special in [false, true] {
            let mut mem = vec![0u8; 4 << 16];
            fill_with(&mut mem, A, a, 64 * 64, special);
            fill_with(&mut mem, B, b, 64 * 64, special);
            let accumulator = if a.is_integer() { Element::I32 } else { Element::F32 };
            fill_with(&mut mem, C, accumulator, 64 * 64, special);
            fill_with(&mut mem, BIAS, accumulator, 64, special);
            let c0 = 32 / a.bytes(1);
            const SIZES: [[usize; 3]; 9] = [
                [1, 1, 1],
                [16, 16, 16],
                [64, 64, 64],
                [17, 33, 21],
                [7, 5, 50],
                [3, 64, 9],
                [15, 2, 33],
                // Few rows and steps at full panel width: one tile, and several.
                [5, 8, 64],
                [12, 24, 64],
            ];
            for [m, k, n] in SIZES {
                let plain = MatMul {
                    m,
                    k,
                    n,
                    a: Placement::rows(A, 64),
                    b: Placement::rows(B, 64),
                    c: Placement::rows(C, 64),
                    init: Init::Zero,
                };
                let fractal = MatMul {
                    a: boxed(A, 16, c0, 16 * c0, 64 * c0, false),
                    b: boxed(B, c0, 16, 64 * c0, 16 * c0, true),
                    c: boxed(C, 16, 16, 256, 64 * 16, false),
                    init: Init::Accumulate,
                    ..plain
                };
                let columns = MatMul {
                    a: Placement::columns(A, 64),
                    b: Placement::columns(B, 64),
                    c: Placement::columns(C, 64),
                    init: Init::Row { offset: BIAS },
                    ..plain
                };
                let narrow = MatMul { c: boxed(C, 16, 8, 128, 64 * 8, false), ..fractal };
                for product in [plain, fractal, columns, narrow] {
                    let mut want = mem.clone();
                    slowly(&mut want, &product, a, b);
                    for level in levels() {
                        let mut got = mem.clone();
                        with_level(level, || matmul(a, b).unwrap()(&mut got, &product, &mut scratch));
                        assert!(got == want, "{level:?} {a:?} {b:?} {product:?}");
                    }
                }
            }
        }
    }
}

/// The reference: a plain triple loop on elements multiplied by their scales.
fn slowly_scaled(mem: &mut [u8], product: &MatMul, scales: &Scales, a: Element, b: Element) {
    let value = |mem: &[u8], place: &Placement, element: Element, (row, col): (usize, usize)| {
        element.decode(get_value(mem, place.offset, place.index(row, col), element)) as f32
    };
    for i in 0..product.m {
        for j in 0..product.n {
            let mut sum = 0.0;
            for p in 0..product.k {
                let (x, y) = (value(mem, &product.a, a, (i, p)), value(mem, &product.b, b, (p, j)));
                let (s, t) = (
                    value(mem, &scales.a, Element::E8M0, (i, p / GROUP)),
                    value(mem, &scales.b, Element::E8M0, (p / GROUP, j)),
                );
                sum = (x * s).mul_add(y * t, sum);
            }
            let bits = canonical_bits(sum);
            let at = product.c.index(i, j);
            set_element(mem, product.c.offset, at, Element::U32, u64::from(bits));
        }
    }
}

#[test]
fn scaled_products_are_the_plain_triple_loop() {
    const SCALES: usize = 3 << 16;
    let (narrow, wide) = ([Element::E2M1x2, Element::E1M2x2], [Element::E4M3, Element::E5M2]);
    let mut scratch = Scratch::default();
    for (a, b) in [narrow, wide].iter().flat_map(|list| list.map(|a| list.map(|b| (a, b)))).flatten() {
        let mut mem = vec![0u8; 4 << 16];
        fill_with(&mut mem, A, a, 64 * 256, false);
        fill_with(&mut mem, B, b, 64 * 256, false);
        for (i, byte) in mem[SCALES..SCALES + 1024].iter_mut().enumerate() {
            *byte = if i % 97 == 5 { [0, 254, 255][i % 3] } else { 120 + (i * 7 % 15) as u8 };
        }
        let scales =
            Scales { a: boxed(SCALES, 16, 2, 64, 32, false), b: boxed(SCALES + 512, 2, 16, 32, 64, true) };
        for (m, k, n) in [(1, 1, 1), (16, 64, 16), (17, 110, 41), (3, 33, 64), (40, 128, 5)] {
            let c0 = 256 / a.value_bits() as usize;
            let a_boxes = boxed(A, 16, c0, 16 * c0, 64 * c0, false);
            let b_boxes = boxed(B, c0, 16, 64 * c0, 16 * c0, true);
            // The two values of a byte are adjacent along k.
            let right = if a.is_packed() { Placement::columns(B, 128) } else { Placement::rows(B, 64) };
            for (left, right) in [(Placement::rows(A, 128), right), (a_boxes, b_boxes)] {
                let c = Placement::rows(C, 64);
                let product = MatMul { m, k, n, a: left, b: right, c, init: Init::Zero };
                let mut want = mem.clone();
                slowly_scaled(&mut want, &product, &scales, a, b);
                for level in levels() {
                    let mut got = mem.clone();
                    let kernel = matmul_scaled(a, b).unwrap();
                    with_level(level, || kernel(&mut got, &product, &scales, &mut scratch));
                    assert!(got == want, "{level:?} {a:?} {b:?} {product:?}");
                }
            }
        }
    }
}

#[test]
fn tf32_has_ten_bits_of_mantissa() {
    let ulp = f32::EPSILON * 8192.0;
    for (value, rounded) in [
        (1.0, 1.0),
        (1.0 + ulp, 1.0 + ulp),
        (1.0 + ulp / 2.0, 1.0),
        (1.0 + 1.5 * ulp, 1.0 + 2.0 * ulp),
        (-1.0 - 0.75 * ulp, -1.0 - ulp),
        (f32::MAX, f32::INFINITY),
        (f32::NEG_INFINITY, f32::NEG_INFINITY),
        (f32::from_bits(0x1fff), f32::from_bits(0x2000)),
    ] {
        assert_eq!(round_tf32(Tf32::Ten, value).to_bits(), f32::to_bits(rounded), "{value:e}");
    }
    assert!(round_tf32(Tf32::Ten, f32::NAN).is_nan());
}

#[test]
fn eleven_bits_of_mantissa_have_two_ways_with_a_tie() {
    let ulp = f32::EPSILON * 4096.0;
    for (value, even, away) in [
        (1.0 + ulp, 1.0 + ulp, 1.0 + ulp),
        (1.0 + 0.5 * ulp, 1.0, 1.0 + ulp),
        (-1.0 - 0.5 * ulp, -1.0, -1.0 - ulp),
        (1.0 + 1.5 * ulp, 1.0 + 2.0 * ulp, 1.0 + 2.0 * ulp),
        (1.0 + 0.25 * ulp, 1.0, 1.0),
        (f32::INFINITY, f32::INFINITY, f32::INFINITY),
    ] {
        assert_eq!(round_tf32(Tf32::Eleven, value), even, "{value:e}");
        assert_eq!(round_tf32(Tf32::ElevenAway, value), away, "{value:e}");
    }
}

#[test]
fn products_of_tf32_are_those_of_rounded_factors() {
    let mut scratch = Scratch::default();
    let mut mem = vec![0u8; 3 << 16];
    fill_with(&mut mem, A, Element::F32, 64 * 64, false);
    fill_with(&mut mem, B, Element::F32, 64 * 64, false);
    for rounding in [Tf32::Ten, Tf32::Eleven, Tf32::ElevenAway] {
        let mut rounded = mem.clone();
        for (start, at) in [A, B].into_iter().flat_map(|start| (0..64 * 64).map(move |at| (start, at))) {
            let value = f32::from_bits(get_element(&mem, start, at, Element::F32) as u32);
            set_element(
                &mut rounded,
                start,
                at,
                Element::F32,
                u64::from(round_tf32(rounding, value).to_bits()),
            );
        }
        for (m, k, n) in [(1, 1, 1), (17, 33, 41), (40, 64, 5)] {
            let [a, b, c] = [A, B, C].map(|start| Placement::rows(start, 64));
            let product = MatMul { m, k, n, a, b, c, init: Init::Zero };
            let (mut got, mut want) = (mem.clone(), rounded.clone());
            matmul_tf32(rounding)(&mut got, &product, &mut scratch);
            matmul(Element::F32, Element::F32).unwrap()(&mut want, &product, &mut scratch);
            assert!(got[C..] == want[C..], "{rounding:?} {m} {k} {n}");
        }
    }
}

mod choices;
mod places;

#[test]
fn there_is_a_loop_for_every_product_that_has_a_format() {
    for a in Element::ALL {
        for b in Element::ALL {
            assert_eq!(matmul(a, b).is_some(), pto_num::sum_of_products(a, b).is_some(), "{a:?} {b:?}");
        }
    }
}
