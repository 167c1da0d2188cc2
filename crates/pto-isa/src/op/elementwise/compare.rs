//! Comparisons: one bit per element, least significant bit first; every row starts at a new byte, and the row stride is
//! that of the mask tile. They follow IEEE: NaN equals nothing.

use super::mask::VALID;
#[cfg(feature = "run")]
use super::mask::{are_rows, lines, operand};
use crate::BLayout;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::common::{
    ELEMENT, ROW_MAJOR, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions, vec,
    vec_row_major,
};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::Syntax;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, PerProfile, Profile};
use crate::rule::Rule;
use pto_num::Relation;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::mask::compare as compare_bits,
    pto_num::get_element,
};

const PAGES: &str = "docs/isa/tile/ops/elementwise-tile-tile/tcmp.md";

const INTEGER_MODE: Rule = Rule::new(
    "int32-mode",
    "On i32 the comparison is eq: the device ignores the mode and compares for equality.",
    PAGES,
)
.because("The result would be that of `eq`.")
.instead("Write `eq`, or compare as f32 after TCVT where 24 bits are enough.")
.only(A2A3_ONLY);
const WRITTEN_MASK: Rule = Rule::new(
    "mask",
    "The mask is stored in rows, with a bit for each valid column and a row for each valid row of the source.",
    PAGES,
)
.because("The device packs eight columns into a byte of the mask and writes one row of bits for each row.")
.instead("Declare a ui8 mask in rows, with at least ceil(columns / 8) columns and the source's rows.");
const MASK_TYPE: Rule = Rule::new(
    "mask-type",
    "The mask holds 8-bit integers; on A5 also ui32.",
    "docs/isa/TCMP.md, docs/isa/TCMPS.md, Constraints",
)
.because("The pages name no other mask type; the headers take any.")
.instead("Declare the mask as ui8.")
.weighing(&[(Severity::Extension, NPU)])
.only(NPU);
const MASK_ROWS: Rule = Rule::new(
    "mask-rows",
    "The mask has the valid rows of the source.",
    "docs/isa/TCMP.md, docs/isa/TCMPS.md; include/pto/npu/{a2a3,a5}/TCmp*.hpp",
)
.because("The header asserts equal valid rows.")
.instead("Give the mask the source's valid rows.")
.only(NPU);
/// The attribute that selects the comparison of two elements.
const COMPARISON: AttributeSpec = AttributeSpec::words(
    "cmpMode",
    "cmp",
    &["eq", "ne", "lt", "le", "gt", "ge"],
    "The comparison; lower or upper case.",
)
.any_case()
.or_word("eq");

/// The relation for the word of a mode; `None` for an unknown word.
fn relation_word(word: &str) -> Option<Relation> {
    Some(match word.to_ascii_lowercase().as_str() {
        "eq" => Relation::Eq,
        "ne" => Relation::Ne,
        "lt" => Relation::Lt,
        "le" => Relation::Le,
        "gt" => Relation::Gt,
        "ge" => Relation::Ge,
        _ => return None,
    })
}

/// The relation of a use.
fn relation_of(site: &Site<'_>) -> Option<Relation> {
    relation_word(site.word_or_default(COMPARISON.name)?)
}

const COMPARED: &[Effect] =
    &[Effect::reads("src0"), Effect::reads("src1"), Effect::writes("dst").of(Extent::Bits("src0"))];

const COMPARED_WITH_ONE: &[Effect] = &[
    Effect::reads("src"),
    Effect::reads("src1").of(Extent::Rect(Count::Fixed(1), Count::Fixed(1))),
    Effect::writes("dst").of(Extent::Bits("src")),
];

/// The second operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::op) enum Second {
    /// The elements of the tile in role `src1`.
    Elements,
    /// One value: the scalar, or element 0,0 of the tile in role `src1`.
    One,
}

/// `dst[i, j] = a[i, j] relation b`, one bit per element.
pub(in crate::op) struct Compare {
    page: Page,
    first: &'static str,
    second: Second,
    types: Types,
}

