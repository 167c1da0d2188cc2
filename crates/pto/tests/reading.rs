//! The parser: accepted text, and errors for bad text. Each test is named after the property that it shows; the programs
//! are in `tests/reading`.

use crate::support::launch;

use pto::text::{PrintedSpelling, Style, print};
use std::path::Path;

fn file(name: &str) -> String {
    launch::text(&format!("reading/{name}"))
}

/// The errors of a text, each with its rule.
fn errors(text: &str) -> Vec<String> {
    launch::errors(text).iter().map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

fn printed(text: &str) -> String {
    print(
        &launch::module(text),
        &Style {
            spelling: PrintedSpelling::Destination,
            compact: true,
            source: Some(text),
            ..Style::default()
        },
    )
}

/// A value that is used before its definition in a wrong statement is dropped with its function.
#[test]
fn parser_panic() {
    let errors = errors(&file("parser_panic.pto"));
    assert!(!errors.is_empty() && errors.iter().all(|error| error.starts_with("syntax: ")), "{errors:?}");
}

/// Aliases that grow exponentially are rejected before they use memory.
#[test]
fn attribute_alias_bomb() {
    let errors = errors(&file("attribute_alias_bomb.pto"));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("attribute aliases expand to more than"), "{errors:?}");
}

/// One mistyped alias is one error: its uses and the aliases after it are not reported.
#[test]
fn alias_typo() {
    assert_eq!(
        errors(&file("alias_typo.pto")),
        ["tile-type: `foo` is not a value for `pad`, which is null, zero, max, min or a number"]
    );
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

/// Sibling modules may have functions of the same name; a call refers to its own module's function.
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

/// The address space of a pointer into a tile is named by the location or by the buffer.
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

/// The generic form states which of the optional operands are present.
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
    assert_eq!(wrong, ["syntax: `operandSegmentSizes` has 3 operands, but there are 1"]);
}

/// Strings keep their bytes when printed, with any spelling of escapes.
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

/// The printed text after a conversion through `forms` and back to `ins` and `outs`.
fn through(text: &str, forms: &[PrintedSpelling]) -> String {
    forms.iter().fold(text.to_owned(), |text, form| {
        print(
            &launch::module(&text),
            &Style { spelling: *form, compact: true, source: None, ..Style::default() },
        )
    })
}

const ROUND: [PrintedSpelling; 4] = [
    PrintedSpelling::Ssa,
    PrintedSpelling::Destination,
    PrintedSpelling::Assembly,
    PrintedSpelling::Destination,
];

/// An f32 argument by number after a run whose arguments count from 1, and the printed text.
fn run(text: &str, argument: usize) -> (Vec<f32>, Vec<String>) {
    let outcome = launch::run_text(text, None, &pto::sim::Options::default());
    (launch::floats(&outcome.buffers[argument].bytes), outcome.printed)
}

/// TRESHAPE in its own spelling, in the spellings of other instructions, and into an existing tile.
#[test]
fn treshape_in_all_three_spellings() {
    let text = file("treshape_spellings.pto");
    assert_eq!(errors(&text), [""; 0]);
    let printed = printed(&text);
    assert_eq!(printed.matches("%d = pto.treshape %src").count(), 3, "{printed}");
    assert_eq!(printed.matches("pto.treshape ins(%src").count(), 3, "{printed}");
    let first = through(&text, &[PrintedSpelling::Destination]);
    assert_eq!(through(&first, &ROUND), first);
}

#[test]
fn treshape_into_an_allocated_tile() {
    let text = file("treshape_into.pto");
    let counted: Vec<f32> = (1..=64).map(|value| value as f32).collect();
    assert_eq!(run(&text, 1).0[..64], counted);
    let twice: Vec<f32> = counted.iter().map(|value| 2.0 * value).collect();
    assert_eq!(run(&text, 2).0[..64], twice);
}

/// The rules of TRESHAPE apply to an existing destination as to a new tile.
#[test]
fn treshape_into_another_size_is_refused() {
    let text = file("treshape_into.pto")
        .replace("!w = !pto.tile_buf<vec, 8x8xf32>", "!w = !pto.tile_buf<vec, 8x16xf32, valid=8x8>");
    let errors = errors(&text);
    assert!(errors.iter().any(|error| error.starts_with("treshape::bytes: ")), "{errors:?}");
}

#[test]
fn fp_with_a_dot() {
    let text = file("fp_dotted.pto");
    assert_eq!(errors(&text), [""; 0]);
    let first = through(&text, &[PrintedSpelling::Destination]);
    assert_eq!(
        first.matches("pto.tinsert_fp ").count() + first.matches("pto.textract_fp ").count(),
        4,
        "{first}"
    );
    assert_eq!(through(&first, &ROUND), first);
}

/// A window whose row and column are omitted starts at (0, 0).
#[test]
fn offsets_left_out() {
    let text = file("offsets_left_out.pto");
    assert_eq!(errors(&text), [""; 0]);
    let first = through(&text, &[PrintedSpelling::Destination]);
    assert_eq!(through(&first, &ROUND), first);
    let program = |offsets: &str, types: &str| {
        format!(
            "!t = !pto.tile_buf<vec, 8x8xf32>\nfunc.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{\n  \
             %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n  \
             %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n  \
             %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n  \
             %a = pto.alloc_tile : !t\n  %b = pto.alloc_tile : !t\n  %d = pto.alloc_tile : !t\n  \
             pto.tload ins(%xv : !pto.tensor_view<8x8xf32>) outs(%a : !t)\n  \
             pto.textract ins(%a{offsets} : !t{types}) outs(%b : !t)\n  \
             pto.tinsert ins(%b{offsets} : !t{types}) outs(%d : !t)\n  \
             pto.tstore ins(%d : !t) outs(%yv : !pto.tensor_view<8x8xf32>)\n  return\n}}\n"
        )
    };
    let (short, long) = (run(&program("", ""), 1).0, run(&program(", %c0, %c0", ", index, index"), 1).0);
    assert_eq!(short, long);
    assert_eq!(short[9], 10.0);
}

