//! FENCE.BARRIER_ALL: makes earlier writes visible.

use super::order::{By, MEMORY, Order, page};
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::form::Syntax;

pub(super) static FENCE_BARRIER_ALL: Order = Order {
    page: page(
        "fence.barrier_all",
        "Makes everything that the core has written visible before the core continues.",
        "MTE2, MTE3 and FIX are done, and their writes visible in scope, before anything after it begins",
        MEMORY,
        Syntax::Own(&["#scope {}"], &[]),
        &[],
    )
    .with(&[AttributeSpec::words(
        "scope",
        "fence_scope",
        &["local_memory", "gm", "all"],
        "The memory whose writes are seen.",
    )]),
    by: By::Scalar,
    meaning: Meaning::Fence,
    check: |_| {},
};
