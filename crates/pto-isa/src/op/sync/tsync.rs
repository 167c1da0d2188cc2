//! TSYNC: waits for events that other instructions return, or for a class of instructions.

use super::named;
use super::order::{By, Order, page};
use crate::meaning::Meaning;
use crate::op::form::{Kind, Syntax};
use crate::pipe::Pipe;
use crate::profile::A5_ONLY;
use crate::rule::Rule;

const SOURCE: &str = "docs/isa/TSYNC.md";
const A5: Rule = Rule::new(
    "a5-pipe",
    "A barrier names a class of instructions that MTE2 or MTE3 runs.",
    "docs/isa/TSYNC.md, Constraints",
)
.because("On A5 the other pipes have no such barrier.")
.instead("Write a class that MTE2 or MTE3 runs, or use `pto.barrier`.")
.only(A5_ONLY);

pub(super) static TSYNC: Order = Order {
    page: page(
        "tsync",
        "Waits until the instructions that produced values, or those of a class, have ended.",
        "with values: the instructions that produced them have ended; with op: a barrier of the pipe that runs the class",
        SOURCE,
        Syntax::Own(&["[? ins ( %values* : :values* ) ?] {}", "#op {}"], &[("values", Kind::Other)]),
        &[&A5],
    )
    .with(&[named::class("op", "The class of instructions to wait for.")
        .or_means("the instructions that produced the operands")]),
    by: By::Named("op"),
    meaning: Meaning::Barrier,
    check: |check| {
        let Some(pipe) = check.site.word("op").and_then(Pipe::of_class) else { return };
        check.require(&A5, "op", matches!(pipe, Pipe::Mte2 | Pipe::Mte3), |_| {
            format!("PIPE_{} runs these instructions: use `pto.barrier <PIPE_{0}>`", pipe.word())
        });
    },
};
