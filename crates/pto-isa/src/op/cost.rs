//! Cost: the time that an instruction takes on its pipe, as data on its page.
//!
//! A page has a [`Cost`]: a formula in cycles over the extents of its operands, or a transfer, whose time the
//! device's paths determine ([`crate::device`]). Every number is a [`Constant`] with its basis and its source, which
//! distinguish assumptions from measurements. The timeline and `pto explain` use no other numbers.

mod formulas;
mod load;

pub(crate) use formulas::*;
pub use load::{Duration, Load, Region};

use crate::element::Element;
use crate::profile::Profile;

/// Basis of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// A measurement on a device.
    Measured,
    /// A vendor's model, simulator or platform file.
    Published,
    /// An assumption; the source is the reason.
    Assumed,
}

impl Basis {
    /// Word for the basis.
    pub fn word(self) -> &'static str {
        match self {
            Basis::Measured => "measured",
            Basis::Published => "published",
            Basis::Assumed => "assumed",
        }
    }
}

/// A number with its basis and its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The number, in the unit of the field that holds the constant.
    pub value: f64,
    /// Basis of the number.
    pub basis: Basis,
    /// Source of the number; for an assumption, the reason for it.
    pub source: &'static str,
}

impl Constant {
    /// A number measured on a device.
    pub const fn measured(value: f64, source: &'static str) -> Constant {
        Constant { value, basis: Basis::Measured, source }
    }

    /// A number that a vendor has published.
    pub const fn published(value: f64, source: &'static str) -> Constant {
        Constant { value, basis: Basis::Published, source }
    }

    /// An assumed number, and the reason.
    pub const fn assumed(value: f64, reason: &'static str) -> Constant {
        Constant { value, basis: Basis::Assumed, source: reason }
    }
}

/// Unit that a term of a formula counts. Extents are those of the largest region that the instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// One for each execution.
    Once,
    /// Repeats of the vector unit, 256 bytes each; a repeat spans several rows only if they are contiguous.
    Repeats,
    /// Repeats of each row after its first, over all rows.
    FurtherRepeats,
    /// Rows.
    Rows,
    /// Rows, if they are not contiguous in memory.
    RowsApart,
    /// One if the number of bytes of a row, or of contiguous rows, is not a multiple of 256; else 0.
    Ragged,
    /// Blocks of 16 x 16 elements of the product by 32 bytes of the common dimension.
    Fractals,
    /// Elements.
    Elements,
}

impl Count {
    /// Plural noun for the counted things.
    pub fn word(self) -> &'static str {
        match self {
            Count::Once => "",
            Count::Repeats => "repeats",
            Count::FurtherRepeats => "further repeats of a row",
            Count::Rows => "rows",
            Count::RowsApart => "rows, if they are not contiguous",
            Count::Ragged => "if a row is no multiple of 256 bytes",
            Count::Fractals => "fractals",
            Count::Elements => "elements",
        }
    }
}

/// Cycles for each of something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The counted unit.
    pub count: Count,
    /// Cycles for each.
    pub cycles: Constant,
}

/// Cycles of an instruction on its pipe, for some profiles and formats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// The profiles to which the formula applies.
    pub profiles: &'static [Profile],
    /// The widths in bits of the elements to which the formula applies; empty for all.
    pub bits: &'static [u32],
    /// Cycles of latency: until the first result exists, and after the last one has been issued. On pipes that
    /// overlap their instructions the latency delays only dependent instructions; on other pipes it also delays the
    /// next instruction.
    pub start: Constant,
    /// Cycles during which the pipe can begin nothing else.
    pub terms: &'static [Term],
}

impl Formula {
    /// Whether the formula applies to elements of a format on a profile.
    pub fn applies(&self, profile: Profile, element: Element) -> bool {
        self.profiles.contains(&profile) && (self.bits.is_empty() || self.bits.contains(&element.bits()))
    }

    /// Cycles during which the pipe can begin nothing else.
    pub fn occupied(&self, extents: &Extents) -> f64 {
        self.terms.iter().map(|term| term.cycles.value * extents.count(term.count)).sum()
    }
}

/// The time of an instruction on its pipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// The scalar unit issues the instruction or executes it; no other pipe is busy.
    Issue,
    /// Cycles by the first formula that applies.
    Cycles(&'static [Formula]),
    /// A transfer of the bytes of the effects, along the path between the buffers of the operands.
    Transfer,
}

impl Cost {
    /// The formula for elements of a format on a profile.
    pub fn formula(&self, profile: Profile, element: Element) -> Option<&'static Formula> {
        match self {
            Cost::Cycles(formulas) => formulas.iter().find(|formula| formula.applies(profile, element)),
            _ => None,
        }
    }
}

/// The extents from which a formula computes cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extents {
    /// Rows of the largest region.
    pub rows: u64,
    /// Bytes of one row.
    pub row_bytes: u64,
    /// Elements of one row.
    pub columns: u64,
    /// Whether the rows are contiguous in memory.
    pub contiguous: bool,
    /// Fractals of a product.
    pub fractals: u64,
}

/// Bytes that the vector unit computes in one repeat.
pub const REPEAT: u64 = 256;

impl Extents {
    /// The number of repeats of a row, or of all contiguous rows.
    fn repeats(&self) -> u64 {
        match self.contiguous {
            true => (self.rows * self.row_bytes).div_ceil(REPEAT),
            false => self.rows * self.row_bytes.div_ceil(REPEAT),
        }
    }

    /// A count.
    pub fn count(&self, count: Count) -> f64 {
        let run = if self.contiguous { self.rows * self.row_bytes } else { self.row_bytes };
        let number = match count {
            Count::Once => 1,
            Count::Repeats => self.repeats(),
            Count::FurtherRepeats => self.rows * self.row_bytes.div_ceil(REPEAT).saturating_sub(1),
            Count::Rows => self.rows,
            Count::RowsApart if self.contiguous => 0,
            Count::RowsApart => self.rows,
            Count::Ragged => u64::from(run % REPEAT != 0),
            Count::Fractals => self.fractals,
            Count::Elements => self.rows * self.columns,
        };
        number as f64
    }
}
