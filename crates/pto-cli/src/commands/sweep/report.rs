//! Results of the files of a sweep, as text and as JSON.

use crate::args::Format;
use crate::commands::check::rules_text;
use crate::judged::{Judged, by_rule};
use crate::printer::print_out;
use crate::printer::{self, Reported};
use crate::render::SourceText;
use crate::report::{self, SweepReport};
use pto::Program;
use pto::data::DataError;
use pto::diag::{Diagnostic, Severity};
use pto::isa::meaning::Meaning;
use pto::sim::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Result of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// All launches of the program ended normally.
    Ok,
    /// The program is not legal.
    Rejected,
    /// The program cannot be read, or a launch was stopped.
    Failed,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Word::Ok => "ok",
            Word::Rejected => "rejected",
            Word::Failed => "failed",
        }
    }
}

/// Result of a file, with the execution counts of its launches.
pub(super) struct Verdict {
    /// Path relative to the folder.
    pub(super) file: String,
    /// The errors, its text and its time.
    pub(super) judged: Judged,
    word: Word,
    /// If it is rejected: whether the manifest expects that.
    expected: bool,
    /// Whether its inputs are not specified.
    pub(super) guessed: bool,
    /// The rules that it breaks.
    pub(super) rules: Vec<String>,
    pub(super) launches: usize,
    instructions: u64,
    /// For each tile instruction of an entry function, by its offset in the text: line, name and execution count.
    executed: BTreeMap<u32, (usize, String, u64)>,
    /// Execution count of the tile instructions of all functions.
    ran: u64,
}

impl Verdict {
    pub(super) fn new(file: &str, path: &Path) -> Verdict {
        let path = path.display().to_string();
        Verdict {
            file: file.to_owned(),
            judged: Judged { name: file.to_owned(), file: path, ..Judged::default() },
            word: Word::Ok,
            expected: false,
            guessed: false,
            rules: Vec::new(),
            launches: 0,
            instructions: 0,
            executed: BTreeMap::new(),
            ran: 0,
        }
    }

    pub(super) fn fail(&mut self, message: String) {
        (self.word, self.judged.error) = (Word::Failed, Some(message));
    }

    /// Records findings that stop the check or a launch.
    pub(super) fn find(&mut self, word: Word, findings: Vec<Diagnostic>) {
        self.word = word;
        self.rules = super::rules(&findings);
        self.judged.findings = findings;
    }

    /// The first error, and its line.
    fn message(&self) -> Option<(&str, Option<usize>)> {
        let line = |finding: &Diagnostic| {
            let start = finding.primary.as_ref()?.span.start;
            Some(self.judged.source().position(start as usize).line)
        };
        let found = self.judged.errors().next().map(|finding| (finding.message.as_str(), line(finding)));
        let line = found.and_then(|(_, line)| line);
        self.judged.error.as_deref().map(|error| (error, line)).or(found)
    }

    /// Compares the rules of the findings with the rules that reject the file according to the manifest.
    ///
    /// # Errors
    /// Different rules.
    pub(super) fn expect(&mut self, rules: Vec<String>) -> Result<(), DataError> {
        if self.rules == rules {
            (self.word, self.expected) = (Word::Rejected, true);
            return Ok(());
        }
        let found = if self.rules.is_empty() { "it runs".into() } else { self.rules.join(", ") };
        let rules = rules.join(", ");
        Err(DataError::new(format!("the manifest says that it is rejected by {rules}: {found}")))
    }

    /// Adds the execution counts of a launch.
    pub(super) fn count(&mut self, program: &Program, outcome: &Outcome, source: &SourceText<'_>) {
        self.instructions += outcome.instructions;
        for (id, counts) in program.functions().zip(&outcome.executed) {
            let operations = program.module().functions[id].operations.iter();
            let tile = operations.filter(|(_, operation)| operation.meaning() == Meaning::Compute);
            self.ran += tile.map(|(id, _)| counts[id.index()]).sum::<u64>();
        }
        for (id, operation) in program.module().functions[program.entry()].operations.iter() {
            if operation.meaning() == Meaning::Compute {
                let start = operation.span.start;
                let new = || (source.position(start as usize).line, operation.short_name().to_owned(), 0);
                self.executed.entry(start).or_insert_with(new).2 += outcome.executed[0][id.index()];
            }
        }
    }

    /// Lines and names of the tile instructions that no launch executed.
    fn idle(&self) -> Vec<(usize, &str)> {
        let never = self.executed.values().filter(|(_, _, count)| *count == 0);
        never.map(|(line, name, _)| (*line, name.as_str())).collect()
    }

    /// Whether its launches ended normally without a single tile instruction, so that they show nothing.
    fn is_empty(&self) -> bool {
        self.word == Word::Ok && self.ran == 0
    }

    fn is_fine(&self) -> bool {
        self.word == Word::Ok || (self.word == Word::Rejected && self.expected)
    }

