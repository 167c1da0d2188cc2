//! Mistakes of spelling in one line: each is one error, whose edit makes the text legal.

use pto_isa::diag::{Diagnostic, Severity, apply};
use pto_lang::text::parse_partial;

const HEAD: &str =
    "!tile = !pto.tile_buf<vec, 16x64xf32>\nfunc.func @f(%a: !tile, %b: !tile, %f: f32, %c: index) {\n";

fn program(lines: &str) -> String {
    format!("{HEAD}  {lines}\n  return\n}}\n")
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let (_, findings) = parse_partial(text);
    findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// The lines after the edits of their only error, which leave none.
fn fixed(lines: &str) -> String {
    let text = program(lines);
    let found = errors(&text);
    assert_eq!(found.len(), 1, "{lines}: {found:#?}");
    let text = apply(&text, &found[0].edits);
    let left = errors(&text);
    assert!(left.is_empty(), "{text}\n{left:#?}");
    let body = &text[HEAD.len()..text.len() - "\n  return\n}\n".len()];
    body.trim_start().to_owned()
}

#[test]
fn words_of_enumerations_get_what_surrounds_them() {
    let rmode = "pto.tcvt ins(%a {rmode = #pto<round_mode RINT>} : !tile) outs(%b : !tile)";
    for value in ["RINT", "rint", "#RINT", "#pto<RINT>"] {
        let line = rmode.replace("#pto<round_mode RINT>", value);
        assert!(fixed(&line).eq_ignore_ascii_case(rmode), "{line}: {}", fixed(&line));
    }
    let flag = "pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID3>]";
    for line in [
        "pto.set_flag[PIPE_V, PIPE_MTE3, EVENT_ID3]",
        "pto.set_flag[V, MTE3, 3]",
        "pto.set_flag[<PIPE_V>, <PIPE_MTE3>, 3]",
    ] {
        assert_eq!(fixed(line), flag, "{line}");
    }
    for line in ["pto.barrier PIPE_V", "pto.barrier V", "pto.barrier [PIPE_V]", "pto.barrier (<PIPE_V>)"] {
        assert_eq!(fixed(line), "pto.barrier <PIPE_V>", "{line}");
    }
    let braces = "pto.tcvt ins(%a rmode = #pto<round_mode RINT> : !tile) outs(%b : !tile)";
    assert_eq!(fixed(braces), rmode);
    assert_eq!(fixed(&rmode.replace(" =", ":")), rmode);
}

#[test]
fn infinities_and_nan_are_bits_of_the_type() {
    let constant = |value: &str| fixed(&format!("%x = arith.constant {value}"));
    assert_eq!(constant("-inf : f32"), "%x = arith.constant 0xFF800000 : f32");
    assert_eq!(constant("inf : f16"), "%x = arith.constant 0x7C00 : f16");
    assert_eq!(constant("NaN : bf16"), "%x = arith.constant 0x7FC0 : bf16");
    assert_eq!(constant("Infinity"), "%x = arith.constant 0x7F800000 : f32");
    assert_eq!(constant("1.5f : f32"), "%x = arith.constant 1.5 : f32");
    // Types without such a value have no edit.
    for value in ["inf : i32", "nan : index", "-inf : f8E4M3FN"] {
        let found = errors(&program(&format!("%x = arith.constant {value}")));
        assert!(matches!(found.as_slice(), [only] if only.edits.is_empty()), "{value}: {found:#?}");
    }
}

#[test]
fn separators_and_braces_that_are_missing_are_added() {
    let line = "pto.tmul ins(%a, %b : !tile, !tile) outs(%b : !tile)";
    for (from, to) in
        [("%a,", "%a"), (" : !tile,", " !tile,"), ("!tile, !tile", "!tile !tile"), ("(%a", "(a")]
    {
        assert_eq!(fixed(&line.replacen(from, to, 1)), line);
    }
    assert_eq!(fixed("pto.tmul %a, %b : !tile, !tile outs(%b : !tile)"), line);
    assert_eq!(fixed(&format!("{line};\n  {line};")), format!("{line}\n  {line}"));
    assert_eq!(fixed("/* a comment */"), "// a comment ");
    assert_eq!(fixed("%t = pto.alloc_tile !tile"), "%t = pto.alloc_tile : !tile");
    assert_eq!(fixed("%t = arith.addi %c, %c index"), "%t = arith.addi %c, %c : index");
    let looped = format!("scf.for %i = %c to %c step %c {{\n    {line}\n  }}");
    assert_eq!(fixed(&looped.replace(" {", "")), looped);
    assert_eq!(fixed(&format!("{line}\n    }}\n  {line}")), format!("{line}\n    \n  {line}"));
}

#[test]
fn an_error_in_the_line_of_a_loop_leaves_its_region_readable() {
    let lines = "scf.for %i = %c to %c by %c iter_args(%s = %c) -> (index) {\n    %n = arith.addi %i, %s : index\n    pto.tabss\n  }";
    let found = errors(&program(lines));
    let rules: Vec<_> = found.iter().map(|finding| finding.rule.to_string()).collect();
    assert_eq!(rules, ["syntax", "unknown-operation"], "{found:#?}");
    let help = found[0].help.join("\n");
    assert!(help.contains("its form is `scf.for %i = %lower to %upper step %step"), "{help}");
}

#[test]
fn a_brace_that_is_not_closed_is_the_one_that_indentation_tells() {
    let text = "func.func @f(%c: index) {\n  scf.for %i = %c to %c step %c {\n    %n = arith.addi %i, %c : index\n  return\n}\n";
    let found = errors(text);
    let at = found[0].primary.as_ref().expect("a place").span.start as usize;
    assert_eq!((found.len(), text[..at].lines().count()), (1, 2), "{found:#?}");
}

/// Ends of texts and odd brackets where the parser looks ahead.
#[test]
fn broken_texts_are_read_to_the_end() {
    for end in [
        "pto.barrier [",
        "pto.barrier (PIPE_V",
        "pto.barrier #pto<",
        "pto.barrier #pto<RINT",
        "/*",
        "/* a\n b */",
        ";",
        "/",
        "scf.for {",
        "scf.for %i = {",
        "scf.if %c < {\n} else {",
        "%x = arith.constant -",
        "%x = arith.constant inf :",
        "pto.tadd (",
        "pto.tadd ins(a",
        "pto.tcvt ins(%a rmode =",
        "}\n}\n}\n  pto.tadd",
    ] {
        assert!(!errors(&format!("{HEAD}  {end}")).is_empty(), "{end}");
        errors(&program(end));
    }
}
