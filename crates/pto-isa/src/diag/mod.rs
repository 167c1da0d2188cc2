//! Diagnostics: finding, source location, and fix.
//!
//! A [`Diagnostic`] is structured data until a front end renders it; nothing here formats for a terminal.

pub mod comments;
pub mod dimension;
mod levels;
pub mod nearest;

use crate::rule::RuleId;
pub use crate::rule::Severity;
pub use comments::misread_comments;
pub use levels::{Level, LevelError, Leveled, Levels, WARNINGS};
pub use nearest::nearest;
pub use nearest::suggest;
use std::fmt;

/// A range of bytes in one source text. `start <= end`; both are byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the end, exclusive.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, in bytes.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A source location with a message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The source location.
    pub span: Span,
    /// The message; may be empty.
    pub message: String,
}

/// A change of the source: a fix, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; empty where text is inserted.
    pub span: Span,
    /// The new text; empty for a deletion.
    pub replacement: String,
}

/// The mark of help that no run has shown to be right.
pub const NOT_TRIED: &str = "not tried";

/// A change of the source that may remove a finding of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The change in words.
    pub help: String,
    /// The change; the edits must be applied together.
    pub edits: Vec<Edit>,
    /// Whether the proposal comes after all others, because it removes findings without their cause, or costs time.
    pub last_resort: bool,
}

/// Applies the edits of one diagnostic to a source. An edit outside the source, or one that overlaps an earlier
/// edit, is ignored.
///
/// ```
/// use pto::diag::{Edit, Span, apply};
///
/// let edit = |start, end, text: &str| Edit { span: Span::new(start, end), replacement: text.into() };
/// assert_eq!(apply("pto.tad ins", &[edit(8, 8, "%a, "), edit(0, 7, "pto.tadd")]), "pto.tadd %a, ins");
/// ```
pub fn apply(source: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span);
    let (mut out, mut done) = (String::new(), 0);
    for edit in sorted {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let Some(kept) = source.get(done..start).filter(|_| source.get(start..end).is_some()) else {
            continue;
        };
        out.push_str(kept);
        out.push_str(&edit.replacement);
        done = end;
    }
    out + &source[done..]
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The violated rule, such as `tconcat::valid-cols`. Tests expect its id, `explain` accepts it.
    pub rule: RuleId,
    /// Severity of the finding.
    pub severity: Severity,
    /// The main message.
    pub message: String,
    /// The main source location, if there is one.
    pub primary: Option<Label>,
    /// Index of the element that the finding is about, outermost dimension first: row and column of a tile, or the position
    /// in a view or a buffer, in elements.
    pub element: Option<Vec<u64>>,
    /// Further source locations.
    pub secondary: Vec<Label>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// Instructions to fix the program.
    pub help: Vec<String>,
    /// The fix as edits of the source, if it is mechanical. They must be applied together. Edits of two
    /// diagnostics may conflict, so a tool applies one diagnostic's edits and checks again.
    pub edits: Vec<Edit>,
    /// Changes that may remove a finding of a run, the most likely first. At first `help` names the first change as not tried. A tool that can
    /// run the program tries the changes; the one that removes most findings replaces `help` and `edits`.
    pub proposals: Vec<Proposal>,
    /// Findings with the same cause: the edits of this one remove them too.
    pub folded: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A diagnostic of `severity` without a source location.
    ///
    /// Its id is a rule, which `pto explain` accepts:
    ///
    /// ```
    /// use pto::diag::{Diagnostic, Severity};
    /// use pto::isa::rules::sync;
    ///
    /// let lint = Diagnostic::new(Severity::Lint, &sync::REDUNDANT, "it orders nothing");
    /// assert_eq!(lint.rule.to_string(), "sync::redundant");
    /// ```
    ///
    /// A string is not a rule:
    ///
    /// ```compile_fail,E0277
    /// use pto::diag::{Diagnostic, Severity};
    ///
    /// let lint = Diagnostic::new(Severity::Lint, "sync::redundant", "it orders nothing");
    /// ```
    pub fn new(severity: Severity, rule: impl Into<RuleId>, message: impl Into<String>) -> Self {
        let rule = rule.into();
        let mut weights = rule.rule.weights.iter();
        debug_assert!(
            weights.any(|(named, _)| *named == severity),
            "`{rule}` names no severity {severity:?}"
        );
        Diagnostic {
            rule,
            severity,
            message: message.into(),
            primary: None,
            element: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            edits: Vec::new(),
            proposals: Vec::new(),
            folded: Vec::new(),
        }
    }

    /// An error without a source location.
    pub fn error(rule: impl Into<RuleId>, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, rule, message)
    }

    /// Sets the main source location.
    pub fn at(self, span: Span) -> Self {
        self.at_with(span, "")
    }

    /// Sets the main source location, with a message.
    pub fn at_with(mut self, span: Span, message: impl Into<String>) -> Self {
        self.primary = Some(Label { span, message: message.into() });
        self
    }

    /// Sets the index of the element that the finding is about.
    pub fn about(self, element: impl Into<Vec<u64>>) -> Self {
        Diagnostic { element: Some(element.into()), ..self }
    }

    /// Adds a secondary source location with a message.
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// Adds a fact that explains the finding.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds an instruction to fix the program.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds changes that may remove the finding, the most likely first, and names that one as help that was not tried.
    pub fn with_proposals(mut self, proposals: Vec<Proposal>) -> Self {
        self.help.extend(proposals.first().map(|first| format!("{} ({NOT_TRIED})", first.help)));
        self.proposals.extend(proposals);
        self
    }

    /// Adds a replacement of the text at `span`.
    pub fn with_edit(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit { span, replacement: replacement.into() });
        self
    }
}

/// One line: the rule's id and the message, without locations.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

/// Allows callers to return one finding as an error; a [`Severity::Lint`] alone does not reject a program.
impl std::error::Error for Diagnostic {}
