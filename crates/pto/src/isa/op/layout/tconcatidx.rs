//! TCONCATIDX: puts as many columns of two tiles side by side as index tiles say for each row.

use super::tconcat::{VALID_ROWS, common_rules};
use crate::isa::element::{Element, element_word};
use crate::isa::op::common::{ELEMENT, ROW_MAJOR, SAME_TYPE, VEC, agree, vec_row_major};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State, Tile};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use pto_kernels::{get_element, set_element};

const SOURCE: &str = "docs/isa/TCONCAT.md";

const INDEX_TYPE: Rule =
    Rule::new("index-type", "The index tiles hold one integer type of 8, 16 or 32 bits.", SOURCE);
const INDEX_SHAPE: Rule = Rule::new(
    "index-shape",
    "The index tiles have one valid column and the destination's valid rows.",
    SOURCE,
);
const INDEX_RANGE: Rule =
    Rule::new("index-range", "An index names no more columns than its source has valid.", SOURCE);

/// Concatenates a run-time number of columns.
pub(super) struct Tconcatidx {
    page: Page,
}

pub(super) static TCONCATIDX: Tconcatidx = Tconcatidx {
    page: Page {
        name: "tconcatidx",
        aliases: &[],
        set: Set::Layout,
        summary: "Puts the first n0 columns of a tile and the first n1 of another side by side, row by row.",
        formula: "n0 = idx0[i, 0] / sizeof(Idx), n1 = idx1[i, 0] / sizeof(Idx), clamped to the destination; \
                  dst[i, j] = src0[i, j] for j < n0, src1[i, j - n0] for n0 <= j < n0 + n1",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile)),
        ]),
        rules: &[
            &SAME_TYPE,
            &ELEMENT,
            &VEC,
            &ROW_MAJOR,
            &VALID_ROWS,
            &INDEX_TYPE,
            &INDEX_SHAPE,
            &INDEX_RANGE,
        ],
        reads_destination: true,
    },
};

/// Columns that an index names: byte counts in units of the index type.
fn columns(element: Element, bits: u64) -> u64 {
    bits / (u64::from(element.bits()) / 8)
}

/// An index beyond what its source has.
fn too_many(index: &str, take: usize, row: usize, limit: usize) -> Fault {
    let message =
        format!("`{index}` names {take} columns in row {row}, but its source has {limit} valid columns");
    Fault::Broken(INDEX_RANGE.name, message)
}

impl Instruction for Tconcatidx {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        common_rules(check);
        let dst = check.tile("dst");
        let first = check.tile("idx0").element();
        for role in ["idx0", "idx1"] {
            vec_row_major(check, role);
            let index = check.tile(role);
            let element = index.element();
            let fits = element.is_integer() && element.bits() <= 32 && element == first;
            check.require(&INDEX_TYPE, role, fits, |check| {
                format!(
                    "{} holds {}, {} {}",
                    check.name(role),
                    element_word(element),
                    check.name("idx0"),
                    element_word(first)
                )
            });
            let shape = agree(index.cols, Some(1)) && agree(index.rows, dst.rows);
            check.require(&INDEX_SHAPE, role, shape, |check| {
                format!(
                    "{} has {} valid elements, {} {}",
                    check.name(role),
                    index.valid_text(),
                    check.name("dst"),
                    dst.valid_text()
                )
            });
        }
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let (idx0, idx1) = (reference.tile("idx0"), reference.tile("idx1"));
        let (rows, width) = reference.valid(&dst);
        for i in 0..rows {
            let n0 = columns(idx0.ty.element, reference.get(&idx0, i, 0));
            let n1 = columns(idx1.ty.element, reference.get(&idx1, i, 0));
            let take0 = n0.min(width as u64) as usize;
            let take1 = n1.min((width - take0) as u64) as usize;
            let (limit0, limit1) = (reference.valid(&src0).1, reference.valid(&src1).1);
            for (take, limit, index) in [(take0, limit0, "idx0"), (take1, limit1, "idx1")] {
                if take > limit {
                    return Err(too_many(index, take, i, limit));
                }
            }
            for j in 0..take0 {
                let value = reference.get(&src0, i, j);
                reference.set(&dst, i, j, value);
            }
            for j in 0..take1 {
                let value = reference.get(&src1, i, j);
                reference.set(&dst, i, take0 + j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src0, src1) = (prepare.tile("dst")?, prepare.tile("src0")?, prepare.tile("src1")?);
        let (idx0, idx1) = (prepare.tile("idx0")?, prepare.tile("idx1")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [at0, at1, from0, from1] = state.settle(&dst, [&src0, &src1, &idx0, &idx1]);
            let live = state.live(&dst);
            let limits = [state.live(&src0).cols, state.live(&src1).cols];
            let width = u64::from(live.cols);
            for i in 0..live.rows as usize {
                let count = |tile: &Tile, from: usize, state: &State<'_>| {
                    columns(
                        tile.ty.element,
                        get_element(state.memory, from, tile.layout.offset(i, 0), tile.ty.element),
                    )
                };
                let (n0, n1) = (count(&idx0, from0, state), count(&idx1, from1, state));
                let take0 = n0.min(width);
                let take1 = n1.min(width - take0);
                for (take, limit, index) in [(take0, limits[0], "idx0"), (take1, limits[1], "idx1")] {
                    if take > u64::from(limit) {
                        return Err(too_many(index, take as usize, i, limit as usize));
                    }
                }
                let mut put = |src: &Tile, from: usize, first: usize, take: usize| {
                    for j in 0..take {
                        let value = get_element(state.memory, from, src.layout.offset(i, j), src.ty.element);
                        set_element(
                            state.memory,
                            live.address,
                            dst.layout.offset(i, first + j),
                            dst.ty.element,
                            value,
                        );
                    }
                };
                put(&src0, at0, 0, take0 as usize);
                put(&src1, at1, take0 as usize, take1 as usize);
            }
            Ok(())
        }))
    }
}