/// A comparison of the tile in role `first`.
pub(in crate::op) const fn compare(
    name: &'static str,
    set: Set,
    source: &'static str,
    syntax: Syntax,
    first: &'static str,
    second: Second,
    a2a3: &'static [Element],
) -> Compare {
    let summary = "Compares element by element and packs the results, one bit per element.";
    let (formula, effects, rules): (_, _, &[&'static Rule]) = match second {
        Second::Elements => (
            "bit j of row i of dst = (src0[i, j] cmpMode src1[i, j])",
            COMPARED,
            &[
                &VEC,
                &ROW_MAJOR,
                &SAME_TYPE,
                &ELEMENT,
                &INTEGER_MODE,
                &WRITTEN_MASK,
                &MASK_TYPE,
                &MASK_ROWS,
                &VALID,
            ],
        ),
        Second::One => (
            "bit j of row i of dst = (src[i, j] cmpMode scalar); of a tile in place of the scalar, element (0, 0)",
            COMPARED_WITH_ONE,
            &[&VEC, &ROW_MAJOR, &SAME_TYPE, &ELEMENT, &INTEGER_MODE, &WRITTEN_MASK, &MASK_TYPE, &MASK_ROWS],
        ),
    };
    let page = Page::of(set, name, summary, formula, source, syntax, rules)
        .with(&[COMPARISON])
        .costing(cost::SELECTION)
        .touching(effects);
    let types = Types { a2a3, a5: COMPARED_A5, a2a3_header: &[], a5_header: &[] };
    Compare { page, first, second, types }
}

/// Element types of comparisons on A5.
const COMPARED_A5: &[Element] = {
    use Element::*;
    &[I8, U8, I16, U16, I32, U32, I64, U64, F16, Bf16, F32]
};

impl Compare {
    /// Checks the tile in role `src1`, if the use has one.
    fn check_second(&self, check: &mut Check<'_>) {
        let (first, Some(other)) = (check.tile(self.first), check.site.tile("src1")) else { return };
        same_type(check, "src1", self.first);
        if self.second == Second::One {
            vec(check, "src1");
            let wide = first.element().bits() == 64 && A5_ONLY.contains(&check.profile());
            check.require(&ELEMENT, "src1", !wide, |check| {
                format!(
                    "`tcmps` compares 64-bit elements with all elements of {} on a5, not with its first one",
                    check.name("src1")
                )
            });
            return;
        }
        vec_row_major(check, "src1");
        let same = agree(first.rows, other.rows) && agree(first.cols, other.cols);
        check.require(&VALID, "src1", same, |check| valid_regions(check, self.first, "src1"));
    }
}

impl Instruction for Compare {
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
        let first = check.tile(self.first);
        vec_row_major(check, self.first);
        self.check_second(check);
        element_type(check, self.first, &self.types, &|_| true);
        let both = PerProfile::new(false, true, self.second == Second::One);
        check_written_mask(check, self.first, both.of(check.profile()));
        let relation = relation_of(check.site);
        let device = first.element() != Element::I32 || relation == Some(Relation::Eq);
        check.require(&INTEGER_MODE, self.first, device, |check| {
            format!("{} holds i32; a2a3 would compare for equality", check.name(self.first))
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Compare {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, first) = (reference.tile("dst"), reference.tile(self.first));
        let element = first.ty.element;
        let second = reference.tile_if("src1");
        let scalar = second.is_none().then(|| reference.scalar("scalar", element));
        let relation = relation_of(reference.prepare().site).unwrap_or(Relation::Eq);
        let Size { rows, cols } = reference.valid(&first);
        for i in 0..rows {
            for byte in 0..cols.div_ceil(8) {
                let mut bits = 0u8;
                for j in byte * 8..(byte * 8 + 8).min(cols) {
                    let (row, col) = if self.second == Second::One { (0, 0) } else { (i, j) };
                    let b = second.map_or(scalar.unwrap_or(0), |tile| reference.get(&tile, row, col));
                    let holds = relation.holds(element, reference.get(&first, i, j), b);
                    bits |= u8::from(holds) << (j % 8);
                }
                let row = dst.ty.element.bytes(dst.layout.offset(i, 0));
                reference.set_byte(&dst, row + byte, bits);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, first) = (prepare.tile("dst")?, prepare.tile(self.first)?);
        let tile = prepare.tile_if("src1");
        let scalar = if tile.is_none() { Some(prepare.scalar("scalar")?) } else { None };
        let second = tile.filter(|_| self.second == Second::Elements);
        let element = first.ty.element;
        let relation = relation_of(prepare.site).ok_or("the comparison is unknown")?;
        let in_rows = are_rows(&[&dst, &first, &second.unwrap_or(first)]);
        let kernel = if in_rows { compare_bits(relation, element) } else { None };
        Ok(Box::new(move |state: &mut State<'_>| {
            let scalar = match (scalar, tile) {
                (Some((slot, ty)), _) => Some(scalar_bits(state.scalars[slot], ty, element)),
                (None, Some(tile)) if second.is_none() => {
                    Some(get_element(state.memory, state.live(&tile).address, 0, element))
                }
                _ => None,
            };
            let [mut at_a, mut at_b] = state.unalias(&dst, [&first, &second.unwrap_or(first)]);
            let (live, source) = (state.live(&dst), state.live(&first));
            // Mask bits have other offsets than the source elements, so a source that aliases the mask is copied
            // first.
            if at_a == live.address || at_b == live.address {
                let copy = state.copy_aside(live.address, first.bytes());
                at_a = if at_a == live.address { copy } else { at_a };
                at_b = if at_b == live.address { copy } else { at_b };
            }
            let cols = source.cols as usize;
            if cols.div_ceil(8) > dst.ty.element.bytes(dst.cols()) || source.rows as usize > dst.rows() {
                return Err(Fault::Rule);
            }
            if let Some(kernel) = kernel {
                let (mask, a) = (lines(&dst, live.address), lines(&first, at_a));
                let b = operand(second.as_ref(), at_b, scalar);
                kernel.run(state.memory, mask, a, &b, [source.rows as usize, cols]);
                return Ok(());
            }
            for i in 0..source.rows as usize {
                for byte in 0..cols.div_ceil(8) {
                    let mut bits = 0u8;
                    for j in byte * 8..(byte * 8 + 8).min(cols) {
                        let a = get_element(state.memory, at_a, first.layout.offset(i, j), element);
                        let b = match (&second, scalar) {
                            (Some(tile), _) => {
                                get_element(state.memory, at_b, tile.layout.offset(i, j), element)
                            }
                            (None, scalar) => scalar.unwrap_or(0),
                        };
                        bits |= u8::from(relation.holds(element, a, b)) << (j % 8);
                    }
                    let row = dst.ty.element.bytes(dst.layout.offset(i, 0));
                    state.memory[live.address + row + byte] = bits;
                }
            }
            Ok(())
        }))
    }
}

/// Checks the mask that a comparison of the tile in role `first` writes.
fn check_written_mask(check: &mut Check<'_>, first: &str, compares_rows: bool) {
    vec(check, "dst");
    let (mask, source) = (check.tile("dst"), check.tile(first));
    let in_rows = mask.ty.layout().box_cols == 1 && mask.ty.blayout == BLayout::RowMajor;
    let holds = |have: u64, need: Option<u32>| need.is_none_or(|need| have >= u64::from(need));
    let bits = u64::from(mask.ty.cols) * u64::from(mask.element().bits());
    let room = holds(bits, source.cols) && holds(mask.ty.rows.into(), source.rows);
    check.require(&WRITTEN_MASK, "dst", in_rows && room, |check| {
        let source = source.valid_text();
        format!("{} is {}; it must hold {source} bits in rows", check.name("dst"), mask.ty.brief())
    });
    let named = matches!(mask.element(), Element::U8 | Element::I8)
        || mask.element() == Element::U32 && A5_ONLY.contains(&check.profile());
    check.judge(Severity::Extension, &MASK_TYPE, "dst", named, |check| {
        let (name, profile) = (check.site.instruction.page().name, check.profile().word());
        let element = element_word(mask.element());
        format!(
            "{} holds {element}, which the page of `{name}` does not name for {profile}",
            check.name("dst")
        )
    });
    check.require(&MASK_ROWS, "dst", !compares_rows || agree(mask.rows, source.rows), |check| {
        let (have, need) = (mask.valid_text(), source.valid_text());
        format!("{} has {have} valid elements, {} {need}", check.name("dst"), check.name(first))
    });
}
