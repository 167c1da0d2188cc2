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
        "Lets a pipe, or every pipe of the core, finish what it was given before it begins anything after it.",
        "what pipe has begun before it is done before what pipe begins after it; on a2a3 two instructions of V on the same \
         bytes need one between them",
        SOURCE,
        Syntax::Own(&["#pipe {}"], &[]),
        &[],
    )
    .with(&[any_pipe("pipe", "The pipe, or all of the core.")])
    .pictured(pictures::BARRIERS),
    by: By::Named("pipe"),
    meaning: Meaning::Barrier,
    check: |_| {},
};
