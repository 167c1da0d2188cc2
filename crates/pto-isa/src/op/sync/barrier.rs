//! BARRIER: all earlier instructions of a pipe complete before later ones start.

use super::named::any_pipe;
use super::order::{By, Order, page};
use super::pictures;
use crate::meaning::Meaning;
use crate::op::form::Syntax;

const SOURCE: &str = "docs/isa/scalar/ops/pipeline-sync/pipe-barrier.md";

pub(super) static BARRIER: Order = Order {
    page: page(
        "barrier",
        "Holds back later instructions of a pipe, or of all pipes of the core, until the earlier instructions have ended.",
        "the earlier instructions of pipe end before pipe begins a later one; on a2a3 two instructions of V on the same bytes \
         need a barrier between them",
        SOURCE,
        Syntax::Own(&["#pipe {}"], &[]),
        &[],
    )
    .with(&[any_pipe("pipe", "The pipe, or all pipes of the core.")])
    .pictured(pictures::BARRIERS),
    by: By::Named("pipe"),
    meaning: Meaning::Barrier,
    check: |_| {},
};
