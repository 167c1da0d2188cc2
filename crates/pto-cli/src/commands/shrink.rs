//! `pto shrink`.

mod condition;
mod process;
mod rule;

use super::{Status, Text, read_text};
use crate::args::ShrinkArgs;
use crate::output::{Output, write_all};
use crate::printer::{plural, print_either, print_err};
use crate::progress::Activity;
use crate::report::{AcceptedReduction, ShrinkReport, ShrinkSize};
use condition::Condition;
use pto::data::DataError;
use pto::shrink::{End, Judge, Limits, Mode, Progress, Shrunk, Size, shrink};
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) fn run(args: &ShrinkArgs) -> Result<Status, DataError> {
    let text = read_text(&args.file)?;
    let condition: Box<dyn Condition> = match &args.rule {
        Some(rule) => Box::new(rule::Rule::of(rule, args, &text.text)?),
        None => Box::new(process::Process::of(args)?),
    };
    let start = Instant::now();
    let limits = Limits::default().max_tries(args.max_tries);
    let mut driver = Driver {
        condition,
        output: args.output.as_deref(),
        end: args.max_seconds.and_then(|limit| start.checked_add(limit)),
        failure: None,
        activity: Activity::default(),
    };
    let shrunk = shrink(&text.text, &limits, &mut driver);
    if let Some(error) = driver.failure {
        return Err(error);
    }
    let Ok(shrunk) = shrunk else {
        let message = format!("{}: the condition does not hold to begin with", text.name);
        let reason = driver.condition.reason();
        return Err(DataError::new(message)
            .with_help(format!("{reason}; `--rule` names a rule that the program breaks")));
    };
    // Dropped before the summary, which would be on its line.
    drop(driver);
    finish(args, &text, &shrunk, start.elapsed())
}

/// Writes the result and the summary.
fn finish(args: &ShrinkArgs, text: &Text, shrunk: &Shrunk, time: Duration) -> Result<Status, DataError> {
    if let Some(path) = &args.output {
        write_all(&[Output::new(path, shrunk.text.as_bytes())])?;
    }
    let program = || if args.output.is_none() { shrunk.text.clone() } else { String::new() };
    print_either(args.json, || summary(text, shrunk, time), program);
    if !args.quiet {
        print_err!("{}: {}", text.name, line(shrunk, time));
    }
    Ok(Status::Fine)
}

/// The smallest program so far, in files and on the terminal, while the search runs.
struct Driver<'a> {
    condition: Box<dyn Condition>,
    output: Option<&'a Path>,
    end: Option<Instant>,
    /// Why no further candidate can be judged.
    failure: Option<DataError>,
    activity: Activity,
}

impl Judge for Driver<'_> {
    fn is_interesting(&mut self, text: &str) -> bool {
        self.condition.holds(text).unwrap_or_else(|error| {
            self.failure = Some(error);
            false
        })
    }

    fn must_stop(&mut self) -> bool {
        self.failure.is_some() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn tried(&mut self, progress: &Progress<'_>) {
        let size = progress.size;
        self.activity
            .show(|| format!("{}, {}", size_text(size), plural(progress.tries as usize, "candidate")));
        if let Some(path) = self.output.filter(|_| progress.improved)
            && let Err(error) = write_all(&[Output::new(path, progress.best.as_bytes())])
        {
            self.failure = Some(error);
        }
    }
}

fn size_text(size: Size) -> String {
    let lines = plural(size.lines as usize, "line");
    match size.operations {
        0 => lines,
        operations => format!("{lines}, {}", plural(operations as usize, "operation")),
    }
}

/// The summary in a line.
fn line(shrunk: &Shrunk, time: Duration) -> String {
    let (from, to) = (size_text(shrunk.from), size_text(shrunk.to));
    let end = match (shrunk.end, shrunk.mode) {
        (End::Minimal, Mode::Program) => "no reduction makes it smaller",
        (End::Minimal, _) => "as text: no line or word can be removed",
        (End::Tries, _) => "stopped by --max-tries, so it may not be the smallest",
        _ => "stopped by --max-seconds, so it may not be the smallest",
    };
    let tries = plural(shrunk.tries as usize, "candidate");
    format!("from {from} to {to}; {tries} in {:.1} s; {end}", time.as_secs_f64())
}

fn summary(text: &Text, shrunk: &Shrunk, time: Duration) -> ShrinkReport {
    let size = |size: Size| ShrinkSize { lines: size.lines, operations: size.operations, bytes: size.bytes };
    let accepted = |(name, accepted): &(&'static str, u64)| AcceptedReduction { name, accepted: *accepted };
    ShrinkReport {
        file: text.name.clone(),
        mode: if shrunk.mode == Mode::Program { "program" } else { "text" },
        from: size(shrunk.from),
        to: size(shrunk.to),
        tries: shrunk.tries,
        seconds: time.as_secs_f64(),
        end: match shrunk.end {
            End::Minimal => "minimal",
            End::Tries => "tries",
            _ => "seconds",
        },
        reductions: shrunk.accepted.iter().map(accepted).collect(),
        program: shrunk.text.clone(),
    }
}
