//! Each kind of bad input gets an error that says what is wrong, and no more than that.

use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto::sim::{Options, Program, Value};
use pto_smith::survive;

/// A program of one function without arguments.
fn function(body: &str) -> String {
    format!("func.func @f() {{\n{body}\n  return\n}}\n")
}

/// What reading or checking finds wrong.
fn findings(text: &str) -> Vec<Diagnostic> {
    let found = pto::parse(text).and_then(|parsed| pto::check(parsed.module, Some(Profile::A5)));
    let found = found.expect_err("the program is wrong");
    found.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// What stops a run on these values.
fn stops(text: &str, values: Vec<Value>) -> Diagnostic {
    let parsed = pto::parse(text).expect("it reads");
    let checked = pto::check(parsed.module, None).expect("it is legal");
    let program = Program::decode(&checked, None).expect("it decodes");
    let options = Options { max_steps: 20_000, ..Options::default() };
    let mut found = program.launch(values, &options).expect_err("it stops");
    assert!(!found.is_empty());
    found.remove(0)
}

/// The first finding has this rule, and its message (with what to do) holds these words.
#[track_caller]
fn expect(findings: &[Diagnostic], rule: &str, words: &[&str]) {
    let first = findings.first().expect("there is a finding");
    assert_eq!(first.rule, rule, "{first:?}");
    let text = [&first.message, "\n", &first.help.join("\n")].concat();
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

fn buffer(bytes: usize) -> Value {
    Value::Buffer { bytes: vec![0; bytes] }
}

#[test]
fn truncated_files() {
    let text = include_str!("../../../examples/layer_norm/kernel.pto");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(37) {
        survive(&text[..end]).expect("a truncated file is survived");
    }
    let cut = text.find("scf.for").or(text.find("pto.tload")).expect("the example loads");
    assert!(pto::parse(&text[..cut]).is_err());
}

#[test]
fn binary_files() {
    let mut rng = pto_smith::Rng::new(1);
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..2000).map(|_| rng.bits() as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert!(pto::parse(&text).is_err());
    }
    assert!(pto::parse(&"\0".repeat(100_000)).is_err());
    assert!(pto::parse("\x7fELF\x02\x01\x01\0").is_err());
}

/// 100,000 levels of whatever nests.
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
            // What a location says is kept as it is written.
            Ok(_) => assert_eq!(what, "locations"),
        }
        survive(&text).expect(what);
    }
}

/// Deep, but within reason: it works.
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

/// Shapes at the edge of 32 bits: their products do not wrap round.
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

/// Offsets at the edge of 64 bits.
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

#[test]
fn unknown_instruction() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let text =
        function(&format!("%t = pto.alloc_tile : {ty}\npto.tad ins(%t, %t : {ty}, {ty}) outs(%t : {ty})"));
    let found = findings(&text);
    let named = found.iter().find(|finding| finding.message.contains("pto.tad")).expect("it is named");
    assert!(named.help.iter().any(|help| help.contains("`pto.tadd`")), "{named:?}");
}

#[test]
fn unknown_operation() {
    expect(
        &findings(&function("%a = arith.constnt 1 : index")),
        "unknown-operation",
        &["arith.constnt", "arith.constant"],
    );
}

#[test]
fn unknown_type() {
    let found = findings("func.func @f(%a: !pto.ptrr<f32>) {\n  return\n}");
    assert!(found[0].message.contains("ptrr"), "{found:?}");
}

#[test]
fn unknown_type_parameter() {
    let found =
        findings(&function("%t = pto.alloc_tile : !pto.tile_buf<loc=vex, dtype=f32, rows=8, cols=8>"));
    assert!(found[0].message.contains("vex"), "{found:?}");
}

#[test]
fn undefined_value() {
    expect(&findings(&function("%b = arith.addi %a, %a : index")), "undefined-value", &["%a"]);
}

#[test]
fn redefined_value() {
    let twice = "%a = arith.constant 1 : index\n%a = arith.constant 2 : index";
    expect(&findings(&function(twice)), "redefined-value", &["%a"]);
}

#[test]
fn type_mismatch_at_use() {
    let text = function("%a = arith.constant 1 : index\n%b = arith.addi %a, %a : i32");
    expect(&findings(&text), "type-mismatch", &["%a", "index", "i32"]);
}

