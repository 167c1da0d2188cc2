//! Index of the first extreme of each row or column; a NaN is the extreme.

use super::pictures;
use crate::diag::Severity;
use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::element::{Element, element_word};
use crate::op::common::{ELEMENT, Types, VEC, agree, element_type, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::workspace::{TMP_ROOM, TMP_TYPE};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::NPU;
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{BLayout, SLayout};
use pto_num::ReduceOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::reduce::row_arg,
    pto_kernels::{Placement, copy_matrix},
    pto_num::set_element,
};

pub(super) static TCOLARGMAX: ArgReduce = arg(
    "tcolargmax",
    ReduceOp::Max,
    Along::Column,
    "Finds the index of the largest element of each column, and optionally the element.",
    "dst[0, j] = first i where src[i, j] is the largest of column j",
    "docs/isa/tile/ops/reduce-and-expand/tcolargmax.md",
);

pub(super) static TCOLARGMIN: ArgReduce = arg(
    "tcolargmin",
    ReduceOp::Min,
    Along::Column,
    "Finds the index of the smallest element of each column, and optionally the element.",
    "dst[0, j] = first i where src[i, j] is the smallest of column j",
    "docs/isa/tile/ops/reduce-and-expand/tcolargmin.md",
);

pub(super) static TROWARGMAX: ArgReduce = arg(
    "trowargmax",
    ReduceOp::Max,
    Along::Row,
    "Finds the index of the largest element of each row, and optionally the element.",
    "dst[i, 0] = first j where src[i, j] is the largest of row i",
    "docs/isa/TROWARGMAX.md",
);

pub(super) static TROWARGMIN: ArgReduce = arg(
    "trowargmin",
    ReduceOp::Min,
    Along::Row,
    "Finds the index of the smallest element of each row, and optionally the element.",
    "dst[i, 0] = first j where src[i, j] is the smallest of row i",
    "docs/isa/TROWARGMIN.md",
);

const INDEX_TYPE: Rule = Rule::new(
    "index-type",
    "The index tile holds i32 or ui32. With returned values of 2 bytes, TCOLARG* takes i16 or ui16 instead, and TROWARG* \
     takes all four.",
    "docs/isa/TCOLARGMAX.md, TROWARGMAX.md; include/pto/npu/{a2a3,a5}/TColReduceIdx.hpp, TRowReduceIdx.hpp",
)
.because("The device writes values and indices of a column with one element size.")
.instead("Declare the index tile with the type that the message names.")
.weighing(ERROR_OR_NPU_EXTENSION);
const SOURCE_LAYOUT: Rule = Rule::new(
    "source-layout",
    "The source has no boxes and is stored in rows; for TCOLARG*, in rows or columns.",
    "docs/isa/TCOLARGMAX.md, TROWARGMAX.md, Constraints",
)
.because("The vector unit steps through the source at a constant stride.")
.instead("Declare the source with `slayout=none_box`.")
.only(NPU);
const OUTPUT_LAYOUT: Rule = Rule::new(
    "destination-layout",
    "Outputs have no boxes and are stored in rows. For TROWARG*, they have one valid column, or are a column-major column.",
    "docs/isa/TCOLARGMAX.md, TROWARGMAX.md, Constraints",
)
.because("The device writes a result for each row (column) at a constant stride.")
.instead("Declare the output as the message requires.")
.only(NPU);
const VALUE_TYPE: Rule = Rule::new(
    "value-type",
    "The value tile has the element type of the source.",
    "docs/isa/tile/ops/reduce-and-expand",
)
.because("The extremum is an element of the source.")
.instead("Declare the value tile with the source's element type.");
const EXTENT: Rule = Rule::new(
    "valid-region",
    "Each destination has one valid element for each row (column) of the source.",
    "docs/isa/tile/ops/reduce-and-expand",
)
.because("Each row (column) has one extremum.")
.instead("Give the destination the source's valid rows and one column, or one row and its columns.");
/// The direction in which elements are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// Along each row; the index is a column.
    Row,
    /// Along each column; the index is a row.
    Column,
}

/// A search for the index of the extreme, and optionally the extreme itself.
pub(super) struct ArgReduce {
    page: Page,
    op: ReduceOp,
    along: Along,
    types: Types,
}

/// Effects: one value and one index per row, in the first column.
const ROW_EFFECTS: [Effect; 4] = found(Extent::Rect(Count::Rows("src"), Count::Fixed(1)));
/// Effects: one value and one index per column, in the first row.
const COLUMN_EFFECTS: [Effect; 4] = found(Extent::Rect(Count::Fixed(1), Count::Cols("src")));

const fn found(extent: Extent) -> [Effect; 4] {
    [
        Effect::reads("src"),
        Effect::workspace("tmp"),
        Effect::writes("value").of(extent),
        Effect::writes("dst").of(extent),
    ]
}

