//! Faults: the reasons why a run stops.

use crate::rule::Rule;
use std::fmt;

/// The reason why an instruction cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The run-time values violate a rule: the machine checks the instruction's rules again to find which one.
    Rule,
    /// The contents of a tile violate this rule, as the message states.
    Broken(&'static Rule, String),
    /// A view extends outside its buffer.
    OutOfBounds(String),
    /// An integer division or remainder by zero, at this row and column.
    DivisionByZero(u32, u32),
    /// The instruction must wait: it has done nothing, because another core or rank must act first, as the message
    /// states.
    Wait(String),
    /// Any other reason, as a message.
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
