//! RLS_BUF: gives the token of a buffer back.

use super::buffer::{ATTRIBUTES, PATTERNS, RULES, check_token};
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static RLS_BUF: Order = Order {
    page: page(
        "rls_buf",
        "Gives the token of a buffer back when the pipe has done what it was given while it held it.",
        "what that pipe has begun since get_buf is done before another pipe takes the token",
        "docs/isa/scalar/ops/pipeline-sync/rls-buf.md",
        PATTERNS,
        RULES,
    )
    .with(ATTRIBUTES),
    by: By::Named("event"),
    meaning: Meaning::Token { acquires: false },
    check: check_token,
};
