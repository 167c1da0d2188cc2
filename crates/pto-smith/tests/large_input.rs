//! Deep nesting, huge numbers, large counts: the time of an answer grows linearly with the file.

use crate::support::{findings, function, stops};
use pto::diag::Severity;
use pto_smith::survive;

/// 100,000 levels of each nested construct.
#[test]
fn deep_nesting() {
    const DEPTH: usize = 100_000;
    let nest =
        |open: &str, inside: &str, close: &str| [&open.repeat(DEPTH), inside, &close.repeat(DEPTH)].concat();
    let condition = "%c = arith.constant true\n";
    let cases = [
        ("regions", function(&[condition, &nest("scf.if %c {\n", "", "}\n")].concat())),
        ("loops", function(&nest("scf.execute_region {\n", "", "scf.yield\n}\n"))),
        ("modules", nest("module {\n", "", "}\n")),
        ("types", format!("func.func @f(%a: {}) {{ return }}", nest("memref<1x", "f32", ">"))),
        ("tuples", format!("func.func @f(%a: {}) {{ return }}", nest("tuple<", "f32", ">"))),
        ("functions", format!("func.func @f(%a: {}) {{ return }}", nest("(", "f32", ") -> ()"))),
        ("attributes", format!("module attributes {{a = {}}} {{}}", nest("[", "1", "]"))),
        ("dictionaries", format!("module attributes {} {{}}", nest("{a = ", "1", "}"))),
        ("parentheses", function(&format!("%x = arith.constant {}", nest("(", "1", ")")))),
        ("locations", format!("func.func @f() {{ return loc({}) }}", nest("fused[", "\"a\"", "]"))),
        ("brackets", nest("(", "", "")),
        ("open regions", function(&[condition, &"scf.if %c {\n".repeat(DEPTH)].concat())),
    ];
    for (what, text) in cases {
        match pto::parse(&text) {
            Err(found) => assert!(found.len() < 1000, "{what}: {} findings", found.len()),
            // A location keeps its text unparsed.
            Ok(_) => assert_eq!(what, "locations"),
        }
        survive(&text).expect(what);
    }
}

/// Nesting as deep as in real programs works.
#[test]
fn nesting_of_real_programs_is_no_error() {
    let body = ["%c = arith.constant true\n", &"scf.if %c {\n".repeat(60), &"}\n".repeat(60)].concat();
    assert!(pto::parse(&function(&body)).is_ok());
}

#[test]
fn huge_numbers() {
    let digits = "7".repeat(10 << 20);
    let text = function(&format!("%x = arith.constant {digits} : i32"));
    let found = findings(&text);
    assert!(found[0].message.len() < 500, "the message repeats the number");
    for number in ["9223372036854775808", "18446744073709551616", "10000000000000000000000000000000000000000"]
    {
        let tile = format!(
            "%t = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i64, rows={number}, cols={number}, v_row=1, \
             v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>"
        );
        survive(&function(&tile)).expect("survived");
        survive(&function(&format!("%x = arith.constant {number} : index"))).expect("survived");
    }
}

/// Shapes at the limit of 32 bits: their products do not overflow.
#[test]
fn huge_tiles() {
    for (rows, cols, dtype) in [
        ("4294967295", "4294967295", "i64"),
        ("65536", "65536", "f32"),
        ("2147483648", "8", "i8"),
        ("4294967295", "4294967264", "!pto.f4E2M1x2"),
    ] {
        for (blayout, slayout) in [("row_major", "none_box"), ("col_major", "row_major")] {
            let ty = format!(
                "!pto.tile_buf<loc=vec, dtype={dtype}, rows={rows}, cols={cols}, v_row={rows}, v_col={cols}, \
                 blayout={blayout}, slayout={slayout}, fractal=512, pad=0>"
            );
            let body = format!(
                "%t = pto.alloc_tile : {ty}\n%u = pto.treshape %t : {ty} -> {ty}\n\
                 pto.tconcat ins(%t, %t : {ty}, {ty}) outs(%u : {ty})\n\
                 pto.tadd ins(%t, %t : {ty}, {ty}) outs(%u : {ty})"
            );
            let text = function(&body);
            let found = findings(&text);
            assert!(found.iter().any(|finding| finding.rule == "alloc_tile::capacity"), "{found:?}");
            survive(&text).expect("survived");
        }
    }
}

