//! Tests of `pto_lang::analysis::expression`.

use pto_lang::analysis::*;
use pto_lang::ir::FunctionId;

#[test]
fn sums_quotients_and_extents_are_expressed_by_arguments_across_calls() {
    let text = r"
func.func private @rows(%n: index) -> index {
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %a = arith.addi %n, %c15 : index
  %b = arith.divsi %a, %c16 : index
  %m = arith.muli %b, %c16 : index
  %least = arith.minsi %m, %n : index
  return %least : index
}
func.func @main(%p: !pto.ptr<f32>, %len: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %len : i32 to index
  %r = func.call @rows(%n) : (index) -> index
  %v = pto.make_tensor_view %p, shape = [%n, %c1], strides = [%c1, %c1] : !pto.tensor_view<?x1xf32>
  %d = pto.get_tensor_view_dim %v, %c0 : !pto.tensor_view<?x1xf32> -> index
  return
}";
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    let expressions = Expressions::of(&module, &functions);
    let find = |name: &str| {
        let each =
            functions.iter().flat_map(|id| module.functions[*id].values.iter().map(move |it| (*id, it)));
        let found =
            each.filter(|(_, (_, value))| value.name == name).map(|(id, (value, _))| (id, value)).next();
        found.expect(name)
    };
    let of = |name: &str| expressions.express(find(name).0, find(name).1);
    assert_eq!(of("m").to_string(), "(len + 15) / 16 * 16");
    assert_eq!(of("least").to_string(), "min((len + 15) / 16 * 16, len)");
    assert_eq!(of("d").to_string(), "len");
    let len = find("len");
    assert_eq!(of("least").evaluate(&|id, value| ((id, value) == len).then_some(33)), Some(33));
    assert_eq!(of("m").evaluate(&|id, value| ((id, value) == len).then_some(33)), Some(48));
    assert_eq!(of("m").evaluate(&|_, _| None), None);
}
