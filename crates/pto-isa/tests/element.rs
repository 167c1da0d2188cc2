//! Tests of `pto_isa::element`.

use pto_isa::element::*;

#[test]
fn every_format_is_read_back_from_its_word() {
    for element in Element::ALL {
        assert_eq!(element_from_word(element_word(element)), Some(element));
    }
}
