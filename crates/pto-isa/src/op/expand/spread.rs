//! TROWEXPAND and TCOLEXPAND: repeat a column or a row over a tile.

use super::pictures::{COLUMN_SPREAD, ROW_SPREAD};
use crate::diag::Severity;
use crate::element::Element;
use crate::layout::{LayoutName, c0};
use crate::op::common::{ELEMENT, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, CPU_AND_A2A3, NPU, Profile};
use crate::rule::Rule;
use crate::tile::BLayout;
use Element::{Bf16, E4M3, E5M2, E8M0, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32, U64};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::Layout,
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::fill,
    pto_num::{get_element, set_element},
};

pub(super) static TCOLEXPAND: Spread = Spread {
    page: page(
        "tcolexpand",
        "Repeats the first row down the tile.",
        "dst[i, j] = src[0, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolexpand.md",
        COL_RULES,
        COL_EFFECTS,
    )
    .pictured(&[COLUMN_SPREAD]),
    along: Along::Columns,
};

pub(super) static TROWEXPAND: Spread = Spread {
    page: page(
        "trowexpand",
        "Repeats the first element of each row along it.",
        "dst[i, j] = src[i, 0]",
        "docs/isa/tile/ops/reduce-and-expand/trowexpand.md",
        ROW_RULES,
        ROW_EFFECTS,
    )
    .pictured(&[ROW_SPREAD]),
    along: Along::Rows,
};

const PAGES: &str = "docs/isa/tile/ops/reduce-and-expand";

const EXTENT: Rule = Rule::new(
    "source-extent",
    "For TROWEXPAND the source has at least the destination's valid rows, and a valid column. For TCOLEXPAND it declares at \
     least the destination's valid columns, and has a valid row.",
    PAGES,
)
.because("A destination row without a source row has no value to repeat.")
.instead(
    "Give the source at least the destination's valid rows; for TCOLEXPAND, declare at least the destination's valid \
     columns.",
);
const BEYOND: Rule = Rule::new(
    "beyond-valid",
    "The valid columns of the source cover those of the destination; the page also repeats columns that are not valid.",
    "docs/isa/TCOLEXPAND.md, Constraints",
)
.because("Elements outside of the source's valid region are undefined and enter the result.")
.instead("Give the source the destination's valid columns.")
.lint();
const DST_LAYOUT: Rule = Rule::new(
    "dst-layout",
    "The destination is row-major without boxes.",
    "docs/isa/TROWEXPAND.md, Constraints",
)
.because("The vector unit writes rows at a constant stride.")
.instead("Declare the destination with `blayout=row_major, slayout=none_box`.")
.only(NPU);
const SRC_LAYOUT: Rule = Rule::new(
    "src-layout",
    "The source has no boxes.",
    "docs/isa/TROWEXPAND.md, Constraints; include/pto/npu/*/TRowExpand.hpp",
)
.because("The device reads one element per row at a constant stride, which boxes lack.")
.instead("Declare the source with `slayout=none_box`.")
.only(NPU);
const ONE_COLUMN: Rule = Rule::new(
    "one-column",
    "On A5 the source of TROWEXPAND has one valid column.",
    "include/pto/npu/a5/TRowExpand.hpp",
)
.because("A5's header reads the first column only, and its page allows more.")
.instead("Give the source one valid column.")
.extension()
.only(A5_ONLY);

/// Element types of 8, 16 or 32 bits; on A5 also of 64 bits.
const TYPES: Types = Types {
    a2a3: &[I8, U8, I16, U16, F16, Bf16, I32, U32, F32],
    a5: &[I8, U8, HiF8, E4M3, E5M2, E8M0, I16, U16, F16, Bf16, I32, U32, F32, I64, U64],
    a2a3_header: &[],
    a5_header: &[],
};

const ROW_RULES: &[&Rule] = &[&VEC, &SAME_TYPE, &ELEMENT, &DST_LAYOUT, &SRC_LAYOUT, &EXTENT, &ONE_COLUMN];
const COL_RULES: &[&Rule] = &[&VEC, &SAME_TYPE, &ELEMENT, &DST_LAYOUT, &SRC_LAYOUT, &EXTENT, &BEYOND];

/// The direction in which elements are repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// `dst[i, j] = src[i, 0]`.
    Rows,
    /// `dst[i, j] = src[0, j]`.
    Columns,
}

/// Effects of TROWEXPAND: reads the first column of the source, writes every column.
const ROW_EFFECTS: &[Effect] =
    &[Effect::reads("src").of(Extent::Rect(Count::Rows("dst"), Count::Fixed(1))), Effect::writes("dst")];
/// Effects of TCOLEXPAND: reads the first row of the source, over the valid columns of the destination, even
/// beyond the source's valid region.
const COL_EFFECTS: &[Effect] = &[
    Effect::reads("src")
        .of(Extent::Rect(Count::Fixed(1), Count::Cols("dst")))
        .holding(Extent::Rect(Count::Fixed(1), Count::SharedCols("dst"))),
    Effect::writes("dst"),
];

/// The page of TROWEXPAND or TCOLEXPAND.
const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    rules: &'static [&'static Rule],
    effects: &'static [Effect],
) -> Page {
    Page::of(
        Set::Expand,
        name,
        summary,
        formula,
        source,
        Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        rules,
    )
    .costing(cost::ROW_EXPANSION)
    .touching(effects)
}

