//! Places in the text of the parts as places in the source of the kernel.

use super::operands;
use super::words::{in_cpp, operation_in_cpp, words_in_cpp, words_of_host};
use crate::lines::{Frame, Lines, user_frame};
use crate::session::Session;
use pto::diag::{Diagnostic, Label, Span};
use pto::observe::Writer;
use pto::timeline::Translate;
use pto_cli::linked::CALLS;
use pto_cli::render::Joined;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of findings, one after the other, each at most once.
struct Files {
    joined: Joined,
    /// The first byte of each file by its absolute path; `None` for one that cannot be read.
    starts: BTreeMap<PathBuf, Option<usize>>,
}

/// A path as a user would type it: relative if it is below the current folder.
fn from_here(path: &str) -> String {
    let here = std::env::current_dir().ok();
    let inner = here.and_then(|here| Some(Path::new(path).strip_prefix(here).ok()?.display().to_string()));
    inner.unwrap_or_else(|| path.to_owned())
}

impl Files {
    /// The first byte of a file in the joined text; `None` if it cannot be read.
    fn start(&mut self, path: &str) -> Option<usize> {
        let joined = &mut self.joined;
        // Debug information has absolute paths; the path in a command may be relative.
        let key = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        *self.starts.entry(key).or_insert_with(|| {
            let text = std::fs::read_to_string(path).ok()?;
            Some(joined.add(&from_here(path), &text))
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

/// Translates findings and recordings of a device that has ended.
pub struct Located {
    lines: Lines,
    files: Files,
    /// Byte offsets of the texts of sites in the text of all parts, with the places of their calls.
    places: Vec<(u32, usize)>,
    /// The first byte of the text of all parts in the joined text.
    calls: u32,
    /// The frames of calls by their places: each look-up reads the mappings of the process.
    frames: BTreeMap<usize, Vec<Frame>>,
    words: fn(&str) -> String,
}

impl Located {
    /// Collects the source positions of a session whose parts have the text `source`. `first` is listed first among the files.
    pub fn of(session: &mut Session, source: &str, first: Option<&Path>) -> Located {
        let lines = session.lines.take().unwrap_or_else(Lines::of_process);
        let mut files = Files { joined: Joined::default(), starts: BTreeMap::new() };
        first.and_then(|first| files.start(&first.to_string_lossy()));
        let calls = files.joined.add(CALLS, source) as u32;
        let words = if session.request.is_some() { words_in_cpp } else { words_of_host };
        let places = session.places.clone();
        Located { lines, files, places, calls, frames: BTreeMap::new(), words }
    }

    /// Gives the session its lines back. Returns the files that places are in.
    pub fn finish(self, session: &mut Session) -> Joined {
        session.lines = Some(self.lines);
        self.files.joined
    }

    /// The frames of the call whose part contains a place, innermost first.
    fn frames(&mut self, at: Span) -> &[Frame] {
        let before = self.places.partition_point(|(start, _)| *start <= at.start);
        let Some((_, place)) = before.checked_sub(1).and_then(|before| self.places.get(before)) else {
            return &[];
        };
        let lines = &mut self.lines;
        self.frames.entry(*place).or_insert_with(|| lines.callers(*place as u64))
    }

    /// The place of the call whose part contains a place, if its line is known.
    fn moved(&mut self, at: Span) -> Option<Span> {
        let user = user_frame(self.frames(at), None)?.clone();
        self.files.span(&user)
    }

    /// A finding whose labels point to lines of the kernel, as far as these are known.
    pub fn finding(&mut self, finding: &Diagnostic) -> Diagnostic {
        let mut finding = in_cpp(finding, self.words);
        let mut through = Vec::new();
        let mut is_moved = false;
        for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
            let Label { span, .. } = label;
            let at = *span;
            *span = Span::new(at.start + self.calls, at.end + self.calls);
            if let Some(moved) = self.moved(at) {
                *span = moved;
                is_moved = true;
            }
            for note in inlined(self.frames(at)) {
                if !through.contains(&note) {
                    through.push(note);
                }
            }
        }
        if is_moved || self.calls > 0 {
            // Edits would change the text of a part.
            finding.edits.clear();
        }
        finding.notes.extend(through);
        finding
    }

    /// Puts the place of the call and the name of the intrinsic into a writer of global memory.
    pub fn writer(&mut self, writer: &mut Writer) {
        writer.name = operation_in_cpp(&writer.name);
        self.span(&mut writer.span);
    }
}

impl Translate for Located {
    fn operation(&mut self, name: &mut String) {
        *name = operation_in_cpp(name);
    }

    /// Replaces an operand by the variable that the call passes; otherwise the operand keeps its role.
    fn operand(&mut self, name: &mut String, at: Span) {
        let before = self.places.partition_point(|(start, _)| *start <= at.start);
        let Some((start, _)) = before.checked_sub(1).and_then(|before| self.places.get(before)) else {
            return;
        };
        let start = (self.calls + start) as usize;
        let Some(call) = self.moved(at) else { return };
        let text = self.files.joined.text();
        let call = &text[call.start as usize..call.end as usize];
        if let Some(passed) = operands::passed(&text[start..], name, call) {
            *name = passed.to_owned();
        }
    }

    fn function(&mut self, name: &mut String, at: Span) {
        let user = user_frame(self.frames(at), None);
        if let Some(function) = user.and_then(|user| user.function.as_deref()) {
            *name = short(function);
        }
    }

    fn span(&mut self, span: &mut Span) {
        let calls = self.calls;
        *span = self.moved(*span).unwrap_or(Span::new(span.start + calls, span.end + calls));
    }
}

/// A note for each function into which the user's code of a call was inlined.
fn inlined(frames: &[Frame]) -> Vec<String> {
    let Some(user) = user_frame(frames, None) else { return Vec::new() };
    let outer = frames.iter().skip_while(|frame| *frame != user).skip(1);
    let note = |frame: &Frame| {
        let function = user.function.as_deref().map_or("a function".into(), short);
        let (file, line) = (frame.file.as_ref()?, frame.line?);
        Some(format!("`{function}` is inlined at {file}:{line}"))
    };
    outer.filter_map(note).collect()
}

/// The name of a function, without long template arguments.
fn short(function: &str) -> String {
    match function.split_once('<') {
        Some((name, _)) if function.len() > 60 => format!("{name}<...>"),
        _ => function.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn long_template_arguments_are_left_out() {
        let long = format!("scale<pto::Tile<{}> >", "1, ".repeat(30));
        assert_eq!(
            (short("scale<float, 64>"), short(&long)),
            ("scale<float, 64>".into(), "scale<...>".into())
        );
    }
}