const ROW_A2A3: &[Element] = &[F16, F32, I32, I16];
const ROW_A5: &[Element] = &[F16, Bf16, I16, U16, F32, I32, U32];
const COLUMN_A2A3: &[Element] = &[F16, F32, U16, U32];
const COLUMN_A5: &[Element] = &[I8, U8, I16, U16, I32, U32, F16, F32];

/// An instruction that finds extremes.
const fn arg(
    name: &'static str,
    op: ReduceOp,
    along: Along,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> ArgReduce {
    let types = match along {
        Along::Row => Types { a2a3: ROW_A2A3, a5: ROW_A5, a2a3_header: &[], a5_header: &[] },
        Along::Column => Types { a2a3: COLUMN_A2A3, a5: COLUMN_A5, a2a3_header: &[], a5_header: &[] },
    };
    let syntax = Syntax::Destination(&[
        form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
        form!(ins(src: Tile) outs(dst: Tile)),
        form!(ins(src: Tile, tmp: Tile) outs(value: Tile, dst: Tile)),
        form!(ins(src: Tile) outs(value: Tile, dst: Tile)),
    ]);
    let effects: &[Effect] = match along {
        Along::Row => &ROW_EFFECTS,
        Along::Column => &COLUMN_EFFECTS,
    };
    let rules: &[&'static Rule] = &[
        &VEC,
        &ELEMENT,
        &INDEX_TYPE,
        &SOURCE_LAYOUT,
        &OUTPUT_LAYOUT,
        &VALUE_TYPE,
        &EXTENT,
        &TMP_TYPE,
        &TMP_ROOM,
    ];
    let pictures = match (along, op) {
        (Along::Row, ReduceOp::Max) => pictures::ROW_ARGMAX,
        (Along::Row, _) => pictures::ROW_ARGMIN,
        (Along::Column, ReduceOp::Max) => pictures::COLUMN_ARGMAX,
        (Along::Column, _) => pictures::COLUMN_ARGMIN,
    };
    let (aliases, set) = (&[], Set::Reduce);
    let page = Page {
        name,
        aliases,
        set,
        summary,
        formula,
        source,
        syntax,
        attributes: &[],
        rules,
        cost: cost::ROW_REDUCTION,
        effects,
        pictures,
        origin: Some(Origin::WRITTEN),
    };
    ArgReduce { page, op, along, types }
}

/// The number of extremes, and the number of elements searched for each.
fn counts(along: Along, rows: u32, cols: u32) -> (usize, usize) {
    match along {
        Along::Row => (rows as usize, cols as usize),
        Along::Column => (cols as usize, rows as usize),
    }
}

/// The offset of element `place` of line `line` in a tile, in elements.
#[cfg(feature = "run")]
fn offset(along: Along, tile: &Tile, line: usize, place: usize) -> usize {
    match along {
        Along::Row => tile.layout.offset(line, place),
        Along::Column => tile.layout.offset(place, line),
    }
}

impl Instruction for ArgReduce {
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
        vec(check, "src");
        vec(check, "dst");
        element_type(check, "src", &self.types, &|element| ReduceOp::Max.applies_to(element));
        let src = check.tile("src");
        self.index_type(check);
        self.layouts(check);
        let roles: &[&str] = if check.site.tile("value").is_some() { &["dst", "value"] } else { &["dst"] };
        for role in roles {
            let found = check.tile(role);
            let fits = match self.along {
                Along::Row => agree(src.rows, found.rows),
                Along::Column => agree(src.cols, found.cols),
            };
            check.require(&EXTENT, role, fits, |check| {
                let (have, source) = (found.valid_text(), src.valid_text());
                format!("{} has {source} valid elements, {} {have}", check.name("src"), check.name(role))
            });
        }
        if let Some(value) = check.site.tile("value") {
            vec(check, "value");
            let (a, b) = (value.element(), src.element());
            check.require(&VALUE_TYPE, "value", a == b, |check| {
                let (a, b) = (element_word(a), element_word(b));
                format!("{} holds {a}, {} {b}", check.name("value"), check.name("src"))
            });
        }
    }
}

impl ArgReduce {
    /// Checks the type of the index, and that the source has a size for which the device returns values.
    fn index_type(&self, check: &mut Check<'_>) {
        let (src, index) = (check.tile("src").element(), check.tile("dst").element());
        let bytes = src.bits() / 8;
        let with_value = check.site.tile("value").is_some();
        check.require(&ELEMENT, "src", !with_value || bytes != 1, |check| {
            let name = check.site.instruction.page().name;
            format!("`{name}` returns no values of {}, which take 1 byte", element_word(src))
        });
        let is_word = matches!(index, Element::I32 | Element::U32);
        let is_half = matches!(index, Element::I16 | Element::U16) && with_value && bytes == 2;
        let (weight, holds, want) = match (self.along, is_half) {
            (Along::Column, _) if with_value && bytes == 2 => (Severity::Error, is_half, "i16 or ui16"),
            (Along::Row, true) if check.profile().is_device() => {
                (Severity::Extension, false, "i32 or ui32; only header and device tests have 16 bits")
            }
            (Along::Row, true) => (Severity::Error, true, ""),
            _ => (Severity::Error, is_word, "i32 or ui32"),
        };
        check.judge(weight, &INDEX_TYPE, "dst", holds, |check| {
            format!("{} holds {}, not {want}", check.name("dst"), element_word(index))
        });
    }