/// An instruction that repeats a row or column.
pub(super) struct Spread {
    page: Page,
    along: Along,
}

impl Instruction for Spread {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    /// On A2/A3, one source row may hold one value per destination row.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        let block = site.tile("src").zip(site.tile("dst")).is_some_and(|(src, dst)| is_block(src, dst));
        if self.along == Along::Rows && block {
            effects[0] = Effect::reads("src").of(Extent::Rect(Count::Fixed(1), Count::Rows("dst")));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        vec(check, "src");
        vec(check, "dst");
        same_type(check, "src", "dst");
        element_type(check, "dst", &TYPES, &|_| true);
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (from, to) = (src.layout().name, dst.layout().name);
        check.require(&DST_LAYOUT, "dst", to == LayoutName::Nd, |check| {
            format!("{} is {}, not ND", check.name("dst"), to.word())
        });
        check.require(&SRC_LAYOUT, "src", !src.ty.is_boxed(), |check| {
            format!("{} is {}, not ND or DN", check.name("src"), from.word())
        });
        if self.along == Along::Rows && BLOCKS.contains(&check.profile()) && is_block(src, dst) {
            return;
        }
        let enough =
            |have: Option<u32>, need: Option<u32>| have.zip(need).is_none_or(|(have, need)| have >= need);
        let holds = match self.along {
            Along::Rows => enough(src.rows, dst.rows) && src.cols != Some(0),
            Along::Columns => enough(Some(src.ty.cols), dst.cols) && src.rows != Some(0),
        };
        check.require(&EXTENT, "src", holds, |check| valid_regions(check, "src", "dst"));
        let read = self.along == Along::Rows || enough(src.cols, dst.cols);
        check.judge(Severity::Lint, &BEYOND, "src", read || !holds, |check| {
            valid_regions(check, "src", "dst")
        });
        // The page's example has a source with more than one valid column.
        let one = self.along == Along::Columns || agree(src.cols, Some(1));
        check.judge(Severity::Extension, &ONE_COLUMN, "src", one, |check| {
            format!("{} has {} valid elements", check.name("src"), src.valid_text())
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Spread {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let valid = reference.valid(&dst);
        let Size { rows, cols } = valid;
        let blocks = is_live_block(self.along, reference.valid(&src), valid, &src);
        for i in 0..rows {
            for j in 0..cols {
                let value = match self.along {
                    Along::Rows if blocks => reference.get(&src, 0, i),
                    Along::Rows => reference.get(&src, i, 0),
                    Along::Columns => reference.get(&src, 0, j),
                };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let (element, along) = (dst.ty.element, self.along);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.unalias(&dst, [&src]);
            let live = state.live(&dst);
            let Size { rows, cols } = live.size();
            let blocks = is_live_block(along, state.live(&src).size(), live.size(), &src);
            let first = |i: usize| match along {
                Along::Columns => src.layout.offset(0, 0),
                Along::Rows if blocks => src.layout.offset(0, i),
                Along::Rows => src.layout.offset(i, 0),
            };
            let in_rows = [&dst.layout, &src.layout].iter().all(|layout| layout.name == LayoutName::Nd);
            let memory = &mut *state.memory;
            for i in 0..rows {
                if along == Along::Rows {
                    let value = get_element(memory, from, first(i), element);
                    spread_row(&dst.layout, i, cols, |offset, count| {
                        fill(memory, live.address + element.bytes(offset), element.bits(), value, count);
                    });
                    continue;
                }
                if in_rows {
                    let (row, to) = (from + element.bytes(first(i)), element.bytes(dst.layout.offset(i, 0)));
                    memory.copy_within(row..row + element.bytes(cols), live.address + to);
                    continue;
                }
                for j in 0..cols {
                    let place = if along == Along::Rows { first(i) } else { src.layout.offset(0, j) };
                    let value = get_element(memory, from, place, element);
                    set_element(memory, live.address, dst.layout.offset(i, j), element, value);
                }
            }
            Ok(())
        }))
    }
}

/// Profiles that accept a source row whose elements each fill a destination row of 32 bytes.
const BLOCKS: &[Profile] = CPU_AND_A2A3;

/// Whether the source is a row whose elements each fill a destination row of 32 bytes.
fn is_block(src: &TileFact, dst: &TileFact) -> bool {
    src.ty.blayout == BLayout::RowMajor
        && src.rows == Some(1)
        && dst.rows.is_some_and(|rows| rows > 1)
        && src.cols == dst.rows
        && dst.cols == Some(c0(dst.element()))
}

/// [`is_block`] for the valid regions at run time; other sources with fewer rows than the destination are rejected
/// before.
#[cfg(feature = "run")]
fn is_live_block(along: Along, src: Size, dst: Size, tile: &Tile) -> bool {
    along == Along::Rows
        && tile.ty.blayout == BLayout::RowMajor
        && src.rows == 1
        && dst.rows > 1
        && src.cols == dst.rows
}

/// Calls `run` for the contiguous runs of row `i`.
#[cfg(feature = "run")]
fn spread_row(layout: &Layout, i: usize, cols: usize, mut run: impl FnMut(usize, usize)) {
    if layout.name == LayoutName::Nd {
        return run(layout.offset(i, 0), cols);
    }
    (0..cols).for_each(|j| run(layout.offset(i, j), 1));
}
