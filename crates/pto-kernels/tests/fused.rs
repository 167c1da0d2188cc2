use crate::testing::{operands, random};
use pto_kernels::Element;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::format::{get_element, set_element};
use pto_kernels::map::{multiply_add, multiply_add_one};

/// Triples of f16 whose sum is next to the midpoint of two f16, and random ones.
fn triples(element: Element) -> Vec<[u64; 3]> {
    let mut state = 7;
    let bits = operands(element, 400);
    let mut all: Vec<[u64; 3]> =
        (0..6000).map(|_| [(); 3].map(|()| bits[random(&mut state) as usize % bits.len()])).collect();
    for c in [0, 1, 2, 0x3ff, 0x400, 0x401, 0x1400, 0x8001, 0x8400] {
        // (1 + 2^-5) * (1 + k 2^-10): products with low bits at and around half a unit.
        all.extend((0..1024).map(|k| [0x3c20, 0x3c00 + k, c]));
        all.extend((0..1024).map(|k| [0xbc20, 0x4c00 + k, c]));
    }
    if element == Element::F32 {
        all.truncate(6000)
    }
    all
}

#[test]
fn kernel_agrees_with_the_formula() {
    for element in [Element::F32, Element::F16] {
        let triples = triples(element);
        let (count, stride) = (triples.len(), triples.len() * 4 + 64);
        let mut mem = vec![0; 4 * stride];
        for (i, triple) in triples.iter().enumerate() {
            for (k, bits) in triple.iter().enumerate() {
                set_element(&mut mem, k * stride, i, element, *bits);
            }
        }
        for level in levels() {
            let kernel = with_level(level, || multiply_add(element).unwrap());
            for dst in [3 * stride, 0, stride, 2 * stride] {
                let mut out = mem.clone();
                kernel(&mut out, dst, 0, stride, 2 * stride, count);
                for (i, [a, b, c]) in triples.iter().enumerate() {
                    let want = multiply_add_one(element, *a, *b, *c).unwrap();
                    let got = get_element(&out, dst, i, element);
                    assert_eq!(got, want, "{level:?} {element:?} {a:x} * {b:x} + {c:x}");
                }
            }
        }
    }
}

/// The f16 formula against integers: every f16 is a multiple of 2^-24, every sum one of 2^-48.
#[test]
fn f16_rounds_once() {
    let finite = |bits: u64| bits & 0x7c00 != 0x7c00;
    let whole = |bits: u64| (Element::F16.decode(bits) * f64::from(1 << 24)) as i128;
    for [a, b, c] in triples(Element::F16).into_iter().filter(|triple| triple.iter().all(|x| finite(*x))) {
        let exact = whole(a) * whole(b) + (whole(c) << 24);
        let got = multiply_add_one(Element::F16, a, b, c).unwrap();
        if !finite(got) {
            // 65520, halfway between the greatest f16 and the next power of two.
            assert!(exact.abs() >= 65520i128 << 48, "{a:x} * {b:x} + {c:x}");
            continue;
        }
        let miss = |bits: u64| (exact - (whole(bits) << 24)).abs();
        for other in [got.wrapping_sub(1), got + 1].into_iter().filter(|bits| finite(*bits)) {
            let (here, there) = (miss(got), miss(other & 0xffff));
            let nearest = here < there || here == there && got & 1 == 0;
            assert!(nearest, "{a:x} * {b:x} + {c:x} is not {got:x}");
        }
    }
}
