//! INITIALIZE_L2G2L_PIPE: a queue through global memory, as a value.

use super::super::order::{By, Order, page};
use super::ends::{OF_VALUE, SLOTS_OF_VALUE, VALUE, VALUE_PATTERNS, check_value};
use crate::isa::meaning::Meaning;

pub(super) static INITIALIZE_L2G2L_PIPE: Order = Order {
    page: page(
        "initialize_l2g2l_pipe",
        "Makes a queue whose slots are in global memory, with some of them in a buffer of the consumer.",
        "result is a queue of slot_num free slots in memory at first, and of local_slot_num in the buffer at second",
        "docs/designs/ptoas-tpush-tpop-design.md of the public assembler",
        VALUE_PATTERNS,
        VALUE,
    )
    .with(OF_VALUE)
    .touching(SLOTS_OF_VALUE),
    by: By::Scalar,
    meaning: Meaning::Queue { through_global: true },
    check: |check| check_value(check, "third"),
};