    fn text(&self) -> String {
        let message = self.message();
        let place = message.and_then(|(_, line)| line).map_or(String::new(), |line| format!(":{line}"));
        let seconds = self.judged.time.as_secs_f64();
        let mut text = format!("{:<8} {seconds:>8.3} s  {}{place}", self.word.text(), self.file);
        if !self.rules.is_empty() {
            text.push_str(&format!("  {}", self.rules.join(", ")));
        }
        match message {
            Some((message, _)) => text.push_str(&format!(": {message}")),
            None if self.word == Word::Ok && !self.rules.is_empty() => {
                text.push_str("  (refused; ran as cpu)")
            }
            None if self.is_empty() => text.push_str("  (no tile instruction ran)"),
            None if !self.idle().is_empty() => {
                let (never, all) = (self.idle().len(), self.executed.len());
                text.push_str(&format!("  ({never} of {all} tile instructions never ran)"));
            }
            None => {}
        }
        text.push('\n');
        text
    }

    fn report(&self) -> report::File {
        let never = self.idle().into_iter();
        let never = never.map(|(line, name)| report::Idle { line, instruction: name.to_owned() });
        let (message, line) = self.message().unzip();
        report::File {
            file: self.file.clone(),
            verdict: self.word.text(),
            fine: self.is_fine(),
            rules: self.rules.clone(),
            message: message.map(str::to_owned),
            line: line.flatten(),
            diagnostics: report::findings(&self.judged.findings, &self.judged.source()),
            launches: self.launches,
            guessed: self.guessed,
            instructions: self.instructions,
            empty: self.is_empty(),
            never_ran: never.collect(),
            seconds: self.judged.time.as_secs_f64(),
        }
    }

    /// The verdict for CI systems. A rejection that the manifest expects has no findings there.
    fn into_judged(mut self) -> Judged {
        self.judged.passed = self.is_fine();
        if self.judged.passed {
            self.judged.findings.retain(|finding| finding.severity == Severity::Refused);
        }
        self.judged
    }
}

impl Reported for Verdicts {
    fn print_text(&self) {
        print_out(&self.sum(self.time));
    }

    fn json(&self) -> impl Serialize {
        let all = || self.verdicts.iter().flatten();
        let count = |word| all().filter(|verdict| verdict.word == word).count();
        let expected = all().filter(|verdict| verdict.word == Word::Rejected && verdict.is_fine());
        SweepReport {
            files: all().map(Verdict::report).collect(),
            ok: count(Word::Ok),
            empty: all().filter(|verdict| verdict.is_empty()).count(),
            rejected: count(Word::Rejected),
            rejected_as_expected: expected.count(),
            failed: count(Word::Failed),
            seconds: self.time.as_secs_f64(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        self.verdicts.into_iter().flatten().map(Verdict::into_judged).collect()
    }
}

/// All results, in the order of files.
pub(super) struct Verdicts {
    verdicts: Vec<Option<Verdict>>,
    printed: usize,
    /// Time of all.
    time: Duration,
    format: Format,
    quiet: bool,
}

impl Verdicts {
    pub(super) fn new(files: usize, format: Format, quiet: bool) -> Verdicts {
        Verdicts {
            verdicts: (0..files).map(|_| None).collect(),
            printed: 0,
            time: Duration::ZERO,
            format,
            quiet,
        }
    }

    /// Adds a result, and prints all that are complete up to the first missing one.
    pub(super) fn add(&mut self, at: usize, verdict: Verdict) {
        self.verdicts[at] = Some(verdict);
        while let Some(Some(next)) = self.verdicts.get(self.printed) {
            self.printed += 1;
            if self.format == Format::Text && !(self.quiet && next.is_fine()) {
                print_out(&next.text());
            }
        }
    }

    /// Prints the totals; returns whether all results are as expected.
    pub(super) fn finish(mut self, time: Duration) -> bool {
        self.time = time;
        let (fine, format) = (self.verdicts.iter().flatten().all(Verdict::is_fine), self.format);
        printer::print(self, "run --all", format);
        fine
    }

    /// The totals, and the rules of unexpected results.
    fn sum(&self, time: Duration) -> String {
        let all = || self.verdicts.iter().flatten();
        let count = |word| all().filter(|verdict| verdict.word == word).count();
        let (ok, rejected, failed) = (count(Word::Ok), count(Word::Rejected), count(Word::Failed));
        let expected = all().filter(|verdict| verdict.word == Word::Rejected && verdict.is_fine()).count();
        let empty = all().filter(|verdict| verdict.is_empty()).count();
        let said = if expected > 0 { format!(" ({expected} as the manifest says)") } else { String::new() };
        let idle =
            if empty > 0 { format!(" ({empty} without a tile instruction that ran)") } else { String::new() };
        let seconds = time.as_secs_f64();
        let mut text =
            format!("{ok} ok{idle}, {rejected} rejected{said}, {failed} failed in {seconds:.1} s\n");
        let wrong = || all().filter(|verdict| !verdict.is_fine());
        let errors: Vec<Vec<_>> = wrong().map(|verdict| verdict.judged.errors().cloned().collect()).collect();
        text += &rules_text(&by_rule(errors.iter().map(Vec::as_slice)));
        let data = wrong().filter(|verdict| verdict.judged.error.is_some()).count();
        if data > 0 {
            text += &format!("{data:>7} without a rule: arguments, files or the manifest\n");
        }
        let guessed = all().filter(|verdict| verdict.word == Word::Failed && verdict.guessed).count();
        if guessed > 0 {
            let what = "ran with default inputs; `--manifest` can specify inputs";
            text += &format!("{guessed} of the failed programs {what}\n");
        }
        text
    }
}
