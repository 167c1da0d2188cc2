//! Each reduction alone, and all together.

use super::search::Search;
use super::{End, Judge, Limits, Mode, Progress, reductions, shrink};
use pto_lang::text::{Style, parse, print};

/// Applies a single reduction until no further use of it is accepted.
fn alone(name: &str, text: &str, mut keep: impl FnMut(&str) -> bool) -> String {
    let all: Vec<_> = reductions::all().into_iter().filter(|reduction| reduction.name() == name).collect();
    assert_eq!(all.len(), 1, "{name}");
    // A text without the reduction's own places must not be judged smaller by the canonical form alone.
    let text =
        print(&parse(text).expect("well-formed text").module, &Style { compact: true, ..Style::default() });
    let limits = Limits::default();
    let mut search = Search::of(&text, &limits, &mut keep).expect("the property holds");
    assert_eq!(search.by(&all), End::Minimal);
    search.finish(End::Minimal).text
}

/// A function with these lines.
fn function(arguments: &str, lines: &[&str]) -> String {
    let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("func.func @f({arguments}) {{\n{body}  return\n}}\n")
}

const C0: &str = "%c0 = arith.constant 0 : index";
const C1: &str = "%c1 = arith.constant 1 : index";
const C8: &str = "%c8 = arith.constant 8 : index";
const BARRIER: &str = "pto.barrier <PIPE_V>";
const TILE: &str = "%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>";
const EXP: &str = "pto.texp ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)";

#[test]
fn operations_are_erased_with_their_users() {
    let text = function("", &[TILE, EXP, BARRIER]);
    assert_eq!(alone("operations", &text, |text| text.contains("barrier")), function("", &[BARRIER]));
    // A kept operation also keeps its operands.
    let kept = alone("operations", &text, |text| text.contains("texp"));
    assert_eq!(kept, function("", &[TILE, EXP]));
}

#[test]
fn operations_without_users_are_erased() {
    let text = function("", &[C0, C1, BARRIER]);
    assert_eq!(alone("unused", &text, |_| true), function("", &[BARRIER]));
}

#[test]
fn constants_are_folded() {
    let text = function(
        "",
        &[C1, "%two = arith.addi %c1, %c1 : index", "%a = arith.addi %two, %c1 : index", BARRIER],
    );
    assert_eq!(alone("canonicalize", &text, |_| true), function("", &[BARRIER]));
}

#[test]
fn a_loop_becomes_one_round() {
    let text = function(
        "%n: index",
        &[
            C0,
            C1,
            "%s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c1) -> (index) {",
            "  %next = arith.addi %sum, %i : index",
            "  scf.yield %next : index",
            "}",
            "%r = arith.muli %s, %s : index",
        ],
    );
    let round = ["%next = arith.addi %c1, %c0 : index", "%r = arith.muli %next, %next : index"];
    assert_eq!(
        alone("regions", &text, |text| text.contains("addi")),
        function("%n: index", &[C0, C1, round[0], round[1]])
    );
    let skipped = function("%n: index", &[C0, C1, "%r = arith.muli %c1, %c1 : index"]);
    assert_eq!(alone("skipped", &text, |text| text.contains("muli")), skipped);
}

#[test]
fn a_branch_becomes_one_of_its_sides() {
    let lines = ["scf.if %b {", "  pto.barrier <PIPE_V>", "} else {", "  pto.barrier <PIPE_M>", "}"];
    let text = function("%b: i1", &lines);
    for pipe in ["PIPE_V", "PIPE_M"] {
        let side = format!("pto.barrier <{pipe}>");
        assert_eq!(alone("regions", &text, |text| text.contains(pipe)), function("%b: i1", &[&side]));
    }
}

