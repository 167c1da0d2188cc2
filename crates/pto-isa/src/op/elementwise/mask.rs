//! Selections through masks. A mask has one bit per element, least significant bit first; every row starts at a new
//! byte, and the row stride is that of the mask tile.

use crate::op::common::{
    ELEMENT, ROW_MAJOR, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec,
    vec_row_major,
};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::Syntax;
use crate::op::site::{Check, Site};
use crate::op::workspace::TMP_TYPE;
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{NPU, PerProfile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::mask::{Lines, Operand, choice},
    pto_num::{get_element, set_element},
};

const MASK: Rule = Rule::new(
    "mask",
    "The mask holds integers of 8 bits, for TSELS also of 16 or 32, in rows with a bit for each column.",
    "docs/isa/tile/ops/elementwise-tile-tile/tsel.md",
)
.because("The device packs eight columns into a byte of the mask.")
.instead("Declare an 8-bit integer mask in rows, with at least ceil(columns / 8) columns.");
pub(super) const VALID: Rule = Rule::new(
    "valid-region",
    "The valid region of the source covers the elements that are compared or selected.",
    "docs/isa/tile/ops/elementwise-tile-tile/tcmp.md",
)
.because("Elements outside of the valid region are undefined and would enter the result.")
.instead("Give the source a valid region that covers the destination's.");
const SIZE: Rule = Rule::new(
    "element-size",
    "Elements take 2 or 4 bytes on A2/A3; also 1 or 8 on A5.",
    "docs/isa/tile/ops/elementwise-tile-tile/tsel.md",
)
.because("The device selects and compares elements of these sizes only.")
.instead("Convert with TCVT to a wider or narrower element type.")
.only(NPU);

/// Checks a mask tile: bytes, or integers of at most `most` bits. Bit packing does not depend on the element type.
fn check_mask(check: &mut Check<'_>, role: &str, cols: Option<u32>, most: u32) {
    vec(check, role);
    let mask = check.tile(role);
    let bits = mask.element().bits();
    let packed = mask.element().is_integer() && bits <= most;
    let rows = mask.ty.layout().box_cols == 1 && mask.ty.blayout == crate::BLayout::RowMajor;
    let wide = cols.is_none_or(|cols| u64::from(mask.ty.cols) * u64::from(bits) >= u64::from(cols));
    check.require(&MASK, role, packed && rows && wide, |check| {
        let columns = cols.map_or("?".to_owned(), |cols| cols.to_string());
        format!("{} is {}; it must hold {columns} bits in each row", check.name(role), mask.ty.brief())
    });
}

/// Whether all tiles are row-major, as the kernels require.
#[cfg(feature = "run")]
pub(super) fn are_rows(tiles: &[&Tile]) -> bool {
    tiles.iter().all(|tile| tile.layout.name == LayoutName::Nd)
}

/// The rows of a tile that starts at byte `at`.
#[cfg(feature = "run")]
pub(super) fn lines(tile: &Tile, at: usize) -> Lines {
    Lines { start: at, stride: tile.ty.element.bytes(tile.layout.cols) }
}

/// The second operand: a tile at byte `at`, or a scalar.
#[cfg(feature = "run")]
pub(super) fn operand(tile: Option<&Tile>, at: usize, scalar: Option<u64>) -> Operand {
    tile.map_or(Operand::Scalar(scalar.unwrap_or(0)), |tile| Operand::Lines(lines(tile, at)))
}

const SELECTED: &[Effect] = &[
    Effect::reads("mask").of(Extent::Bits("dst")),
    Effect::reads("src"),
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::workspace("tmp"),
    Effect::writes("dst"),
];

/// `dst[i, j] = mask bit ? a[i, j] : b`; `b` is a tile or a scalar.
pub(in crate::op) struct Select {
    page: Page,
    first: &'static str,
    second: Option<&'static str>,
    types: Option<Types>,
}

