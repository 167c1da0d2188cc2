//! Tests of `pto_lang::analysis::linear`.

use pto_lang::analysis::linear::*;
use pto_lang::ir::Function;
use pto_lang::ir::flow::Flow;

fn with<R>(text: &str, look: impl FnOnce(&Function, &Integers<'_>) -> R) -> R {
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let (_, function) = module.functions.iter().next().expect("a function");
    let flow = Flow::of(function);
    look(function, &Integers::of(function, &module.types, &flow))
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

/// `64 * i` fits i16 in the first loop, whose counter is at most 127, and wraps in the second one.
#[test]
fn narrow_results_have_forms_where_they_do_not_wrap() {
    let text = r"
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %few = arith.constant 128 : index
  %many = arith.constant 1024 : index
  %c64 = arith.constant 64 : i16
  scf.for %i = %c0 to %few step %c1 {
    %small = arith.index_cast %i : index to i16
    %a = arith.muli %small, %c64 : i16
    %x = arith.index_castui %a : i16 to index
  }
  scf.for %j = %c0 to %many step %c1 {
    %small = arith.index_cast %j : index to i16
    %b = arith.muli %small, %c64 : i16
    %y = arith.index_castui %b : i16 to index
  }
  return
}";
    with(text, |function, integers| {
        let value = |name: &str| {
            let found = function.values.iter().find(|(_, value)| value.name == name);
            found.expect("a value").0
        };
        let form = |name: &str| integers.form(value(name));
        assert_eq!(form("x"), form("i").mul(&Linear::constant(64)).expect("a small form"));
        assert_ne!(form("b"), form("j").mul(&Linear::constant(64)).expect("a small form"));
        let range = Bounds { low: Some(-(1 << 15)), high: Some((1 << 15) - 1) };
        assert_eq!(integers.bounds(&form("b")), range);
        assert_ne!(form("y"), form("b"), "a negative number is read as a positive one");
    });
}
