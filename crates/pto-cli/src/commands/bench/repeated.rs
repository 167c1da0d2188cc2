//! One instruction of a program, repeated in a loop for as many rounds as a benchmark asks for.

use super::looped::looped;
use super::ready::{Ready, sentence};
use crate::commands::check_text;
use crate::commands::sweep::Said;
use crate::settings::Settings;
use pto::data::{DataError, Failure};
use pto::launch::Spec;
use std::path::Path;
use std::time::Duration;

/// A program with a loop around copies of its last instruction of a name, ready to run.
pub struct Repeated {
    ready: Ready,
}

impl Repeated {
    /// Copies of the instruction in a round of the loop.
    pub const COPIES: u32 = super::looped::UNROLLED;

    /// Prepares a program whose comments name its target and inputs, as for `pto run --all`. `instruction` is a name without
    /// `pto.`, or an operation of `arith`.
    ///
    /// # Errors
    /// The reason why the instruction cannot be repeated, as a sentence: other cores wait for it, or the repeated program breaks a rule.
    pub fn of(text: &str, instruction: &str) -> Result<Repeated, String> {
        let looped = looped(text, instruction).ok_or("the program has no such instruction")?;
        let ready = prepared(text, &looped).map_err(|failure| sentence(&failure))?;
        Ok(Repeated { ready })
    }

    /// Time of a launch with `rounds` rounds of the loop.
    ///
    /// # Errors
    /// The finding that stops the launch, as a sentence.
    pub fn time(&self, rounds: u64) -> Result<Duration, String> {
        Ok(Duration::from_nanos(self.ready.time(rounds)? as u64))
    }
}

/// The program `looped` with the inputs of the program that it was made from.
fn prepared(text: &str, looped: &str) -> Result<Ready, Failure> {
    let usual = Spec { threads: 1, ..Spec::default() };
    let said = Said::of(Path::new("-"), text, &[], &usual)?;
    let settings = Settings::of_target(said.profile);
    let (checked, _) = check_text(text, &settings)?;
    let launch = said.launches.first().ok_or_else(|| DataError::new("it is run with nothing"))?;
    let ready = Ready::new(&checked, None, &launch.spec)?;
    let (checked, _) = check_text(looped, &settings)?;
    ready.looped(&checked, None)
}
