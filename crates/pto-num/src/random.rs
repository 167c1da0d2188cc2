//! The generator SplitMix64: a sequence of pseudorandom numbers determined by its seed.
//!
//! Inputs of programs, generated programs and tests use it. Its sequences are fixed: a seed gives the same numbers on
//! every host and in every version.
//!
//! ```
//! use pto_num::random;
//!
//! let mut state = 0;
//! assert_eq!(random::next(&mut state), 0xe220_a839_7b1d_cdaf);
//! assert_eq!(random::next(&mut state), random::mix(random::STEP));
//! ```

/// Difference of the states of two successive numbers: 2^64 divided by the golden ratio, made odd.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The next 64 bits of the sequence whose state is `state`. Any state is a seed.
pub const fn next(state: &mut u64) -> u64 {
    let bits = mix(*state);
    *state = state.wrapping_add(STEP);
    bits
}

/// The first number of the sequence with seed `seed`: spreads any change of `seed` over all 64 bits.
pub const fn mix(seed: u64) -> u64 {
    let bits = seed.wrapping_add(STEP);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