#[test]
fn wrong_number_of_operands() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let text = function(&format!("%t = pto.alloc_tile : {ty}\npto.tadd ins(%t : {ty}) outs(%t : {ty})"));
    expect(&findings(&text), "operands", &["pto.tadd", "ins(src0: tile, src1: tile) outs(dst: tile)"]);
}

#[test]
fn missing_entry() {
    let parsed = pto::parse(&function("")).expect("it reads");
    let checked = pto::check(parsed.module, None).expect("it is legal");
    let found = Program::decode(&checked, Some("g")).err().expect("there is no g");
    expect(&found, "entry", &["`g`", "`f`"]);
}

#[test]
fn missing_argument() {
    let parsed = pto::parse("func.func @f(%a: !pto.ptr<f32>) {\n  return\n}").expect("it reads");
    let checked = pto::check(parsed.module, None).expect("it is legal");
    let program = Program::decode(&checked, None).expect("it decodes");
    let found = program.launch(Vec::new(), &Options::default()).expect_err("an argument is missing");
    expect(&found, "arguments", &["1", "0"]);
}

#[test]
fn scalar_division_by_zero() {
    for operation in ["divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi"] {
        let text = function(&format!(
            "%a = arith.constant 7 : i32\n%z = arith.constant 0 : i32\n%b = arith.{operation} %a, %z : i32"
        ));
        let found = stops(&text, Vec::new());
        assert!(found.rule.contains("division-by-zero"), "{found:?}");
        assert!(found.primary.is_some());
    }
}

/// The one signed division that overflows.
#[test]
fn smallest_number_by_minus_one() {
    for operation in ["divsi", "remsi", "ceildivsi", "floordivsi"] {
        for (ty, least) in [("i8", "-128"), ("i32", "-2147483648"), ("i64", "-9223372036854775808")] {
            let text = function(&format!(
                "%a = arith.constant {least} : {ty}\n%m = arith.constant -1 : {ty}\n%b = arith.{operation} %a, %m : {ty}"
            ));
            survive(&text).expect("survived");
        }
    }
}

#[test]
fn endless_loops() {
    let endless =
        "%c = arith.constant true\nscf.while : () -> () {\n  scf.condition(%c)\n} do {\n  scf.yield\n}";
    let found = stops(&function(endless), Vec::new());
    assert!(found.rule.contains("max-steps"), "{found:?}");
    let around = "func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n";
    let found = stops(around, Vec::new());
    assert!(found.rule.contains("max-steps"), "{found:?}");
}

#[test]
fn endless_recursion() {
    let found = stops(
        "func.func @f() {\n  func.call @g() : () -> ()\n  return\n}\n\
         func.func private @g() {\n  func.call @g() : () -> ()\n  return\n}\n",
        Vec::new(),
    );
    assert_eq!(found.severity, Severity::Error);
}

#[test]
fn tile_beyond_its_buffer() {
    let text = function("%t = pto.alloc_tile : !pto.tile_buf<vec, 512x512xf32>");
    expect(&findings(&text), "alloc_tile::capacity", &["1048576 bytes", "UB", "262144"]);
    let text = function(
        "%a = arith.constant 262112 : i64\n%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>",
    );
    expect(&findings(&text), "alloc_tile::capacity", &["262112", "UB"]);
}

/// At an address that the program computes.
#[test]
fn tile_beyond_its_buffer_at_run_time() {
    let text =
        "func.func @f(%a: i64) {\n  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>\n  return\n}";
    for address in [1u64 << 19, u64::MAX, 1 << 63] {
        let found = stops(text, vec![Value::Scalar(address)]);
        assert_eq!(found.rule, "alloc_tile::capacity", "{found:?}");
    }
}

#[test]
fn view_outside_its_buffer() {
    let text = "func.func @f(%src: !pto.ptr<f32>) {\n\
        %c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n\
        %view = pto.make_tensor_view %src, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n\
        %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n\
        pto.tload ins(%view : !pto.tensor_view<?x?xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\nreturn\n}";
    let found = stops(text, vec![buffer(255)]);
    assert_eq!(found.rule, "tload::out-of-bounds");
    for words in ["%view", "7, 7)", "256", "`src`", "255 bytes"] {
        assert!(found.message.contains(words), "`{words}` is not in: {}", found.message);
    }
}

