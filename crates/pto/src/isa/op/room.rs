//! How large the workspaces of A2/A3 must be, by each source that says it.

use super::site::Site;
use crate::isa::attribute::Attribute;
use crate::isa::tile::BLayout;

/// Bytes that the vector unit takes at a time, and of which a block has 32.
const REPEAT: u32 = 256;
const BLOCK: u32 = 32;

/// What sizes depend on.
pub(super) struct Extents {
    /// Valid rows and columns of the destination, and its declared columns.
    rows: u32,
    cols: u32,
    declared: u32,
    /// Valid rows and columns of the source of a reduction, else those of the destination.
    source: (u32, u32),
    /// Bytes of an element of the workspace.
    size: u32,
    /// Declared columns of the workspace.
    width: u32,
    /// Whether the workspace is stored in columns.
    in_columns: bool,
    /// Whether the extreme is asked for beside its place.
    with_value: bool,
    /// Whether rows are added in pairs.
    binary: bool,
}

impl Extents {
    /// Those of a use; `None` where a valid region is not known yet.
    pub(super) fn of(site: &Site<'_>) -> Option<Extents> {
        let (tmp, dst) = (site.tile("tmp")?, site.tile("dst")?);
        let source = site.tile("src").unwrap_or(dst);
        Some(Extents {
            rows: dst.rows?,
            cols: dst.cols?,
            declared: dst.ty.cols,
            source: (source.rows?, source.cols?),
            size: (tmp.element().bits() / 8).max(1),
            width: tmp.ty.cols,
            in_columns: tmp.ty.blayout == BLayout::ColMajor,
            with_value: site.tile("value").is_some(),
            binary: matches!(site.listed_attribute("isBinary"), Some(Attribute::Bool(true))),
        })
    }

    /// Elements that the vector unit takes at a time.
    fn repeat(&self) -> u32 {
        REPEAT / self.size
    }

    /// A number of elements rounded up to whole blocks.
    fn blocks(&self, elements: u32) -> u32 {
        elements.next_multiple_of(BLOCK / self.size)
    }

    /// Columns for pairs of an extreme and its place in each part of a row, and for the places again.
    fn pairs(&self) -> u32 {
        let parts = self.source.1.div_ceil(self.repeat());
        self.blocks(2 * parts) + self.blocks(parts)
    }
}

/// Rows and columns that a source asks for.
type Need = fn(&Extents) -> (u32, u32);
/// A size that a source asks for: the source, and rows and columns.
pub(super) type Room = (&'static str, Need);

pub(super) const LIKE_DST: Need = |of| (of.rows, of.cols);
pub(super) const REMAINDERS: Need = |of| (1, of.declared + 2 * of.declared.div_ceil(64));
pub(super) const ONE_ROW: Need = |of| (1, of.cols);
pub(super) const TWO_ROWS: Need = |of| (2, of.cols);
pub(super) const MASK_ROW: Need = |of| (of.rows + 1, 1);

/// Sums of pairs of rows, where rows are added in pairs: otherwise nothing is kept.
pub(super) const COLUMN_SUMS: &[Room] = &[
    ("header", |of| in_pairs(of, of.source.0 / 2)),
    ("page", |of| in_pairs(of, of.source.0.div_ceil(2))),
    ("manual", |of| in_pairs(of, 1)),
];

fn in_pairs(of: &Extents, rows: u32) -> (u32, u32) {
    if of.binary { (rows, if rows == 0 { 0 } else { of.source.1 }) } else { (0, 0) }
}

/// The number of the row, extremes so far, and places, each as wide as a step of the vector unit.
pub(super) const COLUMN_PLACES: &[Room] = &[
    ("header", |of| lines(of, step(of) * if of.size > 2 || of.with_value { 2 } else { 3 })),
    ("page", |of| lines(of, if of.size > 2 || of.with_value { step(of) } else { of.pairs() })),
    // A workspace with the valid region of the source is enough too.
    ("manual", |of| (1, of.pairs().min(of.source.1))),
];

/// Consecutive elements, as rows of the width of the workspace.
fn lines(of: &Extents, elements: u32) -> (u32, u32) {
    (elements.div_ceil(of.width.max(1)), elements.min(of.width))
}

fn step(of: &Extents) -> u32 {
    of.blocks(of.source.1).min(of.repeat())
}

/// Extremes and places of the parts of each row; of rows of a single part only where the extreme is asked for.
pub(super) const ROW_PLACES: &[Room] = &[
    ("header", parts_of_rows),
    ("page", parts_of_rows),
    ("manual", |of| match single_part(of) {
        true if of.in_columns => (2 * of.source.0, 1),
        true => (of.source.0, of.source.1.min(2)),
        false => (of.source.0, of.pairs()),
    }),
];

fn single_part(of: &Extents) -> bool {
    of.source.1 <= of.repeat()
}

fn parts_of_rows(of: &Extents) -> (u32, u32) {
    let (rows, cols) = of.source;
    let parts = cols.div_ceil(of.repeat());
    let columns = match parts {
        0 | 1 if !of.with_value => return (0, 0),
        0 | 1 if of.in_columns => return (2 * rows, 1),
        0 | 1 => 2,
        _ if parts <= of.repeat() => of.pairs(),
        // A second stage takes the extremes of the first apart again.
        _ => of.blocks(2 * parts).max(of.blocks(parts) + of.blocks(2 * parts.div_ceil(of.repeat()))) + 2,
    };
    (rows, columns)
}
