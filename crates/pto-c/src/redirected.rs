//! Redirection of the prints of kernels while stdout is for a report.
#![allow(unsafe_code)]

use std::ffi::c_int;

unsafe extern "C" {
    /// Another number for an open file.
    safe fn dup(file: c_int) -> c_int;
    /// Makes a descriptor number refer to another open file.
    safe fn dup2(file: c_int, number: c_int) -> c_int;
    /// Gives a number back.
    safe fn close(file: c_int) -> c_int;
}

const STDOUT: c_int = 1;
const STDERR: c_int = 2;

/// Redirects the stdout of the process to stderr while the object is alive.
#[derive(Debug)]
pub struct Redirected {
    /// Another number of stdout; negative if it is closed.
    stdout: c_int,
}

impl Redirected {
    /// Sends stdout to stderr. Streams of C must have been written.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Redirected {
        let stdout = dup(STDOUT);
        if stdout >= 0 {
            dup2(STDERR, STDOUT);
        }
        Redirected { stdout }
    }
}

impl Drop for Redirected {
    fn drop(&mut self) {
        if self.stdout >= 0 {
            dup2(self.stdout, STDOUT);
            close(self.stdout);
        }
    }
}
