//! Lookup tables of the exponential and the logarithm, and the coefficients of the logarithm's polynomial.

use super::STEPS;

/// Approximate reciprocals of the numbers in [1, 2), indexed by the first four bits of the fraction; the first and the
/// last are exact.
#[rustfmt::skip]
pub(super) const RECIPROCAL: [f64; STEPS] = [
    1.0, 0.914_062_5, 0.865_234_375, 0.820_312_5, 0.781_25, 0.744_140_625, 0.710_937_5, 0.681_640_625,
    0.653_320_312_5, 0.627_929_687_5, 0.603_515_625, 0.582_031_25, 0.561_523_437_5, 0.541_992_187_5, 0.524_414_062_5, 0.5,
];

#[allow(clippy::excessive_precision)]
/// Minus the logarithms of [`RECIPROCAL`]. The second half uses [`LN_2_SHORT`](super::LN_2_SHORT) for ln 2: just below
/// 1, the last entry and the term of the exponent, -1, cancel exactly.
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

/// Fractions of an octave whose powers of two are in the table.
pub(super) const PARTS: usize = 32;

/// 2^(j/32) as f32, and its relative error.
pub(super) const POWERS: [[f32; PARTS]; 2] = {
    let mut powers = [[0.0; PARTS]; 2];
    let mut part = 0;
    while part < PARTS {
        powers[0][part] = f32::from_bits(POWER_BITS[part]);
        powers[1][part] = f32::from_bits(LACKING_BITS[part]);
        part += 1;
    }
    powers
};

#[rustfmt::skip]
const POWER_BITS: [u32; PARTS] = [
    0x3f80_0000, 0x3f82_cd87, 0x3f85_aac3, 0x3f88_980f, 0x3f8b_95c2, 0x3f8e_a43a, 0x3f91_c3d3, 0x3f94_f4f0,
    0x3f98_37f0, 0x3f9b_8d3a, 0x3f9e_f532, 0x3fa2_7043, 0x3fa5_fed7, 0x3fa9_a15b, 0x3fad_583f, 0x3fb1_23f6,
    0x3fb5_04f3, 0x3fb8_fbaf, 0x3fbd_08a4, 0x3fc1_2c4d, 0x3fc5_672a, 0x3fc9_b9be, 0x3fce_248c, 0x3fd2_a81e,
    0x3fd7_44fd, 0x3fdb_fbb8, 0x3fe0_ccdf, 0x3fe5_b907, 0x3fea_c0c7, 0x3fef_e4ba, 0x3ff5_257d, 0x3ffa_83b3,
];

#[rustfmt::skip]
const LACKING_BITS: [u32; PARTS] = [
    0x0000_0000, 0xb34a_3a0a, 0x3346_cb6a, 0xb36e_d17e, 0xb24e_0611, 0xb351_7dd9, 0x334b_2482, 0xb315_86de,
    0x3309_2801, 0xb2e6_f467, 0x331b_85f2, 0x3099_b6f1, 0xb305_1aa8, 0xb2e2_a0da, 0xb200_6c56, 0xb336_5942,
    0x3293_02ae, 0x32c5_95dc, 0xb302_e5a2, 0xb28e_10a1, 0x31b3_d0e5, 0xb31a_472b, 0x31d1_daf2, 0xb305_bf64,
    0xb27c_e182, 0xb2f2_6443, 0xb1b4_b0da, 0xb1da_8a8f, 0xb1d2_90be, 0xb2d5_b899, 0x31b0_a147, 0xb215_6afc,
];