#[test]
fn a_loop_with_a_condition_becomes_one_evaluation_of_it() {
    let lines = [
        C8,
        "%r = scf.while (%x = %c8) : (index) -> index {",
        "  %b = arith.cmpi sgt, %x, %n : index",
        "  scf.condition(%b) %x : index",
        "} do {",
        "^bb0(%y: index):",
        "  %z = arith.subi %y, %n : index",
        "  scf.yield %z : index",
        "}",
    ];
    let text = function("%n: index", &lines);
    let first = function("%n: index", &[C8, "%b = arith.cmpi sgt, %c8, %n : index"]);
    assert_eq!(alone("regions", &text, |text| text.contains("cmpi")), first);
    let second = function("%n: index", &[C8, "%z = arith.subi %c8, %n : index"]);
    assert_eq!(alone("regions", &text, |text| text.contains("subi")), second);
}

#[test]
fn carried_values_are_dropped() {
    let text = function(
        "%n: index",
        &[
            C0,
            C1,
            "%s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (index, index) {",
            "  %next = arith.addi %a, %b : index",
            "  scf.yield %next, %next : index, index",
            "}",
        ],
    );
    let dropped = alone("carried", &text, |text| text.contains("scf.for"));
    let wanted = ["scf.for %i = %c0 to %n step %c1 {", "  %next = arith.addi %c0, %c1 : index", "}"];
    assert_eq!(dropped, function("%n: index", &[&[C0, C1], &wanted[..]].concat()));
}

const JUMPS: &str = "func.func @f(%b: i1) {
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  pto.barrier <PIPE_V>
  cf.br ^bb2
^bb2:
  pto.barrier <PIPE_M>
  return
}
";

#[test]
fn jumps_go_to_one_side_and_blocks_are_merged() {
    let one = alone("jumps", JUMPS, |text| text.contains("PIPE_V"));
    assert!(one.contains("cf.br ^bb1") && !one.contains("cond_br"), "{one}");
    let other = alone("jumps", JUMPS, |text| text.contains("cond_br") || !text.contains("^bb1"));
    assert!(other.contains("cf.br ^bb2") && !other.contains("PIPE_V"), "{other}");
    assert_eq!(
        alone("blocks", &one, |_| true),
        function("%b: i1", &["pto.barrier <PIPE_V>", "pto.barrier <PIPE_M>"])
    );
}

#[test]
fn values_become_other_values_or_constants() {
    let text = function(
        "%a: index, %b: index",
        &["%s = arith.muli %a, %b : index", "%r = arith.subi %s, %s : index"],
    );
    let value = alone("values", &text, |text| text.contains("subi"));
    assert!(!value.contains("muli"), "{value}");
    for (name, number) in [("zeros", 0), ("ones", 1)] {
        let constant = format!("%s = arith.constant {number} : index");
        let wanted = function("%a: index, %b: index", &[&constant, "%r = arith.subi %s, %s : index"]);
        assert_eq!(alone(name, &text, |text| text.contains("subi")), wanted);
    }
}

#[test]
fn operands_become_small_constants() {
    let text = function("%n: index", &[C0, C1, "%s = arith.muli %n, %n : index"]);
    let smallest = alone("smallest", &text, |text| text.contains("muli"));
    assert!(smallest.contains("muli %c0, %c0"), "{smallest}");
    let second = alone("second-smallest", &text, |text| text.contains("muli"));
    assert!(second.contains("muli %c1, %c1"), "{second}");
}

#[test]
fn optional_operands_are_dropped() {
    let lines = [
        C0,
        "%t = pto.alloc_tile valid_row = %c0 valid_col = %c0 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>",
    ];
    let dropped = alone("operands", &function("", &lines), |text| text.contains("alloc_tile"));
    assert!(!dropped.contains("valid_row"), "{dropped}");
}

const CALL: &str = "func.func @f(%n: index, %b: i1) {
  func.call @g(%b, %n) : (i1, index) -> ()
  return
}
func.func @g(%unused: i1, %n: index) {
  %r = arith.muli %n, %n : index
  return
}
";

