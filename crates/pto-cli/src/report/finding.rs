//! Findings in a program.

use crate::render::{Authored, SourceText, authored, explained};
use pto::diag::{self, Diagnostic, Span};
use serde::{Deserialize, Serialize};

/// A finding in a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Id of the rule, such as `race::read-after-write`; `pto explain` takes it.
    pub rule: String,
    /// `error`, `refused` (an error of the check of a program that ran by --run-refused), `extension` (legal only by newer
    /// sources) or `lint`.
    pub severity: &'static str,
    /// The finding in one sentence.
    pub message: String,
    /// Path of the file with its position; that of the program if it has none.
    pub file: String,
    /// Its position; all null if it concerns the whole program.
    #[serde(flatten)]
    pub place: Place,
    /// Where the author wrote it, if a compiler made the program and names the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Authored>,
    /// Description of the position; may be empty.
    pub label: String,
    /// Further positions.
    pub labels: Vec<Labeled>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// Advice: text to write instead.
    pub help: Vec<String>,
    /// The fix as changes of the text, to be applied together; empty if there is no mechanical fix.
    pub edits: Vec<Edit>,
}

/// A range of a text. Lines and columns count from 1; a column is a character.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Place {
    /// Line of the first character.
    pub line: Option<usize>,
    /// Column of the first character.
    pub column: Option<usize>,
    /// Line of the end.
    pub end_line: Option<usize>,
    /// Column of the end, exclusive.
    pub end_column: Option<usize>,
}

/// A further position of a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Labeled {
    /// Description of the place; may be empty.
    pub message: String,
    /// The position.
    #[serde(flatten)]
    pub place: Place,
}

/// A change of the text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit {
    /// The new text; empty for a deletion.
    pub replacement: String,
    /// The replaced text; empty for an insertion.
    #[serde(flatten)]
    pub place: Place,
}

/// The findings in a text.
pub fn findings(diagnostics: &[Diagnostic], source: &SourceText<'_>) -> Vec<Finding> {
    diagnostics.iter().map(|diagnostic| Finding::of(diagnostic, source)).collect()
}

impl Finding {
    fn of(diagnostic: &Diagnostic, source: &SourceText<'_>) -> Finding {
        let diagnostic = &explained(diagnostic);
        let primary = diagnostic.primary.as_ref();
        let label = |label: &diag::Label| Labeled {
            message: label.message.clone(),
            place: Place::of(label.span, source),
        };
        let edit = |edit: &diag::Edit| Edit {
            replacement: edit.replacement.clone(),
            place: Place::of(edit.span, source),
        };
        Finding {
            rule: diagnostic.rule.to_string(),
            severity: diagnostic.severity.word(),
            message: diagnostic.message.clone(),
            file: source.name_of(primary.map(|label| label.span)).to_owned(),
            place: primary.map(|label| Place::of(label.span, source)).unwrap_or_default(),
            origin: authored(diagnostic, source),
            label: primary.map(|label| label.message.clone()).unwrap_or_default(),
            labels: diagnostic.secondary.iter().map(label).collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            edits: diagnostic.edits.iter().map(edit).collect(),
        }
    }
}

impl Place {
    /// The place of a span.
    pub fn of(span: Span, source: &SourceText<'_>) -> Place {
        let (start, end) = source.positions(span);
        Place {
            line: Some(start.line),
            column: Some(start.column),
            end_line: Some(end.line),
            end_column: Some(end.column),
        }
    }
}
