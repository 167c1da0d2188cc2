//! Test operands, which include the special values of every format, and a random sequence.

use pto_kernels::Element;

pub(crate) use pto_num::random::next as random;

/// `count` bit patterns of `element`: specials, small and ordinary numbers, random bits.
pub(crate) fn operands(element: Element, count: usize) -> Vec<u64> {
    let sign = 1u64 << (element.bits() - 1);
    let special: Vec<u64> = match element.fields() {
        Some(f) => {
            let top = f.infinity.unwrap_or(f.max);
            let one = (f.bias as u64) << f.mantissa;
            let low = [
                0,
                1,
                2,
                top,
                top + 1,
                f.max,
                f.max - 1,
                one,
                one + 1,
                one - 1,
                f.nan.unwrap_or(0),
                1 << f.mantissa,
            ];
            low.into_iter().flat_map(|bits| [bits, bits | sign]).collect()
        }
        None => [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100]
            .into_iter()
            .flat_map(|i: u64| [i, i.wrapping_neg(), sign ^ i, sign.wrapping_sub(i)])
            .collect(),
    };
    let mut state = element.bits() as u64;
    (0..count)
        .map(|i| {
            let bits = random(&mut state);
            let small = (bits % 2000) as f64 / 16.0 - 60.0;
            let bits = match i % 4 {
                0 => special[i / 4 % special.len()],
                1 => special[(bits % special.len() as u64) as usize],
                2 => {
                    element.encode(small, pto_kernels::Rounding::NearestEven, pto_kernels::Overflow::Saturate)
                }
                _ => bits,
            };
            bits & element.mask()
        })
        .collect()
}

/// The bits of an f32, those of the canonical NaN for any NaN.
pub(crate) fn canonical_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}
