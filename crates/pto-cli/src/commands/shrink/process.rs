//! The condition is the exit status of a command.

use super::super::child;
use super::condition::Condition;
use crate::args::ShrinkArgs;
use pto::data::DataError;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The words that are the candidate's path.
const CANDIDATE: &str = "{}";

/// A command, and a folder with the candidate.
pub(super) struct Process {
    program: String,
    arguments: Vec<String>,
    status: i32,
    timeout: Duration,
    folder: Folder,
    candidate: PathBuf,
    ended: Option<Ended>,
}

/// End of a run of the command.
#[derive(Clone, Copy, Debug)]
enum Ended {
    Status(ExitStatus),
    TimedOut,
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on its removal.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new() -> Result<Folder, DataError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let fail = |path: &Path, error| {
            DataError::new(format!("{}: cannot make the folder: {error}", path.display()))
        };
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("pto-shrink-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                // Left by a process that had this id before.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(fail(&path, error)),
            }
        }
    }
}

impl Process {
    pub(super) fn of(args: &ShrinkArgs) -> Result<Process, DataError> {
        let folder = Folder::new()?;
        let name = args.file.file_name().filter(|_| args.file != Path::new("-"));
        let candidate = folder.0.join(name.unwrap_or("candidate.pto".as_ref()));
        let mut words = args.command.clone();
        if !words.iter().skip(1).any(|word| word.contains(CANDIDATE)) {
            words.push(CANDIDATE.to_owned());
        }
        let path = candidate.display().to_string();
        let mut words = words.into_iter().map(|word| word.replace(CANDIDATE, &path));
        // The flags require a word.
        let program = words.next().unwrap_or_default();
        let arguments = words.collect();
        let (status, timeout) = (args.status, args.timeout);
        Ok(Process { program, arguments, status, timeout, folder, candidate, ended: None })
    }

    fn start(&self) -> Result<Child, DataError> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        child::start(&mut command).map_err(|error| {
            DataError::misuse(format!("cannot start the condition `{}`: {error}", self.program))
                .with_help("after `--` comes a command, such as `-- sh -c 'pto check $0 | grep -q race' {}`")
        })
    }
}

impl Condition for Process {
    fn holds(&mut self, text: &str) -> Result<bool, DataError> {
        // The command may have removed the last candidate, or the folder.
        let written = fs::create_dir_all(&self.folder.0).and_then(|()| fs::write(&self.candidate, text));
        written.map_err(|error| {
            DataError::new(format!("{}: cannot write the file: {error}", self.candidate.display()))
        })?;
        let ended = child::wait(self.start()?, self.timeout)
            .map_err(|error| DataError::new(format!("cannot wait for the condition: {error}")))?;
        let ended = ended.map_or(Ended::TimedOut, Ended::Status);
        self.ended = Some(ended);
        Ok(matches!(ended, Ended::Status(status) if status.code() == Some(self.status)))
    }

    fn reason(&self) -> String {
        let did = match self.ended {
            Some(Ended::Status(status)) => match status.code() {
                Some(code) => format!("ends with status {code}"),
                None => format!("is ended by a signal ({status})"),
            },
            _ => format!("takes longer than {} s, which --timeout changes", self.timeout.as_secs_f64()),
        };
        let words = std::iter::once(&self.program).chain(&self.arguments).map(String::as_str);
        let path = self.candidate.display().to_string();
        let command = words.collect::<Vec<_>>().join(" ").replace(&path, CANDIDATE);
        format!("`{command}` {did}; a candidate is kept if it ends with status {}", self.status)
    }
}
