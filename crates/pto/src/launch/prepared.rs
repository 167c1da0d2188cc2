//! Launches whose arguments are made.

use super::report::{Report, buffers};
use pto_isa::diag::Diagnostic;
use pto_machine::Program;
use pto_machine::observe::{Watch, WatchOptions, Watched};
use pto_machine::sim::{Observer, Options, Outcome, Value};

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
        let program = self.program;
        self.run_by(|ranks, options, watched| {
            let mut watch = Watch::new(program, watched, options);
            let mut all: Vec<&mut dyn Observer> = Vec::new();
            if !watched.watchers.is_empty() {
                all.push(&mut watch);
            }
            all.extend(observers.iter_mut().map(|one| &mut **one as &mut dyn Observer));
            let launched = program.launch_ranks(ranks, options, &mut all);
            watch.result(launched)
        })
    }

    /// Has `runner` run the launch, which is something other than the program: a kernel that was compiled for the host. The program
    /// describes the arguments. `runner` gets the values of each rank, the options and the watchers; the buffers of its outcome are those
    /// of the values, in their order.
    ///
    /// # Errors
    /// Those of `runner`.
    pub fn run_by(
        self,
        runner: impl FnOnce(
            Vec<Vec<Value>>,
            &Options,
            &WatchOptions,
        ) -> Result<(Outcome, Watched), Vec<Diagnostic>>,
    ) -> Result<Report<'p>, Vec<Diagnostic>> {
        let owners = buffers(&self.ranks);
        let (outcome, watched) = runner(self.ranks, &self.options, &self.watch)?;
        Ok(Report { outcome, watched, program: self.program, owners })
    }
}
