//! Launches whose arguments are made.

use super::report::{Report, buffers};
use pto_isa::diag::Diagnostic;
use pto_machine::Program;
use pto_machine::observe::{Watch, WatchOptions};
use pto_machine::sim::{Observer, Options, Value};

/// A launch of a program that can run. A clone runs on the same arguments again.
#[derive(Clone)]
pub struct Launch<'p> {
    /// The program.
    pub program: &'p Program,
    /// The values of its arguments, for each rank.
    pub ranks: Vec<Vec<Value>>,
    /// Options of the machine.
    pub options: Options,
    /// The watchers.
    pub watch: WatchOptions,
}

impl<'p> Launch<'p> {
    /// Runs the launch under its watchers and further observers.
    ///
    /// # Errors
    /// Findings that stopped the run, and those of the watchers before it.
    pub fn run(self, observers: &mut [&mut dyn Observer]) -> Result<Report<'p>, Vec<Diagnostic>> {
        let owners = buffers(&self.ranks);
        let mut watch = Watch::new(self.program, &self.watch, &self.options);
        let mut all: Vec<&mut dyn Observer> = Vec::new();
        if !self.watch.watchers.is_empty() {
            all.push(&mut watch);
        }
        all.extend(observers.iter_mut().map(|one| &mut **one as &mut dyn Observer));
        let launched = self.program.launch_ranks(self.ranks, &self.options, &mut all);
        let (outcome, watched) = watch.result(launched)?;
        Ok(Report { outcome, watched, program: self.program, owners })
    }
}
