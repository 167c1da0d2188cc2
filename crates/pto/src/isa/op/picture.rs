//! Pictures of an instruction: how patches of its sources move to its destinations. Data only: the renderer
//! chooses colours and sizes.

/// One picture of an instruction: its tiles, and the destination of each source patch.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// The form or mode that it shows.
    pub caption: &'static str,
    /// The tiles, sources first.
    pub panels: &'static [Panel],
    /// The movements between patches.
    pub arrows: &'static [Arrow],
    /// A note on what the picture cannot show; may be empty.
    pub note: &'static str,
}

/// A tile of a picture; it has as many rows and columns as are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// The operand's role in the instruction's form.
    pub role: &'static str,
    /// Whether the instruction writes it.
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
    /// Its meaning.
    pub paint: Paint,
    /// The label; may be empty.
    pub label: &'static str,
    /// Text of its cells.
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

impl Cells {
    /// The text of cell (`i`, `j`) of a patch of size `rows` x `cols`.
    pub fn text(self, (rows, cols): (u8, u8), i: u8, j: u8) -> String {
        match self {
            Cells::Blank => String::new(),
            Cells::Along => (u32::from(i) * u32::from(cols) + u32::from(j)).to_string(),
            Cells::Down => (u32::from(j) * u32::from(rows) + u32::from(i)).to_string(),
            Cells::PerRow(word) => format!("{word}{i}"),
            Cells::PerColumn(word) => format!("{word}{j}"),
            Cells::Block(word, width) => format!("{word}{i}{}", j % width.max(1)),
            Cells::Words(words) => words.get(usize::from(i)).copied().unwrap_or_default().to_owned(),
        }
    }
}

/// A distance along one side of a tile.
#[derive(Clone, Copy, Debug)]
pub enum Span {
    /// Rows from the first number up to the second.
    Rows(u8, u8, &'static str),
    /// Columns from the first number up to the second.
    Columns(u8, u8, &'static str),
}

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
    pub(in crate::isa) const fn source(
        role: &'static str,
        size: (u8, u8),
        patches: &'static [Patch],
    ) -> Panel {
        let (rows, cols) = size;
        Panel { role, is_written: false, rows, cols, ground: Paint::Outside, patches, spans: &[] }
    }

    /// A tile that is written.
    pub(in crate::isa) const fn destination(
        role: &'static str,
        size: (u8, u8),
        patches: &'static [Patch],
    ) -> Panel {
        Panel { is_written: true, ..Panel::source(role, size, patches) }
    }

    /// Marks the part outside the patches as unchanged.
    pub(in crate::isa) const fn kept(self) -> Panel {
        Panel { ground: Paint::Unchanged, ..self }
    }

    /// Marks the part outside the patches as not read.
    pub(in crate::isa) const fn in_part(self) -> Panel {
        Panel { ground: Paint::Unread, ..self }
    }

    /// Marks the part outside the patches as filled.
    pub(in crate::isa) const fn filled(self) -> Panel {
        Panel { ground: Paint::Fill, ..self }
    }

    /// Adds labelled distances.
    pub(in crate::isa) const fn measured(self, spans: &'static [Span]) -> Panel {
        Panel { spans, ..self }
    }
}

impl Patch {
    /// A patch with a paint and a label.
    pub(in crate::isa) const fn new(
        at: (u8, u8),
        size: (u8, u8),
        paint: Paint,
        label: &'static str,
    ) -> Patch {
        Patch { at, size, paint, label, cells: Cells::Blank }
    }

    /// A patch of one cell without a label.
    pub const fn plain(paint: Paint) -> Patch {
        Patch::new((0, 0), (1, 1), paint, "")
    }

    /// Sets the text of the cells.
    pub(in crate::isa) const fn with(self, cells: Cells) -> Patch {
        Patch { cells, ..self }
    }
}

/// An arrow without a label.
pub(in crate::isa) const fn arrow(from: (u8, u8), to: (u8, u8)) -> Arrow {
    Arrow { from, to, label: "" }
}

/// An arrow with a label.
pub(in crate::isa) const fn arrow_with(from: (u8, u8), to: (u8, u8), label: &'static str) -> Arrow {
    Arrow { from, to, label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Op;
    use crate::isa::op::form::Syntax;
    use crate::isa::op::{Page, Set};

    fn roles(page: &Page) -> Vec<&'static str> {
        match page.syntax {
            Syntax::Destination(forms) => {
                forms.iter().flat_map(|form| form.roles()).map(|role| role.name).collect()
            }
            Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => {
                kinds.iter().map(|(role, _)| *role).chain(["src", "result"]).collect()
            }
        }
    }

    fn check_panel(panel: &Panel, name: &str) {
        let mut covered = vec![false; usize::from(panel.rows) * usize::from(panel.cols)];
        for patch in panel.patches {
            for row in patch.at.0..patch.at.0 + patch.size.0 {
                for col in patch.at.1..patch.at.1 + patch.size.1 {
                    assert!(row < panel.rows && col < panel.cols, "{name}: {patch:?} leaves {}", panel.role);
                    let cell = &mut covered[usize::from(row) * usize::from(panel.cols) + usize::from(col)];
                    assert!(!*cell, "{name}: {patch:?} overlaps another in {}", panel.role);
                    *cell = true;
                }
            }
        }
        for span in panel.spans {
            let (from, to, limit) = match *span {
                Span::Rows(from, to, _) => (from, to, panel.rows),
                Span::Columns(from, to, _) => (from, to, panel.cols),
            };
            assert!(from < to && to <= limit, "{name}: {span:?} of {}", panel.role);
        }
    }

    /// Whether an arrow keeps a patch's size, transposes it, flattens it to a row, or spreads it along a side of
    /// extent 1.
    fn fits(from: (u8, u8), to: (u8, u8)) -> bool {
        let (rows, cols) = to;
        let spread = |a: u8, b: u8| a > 0 && b.is_multiple_of(a);
        let row = rows == 1 && from.0 * from.1 == cols;
        row || from == (cols, rows) || spread(from.0, rows) && spread(from.1, cols)
    }

    /// Whether the instruction has a destination; instructions that only set registers have nothing to draw.
    fn writes(page: &Page) -> bool {
        match page.syntax {
            Syntax::Destination(forms) => forms.iter().any(|form| !form.outs.is_empty()),
            Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
                patterns.iter().any(|pattern| pattern.contains("!type"))
            }
        }
    }

    #[test]
    fn pictures_are_consistent() {
        for page in Op::all().map(Op::page) {
            let drawn = matches!(page.set, Set::Layout | Set::Expand) && writes(page);
            assert!(!drawn || !page.pictures.is_empty(), "{}", page.name);
            for picture in page.pictures {
                let panels = picture.panels;
                panels.iter().for_each(|panel| check_panel(panel, page.name));
                for panel in panels {
                    assert!(roles(page).contains(&panel.role), "{} has no {}", page.name, panel.role);
                }
                let patch = |(panel, patch): (u8, u8)| panels[usize::from(panel)].patches[usize::from(patch)];
                for arrow in picture.arrows {
                    assert!(!panels[usize::from(arrow.from.0)].is_written, "{}", page.name);
                    assert!(panels[usize::from(arrow.to.0)].is_written, "{}", page.name);
                    let (from, to) = (patch(arrow.from), patch(arrow.to));
                    let parameter = from.paint == Paint::Parameter;
                    assert!(parameter || fits(from.size, to.size), "{}: {from:?} to {to:?}", page.name);
                }
            }
        }
    }
}
