//! Tests of `pto_isa::scalar`.

use pto_isa::meaning::Binary;
use pto_isa::scalar::*;

const W32: Width = Width::of(32);
const W64: Width = Width::of(64);

#[test]
fn integers_wrap_and_divide_towards_zero() {
    assert_eq!(Binary::Add.apply(W32, 0xffff_ffff, 1), Some(0));
    assert_eq!(Binary::DivSigned.apply(W32, (-7i32) as u32 as u64, 2), Some((-3i32) as u32 as u64));
    assert_eq!(Binary::RemSigned.apply(W64, (-7i64) as u64, 2), Some((-1i64) as u64));
    assert_eq!(Binary::FloorDivSigned.apply(W64, (-7i64) as u64, 2), Some((-4i64) as u64));
    assert_eq!(Binary::DivSigned.apply(W64, i64::MIN as u64, u64::MAX), Some(i64::MIN as u64));
    assert_eq!(Binary::DivUnsigned.apply(W64, 1, 0), None);
}

#[test]
fn a_width_keeps_its_bits() {
    for bits in 1..=64 {
        let (width, all) = (Width::of(bits), u64::MAX >> (64 - bits));
        for value in [0, 1, all, all >> 1, (all >> 1) + 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(width.cut(value), value & all, "{bits} bits of {value:x}");
            let unused = 64 - bits;
            assert_eq!(width.signed(value), ((value << unused) as i64) >> unused, "{bits} bits of {value:x}");
        }
    }
}

#[test]
fn signs_matter_where_they_should() {
    let minus_one = W32.cut(u64::MAX);
    assert!(Compare::Less { signed: true }.apply(W32, minus_one, 0));
    assert!(!Compare::Less { signed: false }.apply(W32, minus_one, 0));
    assert_eq!(Cast::Signed { from: W32, to: W64 }.apply(minus_one), u64::MAX);
    assert_eq!(Cast::Unsigned { to: W64 }.apply(minus_one), minus_one);
}
