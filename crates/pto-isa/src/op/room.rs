//! Required sizes of the workspaces of A2/A3, according to each source.

use super::site::Site;
use crate::tile::BLayout;

/// Bytes per step (repeat) of the vector unit; a block has 32 bytes.
const REPEAT: u32 = 256;
const BLOCK: u32 = 32;

/// Quantities on which workspace sizes depend.
pub(super) struct Extents {
    /// Valid rows and columns of the destination, and its declared columns.
    rows: u32,
    cols: u32,
    declared: u32,
    /// Valid rows and columns of the source of a reduction, or of the destination of other instructions.
    source: (u32, u32),
    /// Bytes per element of the workspace.
    size: u32,
    /// Declared columns of the workspace.
    width: u32,
    /// Whether the workspace is column-major.
    in_columns: bool,
    /// Whether the extreme value is returned together with its index.
    with_value: bool,
}

impl Extents {
    /// The extents of a use; `None` if a valid region is unknown.
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
        })
    }

    /// Elements per step of the vector unit.
    fn repeat(&self) -> u32 {
        REPEAT / self.size
    }

    /// Rounds a number of elements up to whole blocks of 32 bytes.
    fn blocks(&self, elements: u32) -> u32 {
        elements.next_multiple_of(BLOCK / self.size)
    }

    /// Columns for one (extreme, index) pair per step of a row, and for the indices a second time.
    fn pairs(&self) -> u32 {
        let parts = self.source.1.div_ceil(self.repeat());
        self.blocks(2 * parts) + self.blocks(parts)
    }
}

/// The required rows and columns, as a function of the extents.
type Need = fn(&Extents) -> (u32, u32);
/// A source's name, and the workspace size that it requires.
pub(super) type Room = (&'static str, Need);

pub(super) const LIKE_DST: Need = |of| (of.rows, of.cols);
pub(super) const REMAINDERS: Need = |of| (1, of.declared + 2 * of.declared.div_ceil(64));
pub(super) const ONE_ROW: Need = |of| (1, of.cols);
pub(super) const TWO_ROWS: Need = |of| (2, of.cols);
pub(super) const MASK_ROW: Need = |of| (of.rows + 1, of.cols.div_ceil(8));

/// Row number, current extremes and indices, each as wide as one step of the vector unit.
pub(super) const COLUMN_PLACES: &[Room] = &[
    ("header", |of| lines(of, step(of) * if of.size > 2 || of.with_value { 2 } else { 3 })),
    ("page", |of| lines(of, if of.size > 2 || of.with_value { step(of) } else { of.pairs() })),
    // A workspace with the valid region of the source suffices too.
    ("manual", |of| (1, of.pairs().min(of.source.1))),
];

/// Rows and columns that hold `elements` consecutive elements at the width of the workspace.
fn lines(of: &Extents, elements: u32) -> (u32, u32) {
    (elements.div_ceil(of.width.max(1)), elements.min(of.width))
}

fn step(of: &Extents) -> u32 {
    of.blocks(of.source.1).min(of.repeat())
}

/// Extremes and indices for each step of each row; rows of a single step need them only if the extreme is
/// returned.
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
        // A second stage splits the extremes of the first stage into steps again.
        _ => of.blocks(2 * parts).max(of.blocks(parts) + of.blocks(2 * parts.div_ceil(of.repeat()))) + 2,
    };
    (rows, columns)
}
