//! What is wrong with a flag or a token, in words.

use super::{counted, operation_at, span_of};
use crate::diag::Diagnostic;
use crate::isa::rule::Rule;
use crate::isa::rules;
use crate::observe::sync::{Misuse, Subject};
use crate::sim::Program;
use crate::sim::event::{FlagKey, Place};

fn flag_text(FlagKey { from, to, id }: FlagKey) -> String {
    format!("{} to {} with number {id}", from.word(), to.word())
}

/// A flag or a token in words.
fn subject_text(subject: Subject) -> String {
    match subject {
        Subject::Flag(key) => format!("the flag of {}", flag_text(key)),
        Subject::Signal(id) => format!("the flag with number {id} for other cores"),
        Subject::Token(token) => format!("buffer token {token}"),
    }
}

/// What is wrong with a flag or a token, and what to do: the rule, the sentence about it, and the help.
fn misuse_text(misuse: Misuse, subject: Subject) -> (&'static Rule, String, &'static str) {
    match misuse {
        Misuse::SetTwice(_) => (
            &rules::sync::SET_TWICE,
            "is set while it is still set: a flag holds one".to_owned(),
            "wait for it first, or use another number",
        ),
        Misuse::SetEarly(_) => {
            let waits = match subject {
                Subject::Flag(key) => key.to.word(),
                _ => "the other pipe",
            };
            let why = format!("nothing says that {waits} has come past its wait for the set before");
            (
                &rules::sync::SET_TWICE,
                format!("may be set while it is still set: {why}"),
                "let the pipe that sets it wait for the other one first, or use another number",
            )
        }
        Misuse::NeverSet => (
            &rules::sync::NEVER_SET,
            "is waited for, but was not set: a device waits here for ever".to_owned(),
            "set it before, on every way that leads here",
        ),
        Misuse::LeftSet => (
            &rules::sync::LEFT_SET,
            "is still set at the end: the next kernel finds it set".to_owned(),
            "wait for it on every way that leads to the end",
        ),
        Misuse::InUse(_) => (
            &rules::sync::EVENT_IN_USE,
            "is in flight over this instruction, which sets and awaits it itself".to_owned(),
            "use another number, or wait for the flag before",
        ),
        Misuse::TakenTwice(_) => (
            &rules::sync::LEFT_TAKEN,
            "is taken by a pipe that has it already: a device waits here for ever".to_owned(),
            "give it back first",
        ),
        Misuse::LeftTaken => (
            &rules::sync::LEFT_TAKEN,
            "is not given back: who takes it next waits for ever".to_owned(),
            "give it back behind its last use, on every way that leads to the end",
        ),
    }
}

pub(in crate::observe) fn misuse_in_words(
    program: &Program,
    place: Place,
    misuse: Misuse,
    subject: Subject,
    count: u64,
) -> Diagnostic {
    let (rule, text, help) = misuse_text(misuse, subject);
    let message = format!("{} {text}", subject_text(subject));
    let mut finding = Diagnostic::error(rule, message).at(span_of(program, place)).with_help(help.to_owned());
    let other = match misuse {
        Misuse::SetTwice(before) => Some((before, "set here")),
        Misuse::InUse(set) => Some((set, "set here")),
        Misuse::SetEarly(wait) => Some((wait, "the wait for the set before")),
        Misuse::TakenTwice(before) => Some((before, "taken here")),
        _ => None,
    };
    if let Some((before, label)) = other.filter(|(before, _)| *before != place)
        && let Some((_, operation)) = operation_at(program, before)
    {
        finding = finding.with_label(operation.span, label);
    }
    counted(finding, count)
}
