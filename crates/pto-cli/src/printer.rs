//! All output of commands: reports in every format, findings on stderr, results on stdout.

use crate::args::{Format, RuleArgs};
use crate::called;
use crate::commands::Text;
use crate::judged::{Judged, by_rule};
use crate::render::{self, SourceText};
use crate::report::{self, CheckReport, to_text};
use pto::data::{DataError, clip};
use pto::diag::{Diagnostic, Severity};
use serde::Serialize;
use serde_json::json;
use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of characters of a list of rules.
const LONGEST_LIST: usize = 200;

/// Results and findings of a command, in the forms in which they are printed.
pub(crate) trait Reported {
    /// Prints the report for people.
    fn print_text(&self);

    /// The value for `--format json`.
    fn json(&self) -> impl Serialize;

    /// The judged programs, for the formats of CI systems.
    fn into_judged(self) -> Vec<Judged>;
}

impl Reported for Vec<Judged> {
    fn print_text(&self) {}

    fn json(&self) -> impl Serialize {
        let findings = |one: &Judged| report::findings(&one.findings, &one.source());
        CheckReport {
            diagnostics: self.iter().flat_map(findings).collect(),
            known: self.iter().map(|one| one.known.len()).sum(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        self
    }
}

/// Prints the report of a command in a format.
pub(crate) fn print(report: impl Reported, command: &str, format: Format) {
    if called::is_running() {
        called::json(to_text(&report.json()));
        return report.print_text();
    }
    match format {
        Format::Text => report.print_text(),
        Format::Json => print_out(&to_text(&report.json())),
        Format::Sarif => print_out(&format!("{:#}\n", render::to_sarif(&report.into_judged()))),
        Format::Github => print_out(&render::to_github(&report.into_judged())),
        Format::Junit => print_out(&render::to_junit(&format!("pto {command}"), &report.into_judged())),
    }
}

/// Prints a result that is not a verdict on a program, as JSON or as text. Only the printed form is computed; a
/// [call](called) gets both.
pub(crate) fn print_either<R: Serialize>(
    json: bool,
    report: impl FnOnce() -> R,
    text: impl FnOnce() -> String,
) {
    if called::is_running() {
        called::json(to_text(&report()));
        return print_out(&text());
    }
    print_out(&if json { to_text(&report()) } else { text() });
}

/// Prints an error in data that prevents a report, in the formats of CI systems: these read the printed report in
/// addition to the exit status.
pub(crate) fn print_error(judged: Judged, error: &DataError, command: &str, format: Format) {
    if is_for_ci(format) {
        print(vec![Judged { error: Some(error.to_string()), ..judged }], command, format);
    }
}

/// Prints diagnostics on stderr, in colour on a terminal.
pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], text: &Text) {
    print_findings(diagnostics, &SourceText::new(&text.name, &text.text));
}

/// Prints diagnostics in one or several files on stderr, in colour on a terminal.
pub(crate) fn print_findings(diagnostics: &[Diagnostic], source: &SourceText<'_>) {
    if !diagnostics.is_empty() {
        called::found(diagnostics, source);
        let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let color = color && !called::is_running();
        write_err(format_args!("{}", render::to_text(diagnostics, source, color)));
    }
}

/// Prints the findings of a check before the result of a command that runs the program: their number, unless they are asked for or
/// would have kept the program from running.
pub(crate) fn print_warnings(warnings: &[Diagnostic], source: &SourceText<'_>, rules: &RuleArgs) {
    let (refused, warnings): (Vec<_>, Vec<_>) =
        warnings.iter().cloned().partition(|finding| finding.severity == Severity::Refused);
    print_findings(&refused, source);
    let warnings = warnings.as_slice();
    if rules.show_warnings {
        print_findings(warnings, source);
    } else if !warnings.is_empty() {
        let named = by_rule(std::iter::once(warnings));
        let named: Vec<String> = named.iter().map(|(rule, found, _)| format!("{found} {rule}")).collect();
        let (count, list) = (plural(warnings.len(), "warning"), clip(&named.join(", "), LONGEST_LIST));
        print_err!("{}: {count} of the check ({list}); --show-warnings shows them", source.name());
    }
}

/// Prints the findings that prevent a result: as JSON on stdout, or as text on stderr.
pub(crate) fn print_refusal(json: bool, findings: &[Diagnostic], text: &Text) {
    if json {
        let source = SourceText::new(&text.name, &text.text);
        print_out(&to_text(&json!({ "diagnostics": report::findings(findings, &source) })));
    } else {
        print_diagnostics(findings, text);
    }
}

/// Whether a format is read by a CI system, which needs every error in it.
pub(crate) fn is_for_ci(format: Format) -> bool {
    matches!(format, Format::Sarif | Format::Github | Format::Junit)
}

/// `1 error`, `2 errors`.
pub(crate) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Writes to stderr. A failed write is ignored and does not change the exit status: there is no other place for messages.
pub(crate) fn write_err(text: fmt::Arguments<'_>) {
    if called::note(&text.to_string()) {
        return;
    }
    // `eprint!` panics if stderr is closed.
    let _ = std::io::stderr().lock().write_fmt(text);
}

/// Writes a formatted line to stderr, see [`write_err`].
macro_rules! print_err {
    ($($arguments:tt)*) => {
        $crate::printer::write_err(format_args!("{}\n", format_args!($($arguments)*)))
    };
}
pub(crate) use print_err;

/// Whether a write to stdout has failed.
static OUT_FAILED: AtomicBool = AtomicBool::new(false);

/// Writes to stdout. A failure is reported once and makes the command fail; a closed pipe is not a failure.
pub(crate) fn print_out(text: &str) {
    if !called::out(text) && !OUT_FAILED.load(Ordering::Relaxed) {
        note_failure(std::io::stdout().write_all(text.as_bytes()));
    }
}

/// Writes bytes of a child to stdout, see [`print_out`].
pub(crate) fn write_out(bytes: &[u8]) {
    if !OUT_FAILED.load(Ordering::Relaxed) {
        note_failure(std::io::stdout().write_all(bytes));
    }
}

/// Writes the buffered text, and returns whether a write to stdout has failed.
pub(crate) fn flush_out() -> bool {
    note_failure(std::io::stdout().flush());
    OUT_FAILED.load(Ordering::Relaxed)
}

fn note_failure(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !OUT_FAILED.swap(true, Ordering::Relaxed)
    {
        print_err!("error: cannot write to stdout: {error}");
    }
}
