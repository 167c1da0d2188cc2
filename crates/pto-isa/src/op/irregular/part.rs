//! Operations on tiles of different valid regions: the result where both sources are valid, the source's value
//! where only one is.

use super::made_pictures;
use crate::diag::Severity;
use crate::element::Element;
use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::op::common::{ELEMENT, ROW_MAJOR, SAME_TYPE, Types, VEC, element_type, same_type, vec_row_major};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::picture::Picture;
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{CPU_ONLY, NPU, Profile};
use crate::rule::Rule;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::along_row,
    crate::exec::state::{Execute, Fault, Live, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::fill,
    pto_kernels::map::{BinaryFormula, binary},
};

pub(super) static TPARTADD: PartBinary = part(
    "tpartadd",
    BinaryOp::Add,
    "Adds two tiles; where only one is valid, its element is copied.",
    "dst[i, j] = src0[i, j] + src1[i, j], or the element of the only source that is valid there",
    "docs/isa/TPARTADD.md",
    made_pictures::TPARTADD,
);

pub(super) static TPARTMAX: PartBinary = part(
    "tpartmax",
    BinaryOp::Max,
    "The larger element of two tiles; where only one is valid, its element is copied.",
    "dst[i, j] = max(src0[i, j], src1[i, j]), or the element of the only source that is valid there",
    "docs/isa/TPARTMAX.md",
    made_pictures::TPARTMAX,
);

pub(super) static TPARTMIN: PartBinary = part(
    "tpartmin",
    BinaryOp::Min,
    "The smaller element of two tiles; where only one is valid, its element is copied.",
    "dst[i, j] = min(src0[i, j], src1[i, j]), or the element of the only source that is valid there",
    "docs/isa/TPARTMIN.md",
    made_pictures::TPARTMIN,
);

pub(super) static TPARTMUL: PartBinary = part(
    "tpartmul",
    BinaryOp::Mul,
    "Multiplies two tiles; where only one is valid, its element is copied.",
    "dst[i, j] = src0[i, j] * src1[i, j], or the element of the only source that is valid there",
    "docs/isa/TPARTMUL.md",
    made_pictures::TPARTMUL,
);

pub(super) const REGIONS: Rule = Rule::new(
    "valid-region",
    "One source has the valid region of the destination, the other no more rows and no more columns.",
    "docs/isa/TPARTADD.md, General constraints",
)
.because("The device combines the smaller source with the corner of the larger one and copies the rest.")
.instead("Give one source the destination's valid region, and the other a region within it.")
.only(NPU);
pub(super) const UNCOVERED: Rule = Rule::new(
    "uncovered",
    "Every valid element of the destination is valid in at least one source; the simulator writes zero to other elements.",
    "docs/isa/TPARTADD.md, General constraints; include/pto/cpu/TPartOp.hpp",
)
.because("Elements in neither source are undefined on a device.")
.instead("Give one source the destination's valid region.")
.lint()
.only(CPU_ONLY);

/// `dst[i, j] = src0[i, j] op src1[i, j]`, or the source that is valid there.
pub(super) struct PartBinary {
    page: Page,
    op: BinaryOp,
    types: Types,
}

const A2A3: &[Element] = &[I32, I16, F16, F32];
const A5: &[Element] = &[U8, I8, U16, I16, U32, I32, F16, F32, Bf16];
const A5_WIDE: &[Element] = &[U8, I8, U16, I16, U32, I32, F16, F32, Bf16, I64, U64];

const EFFECTS: &[Effect] =
    &[Effect::reads("src0").of(WITHIN_DST), Effect::reads("src1").of(WITHIN_DST), Effect::writes("dst")];
/// The part of a source that the valid region of the destination covers.
const WITHIN_DST: Extent = Extent::Rect(Count::SharedRows("dst"), Count::SharedCols("dst"));

/// A partial operation.
const fn part(
    name: &'static str,
    op: BinaryOp,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    pictures: &'static [Picture],
) -> PartBinary {
    // The page of TPARTMUL names no 64-bit integers.
    let a5 = if matches!(op, BinaryOp::Mul) { A5 } else { A5_WIDE };
    let page = Page::of(
        Set::Irregular,
        name,
        summary,
        formula,
        source,
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        &[&SAME_TYPE, &VEC, &ROW_MAJOR, &ELEMENT, &REGIONS, &UNCOVERED],
    )
    .costing(cost::TWO_SOURCES)
    .touching(EFFECTS)
    .pictured(pictures);
    PartBinary { page, op, types: Types { a2a3: A2A3, a5, a2a3_header: &[], a5_header: &[] } }
}

