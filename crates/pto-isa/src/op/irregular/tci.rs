//! TCI: fills a row with consecutive numbers.

use super::made_pictures;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::common::{ELEMENT, ROW_MAJOR, Types, VEC, element_type, vec, vec_row_major};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::along_row,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
    pto_kernels::count::sequence,
    pto_num::{Overflow, Rounding, set_element},
};

const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/tci.md";

const START_TYPE: Rule = Rule::new("start-type", "The start has the element type of the tile.", SOURCE)
    .because("The start is the first element and is stored without conversion.")
    .instead("Convert the start to the element type of the tile.");
const COLUMNS: Rule = Rule::new("columns", "The tile is declared with more than one column.", SOURCE)
    .because("The device generates vectors along a row; its header refuses a single column.")
    .instead("Declare the tile with at least two columns, or write the value with TSETVAL.");
const ONE_ROW: Rule = Rule::new(
    "one-row",
    "The tile declares one row.",
    "docs/isa/tile/ops/irregular-and-complex/tci.md; include/pto/npu/{a2a3,a5}/TCI.hpp",
)
.because("The sequence fills the first row only, and the headers take tiles of one row only; other rows keep their old contents.")
.instead("Declare the tile with one row.")
.lint();
const TMP: Rule = Rule::new(
    "tmp",
    "The workspace is a vec tile with elements of 4 bytes: 768 bytes for 32-bit numbers, 1792 bytes for 16-bit numbers.",
    "docs/isa/tile/ops/irregular-and-complex/tci.md, Temporary tile",
)
.because("The device builds the sequence there with vector instructions and overruns a smaller tile.")
.instead("Declare a workspace of the size in the statement.")
.only(A2A3_ONLY);
const TMP_FLOATS: Rule = Rule::new(
    "tmp-floats",
    "A sequence of floats has no workspace.",
    "include/pto/npu/a2a3/TCI.hpp; docs/isa/TCI.md, Temporary tile",
)
.because("The vector instructions of the device store bits of integers, for every element type.")
.instead("Leave out the workspace: the scalar unit generates floats.")
.only(A2A3_ONLY)
.lint();

const INTEGERS: &[Element] = &[Element::I32, Element::U32, Element::I16, Element::U16];
/// Element types on A2/A3 according to the page; the header requires 2 or 4 bytes.
const NUMBERS: &[Element] =
    &[Element::I32, Element::U32, Element::I16, Element::U16, Element::F16, Element::Bf16, Element::F32];
const TYPES: Types = Types { a2a3: NUMBERS, a5: INTEGERS, a2a3_header: &[], a5_header: &[] };

/// The instruction TCI: a sequence that increments or decrements by one.
pub(super) struct Tci {
    page: Page,
}

pub(super) static TCI: Tci = Tci {
    page: Page {
        name: "tci",
        aliases: &[],
        set: Set::Irregular,
        summary: "Fills the first row with consecutive numbers, upwards, or downwards with `descending`; integers wrap.",
        formula: "dst[0, j] = start + j, or start - j; floats are the exact sum, rounded once, to nearest even",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(start: Scalar) outs(dst: Tile)).asking(&["descending"]),
            form!(ins(start: Scalar, tmp: Tile) outs(dst: Tile)).asking(&["descending"]),
        ]),
        attributes: &[AttributeSpec::boolean("descending", "Whether the numbers descend.").or_bool(false)],
        rules: &[&VEC, &ROW_MAJOR, &ELEMENT, &START_TYPE, &COLUMNS, &ONE_ROW, &TMP, &TMP_FLOATS],
        effects: &[Effect::workspace("tmp"), Effect::writes("dst").of(Extent::FIRST_ROW)],
        cost: cost::COPY,
        pictures: made_pictures::TCI,
        origin: Some(Origin::WRITTEN),
    },
};

fn is_descending(site: &Site<'_>) -> bool {
    site.integer_or_default("descending").is_some_and(|value| value != 0)
}

