//! `pto bench`: the speed of instructions and kernels on this machine, and of the machine's peaks.

mod cases;
mod compiled;
mod instruction_times;
mod kernels;
mod looped;
mod measured;
mod peaks;
mod ready;
mod saved;
mod timing;

use super::Status;
use crate::args::BenchArgs;
use crate::output::{Output, write_all};
use crate::printer::{print_err, print_out};
use crate::programs::examples;
use crate::progress::Progress;
use crate::report::{self, BenchReport};
use measured::{Measured, headline};
use pto::data::DataError;
use pto_kernels::dispatch;
use saved::{Saved, geometric_mean};
use timing::Timed;

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
    if args.kernels.is_empty() {
        for peak in peaks::peaks(args.repeat, &wanted) {
            bench.add(peak);
        }
        instructions(&mut bench, &wanted);
    } else {
        for path in &args.kernels {
            kernels::run(&mut bench, path, &wanted)?;
        }
    }
    bench.finish()?;
    Ok(Status::Fine)
}

/// The cases of the table, then the example of each instruction, as large as its rules allow.
fn instructions(bench: &mut Bench<'_>, wanted: &dyn Fn(&str) -> bool) {
    let cases: Vec<_> = cases::cases().into_iter().collect();
    let named: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
    let cases: Vec<_> = cases.into_iter().filter(|case| wanted(&case.name)).collect();
    // The shape in a name is only known after timing; a filter for one instruction should not time all.
    let filter = bench.args.filter.as_deref();
    let maybe = |name: &str| filter.is_none_or(|text| text.starts_with(name) || name.contains(text));
    let examples: Vec<_> = examples().filter(|example| maybe(example.name)).collect();
    bench.expect(cases.len() + examples.len());
    for case in cases {
        match timing::instruction(&case.text, &case.instruction, case.multiply_adds, bench.args.repeat) {
            Ok(timed) => bench.add(timed.named(case.name)),
            Err(why) => bench.skipped.push((case.name, why)),
        }
    }
    for example in examples {
        match timing::example(example.text, example.name, bench.args.repeat) {
            Ok(timed) => {
                let name = format!("{}{}", example.name, timed.shapes);
                if !named.contains(&name) && wanted(&name) {
                    bench.add(timed.named(name));
                }
            }
            Err(why) => bench.skipped.push((example.name.to_owned(), why)),
        }
    }
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

impl Timed {
    fn named(self, name: String) -> Measured {
        let Timed { best_ns, median_ns, multiply_adds, of_peak, bytes, .. } = self;
        Measured { of_peak, bytes, multiply_adds, ..Measured::of(name, best_ns, median_ns) }
    }
}
