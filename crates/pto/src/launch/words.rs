//! Names of the choices of a launch, for all front ends.

use pto_machine::sim::{DivisionByZero, IndexUnit, Schedule};

/// A closed list of choices, each with a name and a sentence about it.
pub trait Word: Copy + PartialEq + Send + Sync + 'static {
    /// Name, choice and description, in the order in which help lists them.
    const WORDS: &'static [(&'static str, Self, &'static str)];

    /// The name of the choice.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, known, _)| *known == self).map_or("", |(word, ..)| word)
    }

    /// The choice with a name.
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, ..)| *known == word).map(|(_, choice, _)| *choice)
    }
}

impl Word for Schedule {
    const WORDS: &'static [(&'static str, Schedule, &'static str)] = &[
        ("program", Schedule::Program, "Program order"),
        ("lazy", Schedule::Lazy, "As late as possible: only when something waits for the instruction"),
        ("eager", Schedule::Eager, "As early as possible"),
        ("random", Schedule::Random, "Random, by the schedule seed"),
        ("adversarial", Schedule::Adversarial, "Some pipes ahead of others, by the schedule seed"),
    ];
}

impl Word for IndexUnit {
    const WORDS: &'static [(&'static str, IndexUnit, &'static str)] =
        &[("bytes", IndexUnit::Bytes, "Bytes of index elements"), ("columns", IndexUnit::Columns, "Columns")];
}

impl Word for DivisionByZero {
    const WORDS: &'static [(&'static str, DivisionByZero, &'static str)] = &[
        ("stop", DivisionByZero::Stop, "Stop the run"),
        ("zero", DivisionByZero::Zero, "The result is zero"),
    ];
}