#[test]
fn functions_and_arguments_are_dropped() {
    assert_eq!(alone("functions", CALL, |text| text.contains("@f")), function("%n: index, %b: i1", &[]));
    let fewer = alone("arguments", CALL, |_| true);
    assert!(fewer.contains("@f(%n: index)") && fewer.contains("@g(%n: index)"), "{fewer}");
    assert!(fewer.contains("func.call @g(%n) : (index) -> ()"), "{fewer}");
    for (name, number) in [("arguments-0", 0), ("arguments-1", 1)] {
        let fixed = alone(name, &function("%n: index", &["%r = arith.muli %n, %n : index"]), |_| true);
        let constant = format!("%n = arith.constant {number} : index");
        assert_eq!(fixed.replace("%n_1", "%n"), function("", &[&constant, "%r = arith.muli %n, %n : index"]));
    }
}

const VIEW: &str =
    "%v = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>";

#[test]
fn shapes_shrink_in_types_and_constants() {
    let constants = ["%c16 = arith.constant 16 : index", "%c64 = arith.constant 64 : index"];
    let text = function("%x: !pto.ptr<f32>", &[C1, constants[0], constants[1], VIEW, TILE, EXP]);
    let legal = |text: &str| pto_lang::check(parse(text).expect("well-formed text").module, None).is_ok();
    let halved = alone("shapes", &text, legal);
    assert!(halved.contains("!pto.tile_buf<vec, 1x8xf32>"), "{halved}");
    assert!(halved.contains("shape = [%c1_1, %c8]"), "{halved}");
    let rows = alone("dimensions", &text, |text| legal(text) && text.contains("%c64 = arith.constant 64"));
    assert!(rows.contains("!pto.tile_buf<vec, 1x8xf32>"), "{rows}");
    let rows = alone("dimensions-1", &text, |text| legal(text) && text.contains("x64xf32"));
    assert!(rows.contains("!pto.tile_buf<vec, 1x64xf32>"), "{rows}");
    let ones = alone("shapes-1", &text, |_| true);
    assert!(ones.contains("!pto.tensor_view<1x1xf32>") && !ones.contains("arith.constant 64"), "{ones}");
}

#[test]
fn constants_shrink() {
    let text = function("", &["%c = arith.constant 100 : index", "%d = arith.constant 2.5 : f32"]);
    let zero = ["%c = arith.constant 0 : index", "%d = arith.constant 0.0 : f32"];
    assert_eq!(alone("constants-0", &text, |_| true), function("", &zero));
    let one = ["%c = arith.constant 1 : index", "%d = arith.constant 1.0 : f32"];
    assert_eq!(alone("constants-1", &text, |_| true), function("", &one));
    let halved = ["%c = arith.constant 12 : index", "%d = arith.constant 2.5 : f32"];
    let large = |text: &str| {
        ["100", "50", "25", "12"].iter().any(|number| text.contains(&format!("constant {number} ")))
    };
    assert_eq!(alone("constants", &text, large), function("", &halved));
}

#[test]
fn comments_aliases_attributes_and_modules_are_dropped() {
    let text = "// Above.
!tile = !pto.tile_buf<vec, 16x64xf32>
module attributes {pto.target_arch = \"a5\"} {
  func.func private @f() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    // Inside.
    %t = pto.alloc_tile : !tile loc(\"a.py\":1:2) // Behind.
    return
  }
}
";
    let shrunk = |name: &str| {
        let all: Vec<_> =
            reductions::all().into_iter().filter(|reduction| reduction.name() == name).collect();
        let mut keep = |_: &str| true;
        let mut search = Search::of(text, &Limits::default(), &mut keep).expect("it holds");
        search.by(&all);
        search.text().to_owned()
    };
    assert!(!shrunk("comments").contains("//"));
    assert!(!shrunk("aliases").contains("!tile ="));
    let plain = shrunk("attributes");
    assert!(
        !plain.contains("attributes") && !plain.contains("loc(") && !plain.contains("private"),
        "{plain}"
    );
    assert!(!shrunk("modules").contains("module"));
}

