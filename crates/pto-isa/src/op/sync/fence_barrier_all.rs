//! FENCE.BARRIER_ALL: makes earlier writes visible.

use super::order::{By, MEMORY, Order, page};
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::form::Syntax;

pub(super) static FENCE_BARRIER_ALL: Order = Order {
    page: page(
        "fence.barrier_all",
        "Makes all earlier writes of the core visible before the core continues.",
        "the earlier instructions of MTE2, MTE3 and FIX end, and their writes become visible in scope, before a later \
         instruction begins",
        MEMORY,
        Syntax::Own(&["#scope {}"], &[]),
        &[],
    )
    .with(&[AttributeSpec::words(
        "scope",
        "fence_scope",
        &["local_memory", "gm", "all"],
        "The memory whose writes become visible.",
    )]),
    by: By::Scalar,
    meaning: Meaning::Fence,
    check: |_| {},
};