/// `a + b` rounded to odd: rounding the result to a narrower format equals rounding the exact sum.
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    if error == 0.0 || !sum.is_finite() || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // Selects the neighbor in the direction of the exact sum.
    let away = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// Element `col` of the sequence: integers wrap, floats are rounded once.
#[cfg(feature = "run")]
fn value(element: Element, start: u64, col: usize, descending: bool) -> u64 {
    if element.is_float() {
        let step = if descending { -(col as f64) } else { col as f64 };
        let sum = sum_to_odd(element.decode(start), step);
        return element.encode(sum, Rounding::NearestEven, Overflow::Ieee);
    }
    let step = col as u64;
    let value = if descending { start.wrapping_sub(step) } else { start.wrapping_add(step) };
    value & element.mask()
}

/// Profiles that compute the sequence with vector instructions if there is a workspace.
const VECTOR_SEQUENCES: &[Profile] = A2A3_ONLY;

impl Instruction for Tci {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        let by_vector = VECTOR_SEQUENCES.contains(&site.profile) && site.operand("tmp").is_some();
        if by_vector { Pipe::Vector } else { Pipe::Scalar }
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        vec_row_major(check, "dst");
        element_type(check, "dst", &TYPES, &|element| NUMBERS.contains(&element));
        let dst = check.tile("dst");
        if let Some((ty, _)) = check.site.scalar("start") {
            check.require(&START_TYPE, "start", ty.element() == dst.element(), |check| {
                let want = element_word(dst.element());
                format!("{} is a {}, but {} holds {want}", check.name("start"), ty.word(), check.name("dst"))
            });
        }
        check.require(&COLUMNS, "dst", dst.ty.cols != 1, |check| {
            format!("{} is declared with one column", check.name("dst"))
        });
        check.judge(Severity::Lint, &ONE_ROW, "dst", dst.ty.rows == 1, |check| {
            format!("{} has {} rows, of which only the first is written", check.name("dst"), dst.ty.rows)
        });
        let Some(tmp) = check.site.tile("tmp") else { return };
        vec(check, "tmp");
        let need = if dst.element().bits() == 32 { 768 } else { 1792 };
        let fits = tmp.ty.bytes() >= need && tmp.element().bits() == 32;
        check.require(&TMP, "tmp", fits, |check| {
            let (have, holds) = (tmp.ty.bytes(), element_word(tmp.element()));
            format!("{} has {have} bytes of {holds}; it needs {need}", check.name("tmp"))
        });
        check.judge(Severity::Lint, &TMP_FLOATS, "tmp", dst.element().is_integer(), |check| {
            format!("{} holds {}", check.name("dst"), element_word(dst.element()))
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Tci {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let start = reference.scalar("start", dst.ty.element);
        let descending = is_descending(reference.prepare().site);
        for j in 0..reference.valid(&dst).cols {
            reference.set(&dst, 0, j, value(dst.ty.element, start, j, descending));
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        let (slot, _) = prepare.scalar("start")?;
        let element = dst.ty.element;
        let descending = is_descending(prepare.site);
        if element.is_float() {
            return Ok(Box::new(move |state: &mut State<'_>| {
                let live = state.live(&dst);
                let (first, memory) = (state.scalars[slot], &mut *state.memory);
                let mut next = 0;
                along_row([&dst.layout], 0, 0..live.cols as usize, |[at], count| {
                    for i in 0..count {
                        let bits = value(element, first, next + i, descending);
                        set_element(memory, live.address, at + i, element, bits);
                    }
                    next += count;
                });
                Ok(())
            }));
        }
        let step = if descending { u64::MAX } else { 1 };
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let mut next = state.scalars[slot];
            let memory = &mut *state.memory;
            along_row([&dst.layout], 0, 0..live.cols as usize, |[at], count| {
                sequence(memory, element, live.address + element.bytes(at), next, step, count);
                next = next.wrapping_add(step.wrapping_mul(count as u64));
            });
            Ok(())
        }))
    }
}
