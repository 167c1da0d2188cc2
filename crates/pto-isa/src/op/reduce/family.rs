//! Code shared by row and column reductions.

use crate::attribute::Attribute;
use crate::element::{Element, element_word};
use crate::op::common::{ELEMENT, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site, TileFact};
use crate::op::workspace::TMP_TYPE;
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, NPU};
use crate::rule::Rule;
use crate::tile::{BLayout, Location, SLayout};
use pto_num::ReduceOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::in_batches,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::copy_matrix,
    pto_kernels::layout::Placement,
    pto_kernels::reduce::{Fold, column, row},
    pto_num::{get_element, set_element},
};

/// A source, optionally with a workspace.
const SYNTAX: Syntax = Syntax::Destination(&[
    form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile) outs(dst: Tile)),
]);

const PAGES: &str = "docs/isa/tile/ops/reduce-and-expand";

const SOURCE_LAYOUT: Rule = Rule::new("source-layout", "The source is row-major without boxes.", PAGES)
    .because("The vector unit steps through rows at a constant stride.")
    .instead("Declare the source with `blayout=row_major, slayout=none_box`.")
    .only(NPU);
const ROW_DST_LAYOUT: Rule = Rule::new(
    "destination-layout",
    "The destination is row-major, or column-major with one column; it has no boxes.",
    PAGES,
)
.because("The device writes one element per row at a constant stride.")
.instead("Declare a column-major tile with one column, or a row-major one, without boxes.")
.only(NPU);
const COL_DST_LAYOUT: Rule =
    Rule::new("destination-layout", "The destination is row-major without boxes.", PAGES)
        .because("The device writes the result as a row.")
        .instead("Declare the destination with `blayout=row_major, slayout=none_box`.")
        .only(NPU);
const SAME_ROWS: Rule =
    Rule::new("valid-rows", "Source and destination have the same number of valid rows.", PAGES)
        .because("Each row of the source has one result.")
        .instead("Give the destination the source's valid rows.");
const SAME_COLS: Rule =
    Rule::new("valid-cols", "Source and destination have the same number of valid columns.", PAGES)
        .because("Each column of the source has one result.")
        .instead("Give the destination the source's valid columns.");

const ROW_EFFECTS: &[Effect] = &[
    Effect::reads("src"),
    Effect::workspace("tmp"),
    Effect::writes("dst").of(Extent::Rect(Count::Rows("src"), Count::Fixed(1))),
    Effect::uses_flags().of_integers(),
];
/// Column reductions use their workspace on A5 too.
const COL_EFFECTS: &[Effect] = &[
    Effect::reads("src"),
    Effect::destroys("tmp"),
    Effect::writes("dst").of(Extent::Rect(Count::Fixed(1), Count::Cols("src"))),
];

const ROW_RULES: &[&Rule] =
    &[&VEC, &SOURCE_LAYOUT, &ROW_DST_LAYOUT, &SAME_TYPE, &SAME_ROWS, &ELEMENT, &TMP_TYPE];
const COL_RULES: &[&Rule] = &[&VEC, &SOURCE_LAYOUT, &COL_DST_LAYOUT, &SAME_TYPE, &SAME_COLS, &ELEMENT];
/// The rules of TCOLSUM, the only column reduction whose workspace devices use.
pub(super) const COL_SUM_RULES: &[&Rule] =
    &[&VEC, &SOURCE_LAYOUT, &COL_DST_LAYOUT, &SAME_TYPE, &SAME_COLS, &ELEMENT, &SUMS_TYPE, &SUMS_ROOM];
