//! The kernels of a sequence, and the findings of each.

use crate::commands::{Text, check_text, read_text};
use crate::judged::Judged;
use crate::printer::{plural, print_diagnostics, print_err};
use crate::render::SourceText;
use crate::report;
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{DataError, Failure};
use pto::diag::{Diagnostic, Severity};
use pto::sequence::{Finding, Findings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A kernel's file, and the levels of rules for it.
struct Kernel {
    text: Text,
    settings: Arc<Settings>,
}

/// The kernels of a sequence, in the order in which it names them.
pub(in crate::commands) struct Loaded<'a> {
    folder: PathBuf,
    configured: &'a Configured,
    kernels: Vec<Kernel>,
    findings: Findings,
    /// Lints of checks, which a run does not repeat.
    lints: usize,
    decode: &'a Decode<'a>,
}

/// Makes a program of a text: the program, and the findings of its check.
pub(in crate::commands) type Decode<'a> =
    dyn Fn(&Text, &Settings, Option<&str>) -> Result<(Program, Vec<Diagnostic>), Failure> + 'a;

/// Makes a program as it is written.
pub(in crate::commands) fn as_written(
    text: &Text,
    settings: &Settings,
    entry: Option<&str>,
) -> Result<(Program, Vec<Diagnostic>), Failure> {
    let (checked, warnings) = check_text(&text.text, settings)?;
    Ok((Program::decode(&checked, entry)?, warnings))
}

impl<'a> Loaded<'a> {
    /// No kernels; files are relative to the folder of the sequence.
    pub(in crate::commands) fn new(
        sequence: &Path,
        configured: &'a Configured,
        decode: &'a Decode<'a>,
    ) -> Loaded<'a> {
        let folder = sequence.parent().map(Path::to_path_buf).unwrap_or_default();
        Loaded { folder, configured, kernels: Vec::new(), findings: Findings::default(), lints: 0, decode }
    }

    /// Loads the program of a file.
    pub(in crate::commands) fn load(&mut self, file: &str, entry: Option<&str>) -> Result<Program, Failure> {
        let path = self.folder.join(file);
        let (settings, text) = (self.configured.of_program(&path)?, read_text(&path)?);
        self.kernels.push(Kernel { text, settings: Arc::clone(&settings) });
        let (program, found) = (self.decode)(&self.kernels[self.kernels.len() - 1].text, &settings, entry)?;
        let (refused, lints): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|finding| finding.severity == Severity::Refused);
        self.lints += lints.len();
        self.add_last(refused);
        if program.module().functions.iter().next().is_none() {
            return Err(DataError::new(format!("{}: it has no function", path.display())).into());
        }
        Ok(program)
    }

    /// Adds findings of a check, whose levels are set, in the kernel that was loaded last.
    pub(in crate::commands) fn add_last(&mut self, findings: Vec<Diagnostic>) {
        if let Some(last) = self.kernels.len().checked_sub(1) {
            findings.into_iter().for_each(|finding| self.findings.push(last, finding));
        }
    }

    /// Adds the findings of a launch, except those that the kernel already has.
    pub(in crate::commands) fn add(&mut self, kernel: usize, launch: &str, findings: Vec<Diagnostic>) {
        let Kernel { text, settings } = &self.kernels[kernel];
        self.findings.add(kernel, launch, settings.level(findings, &text.text).findings);
    }

    /// Adds a finding about several launches.
    pub(in crate::commands) fn add_finding(&mut self, finding: Finding) {
        let kernel = finding.launch.kernel;
        let finding = finding.noted(|kernel, span| {
            let text = &self.kernels[kernel].text;
            let line = SourceText::new(&text.name, &text.text).position(span.start as usize).line;
            format!("{}:{line}", text.name)
        });
        let Kernel { text, settings } = &self.kernels[kernel];
        for finding in settings.level(vec![finding], &text.text).findings {
            self.findings.push(kernel, finding);
        }
    }

    /// Prints the findings, and how many lints the checks have found.
    pub(in crate::commands) fn print(&self) {
        if self.lints > 0 {
            let lints = plural(self.lints, "lint");
            print_err!("note: the check of the kernels gives {lints}, which `pto check` shows");
        }
        self.texts().for_each(|(text, findings)| print_diagnostics(&findings, text));
    }

    /// The text of a kernel.
    pub(in crate::commands) fn text(&self, kernel: usize) -> &Text {
        &self.kernels[kernel].text
    }

    /// The text of each kernel, with its findings.
    pub(in crate::commands) fn texts(&self) -> impl Iterator<Item = (&Text, Vec<Diagnostic>)> {
        let findings = |number| self.findings.of(number).cloned().collect();
        self.kernels.iter().enumerate().map(move |(number, kernel)| (&kernel.text, findings(number)))
    }

    /// The findings, for JSON.
    pub(in crate::commands) fn report(&self) -> Vec<report::Finding> {
        let of = |(text, findings): (&Text, Vec<_>)| {
            report::findings(&findings, &SourceText::new(&text.name, &text.text))
        };
        self.texts().flat_map(of).collect()
    }

    /// The kernels with their findings, for CI.
    pub(in crate::commands) fn judged(&self, start: Instant) -> Vec<Judged> {
        let of = |(text, findings): (&Text, Vec<_>)| Judged {
            name: text.name.clone(),
            file: text.name.clone(),
            text: text.text.clone(),
            passed: !findings.iter().any(is_error),
            findings,
            time: start.elapsed(),
            ..Judged::default()
        };
        self.texts().map(of).collect()
    }

    /// Whether there is a finding that is an error.
    pub(in crate::commands) fn has_errors(&self) -> bool {
        self.findings.iter().any(|(_, finding)| is_error(finding))
    }

    /// Whether there are no findings.
    pub(in crate::commands) fn is_clean(&self) -> bool {
        self.findings.iter().next().is_none()
    }
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}
