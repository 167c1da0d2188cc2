//! Code shared by the `trowexpand<op>` instructions: a full tile and an expanded column.

use super::pictures::ROW_OPERATORS;
use super::row_rules::{
    BOTH_MATCH, MODE, MODE2_COLS, ONE_FULL, RESERVED, ROW_MAJOR_DST, ROW_RULES, TMP_LOCATION, TMP_MODE,
    TMP_SIZE,
};
use crate::diag::Severity;
use crate::element::Element;
use crate::layout::{LayoutName, c0};
use crate::memory::TMP_WINDOW;
use crate::op::common::{Types, agree, element_type, same_type, vec};
use crate::op::cost;
use crate::op::effect::{Effect, Target};
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::tile::{BLayout, Location, SLayout};
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::in_batches,
    crate::exec::state::{Execute, Fault, Live, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    crate::op::Compute,
    crate::op::elementwise::{divides, first_zero},
    pto_kernels::map::{BinaryFormula, Rows, binary, binary_scalar, scalar_binary},
    pto_num::get_element,
};

const ROW_SYNTAX: Syntax = Syntax::Destination(&[
    form!(ins(src0: Tile, src1: Tile) outs(dst: Tile)),
    form!(ins(src0: Tile, src1: Tile, tmp: Tile) outs(dst: Tile)),
]);
pub(super) const fn row_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    let (set, syntax, rules) = (Set::Expand, ROW_SYNTAX, ROW_RULES);
    Page::of(set, name, summary, formula, source, syntax, rules)
        .costing(cost::WITH_ROW_ELEMENTS)
        .touching(&ROW_EFFECTS)
        .pictured(ROW_OPERATORS)
}

const ROW_EFFECTS: [Effect; 5] = [
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::workspace("tmp"),
    Effect::writes("dst"),
    Effect::uses_window().loosely("if a column is expanded without `tmp`"),
];

/// An operation on a full tile and one element per row, in either order.
pub(super) struct RowExpand {
    pub(super) page: Page,
    pub(super) op: BinaryOp,
    pub(super) types: Types,
}

/// Number of columns of a mode 2 operand: as many elements as fill 32 bytes.
fn mode_2_cols(element: Element) -> u32 {
    c0(element)
}

/// Whether a tile is an expanded operand of a destination with `rows` rows: a column, or a row-major tile of
/// [`mode_2_cols`] columns.
fn is_expanded(tile: &TileFact, rows: Option<u32>) -> bool {
    let column = tile.ty.blayout == BLayout::ColMajor
        && tile.ty.slayout == SLayout::NoneBox
        && agree(tile.cols, Some(1));
    let block = tile.ty.blayout == BLayout::RowMajor
        && tile.ty.slayout == SLayout::NoneBox
        && agree(tile.cols, Some(mode_2_cols(tile.element())));
    (column || block) && agree(tile.rows, rows)
}

fn is_full(tile: &TileFact, dst: &TileFact) -> bool {
    tile.ty.blayout == BLayout::RowMajor && agree(tile.rows, dst.rows) && agree(tile.cols, dst.cols)
}

/// Checks that the destination or the full operand is row-major.
pub(super) fn row_major(check: &mut Check<'_>, role: &str, tile: &TileFact) {
    let layout = tile.layout().name;
    check.require(&ROW_MAJOR_DST, role, layout == LayoutName::Nd, |check| {
        format!("{} is {}, not ND", check.name(role), layout.word())
    });
}

/// A sentence on two sources that have the valid region of the destination.
fn both_full(check: &Check<'_>) -> String {
    let [first, second, dst] = ["src0", "src1", "dst"].map(|role| check.name(role));
    if first == second {
        return format!("{first} is both sources, with the valid region of {dst}");
    }
    format!("{first} and {second} both have the valid region of {dst}")
}

