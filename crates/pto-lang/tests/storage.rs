//! Tests of `pto_lang::analysis::storage`.

use pto_lang::analysis::*;

/// The classes with two or more values, as lists of value names, in order.
fn classes(text: &str) -> Vec<Vec<String>> {
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let storage = Storage::of(&module);
    let mut classes: std::collections::BTreeMap<u32, Vec<String>> = Default::default();
    for (id, function) in module.functions.iter() {
        for (value, known) in function.values.iter() {
            classes.entry(storage.allocation(id, value)).or_default().push(known.name.clone());
        }
    }
    classes.into_values().filter(|class| class.len() > 1).collect()
}

#[test]
fn views_loops_branches_and_calls_pass_an_allocation_on() {
    let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @keep(%given: !t) -> !t {
  return %given : !t
}
func.func @main(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %d = pto.alloc_tile : !t
  %r = pto.treshape %a : !t -> !t
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> (!t) {
    scf.yield %x : !t
  }
  %k = func.call @keep(%d) : (!t) -> !t
  %e = scf.if %c -> (!t) {
    scf.yield %k : !t
  } else {
    scf.yield %d : !t
  }
  pto.tadd ins(%e, %l : !t, !t) outs(%r : !t)
  return
}";
    let expected = [vec!["given", "d", "k", "e"], vec!["a", "r"], vec!["b", "x", "l"]];
    assert_eq!(classes(text), expected);
}

#[test]
fn loops_with_a_condition_and_jumps_pass_an_allocation_on() {
    let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @main(%c: i1) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %w = scf.while (%x = %a) : (!t) -> !t {
    scf.condition(%c) %x : !t
  } do {
  ^bb0(%y: !t):
    scf.yield %y : !t
  }
  cf.br ^next(%b : !t)
^next(%z: !t):
  pto.tadd ins(%w, %w : !t, !t) outs(%z : !t)
  return
}";
    assert_eq!(classes(text), [vec!["a", "x", "y", "w"], vec!["b", "z"]]);
}

#[test]
fn a_choice_passes_both_allocations_on() {
    let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @main(%c: i1, %x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %s = arith.select %c, %a, %b : !t
  %p = arith.select %c, %x, %y : !pto.ptr<f32>
  pto.tadd ins(%s, %s : !t, !t) outs(%a : !t)
  return
}";
    assert_eq!(classes(text), [vec!["x", "y", "p"], vec!["a", "b", "s"]]);
}

#[test]
fn a_reshaped_destination_refers_to_its_own_storage_before_and_to_that_of_the_source_after() {
    let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @main() {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  pto.treshape ins(%a : !t) outs(%b : !t)
  return
}";
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let storage = Storage::of(&module);
    let (id, function) = module.functions.iter().next().expect("a function");
    let sources = |name: &str| {
        let (value, _) = function.values.iter().find(|(_, value)| value.name == name).expect("a value");
        storage.sources(id, value).len()
    };
    assert_eq!((sources("a"), sources("b")), (1, 2));
}
