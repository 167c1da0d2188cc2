//! Tests of `pto_lang::analysis::linear`.

use pto_lang::analysis::linear::*;
use pto_lang::ir::Function;
use pto_lang::ir::flow::Flow;

fn with<R>(text: &str, look: impl FnOnce(&Function, &Integers<'_>) -> R) -> R {
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let (_, function) = module.functions.iter().next().expect("a function");
    let flow = Flow::of(function);
    look(function, &Integers::of(function, &flow))
}

#[test]
fn offsets_in_loops_are_forms_with_bounds() {
    let text = r"
func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c8 {
    %a = arith.muli %i, %c64 : index
    %b = arith.addi %a, %c64 : index
    %m = arith.maxsi %a, %c0 : index
    %d = arith.subi %b, %m : index
    %s = arith.minsi %n, %c64 : index
    %r = arith.remsi %i, %c8 : index
  }
  return
}";
    with(text, |function, integers| {
        let value =
            |name: &str| function.values.iter().find(|(_, value)| value.name == name).expect("a value").0;
        assert_eq!(integers.form(value("d")).as_constant(), Some(64));
        assert_eq!(integers.form(value("m")), integers.form(value("a")));
        let bounds = |name: &str| integers.bounds(&integers.form(value(name)));
        assert_eq!(bounds("a"), Bounds { low: Some(0), high: Some(63 * 64) });
        assert_eq!(bounds("s"), Bounds { low: None, high: Some(64) });
        assert_eq!(bounds("r"), Bounds { low: Some(0), high: Some(7) });
        let counter = integers.counter(value("i")).expect("a counter");
        assert_eq!((counter.step, counter.rounds), (Some(8), Some(8)));
        assert_eq!(integers.scopes(value("a")), [counter.owner]);
        assert!(integers.scopes(value("n")).is_empty());
    });
}

#[test]
fn arithmetic_that_overflows_has_no_form() {
    let large = Linear::constant(i64::MAX);
    assert_eq!(large.add(&Linear::constant(1)), None);
    assert_eq!(large.mul(&Linear::constant(2)), None);
    assert_eq!(large.sub(&large), Some(Linear::constant(0)));
}
