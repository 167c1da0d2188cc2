//! Tiles of a picture: patches of cells, and arrows between them.

use crate::Buffer;
use crate::element::Element;

/// A tile of a picture; it has as many rows and columns as are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// The operand's role in the instruction's form.
    pub role: &'static str,
    /// Whether the instruction writes the tile.
    pub is_written: bool,
    /// Declared rows.
    pub rows: u8,
    /// Declared columns.
    pub cols: u8,
    /// The paint of the tile outside its patches.
    pub ground: Paint,
    /// Parts of the tile, which do not overlap.
    pub patches: &'static [Patch],
    /// Labelled distances.
    pub spans: &'static [Span],
    /// The concrete elements, row by row; empty if the picture shows none, NaN for an element that the instruction
    /// leaves unchanged. A test runs the instruction on them.
    pub values: &'static [f64],
    /// The element type, if values or their format matter.
    pub element: Option<Element>,
    /// The buffer, if it matters; `None` for UB, global memory and scalars.
    pub buffer: Option<Buffer>,
    /// Whether elements are pairs of a value and the bits of an index, as sorts make them.
    pub is_paired: bool,
    /// Whether rows and columns are numbered.
    pub is_numbered: bool,
    /// Row and column in the arrangement of the panels. If no panel has one, sources are on the left, one below the
    /// other, and destinations on the right.
    pub place: Option<(u8, u8)>,
}

/// The meaning of a part of a tile; each meaning has its own colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// Elements of the first source.
    First,
    /// Elements of the second source, or elements that are spread over the first source.
    Second,
    /// Parameters and indices.
    Parameter,
    /// Results computed from the sources.
    Result,
    /// The fill value.
    Fill,
    /// Old contents that stay.
    Unchanged,
    /// Outside the valid region.
    Outside,
    /// Elements that the instruction does not read, valid or not.
    Unread,
    /// Elements treated like the shown ones.
    Others,
}

impl Paint {
    /// The word in the legend, for patches without a label.
    pub fn word(self) -> &'static str {
        match self {
            Paint::First => "of the first source",
            Paint::Second => "of the second source",
            Paint::Parameter => "parameters",
            Paint::Result => "result",
            Paint::Fill => "fill value",
            Paint::Unchanged => "unchanged",
            Paint::Outside => "outside the valid region",
            Paint::Unread => "not read",
            Paint::Others => "other elements",
        }
    }
}

/// A rectangle of a tile's elements.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// First row and column.
    pub at: (u8, u8),
    /// Rows and columns.
    pub size: (u8, u8),
    /// Role of the elements.
    pub paint: Paint,
    /// The label; may be empty.
    pub label: &'static str,
    /// Text of the patch's cells.
    pub cells: Cells,
}

