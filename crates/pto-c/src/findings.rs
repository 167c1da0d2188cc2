//! Findings of launches with the lines of the kernel.
//!
//! A finding points into the text of the parts, which the user never wrote. Each part belongs to a place in the kernel, and its lines are
//! shown instead: with debug information the line of the call, and a note for each function through which it was inlined there. Without it
//! the text of the part is all that there is.
#![allow(unsafe_code)]

use crate::lines::{Frame, Lines, user_frame};
use crate::session::{Session, with_session};
use pto::diag::{Diagnostic, Label, Span};
use pto::isa::Op;
use pto_cli::render::{Joined, SourceText, to_text};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

unsafe extern "C" {
    /// Registers a function that runs when the process ends.
    safe fn atexit(function: extern "C" fn()) -> i32;
    /// Writes what streams of C have kept.
    fn fflush(stream: *mut std::ffi::c_void) -> i32;
    /// Ends the process at once.
    safe fn _exit(status: i32) -> !;
}

/// Has findings told when the process ends.
pub fn at_exit() {
    atexit(end);
}

extern "C" fn end() {
    let ended = std::panic::catch_unwind(|| with_session(Session::finish));
    if let Ok(Some(status)) = ended {
        end_process(status);
    }
}

/// Ends the process with a status; what was printed before is written.
pub fn end_process(status: i32) -> ! {
    flush();
    _exit(status)
}

/// Writes what the kernel has printed with functions of C.
pub fn flush() {
    // SAFETY: null stands for all streams.
    unsafe {
        fflush(std::ptr::null_mut());
    }
}

/// Prints what a kernel prints, behind what its own `printf` has printed.
pub fn print(text: &str) {
    flush();
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints to the stream of errors.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Tells findings now.
pub fn tell(session: &mut Session, found: &[Diagnostic]) {
    let source = session.source().to_owned();
    print_error(&text(session, &source, found));
}

/// The line of a call in the user's code, as `file:line`.
pub fn user_line(frames: &[Frame]) -> Option<String> {
    let frame = user_frame(frames, None)?;
    Some(format!("{}:{}", frame.file.as_ref()?, frame.line?))
}

/// The files of findings, one after the other, each at most once.
struct Files {
    joined: Joined,
    /// The first byte of each file by its absolute path; `None` for one that cannot be read.
    starts: BTreeMap<PathBuf, Option<usize>>,
}

impl Files {
    /// The first byte of a file in the joined text; `None` if it cannot be read.
    fn start(&mut self, path: &str) -> Option<usize> {
        let joined = &mut self.joined;
        // Debug information has absolute paths, a command the one that its user typed.
        let key = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        *self.starts.entry(key).or_insert_with(|| {
            let text = std::fs::read_to_string(path).ok()?;
            Some(joined.add(path, &text))
        })
    }

    /// The part of a line from a column to its end.
    fn span(&mut self, frame: &Frame) -> Option<Span> {
        let start = self.start(frame.file.as_ref()?)?;
        let line = frame.line?.checked_sub(1)? as usize;
        let text = &self.joined.text()[start..];
        let first: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let shown = text.get(first..)?.lines().next()?;
        let indent = shown.len() - shown.trim_start().len();
        let from =
            frame.column.and_then(|column| column.checked_sub(1)).map_or(indent, |column| column as usize);
        let from = if shown.is_char_boundary(from) && from < shown.trim_end().len() { from } else { indent };
        // Compilers place a call at its parenthesis.
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let from = shown[..from].trim_end_matches(is_name).len();
        let (from, end) = (start + first + from, start + first + shown.trim_end().len());
        Some(Span::new(from as u32, end as u32))
    }
}

/// The text of findings.
pub fn text(session: &mut Session, source: &str, found: &[Diagnostic]) -> String {
    if found.is_empty() {
        return String::new();
    }
    let (placed, joined) = located(session, source, found, None);
    to_text(&placed, &SourceText::joined(&joined), std::io::stderr().is_terminal())
}

/// Findings at the lines of the kernel, and the files that they point into. `first` is the first of these files.
pub fn located(
    session: &mut Session,
    source: &str,
    found: &[Diagnostic],
    first: Option<&Path>,
) -> (Vec<Diagnostic>, Joined) {
    let mut lines = session.lines.take().unwrap_or_else(Lines::of_process);
    let mut files = Files { joined: Joined::default(), starts: BTreeMap::new() };
    first.and_then(|first| files.start(&first.to_string_lossy()));
    let calls = files.joined.add("the calls of the kernel", source) as u32;
    let words = if session.request.is_some() { words_in_cpp } else { words_of_host };
    let in_cpp = found.iter().map(|finding| in_cpp(finding, words));
    let placed = in_cpp.map(|finding| placed(finding, (&session.places, calls), &mut lines, &mut files));
    let placed = placed.collect();
    session.lines = Some(lines);
    (placed, files.joined)
}

/// A finding whose labels point to lines of the kernel, as far as these are known. `calls` is the first byte of the text of the parts.
fn placed(
    mut finding: Diagnostic,
    (places, calls): (&[(u32, usize)], u32),
    lines: &mut Lines,
    files: &mut Files,
) -> Diagnostic {
    let mut through = Vec::new();
    let mut is_moved = false;
    for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
        let Label { span, .. } = label;
        let before = places.partition_point(|(start, _)| *start <= span.start);
        *span = Span::new(span.start + calls, span.end + calls);
        let Some((_, place)) = before.checked_sub(1).and_then(|before| places.get(before)) else { continue };
        let frames = lines.callers(*place as u64);
        let Some(user) = user_frame(&frames, None) else { continue };
        if let Some(moved) = files.span(user) {
            *span = moved;
            is_moved = true;
        }
        let outer = frames.iter().skip_while(|frame| *frame != user).skip(1);
        for frame in outer {
            let function = user.function.as_deref().map_or("a function".into(), short);
            let (Some(file), Some(line)) = (&frame.file, frame.line) else { continue };
            let note = format!("`{function}` is inlined at {file}:{line}");
            if !through.contains(&note) {
                through.push(note);
            }
        }
    }
    if is_moved || calls > 0 {
        // They would change the text of a part.
        finding.edits.clear();
    }
    finding.notes.extend(through);
    finding
}

