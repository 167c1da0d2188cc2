//! Commands as calls inside a process: input files in memory, output as a value.
//!
//! [`call`] runs a command on the calling thread. During the call, `printer` writes to the result, and
//! [`Disk`](crate::files::Disk) reads the files of the call before those of the system.

use crate::args::Cli;
use crate::commands::{self, Status};
use crate::render::SourceText;
use clap::Parser;
use pto::data::DataError;
use pto::diag::Diagnostic;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Output of a command.
#[derive(Debug, Default)]
pub struct Called {
    /// The text on stdout, as without `--json`.
    pub text: String,
    /// The JSON that the command prints with `--json`, if it has any.
    pub json: Option<String>,
    /// The text on stderr, without colour.
    pub notes: String,
    /// The findings among the notes, in order.
    pub findings: Vec<Found>,
}

/// Findings about one program.
#[derive(Debug)]
pub struct Found {
    /// The findings.
    pub findings: Vec<Diagnostic>,
    /// The name of the program.
    pub name: String,
    /// The text that places are in.
    pub text: String,
}

/// The bytes of a file in memory.
pub type Bytes = Arc<[u8]>;

/// A call that runs on this thread.
#[derive(Default)]
struct Running {
    files: Vec<(PathBuf, Bytes)>,
    called: Called,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Runs a command given its words, without the name of the program. Paths among `files` name these bytes instead of files
/// of the system. Commands that run other programs (`pto c++`, a kernel in C++) print to the streams of the process.
///
/// # Errors
/// Words that are not a command, and the errors of the command.
pub fn call(words: &[String], files: Vec<(PathBuf, Bytes)>) -> Result<(Called, Status), DataError> {
    let words = std::iter::once("pto").chain(words.iter().map(String::as_str));
    let cli = Cli::try_parse_from(words).map_err(|error| DataError::misuse(reason(&error)))?;
    RUNNING.set(Some(Running { files, called: Called::default() }));
    let status = commands::status(&cli.command);
    let called = RUNNING.take().unwrap_or_default().called;
    status.map(|status| (called, status))
}

/// Returns the parser's reason for rejecting the words, without the usage that follows it.
fn reason(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let ends = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|end| text.find(end));
    text[..ends.min().unwrap_or(text.len())].trim_end().to_owned()
}

/// Applies `with` to the call of this thread; `None` outside of calls.
fn running<T>(with: impl FnOnce(&mut Running) -> T) -> Option<T> {
    RUNNING.with_borrow_mut(|running| running.as_mut().map(with))
}

/// Whether a call runs on this thread.
pub(crate) fn is_running() -> bool {
    running(|_| ()).is_some()
}

/// The file of the call at a path.
pub(crate) fn file(path: &Path) -> Option<Bytes> {
    running(|running| {
        running.files.iter().find(|(name, _)| name == path).map(|(_, bytes)| Arc::clone(bytes))
    })?
}

/// Appends to the text of the call; false outside of calls.
pub(crate) fn out(text: &str) -> bool {
    running(|running| running.called.text += text).is_some()
}

/// Appends to the notes of the call; false outside of calls.
pub(crate) fn note(text: &str) -> bool {
    running(|running| running.called.notes += text).is_some()
}

/// Keeps the JSON of the result.
pub(crate) fn json(json: String) {
    running(|running| running.called.json = Some(json));
}

/// Keeps findings.
pub(crate) fn found(findings: &[Diagnostic], source: &SourceText<'_>) {
    running(|running| {
        let (name, text) = (source.name().to_owned(), source.text().to_owned());
        running.called.findings.push(Found { findings: findings.to_vec(), name, text });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "func.func @k(%x: !pto.ptr<f32>) {\n  return\n}\n";

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn files(text: &str) -> Vec<(PathBuf, Bytes)> {
        vec![(PathBuf::from("<k>"), text.as_bytes().into())]
    }

    #[test]
    fn a_command_reads_files_in_memory_and_returns_text_and_json() {
        let (called, status) = call(&words(&["inspect", "<k>"]), files(TEXT)).unwrap();
        assert_eq!(status, Status::Fine);
        assert!(called.text.contains("watchers"), "{}", called.text);
        let json: serde_json::Value = serde_json::from_str(&called.json.unwrap()).unwrap();
        assert_eq!(json["file"], "<k>");
        assert!(called.notes.is_empty() && called.findings.is_empty());
        assert!(!is_running() && file(Path::new("<k>")).is_none());
    }

    #[test]
    fn findings_are_values_and_text() {
        let (called, status) =
            call(&words(&["inspect", "<k>"]), files("func.func @k() {\n  pto.nothing\n}\n")).unwrap();
        assert_eq!(status, Status::Wrong);
        assert!(called.json.is_none() && called.notes.contains("<k>:2"), "{}", called.notes);
        assert_eq!(called.findings[0].name, "<k>");
    }

    #[test]
    fn wrong_words_and_missing_files_are_errors() {
        let error = call(&words(&["time", "<k>", "--top", "many"]), files(TEXT)).unwrap_err();
        assert!(error.message.starts_with("invalid value 'many' for '--top <N>'"), "{}", error.message);
        assert!(!error.message.contains("Usage"));
        let error = call(&words(&["inspect", "<none>"]), Vec::new()).unwrap_err();
        assert!(error.message.contains("<none>"), "{}", error.message);
        assert!(!is_running());
    }
}
