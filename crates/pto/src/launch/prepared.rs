//! Launches whose arguments are made.

use super::report::{Report, buffers};
use crate::Program;
use crate::data::Failure;
use crate::observe::{Watch, WatchOptions};
use crate::sim::{Observer, Options, Signature, Value};

/// A launch of a program that can run. A clone runs on the same arguments again.
#[derive(Clone)]
pub struct Launch<'p> {
    /// The program.
    pub program: &'p Program,
    /// The arguments that its function takes.
    pub signature: Signature,
    /// Their values, for each rank.
    pub ranks: Vec<Vec<Value>>,
    /// Options of the machine.
    pub options: Options,
    /// The watchers.
    pub watch: WatchOptions,
}

impl Launch<'_> {
    /// Runs it, seen by its watchers and by these observers.
    ///
    /// # Errors
    /// What stopped the run, and what the watchers found before.
    pub fn run(self, observers: &mut [&mut dyn Observer]) -> Result<Report, Failure> {
        let owners = buffers(&self.ranks);
        let mut watch = Watch::new(self.program, &self.watch, &self.options);
        let mut all: Vec<&mut dyn Observer> = vec![&mut watch];
        all.extend(observers.iter_mut().map(|one| &mut **one as &mut dyn Observer));
        let launched = self.program.launch_ranks(self.ranks, &self.options, &mut all);
        let (outcome, watched) = watch.result(launched)?;
        Ok(Report { outcome, watched, signature: self.signature, owners })
    }
}
