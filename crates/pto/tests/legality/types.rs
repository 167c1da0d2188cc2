//! Element types: a type on which pages and headers agree is legal; a type that only one of them lists is an
//! extension.

use super::*;

const EXTENSION: &str = "extension";

/// Asserts that a use on vec tiles of each format is legal.
fn legal(name: &str, tiles: usize, elements: &[&str], profile: Profile) {
    for element in elements {
        assert_eq!(on_type(name, tiles, element, profile), NOTHING, "{name} on {element}, {profile:?}");
    }
}

/// Asserts that a use has only this finding.
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
        let bits = BinaryOp::Pow.exact(Element::I8, a as u64 & 0xff, b as u64 & 0xff);
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
fn extremes_of_columns_of_sixty_four_bits_on_a5() {
    for name in ["tcolmax", "tcolmin"] {
        for element in LONG {
            let (tile, row) = (vec(element), format!("!pto.tile_buf<vec, 1x64x{element}>"));
            assert_eq!(found(&using(name, &[&tile, &row]), A5), NOTHING, "{name} on {element}");
            let refused = [format!("error: {name}::element-type")];
            assert_eq!(found(&using(name, &[&tile, &row]), A2A3), refused, "{name} on {element}");
        }
    }
}

#[test]
fn quotients_of_bytes_are_on_one_page_of_a5_alone() {
    for element in ["i8", "ui8"] {
        let expected = ["extension: tdivs::element-type"];
        assert_eq!(with_scalar("tdivs", element, element, A5), expected, "{element}");
        assert_eq!(with_scalar("tdivs", element, element, A2A3), ["error: tdivs::element-type"], "{element}");
    }
}

#[test]
fn reciprocals_take_the_signed_integers_of_the_page_whose_header_is_that_of_tdivs() {
    for profile in [A2A3, A5] {
        legal("trecip", 2, &["f16", "f32", "i16", "i32"], profile);
        for element in ["i8", "ui16", "ui32", "bf16"] {
            finds("trecip", 2, element, profile, "error");
        }
    }
    legal("trecip", 2, &["i16", "i32", "bf16"], Cpu);
}

#[test]
fn sequences_of_floats_are_for_a2a3_whose_vector_instructions_make_integers_only() {
    let used = |element: &str, workspace: &str, profile| {
        let tile = format!("!pto.tile_buf<vec, 1x64x{element}>");
        let operands: Vec<&str> =
            [element, workspace, &tile].into_iter().filter(|text| !text.is_empty()).collect();
        found(&using("tci", &operands), profile)
    };
    let workspace = "!pto.tile_buf<vec, 1x512xf32>";
    for element in ["f16", "bf16", "f32"] {
        for profile in [Cpu, A2A3] {
            assert_eq!(used(element, "", profile), NOTHING, "{element}");
        }
        assert_eq!(used(element, workspace, Cpu), NOTHING, "{element}");
        assert_eq!(used(element, workspace, A2A3), ["lint: tci::tmp-floats"], "{element}");
        assert_eq!(used(element, "", A5), ["error: tci::element-type"], "{element}");
    }
    assert_eq!(used("i32", workspace, A2A3), NOTHING);
}

#[test]
fn tfmod_on_a2a3_is_for_f32_by_the_header_and_for_integers_by_the_page() {
    legal("tfmod", 3, &["f32"], A2A3);
    for element in ["i16", "ui16", "i32", "ui32"] {
        finds("tfmod", 3, element, A2A3, EXTENSION);
    }
    finds("tfmod", 3, "f16", A2A3, "error");
    legal("tfmod", 3, &["f32", "f16", "i16", "ui16", "i32", "ui32"], A5);
}

#[test]
fn tsels_on_a5_takes_what_page_and_header_name() {
    for element in ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f16", "f32"] {
        assert_eq!(selected(element, A5), NOTHING, "{element}");
    }
    for element in ["bf16", "f8E4M3FN", "f8E5M2"] {
        assert_eq!(selected(element, A5), ["error: tsels::element-type"], "{element}");
    }
    assert_eq!(selected("bf16", A2A3), NOTHING);
    assert_eq!(selected("bf16", Cpu), NOTHING);
}

/// TSELS on tiles of an element type, with a scalar of that type.
fn selected(element: &str, profile: Profile) -> Vec<String> {
    let (tile, mask) = (vec(element), "!pto.tile_buf<vec, 16x32xui8>");
    found(&using("tsels", &[mask, &tile, element, &tile]), profile)
}

#[test]
fn layout_instructions_take_sixty_four_bits_by_the_matrix_of_their_set() {
    for element in LONG {
        let square = format!("!pto.tile_buf<vec, 32x32x{element}>");
        let padded = format!("!pto.tile_buf<vec, 32x32x{element}, pad=1>");
        let half = format!("!pto.tile_buf<vec, 32x32x{element}, valid=32x16>");
        let fill = if element == "i64" { "tfillpad" } else { "tfillpad_expand" };
        let uses = [
            (using("ttrans", &[&square, &square]), "ttrans::element-type"),
            (using("tconcat", &[&half, &half, &square]), "tconcat::element-type"),
            (using("textract", &[&square, "index", "index", &square]), "textract::vec-element-type"),
            (using("tinsert", &[&square, "index", "index", &square]), "tinsert::vec-element-type"),
            (
                using(fill, &[&square, &padded]),
                if fill == "tfillpad" { "tfillpad::element-size" } else { "tfillpad_expand::element-size" },
            ),
        ];
        for (text, rule) in uses {
            assert_eq!(found(&text, Cpu), NOTHING, "{text}");
            for profile in [A2A3, A5] {
                let expected = format!("extension: {rule}");
                assert!(
                    found(&text, profile).contains(&expected),
                    "{profile:?}: {:?}\n{text}",
                    found(&text, profile)
                );
            }
        }
    }
}

