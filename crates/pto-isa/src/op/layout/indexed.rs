//! TCONCAT with index tiles: an index states how many columns of each source a row of the result takes.

use super::tconcat::common_rules;
use crate::element::element_word;
use crate::op::common::{agree, valid_regions, vec_row_major};
use crate::op::effect::{Count, Effect, Extent};
use crate::op::picture::{Cells, Paint, Panel, Patch, Picture, arrow};
use crate::op::site::Check;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::element::Element,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, IndexUnit, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    crate::op::subtile::{SubTile, copy_subtile},
    pto_num::{get_element, set_element},
};

const SEED: &str = "seed TCONCAT, Indexed form";

pub(super) const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "The index tiles hold one integer type of 8, 16 or 32 bits.",
    "seed TCONCAT, Data Type Constraints",
)
.because("Both indices of a row are read in one format.")
.instead("Declare the index tiles with one integer type of 8, 16 or 32 bits.");
pub(super) const INDEX_SHAPE: Rule =
    Rule::new("index-shape", "The index tiles have one valid column and the destination's valid rows.", SEED)
        .because("Each row of the destination has one index for each source.")
        .instead("Declare index tiles with one valid column and the destination's valid rows.");
pub(super) const COUNT_SHAPE: Rule = Rule::new(
    "count-shape",
    "The tile of counts has one valid column and the destination's valid rows.",
    "docs/isa/TCONCAT.md; include/pto/npu/{a2a3,a5}/TConcat.hpp",
)
.because("Each row of the destination has one count.")
.instead("Declare the tile of counts with one valid column and the destination's valid rows.");
pub(super) const INDEX_RANGE: Rule =
    Rule::new("index-range", "An index names at most the valid columns of its source.", SEED)
        .because("The columns beyond the source's valid region are undefined.")
        .instead("Limit the index to the source's valid columns.");
pub(super) const INDEX_SIGN: Rule = Rule::new("index-sign", "An index is not negative.", SEED)
    .because("A device reads the negative number as a large unsigned one.")
    .instead("Pass indices of 0 or more.");
pub(super) const INDEX_UNIT: Rule = Rule::new(
    "index-unit",
    "An index counts bytes of index elements, so it is a multiple of their size.",
    "include/pto/npu/{a2a3,a5}/TConcat.hpp",
)
.because("A device divides by the element size and drops the remainder.")
.instead("Multiply the number of columns by the size of an index element.")
.lint();
pub(super) const INDEX_READING: Rule = Rule::new(
    "index-reading",
    "An index names the same columns whether it counts bytes of index elements, as devices read it, or columns, as the \
     page says.",
    "seed TCONCAT, Indexed form; include/pto/npu/{a2a3,a5}/TConcat.hpp",
)
.because("The devices' headers and the page differ, and so do their results.")
.instead("Say `--tconcat-index bytes` or `columns`, or use indices of 8 bits.")
.lint();
pub(super) const COUNT_RANGE: Rule = Rule::new(
    "count-range",
    "The number of columns of a row, in the unit of the indices, fits the index type.",
    SEED,
)
.because("A larger count would be stored without its upper bits.")
.instead("Use a wider index type, or fewer columns.");

/// Effects on the index tiles.
pub(super) const INDICES: [Effect; 2] =
    [Effect::reads("idx0").of(FIRST_OF_ROWS), Effect::reads("idx1").of(FIRST_OF_ROWS)];
/// Effect on the tile that receives the number of columns per row.
pub(super) const COUNT: Effect = Effect::writes("count").of(FIRST_OF_ROWS);

/// Effects of the forms with indices.
pub(super) const EFFECTS: &[Effect] = &[
    Effect::reads("src0").loosely(TAKEN),
    Effect::reads("src1").loosely(TAKEN),
    INDICES[0],
    INDICES[1],
    Effect::writes_parts("dst", TAKEN),
    COUNT,
];
const TAKEN: &str = "the indices give the number of columns that are taken of a row";
const FIRST_OF_ROWS: Extent = Extent::Rect(Count::Rows("dst"), Count::Fixed(1));

/// Rules of the forms with indices.
pub(super) const RULES: &[&Rule] = &[
    &INDEX_TYPE,
    &INDEX_SHAPE,
    &COUNT_SHAPE,
    &INDEX_RANGE,
    &INDEX_SIGN,
    &INDEX_UNIT,
    &INDEX_READING,
    &COUNT_RANGE,
];