/// A selection between the tile in a role and a second tile or the role `scalar`; `types` limits the element
/// types, if given.
pub(in crate::op) const fn select(
    name: &'static str,
    set: Set,
    source: &'static str,
    syntax: Syntax,
    first: &'static str,
    second: Option<&'static str>,
    types: Option<Types>,
) -> Select {
    let summary = "Selects each element from one of two sources by a mask.";
    let formula = "dst[i, j] = bit j of row i of mask ? src0[i, j] : src1[i, j]";
    // TSELS stores its scalar in the workspace, for every element type.
    let rules: &[&'static Rule] = match second {
        Some(_) => &[&VEC, &ROW_MAJOR, &SAME_TYPE, &MASK, &VALID, &SIZE, &TMP_TYPE],
        None => &[&VEC, &ROW_MAJOR, &SAME_TYPE, &MASK, &VALID, &SIZE, &ELEMENT],
    };
    let page = Page::of(set, name, summary, formula, source, syntax, rules)
        .costing(cost::SELECTION)
        .touching(SELECTED);
    Select { page, first, second, types }
}

impl Instruction for Select {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        let dst = check.tile("dst");
        vec_row_major(check, "dst");
        for role in std::iter::once(self.first).chain(self.second) {
            vec_row_major(check, role);
            same_type(check, role, "dst");
            let source = check.tile(role);
            check.require(
                &VALID,
                role,
                agree(source.rows, dst.rows) && agree(source.cols, dst.cols),
                |check| valid_regions(check, role, "dst"),
            );
        }
        // The page of TSELS names no mask type, and its device tests use masks wider than 8 bits.
        let most = if self.second.is_none() { 32 } else { 8 };
        check_mask(check, "mask", dst.cols, most);
        let bits = dst.element().value_bits();
        let fits = PerProfile::a2a3_or(matches!(bits, 16 | 32), bits >= 8).of(check.profile());
        check.require(&SIZE, "dst", fits, |check| {
            format!("the elements of {} take {bits} bits", check.name("dst"))
        });
        if let Some(types) = &self.types {
            element_type(check, "dst", types, &|element| element.bits() >= 8);
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Select {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, mask, first) = (reference.tile("dst"), reference.tile("mask"), reference.tile(self.first));
        let second = self.second.map(|role| reference.tile(role));
        let scalar = second.is_none().then(|| reference.scalar("scalar", dst.ty.element));
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let bits = mask.ty.element.bits() as usize;
                let bit = reference.get(&mask, i, j / bits) >> (j % bits) & 1;
                let value = match (bit, second) {
                    (1, _) => reference.get(&first, i, j),
                    (_, Some(tile)) => reference.get(&tile, i, j),
                    (_, None) => scalar.unwrap_or(0),
                };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, mask, first) = (prepare.tile("dst")?, prepare.tile("mask")?, prepare.tile(self.first)?);
        let second = self.second.map(|role| prepare.tile(role)).transpose()?;
        let scalar = if second.is_none() { Some(prepare.scalar("scalar")?) } else { None };
        let element = dst.ty.element;
        let in_rows = are_rows(&[&dst, &mask, &first, &second.unwrap_or(first)]);
        let kernel = if in_rows { choice(element.bits()) } else { None };
        Ok(Box::new(move |state: &mut State<'_>| {
            let [at_a, at_b, mut at_mask] = state.unalias(&dst, [&first, &second.unwrap_or(first), &mask]);
            let live = state.live(&dst);
            // Mask bits have other offsets than the destination elements, so a mask that aliases the destination
            // is copied first.
            if at_mask == live.address {
                at_mask = state.copy_aside(at_mask, mask.bytes());
            }
            let scalar = scalar.map(|(slot, ty)| scalar_bits(state.scalars[slot], ty, element));
            if (live.cols as usize).div_ceil(8) > mask.ty.element.bytes(mask.cols())
                || live.rows as usize > mask.rows()
            {
                return Err(Fault::Rule);
            }
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            if let Some(kernel) = kernel {
                let (to, bits, a) = (lines(&dst, live.address), lines(&mask, at_mask), lines(&first, at_a));
                let b = operand(second.as_ref(), at_b, scalar);
                kernel(state.memory, to, bits, a, &b, [rows, cols]);
                return Ok(());
            }
            for i in 0..rows {
                for j in 0..cols {
                    let byte = mask.ty.element.bytes(mask.layout.offset(i, 0)) + j / 8;
                    let value = match (state.memory[at_mask + byte] >> (j % 8) & 1, &second) {
                        (1, _) => get_element(state.memory, at_a, first.layout.offset(i, j), element),
                        (_, Some(tile)) => get_element(state.memory, at_b, tile.layout.offset(i, j), element),
                        (_, None) => scalar.unwrap_or(0),
                    };
                    set_element(state.memory, live.address, dst.layout.offset(i, j), element, value);
                }
            }
            Ok(())
        }))
    }
}
