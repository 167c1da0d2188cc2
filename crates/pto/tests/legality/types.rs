//! Element types: what pages and headers agree on is legal, what only one of them has is an extension.

use super::*;

const EXTENSION: &str = "extension";

/// Asserts that a use on vec tiles of each format is legal.
fn legal(name: &str, tiles: usize, elements: &[&str], profile: Profile) {
    for element in elements {
        assert_eq!(on_type(name, tiles, element, profile), NOTHING, "{name} on {element}, {profile:?}");
    }
}

/// Asserts that a use finds this and nothing else.
fn finds(name: &str, tiles: usize, element: &str, profile: Profile, level: &str) {
    let expected = [format!("{level}: {name}::element-type")];
    assert_eq!(on_type(name, tiles, element, profile), expected, "{name} on {element}, {profile:?}");
}

/// A use on a tile and a scalar.
fn with_scalar(name: &str, element: &str, scalar: &str, profile: Profile) -> Vec<String> {
    let tile = vec(element);
    found(&using(name, &[&tile, scalar, &tile]), profile)
}

const WORDS: [&str; 6] = ["i8", "ui8", "i16", "ui16", "i32", "ui32"];
const LONG: [&str; 2] = ["i64", "ui64"];

#[test]
fn bitwise_instructions_take_32_bits_on_a2a3() {
    legal("tand", 3, &WORDS, A2A3);
    legal("tor", 3, &WORDS, A2A3);
    legal("txor", 3, &WORDS, A2A3);
    legal("tnot", 2, &WORDS, A2A3);
}

#[test]
fn powers_take_integers_on_both_devices_and_f16_on_a5_alone() {
    for profile in [A2A3, A5] {
        legal("tpow", 3, &WORDS, profile);
        for word in WORDS {
            assert_eq!(with_scalar("tpows", word, word, profile), NOTHING, "{word}");
        }
    }
    legal("tpow", 3, &["f16"], A5);
    finds("tpow", 3, "f16", A2A3, "error");
}

#[test]
fn integer_powers_wrap_and_negative_ones_are_zero_but_for_units() {
    use pto_kernels::Element;
    use pto_kernels::map::BinaryOp;
    let power = |a: i64, b: i64| {
        let bits = BinaryOp::Pow.apply(Element::I8, a as u64 & 0xff, b as u64 & 0xff);
        bits.expect("integers have powers") as u8 as i8
    };
    assert_eq!([power(3, 4), power(2, 7), power(0, 0), power(5, 0)], [81, -128, 1, 1]);
    assert_eq!([power(-1, -3), power(-1, -2), power(1, -5), power(2, -1), power(0, -1)], [-1, 1, 1, 0, 0]);
}

#[test]
fn sixty_four_bits_on_a5() {
    for element in LONG {
        for name in ["tdivs", "trems", "tshrs", "tshls"] {
            assert_eq!(with_scalar(name, element, element, A5), NOTHING, "{name} on {element}");
        }
        let tile = vec(element);
        assert_eq!(found(&using("texpands", &[element, &tile]), A5), NOTHING);
        let row = format!("!pto.tile_buf<vec, 1x64x{element}>");
        assert_eq!(found(&using("tcolsum", &[&tile, &row]), A5), NOTHING);
    }
}

#[test]
fn negation_of_unsigned_integers_on_a5_and_of_bytes_nowhere() {
    legal("tneg", 2, &["ui16", "ui32"], A5);
    finds("tneg", 2, "i8", A5, "error");
}

#[test]
fn what_one_source_has_is_an_extension_and_what_none_has_an_error() {
    finds("tadd", 3, "bf16", A2A3, EXTENSION);
    legal("tmul", 3, &["bf16"], A5);
    finds("tmul", 3, "bf16", A2A3, "error");
    for element in ["i16", "ui16", "i32", "ui32"] {
        let expected = ["extension: tfmods::element-type"];
        assert_eq!(with_scalar("tfmods", element, element, A5), expected, "{element}");
    }
}

#[test]
fn shifts_take_a_scalar_of_any_integer_type() {
    for scalar in ["i8", "i16", "i32", "i64", "index"] {
        for profile in Profile::ALL {
            assert_eq!(with_scalar("tshls", "i16", scalar, profile), NOTHING, "{scalar}, {profile:?}");
            assert_eq!(with_scalar("tshrs", "ui32", scalar, profile), NOTHING, "{scalar}, {profile:?}");
        }
    }
    assert_eq!(with_scalar("tshls", "i16", "f16", A2A3), ["error: tshls::scalar-type"]);
}
