//! What is read, and what bad text is told: each test is named after what it shows, with programs in `tests/reading`.

use pto::text::{Form, Style, print};
use std::path::Path;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reading").join(name);
    std::fs::read_to_string(path).expect("a program")
}

/// The errors of a text, each with its rule.
fn errors(text: &str) -> Vec<String> {
    let findings = match pto::parse(text) {
        Ok(parsed) => pto::check(parsed.module, None).err().unwrap_or_default(),
        Err(findings) => findings,
    };
    findings.iter().map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

fn printed(text: &str) -> String {
    let parsed = pto::parse(text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    print(&parsed.module, &Style { form: Form::Destination, compact: true, source: Some(text) })
}

/// A value that is defined behind its use, in a statement that is wrong, is forgotten with its function.
#[test]
fn parser_panic() {
    let errors = errors(&file("parser_panic.pto"));
    assert!(!errors.is_empty() && errors.iter().all(|error| error.starts_with("syntax: ")), "{errors:?}");
}

/// Aliases that double are refused before they take memory.
#[test]
fn attribute_alias_bomb() {
    let errors = errors(&file("attribute_alias_bomb.pto"));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("attribute aliases stand for more than"), "{errors:?}");
}

/// One mistyped alias is one error: neither its uses nor the aliases behind it say more.
#[test]
fn alias_typo() {
    assert_eq!(errors(&file("alias_typo.pto")), ["tile-type: `foo` is no value for `pad`"]);
}

#[test]
fn blanks_in_view_types() {
    let view = |ty: &str| {
        format!(
            "func.func @k(%x: !pto.ptr<f32>, %n: index) {{\n  %c1 = arith.constant 1 : index\n  \
             %v = pto.make_tensor_view %x, shape = [%n, %n], strides = [%n, %c1] : {ty}\n  return\n}}\n"
        )
    };
    let spaced = view("!pto.tensor_view<8 x ? x f32>");
    assert_eq!(printed(&spaced), printed(&view("!pto.tensor_view<8x?xf32>")));
}

/// Modules side by side may each have a function of one name; a call means that of its own module.
#[test]
fn functions_of_one_name_in_sibling_modules() {
    let module = |result: &str| {
        format!(
            "module attributes {{pto.target_arch = \"a5\"}} {{\nfunc.func @make() -> {result} {{\n  \
             %c = arith.constant 1 : {result}\n  return %c : {result}\n}}\nfunc.func @k() {{\n  \
             %c = func.call @make() : () -> {result}\n  return\n}}\n}}\n"
        )
    };
    assert_eq!(errors(&format!("module {{\n{}{}}}", module("i32"), module("i64"))), [""; 0]);
    let twice = "func.func @k() { return }\nfunc.func @k() { return }\n";
    assert_eq!(errors(twice).len(), 1);
}

/// The address space of a pointer into a tile goes by the name of the location or of the buffer.
#[test]
fn tile_buf_addr_into_ub() {
    let pointer = |ty: &str| {
        format!(
            "func.func @k() {{\n  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n  \
             %p = pto.tile_buf_addr %a : !pto.tile_buf<vec, 8x8xf32> -> !pto.ptr<{ty}>\n  return\n}}\n"
        )
    };
    assert_eq!(errors(&pointer("f32, ub")), [""; 0]);
    assert_eq!(errors(&pointer("f32, vec")), [""; 0]);
    assert_eq!(errors(&pointer("f32, mat")).len(), 1);
    assert_eq!(errors(&pointer("f16, ub")).len(), 1);
}

/// The generic form says which of the optional operands are there.
#[test]
fn generic_form_with_operand_segment_sizes() {
    let alloc = |operand: &str, sizes: &str, valid: &str| {
        format!(
            "func.func @k(%n: index, %at: i64) {{\n  %a = \"pto.alloc_tile\"({operand}) {{operandSegmentSizes = \
             array<i32: {sizes}>}} : ({}) -> !pto.tile_buf<vec, 8x8xf32{valid}>\n  return\n}}\n",
            if operand == "%n" { "index" } else { "i64" }
        )
    };
    let line = |text: String| printed(&text).lines().nth(1).expect("a line").trim().to_owned();
    assert!(line(alloc("%n", "0, 0, 1", ", valid=8x?")).starts_with("%a = pto.alloc_tile valid_col = %n :"));
    assert!(line(alloc("%n", "0, 1, 0", ", valid=?x8")).starts_with("%a = pto.alloc_tile valid_row = %n :"));
    assert!(line(alloc("%at", "1, 0, 0", "")).starts_with("%a = pto.alloc_tile addr = %at :"));
    let wrong = errors(&alloc("%n", "0, 2, 1", ", valid=8x?"));
    assert_eq!(wrong, ["syntax: `operandSegmentSizes` says 3 operands, but there are 1"]);
}

/// Strings keep their bytes through printing, whatever escapes they were written with.
#[test]
fn string_escapes_survive() {
    let module = |text: &str| format!("module attributes {{note = \"{text}\"}} {{\n}}\n");
    let once = printed(&module(r#"a \"b\" \\ \0A \09 \00 \C3\A9"#));
    assert!(once.contains(r#""a \"b\" \\ \n \t \00 é""#), "{once}");
    assert_eq!(printed(&once), once);
    for bad in [r"\q", r"\F", r"\FF"] {
        let errors = errors(&module(bad));
        assert!(
            errors[0].contains("hexadecimal digits") || errors[0].contains("no UTF-8"),
            "{bad}: {errors:?}"
        );
    }
}