/// The name of a function, without long template arguments.
fn short(function: &str) -> String {
    match function.split_once('<') {
        Some((name, _)) if function.len() > 60 => format!("{name}<...>"),
        _ => function.to_owned(),
    }
}

/// A finding in the words of C++: names of intrinsics and functions instead of those of operations.
fn in_cpp(finding: &Diagnostic, words: fn(&str) -> String) -> Diagnostic {
    let mut finding = finding.clone();
    finding.message = words(&finding.message);
    for text in finding.notes.iter_mut().chain(&mut finding.help) {
        *text = words(text);
    }
    for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
        label.message = words(&label.message);
    }
    finding
}

/// A sentence for a process that launches kernels itself: it has no flags of a command, and its memory no names of arguments.
fn words_of_host(text: &str) -> String {
    if text.starts_with("give it contents: `-i ") {
        return "give it contents: by `aclrtMemcpy` or `aclrtMemset`, or in an earlier launch".into();
    }
    if text.starts_with("if synchronization is inserted later, use ") {
        return "if a compiler inserts synchronization later, compile with `-D__PTO_AUTO__`, which assumes program order within a core"
            .into();
    }
    if let Some((reads, buffer)) =
        text.strip_suffix("` was not given").and_then(|text| text.split_once("argument `"))
    {
        return words_of_host(&format!("{reads}nothing has written `{buffer}`"));
    }
    words_in_cpp(&text.replace("argument `", "`"))
}

/// A sentence whose quoted operations are those of C++.
fn words_in_cpp(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let quoted = parts.map(|(at, part)| if at % 2 == 1 { operation_in_cpp(part) } else { part.to_owned() });
    quoted.collect::<Vec<_>>().join("`")
}

/// A quoted operation, name or value as C++ writes it.
fn operation_in_cpp(text: &str) -> String {
    let name = text.strip_prefix("pto.").unwrap_or(text);
    if let Some(value) = name.strip_prefix('%') {
        return value.to_owned();
    }
    if let Some((function, pipes)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
        && let "set_flag" | "wait_flag" = function
    {
        let pipes: String = pipes.chars().filter(|c| !"<>".contains(*c)).collect();
        return format!("{function}({pipes})");
    }
    let barrier = name.strip_prefix("barrier #pto.pipe<").or_else(|| name.strip_prefix("barrier <"));
    if let Some(pipe) = barrier.and_then(|name| name.strip_suffix('>')) {
        return format!("pipe_barrier({pipe})");
    }
    if let "set_flag_dyn" | "wait_flag_dyn" = name {
        return name.trim_end_matches("_dyn").to_owned();
    }
    if let "tassign" | "tpush" | "tpop" | "tfree" | "talloc" | "tsync" = name {
        return name.to_uppercase();
    }
    let is_instruction = Op::find(&format!("pto.{name}")).is_some_and(|op| op.instruction().is_some());
    if is_instruction && name.starts_with('t') {
        name.to_uppercase().replace('.', "_")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{short, words_in_cpp, words_of_host};

    #[test]
    fn messages_name_intrinsics() {
        let text = "put `pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]` after `tload`, which writes `%dst`, and \
                    `pto.barrier #pto.pipe<PIPE_V>` before `tmatmul.acc`: `--watch`";
        let wanted = "put `set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0)` after `TLOAD`, which writes `dst`, and \
                      `pipe_barrier(PIPE_V)` before `TMATMUL_ACC`: `--watch`";
        assert_eq!(words_in_cpp("`wait_flag_dyn` orders nothing"), "`wait_flag` orders nothing");
        assert_eq!(words_in_cpp("an address with `pto.tassign`"), "an address with `TASSIGN`");
        assert_eq!(words_in_cpp(text), wanted);
        assert_eq!(
            words_in_cpp("put `pto.barrier <PIPE_M>` between them"),
            "put `pipe_barrier(PIPE_M)` between them"
        );
    }

    #[test]
    fn memory_is_no_argument() {
        let pairs = [
            (
                "`tload` reads `%src`, but argument `allocation of 8 bytes` was not given",
                "`TLOAD` reads `src`, but nothing has written `allocation of 8 bytes`",
            ),
            ("but argument `[heap]` holds 3: 12 of 16 bytes", "but `[heap]` holds 3: 12 of 16 bytes"),
            (
                "give it contents: `-i allocation of 8 bytes=...`",
                "give it contents: by `aclrtMemcpy` or `aclrtMemset`, or in an earlier launch",
            ),
        ];
        pairs.iter().for_each(|(text, wanted)| assert_eq!(words_of_host(text), *wanted));
    }

    #[test]
    fn long_template_arguments_are_left_out() {
        let long = format!("scale<pto::Tile<{}> >", "1, ".repeat(30));
        assert_eq!(
            (short("scale<float, 64>"), short(&long)),
            ("scale<float, 64>".into(), "scale<...>".into())
        );
    }
}