    /// Checks the layouts of source and outputs.
    fn layouts(&self, check: &mut Check<'_>) {
        let shown = |check: &Check<'_>, role: &str| {
            let ty = check.tile(role).ty;
            format!("{} is {} with {}", check.name(role), ty.blayout.word(), ty.slayout.word())
        };
        let ty = check.tile("src").ty;
        let stored = self.along == Along::Column || ty.blayout == BLayout::RowMajor;
        let plain = ty.slayout == SLayout::NoneBox;
        check.require(&SOURCE_LAYOUT, "src", plain && stored, |check| shown(check, "src"));
        for role in ["dst", "value"] {
            let Some(found) = check.site.tile(role) else { continue };
            let in_rows = found.ty.blayout == BLayout::RowMajor;
            let stored = match self.along {
                Along::Column => in_rows,
                Along::Row if in_rows => found.cols.is_none_or(|cols| cols == 1),
                Along::Row => found.ty.cols == 1,
            };
            let plain = found.ty.slayout == SLayout::NoneBox;
            check.require(&OUTPUT_LAYOUT, role, plain && stored, |check| {
                let want = match self.along {
                    Along::Column => "must be stored in rows",
                    Along::Row => "must be stored in rows with one valid column, or be a column-major column",
                };
                format!("{}, has {} valid elements, and {want}", shown(check, role), found.valid_text())
            });
        }
    }
}

#[cfg(feature = "run")]
impl Compute for ArgReduce {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src, value) = (reference.tile("dst"), reference.tile("src"), reference.tile_if("value"));
        let element = src.ty.element;
        let Size { rows, cols } = reference.valid(&src);
        let (lines, length) = counts(self.along, rows as u32, cols as u32);
        let at =
            |line: usize, place: usize| if self.along == Along::Row { (line, place) } else { (place, line) };
        for line in 0..lines {
            let read = |place: usize| {
                let (row, col) = at(line, place);
                reference.get(&src, row, col)
            };
            let best = (1..length).fold(0, |best, place| {
                if wins(self.op, element, read(place), read(best)) { place } else { best }
            });
            let extreme = read(best);
            let (row, col) = at(line, 0);
            reference.set(&dst, row, col, best as u64);
            if let Some(value) = &value {
                let nan = element.is_float() && element.decode(extreme).is_nan();
                let canonical = if nan { element.nan().unwrap_or(extreme) } else { extreme };
                reference.set(value, row, col, canonical);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src, value) = (prepare.tile("dst")?, prepare.tile("src")?, prepare.tile_if("value"));
        let element = src.ty.element;
        let kernel = row_arg(self.op, element).ok_or("the element type has no such reduction")?;
        let along = self.along;
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.unalias(&dst, [&src]);
            let (live, source) = (state.live(&dst), state.live(&src));
            let values = value.map(|value| state.live(&value).address);
            let (lines, length) = counts(along, source.rows, source.cols);
            let memory = &mut *state.memory;
            // The end of spare memory is used: `unalias` may have copied the source to its start.
            let spare = (state.spare.end - element.bytes(lines * length)) / 64 * 64;
            let placed = src.layout.placement(from);
            // Lines that are not contiguous are copied to contiguous lines for the kernel.
            let whole = Placement::rows(spare, length);
            let source_in_lines = match along {
                Along::Row => placed,
                Along::Column => placed.transposed(),
            };
            let side_by_side = along == Along::Row && src.layout.name == LayoutName::Nd;
            if !side_by_side {
                copy_matrix(memory, &whole, &source_in_lines, lines, length, element.bits());
            }
            for line in 0..lines {
                let at = if side_by_side {
                    from + element.bytes(src.layout.offset(line, 0))
                } else {
                    spare + element.bytes(line * length)
                };
                let (place, extreme) = kernel(memory, at, length);
                set_element(memory, live.address, offset(along, &dst, line, 0), dst.ty.element, place as u64);
                if let (Some(value), Some(address)) = (&value, values) {
                    set_element(memory, address, offset(along, value, line, 0), element, extreme);
                }
            }
            Ok(())
        }))
    }
}

/// Whether a later element replaces the best one so far.
fn wins(op: ReduceOp, element: Element, new: u64, best: u64) -> bool {
    if element.is_integer() {
        let (new, best) = (element.decode_int(new), element.decode_int(best));
        return if op == ReduceOp::Max { new > best } else { new < best };
    }
    let (new, best) = (element.decode(new), element.decode(best));
    if best.is_nan() || new.is_nan() {
        return !best.is_nan();
    }
    // -0 is less than +0.
    let order = new.total_cmp(&best);
    if op == ReduceOp::Max { order.is_gt() } else { order.is_lt() }
}