/// Offsets at the limit of 64 bits.
#[test]
fn huge_offsets() {
    let ty = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, \
              slayout=none_box, fractal=512, pad=0>";
    for (number, kind) in
        [("9223372036854775807", "index"), ("-9223372036854775808", "index"), ("-1", "index")]
    {
        let uses = [
            format!("pto.textract ins(%t, %n, %n : {ty}, {kind}, {kind}) outs(%u : {ty})"),
            format!("pto.tinsert ins(%t, %n, %n : {ty}, {kind}, {kind}) outs(%u : {ty})"),
            format!("%v = pto.subview %t[%n, %n] sizes [16, 16] : {ty} -> {ty}"),
            format!("%v = pto.tgetval ins(%t, %n : {ty}, {kind}) outs : f32"),
        ];
        for used in uses {
            for hide in ["", "%n = arith.addi %m, %zero : index\n"] {
                let name = if hide.is_empty() { "%n" } else { "%m" };
                let text = function(&format!(
                    "{name} = arith.constant {number} : {kind}\n%zero = arith.constant 0 : index\n{hide}\
                     %t = pto.alloc_tile : {ty}\n%u = pto.alloc_tile : {ty}\n{used}"
                ));
                survive(&text).expect("survived");
                if hide.is_empty() {
                    assert!(!findings(&text).is_empty());
                } else {
                    assert_eq!(stops(&text, Vec::new()).severity, Severity::Error);
                }
            }
        }
    }
}

/// Many errors in one file: they are reported up to a readable number.
#[test]
fn many_errors_are_reported_and_bounded() {
    let lines: Vec<String> = (0..5000).map(|line| format!("%a{line} = arith.nothing %b : index")).collect();
    let found = findings(&function(&lines.join("\n")));
    assert!((10..=1000).contains(&found.len()), "{} errors", found.len());
}

/// Many names that are used before their definition cost no more than others.
#[test]
fn many_values_used_before_they_are_defined() {
    let uses = (0..20_000).map(|n| format!("%b{n} = arith.addi %a{n}, %a{n} : index\n"));
    let definitions = (0..20_000).rev().map(|n| format!("%a{n} = arith.constant {n} : index\n"));
    let text = function(&uses.chain(definitions).collect::<String>());
    assert!(!findings(&text).is_empty());
}

/// Large counts of everything in a file: the time grows linearly.
#[test]
fn many_of_everything() {
    const MANY: usize = 20_000;
    let repeat = |line: &dyn Fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    let blocks = repeat(&|n| format!("^b{n}:\ncf.br ^b{}\n", n + 1));
    let open = "!pto.tile_buf<vec, 8x8xf32, valid=?x?>";
    let sets = repeat(&|_| format!("pto.set_validshape %t, %n, %n : {open}\n"));
    let tiles = repeat(&|n| format!("%t{n} = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"));
    let cases = [
        format!("func.func @f() {{\ncf.br ^b0\n{blocks}^b{MANY}:\nreturn\n}}"),
        repeat(&|n| {
            format!("func.func @f{n}() {{\nfunc.call @f{}() : () -> ()\nreturn\n}}\n", (n + 1) % MANY)
        }),
        repeat(&|n| format!("func.func @f{n}() {{\nfunc.call @g{n}() : () -> ()\nreturn\n}}\n")),
        format!(
            "module attributes {{{}a = 1}} {{\n{}}}",
            repeat(&|n| format!("a{n} = {n}, ")),
            repeat(&|n| format!("func.func @f{n}() {{\nreturn\n}}\n"))
        ),
        format!("func.func @f(%t: {open}, %n: index) {{\n{sets}{tiles}return\n}}"),
        function(&repeat(&|n| format!("%a = arith.constant {n} : index\n"))),
        function(&repeat(&|n| format!("%a{n} = arith.addi %nowhere{n}, %b : index\n"))),
        format!("{}func.func @f() {{\nreturn\n}}", "// a comment\n".repeat(MANY)),
    ];
    for text in cases {
        let start = std::time::Instant::now();
        let _ = pto::parse(&text).and_then(|parsed| pto::check(parsed.module, None));
        assert!(start.elapsed().as_secs() < 20, "{} took {:?}", &text[..60], start.elapsed());
    }
}