/// The role of the expanded source, from the facts known before or at run time.
fn expanded_role(site: &Site<'_>) -> &'static str {
    let (Some(src0), Some(src1), Some(dst)) = (site.tile("src0"), site.tile("src1"), site.tile("dst")) else {
        return "src1";
    };
    // Known valid columns decide first; unknown ones decide nothing.
    let narrow = |tile: &TileFact| {
        let narrow =
            |cols: &u32| (*cols == 1 || *cols == mode_2_cols(tile.element())) && dst.cols != Some(*cols);
        tile.cols.as_ref().is_some_and(narrow)
    };
    match (narrow(src0), narrow(src1)) {
        (true, false) => return "src0",
        (false, true) => return "src1",
        _ => {}
    }
    let first = is_expanded(src0, dst.rows) && is_full(src1, dst);
    let second = is_expanded(src1, dst.rows) && is_full(src0, dst);
    // If the valid regions do not decide, a column-major tile is the expanded one, and a tile with the
    // destination's columns is the full one.
    let column = |tile: &TileFact| tile.ty.blayout == BLayout::ColMajor || tile.ty.cols != dst.ty.cols;
    // If both sources match, the expanded one is the source with the declared shape of an expanded operand.
    let shaped =
        |tile: &TileFact| tile.ty.blayout == BLayout::ColMajor || tile.ty.cols == mode_2_cols(tile.element());
    match (first, second) {
        (true, false) => "src0",
        (true, true) if shaped(src0) && !shaped(src1) => "src0",
        (true, true) if shaped(src0) == shaped(src1) && column(src0) && !column(src1) => "src0",
        _ => "src1",
    }
}

impl Instruction for RowExpand {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let in_rows = site.tile(expanded_role(site)).is_some_and(|tile| tile.ty.blayout == BLayout::RowMajor);
        let apart = in_rows || site.operand("tmp").is_some();
        let mut effects = site.held(self.page.effects);
        effects.retain(|effect| !(apart && effect.target == Target::Window));
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        ["src0", "src1", "dst"].into_iter().for_each(|role| vec(check, role));
        same_type(check, "src0", "dst");
        same_type(check, "src1", "dst");
        element_type(check, "dst", &self.types, &|element| self.op.applies_to(element));
        let (src0, src1, dst) = (check.tile("src0"), check.tile("src1"), check.tile("dst"));
        let role = expanded_role(check.site);
        let (full_role, expanded, full) =
            if role == "src0" { ("src1", src0, src1) } else { ("src0", src1, src0) };
        for (role, tile) in [("dst", dst), (full_role, full)] {
            row_major(check, role, tile);
        }
        let one = check.require(
            &ONE_FULL,
            full_role,
            agree(full.rows, dst.rows) && agree(full.cols, dst.cols),
            |check| {
                format!(
                    "neither source has the {} valid elements of {}: {} has {}, {} has {}",
                    dst.valid_text(),
                    check.name("dst"),
                    check.name("src0"),
                    src0.valid_text(),
                    check.name("src1"),
                    src1.valid_text()
                )
            },
        );
        let known = |tile: &TileFact| tile.rows.is_some() && tile.cols.is_some();
        let both = known(src0)
            && known(src1)
            && known(dst)
            && (src0.rows, src0.cols) == (dst.rows, dst.cols)
            && (src1.rows, src1.cols) == (dst.rows, dst.cols);
        // The rules below depend on the full operand, so they are skipped if its rules fail.
        if !one {
            return;
        }
        let mode = check.require(&MODE, role, is_expanded(expanded, dst.rows), |check| {
            format!(
                "{} has {} valid elements and is {}: it must be {} rows of one column in a col_major tile, or of {} \
                 columns in a row_major tile",
                check.name(role), expanded.valid_text(), expanded.ty.blayout.word(),
                dst.rows.map_or("the destination's".into(), |rows| rows.to_string()), mode_2_cols(expanded.element())
            )
        });
        if !mode {
            return;
        }
        check.judge(Severity::Extension, &BOTH_MATCH, role, !both, |check| both_full(check));
        let mode_2 = expanded.ty.blayout == BLayout::RowMajor;
        let wide = mode_2_cols(expanded.element());
        // Unknown valid columns do not distinguish the expanded operand from the full one.
        let fits = !mode_2 || expanded.cols.is_none() || expanded.ty.cols == wide;
        check.require(&MODE2_COLS, role, fits, |check| {
            format!("{} is declared {} columns wide, not {wide}", check.name(role), expanded.ty.cols)
        });
        self.check_scratch(check, role, mode_2);
    }
}

