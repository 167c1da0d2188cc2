//! Tests of `pto_lang::ir::rewrite::copy`.

use pto_isa::registry::Op;
use pto_lang::ir::rewrite::{Point, Rewriter};
use std::collections::HashMap;

#[test]
fn a_loop_is_copied_with_its_body() {
    let text = "func.func @f(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (index) {
    %more = arith.addi %sum, %i : index
    pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
    scf.yield %more : index
  }
  return
}";
    let mut module = pto_lang::parse(text).expect("well-formed text").module;
    let (function, _) = module.functions.iter().next().expect("a function");
    module.rewrite(function, |rewriter| {
        let of = |rewriter: &Rewriter<'_>, op: Op| {
            rewriter
                .all_operations()
                .into_iter()
                .find(|id| rewriter.operation(*id).is(op))
                .expect("an operation")
        };
        let (one, end) = (of(rewriter, Op::SCF_FOR), of(rewriter, Op::FUNC_RETURN));
        let sum = rewriter.operation(one).results[0];
        let init = rewriter.operation(one).value("init").expect("a value");
        rewriter.copy(one, Point::Before(end), &mut HashMap::from([(init, sum)])).expect("both are there");
    });
    let printed = pto_lang::text::print(&module, &Default::default());
    let again = pto_lang::parse(&printed).expect("well-formed text");
    assert_eq!(pto_lang::text::print(&again.module, &Default::default()), printed);
    assert_eq!(printed.matches("scf.for").count(), 2);
    assert!(printed.contains("%s_1 = scf.for %i_1 = %s to %n step %c1 iter_args(%sum_1 = %s)"), "{printed}");
}
