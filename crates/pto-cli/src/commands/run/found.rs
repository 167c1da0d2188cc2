//! The report of `pto run`.

use crate::args::RunArgs;
use crate::commands::expectation::Expectation;
use crate::commands::summary::Seen;
use crate::commands::{Status, Text};
use crate::judged::Judged;
use crate::printer::{Reported, print_err, print_findings, print_out, print_warnings};
use crate::render::{Joined, SourceText};
use crate::report::{self, RunReport, Time};
use pto::data::Array;
use pto::diag::{Diagnostic, Severity};
use pto::launch::ArgumentResult;
use serde::Serialize;
use std::time::Instant;

/// A program that ran, or that findings prevented from running. In the second case there are no results.
pub(super) struct Found<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) text: &'a Text,
    /// The files that findings about a kernel in C++ are in.
    pub(super) joined: Option<Joined>,
    pub(super) start: Instant,
    /// Names of arguments that the program reads and that were not given.
    pub(super) not_given: Vec<String>,
    /// Findings of the check of a program that ran.
    pub(super) warnings: Vec<Diagnostic>,
    /// Findings of the run, or those that prevented it.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) results: Vec<ArgumentResult>,
    pub(super) compared: Vec<Expectation>,
    /// Nanoseconds of each launch, in ascending order.
    pub(super) times: Vec<u128>,
    /// Texts that the program printed.
    pub(super) printed: Vec<String>,
    /// Coverage of the watchers, if there are any.
    pub(super) seen: Option<Seen>,
    /// The status of a program that findings kept from running.
    pub(super) stopped: Option<Status>,
}

impl<'a> Found<'a> {
    /// Findings without results.
    pub(super) fn of(
        args: &'a RunArgs,
        text: &'a Text,
        start: Instant,
        diagnostics: Vec<Diagnostic>,
    ) -> Found<'a> {
        Found {
            args,
            text,
            joined: None,
            start,
            not_given: Vec::new(),
            warnings: Vec::new(),
            diagnostics,
            results: Vec::new(),
            compared: Vec::new(),
            times: Vec::new(),
            printed: Vec::new(),
            seen: None,
            stopped: Some(Status::Wrong),
        }
    }

    /// Whether a finding is an error.
    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The status of the command: fine if the program ran without errors, and every result is the expected one.
    pub(super) fn status(&self) -> Status {
        let passed = !self.has_errors() && self.compared.iter().all(Expectation::passed);
        self.stopped.unwrap_or(if passed { Status::Fine } else { Status::Wrong })
    }

    fn source(&self) -> SourceText<'_> {
        match &self.joined {
            Some(joined) => SourceText::joined(joined),
            None => SourceText::new(&self.text.name, &self.text.text),
        }
    }

    /// The arguments that the run wrote.
    fn written(&self) -> impl Iterator<Item = &ArgumentResult> {
        self.results.iter().filter(|result| result.written)
    }

    /// Times of the launches; `None` without launches.
    fn time(&self) -> Option<Time> {
        let (min_ns, median_ns) = (*self.times.first()? as u64, self.times[self.times.len() / 2] as u64);
        Some(Time { launches: self.times.len(), min_ns, median_ns })
    }
}

/// Prints texts of programs, then results unless they are saved or compared, then comparisons.
pub(in crate::commands) fn print_results<'r>(
    args: &RunArgs,
    printed: &[String],
    results: impl Iterator<Item = (&'r str, &'r Array)>,
    compared: &[Expectation],
    source: &SourceText<'_>,
) {
    printed.iter().for_each(|text| print_out(&format!("{text}\n")));
    let silent = args.quiet || !args.outputs.is_empty() || !args.expect.is_empty();
    for (name, array) in results.filter(|_| !silent) {
        print_out(&format!("{name} = {}\n", array.describe()));
    }
    for expectation in compared.iter().filter(|one| !(args.quiet && one.passed())) {
        print_out(&expectation.text(source));
    }
}

impl Reported for Found<'_> {
    fn print_text(&self) {
        if !self.not_given.is_empty() && !self.args.quiet {
            print_err!("{}: not given, so zeros: {}", self.text.name, self.not_given.join(", "));
        }
        print_warnings(&self.warnings, &self.source(), &self.args.rules);
        print_findings(&self.diagnostics, &self.source());
        if let Some(seen) = self.seen.as_ref().filter(|_| !self.has_errors()) {
            seen.print();
        }
        let results = self.written().map(|result| (result.name.as_str(), &result.array));
        print_results(self.args, &self.printed, results, &self.compared, &self.source());
        if let Some(Time { launches, min_ns, median_ns }) = self.time().filter(|_| self.args.time) {
            print_out(&format!("launches {launches}, min {min_ns} ns, median {median_ns} ns\n"));
        }
    }

    fn json(&self) -> impl Serialize {
        let source = self.source();
        let output = |result: &ArgumentResult| report::Output::of(&result.name, &result.array);
        RunReport {
            diagnostics: report::findings(&[self.warnings.as_slice(), &self.diagnostics].concat(), &source),
            outputs: self.written().map(output).collect(),
            expect: self.compared.iter().map(|expectation| expectation.report(&source)).collect(),
            time: self.time(),
            printed: self.printed.clone(),
            watched: self.seen.as_ref().map(Seen::report),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        let passed = self.status() == Status::Fine;
        let mut findings = [self.warnings, self.diagnostics].concat();
        findings.extend(self.compared.iter().filter_map(Expectation::finding));
        vec![Judged { findings, passed, joined: self.joined, ..super::judged(self.text, self.start) }]
    }
}
