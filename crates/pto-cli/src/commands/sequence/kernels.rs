//! The kernels of a sequence, and what was found in each.

use crate::commands::{Text, check_text, plural, print_diagnostics, read_text};
use crate::judged::Judged;
use crate::render::SourceText;
use crate::report;
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{DataError, Failure};
use pto::diag::{Diagnostic, Severity};
use pto::sequence::Finding;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Most findings of one kernel with one rule at one place.
const MOST_ALIKE: usize = 1;

/// A kernel's file and its findings.
struct Kernel {
    text: Text,
    settings: Arc<Settings>,
    findings: Vec<Diagnostic>,
}

/// The kernels of a sequence, in the order in which it names them.
pub(in crate::commands) struct Loaded<'a> {
    folder: PathBuf,
    configured: &'a Configured,
    kernels: Vec<Kernel>,
    /// Lints of checks, which a run does not repeat.
    lints: usize,
    decode: &'a Decode<'a>,
}

/// Makes a program of a text: the program, and the number of lints of its check.
pub(in crate::commands) type Decode<'a> =
    dyn Fn(&Text, &Settings, Option<&str>) -> Result<(Program, usize), Failure> + 'a;

/// Makes a program as it is written.
pub(in crate::commands) fn as_written(
    text: &Text,
    settings: &Settings,
    entry: Option<&str>,
) -> Result<(Program, usize), Failure> {
    let (checked, warnings) = check_text(&text.text, settings)?;
    Ok((Program::decode(&checked, entry)?, warnings.len()))
}

impl<'a> Loaded<'a> {
    /// No kernels; files are relative to the folder of the sequence.
    pub(in crate::commands) fn new(
        sequence: &Path,
        configured: &'a Configured,
        decode: &'a Decode<'a>,
    ) -> Loaded<'a> {
        let folder = sequence.parent().map(Path::to_path_buf).unwrap_or_default();
        Loaded { folder, configured, kernels: Vec::new(), lints: 0, decode }
    }

    /// Loads the program of a file.
    pub(in crate::commands) fn load(&mut self, file: &str, entry: Option<&str>) -> Result<Program, Failure> {
        let path = self.folder.join(file);
        let (settings, text) = (self.configured.of_program(&path)?, read_text(&path)?);
        self.kernels.push(Kernel { text, settings: Arc::clone(&settings), findings: Vec::new() });
        let (program, lints) = (self.decode)(&self.kernels[self.kernels.len() - 1].text, &settings, entry)?;
        self.lints += lints;
        if program.module().functions.iter().next().is_none() {
            return Err(DataError::new(format!("{}: it has no function", path.display())).into());
        }
        Ok(program)
    }

    /// Adds findings of a check, whose levels are set, in the kernel that was loaded last.
    pub(in crate::commands) fn add_last(&mut self, findings: Vec<Diagnostic>) {
        if let Some(kernel) = self.kernels.last_mut() {
            kernel.findings.extend(findings);
        }
    }

    /// Adds findings of a launch. Those that a kernel has had are left out: launches are often repeated.
    pub(in crate::commands) fn add(&mut self, kernel: usize, launch: &str, findings: Vec<Diagnostic>) {
        let kernel = &mut self.kernels[kernel];
        for finding in kernel.settings.level(findings, &kernel.text.text).findings {
            let place = |finding: &Diagnostic| finding.primary.as_ref().map(|label| label.span);
            let alike = |known: &&Diagnostic| known.rule == finding.rule && place(known) == place(&finding);
            if kernel.findings.iter().filter(alike).count() < MOST_ALIKE {
                kernel.findings.push(finding.with_note(format!("in launch `{launch}`")));
            }
        }
    }

    /// Adds a finding about several launches.
    pub(in crate::commands) fn add_finding(&mut self, finding: Finding) {
        let mut diagnostic = finding.diagnostic;
        if let Some((other, what)) = &finding.other
            && let Some(span) = other.span
        {
            let text = &self.kernels[other.kernel].text;
            let line = SourceText::new(&text.name, &text.text).position(span.start as usize).line;
            diagnostic = diagnostic.with_note(format!("`{}` {what}: {}:{line}", other.launch, text.name));
        }
        let kernel = &mut self.kernels[finding.launch.kernel];
        kernel.findings.extend(kernel.settings.level(vec![diagnostic], &kernel.text.text).findings);
    }

    /// Prints the findings, and how many lints the checks have found.
    pub(in crate::commands) fn print(&self) {
        if self.lints > 0 {
            let lints = plural(self.lints, "lint");
            eprintln!("note: the check of the kernels gives {lints}, which `pto check` shows");
        }
        self.kernels.iter().for_each(|kernel| print_diagnostics(&kernel.findings, &kernel.text));
    }

    /// The text of each kernel, with its findings.
    /// The text of a kernel.
    pub(in crate::commands) fn text(&self, kernel: usize) -> &Text {
        &self.kernels[kernel].text
    }

    pub(in crate::commands) fn texts(&self) -> impl Iterator<Item = (&Text, &[Diagnostic])> {
        self.kernels.iter().map(|kernel| (&kernel.text, kernel.findings.as_slice()))
    }

    /// The findings, for JSON.
    pub(in crate::commands) fn report(&self) -> Vec<report::Finding> {
        let of = |kernel: &Kernel| {
            report::findings(&kernel.findings, &SourceText::new(&kernel.text.name, &kernel.text.text))
        };
        self.kernels.iter().flat_map(of).collect()
    }

    /// The kernels with their findings, for CI.
    pub(in crate::commands) fn judged(&self, start: Instant) -> Vec<Judged> {
        let of = |kernel: &Kernel| Judged {
            name: kernel.text.name.clone(),
            file: kernel.text.name.clone(),
            text: kernel.text.text.clone(),
            findings: kernel.findings.clone(),
            passed: !kernel.findings.iter().any(is_error),
            time: start.elapsed(),
            error: None,
        };
        self.kernels.iter().map(of).collect()
    }

    /// Whether there is a finding that is an error.
    pub(in crate::commands) fn has_errors(&self) -> bool {
        self.kernels.iter().any(|kernel| kernel.findings.iter().any(is_error))
    }

    /// Whether there is no finding.
    pub(in crate::commands) fn is_clean(&self) -> bool {
        self.kernels.iter().all(|kernel| kernel.findings.is_empty())
    }
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}
