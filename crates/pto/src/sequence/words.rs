//! Findings across launches.

use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::rules;

/// An operation of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Name of the launch.
    pub launch: String,
    /// The caller's number of its kernel.
    pub kernel: usize,
    /// Span of the operation in the text of the kernel, if known.
    pub span: Option<Span>,
}

/// A finding about several launches. Positions in its diagnostic are in one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// Launch that the finding concerns; positions in the diagnostic are in its kernel.
    pub launch: Named,
    /// The other launch, and its action in words.
    pub other: Option<(Named, &'static str)>,
}

/// Accesses of two launches without order to the same bytes.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub(super) buffer: String,
    /// Index of the first common element.
    pub(super) element: Vec<u64>,
    pub(super) first: Named,
    pub(super) wrote: bool,
    pub(super) second: Named,
    pub(super) writes: bool,
    pub(super) count: u64,
}

pub(super) fn conflict_in_words(conflict: &Conflict) -> Finding {
    let Conflict { buffer, element, first, wrote, second, writes, count } = conflict;
    let verb = |writes: bool| if writes { "writes" } else { "reads" };
    let message = format!(
        "nothing orders launch `{}`, which {} element {element:?} of `{buffer}`, and launch `{}`, which {} it",
        first.launch,
        verb(*wrote),
        second.launch,
        verb(*writes)
    );
    let mut diagnostic = Diagnostic::error(&rules::sequence::CONFLICT, message).about(element.clone());
    if let Some(span) = second.span {
        diagnostic = diagnostic.at_with(span, format!("`{}` {} it here", second.launch, verb(*writes)));
    }
    if *count > 1 {
        diagnostic = diagnostic.with_note(format!("{count} launches of this group conflict so"));
    }
    let diagnostic = diagnostic.with_help(
        "put them in order, give each a part of its own, or a buffer that the group makes for each repetition",
    );
    let other = Some((first.clone(), if *wrote { "writes it here" } else { "reads it here" }));
    Finding { diagnostic, launch: second.clone(), other }
}

pub(super) fn unread_in_words(buffer: &str, by: &Named) -> Finding {
    let message = format!("launch `{}` writes `{buffer}`, but no launch reads it", by.launch);
    let mut diagnostic = Diagnostic::new(Severity::Lint, &rules::sequence::UNREAD, message)
        .with_help(format!("name `{buffer}` among the results, or leave out the launch"));
    if let Some(span) = by.span {
        diagnostic = diagnostic.at(span);
    }
    Finding { diagnostic, launch: by.clone(), other: None }
}
