//! The operations other than tile instructions: scalars, control flow, tiles and views as values, the launch.
//!
//! Each is a row of a table: its page, which has no rules of its own, and its semantics. The generic checks cover
//! the kinds of operands and the types that must agree; further checks are in `check::structure`, `check::tiles`
//! and `check::values`.

mod aggregates;
mod arith;
mod control;
mod launch;
mod memref;
mod pictures;
mod tiles;
mod views;

use super::meaning::Meaning;
use super::op::attribute::AttributeSpec;
use super::op::effect::Effect;
use super::op::form::Syntax;
use super::op::origin::Origin;
use super::op::picture::Picture;
use super::op::{Page, Set};

/// Dialects whose operations always have their full names.
pub(crate) const FOREIGN: [&str; 6] = ["arith", "builtin", "cf", "func", "memref", "scf"];

/// The manual of the public assembler.
const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";

/// The handle one past the last operation.
pub(crate) const END: u16 = memref::END;

/// An operation.
pub(crate) struct Row {
    pub(crate) page: Page,
    pub(crate) meaning: Meaning,
}

/// The table of a file's operations, and their handles.
macro_rules! rows {
    ($first:expr; $($name:ident = $row:expr;)*) => {
        /// The operations of this file.
        pub(super) static ROWS: &[$crate::dialect::Row] = &[$($row),*];

        crate::registry::handles!($first; $($name),*);
    };
}
use rows;

impl Row {
    /// Sets the attributes.
    const fn with(self, attributes: &'static [AttributeSpec]) -> Row {
        Row { page: self.page.with(attributes), meaning: self.meaning }
    }

    /// Sets the pictures.
    const fn pictured(self, pictures: &'static [Picture]) -> Row {
        Row { page: self.page.pictured(pictures), meaning: self.meaning }
    }

    /// Sets the storage to which its results refer.
    const fn from(self, origin: Origin) -> Row {
        Row { page: self.page.from(origin), meaning: self.meaning }
    }

    /// Sets the effects.
    const fn touching(self, effects: &'static [Effect]) -> Row {
        Row { page: self.page.touching(effects), meaning: self.meaning }
    }
}

/// The page of an operation without attributes.
const fn page(
    set: Set,
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
) -> Page {
    Page::of(set, name, summary, formula, source, syntax, &[])
}

/// Every operation of this folder, in the order of the handles.
pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    [arith::ROWS, control::ROWS, tiles::ROWS, views::ROWS, aggregates::ROWS, launch::ROWS, memref::ROWS]
        .into_iter()
        .flatten()
}
