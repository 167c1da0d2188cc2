//! Events between classes of instructions; each class is equivalent to the pipe that runs it.

use super::flag::NAMED;
use super::named;
use super::order::{By, Order, page};
use super::pictures;
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::site::Check;
use crate::pipe::{Pipe, class_words};
use crate::rule::Rule;

pub(super) static RECORD_EVENT: Order = Order {
    page: page(
        "record_event",
        "Records that the instructions of a class are done, for those of another class.",
        "set_flag between the pipes that run the two classes; a barrier where that is one pipe",
        SOURCE,
        NAMED,
        RULES,
    )
    .with(ATTRIBUTES)
    .pictured(pictures::EVENTS),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: false },
    check: check_event,
};

pub(super) static WAIT_EVENT: Order = Order {
    page: page(
        "wait_event",
        "Lets the instructions of a class wait for an event that another class has recorded.",
        "wait_flag between the pipes that run the two classes; nothing where that is one pipe",
        SOURCE,
        NAMED,
        RULES,
    )
    .with(ATTRIBUTES)
    .pictured(pictures::EVENTS),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: false },
    check: check_event,
};

pub(super) const SOURCE: &str = "docs/PTO_IR_manual.md of the public assembler, 4.16";
pub(super) const OPERATION: Rule = Rule::new(
    "operation",
    "Source and destination are classes of instructions: TLOAD, TSTORE_ACC, TSTORE_VEC, TMOV_M2L, TMOV_M2S, TMOV_M2B, \
     TMOV_M2V, TMOV_V2M, TMATMUL, TVEC or TVECWAIT_EVENT.",
    "docs/PTO_IR_manual.md of the public assembler, 3.2; include/PTO/IR/PTOAttrs.td of the public assembler",
)
.because("The pipes that are ordered follow from these classes.")
.instead("Write one of the classes in the statement.");

pub(super) const ATTRIBUTES: &[AttributeSpec] = &[
    named::class("src", "The class of instructions that come before the event."),
    named::class("dst", "The class of instructions that come after it."),
    named::EVENT,
];

/// Checks an attribute that names a class of instructions.
pub(super) fn class(check: &mut Check<'_>, rule: &'static Rule, attribute: &str) {
    let word = check.site.word(attribute);
    check.require(rule, attribute, word.and_then(Pipe::of_class).is_some(), |_| match word {
        Some(word) => format!("`{word}` is none of {}", class_words()),
        None => format!("`{attribute}` names no class of instructions: write one of {}", class_words()),
    });
}

fn check_event(check: &mut Check<'_>) {
    class(check, &OPERATION, "src");
    class(check, &OPERATION, "dst");
    named::event(check, &super::flag::EVENT);
}

pub(super) const RULES: &[&Rule] = &[&OPERATION, &super::flag::EVENT];
