//! Findings of launches with the lines of the kernel.
//!
//! A finding points into the text of the parts, which the user never wrote. Each part belongs to a place in the kernel, and its lines are
//! shown instead: with debug information the line of the call, and a note for each function through which it was inlined there. Without it
//! the text of the part is all that there is.
#![allow(unsafe_code)]

mod located;
mod operands;
mod words;

use crate::lines::{Frame, user_frame};
use crate::session::{Session, with_session};
pub use located::Located;
use pto::diag::Diagnostic;
use pto_cli::render::{SourceText, to_text};
use std::io::{IsTerminal, Write};

unsafe extern "C" {
    /// Registers a function that runs when the process ends.
    safe fn atexit(function: extern "C" fn()) -> i32;
    /// Writes the buffered output of a stream of C.
    fn fflush(stream: *mut std::ffi::c_void) -> i32;
    /// Ends the process at once.
    safe fn _exit(status: i32) -> !;
}

/// Registers the report of findings at the end of the process.
pub fn at_exit() {
    atexit(end);
}

extern "C" fn end() {
    let ended = std::panic::catch_unwind(|| with_session(Session::finish));
    if let Ok(Some(status)) = ended {
        end_process(status);
    }
}

/// Ends the process with a status, after writing all buffered output.
pub fn end_process(status: i32) -> ! {
    flush();
    _exit(status)
}

/// Writes the buffered output of the kernel's calls of C functions.
pub fn flush() {
    // SAFETY: null selects all streams.
    unsafe {
        fflush(std::ptr::null_mut());
    }
}

/// Prints a text that a kernel prints by an instruction, after the earlier output of its own `printf`.
pub fn print(text: &str) {
    flush();
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints to the stream of errors.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints findings now.
pub fn tell(session: &mut Session, found: &[Diagnostic]) {
    let source = session.source().to_owned();
    print_error(&text(session, &source, found));
}

/// The line of a call in the user's code, as `file:line`.
pub fn user_line(frames: &[Frame]) -> Option<String> {
    let frame = user_frame(frames, None)?;
    Some(format!("{}:{}", frame.file.as_ref()?, frame.line?))
}

/// The text of findings.
pub fn text(session: &mut Session, source: &str, found: &[Diagnostic]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut located = Located::of(session, source, None);
    let placed: Vec<Diagnostic> = found.iter().map(|finding| located.finding(finding)).collect();
    let joined = located.finish(session);
    to_text(&placed, &SourceText::joined(&joined), std::io::stderr().is_terminal())
}