const SUMS_TYPE: Rule = Rule::new(
    "tmp-type",
    "The workspace of TCOLSUM is a vec tile in rows with the source's element type; on A5 only `isBinary` uses it.",
    "docs/isa/TCOLSUM.md; include/pto/npu/{a2a3,a5}/TColSum.hpp",
)
.because("The device keeps sums of two rows there, and reads them back in that format.")
.instead("Declare the workspace with the source's element type, row-major without boxes.")
.only(NPU);
const SUMS_ROOM: Rule = Rule::new(
    "tmp-room",
    "With `isBinary` the workspace has a row for each pair of rows and the columns of the source.",
    "docs/isa/TCOLSUM.md; include/pto/npu/{a2a3,a5}/TColSum.hpp",
)
.because("The device writes a row of sums for each pair of rows; narrower rows overlap.")
.instead("Declare at least ceil(rows / 2) rows and as many columns as are valid in the source.")
.only(NPU);

/// The page of a reduction of rows.
pub(super) const fn row_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page::of(Set::Reduce, name, summary, formula, source, SYNTAX, ROW_RULES)
        .costing(cost::ROW_REDUCTION)
        .touching(ROW_EFFECTS)
}

/// The page of a reduction of columns.
pub(super) const fn column_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page::of(Set::Reduce, name, summary, formula, source, SYNTAX, COL_RULES)
        .costing(cost::COLUMN_REDUCTION)
        .touching(COL_EFFECTS)
}

fn computed(element: Element) -> bool {
    ReduceOp::Sum.applies_to(element)
}

fn common_rules(check: &mut Check<'_>, types: &Types, dst_rule: &'static Rule, column_allowed: bool) {
    vec(check, "src");
    vec(check, "dst");
    let plain = |ty: crate::TileType| (ty.blayout, ty.slayout) == (BLayout::RowMajor, SLayout::NoneBox);
    let (src, dst) = (check.tile("src").ty, check.tile("dst").ty);
    check.require(&SOURCE_LAYOUT, "src", plain(src), |check| {
        format!("{} is {} with {}", check.name("src"), src.blayout.word(), src.slayout.word())
    });
    let single = column_allowed && dst.slayout == SLayout::NoneBox && dst.cols == 1;
    check.require(dst_rule, "dst", plain(dst) || single, |check| {
        format!("{} is {} with {}", check.name("dst"), dst.blayout.word(), dst.slayout.word())
    });
    same_type(check, "src", "dst");
    element_type(check, "dst", types, &computed);
}

/// `dst[i, 0]` from row `i` of the source.
pub(super) struct RowReduce {
    pub(super) page: Page,
    pub(super) op: ReduceOp,
    pub(super) types: Types,
}

impl Instruction for RowReduce {
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
        common_rules(check, &self.types, &ROW_DST_LAYOUT, true);
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        check.require(&SAME_ROWS, "dst", agree(src.rows, dst.rows), |check| {
            valid_regions(check, "src", "dst")
        });
    }
}

#[cfg(feature = "run")]
impl Compute for RowReduce {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let Size { rows, cols } = reference.valid(&src);
        for i in 0..rows {
            let values: Vec<u64> = (0..cols).map(|j| reference.get(&src, i, j)).collect();
            let result = self.op.fold_row(src.ty.element, &values).unwrap_or_default();
            reference.set(&dst, i, 0, result);
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let element = src.ty.element;
        let kernel = row(self.op, element).ok_or("the element type has no such reduction")?;
        let bytes = element.bits() as usize / 8;
        let in_rows = src.layout.name == LayoutName::Nd;
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.unalias(&dst, [&src]);
            let (live, source) = (state.live(&dst), state.live(&src));
            let (rows, cols) = (source.rows as usize, source.cols as usize);
            in_batches(0..rows, |batch, results| {
                let first = batch.start;
                if in_rows {
                    let at = from + src.layout.offset(first, 0) * bytes;
                    kernel(state.memory, at, src.layout.cols * bytes, cols, results);
                } else {
                    for (i, result) in results.iter_mut().enumerate() {
                        let line = gathered_row(state, &src, from, first + i, cols);
                        kernel(state.memory, line, 0, cols, std::slice::from_mut(result));
                    }
                }
                state.set_first_column(&dst, live.address, first, results);
            });
            Ok(())
        }))
    }
}

