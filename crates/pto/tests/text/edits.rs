//! The edits of findings on misspelt words correct them.

use crate::support::launch::errors;
use pto::diag::apply;

#[test]
fn a_misspelt_word_is_replaced_by_the_nearest() {
    let program = "!t = !pto.tile_buf<vec, 8x8xf32>
func.func @k(%a: !t, %p: !pto.ptr<f32>) {
  %sum = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, blayout=row_major>
  pto.tadd ins(%a, %a : !t, !t) outs(%sum : !t)
  \"pto.tneg\"(%sum, %sum) : (!t, !t) -> ()
  %b = arith.constant 1 : i32
  return
}
";
    assert_eq!(errors(program), []);
    for (right, wrong, rule) in [
        ("func.func", "func.fun", "syntax"),
        ("pto.tadd ins", "pto.taddd ins", "unknown-operation"),
        ("\"pto.tneg\"", "\"pto.tnegg\"", "unknown-operation"),
        ("arith.constant", "arith.constnat", "unknown-operation"),
        ("outs(", "out(", "syntax"),
        ("!pto.ptr", "!pto.prt", "unknown-type"),
        ("ptr<f32>", "ptr<f322>", "unknown-type"),
        ("!pto.tile_buf", "!pto.tile_bfu", "unknown-type"),
        (": i32", ": i322", "unknown-type"),
        ("outs(%sum", "outs(%summ", "undefined-value"),
        ("blayout=", "bloyaut=", "tile-type"),
        ("row_major", "row_mayor", "tile-type"),
    ] {
        let broken = program.replacen(right, wrong, 1);
        let found = errors(&broken);
        let [first, ..] = found.as_slice() else { panic!("{wrong} is accepted") };
        assert_eq!(first.rule, rule, "{wrong}: {found:#?}");
        assert_eq!(apply(&broken, &first.edits), program, "{wrong}: {first:#?}");
    }
}

#[test]
fn a_word_that_is_near_to_none_has_no_edit() {
    let found = errors("func.func @k() {\n  pto.something_else\n  return\n}\n");
    assert!(found[0].edits.is_empty(), "{found:#?}");
}
