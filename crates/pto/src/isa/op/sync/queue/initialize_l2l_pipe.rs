//! INITIALIZE_L2L_PIPE: a queue through buffers on chip, as a value.

use super::super::order::{By, Order, page};
use super::ends::{OF_VALUE, SLOTS_OF_VALUE, VALUE, VALUE_PATTERNS, check_value};
use crate::isa::meaning::Meaning;

pub(super) static INITIALIZE_L2L_PIPE: Order = Order {
    page: page(
        "initialize_l2l_pipe",
        "Makes a queue whose slots are in a buffer of the consumer.",
        "result is a queue of slot_num free slots in the buffer at first (and at second, the other way)",
        "docs/designs/ptoas-tpush-tpop-design.md of the public assembler",
        VALUE_PATTERNS,
        VALUE,
    )
    .with(OF_VALUE)
    .touching(SLOTS_OF_VALUE),
    by: By::Scalar,
    meaning: Meaning::Queue { through_global: false },
    check: |check| check_value(check, "second"),
};
