//! TCONCATIDX: concatenates, in each row, as many columns of two tiles as index tiles state; the public
//! assembler's name for TCONCAT with indices.

use super::indexed;
use super::tconcat::COMMON;
use crate::op::cost;
use crate::op::form::{Form, Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::{Rule, join};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

const RULES: &[&Rule] = join!(COMMON, indexed::RULES);

/// The instruction TCONCATIDX.
pub(super) struct Tconcatidx {
    page: Page,
}

/// Forms with two index tiles, optionally with a tile that receives the number of columns per row.
const FORMS: &[Form] = &[
    form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile)),
    form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile, count: Tile)).named("counted"),
];

pub(super) static TCONCATIDX: Tconcatidx = Tconcatidx {
    page: Page {
        name: "tconcatidx",
        aliases: &[],
        set: Set::Layout,
        summary: "Puts the first n0 columns of a tile and the first n1 columns of another side by side, with n0 and n1 for each \
                  row.",
        formula: "n0 = idx0[i, 0] / sizeof(Idx), n1 = idx1[i, 0] / sizeof(Idx), clamped to the destination; \
                  dst[i, j] = src0[i, j] for j < n0, src1[i, j - n0] for n0 <= j < n0 + n1; \
                  count[i, 0] = (n0 + n1) * sizeof(Idx)",
        source: "docs/isa/TCONCAT.md",
        syntax: Syntax::Destination(FORMS),
        attributes: &[],
        rules: RULES,
        effects: indexed::EFFECTS,
        cost: cost::COPY,
        pictures: &[indexed::PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

impl Instruction for Tconcatidx {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        indexed::check(check);
    }
}

#[cfg(feature = "run")]
impl Compute for Tconcatidx {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        indexed::by_formula(reference)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        indexed::prepare(prepare)
    }
}
