//! The reason for which an operation has no picture.

use pto::isa::Op;
use pto::isa::op::effect::Target;
use pto::isa::op::{Page, Set};

/// Reason why an operation has no picture, as a clause.
pub fn reason(op: Op) -> &'static str {
    let page = op.page();
    if let Some((_, reason)) = SINGLE.iter().find(|(single, _)| *single == op) {
        return reason;
    }
    match page.set {
        Set::Communication => {
            "it moves data between ranks or signals them, and a picture shows the tiles of one core"
        }
        Set::Sync => "it prepares queues, orders memory or cleans caches, and moves no elements of a tile",
        Set::Arith => "it computes a scalar",
        Set::Control | Set::Launch => "it moves no elements of a tile",
        Set::Value | Set::Memref => "it makes or reads a value, and moves no elements of a tile",
        Set::View => {
            "it reads or sets an address, a valid region or a scalar, and moves no elements of a tile"
        }
        Set::Elementwise | Set::TileScalar => {
            "each element of the result is computed from the elements at its own position, so that nothing moves"
        }
        _ if !writes_operands(page) => "it sets a register or an address, and moves no elements of a tile",
        _ => "its result is larger than a picture",
    }
}

/// Instructions whose reason is their own.
const SINGLE: [(Op, &str); 4] = [
    (Op::TPREFETCH, "it moves lines of global memory to the L2 cache, which holds no tiles"),
    (Op::THISTOGRAM, "its result has 256 columns for each row"),
    (Op::TQUANT_MX, "it converts blocks of 32 elements with one scale each, which are larger than a picture"),
    (Op::TRANDOM, "its elements are computed from a key and a counter, and come from no other tile"),
];

/// Whether an instruction writes one of its operands.
fn writes_operands(page: &Page) -> bool {
    page.own_effects().any(|effect| effect.access.changes() && matches!(effect.target, Target::Operand(..)))
}