/// Checks the valid regions of two sources and a destination.
pub(super) fn check_regions(check: &mut Check<'_>) {
    let (dst, sources) = (check.tile("dst"), ["src0", "src1"].map(|role| check.tile(role)));
    let known = |tile: &TileFact| tile.rows.zip(tile.cols);
    let text = |check: &Check<'_>| {
        let [a, b] = sources.map(TileFact::valid_text);
        let (first, second, target) = (check.name("src0"), check.name("src1"), check.name("dst"));
        format!("{first} has {a} valid elements, {second} {b}, {target} {}", dst.valid_text())
    };
    let Some((rows, cols)) = known(dst) else { return };
    if rows == 0 || cols == 0 {
        return;
    }
    let larger = |tile: &TileFact| {
        tile.rows.is_some_and(|have| have > rows) || tile.cols.is_some_and(|have| have > cols)
    };
    let differs = |tile: &TileFact| {
        tile.rows.is_some_and(|have| have != rows) || tile.cols.is_some_and(|have| have != cols)
    };
    let fits = !sources.iter().any(|tile| larger(tile)) && !sources.iter().all(|tile| differs(tile));
    check.require(&REGIONS, "dst", fits, text);
    let [Some(a), Some(b)] = sources.map(known) else { return };
    // All valid regions start at (0, 0), so some source must cover the whole destination.
    let covered = [a, b].iter().any(|(have_rows, have_cols)| *have_rows >= rows && *have_cols >= cols);
    check.judge(Severity::Lint, &UNCOVERED, "dst", covered, text);
}

/// Whether a source with this valid region is valid at an element.
#[cfg(feature = "run")]
fn valid_in(region: Size, i: usize, j: usize) -> bool {
    i < region.rows && j < region.cols
}

impl Instruction for PartBinary {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        for source in ["src0", "src1"] {
            same_type(check, source, "dst");
            vec_row_major(check, source);
        }
        vec_row_major(check, "dst");
        element_type(check, "dst", &self.types, &|element| self.op.applies_to(element));
        check_regions(check);
    }
}

#[cfg(feature = "run")]
impl Compute for PartBinary {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let Size { rows, cols } = reference.valid(&dst);
        let (first, second) = (reference.valid(&src0), reference.valid(&src1));
        for i in 0..rows {
            for j in 0..cols {
                let value = match (valid_in(first, i, j), valid_in(second, i, j)) {
                    (true, true) => {
                        let (a, b) = (reference.get(&src0, i, j), reference.get(&src1, i, j));
                        self.op.apply(dst.ty.element, a, b).unwrap_or_default()
                    }
                    (true, false) => reference.get(&src0, i, j),
                    (false, true) => reference.get(&src1, i, j),
                    (false, false) => 0,
                };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, [prepare.tile("src0")?, prepare.tile("src1")?]);
        let kernel = binary(self.op, dst.ty.element).ok_or("the element type has no such operation")?;
        let element = dst.ty.element;
        Ok(Box::new(move |state: &mut State<'_>| {
            let layouts = [&dst.layout, &src[0].layout, &src[1].layout];
            let from = state.unalias(&dst, [&src[0], &src[1]]);
            let (live, regions) = (state.live(&dst), src.map(|src| state.live(&src)));
            let memory = &mut *state.memory;
            for row in 0..live.rows as usize {
                each_segment(live.cols as usize, row, &regions, |start, end, valid| {
                    // The offset of a source that is not read is ignored.
                    along_row(layouts, row, start..end, |[d, a, b], count| {
                        let at = |base: usize, offset: usize| base + element.bytes(offset);
                        let (to, a, b) = (at(live.address, d), at(from[0], a), at(from[1], b));
                        let bytes = element.bytes(count);
                        match valid {
                            [true, true] => kernel(memory, to, a, b, count),
                            [true, false] => memory.copy_within(a..a + bytes, to),
                            [false, true] => memory.copy_within(b..b + bytes, to),
                            [false, false] => fill(memory, to, element.bits(), 0, count),
                        }
                    });
                });
            }
            Ok(())
        }))
    }
}

/// Calls `run` for each column range of a row in which the same sources are valid.
#[cfg(feature = "run")]
pub(super) fn each_segment(
    cols: usize,
    row: usize,
    regions: &[Live; 2],
    mut each: impl FnMut(usize, usize, [bool; 2]),
) {
    let ends = regions.map(|live| if row < live.rows as usize { (live.cols as usize).min(cols) } else { 0 });
    let mut start = 0;
    for end in [ends[0].min(ends[1]), ends[0].max(ends[1]), cols] {
        if start < end {
            each(start, end, ends.map(|limit| start < limit));
        }
        start = start.max(end);
    }
}
