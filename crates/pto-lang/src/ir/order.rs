//! Orders of an operation among the pipes of its core, by its text.

use super::{Attribute, Operation, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::pipe::{EventId, Pipe};

/// The event of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A constant event number.
    Fixed(u32),
    /// The value that holds the event number.
    Computed(ValueId),
}

/// An operation that orders pipes of its core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Sets a flag from one pipe to another, or waits for it.
    Flag {
        /// Whether the operation sets the flag; otherwise it waits.
        sets: bool,
        /// The pipe that sets the flag.
        from: Pipe,
        /// The pipe that waits for the flag.
        to: Pipe,
        /// The event of the flag.
        event: Event,
    },
    /// A barrier of a pipe, or of all.
    Barrier(Pipe),
    /// Acquires or releases a buffer token.
    Token {
        /// Whether the operation acquires the token; otherwise it releases the token.
        acquires: bool,
        /// The pipe.
        pipe: Pipe,
        /// The number of the token.
        token: u32,
    },
}

impl Operation {
    /// The order that the operation makes; `None` if it orders no pipes, or if its attributes are not those of its page.
    pub fn order(&self) -> Option<Order> {
        let pipe = || self.pipe(self.instruction()?.pipe_attribute()?);
        match self.meaning() {
            Meaning::Flag { sets, .. } => {
                let event = match self.value("event") {
                    Some(number) => Event::Computed(number),
                    None => Event::Fixed(event(self.attribute("event")?)?),
                };
                Some(Order::Flag { sets, from: self.pipe("src")?, to: self.pipe("dst")?, event })
            }
            Meaning::Barrier => Some(Order::Barrier(pipe()?)),
            Meaning::Token { acquires } => {
                let token = self.integer("id").and_then(|id| u32::try_from(id).ok())?;
                Some(Order::Token { acquires, pipe: pipe()?, token })
            }
            _ => None,
        }
    }
}

/// The number of an event, written as a word or an integer.
fn event(attribute: &Attribute) -> Option<u32> {
    let word = attribute.as_word().and_then(EventId::from_word).map(|id| u32::from(id.number()));
    word.or_else(|| u32::try_from(attribute.as_integer()?).ok())
}
