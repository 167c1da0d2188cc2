//! Verdicts about tasks.

use super::task::Replayed;
use crate::args::ReplayArgs;
use crate::args_dump::Task;
use crate::judged::Judged;
use crate::printer::plural;
use crate::render::to_text;
use crate::report::{self, Compared, Finding, ReplayedTask, Unwritten};
use pto::data::Failure;
use pto::diag::Severity;
use pto::isa::rules::run::MISMATCH;

/// A task that was replayed, or could not be.
pub(super) struct Verdict {
    /// Name of the task in the dump.
    pub(super) name: String,
    functions: Vec<i64>,
    pub(super) kernel: Option<String>,
    pub(super) blocks: u32,
    /// `same`, `differs` or `failed`.
    pub(super) status: &'static str,
    pub(super) judged: Judged,
    compared: Vec<Compared>,
    unwritten: Vec<Unwritten>,
    diagnostics: Vec<Finding>,
    /// The comparisons as text, or the reason of a failure.
    texts: String,
}

impl Verdict {
    /// Nothing is known yet.
    pub(super) fn new(task: &Task) -> Verdict {
        let name = task.name.clone();
        let judged =
            Judged { name: format!("task {name}"), file: format!("task {name}"), ..Judged::default() };
        Verdict {
            name,
            functions: task.functions.clone(),
            kernel: None,
            blocks: task.blocks.unwrap_or(1),
            status: "failed",
            judged,
            compared: Vec::new(),
            unwritten: Vec::new(),
            diagnostics: Vec::new(),
            texts: String::new(),
        }
    }

    /// `task 0x5 (rope.pto, 2 blocks)`.
    pub(super) fn title(&self) -> String {
        match &self.kernel {
            Some(kernel) => {
                format!("task {} ({kernel}, {})", self.name, plural(self.blocks as usize, "block"))
            }
            None => format!("task {}", self.name),
        }
    }

    /// Records the results of a task that ran. Returns the results if they differ from the dump.
    pub(super) fn replayed<'p>(&mut self, mut replayed: Replayed<'p>) -> Option<Replayed<'p>> {
        let is_error = |finding: &pto::diag::Diagnostic| {
            finding.severity == Severity::Error && finding.rule.rule != &MISMATCH
        };
        let wrong = replayed.findings.iter().any(is_error);
        self.status = match () {
            () if replayed.differs => "differs",
            () if wrong => "failed",
            () => "same",
        };
        self.judged.passed = self.status == "same";
        self.judged.findings = std::mem::take(&mut replayed.findings);
        self.diagnostics = report::findings(&self.judged.findings, &self.judged.source());
        self.texts = replayed.texts.concat();
        let shown: Vec<_> =
            self.judged.findings.iter().filter(|finding| finding.rule.rule != &MISMATCH).cloned().collect();
        if !shown.is_empty() {
            self.texts += &to_text(&shown, &self.judged.source(), false);
        }
        self.compared = std::mem::take(&mut replayed.compared);
        self.unwritten = std::mem::take(&mut replayed.unwritten);
        replayed.differs.then_some(replayed)
    }

    /// Records the error of a task that could not be replayed.
    pub(super) fn failed<'p>(&mut self, failure: Failure) -> Option<Replayed<'p>> {
        match failure {
            Failure::Data(error) => {
                self.texts = format!("{error}\n");
                self.judged.error = Some(error.to_string());
            }
            Failure::Program(findings) => {
                self.judged.findings = findings;
                self.diagnostics = report::findings(&self.judged.findings, &self.judged.source());
                self.texts = to_text(&self.judged.findings, &self.judged.source(), false);
            }
        }
        None
    }

    /// Frees the text of the program if no finding refers to it.
    pub(super) fn forget_text(&mut self) {
        if self.judged.findings.is_empty() {
            self.judged.text = String::new();
        }
    }

    /// Text printed as soon as the task has ended.
    pub(super) fn text(&self, args: &ReplayArgs) -> String {
        let has_notes = !self.unwritten.is_empty();
        let (word, details) = match self.status {
            _ if args.quiet => return String::new(),
            "same" if args.verbose => ("same   ", has_notes),
            "same" => return String::new(),
            "differs" => ("DIFFERS", true),
            _ => ("FAILED ", true),
        };
        let mut text = format!("{word} {}\n", self.title());
        if details {
            text += &format!("  {}\n", self.texts.trim_end().replace('\n', "\n  "));
        }
        text
    }

    pub(super) fn report(&self) -> ReplayedTask {
        ReplayedTask {
            task: self.name.clone(),
            functions: self.functions.clone(),
            kernel: self.kernel.clone(),
            blocks: self.blocks,
            status: self.status,
            compared: self.compared.clone(),
            unwritten: self.unwritten.clone(),
            error: self.judged.error.clone(),
            diagnostics: self.diagnostics.clone(),
            seconds: self.judged.time.as_secs_f64(),
        }
    }
}