/// Text of the cells of a patch; i is the row and j the column in the patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Nothing.
    Blank,
    /// The column number, from 0.
    Along,
    /// The row number, from 0.
    Down,
    /// The word followed by i.
    PerRow(&'static str),
    /// The word followed by j.
    PerColumn(&'static str),
    /// The word followed by i, and by j modulo a width.
    Block(&'static str, u8),
    /// A word for each row.
    Words(&'static [&'static str]),
}

/// A distance along one side of a tile.
#[derive(Clone, Copy, Debug)]
pub enum Span {
    /// Rows from the first number up to the second.
    Rows(u8, u8, &'static str),
    /// Columns from the first number up to the second.
    Columns(u8, u8, &'static str),
}

/// The number of the whole tile among the patches that an arrow can begin or end at.
pub const WHOLE: u8 = u8::MAX;

/// A movement from a patch of one tile to a patch of another.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// Panel and patch of the source, both counted from 0.
    pub from: (u8, u8),
    /// Panel and patch of the destination, both counted from 0.
    pub to: (u8, u8),
    /// The operation on the way; may be empty.
    pub label: &'static str,
}

impl Panel {
    /// A tile that is read.
    pub(crate) const fn source(role: &'static str, size: (u8, u8), patches: &'static [Patch]) -> Panel {
        let (rows, cols) = size;
        Panel {
            role,
            is_written: false,
            rows,
            cols,
            ground: Paint::Outside,
            patches,
            spans: &[],
            values: &[],
            element: None,
            buffer: None,
            is_paired: false,
            is_numbered: false,
            place: None,
        }
    }

    /// A tile that is written.
    pub(crate) const fn destination(role: &'static str, size: (u8, u8), patches: &'static [Patch]) -> Panel {
        Panel { is_written: true, ..Panel::source(role, size, patches) }
    }

    /// Marks the part outside the patches as unchanged.
    pub(crate) const fn kept(self) -> Panel {
        Panel { ground: Paint::Unchanged, ..self }
    }

    /// Marks the part outside the patches as not read.
    pub(crate) const fn in_part(self) -> Panel {
        Panel { ground: Paint::Unread, ..self }
    }

    /// Marks the part outside the patches as treated like the patches.
    pub(crate) const fn among_others(self) -> Panel {
        Panel { ground: Paint::Others, ..self }
    }

    /// The patch of an end of an arrow; [`WHOLE`] is the whole tile.
    pub fn patch(&self, index: u8) -> Option<Patch> {
        if index == WHOLE {
            return Some(Patch { size: (self.rows, self.cols), ..Patch::plain(self.ground) });
        }
        self.patches.get(usize::from(index)).copied()
    }

    /// Marks the part outside the patches as filled.
    pub(crate) const fn filled(self) -> Panel {
        Panel { ground: Paint::Fill, ..self }
    }

    /// Sets the concrete elements and their type.
    pub(crate) const fn holding(self, element: Element, values: &'static [f64]) -> Panel {
        Panel { element: Some(element), values, ..self }
    }

    /// Sets the element type.
    pub(crate) const fn typed(self, element: Element) -> Panel {
        Panel { element: Some(element), ..self }
    }

    /// Sets the buffer.
    pub(crate) const fn in_buffer(self, buffer: Buffer) -> Panel {
        Panel { buffer: Some(buffer), ..self }
    }

    /// Marks every second element as the bits of an index.
    pub(crate) const fn paired(self) -> Panel {
        Panel { is_paired: true, ..self }
    }

    /// Numbers rows and columns.
    pub(crate) const fn numbered(self) -> Panel {
        Panel { is_numbered: true, ..self }
    }

    /// Sets row and column in the arrangement of the panels.
    pub(crate) const fn at(self, row: u8, col: u8) -> Panel {
        Panel { place: Some((row, col)), ..self }
    }

    /// Text of cell (`row`, `col`): the value of its element, or the text of its patch.
    pub fn cell_text(&self, row: u8, col: u8) -> String {
        if let Some(value) = self.values.get(usize::from(row) * usize::from(self.cols) + usize::from(col)) {
            return if value.is_nan() { String::new() } else { value.to_string() };
        }
        let inside = |start: u8, size: u8, at: u8| at.checked_sub(start).filter(|at| *at < size);
        let texts = self.patches.iter().filter_map(|patch| {
            let (i, j) = inside(patch.at.0, patch.size.0, row).zip(inside(patch.at.1, patch.size.1, col))?;
            Some(patch.text(i, j))
        });
        texts.into_iter().next().unwrap_or_default()
    }

    /// Adds labelled distances.
    pub(crate) const fn measured(self, spans: &'static [Span]) -> Panel {
        Panel { spans, ..self }
    }
}

impl Patch {
    /// The text of the patch's cell (`i`, `j`).
    pub fn text(&self, i: u8, j: u8) -> String {
        let (rows, cols) = self.size;
        match self.cells {
            Cells::Blank => String::new(),
            Cells::Along => (u32::from(i) * u32::from(cols) + u32::from(j)).to_string(),
            Cells::Down => (u32::from(j) * u32::from(rows) + u32::from(i)).to_string(),
            Cells::PerRow(word) => format!("{word}{i}"),
            Cells::PerColumn(word) => format!("{word}{j}"),
            Cells::Block(word, width) => format!("{word}{i}{}", j % width.max(1)),
            Cells::Words(words) => words.get(usize::from(i)).copied().unwrap_or_default().to_owned(),
        }
    }

    /// A patch with a paint and a label.
    pub(crate) const fn new(at: (u8, u8), size: (u8, u8), paint: Paint, label: &'static str) -> Patch {
        Patch { at, size, paint, label, cells: Cells::Blank }
    }

    /// A patch of one cell without a label.
    pub const fn plain(paint: Paint) -> Patch {
        Patch::new((0, 0), (1, 1), paint, "")
    }

    /// Sets the text of the cells.
    pub(crate) const fn with(self, cells: Cells) -> Patch {
        Patch { cells, ..self }
    }
}

/// An arrow without a label.
pub(crate) const fn arrow(from: (u8, u8), to: (u8, u8)) -> Arrow {
    Arrow { from, to, label: "" }
}

/// An arrow with a label.
pub(crate) const fn arrow_with(from: (u8, u8), to: (u8, u8), label: &'static str) -> Arrow {
    Arrow { from, to, label }
}