#[cfg(feature = "run")]
impl Compute for RowExpand {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let element = dst.ty.element;
        let role = role_of_live(reference, &dst, &src0, &src1);
        let spread = |tile: &Tile, j: usize| {
            if tile.ty.blayout == BLayout::ColMajor { 0 } else { j % mode_2_cols(element) as usize }
        };
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let a = reference.get(&src0, i, if role == 0 { spread(&src0, j) } else { j });
                let b = reference.get(&src1, i, if role == 1 { spread(&src1, j) } else { j });
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
        let missing = "the element type has no such operation";
        let right = binary_scalar(self.op, element).ok_or(missing)?;
        let left = scalar_binary(self.op, element).ok_or(missing)?;
        let both = binary(self.op, element).ok_or(missing)?;
        let bytes = element.bits() as usize / 8;
        let divides = divides(self.op, element);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [at0, at1] = state.unalias(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            // The full operand is row-major, so only a row-major `src1` requires a look at the valid regions.
            let first = src1.ty.blayout == BLayout::RowMajor && choose(state, &dst, &src0, &src1) == 0;
            let (expanded, from, full, base) =
                if first { (&src0, at0, &src1, at1) } else { (&src1, at1, &src0, at0) };
            let mode_1 = expanded.ty.blayout == BLayout::ColMajor;
            if divides {
                let width = if first {
                    live.cols
                } else if mode_1 {
                    1
                } else {
                    mode_2_cols(element).min(live.cols)
                };
                if let Some(fault) = first_zero(&src1, at1, state, live.rows, width) {
                    return Err(fault);
                }
            }
            if mode_1 && [&dst.layout, &full.layout].iter().all(|layout| layout.name == LayoutName::Nd) {
                let kernel = if first { left } else { right };
                let strides = [dst.layout.cols * bytes, full.layout.cols * bytes];
                in_batches(0..rows, |batch, scalars| {
                    state.first_column(expanded, from, batch.start, scalars);
                    let [dst_stride, src_stride] = strides;
                    let (dst, src) =
                        (live.address + batch.start * dst_stride, base + batch.start * src_stride);
                    let rows = Rows { dst, src, dst_stride, src_stride, count: cols };
                    kernel(state.memory, &rows, scalars);
                });
                return Ok(());
            }
            let memory = &mut *state.memory;
            for i in 0..rows {
                if mode_1 {
                    let value = get_element(memory, from, expanded.layout.offset(i, 0), element);
                    let kernel = if first { left } else { right };
                    row_run(&dst, full, i, cols, |_, d, s, count| {
                        let rows = Rows::one(live.address + d * bytes, base + s * bytes, count);
                        kernel(memory, &rows, &[value]);
                    });
                    continue;
                }
                let wide = mode_2_cols(element) as usize;
                let row = from + expanded.layout.offset(i, 0) * bytes;
                row_run(&dst, full, i, cols, |j, d, s, count| {
                    let row = row + j % wide * bytes;
                    for start in (0..count).step_by(wide) {
                        let (to, other) = (live.address + (d + start) * bytes, base + (s + start) * bytes);
                        let (a, b) = if first { (row, other) } else { (other, row) };
                        both(memory, to, a, b, wide.min(count - start));
                    }
                });
            }
            Ok(())
        }))
    }
}

/// Calls `run` for the runs of row `i` with the first column, the element offsets in destination and full operand,
/// and the length: the whole row, or single elements.
#[cfg(feature = "run")]
fn row_run(dst: &Tile, full: &Tile, i: usize, cols: usize, mut run: impl FnMut(usize, usize, usize, usize)) {
    if [&dst.layout, &full.layout].iter().all(|layout| layout.name == LayoutName::Nd) {
        return run(0, dst.layout.offset(i, 0), full.layout.offset(i, 0), cols);
    }
    for j in 0..cols {
        run(j, dst.layout.offset(i, j), full.layout.offset(i, j), 1);
    }
}

/// 0 if the first source is the expanded one according to the current valid regions, else 1.
#[cfg(feature = "run")]
fn choose(state: &State<'_>, dst: &Tile, src0: &Tile, src1: &Tile) -> usize {
    let (d, a, b) = (state.live(dst), state.live(src0), state.live(src1));
    let wide = mode_2_cols(dst.ty.element);
    let expanded = |tile: &Tile, live: Live| match tile.ty.blayout {
        BLayout::ColMajor => live.cols == 1,
        BLayout::RowMajor => live.cols == wide,
    };
    let full = |tile: &Tile, live: Live| {
        tile.ty.blayout == BLayout::RowMajor && (live.rows, live.cols) == (d.rows, d.cols)
    };
    (!(expanded(src0, a) && full(src1, b)) || (expanded(src1, b) && full(src0, a))) as usize
}

#[cfg(feature = "run")]
fn role_of_live(reference: &mut Reference<'_>, dst: &Tile, src0: &Tile, src1: &Tile) -> usize {
    choose(reference.state(), dst, src0, src1)
}

impl RowExpand {
    fn check_scratch(&self, check: &mut Check<'_>, role: &'static str, mode_2: bool) {
        let dst = check.tile("dst");
        if let Some(tmp) = check.site.tile("tmp") {
            let location = tmp.location();
            check.require(&TMP_LOCATION, "tmp", location == Location::Vec, |check| {
                format!("{} is a {} tile, not a vec tile", check.name("tmp"), location.word())
            });
            check.require(&TMP_MODE, role, !mode_2, |check| {
                format!("{} is row-major, which is mode 2; leave `tmp` out", check.name(role))
            });
            if let Some(rows) = dst.rows {
                let need = if rows < 256 { rows.div_ceil(8) as usize * 256 } else { 7680 };
                let have = tmp.ty.bytes();
                check.require(&TMP_SIZE, "tmp", have >= need, |check| {
                    format!("{} holds {have} bytes; {rows} valid rows need {need}", check.name("tmp"))
                });
            }
            return;
        }
        if mode_2 {
            return;
        }
        for role in ["src0", "src1", "dst"] {
            let tile = check.tile(role);
            let Some(address) = tile.address else { continue };
            let end = address + tile.ty.bytes() as u64;
            let clear = end <= TMP_WINDOW.start || address >= TMP_WINDOW.end;
            check.require(&RESERVED, role, clear, |check| {
                format!(
                    "{} lies at bytes {address} to {end} of UB; pass a `tmp` tile or move it",
                    check.name(role)
                )
            });
        }
    }
}
