//! Tests of `pto_lang::ir::flow`.

use pto_lang::ir::flow::*;
use pto_lang::ir::{Function, Operation, OperationId};
use std::collections::HashMap;

/// The function of a module with one function, and its operations by the name of their first result or their
/// own name.
fn function(text: &str) -> (Function, HashMap<String, OperationId>) {
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let (_, function) = module.functions.iter().next().expect("a function");
    let name = |operation: &Operation| match operation.results.first() {
        Some(result) => function.values[*result].name.clone(),
        None => operation.short_name().to_owned(),
    };
    let named = function.operations.iter().map(|(id, operation)| (name(operation), id)).collect();
    (function.clone(), named)
}

#[test]
fn regions_see_what_stands_before_them_and_nothing_sees_into_them() {
    let (function, at) = function(
        "func.func @f(%n: index, %c: i1) {
  %a = arith.constant 1 : index
  scf.for %i = %a to %n step %a {
    %b = arith.addi %i, %a : index
    scf.if %c {
      %d = arith.addi %b, %a : index
    } else {
      %e = arith.addi %b, %a : index
    }
    %g = arith.addi %i, %a : index
  }
  %h = arith.constant 2 : index
  return
}",
    );
    let flow = Flow::of(&function);
    let dominates = |a: &str, b: &str| flow.dominates(at[a], at[b]);
    assert!(dominates("a", "h") && dominates("a", "e") && dominates("b", "d") && dominates("b", "g"));
    assert!(!dominates("d", "e") && !dominates("d", "g") && !dominates("b", "h") && !dominates("a", "a"));
    assert!(!dominates("for", "b") && dominates("for", "h"));
    let around: Vec<_> = flow.around(at["e"]).collect();
    assert_eq!(around, [at["if"], at["for"]]);
    assert_eq!(flow.operations().len(), function.operations.len());
    let variable = function.values.iter().find(|(_, value)| value.name == "i").expect("a variable").0;
    assert!(flow.reaches(variable, at["d"]) && !flow.reaches(variable, at["h"]));
}

#[test]
fn a_block_dominates_what_only_it_leads_to() {
    let (function, at) = function(
        "func.func @f(%c: i1) {
  %a = arith.constant 1 : index
  cf.cond_br %c, ^left, ^right
^left:
  %b = arith.constant 2 : index
  cf.br ^end
^right:
  %d = arith.constant 3 : index
  cf.br ^end
^end:
  %e = arith.constant 4 : index
  return
}",
    );
    let flow = Flow::of(&function);
    let dominates = |a: &str, b: &str| flow.dominates(at[a], at[b]);
    assert!(dominates("a", "b") && dominates("a", "e"));
    assert!(!dominates("b", "e") && !dominates("d", "e") && !dominates("b", "d"));
}