const LOOP: &str = "module attributes {pto.target_arch = \"a5\"} {
  func.func @other() { return }
  func.func @f(%x: f32, %n: index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
    scf.for %i = %c0 to %n step %c2 {
      %odd = arith.remsi %i, %c2 : index
      %b = arith.cmpi eq, %odd, %c0 : index
      scf.if %b {
        pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
      }
    }
    return
  }
}
";

#[test]
fn all_reductions_together_leave_the_needed_lines() {
    let legal = |text: &str| pto_lang::check(parse(text).expect("well-formed text").module, None).is_ok();
    let mut keep = |text: &str| legal(text) && text.contains("texpands");
    let shrunk = shrink(LOOP, &Limits::default(), &mut keep).expect("it holds");
    let tile = "!pto.tile_buf<vec, 1x8xf32>";
    let lines = [
        "%x = arith.constant 0.0 : f32".to_owned(),
        format!("%t = pto.alloc_tile : {tile}"),
        format!("pto.texpands ins(%x : f32) outs(%t : {tile})"),
    ];
    let wanted = function("", &lines.each_ref().map(String::as_str));
    assert_eq!(shrunk.text.replace("%x_1", "%x"), wanted);
    assert!(shrunk.is_minimal() && shrunk.mode == Mode::Program);
    assert!(shrunk.to < shrunk.from);
}

#[test]
fn constants_get_names_that_fit() {
    let text = function("", &[C1, "%c64 = arith.constant 64 : index", "%s = arith.muli %c64, %c1 : index"]);
    let shrunk =
        shrink(&text, &Limits::default(), &mut |text: &str| text.contains("muli") && text.contains("index"))
            .expect("it holds");
    assert_eq!(shrunk.text, function("", &[C0, "%s = arith.muli %c0, %c0 : index"]));
}

#[test]
fn text_that_does_not_parse_shrinks_by_lines_and_words() {
    let text = "func.func @f( {\n  %a = arith.constant\n  what is this\n  return\n";
    let shrunk =
        shrink(text, &Limits::default(), &mut |text: &str| text.contains("what") && text.contains("this"))
            .expect("it holds");
    assert_eq!((shrunk.text.as_str(), shrunk.mode, shrunk.end), ("what this\n", Mode::Text, End::Minimal));
}

#[test]
fn a_property_of_the_spelling_is_kept_as_text() {
    // The canonical form has no such blanks.
    let text = "func.func   @f() {\n  pto.barrier <PIPE_V>\n  return\n}\n";
    let shrunk = shrink(text, &Limits::default(), &mut |text: &str| text.contains("func.func   @f"))
        .expect("it holds");
    assert_eq!((shrunk.text.as_str(), shrunk.mode), ("func.func   @f", Mode::Text));
}

#[test]
fn the_original_must_have_the_property() {
    assert!(shrink(LOOP, &Limits::default(), &mut |_: &str| false).is_err());
}

#[test]
fn bounds_end_the_search_with_the_best_so_far() {
    let shrunk = shrink(LOOP, &Limits::default().max_tries(20), &mut |text: &str| text.contains("texpands"))
        .expect("it holds");
    assert_eq!((shrunk.end, shrunk.tries), (End::Tries, 20));
    assert!(shrunk.text.contains("texpands") && shrunk.to < shrunk.from);

    /// Stops after some candidates.
    struct Stopping(u32, Vec<u64>);
    impl Judge for Stopping {
        fn is_interesting(&mut self, text: &str) -> bool {
            text.contains("texpands")
        }
        fn must_stop(&mut self) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 == 0
        }
        fn tried(&mut self, progress: &Progress<'_>) {
            assert!(progress.best.contains("texpands"));
            self.1.push(progress.size.operations);
        }
    }
    let mut judge = Stopping(10, Vec::new());
    let shrunk = shrink(LOOP, &Limits::default(), &mut judge).expect("it holds");
    assert_eq!(shrunk.end, End::Stopped);
    assert!(judge.1.is_sorted_by(|a, b| a >= b), "{:?}", judge.1);
}

#[test]
fn reductions_have_distinct_names() {
    let mut names: Vec<&str> = super::reductions().iter().map(|reduction| reduction.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
