//! `pto bench`: the speed of instructions and kernels on this machine, and of the machine's peaks.

mod cases;
mod instruction_times;
mod kernels;
mod looped;
mod measured;
mod peaks;
mod ready;
mod timing;

use super::{Status, print_out};
use crate::args::BenchArgs;
use crate::error::DataError;
use crate::programs::examples;
use measured::{Measured, headline};
use pto_kernels::dispatch;
use timing::Timed;

pub(super) fn run(args: &BenchArgs) -> Result<Status, DataError> {
    let wanted = |name: &str| args.filter.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let mut bench = Bench { args, all: Vec::new(), skipped: Vec::new() };
    if !args.json {
        print_out(&format!("{:?}, threads: {}\n{}", dispatch::level(), args.threads, headline()));
    }
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
    bench.finish();
    Ok(Status::Fine)
}

/// The cases of the table, then the example of each instruction, as large as its rules allow.
fn instructions(bench: &mut Bench<'_>, wanted: &dyn Fn(&str) -> bool) {
    let mut named = Vec::new();
    for case in cases::cases() {
        named.push(case.name.clone());
        if wanted(&case.name) {
            match timing::instruction(&case.text, &case.instruction, case.multiply_adds, bench.args.repeat) {
                Ok(timed) => bench.add(timed.named(case.name)),
                Err(why) => bench.skipped.push((case.name, why)),
            }
        }
    }
    for example in examples() {
        // The shape in a name is only known after timing; a filter for one instruction should not time all.
        let maybe = |text: &str| text.starts_with(example.name) || example.name.contains(text);
        if bench.args.filter.as_deref().is_some_and(|text| !maybe(text)) {
            continue;
        }
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
    all: Vec<Measured>,
    skipped: Vec<(String, String)>,
}

impl Bench<'_> {
    fn add(&mut self, measured: Measured) {
        if !self.args.json {
            print_out(&measured.line());
        }
        self.all.push(measured);
    }

    fn finish(self) {
        if self.args.json {
            let all: Vec<_> = self.all.iter().map(Measured::to_json).collect();
            print_out(&format!("{:#}\n", serde_json::Value::from(all)));
            return;
        }
        let ratios: Vec<f64> = self.all.iter().filter_map(Measured::watched).collect();
        if !ratios.is_empty() {
            let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
            print_out(&format!("watched: geometric mean {mean:.3} over {} kernels\n", ratios.len()));
        }
        for (name, why) in &self.skipped {
            print_out(&format!("{name}: not timed: {why}\n"));
        }
    }
}

impl Timed {
    fn named(self, name: String) -> Measured {
        let Timed { best_ns, median_ns, multiply_adds, of_peak, bytes, .. } = self;
        Measured { of_peak, bytes, multiply_adds, ..Measured::of(name, best_ns, median_ns) }
    }
}
