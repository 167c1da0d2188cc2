//! Folders in which tests run the command, and its output.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder for the files of one test, removed at the end of the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pto-test-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The path of a file, as text.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, contents).expect("a file");
        self.path(name)
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes an executable file, and returns its path.
    pub(crate) fn script(&self, name: &str, text: &str) -> String {
        // A file that this process has open for writing cannot be run, and other threads may start programs now.
        let write = "printf %s \"$TEXT\" > \"$FILE\" && chmod 755 \"$FILE\"";
        let path = self.path(name);
        let made = Command::new("sh").args(["-c", write]).env("TEXT", text).env("FILE", &path).status();
        assert!(made.is_ok_and(|made| made.success()));
        path
    }

    /// The command in this folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pto"));
        command.current_dir(&self.0);
        command
    }

    /// Runs the command in this folder.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command().args(words).output().expect("the command runs")
    }

    /// Runs the command with words in a line: status, output and messages.
    pub(crate) fn pto(&self, flags: &str) -> (Option<i32>, String, String) {
        parts(&self.run(&flags.split_whitespace().collect::<Vec<_>>()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Status, output and messages.
pub(crate) fn parts(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), out(output), err(output))
}

/// The text that a command wrote to stdout.
pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The text that a command wrote to stderr.
pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}
