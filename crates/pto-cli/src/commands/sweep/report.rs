//! Results of the files of a sweep, as text and as JSON.

use crate::commands::print_out;
use crate::error::DataError;
use crate::render::SourceText;
use pto::Program;
use pto::diag::{Diagnostic, Severity};
use pto::isa::meaning::Meaning;
use pto::sim::Outcome;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Result of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// All its launches ended normally.
    Ok,
    /// It is not legal.
    Rejected,
    /// It cannot be read, or a launch was stopped.
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

/// Result of a file, with what its launches executed.
pub(super) struct Verdict {
    pub(super) file: String,
    word: Word,
    /// If it is rejected: whether the manifest expects that.
    expected: bool,
    /// Whether its inputs are not specified.
    pub(super) guessed: bool,
    /// The rules that it breaks.
    pub(super) rules: Vec<String>,
    /// The first error, and its line.
    message: Option<String>,
    line: Option<usize>,
    pub(super) launches: usize,
    instructions: u64,
    /// For each tile instruction of an entry function, by its offset in the text: line, name and execution count.
    executed: BTreeMap<u32, (usize, String, u64)>,
    /// Execution count of the tile instructions of all functions.
    ran: u64,
    pub(super) time: Duration,
}

impl Verdict {
    pub(super) fn new(file: &str) -> Verdict {
        Verdict {
            file: file.to_owned(),
            word: Word::Ok,
            expected: false,
            guessed: false,
            rules: Vec::new(),
            message: None,
            line: None,
            launches: 0,
            instructions: 0,
            executed: BTreeMap::new(),
            ran: 0,
            time: Duration::ZERO,
        }
    }

    pub(super) fn fail(&mut self, message: String) {
        (self.word, self.message) = (Word::Failed, Some(message));
    }

    /// Records the first error.
    pub(super) fn find(&mut self, word: Word, findings: &[Diagnostic], source: &SourceText<'_>) {
        self.word = word;
        self.rules = super::rules(findings);
        let Some(first) = findings.iter().find(|finding| finding.severity == Severity::Error) else { return };
        self.line = first.primary.as_ref().map(|label| source.position(label.span.start as usize).line);
        self.message = Some(first.message.clone());
    }

    /// Compares the rules of the findings with those that the manifest expects to reject the file.
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
        let place = self.line.map_or(String::new(), |line| format!(":{line}"));
        let mut text =
            format!("{:<8} {:>8.3} s  {}{place}", self.word.text(), self.time.as_secs_f64(), self.file);
        if !self.rules.is_empty() {
            text.push_str(&format!("  {}", self.rules.join(", ")));
        }
        match &self.message {
            Some(message) => text.push_str(&format!(": {message}")),
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

    fn json(&self) -> Json {
        let never = self.idle().into_iter().map(|(line, name)| json!({ "line": line, "instruction": name }));
        json!({
            "file": self.file,
            "verdict": self.word.text(),
            "fine": self.is_fine(),
            "rules": self.rules,
            "message": self.message,
            "line": self.line,
            "launches": self.launches,
            "guessed": self.guessed,
            "instructions": self.instructions,
            "empty": self.is_empty(),
            "never_ran": never.collect::<Vec<_>>(),
            "seconds": self.time.as_secs_f64(),
        })
    }
}

/// All results, in the order of files.
pub(super) struct Report {
    verdicts: Vec<Option<Verdict>>,
    printed: usize,
    json: bool,
    quiet: bool,
}

impl Report {
    pub(super) fn new(files: usize, json: bool, quiet: bool) -> Report {
        Report { verdicts: (0..files).map(|_| None).collect(), printed: 0, json, quiet }
    }

    /// Adds a result, and prints all that are complete up to the first missing one.
    pub(super) fn add(&mut self, at: usize, verdict: Verdict) {
        self.verdicts[at] = Some(verdict);
        while let Some(Some(next)) = self.verdicts.get(self.printed) {
            self.printed += 1;
            let silent = self.json || (self.quiet && next.is_fine());
            if !silent {
                print_out(&next.text());
            }
        }
    }

    /// Prints the totals; returns whether all results are as expected.
    pub(super) fn finish(&self, time: Duration) -> bool {
        let all = || self.verdicts.iter().flatten();
        let count = |word| all().filter(|verdict| verdict.word == word).count();
        let (ok, rejected, failed) = (count(Word::Ok), count(Word::Rejected), count(Word::Failed));
        let expected = all().filter(|verdict| verdict.word == Word::Rejected && verdict.is_fine()).count();
        let empty = all().filter(|verdict| verdict.is_empty()).count();
        let seconds = time.as_secs_f64();
        if self.json {
            let files: Vec<_> = all().map(Verdict::json).collect();
            let report = json!({
                "files": files, "ok": ok, "empty": empty, "rejected": rejected, "rejected_as_expected": expected, "failed": failed,
                "seconds": seconds,
            });
            print_out(&format!("{report:#}\n"));
        } else {
            let said =
                if expected > 0 { format!(" ({expected} as the manifest says)") } else { String::new() };
            let idle = if empty > 0 {
                format!(" ({empty} without a tile instruction that ran)")
            } else {
                String::new()
            };
            print_out(&format!(
                "{ok} ok{idle}, {rejected} rejected{said}, {failed} failed in {seconds:.1} s\n"
            ));
            let guessed = all().filter(|verdict| verdict.word == Word::Failed && verdict.guessed).count();
            if guessed > 0 {
                let what = "ran with default inputs; `--manifest` can specify inputs";
                print_out(&format!("{guessed} of the failed programs {what}\n"));
            }
        }
        all().all(Verdict::is_fine)
    }
}
