//! What the logarithm looks up, and the coefficients of its polynomial.

use super::STEPS;

/// About the reciprocal of the numbers in [1, 2) whose significands begin with these four bits; at either end it is exact.
#[rustfmt::skip]
pub(super) const RECIPROCAL: [f64; STEPS] = [
    1.0, 0.914_062_5, 0.865_234_375, 0.820_312_5, 0.781_25, 0.744_140_625, 0.710_937_5, 0.681_640_625,
    0.653_320_312_5, 0.627_929_687_5, 0.603_515_625, 0.582_031_25, 0.561_523_437_5, 0.541_992_187_5, 0.524_414_062_5, 0.5,
];

#[allow(clippy::excessive_precision)]
/// Minus the logarithms of [`RECIPROCAL`], the second half with [`LN_2_SHORT`](super::LN_2_SHORT) for ln 2: just below 1 the
/// last one and the exponent, which is -1, cancel exactly.
#[rustfmt::skip]
pub(super) const LOG_OF: [f64; STEPS] = [
    0.0, 0.089_856_329_121_861_05, 0.144_754_854_994_372_16, 0.198_069_913_762_093_8,
    0.246_860_077_931_525_78, 0.295_525_249_912_806_8, 0.341_170_757_402_767_14, 0.383_252_702_837_080_6,
    0.425_687_745_471_169_67, 0.465_327_081_361_778_75, 0.504_983_348_141_707_3, 0.541_231_138_534_048_4,
    0.577_101_764_802_047_7, 0.612_503_691_852_963_6, 0.645_473_711_090_533_4, 0.693_147_180_559_890_3,
];

const _: () = assert!(LOG_OF[STEPS - 1].to_bits() == super::LN_2_SHORT.to_bits());

#[allow(clippy::excessive_precision)]
/// Minimax coefficients of (ln(1 + r) - r) / r^2 for r from -1/32 to 1/16.
pub(super) const LOG: [f64; 7] = [
    -0.500_000_000_007_934_8,
    0.333_333_333_359_419_3,
    -0.249_999_967_155_081_24,
    0.199_999_713_117_236_44,
    -0.166_699_097_797_746_3,
    0.143_285_035_102_699_4,
    -0.117_853_735_575_799_3,
];