/// Copies a row whose elements are not contiguous to spare memory, and returns its byte address.
#[cfg(feature = "run")]
fn gathered_row(state: &mut State<'_>, src: &Tile, from: usize, row: usize, cols: usize) -> usize {
    let element = src.ty.element;
    let line = state.spare.end - element.bytes(cols);
    for col in 0..cols {
        let value = get_element(state.memory, from, src.layout.offset(row, col), element);
        set_element(state.memory, line, col, element, value);
    }
    line
}

/// `dst[0, j]` from column `j` of the source.
pub(super) struct ColReduce {
    pub(super) page: Page,
    pub(super) op: ReduceOp,
    pub(super) types: Types,
}

impl Instruction for ColReduce {
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
        common_rules(check, &self.types, &COL_DST_LAYOUT, false);
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        check.require(&SAME_COLS, "dst", agree(src.cols, dst.cols), |check| {
            valid_regions(check, "src", "dst")
        });
        if let Some(tmp) = check.site.tile("tmp").filter(|_| self.page.rules.contains(&&SUMS_TYPE)) {
            sums(check, src, tmp);
        }
    }
}

/// Checks the workspace of TCOLSUM.
fn sums(check: &mut Check<'_>, src: &TileFact, tmp: &TileFact) {
    let in_pairs = matches!(check.site.listed_attribute("isBinary"), Some(Attribute::Bool(true)));
    if !in_pairs && !A2A3_ONLY.contains(&check.profile()) {
        return;
    }
    let ty = tmp.ty;
    let plain = (ty.location, ty.blayout, ty.slayout) == (Location::Vec, BLayout::RowMajor, SLayout::NoneBox);
    let typed = check.require(&SUMS_TYPE, "tmp", plain && ty.element == src.element(), |check| {
        let (brief, layout, element) = (ty.brief(), ty.blayout.word(), element_word(src.element()));
        format!("{} is {brief} {layout}, not a vec tile of {element} in rows", check.name("tmp"))
    });
    let pairs = src.rows.map_or(0, |rows| rows.div_ceil(2));
    let room = ty.cols >= src.cols.unwrap_or(0) && ty.rows >= pairs;
    check.require(&SUMS_ROOM, "tmp", !typed || !in_pairs || room, |check| {
        let (have, source) = (format!("{}x{}", ty.rows, ty.cols), src.valid_text());
        format!(
            "{} is declared {have}; the sums of {source} valid elements take {pairs} rows of {} columns",
            check.name("tmp"),
            src.cols.unwrap_or(0)
        )
    });
}

#[cfg(feature = "run")]
impl Compute for ColReduce {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let Size { rows, cols } = reference.valid(&src);
        for j in 0..cols {
            let values: Vec<u64> = (0..rows).map(|i| reference.get(&src, i, j)).collect();
            let result = self.op.fold_column(src.ty.element, &values).unwrap_or_default();
            reference.set(&dst, 0, j, result);
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let element = src.ty.element;
        let kernel = column(self.op, element).ok_or("the element type has no such reduction")?;
        let bytes = element.bits() as usize / 8;
        let plain = src.layout.name == LayoutName::Nd;
        Ok(Box::new(move |state: &mut State<'_>| {
            let source = state.live(&src);
            let (rows, cols) = (source.rows as usize, source.cols as usize);
            // The result is computed in spare memory, because the source may overlap the destination.
            let line = Placement::rows(state.spare.end - cols * bytes, cols);
            let (from, stride) = if plain {
                (source.address, src.layout.cols * bytes)
            } else {
                let copy = Placement::rows(state.spare.start, cols);
                copy_matrix(
                    state.memory,
                    &copy,
                    &src.layout.placement(source.address),
                    rows,
                    cols,
                    element.bits(),
                );
                (copy.offset, cols * bytes)
            };
            kernel(state.memory, line.offset, from, stride, rows, cols);
            let target = state.placement(&dst);
            copy_matrix(state.memory, &target, &line, 1, cols, element.bits());
            Ok(())
        }))
    }
}
