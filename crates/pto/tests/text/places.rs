//! A finding on an attribute or a type points to it.

use crate::support::launch::module;

/// The texts to which the findings of a program point, each with its rule.
fn places(text: &str) -> Vec<(String, &str)> {
    let findings = pto::check(module(text), None).map(drop).expect_err("it is wrong");
    let place = |finding: &pto::diag::Diagnostic| {
        let span = finding.primary.as_ref().expect("a place").span;
        (finding.rule.to_string(), &text[span.start as usize..span.end as usize])
    };
    findings.iter().map(place).collect()
}

#[test]
fn a_rule_of_an_attribute_points_to_it() {
    let text = "func.func @k() {
  pto.set_flag[<PIPE_V>, <PIPE_W>, <EVENT_ID0>]
  %a = pto.reserve_buffer {name = \"a\", size = 0, location = #pto.address_space<vec>, auto = true} -> i32
  return
}
";
    let wanted = [("attribute-word", "<PIPE_W>"), ("reserve_buffer::size", "size = 0")];
    let wanted: Vec<_> = wanted.map(|(rule, text)| (rule.to_owned(), text)).into();
    assert_eq!(places(text), wanted);
}

#[test]
fn a_rule_of_a_tile_type_points_to_the_type() {
    let text = "!t = !pto.tile_buf<vec, 8x9xf32>
func.func @k() {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=9x8>
  return
}
";
    let wanted = [
        ("alloc_tile::alignment", "!t"),
        ("alloc_tile::valid-region", "!pto.tile_buf<vec, 8x8xf32, valid=9x8>"),
    ];
    let wanted: Vec<_> = wanted.map(|(rule, text)| (rule.to_owned(), text)).into();
    assert_eq!(places(text), wanted);
}