#[test]
fn tconcat_takes_floats_of_8_bits_on_a5_by_the_matrix_of_its_set() {
    for element in ["f8E4M3FN", "f8E5M2"] {
        let [whole, half] = ["32x64", "32x32"].map(|shape| format!("!pto.tile_buf<vec, {shape}x{element}>"));
        let text = using("tconcat", &[&half, &half, &whole]);
        assert_eq!(found(&text, A5), ["extension: tconcat::element-type"], "{element}");
        assert_eq!(found(&text, A2A3), ["error: tconcat::profile-type"], "{element}");
        assert_eq!(found(&text, Cpu), ["extension: tconcat::profile-type"], "{element}");
    }
}

#[test]
fn timg2col_takes_sixty_four_bits_and_on_a5_floats_of_8_bits_by_the_matrix_of_its_set() {
    let used = |element: &str, channels: u32, profile| {
        let map = format!("!pto.conv_tile<mat, NC1HWC0, 1x1x4x4x{channels}x{element}>");
        let blayout = if profile == A2A3 { "row_major" } else { "col_major" };
        let left =
            format!("!pto.tile_buf<left, 16x{channels}x{element}, blayout={blayout}, slayout=row_major>");
        let body = format!("  pto.timg2col ins(%0 : {map}) outs(%1 : {left})");
        found(&function(&[&map, &left], &body), profile)
    };
    let extension = ["extension: timg2col::element-type"];
    for element in LONG {
        assert_eq!(used(element, 4, Cpu), NOTHING, "{element}");
        for profile in [A2A3, A5] {
            assert_eq!(used(element, 4, profile), extension, "{element}, {profile:?}");
        }
    }
    for element in ["f8E4M3FN", "f8E5M2"] {
        assert_eq!(used(element, 32, A5), extension, "{element}");
        // A page forbids them on the other profiles.
        for profile in [A2A3, Cpu] {
            assert_eq!(used(element, 32, profile), ["error: timg2col::element-type"], "{element}");
        }
    }
}

#[test]
fn small_floats_are_loaded_and_stored_on_a5_alone() {
    for element in ["f8E4M3FN", "f8E5M2", "!pto.hif8", "!pto.f4E2M1x2"] {
        let (tile, view) = (vec(element), format!("!pto.partition_tensor_view<16x64x{element}>"));
        for (name, operands) in [("tload", [&view, &tile]), ("tstore", [&tile, &view])] {
            let text = using(name, &operands.map(String::as_str));
            assert_eq!(found(&text, A2A3), [format!("error: {name}::profile-type")], "{element}");
            assert_eq!(found(&text, A5), NOTHING, "{element}");
        }
    }
}

/// A kernel on 8x8 64-bit integers in `%t`, whose buffers are pairs of f32.
fn long(body: &str) -> String {
    format!(
        "!t = !pto.tile_buf<vec, 8x8xi64, pad=1>
!h = !pto.tile_buf<vec, 8x8xi64, valid=8x4>
!r = !pto.tile_buf<vec, 1x8xi64>
!v = !pto.tensor_view<8x8xi64>
func.func @f(%x: !pto.ptr<i64>, %y: !pto.ptr<i64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %t = pto.alloc_tile : !t
  %u = pto.alloc_tile : !t
  %h = pto.alloc_tile : !h
  %r = pto.alloc_tile : !r
  pto.tload ins(%xv : !v) outs(%t : !t)
  pto.tmov ins(%t : !t) outs(%u : !t)
{body}
  pto.tstore ins(%u : !t) outs(%yv : !v)
  return
}}
"
    )
}

#[test]
fn instructions_on_sixty_four_bits_move_whole_elements() {
    // The index of the source element for each element of the result; `None` is padding.
    type Moved = fn(usize, usize) -> Option<usize>;
    let cases: [(&str, Moved); 5] = [
        ("  pto.ttrans ins(%t : !t) outs(%u : !t)", |i, j| Some(j * 8 + i)),
        (
            "  pto.textract ins(%t, %c0, %c0 : !t, index, index) outs(%h : !h)
  pto.tfillpad ins(%h : !h) outs(%u : !t)",
            |i, j| (j < 4).then_some(i * 8 + j),
        ),
        (
            "  pto.textract ins(%t, %c0, %c0 : !t, index, index) outs(%h : !h)
  pto.tconcat ins(%h, %h : !h, !h) outs(%u : !t)",
            |i, j| Some(i * 8 + j % 4),
        ),
        (
            "  pto.tcolmax ins(%t : !t) outs(%r : !r)
  pto.tinsert ins(%r, %c0, %c0 : !r, index, index) outs(%u : !t)",
            |i, j| Some(if i == 0 { 56 + j } else { i * 8 + j }),
        ),
        (
            "  pto.tcolmin ins(%t : !t) outs(%r : !r)
  pto.tinsert ins(%r, %c1, %c0 : !r, index, index) outs(%u : !t)",
            |i, j| Some(if i == 1 { j } else { i * 8 + j }),
        ),
    ];
    for (body, moved) in cases {
        for by_formula in [false, true] {
            let options = Options::default().by_formula(by_formula);
            let (buffers, _) =
                run(&long(body), Cpu, &[], &options).unwrap_or_else(|found| panic!("{body}: {found:?}"));
            let pair = |at: usize| buffers[0][2 * at..2 * at + 2].to_vec();
            let expected: Vec<_> =
                (0..64).flat_map(|at| moved(at / 8, at % 8).map_or(vec![0.0, 0.0], pair)).collect();
            assert_eq!(buffers[1], expected, "{body}");
        }
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