/// A picture of rows that take different numbers of columns.
pub(super) const PICTURE: Picture = Picture::tiles(
    "indexed form: each row takes as many columns as the index tiles state",
    &[
        Panel::source(
            "src0",
            (3, 6),
            &[
                Patch::new((0, 0), (1, 2), Paint::First, "first n0 columns").with(Cells::Words(&["a0"])),
                Patch::new((1, 0), (1, 5), Paint::First, "").with(Cells::Words(&["a1"])),
                Patch::new((2, 0), (1, 3), Paint::First, "").with(Cells::Words(&["a2"])),
            ],
        )
        .in_part(),
        Panel::source(
            "src1",
            (3, 6),
            &[
                Patch::new((0, 0), (1, 4), Paint::Second, "first n1 columns").with(Cells::Words(&["b0"])),
                Patch::new((1, 0), (1, 3), Paint::Second, "").with(Cells::Words(&["b1"])),
                Patch::new((2, 0), (1, 3), Paint::Second, "").with(Cells::Words(&["b2"])),
            ],
        )
        .in_part(),
        Panel::source(
            "idx0",
            (3, 1),
            &[Patch::new((0, 0), (3, 1), Paint::Parameter, "bytes: n0 * 4")
                .with(Cells::Words(&["8", "20", "12"]))],
        ),
        Panel::source(
            "idx1",
            (3, 1),
            &[Patch::new((0, 0), (3, 1), Paint::Parameter, "bytes: n1 * 4")
                .with(Cells::Words(&["16", "12", "12"]))],
        ),
        Panel::destination(
            "dst",
            (3, 9),
            &[
                Patch::new((0, 0), (1, 2), Paint::First, "src0").with(Cells::Words(&["a0"])),
                Patch::new((0, 2), (1, 4), Paint::Second, "src1").with(Cells::Words(&["b0"])),
                Patch::new((1, 0), (1, 5), Paint::First, "").with(Cells::Words(&["a1"])),
                Patch::new((1, 5), (1, 3), Paint::Second, "").with(Cells::Words(&["b1"])),
                Patch::new((2, 0), (1, 3), Paint::First, "").with(Cells::Words(&["a2"])),
                Patch::new((2, 3), (1, 3), Paint::Second, "").with(Cells::Words(&["b2"])),
            ],
        )
        .kept(),
        Panel::destination(
            "count",
            (3, 1),
            &[Patch::new((0, 0), (3, 1), Paint::Result, "(n0 + n1) * 4")
                .with(Cells::Words(&["24", "32", "24"]))],
        ),
    ],
    &[arrow((0, 1), (4, 2)), arrow((1, 1), (4, 3))]).noted("An index counts bytes of its own type, here i32. The tile of counts belongs to the form with two destinations.");

/// The tiles of a concatenation by index, ready to run.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
struct IndexedConcat {
    dst: Tile,
    src: [Tile; 2],
    index: [Tile; 2],
    count: Option<Tile>,
}

/// The number of columns that a row takes of each source.
struct Row {
    take: [usize; 2],
}

/// The unit of an index: bytes per column, or 1 if indices count columns.
#[cfg(feature = "run")]
fn unit(element: Element, reading: IndexUnit) -> u64 {
    match reading {
        IndexUnit::Bytes => u64::from(element.bits() / 8).max(1),
        IndexUnit::Columns => 1,
    }
}

/// The columns that row `row` takes; `bits` are its indices.
#[cfg(feature = "run")]
fn row_of(
    operands: &IndexedConcat,
    row: usize,
    bits: [u64; 2],
    reading: IndexUnit,
    width: usize,
    limits: [usize; 2],
) -> Result<Row, Fault> {
    let mut take = [0; 2];
    let mut left = width;
    for at in 0..2 {
        let element = operands.index[at].ty.element;
        let value = element.decode_int(bits[at]);
        if value < 0 {
            return Err(Fault::Broken(&INDEX_SIGN, format!("`idx{at}` is {value} in row {row}")));
        }
        let (named, limit) = (value as u64 / unit(element, reading), limits[at]);
        if named > limit as u64 {
            let message = format!(
                "`idx{at}` names {named} columns in row {row}, but its source has {limit} valid columns"
            );
            return Err(Fault::Broken(&INDEX_RANGE, message));
        }
        take[at] = (named as usize).min(left);
        left -= take[at];
    }
    if let Some(count) = &operands.count {
        let value = (take[0] + take[1]) as u64 * unit(count.ty.element, reading);
        if i128::from(value) > count.ty.element.int_range().1 {
            let message =
                format!("row {row} has {value}, which does not fit {}", element_word(count.ty.element));
            return Err(Fault::Broken(&COUNT_RANGE, message));
        }
    }
    Ok(Row { take })
}

