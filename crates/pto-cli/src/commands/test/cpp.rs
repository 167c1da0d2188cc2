//! Cases with a kernel in C++.
//!
//! Each case is compiled into a program of its own, which runs `pto test` on this case and prints its report as JSON: a process has
//! one kernel, and one that crashes ends its own process. The report is read back, so that each format has it.

use super::launch::{compare, expected_of, inputs};
use crate::args::KernelArgs;
use crate::case::Case;
use crate::commands::expectation::LastWrite;
use crate::commands::kernel::{Compilation, KernelFile, Launched, Linked};
use crate::commands::read_text;
use crate::cpp::rewritten::Temporary;
use crate::judged::Judged;
use crate::linked::{Format, Kernels, Wanted, kernels};
use crate::render::{Joined, SourceText};
use crate::report::Place;
use pto::data::{DataError, Dtype, Failure};
use pto::diag::{Diagnostic, Label, Severity, Span};
use pto::isa::rules;
use pto::launch::Spec;
use serde::Deserialize;
use std::fs::{self, File};

/// Runs a case, see [`super::launch::run`].
pub(super) fn run(case: &Case, limits: &Spec, judged: &mut Judged) -> Result<Option<String>, Failure> {
    match kernels() {
        Some(kernels) => run_here(case, limits, judged, kernels),
        None => run_apart(case, limits, judged),
    }
}

/// Runs a case whose kernel this process has.
fn run_here(
    case: &Case,
    limits: &Spec,
    judged: &mut Judged,
    kernels: &dyn Kernels,
) -> Result<Option<String>, Failure> {
    let text = read_text(&case.program)?;
    judged.file = text.name.clone();
    let format = |at: usize, _: &str| {
        let number = case.args.get(at).and_then(|argument| match argument.dtype {
            Dtype::Number(element) => Some(element),
            _ => None,
        });
        Format { named: number, of_data: None }
    };
    let file = KernelFile { path: &case.program, text: &text };
    let linked = Linked::with_formats(kernels, file, case.entry.as_deref(), &format)?;
    let spec = Spec { entry: None, ..case.spec(limits) };
    let mut given = inputs(case)?;
    let prepared = linked.prepare(&spec, &mut given, &[])?;
    let wanted = Wanted { writes: true, is_report: true, ..Wanted::default() };
    let Launched { report, joined, writes, .. } = linked.run(prepared, &wanted)?;
    judged.joined = Some(joined);
    let last = writes.as_ref().map_or(LastWrite::Unknown, LastWrite::Kept);
    compare(report?, expected_of(case), &case.tolerance, last, judged)
}

/// Compiles the kernel of a case, and has its program run the case.
fn run_apart(case: &Case, limits: &Spec, judged: &mut Judged) -> Result<Option<String>, Failure> {
    judged.file = case.program.display().to_string();
    let compiler = case.compiler.iter().map(Into::into).collect();
    let compilation = Compilation {
        path: &case.program,
        flags: &KernelArgs { cores: case.cores, compiler },
        target: case.profile,
        max_seconds: limits.max_seconds,
    };
    let temporary = Temporary::default();
    let folder = temporary.path()?;
    let (out, errors) = (folder.join("out"), folder.join("errors"));
    compilation.run(|command| {
        command.args(["test", "--json"]).arg(&case.folder);
        command.stdout(File::create(&out)?).stderr(File::create(&errors)?);
        Ok(())
    })?;
    let report = fs::read_to_string(&out).ok().and_then(|text| serde_json::from_str::<Report>(&text).ok());
    let Some(told) = report.and_then(|report| report.cases.into_iter().next()) else {
        let said = fs::read_to_string(&errors).unwrap_or_default();
        return Err(DataError::new(format!("{}: the kernel ended early\n{said}", judged.file)).into());
    };
    let mut files = Files::default();
    judged.findings = told.diagnostics.into_iter().filter_map(|finding| finding.read(&mut files)).collect();
    if judged.findings.is_empty() {
        judged.error.clone_from(&told.failure);
    }
    judged.joined = Some(files.joined);
    Ok(told.failure)
}

/// The report of the program, as far as it is read.
#[derive(Deserialize)]
struct Report {
    cases: Vec<Told>,
}

#[derive(Deserialize)]
struct Told {
    failure: Option<String>,
    diagnostics: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    rule: String,
    severity: String,
    message: String,
    file: String,
    #[serde(flatten)]
    place: Place,
    label: String,
    labels: Vec<Labeled>,
    notes: Vec<String>,
    help: Vec<String>,
}

#[derive(Deserialize)]
struct Labeled {
    message: String,
    #[serde(flatten)]
    place: Place,
}

/// The files that findings are in.
#[derive(Default)]
struct Files {
    joined: Joined,
    /// Names and first bytes.
    starts: Vec<(String, usize)>,
}

impl Files {
    /// The first byte of a file.
    fn start(&mut self, name: &str) -> usize {
        if let Some((_, start)) = self.starts.iter().find(|(known, _)| known == name) {
            return *start;
        }
        let text = fs::read_to_string(name).unwrap_or_default();
        let start = self.joined.add(name, &text);
        self.starts.push((name.to_owned(), start));
        start
    }

    /// The bytes of a place in a file.
    fn span(&mut self, name: &str, place: &Place) -> Option<Span> {
        let start = self.start(name);
        let text = &self.joined.text()[start..];
        let source = SourceText::new(name, text);
        let byte = |line: Option<usize>, column: Option<usize>| source.offset(line?, column?);
        let (from, end) = (byte(place.line, place.column)?, byte(place.end_line, place.end_column)?);
        Some(Span::new((start + from) as u32, (start + end) as u32))
    }
}

impl Finding {
    /// Converts the finding; `None` if its rule is unknown to this command.
    fn read(self, files: &mut Files) -> Option<Diagnostic> {
        let all = [Severity::Error, Severity::Refused, Severity::Extension, Severity::Lint];
        let severity = all.into_iter().find(|severity| severity.word() == self.severity)?;
        let mut finding = Diagnostic::new(severity, rules::find(&self.rule)?, self.message);
        finding.primary = files.span(&self.file, &self.place).map(|span| Label { span, message: self.label });
        for Labeled { message, place } in self.labels {
            finding.secondary.extend(files.span(&self.file, &place).map(|span| Label { span, message }));
        }
        (finding.notes, finding.help) = (self.notes, self.help);
        Some(finding)
    }
}
