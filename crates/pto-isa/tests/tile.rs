//! Tests of `pto_isa::tile`.

use pto_isa::element::Element;
use pto_isa::tile::*;

#[test]
fn pad_patterns_follow_the_format() {
    assert_eq!(Pad::MIN.bits(Element::F32), 0xff80_0000);
    assert_eq!(Pad::MAX.bits(Element::F16), 0x7c00);
    assert_eq!(Pad::MIN.bits(Element::I8), 0x80);
    assert_eq!(Pad::MAX.bits(Element::U64), 0);
    assert_eq!(Pad(0x1_BF80_0000).bits(Element::F32), 0xBF80_0000);
    assert_eq!(Pad(0x1_0000_00FF).bits(Element::I8), 0xFF);
}
