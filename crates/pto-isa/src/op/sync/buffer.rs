//! Buffer tokens: instructions of several pipes that hold the same token run in program order.

use super::named;
use super::order::{By, Order, page};
use super::pictures;
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::form::Syntax;
use crate::op::site::Check;
use crate::rule::Rule;

pub(super) static GET_BUF: Order = Order {
    page: page(
        "get_buf",
        "Takes the token of a buffer for the pipe that runs a class of instructions.",
        "the later instructions of the pipe begin when every pipe that took the token before has given it back",
        "docs/isa/scalar/ops/pipeline-sync/get-buf.md",
        PATTERNS,
        RULES,
    )
    .with(ATTRIBUTES)
    .pictured(pictures::TOKENS),
    by: By::Named("event"),
    meaning: Meaning::Token { acquires: true },
    check: check_token,
};

pub(super) static RLS_BUF: Order = Order {
    page: page(
        "rls_buf",
        "Gives the token of a buffer back when the instructions of the pipe since get_buf have ended.",
        "the instructions of the pipe since get_buf end before another pipe takes the token",
        "docs/isa/scalar/ops/pipeline-sync/rls-buf.md",
        PATTERNS,
        RULES,
    )
    .with(ATTRIBUTES)
    .pictured(pictures::TOKENS),
    by: By::Named("event"),
    meaning: Meaning::Token { acquires: false },
    check: check_token,
};

pub(super) const ID: Rule = Rule::new(
    "id",
    "There are 32 tokens, 0 to 31.",
    "docs/isa/scalar/ops/pipeline-sync/get-buf.md, Target-Profile Restrictions",
)
.because("A core has 32 tokens.")
.instead("Write an id from 0 to 31.");
pub(super) const MODE: Rule = Rule::new(
    "mode",
    "The mode is 0, which waits when the token is taken, or 1, which waits when it is given back.",
    "docs/isa/micro-isa/01-pipeline-sync.md of the public assembler, Mode Parameter",
)
.because("The token is waited for at one of its two ends.")
.instead("Write mode 0 or 1.");

fn check_token(check: &mut Check<'_>) {
    named::number(check, &ID, "id", 31);
    named::optional(check, &MODE, "mode", 1);
}

pub(super) const ATTRIBUTES: &[AttributeSpec] = &[
    named::class_or_pipe(
        "event",
        "The class of instructions, or the pipe such as PIPE_V, that takes the token or gives it back.",
    ),
    AttributeSpec::integer("id", "The number of the token, 0 to 31."),
    AttributeSpec::integer(
        "mode",
        "Whether to wait where the token is taken (0), or where it is given back (1).",
    )
    .or_integer(0),
];
pub(super) const PATTERNS: Syntax = Syntax::Own(&["[ #event , #id ] {}", "[ #event , #id , #mode ] {}"], &[]);
pub(super) const RULES: &[&Rule] = &[&ID, &MODE];
