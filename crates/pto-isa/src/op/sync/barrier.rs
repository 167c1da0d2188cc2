//! BARRIER: all earlier instructions of a pipe complete before later ones start.

use super::named::{self, PIPES, any_pipe};
use super::order::{By, Order, page};
use super::pictures;
use crate::meaning::Meaning;
use crate::op::form::Syntax;
use crate::pipe::Pipe;
use crate::rule::Rule;

const SOURCE: &str = "docs/isa/scalar/ops/pipeline-sync/pipe-barrier.md";
const PIPE: Rule = Rule::new(
    "pipe",
    "The barrier is of a pipe, or of PIPE_ALL.",
    "docs/isa/scalar/ops/pipeline-sync/pipe-barrier.md, Constraints",
)
.because("Another word names no pipe, so nothing would be ordered.")
.instead("Write a pipe such as PIPE_V, or PIPE_ALL.");

pub(super) static BARRIER: Order = Order {
    page: page(
        "barrier",
        "Lets a pipe, or every pipe of the core, finish what it was given before it begins anything after it.",
        "what pipe has begun before it is done before what pipe begins after it; on a2a3 two instructions of V on the same \
         bytes need one between them",
        SOURCE,
        Syntax::Own(&["#pipe {}"], &[]),
        &[&PIPE],
    )
    .with(&[any_pipe("pipe", "The pipe, or all of the core.")])
    .pictured(pictures::BARRIERS),
    by: By::Named("pipe"),
    meaning: Meaning::Barrier,
    check: |check| {
        let pipes = [&PIPES[..], &[Pipe::All]].concat();
        named::pipe(check, &PIPE, "pipe", &pipes);
    },
};
