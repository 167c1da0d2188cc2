//! Tests of `pto_lang::analysis::live`.

use pto_isa::{Op, Profile};
use pto_lang::analysis::*;
use pto_lang::ir::flow::Flow;

/// The live ranges of the tiles of the last function, by name; operations are given by their words.
fn lives(text: &str) -> Vec<String> {
    let module = pto_lang::parse(text).unwrap_or_else(|findings| panic!("{findings:#?}")).module;
    let (id, function) = module.functions.iter().last().expect("a function");
    let storage = Storage::of(&module);
    let liveness = Liveness::of(&module, id, &storage, Profile::A2A3);
    let flow = Flow::of(function);
    let word = |place: usize| function.operations[flow.operations()[place]].short_name().to_owned();
    let mut lines = Vec::new();
    for (_, operation) in function.operations.iter().filter(|(_, operation)| operation.is(Op::ALLOC_TILE)) {
        let value = operation.results[0];
        let allocation = storage.allocation(id, value);
        let ranges: Vec<String> = liveness
            .ranges(allocation)
            .iter()
            .map(|range| {
                format!("{}:{} to {}:{}", range.first, word(range.first), range.last, word(range.last))
            })
            .collect();
        let entry = if liveness.is_needed_at_entry(allocation) { " from entry" } else { "" };
        lines.push(format!("{}: {}{entry}", function.values[value].name, ranges.join(", ")));
    }
    lines
}

fn program(lines: &str) -> String {
    format!(
        "!t = !pto.tile_buf<vec, 8x16xf32>
func.func @f(%x: !pto.ptr<f32>, %n: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %v = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : !pto.tensor_view<8x16xf32>
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
{lines}
  return
}}
"
    )
}

#[test]
fn a_tile_lives_from_its_write_to_its_last_read() {
    let text = program(
        "  pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  pto.texp ins(%a : !t) outs(%b : !t)
  pto.tadd ins(%b, %b : !t, !t) outs(%b : !t)
  pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  pto.tstore ins(%b : !t) outs(%v : !pto.tensor_view<8x16xf32>)
  pto.tstore ins(%a : !t) outs(%v : !pto.tensor_view<8x16xf32>)",
    );
    assert_eq!(lives(&text), ["a: 7:tload to 8:texp, 10:tload to 12:tstore", "b: 8:texp to 11:tstore"]);
}

#[test]
fn what_a_loop_reads_again_lives_through_it() {
    let text = program(
        "  pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  scf.for %i = %c0 to %n step %c1 {
    pto.texp ins(%a : !t) outs(%b : !t)
    pto.tstore ins(%b : !t) outs(%v : !pto.tensor_view<8x16xf32>)
    %s = arith.addi %i, %c1 : index
  }",
    );
    assert_eq!(lives(&text), ["a: 7:tload to 11:addi", "b: 9:texp to 10:tstore"]);
}

#[test]
fn a_branch_that_does_not_write_keeps_what_was_there() {
    let text = program(
        "  pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  scf.if %c {
    pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  }
  pto.tstore ins(%a : !t) outs(%v : !pto.tensor_view<8x16xf32>)
  scf.if %c {
    pto.texp ins(%a : !t) outs(%b : !t)
  } else {
    pto.texp ins(%b : !t) outs(%b : !t)
  }",
    );
    let lives = lives(&text);
    assert_eq!(lives[0], "a: 7:tload to 12:texp");
    assert!(lives[1].ends_with("from entry"), "{lives:?}");
}

#[test]
fn parts_carried_values_and_changed_regions_keep_the_whole_alive() {
    let text = program(
        "  pto.tload ins(%v : !pto.tensor_view<8x16xf32>) outs(%a : !t)
  %p = pto.subview %a[%c0, %c0] sizes [4, 16] : !t -> !pto.tile_buf<vec, 4x16xf32>
  pto.texp ins(%p : !pto.tile_buf<vec, 4x16xf32>) outs(%p : !pto.tile_buf<vec, 4x16xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%k = %b) -> (!t) {
    pto.tadd ins(%a, %k : !t, !t) outs(%k : !t)
    scf.yield %k : !t
  }
  pto.tstore ins(%last : !t) outs(%v : !pto.tensor_view<8x16xf32>)",
    );
    assert_eq!(lives(&text), ["a: 7:tload to 12:yield", "b: 0:constant to 13:tstore from entry"]);
}
