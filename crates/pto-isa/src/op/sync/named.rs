//! Attributes that name a pipe, an event or a number.

use crate::op::attribute::AttributeSpec;
use crate::op::site::Check;
use crate::pipe::{CLASS_NAMES, LONG_CLASS_NAMES, PIPES, Pipe};
use crate::rule::Rule;

/// The words of [`PIPES`], then the word for all pipes.
const WORDS: [&str; 8] =
    ["PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX", "PIPE_ALL"];

/// An attribute that is one pipe or all pipes.
pub(super) const fn any_pipe(name: &'static str, summary: &'static str) -> AttributeSpec {
    AttributeSpec::words(name, "pipe", &WORDS, summary)
}

/// An attribute that is one pipe.
pub(super) const fn one_pipe(name: &'static str, summary: &'static str) -> AttributeSpec {
    AttributeSpec::words(name, "pipe", WORDS.split_at(PIPES.len()).0, summary)
}

/// An attribute that names an event.
pub(super) const EVENT: AttributeSpec = AttributeSpec::words(
    "event",
    "event",
    &["EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3", "EVENT_ID4", "EVENT_ID5", "EVENT_ID6", "EVENT_ID7"],
    "The event identifier, one of eight for each pair of pipes.",
);

/// The long names of the classes, and the older name of their enumeration.
const OTHER_CLASSES: [(&str, &[&str]); 3] = [
    ("pipe_event_type", &LONG_CLASS_NAMES),
    ("sync_op_type", &CLASS_NAMES),
    ("sync_op_type", &LONG_CLASS_NAMES),
];

/// An attribute that is a class of instructions or a pipe.
pub(super) const fn class_or_pipe(name: &'static str, summary: &'static str) -> AttributeSpec {
    const ONE_PIPE: (&str, &[&str]) = ("pipe", WORDS.split_at(PIPES.len()).0);
    const OTHERS: &[(&str, &[&str])] = &[OTHER_CLASSES[0], OTHER_CLASSES[1], OTHER_CLASSES[2], ONE_PIPE];
    class(name, summary).or_of(OTHERS)
}

/// An attribute that is a class of instructions; it selects the pipe that runs the class.
pub(super) const fn class(name: &'static str, summary: &'static str) -> AttributeSpec {
    AttributeSpec::words(name, "pipe_event_type", &CLASS_NAMES, summary).or_of(&OTHER_CLASSES)
}

/// A list of pipes as program text.
fn words(pipes: &[Pipe]) -> String {
    pipes.iter().map(|pipe| format!("PIPE_{}", pipe.word())).collect::<Vec<_>>().join(", ")
}

/// The pipe that an attribute names; `rule` requires one of `pipes`.
pub(super) fn pipe(
    check: &mut Check<'_>,
    rule: &'static Rule,
    attribute: &str,
    pipes: &[Pipe],
) -> Option<Pipe> {
    let word = check.site.word(attribute);
    let pipe = word.and_then(Pipe::from_word).filter(|pipe| pipes.contains(pipe));
    let holds = check.require(rule, attribute, pipe.is_some(), |_| match word {
        Some(word) => format!("`{word}` is none of {}", words(pipes)),
        None => format!("`{attribute}` names no pipe: write one of {}", words(pipes)),
    });
    if let (false, Some(word)) = (holds, word) {
        check.suggest(word, words(pipes).split(", "));
    }
    pipe
}

/// Checks that the number in an attribute, or in an operand of the same name, is 0 to `last`, as far as it is
/// known.
pub(super) fn number(check: &mut Check<'_>, rule: &'static Rule, name: &str, last: i128) {
    let said = check.site.listed_attribute(name).is_some() || check.site.operand(name).is_some();
    let message = |_: &Check<'_>| format!("`{name}` is not said: write a number from 0 to {last}");
    if check.require(rule, name, said, message) {
        optional(check, rule, name, last);
    }
}

/// Checks a number in an optional attribute.
pub(super) fn optional(check: &mut Check<'_>, rule: &'static Rule, name: &str, last: i128) {
    let number = match check.site.listed_attribute(name) {
        Some(attribute) => Some(attribute.as_integer().unwrap_or(-1)),
        None => check.site.scalar(name).and_then(|(_, value)| value).map(i128::from),
    };
    let inside = number.is_none_or(|number| (0..=last).contains(&number));
    check.require(rule, name, inside, |_| match number {
        Some(number) if number != -1 => format!("`{name}` is {number}, not one of 0 to {last}"),
        _ => format!("`{name}` is not a number from 0 to {last}"),
    });
}
