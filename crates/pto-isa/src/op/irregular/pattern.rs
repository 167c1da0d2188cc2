//! Mask patterns: select one of every two or four elements, along rows or down columns.

use super::index::word_of;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::site::{Check, Site};
use crate::rule::Rule;

/// The selection of a pattern: element `lane` of every `group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub(super) group: usize,
    pub(super) lane: usize,
}

/// Words of the patterns; the last digit is the first element of a group.
pub const WORDS: [(&str, Pattern); 7] = [
    ("P0101", Pattern { group: 2, lane: 0 }),
    ("P1010", Pattern { group: 2, lane: 1 }),
    ("P0001", Pattern { group: 4, lane: 0 }),
    ("P0010", Pattern { group: 4, lane: 1 }),
    ("P0100", Pattern { group: 4, lane: 2 }),
    ("P1000", Pattern { group: 4, lane: 3 }),
    ("P1111", Pattern::ALL),
];

const NAMES: [&str; 7] = ["P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"];

/// The attribute that selects the mask pattern.
pub(super) const PATTERN: AttributeSpec = AttributeSpec::words(
    "maskPattern",
    "mask_pattern",
    &NAMES,
    "The selected elements of each group; the last digit is the first element of a group.",
)
.or_means("an index tile or a comparison selects the elements");
pub(super) const AXIS: AttributeSpec = AttributeSpec::new(
    "axis",
    AttributeKind::Strings(&["row", "col"]),
    "Whether the mask pattern selects columns of each row, or whole rows.",
)
.or_word("row");

impl Pattern {
    /// Every element.
    pub(super) const ALL: Pattern = Pattern { group: 1, lane: 0 };

    /// The pattern of a use, if it has one.
    pub(super) fn of(site: &Site<'_>) -> Option<Pattern> {
        let word = site.word(PATTERN.name)?;
        WORDS.iter().find(|(known, _)| *known == word).map(|(_, pattern)| *pattern)
    }

    /// Position of the selected element number `index`.
    pub fn place(self, index: usize) -> usize {
        index * self.group + self.lane
    }

    /// Number of selected elements among `extent` elements.
    pub fn count(self, extent: usize) -> usize {
        (extent + self.group - 1).saturating_sub(self.lane) / self.group
    }

    /// Number of selected elements among `extent` elements, if the extent is known.
    pub(super) fn count_of(self, extent: Option<u32>) -> Option<u64> {
        Some(self.count(extent? as usize) as u64)
    }
}

/// The direction in which elements are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// Columns within each row.
    Row,
    /// Whole rows.
    Col,
}

impl Axis {
    /// The axis of a use.
    pub(super) fn of(site: &Site<'_>) -> Option<Axis> {
        match word_of(site, AXIS.name).ok()? {
            Some("row") => Some(Axis::Row),
            Some("col") => Some(Axis::Col),
            _ => None,
        }
    }
}

/// The pattern and the axis of a use; reports `rule` if it has none.
pub(super) fn required(check: &mut Check<'_>, rule: &'static Rule, role: &str) -> Option<(Pattern, Axis)> {
    let (pattern, axis) = (Pattern::of(check.site), Axis::of(check.site));
    check.require(rule, role, pattern.is_some(), |check| match check.site.word(PATTERN.name) {
        Some(word) => {
            format!("`{word}` is no mask pattern; they are {}", NAMES.join(", "))
        }
        None => "there is neither an index tile nor a `maskPattern`".into(),
    });
    check.require(rule, role, axis.is_some(), |check| {
        format!(
            "`{}` is not an axis; they are \"row\" and \"col\"",
            check.site.word(AXIS.name).unwrap_or("axis")
        )
    });
    pattern.zip(axis)
}