/// A lint on the indices of a row: an index that is not a multiple of the element size, or, without an explicit
/// unit, an index on which both units disagree.
#[cfg(feature = "run")]
fn lint_of(
    operands: &IndexedConcat,
    row: usize,
    bits: [u64; 2],
    given: Option<IndexUnit>,
    width: usize,
) -> Option<(&'static Rule, String)> {
    let reading = given.unwrap_or_default();
    for (at, value) in bits.into_iter().enumerate() {
        let size = unit(operands.index[at].ty.element, IndexUnit::Bytes);
        if reading == IndexUnit::Bytes && value % size != 0 {
            let message = format!("`idx{at}` is {value} in row {row}, which is not a multiple of {size}");
            return Some((&INDEX_UNIT, message));
        }
        let wide = width as u64;
        if given.is_none() && value.min(wide) != (value / size).min(wide) {
            let message = format!(
                "`idx{at}` is {value} in row {row}: {} columns as bytes of {size} per column, {value} as columns",
                value / size
            );
            return Some((&INDEX_READING, message));
        }
    }
    None
}

/// Checks the rules of the forms with indices.
pub(super) fn check(check: &mut Check<'_>) {
    common_rules(check);
    let dst = check.tile("dst");
    let first = check.tile("idx0").element();
    for role in ["idx0", "idx1", "count"] {
        if check.site.operand(role).is_none() {
            continue;
        }
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
        let rule = if role == "count" { &COUNT_SHAPE } else { &INDEX_SHAPE };
        check.require(rule, role, shape, |check| valid_regions(check, role, "dst"));
    }
}

#[cfg(feature = "run")]
fn operands(prepare: &Prepare<'_>) -> Result<IndexedConcat, String> {
    Ok(IndexedConcat {
        dst: prepare.tile("dst")?,
        src: [prepare.tile("src0")?, prepare.tile("src1")?],
        index: [prepare.tile("idx0")?, prepare.tile("idx1")?],
        count: prepare.tile_if("count"),
    })
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let operands = operands(reference.prepare()).map_err(Fault::Other)?;
    let IndexedConcat { dst, src, index, count } = operands;
    let Size { rows, cols: width } = reference.valid(&dst);
    let limits = src.map(|src| reference.valid(&src).cols);
    let reading = reference.state().index_unit.unwrap_or_default();
    for pass in 0..2 {
        for i in 0..rows {
            let bits = index.map(|index| reference.get(&index, i, 0));
            let Row { take } = row_of(&operands, i, bits, reading, width, limits)?;
            // The first pass checks all rows; nothing is written before all are legal.
            if pass == 0 {
                continue;
            }
            for j in 0..take[0] {
                let value = reference.get(&src[0], i, j);
                reference.set(&dst, i, j, value);
            }
            for j in 0..take[1] {
                let value = reference.get(&src[1], i, j);
                reference.set(&dst, i, take[0] + j, value);
            }
            if let Some(count) = &count {
                let value = (take[0] + take[1]) as u64 * unit(count.ty.element, reading);
                reference.set(count, i, 0, value);
            }
        }
    }
    Ok(())
}

#[cfg(feature = "run")]
impl IndexedConcat {
    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let IndexedConcat { dst, src, index, count } = self;
        let live = state.live(dst);
        let (rows, width) = (live.rows as usize, live.cols as usize);
        let limits = src.map(|src| state.live(&src).cols as usize);
        let bits = |state: &State<'_>, at: [usize; 2], i: usize| {
            [0, 1].map(|k: usize| {
                get_element(state.memory, at[k], index[k].layout.offset(i, 0), index[k].ty.element)
            })
        };
        let reading = state.index_unit.unwrap_or_default();
        let places = index.map(|index| state.live(&index).address);
        for i in 0..rows {
            let bits = bits(state, places, i);
            row_of(self, i, bits, reading, width, limits)?;
            if state.lint.is_none() {
                state.lint = lint_of(self, i, bits, state.index_unit, width);
            }
        }
        let target = live.address..live.address + dst.bytes();
        let counts = count.map_or(0..0, |count| {
            let at = state.live(&count).address;
            at..at + count.bytes()
        });
        let mut free = state.spare.start;
        let written = [target, counts.clone()];
        let mut keep = |tile: Tile| {
            let address = state.live(&tile).address;
            state.kept(address, tile.bytes(), &written, &mut free)
        };
        let (from, places) = (src.map(&mut keep), index.map(&mut keep));
        for i in 0..rows {
            let Row { take } = row_of(self, i, bits(state, places, i), reading, width, limits)?;
            let row = |col: usize| Position { row: i, col };
            for (at, first) in [(0, 0), (1, take[0])] {
                let (to, source) =
                    (SubTile::new(dst, live.address, row(first)), SubTile::new(&src[at], from[at], row(0)));
                copy_subtile(state.memory, &to, &source, 1, take[at]);
            }
            if let Some(count) = count {
                let (element, offset) = (count.ty.element, count.layout.offset(i, 0));
                let value = (take[0] + take[1]) as u64 * unit(element, reading);
                set_element(state.memory, counts.start, offset, element, value);
            }
        }
        Ok(())
    }
}

/// The instruction, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let operands = operands(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| operands.run(state)))
}
