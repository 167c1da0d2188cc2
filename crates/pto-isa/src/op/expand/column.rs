//! Code shared by the `tcolexpand<op>` instructions: a full tile and an expanded row.

use super::pictures::COLUMN_OPERATORS;
use super::row::row_major;
use super::row_rules::{PAGES, ROW_MAJOR_DST};
use crate::element::Element;
use crate::op::common::{ELEMENT, SAME_TYPE, Types, VEC, agree, element_type, same_type, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::{Position, Size},
    crate::op::Compute,
    crate::op::elementwise::{divides, first_zero},
    pto_kernels::map::{BinaryFormula, binary},
};

const ROW_OPERAND: Rule = Rule::new(
    "expanded-operand",
    "The expanded operand has a valid row and the destination's valid columns.",
    PAGES,
)
.because("Each row of the destination is combined with this row, column by column.")
.instead("Give the expanded operand at least one valid row and the destination's valid columns.");

const COL_RULES: &[&Rule] = &[&VEC, &SAME_TYPE, &ELEMENT, &ROW_MAJOR_DST, &ROW_OPERAND];

const EFFECTS: &[Effect] = &[
    Effect::reads("src0"),
    Effect::reads("src1").of(Extent::Rect(Count::Fixed(1), Count::Cols("dst"))),
    Effect::writes("dst"),
];

const COL_SYNTAX: Syntax = Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]);

pub(super) const fn col_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    let (set, syntax, rules) = (Set::Expand, COL_SYNTAX, COL_RULES);
    Page::of(set, name, summary, formula, source, syntax, rules)
        .costing(cost::WITH_COLUMN_ELEMENTS)
        .touching(EFFECTS)
        .pictured(COLUMN_OPERATORS)
}

/// An operation on a full tile and one element per column.
pub(super) struct ColExpand {
    pub(super) page: Page,
    pub(super) op: BinaryOp,
    pub(super) types: Types,
}

impl Instruction for ColExpand {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        ["src0", "src1", "dst"].into_iter().for_each(|role| vec(check, role));
        same_type(check, "src0", "dst");
        same_type(check, "src1", "dst");
        element_type(check, "dst", &self.types, &|element| self.op.applies_to(element));
        let (src0, src1, dst) = (check.tile("src0"), check.tile("src1"), check.tile("dst"));
        row_major(check, "dst", dst);
        let full = |tile: &TileFact| agree(tile.rows, dst.rows) && agree(tile.cols, dst.cols);
        let spread =
            |tile: &TileFact| (tile.rows != Some(0) || dst.rows == Some(0)) && agree(tile.cols, dst.cols);
        let fits = full(src0) && spread(src1) || full(src1) && spread(src0);
        check.require(&ROW_OPERAND, "src1", fits, |check| {
            format!(
                "{} has {} valid elements, {} {}, {} {}: one source must match the destination, the other its columns",
                check.name("dst"), dst.valid_text(), check.name("src0"), src0.valid_text(), check.name("src1"), src1.valid_text()
            )
        });
    }
}

#[cfg(feature = "run")]
impl Compute for ColExpand {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let element = dst.ty.element;
        let Size { rows, cols } = reference.valid(&dst);
        let first = rows > 1 && reference.valid(&src0).rows != rows;
        for i in 0..rows {
            for j in 0..cols {
                let a = reference.get(&src0, if first { 0 } else { i }, j);
                let b = reference.get(&src1, if first { i } else { 0 }, j);
                if divides(self.op, element) {
                    reference.divisor(b, Position { row: i, col: j })?;
                }
                reference.set(&dst, i, j, self.op.apply(element, a, b).unwrap_or_default());
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src0, src1) = (prepare.tile("dst")?, prepare.tile("src0")?, prepare.tile("src1")?);
        let element = dst.ty.element;
        let kernel = binary(self.op, element).ok_or("the element type has no such operation")?;
        let bytes = element.bits() as usize / 8;
        let divides = divides(self.op, element);
        let in_rows = [&dst, &src0, &src1].iter().all(|tile| tile.layout.name == LayoutName::Nd);
        Ok(Box::new(move |state: &mut State<'_>| {
            let mut at = state.unalias(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            let first = live.rows > 1 && state.live(&src0).rows != live.rows;
            let spread = if first { 0 } else { 1 };
            // If the destination aliases the expanded row, the row is copied first: all rows must read its old
            // contents.
            if at[spread] == live.address && live.rows > 1 {
                let tile = if first { &src0 } else { &src1 };
                at[spread] = state.copy_aside(at[spread], tile.bytes());
            }
            if divides
                && let Some(fault) =
                    first_zero(&src1, at[1], state, if first { live.rows } else { 1 }, live.cols)
            {
                return Err(fault);
            }
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let places = |i: usize, j: usize| {
                let (row0, row1) = if first { (0, i) } else { (i, 0) };
                let place = |tile: &Tile, row: usize| tile.layout.offset(row, j) * bytes;
                [live.address + place(&dst, i), at[0] + place(&src0, row0), at[1] + place(&src1, row1)]
            };
            for i in 0..rows {
                let (pieces, length) = if in_rows { (1, cols) } else { (cols, 1) };
                for j in 0..pieces {
                    let [dst, a, b] = places(i, j);
                    kernel(state.memory, dst, a, b, length);
                }
            }
            Ok(())
        }))
    }
}