#[test]
fn pointer_outside_its_buffer() {
    let text = "func.func @f(%p: !pto.ptr<f32>, %n: index) {\n\
        %x = pto.load_scalar %p[%n] : !pto.ptr<f32> -> f32\n  return\n}";
    for offset in [4u64, u64::MAX, 1 << 62, 1 << 38] {
        let found = stops(text, vec![buffer(16), Value::Scalar(offset)]);
        assert_eq!(found.rule, "load_scalar::out-of-bounds", "{found:?}");
    }
}

#[test]
fn valid_region_beyond_the_tile() {
    let text = function("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=9x8>");
    expect(&findings(&text), "alloc_tile::valid-region", &["9", "8"]);
    let text = "func.func @f(%n: index) {\n\
        %t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 8x8xf32, valid=?x8>\n  return\n}";
    for rows in [9u64, u64::MAX, 1 << 32, (1 << 32) + 1] {
        let found = stops(text, vec![Value::Scalar(rows)]);
        assert_eq!(found.rule, "alloc_tile::valid-region", "{found:?}");
    }
}

#[test]
fn negative_valid_region() {
    let text = function(
        "%n = arith.constant -1 : index\n%t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 8x8xf32, valid=?x8>",
    );
    let parsed = pto::parse(&text).expect("it reads");
    match pto::check(parsed.module, None) {
        Err(found) => assert_eq!(found[0].rule, "alloc_tile::valid-region"),
        Ok(_) => assert_eq!(stops(&text, Vec::new()).rule, "alloc_tile::valid-region"),
    }
    assert!(findings(&function("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=-2x8>")).len() == 1);
}

/// Many errors in one file: each is reported, up to a number that a reader can bear.
#[test]
fn many_errors_are_reported_and_bounded() {
    let lines: Vec<String> = (0..5000).map(|line| format!("%a{line} = arith.nothing %b : index")).collect();
    let found = findings(&function(&lines.join("\n")));
    assert!((10..=1000).contains(&found.len()), "{} errors", found.len());
}

/// Values used before they are defined: what they are is known late, and then it must fit.
#[test]
fn values_used_before_they_are_defined() {
    let ty = "!pto.tile_buf<vec, 8x8xf32>";
    let cases = [
        format!("pto.tadd ins(%a, %a : {ty}, {ty}) outs(%a : {ty})\n%a = arith.constant 1 : index"),
        format!(
            "%t = pto.alloc_tile : {ty}\npto.tmuls ins(%t, %s : {ty}, f32) outs(%t : {ty})\n%s = arith.constant 1.0 : f32"
        ),
        "%c = arith.constant 1 : index\nscf.for %i = %z to %c step %c {\n}\n%z = arith.constant 0 : index"
            .to_owned(),
        "%b = arith.muli %a, %a : index\n%a = arith.index_cast %b : index to i32".to_owned(),
        format!(
            "pto.tgetval ins(%t, %i : {ty}, index) outs : f32\n%t = arith.constant 1 : i32\n%i = pto.alloc_tile : {ty}"
        ),
        "%p = pto.partition_view %v, offsets = [%z], sizes = [%z] : !pto.tensor_view<?xf32>\n\
         %v = arith.constant 1 : index\n%z = arith.constant 0 : index"
            .to_owned(),
    ];
    for body in cases {
        let text = function(&body);
        survive(&text).unwrap_or_else(|message| panic!("{message}\n{text}"));
        assert!(!findings(&text).is_empty(), "{text}");
    }
}

/// Results that nobody names are kept.
#[test]
fn unnamed_results() {
    for body in [
        "pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>",
        "arith.constant 1 : index",
        "func.call @f() : () -> ()",
    ] {
        let text = function(body);
        survive(&text).unwrap_or_else(|message| panic!("{message}\n{text}"));
    }
}

/// Many names that are used before they are defined cost no more than others.
#[test]
fn many_values_used_before_they_are_defined() {
    let uses = (0..20_000).map(|n| format!("%b{n} = arith.addi %a{n}, %a{n} : index\n"));
    let definitions = (0..20_000).rev().map(|n| format!("%a{n} = arith.constant {n} : index\n"));
    let text = function(&uses.chain(definitions).collect::<String>());
    assert!(!findings(&text).is_empty());
}

/// Many of whatever a file can have many of: the time that they take grows as the file does.
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
