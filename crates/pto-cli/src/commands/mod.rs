//! The subcommands: they read files, call the library, and print.

mod advice;
mod baseline;
mod bench;
mod beside;
mod check;
mod child;
mod cpp;
mod diff;
mod diff_log;
mod expectation;
mod explain;
mod fmt;
mod inspect;
mod kernel;
mod layout;
mod log;
mod lower;
mod map;
mod record;
mod replay;
mod report;
mod run;
mod sequence;
mod shim;
mod shrink;
mod summary;
mod sweep;
mod test;
mod time;
mod timing;
mod verify;

use crate::args::{Cli, Command};
use crate::called;
use crate::files::similar;
use crate::printer::{flush_out, print_err, print_out};
use crate::settings::Settings;
use crate::version;
pub use bench::Repeated;
use clap::Parser;
pub use cpp::Loader;
pub use kernel::compile_shared;
use pto::data::DataError;
use pto::diag::{Diagnostic, Severity};
use pto::{Checked, Profile};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

/// Result of a subcommand. Of several results, the last in the order of the variants counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Success.
    Fine,
    /// The verdict "no": an error in a program or in data, or a difference.
    Wrong,
    /// A wrong use of the command, which a finding or a message explains.
    Misused,
    /// An unknown verdict.
    Unknown,
}

/// Runs the command.
pub fn run(cli: &Cli) -> ExitCode {
    let status = match &cli.command {
        // `shim-run` returns the status of the real assembler.
        Command::ShimRun(args) => return shim::between(args),
        Command::Cpp(args) => match cpp::run(args) {
            // `pto c++` returns the status of the compiler.
            Ok(code) => return if flush_out() { ExitCode::from(1) } else { code },
            Err(error) => Err(error),
        },
        command => self::status(command),
    };
    let is_lost = flush_out();
    match status {
        Ok(_) if is_lost => ExitCode::from(1),
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Wrong) => ExitCode::from(1),
        Ok(Status::Misused) => ExitCode::from(2),
        Ok(Status::Unknown) => ExitCode::from(3),
        Err(error) => {
            print_err!("error: {error}");
            ExitCode::from(if error.misuse { 2 } else { 1 })
        }
    }
}

/// Runs a command that has a result of its own.
///
/// # Errors
/// Wrong usage, and data or files that prevent a result.
pub(crate) fn status(command: &Command) -> Result<Status, DataError> {
    match command {
        Command::ShimRun(_) | Command::Cpp(_) => Err(DataError::misuse(
            "`pto c++` and the assembler of `pto shim` run other programs: run them in a shell",
        )),
        Command::Shim(args) => shim::run(args),
        Command::Check(args) => check::run(args),
        Command::Run(args) => run::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Lower(args) => lower::run(args),
        Command::Test(args) => test::run(args),
        Command::Record(args) => record::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Shrink(args) => shrink::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Time(args) => time::run(args),
        Command::Map(args) => map::run(args),
        Command::Report(args) => report::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Layout(args) => layout::run(args),
        Command::Diff(args) => diff::run(args),
        Command::DiffLog(args) => diff_log::run(args),
    }
}

/// Runs the command of a command line, the name of the program first. A wrong line ends the process with a message.
pub fn run_words(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    // The parser ends at the first flag of these.
    if words.get(1..).is_some_and(|words| words == ["--version", "--verbose"]) {
        print_out(&version::details());
        return if flush_out() { ExitCode::from(1) } else { ExitCode::SUCCESS };
    }
    run(&Cli::parse_from(words))
}

/// Maximum size in bytes of a program, which bounds reading from endless sources.
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
    let fail = |error: std::io::Error| {
        let message = DataError::misuse(format!("{name}: cannot read the file: {error}"));
        match similar(path).filter(|_| error.kind() == std::io::ErrorKind::NotFound) {
            Some(help) => message.with_help(help),
            None => message,
        }
    };
    let input: Box<dyn Read> = match called::file(path) {
        Some(bytes) => Box::new(std::io::Cursor::new(bytes)),
        None if is_stdin => Box::new(std::io::stdin()),
        None => Box::new(std::fs::File::open(path).map_err(fail)?),
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

/// The paths of the programs in a folder, relative to it and sorted. Symbolic links to folders are not followed.
pub(crate) fn programs_below(folder: &Path) -> Result<Vec<String>, DataError> {
    files_below(folder, |path| path.extension().is_some_and(|extension| extension == "pto"))
}

/// The paths of the files in a folder that are wanted, see [`programs_below`].
fn files_below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<String>, DataError> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(inner) = pending.pop() {
        let unreadable = |e| DataError::misuse(format!("{}: cannot read the folder: {e}", inner.display()));
        for entry in std::fs::read_dir(&inner).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if wanted(&path) && path.is_file() {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Parses and checks a program's text. The settings and the comments of the text determine the level of each finding. With
/// [`Settings::run_refused`] a program that its target refuses is checked as `cpu`.
///
/// # Errors
/// All findings, if any is an error.
pub fn check_text(text: &str, settings: &Settings) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (checked, findings) = find(text, settings);
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    let findings = settings.level(findings, text).findings;
    match checked {
        Some(checked) if !findings.iter().any(is_error) => Ok((checked, findings)),
        _ if settings.run_refused => check_refused(text, findings),
        _ => Err(findings),
    }
}

/// Checks a refused program as `cpu`. Its errors become [`Severity::Refused`].
fn check_refused(
    text: &str,
    mut findings: Vec<Diagnostic>,
) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (Some(checked), _) = find(text, &Settings::of_target(Some(Profile::Cpu))) else {
        return Err(findings);
    };
    for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
        finding.severity = Severity::Refused;
        finding.notes.push("the program ran as `cpu` all the same, by --run-refused".to_owned());
    }
    Ok((checked, findings))
}

/// The checked program of a text, if it is legal, and all findings in source order.
fn find(text: &str, settings: &Settings) -> (Option<Checked>, Vec<Diagnostic>) {
    let (module, mut findings) = pto::text::parse_partial(text);
    let aliases = module.type_aliases.clone();
    let target = settings.target.or(settings.usual_target.filter(|_| !pto::check::names_target(&module)));
    let checked = if findings.iter().any(|finding| finding.severity == Severity::Error) {
        let more = pto::check::check_partial(&module, target);
        findings.extend(pto::check::beyond_parsed(&module, &findings, more));
        None
    } else {
        match pto::check(module, target) {
            Ok(checked) => {
                findings.extend(checked.warnings().iter().cloned());
                Some(checked)
            }
            Err(errors) => {
                findings.splice(0..0, errors);
                None
            }
        }
    };
    pto::text::label_aliases(&aliases, text, &mut findings);
    findings.sort_by_key(|finding| finding.primary.as_ref().map_or(0, |label| label.span.start));
    let extensions = findings.iter_mut().filter(|finding| finding.severity == Severity::Extension);
    for finding in extensions.filter(|_| settings.strict && checked.is_some()) {
        finding.severity = Severity::Error;
        finding.notes.push("an extension, which --strict rejects".into());
    }
    (checked, findings)
}
