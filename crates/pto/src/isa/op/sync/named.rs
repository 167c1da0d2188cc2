//! Attributes that name something: a pipe, an event, a number.

use crate::isa::op::site::Check;
use crate::isa::pipe::{EventId, Pipe};
use crate::isa::rule::Rule;

/// The pipes that one core or the other has, in the order of the manual.
pub(super) const PIPES: [Pipe; 7] =
    [Pipe::Scalar, Pipe::Vector, Pipe::Matrix, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fixpipe];

/// Pipes as programs write them.
fn words(pipes: &[Pipe]) -> String {
    pipes.iter().map(|pipe| format!("PIPE_{}", pipe.word())).collect::<Vec<_>>().join(", ")
}

/// The pipe that an attribute names, which is one of `pipes` by `rule`.
pub(super) fn pipe(
    check: &mut Check<'_>,
    rule: &'static Rule,
    attribute: &str,
    pipes: &[Pipe],
) -> Option<Pipe> {
    let word = check.site.word(attribute);
    let pipe = word.and_then(Pipe::from_word).filter(|pipe| pipes.contains(pipe));
    check.require(rule, attribute, pipe.is_some(), |_| match word {
        Some(word) => format!("`{word}` is none of {}", words(pipes)),
        None => format!("`{attribute}` names no pipe: write one of {}", words(pipes)),
    });
    pipe
}

/// An event written as `EVENT_ID3`.
pub(super) fn event(check: &mut Check<'_>, rule: &'static Rule) {
    let word = check.site.word("event");
    let known = word.and_then(EventId::from_word).is_some();
    check.require(rule, "event", known, |_| match word {
        Some(word) => format!("`{word}` is none of EVENT_ID0 to EVENT_ID7"),
        None => "`event` names no event: write one of EVENT_ID0 to EVENT_ID7".to_owned(),
    });
}

/// The number that an attribute or, under the same name, an operand gives: 0 to `last`, as far as it is known.
pub(super) fn number(check: &mut Check<'_>, rule: &'static Rule, name: &str, last: i128) {
    let said = check.site.attribute(name).is_some() || check.site.operand(name).is_some();
    let message = |_: &Check<'_>| format!("`{name}` is not said: write a number from 0 to {last}");
    if check.require(rule, name, said, message) {
        optional(check, rule, name, last);
    }
}

/// The same for what need not be said.
pub(super) fn optional(check: &mut Check<'_>, rule: &'static Rule, name: &str, last: i128) {
    let number = match check.site.attribute(name) {
        Some(attribute) => Some(attribute.as_integer().unwrap_or(-1)),
        None => check.site.scalar(name).and_then(|(_, value)| value).map(i128::from),
    };
    let inside = number.is_none_or(|number| (0..=last).contains(&number));
    check.require(rule, name, inside, |_| match number {
        Some(number) if number != -1 => format!("`{name}` is {number}, not one of 0 to {last}"),
        _ => format!("`{name}` is not a number from 0 to {last}"),
    });
}