/// The scalar of TMOV is printed in one way, independent of the parsed spelling.
#[test]
fn tmov_scalar() {
    let text = file("tmov_scalar.pto");
    assert_eq!(errors(&text), [""; 0]);
    let printed = through(&text, &[PrintedSpelling::Destination]);
    let lines: Vec<_> = printed.lines().filter(|line| line.contains("pto.tmov")).collect();
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.contains(">, %q : i64) outs(")), "{printed}");
}

#[test]
fn tconcat_two_results() {
    let text = file("tconcat_two_results.pto");
    let ssa = through(&text, &[PrintedSpelling::Ssa]);
    assert!(ssa.contains("%d, %n = pto.tconcat %a, %a, %i, %i :") && !ssa.contains("into"), "{ssa}");
    assert_eq!(through(&ssa, &[PrintedSpelling::Destination, PrintedSpelling::Ssa]), ssa);
}

#[test]
fn tcolsum_dictionary() {
    let text = through(&file("tcolsum_dictionary.pto"), &[PrintedSpelling::Destination]);
    assert_eq!(text.matches("%tmp {isBinary = true} :").count(), 2, "{text}");
    assert_eq!(text.matches("ins(%a : ").count(), 1, "{text}");
    assert_eq!(through(&text, &ROUND), text);
}

/// The assembler asks for commas between the operands that open a queue, and for the type of every call.
#[test]
fn what_the_assembler_demands_is_printed() {
    let text = printed(&file("queue_and_call.pto"));
    let operands = [
        "gm_slot_buffer = %g : !pto.ptr<f32>, c2v_consumer_buf = %b : i32)",
        "(c2v_consumer_buf = %b : i32)",
    ];
    assert!(operands.iter().all(|operands| text.contains(operands)), "{text}");
    assert!(text.contains("func.call @h() : () -> ()"), "{text}");
    assert_eq!(printed(&text), text);
}

/// TPRINT of views of global memory, and of tiles with a workspace there.
#[test]
fn tprint_views() {
    let text = file("tprint_views.pto");
    assert_eq!(errors(&text), [""; 0]);
    let printed = run(&text, 0).1;
    assert_eq!(printed.len(), 3);
    assert_eq!(printed[0], "%p: view 2x3 f32\n  [17.0, 18.0, 19.0]\n  [33.0, 34.0, 35.0]");
    assert!(printed[1].starts_with("%t: 16x16xf32 mat, valid 16x16\n  [1.0, 2.0, "), "{}", printed[1]);
    let first = through(&text, &[PrintedSpelling::Destination]);
    assert_eq!(through(&first, &ROUND), first);
}

/// A slot is freed with the tile that was popped from it.
#[test]
fn tfree_tile() {
    let text = file("tfree_tile.pto");
    assert!(text.contains("pto.tfree(%got, %end : !vec, !pto.pipe)"));
    assert_eq!(errors(&text), [""; 0]);
    let generic = text.replace(
        "pto.tfree(%got, %end : !vec, !pto.pipe) {split = 1}",
        "\"pto.tfree\"(%got, %end) {split = 1} : (!vec, !pto.pipe) -> ()",
    );
    assert_eq!(printed(&generic), printed(&text));
}

/// Lines of the manual's pages are parsed literally, with a lint, and printed with their types.
#[test]
fn manual_types() {
    let text = file("manual_types.pto");
    assert_eq!(errors(&text), [""; 0]);
    let lints = pto::parse(&text).expect("a module").lints;
    assert!(lints.iter().all(|lint| lint.rule == "manual-type"), "{lints:#?}");
    assert!(lints.len() >= 8, "{}", lints.len());
    let printed = printed(&text);
    assert!(!printed.contains("...") && !printed.contains("half"), "{printed}");
    assert!(printed.contains("%dst = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>"), "{printed}");
    let open = "func.func @k(%a: !pto.tile<...>) { return }";
    assert!(errors(open)[0].contains("write them out"));
    let unknown = "func.func @k(%a: !pto.tile<16x16xf32>) {\n  %d = tmov.m2l %a : !pto.tile<...> -> !pto.tile<...>\n  return\n}\n";
    assert!(errors(unknown).iter().any(|error| error.contains("write it out")));
}

/// A queue value also has a number, and quantizes like a numbered queue.
#[test]
fn set_quant_vector_l2g2l() {
    let text = file("set_quant_vector_l2g2l.pto");
    assert_eq!(errors(&text), [""; 0]);
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/instructions/set_quant_vector.pto");
    let example = std::fs::read_to_string(example).expect("an example");
    let stored =
        |text: &str| launch::run_text(text, None, &pto::sim::Options::default()).buffers[3].bytes.clone();
    assert_eq!(stored(&text), stored(&example));
    let another = errors(&text.replace("{id = 0}", "{id = 5}"));
    assert!(another.iter().any(|error| error.starts_with("queue::quantization")), "{another:?}");
}

/// A symbol that is not a plain name keeps its quotes.
#[test]
fn quoted_symbols() {
    let text = "func.func @\"a b\"(%c: i1) {\n  return\n}\n\nfunc.func @main(%c: i1) {\n  func.call @\"a b\"(%c) : (i1) -> ()\n  return\n}\n";
    let once = printed(text);
    assert_eq!(once.matches("@\"a b\"(").count(), 2, "{once}");
    assert_eq!(printed(&once), once);
}
