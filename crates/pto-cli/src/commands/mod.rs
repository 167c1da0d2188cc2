//! The subcommands: they read files, call the library, and print.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod check;
mod diff;
mod diff_log;
mod examined;
mod explain;
mod fmt;
mod inspect;
pub mod launch;
mod layout;
mod log;
mod lower;
mod manual;
mod run;
mod sweep;
mod test;
mod unnoticed;

use crate::args::{Cli, Command, Target};
use crate::error::DataError;
use crate::render::{self, SourceText};
use pto::diag::{Diagnostic, Severity};
use pto::{Checked, Profile};
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Result of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Fine,
    /// An error in the program or its data.
    Wrong,
}

/// Runs the command.
pub fn run(cli: &Cli) -> ExitCode {
    let status = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Run(args) => run::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Lower(args) => lower::run(args),
        Command::Test(args) => test::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Layout(args) => layout::run(args),
        Command::Diff(args) => diff::run(args),
        Command::DiffLog(args) => diff_log::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::pages(args),
    };
    flush_out();
    match status {
        Ok(_) if OUT_FAILED.load(Ordering::Relaxed) => ExitCode::from(1),
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Wrong) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(if error.misuse { 2 } else { 1 })
        }
    }
}

/// Most bytes of a program, which bounds reading from endless sources.
const LONGEST: u64 = 1 << 28;

/// The text of a program and its name in messages.
pub struct Text {
    /// The path as it was given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Reads a program; `-` is stdin.
///
/// # Errors
/// A file that cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<Text, DataError> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
    let fail = |error| DataError::misuse(format!("{name}: cannot read the file: {error}"));
    let input: Box<dyn Read> = match is_stdin {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(path).map_err(fail)?),
    };
    if !is_stdin && path.is_dir() {
        let help = format!(
            "name the programs in it, such as `{name}/*.pto`; or `pto run --all {name}` runs all below it"
        );
        return Err(DataError::misuse(format!("{name}: this is a folder, not a program")).with_help(help));
    }
    let mut bytes = Vec::new();
    input.take(LONGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > LONGEST {
        return Err(DataError::new(format!("{name}: more than {LONGEST} bytes are too many for a program")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { name, text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let message = format!("{name}: not a text file: byte {at} is not UTF-8");
            Err(DataError::new(message).with_help("a program is text; is this a binary file?"))
        }
    }
}

/// The profile of `--target`.
pub fn target(given: Option<Target>) -> Option<Profile> {
    given.map(|target| match target {
        Target::Cpu => Profile::Cpu,
        Target::A2a3 => Profile::A2A3,
        Target::A5 => Profile::A5,
    })
}

/// Reads and checks a program's text.
///
/// # Errors
/// All findings, if any is an error, or an extension with `strict`.
pub fn check_text(
    text: &str,
    target: Option<Profile>,
    strict: bool,
) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (module, mut findings) = pto::text::parse_partial(text);
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        findings.extend(pto::check::check_partial(&module, target));
        return Err(sorted(findings));
    }
    let checked = match pto::check(module, target) {
        Ok(checked) => checked,
        Err(mut errors) => {
            errors.extend(findings);
            return Err(sorted(errors));
        }
    };
    findings.extend(checked.warnings().iter().cloned());
    let mut findings = sorted(findings);
    if strict && findings.iter().any(|finding| finding.severity == Severity::Extension) {
        for finding in &mut findings {
            if finding.severity == Severity::Extension {
                finding.severity = Severity::Error;
                finding.notes.push("an extension, which --strict rejects".into());
            }
        }
        return Err(findings);
    }
    Ok((checked, findings))
}

fn sorted(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.sort_by_key(|finding| finding.primary.as_ref().map_or(0, |label| label.span.start));
    findings
}

/// Prints diagnostics on stderr, in colour on a terminal.
pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], text: &Text) {
    if !diagnostics.is_empty() {
        let source = SourceText::new(&text.name, &text.text);
        let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        eprint!("{}", render::to_text(diagnostics, &source, color));
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Whether a write to stdout has failed.
static OUT_FAILED: AtomicBool = AtomicBool::new(false);

/// Writes to stdout. A failure is reported once and makes the command fail; a closed pipe is not a failure.
pub(crate) fn print_out(text: &str) {
    if !OUT_FAILED.load(Ordering::Relaxed) {
        note_failure(std::io::stdout().write_all(text.as_bytes()));
    }
}

fn flush_out() {
    note_failure(std::io::stdout().flush());
}

fn note_failure(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !OUT_FAILED.swap(true, Ordering::Relaxed)
    {
        eprintln!("error: cannot write to stdout: {error}");
    }
}
