//! Messages about misused flags and tokens.

use super::{counted, in_loop, operation_at, proposals, span_of};
use crate::observe::sync::{Misuse, Subject};
use crate::sim::Program;
use crate::sim::event::{FlagKey, Place, Unlike};
use pto_isa::diag::Diagnostic;
use pto_isa::rule::Rule;
use pto_isa::rules;

fn flag_text(FlagKey { from, to, id }: FlagKey) -> String {
    format!("{} to {} with number {id}", from.word(), to.word())
}

/// A flag or a token as text.
fn subject_text(subject: Subject) -> String {
    match subject {
        Subject::Flag(key) => format!("the flag of {}", flag_text(key)),
        Subject::Signal(id) => format!("the flag with number {id} for other cores"),
        Subject::Token(token) => format!("buffer token {token}"),
        Subject::Entry(queue) => format!("an entry of queue {queue}"),
    }
}

/// Rule, message and help for a misused flag or token.
fn misuse_text(misuse: Misuse, subject: Subject) -> (&'static Rule, String, &'static str) {
    match misuse {
        Misuse::SetTwice(_) => (
            &rules::sync::SET_TWICE,
            "is set again before a wait has taken it: a flag holds one set".to_owned(),
            "wait for it first, or use another number",
        ),
        Misuse::SetEarly(_) => {
            let waits = match subject {
                Subject::Flag(key) => key.to.word(),
                _ => "the other pipe",
            };
            let why =
                format!("no synchronization orders the wait of {waits} for the previous set before this one");
            (
                &rules::sync::SET_TWICE,
                format!("may be set again before a wait has taken it: {why}"),
                "let the setting pipe wait for the waiting pipe first, or use another number",
            )
        }
        Misuse::NeverSet => (
            &rules::sync::NEVER_SET,
            "is waited for, but never set: on a device this wait never ends".to_owned(),
            "set it before the wait, on every path",
        ),
        Misuse::LeftSet => (
            &rules::sync::LEFT_SET,
            "is still set at the end: the next kernel finds it set".to_owned(),
            "wait for it on every path to the end",
        ),
        Misuse::InUse(_) => (
            &rules::sync::EVENT_IN_USE,
            "is set while this instruction runs, which sets and waits for the same flag itself".to_owned(),
            "use another number, or wait for the flag before the instruction",
        ),
        Misuse::TakenTwice(_) => (
            &rules::sync::LEFT_TAKEN,
            "is acquired by a pipe that already holds it: on a device this wait never ends".to_owned(),
            "release it first",
        ),
        Misuse::LeftTaken => (
            &rules::sync::LEFT_TAKEN,
            "is not released: the next acquisition never ends".to_owned(),
            "release it after its last use, on every path to the end",
        ),
        Misuse::NotHeld => (
            &rules::sync::TOKEN_NOT_HELD,
            "is released by a pipe that does not hold it".to_owned(),
            "acquire it before, on every path to this release",
        ),
        Misuse::LeftPushed => (
            &rules::queue::LEFT,
            "is never popped: its flag is still set when the next kernel begins".to_owned(),
            "pop and free as many entries as are pushed",
        ),
        Misuse::Packed(Unlike { what, pushed, popped }) => (
            &rules::queue::PACKING,
            format!(
                "has {pushed} {what} and is popped into a tile of {popped}: a device packs the slot by them"
            ),
            "pop into a tile with the extents that arrive",
        ),
        Misuse::LeftPopped => (
            &rules::queue::NOT_FREED,
            "is popped and never freed: on a device its producer waits for the slot and never ends"
                .to_owned(),
            "free it after its last use, on every path",
        ),
    }
}

/// The help for a flag that orders an iteration of a loop after the previous one.
const ACROSS_ITERATIONS: &str = "a flag from one iteration of a loop to the next is set once before the loop, waited for \
     and set again in each iteration, and waited for once after the loop: see `pto explain flag`";

pub(in crate::observe) fn misuse_in_words(
    program: &Program,
    place: Place,
    misuse: Misuse,
    subject: Subject,
    count: u64,
) -> Diagnostic {
    let (rule, text, help) = misuse_text(misuse, subject);
    let message = format!("{} {text}", subject_text(subject));
    let proposals = proposals::misuse(program, place, misuse, subject);
    let finding = Diagnostic::error(rule, message).at(span_of(program, place));
    let mut finding = match proposals.is_empty() {
        true => finding.with_help(help),
        false => finding.with_proposals(proposals),
    };
    let of_flag = matches!((misuse, subject), (Misuse::NeverSet | Misuse::LeftSet, Subject::Flag(_)));
    if of_flag && in_loop(program, place) {
        finding = finding.with_help(ACROSS_ITERATIONS.to_owned());
    }
    let other = match misuse {
        Misuse::SetTwice(before) => Some((before, "set here")),
        Misuse::InUse(set) => Some((set, "set here")),
        Misuse::SetEarly(wait) => Some((wait, "the wait for the previous set")),
        Misuse::TakenTwice(before) => Some((before, "acquired here")),
        _ => None,
    };
    if let Some((before, label)) = other.filter(|(before, _)| *before != place)
        && let Some((_, operation)) = operation_at(program, before)
    {
        finding = finding.with_label(operation.span, label);
    }
    counted(finding, count)
}
