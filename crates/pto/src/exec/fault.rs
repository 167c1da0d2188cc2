//! Why a run stops.

use crate::isa::rule::Rule;
use std::fmt;

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A rule does not hold for the run-time values: the machine runs the instruction's rules again to say which.
    Rule,
    /// This rule is broken by what a tile holds, as the sentence says.
    Broken(&'static Rule, String),
    /// A view reaches outside its buffer.
    OutOfBounds(String),
    /// An integer division or remainder by zero, at this row and column.
    DivisionByZero(u32, u32),
    /// Nothing has been done: what this describes must come from another core or rank first.
    Wait(String),
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Rule => f.write_str("the operands do not fit each other"),
            Fault::Broken(rule, message) => write!(f, "{}: {message}", rule.name),
            Fault::OutOfBounds(message) | Fault::Other(message) => f.write_str(message),
            Fault::DivisionByZero(row, col) => write!(f, "the divisor of element ({row}, {col}) is zero"),
            Fault::Wait(what) => write!(f, "no core provides {what}"),
        }
    }
}

impl std::error::Error for Fault {}
