//! The methods of `Kernel`: one for each instruction.

use pto_isa::registry::Op;
use std::collections::HashSet;

/// The source of the methods: a method for each instruction is a line that names it.
const SOURCES: [&str; 10] = [
    include_str!("../src/methods/comm.rs"),
    include_str!("../src/methods/conv.rs"),
    include_str!("../src/methods/fills.rs"),
    include_str!("../src/methods/generated.rs"),
    include_str!("../src/methods/irregular.rs"),
    include_str!("../src/methods/layout.rs"),
    include_str!("../src/methods/matmul.rs"),
    include_str!("../src/methods/memory.rs"),
    include_str!("../src/methods/quant.rs"),
    include_str!("../src/methods/view.rs"),
];

/// Instructions that a kernel from Rust does not need: those of queues between cores, and of handles and pointers in
/// place of tiles.
const WITHOUT: [Op; 5] =
    [Op::SET_QUANT_SCALAR, Op::SET_QUANT_VECTOR, Op::TASSIGN, Op::TENSOR_VIEW_ADDR, Op::TILE_BUF_ADDR];

#[test]
fn every_instruction_has_a_method() {
    let words = |source: &'static str| source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let named: HashSet<&str> = SOURCES.into_iter().flat_map(words).collect();
    for op in Op::all().filter(|op| op.instruction().is_some()) {
        // The order of a kernel from Rust is that of its events.
        if WITHOUT.contains(&op) || !op.page().set.has_formulas() {
            continue;
        }
        let constant = op.name().trim_start_matches("pto.").replace('.', "_").to_uppercase();
        assert!(named.contains(constant.as_str()), "no method of `Kernel` issues {op}");
    }
}
