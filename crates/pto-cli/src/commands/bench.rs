//! `pto bench`: the speed of kernels on this machine.

mod compiled;
mod instruction_times;
mod kernels;
mod looped;
mod measured;
mod ready;
mod repeated;
mod saved;

use super::Status;
use crate::args::BenchArgs;
use crate::output::{Output, write_all};
use crate::printer::{print_err, print_out};
use crate::progress::Progress;
use crate::report::{self, BenchReport};
use measured::{Measured, headline};
use pto::data::DataError;
use pto_kernels::dispatch;
pub use repeated::Repeated;
use saved::{Saved, geometric_mean};

pub(super) fn run(args: &BenchArgs) -> Result<Status, DataError> {
    if let Some(missing) = args.kernels.iter().find(|path| !path.exists()) {
        return Err(DataError::misuse(format!("{}: there is no such file or folder", missing.display())));
    }
    let wanted = |name: &str| args.filter.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let saved = args.compare.as_deref().map(Saved::read).transpose()?;
    if !args.json {
        let headline = headline(saved.is_some());
        print_out(&format!("{:?}, threads: {}\n{headline}", dispatch::level(), args.threads));
    }
    let progress = Progress::new(0, "measurements");
    let mut bench = Bench { args, saved, all: Vec::new(), skipped: Vec::new(), progress };
    for path in &args.kernels {
        kernels::run(&mut bench, path, &wanted)?;
    }
    bench.finish()?;
    Ok(Status::Fine)
}

/// The measurements so far.
struct Bench<'a> {
    args: &'a BenchArgs,
    saved: Option<Saved>,
    all: Vec<Measured>,
    skipped: Vec<(String, String)>,
    progress: Progress,
}

impl Bench<'_> {
    /// Sets the number of measurements to come.
    fn expect(&mut self, count: usize) {
        self.progress = Progress::new(count, "measurements");
    }

    fn add(&mut self, measured: Measured) {
        if !self.args.json {
            let saved = self.saved.as_ref().and_then(|saved| saved.best_ns(&measured.name));
            self.progress.aside(|| print_out(&measured.line(saved)));
        }
        self.all.push(measured);
        self.progress.step();
    }

    fn finish(self) -> Result<(), DataError> {
        drop(self.progress);
        let report = || BenchReport { figures: self.all.iter().map(Measured::report).collect() };
        if let Some(path) = &self.args.save {
            write_all(&[Output::new(path, report::to_text(&report()).into_bytes())])?;
        }
        if self.args.json {
            print_out(&report::to_text(&report()));
            for (name, why) in &self.skipped {
                print_err!("{name}: not timed: {why}");
            }
            return Ok(());
        }
        let ratios: Vec<f64> = self.all.iter().filter_map(Measured::watched).collect();
        if let Some(mean) = geometric_mean(&ratios) {
            print_out(&format!("watched: geometric mean {mean:.3} over {} kernels\n", ratios.len()));
        }
        for (name, why) in &self.skipped {
            print_out(&format!("{name}: not timed: {why}\n"));
        }
        if let Some(saved) = &self.saved {
            print_out(&saved.sum(&self.all));
        }
        let noisy = self.all.iter().filter(|measured| measured.is_noisy()).count();
        if noisy > 0 {
            let (all, warning) = (self.all.len(), "best and median time part by more than a fifth");
            print_err!("warning: {noisy} of {all} measurements are noisy: {warning}");
            print_err!("help: end what else runs on this machine, or repeat more often with `--repeat`");
        }
        Ok(())
    }
}
