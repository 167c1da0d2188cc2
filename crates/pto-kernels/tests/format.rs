use pto_kernels::convert::{convert, convert_one};
use pto_kernels::format::*;
use pto_kernels::{Element, Rounding};
use pto_kernels::{get_element, set_element};

/// f32 bits that cover every exponent, with mantissas around rounding boundaries of the narrower formats.
fn samples() -> impl Iterator<Item = u32> {
    let tails = [0u32, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0x18000, 0x7fffff];
    (0..512u32).flat_map(move |top| {
        tails.into_iter().flat_map(move |tail| (0..8).map(move |m| (top << 23) | ((m << 20) ^ tail)))
    })
}

/// With and without NaN among the values: conversions take different paths.
#[test]
fn bulk_conversion_is_the_scalar_one_at_every_level() {
    let halves: Vec<u64> = (0..=u64::from(u16::MAX)).collect();
    let floats: Vec<u64> = samples().map(u64::from).collect();
    for (from, all) in [(Element::F16, &halves), (Element::Bf16, &halves), (Element::F32, &floats)] {
        let mut numbers: Vec<u64> = all.iter().copied().filter(|bits| !from.decode(*bits).is_nan()).collect();
        // Lengths that leave vectors of each width, and single elements, as a remainder.
        numbers.truncate(numbers.len() / 64 * 64 - 1);
        for (values, saturate) in [(&numbers, false), (&numbers, true), (all, false), (all, true)] {
            for to in [Element::F32, Element::F16, Element::Bf16].into_iter().filter(|to| *to != from) {
                bulk(from, to, values, saturate);
            }
        }
    }
}

/// Compares the bulk conversion at every level with the scalar one.
fn bulk(from: Element, to: Element, values: &[u64], saturate: bool) {
    let dst = values.len() * 4;
    let mut mem = vec![0; 2 * dst];
    for (i, bits) in values.iter().enumerate() {
        set_element(&mut mem, 0, i, from, *bits);
    }
    let rounding = Rounding::NearestEven;
    for level in pto_kernels::dispatch::levels() {
        let kernel =
            pto_kernels::dispatch::with_level(level, || convert(from, to, rounding, saturate).unwrap());
        mem[dst..].fill(0xa5);
        kernel.run(&mut mem, dst, 0, values.len());
        for (i, bits) in values.iter().enumerate() {
            let want = convert_one(from, to, rounding, saturate, *bits);
            let got = get_element(&mem, dst, i, to);
            assert_eq!(Some(got), want, "{level:?} {from:?} {bits:x} to {to:?} {saturate}");
        }
    }
}

#[test]
fn gathering_ends_before_what_is_beyond() {
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let before = words(&[10, 11, 12, 13, 2, 0, 2, u32::MAX, 1, 0, 0, 0, 0, 7]);
    let gathered = |count, places| {
        let mut mem = before.clone();
        let done = gather_words(&mut mem, 36, 0, 16, count, places);
        (done, mem[36..].to_vec())
    };
    assert_eq!(gathered(3, 4), (3, words(&[12, 10, 12, 0, 7])));
    assert_eq!(gathered(4, 4), (3, words(&[12, 10, 12, 0, 7])), "as many as are named");
    assert_eq!(gathered(4, 2), (0, words(&[0, 0, 0, 0, 7])), "no place");
    assert_eq!(gathered(0, 4), (0, words(&[0, 0, 0, 0, 7])));
}
