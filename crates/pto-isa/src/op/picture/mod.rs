//! Pictures of operations, as data on their pages. Data only: the renderer chooses colours and sizes.
//!
//! A picture shows one of three things: tiles and the way of their elements ([`Drawing::Tiles`]), the order in which
//! pipes and cores work ([`Drawing::Timeline`]), or the bits of a number in two formats ([`Drawing::Bits`]).

mod bits;
mod tiles;
mod timeline;

pub use bits::{Field, Part, Word, kept, rounds_away};
pub use tiles::{Arrow, Cells, Paint, Panel, Patch, Span, WHOLE};
pub(crate) use tiles::{arrow, arrow_with};
pub use timeline::{Doing, Edge, Lane, Step};
pub(crate) use timeline::{edge, edge_with};

/// One picture of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// The form or mode that it shows.
    pub caption: &'static str,
    /// The attributes of the use shown, as a program spells them between braces; may be empty.
    pub attributes: &'static str,
    /// The drawn objects.
    pub drawing: Drawing,
    /// Note on facts outside the picture; may be empty.
    pub note: &'static str,
}

/// The contents of a picture.
#[derive(Clone, Copy, Debug)]
pub enum Drawing {
    /// The tiles of an instruction, and the destination of each source patch.
    Tiles {
        /// The tiles, sources first.
        panels: &'static [Panel],
        /// The movements between patches.
        arrows: &'static [Arrow],
    },
    /// Pipes, cores or slots as lanes, with time to the right.
    Timeline {
        /// The lanes, from top to bottom.
        lanes: &'static [Lane],
        /// Pairs of steps that are ordered.
        edges: &'static [Edge],
    },
    /// One number before and after a conversion, bit by bit.
    Bits {
        /// The number that is converted.
        source: Word,
        /// The number after the conversion.
        result: Word,
    },
}

impl Picture {
    const fn of(caption: &'static str, drawing: Drawing) -> Picture {
        Picture { caption, attributes: "", drawing, note: "" }
    }

    /// A picture of tiles.
    pub(crate) const fn tiles(
        caption: &'static str,
        panels: &'static [Panel],
        arrows: &'static [Arrow],
    ) -> Picture {
        Picture::of(caption, Drawing::Tiles { panels, arrows })
    }

    /// A picture of steps in time.
    pub(crate) const fn timeline(
        caption: &'static str,
        lanes: &'static [Lane],
        edges: &'static [Edge],
    ) -> Picture {
        Picture::of(caption, Drawing::Timeline { lanes, edges })
    }

    /// A picture of the bits of a converted number.
    pub(crate) const fn bits(caption: &'static str, source: Word, result: Word) -> Picture {
        Picture::of(caption, Drawing::Bits { source, result })
    }

    /// Sets the note.
    pub(crate) const fn noted(self, note: &'static str) -> Picture {
        Picture { note, ..self }
    }

    /// Sets the attributes of the use shown.
    pub(crate) const fn with(self, attributes: &'static str) -> Picture {
        Picture { attributes, ..self }
    }

    /// The tiles; empty for a picture of something else.
    pub fn panels(&self) -> &'static [Panel] {
        match self.drawing {
            Drawing::Tiles { panels, .. } => panels,
            Drawing::Timeline { .. } | Drawing::Bits { .. } => &[],
        }
    }

    /// The movements between tiles; empty for a picture of something else.
    pub fn arrows(&self) -> &'static [Arrow] {
        match self.drawing {
            Drawing::Tiles { arrows, .. } => arrows,
            Drawing::Timeline { .. } | Drawing::Bits { .. } => &[],
        }
    }
}
