//! Tests of `pto_lang::analysis::steer`.

use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_lang::analysis::{Interface, Steering, Target, Way};
use pto_lang::ir::{FunctionId, Module};
use std::fmt::Write as _;

/// A kernel with a fence inside `BODY`; the arguments are buffer 0, and scalars 1 and 2, which are 1 in a launch that is not changed.
const KERNEL: &str = "
func.func @k(%list: !pto.ptr<i32>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %far = arith.constant 1000 : i32
  BODY
  return
}";

fn ways(body: &str) -> Vec<Way> {
    let text = KERNEL.replace("BODY", body);
    let parsed = pto_lang::parse(&text).unwrap_or_else(|findings| panic!("{findings:?}\n{text}"));
    of(&parsed.module)
}

/// The alternatives for the barrier of a module.
fn of(module: &Module) -> Vec<Way> {
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    let interface = Interface::of(module, &functions, Profile::A5);
    let steering = Steering::of(module, &functions, &interface, vec![None, Some(1), Some(1)]);
    let find = |id: &FunctionId| {
        let mut operations = module.functions[*id].operations.iter();
        operations.find(|(_, operation)| operation.is(Op::BARRIER)).map(|(at, _)| (*id, at))
    };
    let (function, barrier) = functions.iter().find_map(find).expect("a barrier");
    steering.reach(function, barrier)
}

/// The alternatives for a barrier that runs only if `%chosen` holds.
fn chosen(by: &str) -> Vec<Way> {
    ways(&format!("{by}\n  scf.if %chosen {{\n    pto.barrier <PIPE_V>\n  }}"))
}

const M: Target = Target::Scalar(1);
const K: Target = Target::Scalar(2);

#[test]
fn conditions_lead_back_to_arguments() {
    for (by, want) in [
        ("%chosen = arith.cmpi sgt, %m, %far : i32", vec![(M, 1001)]),
        ("%chosen = arith.cmpi slt, %far, %m : i32", vec![(M, 1001)]),
        ("%q = arith.divsi %m, %far : i32\n %chosen = arith.cmpi eq, %q, %seven : i32", vec![(M, 7000)]),
        ("%q = arith.remsi %m, %far : i32\n %chosen = arith.cmpi eq, %q, %seven : i32", vec![(M, 7)]),
        ("%q = arith.subi %far, %m : i32\n %chosen = arith.cmpi eq, %q, %seven : i32", vec![(M, 993)]),
        (
            "%q = arith.muli %m, %seven : i32\n %r = arith.addi %q, %far : i32\n %s = arith.xori %r, %one : i32\n \
          %t = arith.constant 1706 : i32\n %chosen = arith.cmpi eq, %s, %t : i32",
            vec![(M, 101)],
        ),
        (
            "%a = arith.cmpi eq, %m, %far : i32\n %b = arith.cmpi eq, %k, %seven : i32\n %chosen = arith.andi %a, %b : i1",
            vec![(M, 1000), (K, 7)],
        ),
        (
            "%a = arith.cmpi eq, %m, %far : i32\n %q = arith.select %a, %seven, %zero : i32\n %chosen = arith.cmpi eq, %q, %seven : i32",
            vec![(M, 1000)],
        ),
        (
            "%a = arith.cmpi eq, %m, %far : i32\n %q = scf.if %a -> (i32) {\n scf.yield %k : i32\n } else {\n scf.yield %zero : i32\n }\n \
          %chosen = arith.cmpi eq, %q, %seven : i32",
            vec![(M, 1000), (K, 7)],
        ),
        // The operand that is not changed has the value of the base launch.
        ("%q = arith.addi %k, %seven : i32\n %chosen = arith.cmpi eq, %m, %q : i32", vec![(M, 8)]),
    ] {
        let found = chosen(by);
        assert!(found.contains(&want), "{by}: {found:?}");
    }
}

#[test]
fn loaded_numbers_are_elements() {
    let load =
        |name: &str, at: &str| format!("%{name} = pto.load_scalar %list[%{at}] : !pto.ptr<i32> -> i32\n");
    let both = format!(
        "{}{}%e = arith.cmpi eq, %a, %far : i32\n%f = arith.cmpi eq, %b, %seven : i32\n%chosen = arith.andi %e, %f : i1",
        load("a", "c3"),
        load("b", "c1")
    );
    assert!(chosen(&both).contains(&vec![(Target::Element(0, 1), 7), (Target::Element(0, 3), 1000)]));
    let moved = "%p = pto.addptr %list, %c3 : !pto.ptr<i32> -> !pto.ptr<i32>\n\
                 %a = pto.load_scalar %p[%c1] : !pto.ptr<i32> -> i32\n%chosen = arith.cmpi eq, %a, %far : i32";
    assert!(chosen(moved).contains(&vec![(Target::Element(0, 4), 1000)]), "{:?}", chosen(moved));
}

#[test]
fn loops_calls_and_jumps_are_guards() {
    let counted = "%n = arith.index_cast %m : i32 to index\nscf.for %i = %c0 to %n step %c1 {\n\
                   %is = arith.cmpi eq, %i, %c3 : index\nscf.if %is {\npto.barrier <PIPE_V>\n}\n}";
    assert!(ways(counted).contains(&vec![(M, 4)]), "{:?}", ways(counted));
    let block =
        "%b = pto.get_block_idx\n%five = arith.constant 5 : i64\n%chosen = arith.cmpi eq, %b, %five : i64";
    assert!(chosen(block).contains(&vec![(Target::Blocks, 6)]), "{:?}", chosen(block));
    let jumps = "%is = arith.cmpi eq, %m, %far : i32\ncf.cond_br %is, ^yes, ^no\n^yes:\npto.barrier <PIPE_V>\ncf.br ^no\n^no:";
    assert!(ways(jumps).contains(&vec![(M, 1000)]), "{:?}", ways(jumps));
    let text = "func.func private @part(%a: i32) {
  %far = arith.constant 1000 : i32
  %is = arith.cmpi eq, %a, %far : i32
  scf.if %is {
    pto.barrier <PIPE_V>
  }
  return
}
func.func @k(%list: !pto.ptr<i32>, %m: i32, %k: i32) {
  %one = arith.constant 1 : i32
  %a = arith.addi %k, %one : i32
  func.call @part(%a) : (i32) -> ()
  return
}";
    let module = pto_lang::parse(text).expect("well-formed text").module;
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    let entry_first = [functions[1], functions[0]];
    let interface = Interface::of(&module, &entry_first, Profile::A5);
    let steering = Steering::of(&module, &entry_first, &interface, vec![None, Some(1), Some(1)]);
    let operations = &module.functions[functions[0]].operations;
    let (barrier, _) = operations.iter().find(|(_, it)| it.is(Op::BARRIER)).expect("a barrier");
    assert!(steering.reach(functions[0], barrier).contains(&vec![(K, 999)]));
}

/// Sums of sums have exponentially many paths to the argument.
#[test]
fn the_search_is_bounded() {
    let mut body = "%s0 = arith.addi %m, %m : i32\n".to_owned();
    for at in 0..200 {
        writeln!(body, "%s{} = arith.addi %s{at}, %s{at} : i32", at + 1).expect("text");
    }
    body.push_str("%chosen = arith.cmpi eq, %s200, %far : i32");
    assert!(chosen(&body).len() <= 12);
}
