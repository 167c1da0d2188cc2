//! GET_BUF: takes the token of a buffer.

use super::buffer::{ATTRIBUTES, PATTERNS, RULES, check_token};
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static GET_BUF: Order = Order {
    page: page(
        "get_buf",
        "Takes the token of a buffer for the pipe that runs a class of instructions.",
        "what that pipe begins after it begins when every pipe has given the token back that took it before",
        "docs/isa/scalar/ops/pipeline-sync/get-buf.md",
        PATTERNS,
        RULES,
    )
    .with(ATTRIBUTES),
    by: By::Named("event"),
    meaning: Meaning::Token { acquires: true },
    check: check_token,
};
