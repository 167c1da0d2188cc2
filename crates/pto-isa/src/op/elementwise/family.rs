//! Code shared by the instructions with one or two tile sources.

use super::rounding;
use crate::element::Element;
use crate::op::common::{ELEMENT, ELEMENTWISE, ROW_MAJOR, SAME_TYPE, SAME_VALID, Types, VEC, elementwise};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Form, Syntax, form};
use crate::op::otherwise::Otherwise;
use crate::op::site::{Check, Site};
use crate::op::workspace::{APART, TMP_ROOM, TMP_TYPE};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A5_ONLY, Profile};
use crate::rule::{Rule, join};
use pto_num::{BinaryOp, UnaryOp};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::for_each_run,
    crate::exec::state::{DivisionByZero, Execute, Fault, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    crate::op::Compute,
    pto_kernels::map::{BinaryFormula, UnaryFormula, binary, find_zero, unary},
};

/// One tile source, optionally with a workspace.
const ONE: Syntax = Syntax::Destination(&[
    form!(ins(src: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
]);
/// Two tile sources.
const TWO: Syntax = Syntax::Destination(&[TWO_FORM]);
/// Two tile sources, optionally with a workspace.
pub(super) const TWO_TMP: Syntax =
    Syntax::Destination(&[TWO_FORM, form!(ins(src0: Tile, src1: Tile, tmp: Tile) outs(dst: Tile))]);
const TWO_FORM: Form = form!(ins(src0: Tile, src1: Tile) outs(dst: Tile));

/// Effects: read the sources, write the destination; the workspace is ignored on A5.
pub(in crate::op) const SOURCES_TO_DST: &[Effect] = &[
    Effect::reads("src"),
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::reads("src2"),
    Effect::workspace("tmp"),
    Effect::writes("dst"),
];

/// Effects of instructions that the scalar unit of A2/A3 computes in part if elements are integers.
pub(in crate::op) const BY_SCALAR_UNIT: &[Effect] = &[
    Effect::reads("src"),
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::workspace("tmp"),
    Effect::writes("dst"),
    Effect::uses_flags().of_integers(),
];

/// The rules of an instruction with a workspace on A2/A3.
pub(super) const WITH_WORKSPACE: &[&Rule] =
    &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &TMP_TYPE, &TMP_ROOM];
/// The rules of TREM.
pub(super) const OF_REMAINDER: &[&Rule] = join!(WITH_WORKSPACE, &[&rounding::RANGE]);
/// The rules of an instruction with a workspace on A2/A3 whose tiles must not overlap.
pub(super) const WITH_WORKSPACE_APART: &[&Rule] =
    &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &TMP_TYPE, &TMP_ROOM, &APART];

/// The page of an instruction with one source.
pub(super) const fn unary_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page::of(Set::Elementwise, name, summary, formula, source, ONE, ELEMENTWISE)
        .costing(cost::ONE_SOURCE)
        .touching(SOURCES_TO_DST)
}

/// The page of an instruction with two sources.
pub(super) const fn binary_page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page::of(Set::Elementwise, name, summary, formula, source, TWO, ELEMENTWISE)
        .costing(cost::TWO_SOURCES)
        .touching(SOURCES_TO_DST)
}

/// Profiles whose header computes the reciprocal square root in two steps.
const RSQRT_IN_STEPS: &[Profile] = A5_ONLY;

/// The steps of an operation on a profile; each step rounds.
fn steps(op: UnaryOp, profile: Profile) -> Vec<UnaryOp> {
    match op {
        UnaryOp::Rsqrt if RSQRT_IN_STEPS.contains(&profile) => vec![UnaryOp::Sqrt, UnaryOp::Recip],
        _ => vec![op],
    }
}

/// The operation for an element type on a profile: some profiles shift 64-bit elements by the amount modulo 64, and
/// truncate their remainders.
pub(in crate::op) fn operation(op: BinaryOp, element: Element, profile: Profile) -> BinaryOp {
    match op {
        _ if element.bits() != 64 => op,
        BinaryOp::Shl if profile.shifts_64_bits_modulo => BinaryOp::ShlModulo,
        BinaryOp::Shr if profile.shifts_64_bits_modulo => BinaryOp::ShrModulo,
        BinaryOp::Rem if profile.truncates_64_bit_remainders => BinaryOp::Fmod,
        _ => op,
    }
}

/// Whether the source must be searched for zeros: an integer zero has no reciprocal.
fn inverts(op: UnaryOp, element: Element) -> bool {
    op == UnaryOp::Recip && element.is_integer()
}

/// `dst[i, j] = op(src[i, j])`.
pub(super) struct Unary {
    pub(super) page: Page,
    pub(super) op: UnaryOp,
    pub(super) types: Types,
}

impl Instruction for Unary {
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
        elementwise(check, &["src"], &self.types, &|element| self.op.applies_to(element));
    }
}

#[cfg(feature = "run")]
impl Compute for Unary {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let steps = steps(self.op, reference.prepare().profile());
        let Size { rows, cols } = reference.valid(&dst);
        for row in 0..rows {
            for col in 0..cols {
                let value = reference.get(&src, row, col);
                if inverts(self.op, dst.ty.element) {
                    reference.divisor(value, Position { row, col })?;
                }
                let apply = |value, op: &UnaryOp| op.apply(dst.ty.element, value).unwrap_or_default();
                reference.set(&dst, row, col, steps.iter().fold(value, apply));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let steps = steps(self.op, prepare.profile());
        let kernels: Option<Vec<_>> = steps.into_iter().map(|op| unary(op, dst.ty.element)).collect();
        let kernels = kernels.ok_or("the element type has no such operation")?;
        let bits = dst.ty.element.bits() as usize / 8;
        let inverts = inverts(self.op, dst.ty.element);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.unalias(&dst, [&src]);
            let live = state.live(&dst);
            if inverts && let Some(fault) = first_zero(&src, from, state, live.rows, live.cols) {
                return Err(fault);
            }
            let memory = &mut *state.memory;
            for_each_run([&dst.layout, &src.layout], live.size(), |[d, s], count| {
                let (to, mut from) = (live.address + d * bits, from + s * bits);
                for kernel in &kernels {
                    kernel(memory, to, from, count);
                    from = to;
                }
                Ok(())
            })
        }))
    }
}

/// `dst[i, j] = src0[i, j] op src1[i, j]`.
pub(super) struct Binary {
    pub(super) page: Page,
    pub(super) op: BinaryOp,
    pub(super) types: Types,
}

/// Whether the divisors must be searched for zeros: integer division by zero has no value.
pub(in crate::op) fn divides(op: BinaryOp, element: Element) -> bool {
    matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Fmod) && element.is_integer()
}

/// A fault with the row and column of the first zero divisor, unless the run defines division by zero.
#[cfg(feature = "run")]
pub(in crate::op) fn first_zero(
    tile: &Tile,
    address: usize,
    state: &State<'_>,
    rows: u32,
    cols: u32,
) -> Option<Fault> {
    if state.division_by_zero == DivisionByZero::Zero {
        return None;
    }
    let bits = tile.ty.element.bits() as usize / 8;
    let find = find_zero(tile.ty.element);
    for row in 0..rows {
        for col in 0..cols {
            let at = address + tile.layout.offset(row as usize, col as usize) * bits;
            if find(state.memory, at, 1).is_some() {
                return Some(Fault::DivisionByZero(row, col));
            }
        }
    }
    None
}

impl Instruction for Binary {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        rounding::otherwise(self.op)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        rounding::effects(site, self.op, self.page.effects)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, &["src0", "src1"], &self.types, &|element| self.op.applies_to(element));
    }
}

#[cfg(feature = "run")]
impl Compute for Binary {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let op = operation(self.op, dst.ty.element, reference.prepare().profile());
        let Size { rows, cols } = reference.valid(&dst);
        for row in 0..rows {
            for col in 0..cols {
                let (a, b) = (reference.get(&src0, row, col), reference.get(&src1, row, col));
                if divides(self.op, dst.ty.element) {
                    reference.divisor(b, Position { row, col })?;
                }
                let result = op.apply(dst.ty.element, a, b);
                reference.set(&dst, row, col, result.unwrap_or_default());
            }
        }
        if rounding::overwrites_sources(reference.prepare().site, self.op) {
            rounding::round(reference.state(), &src0, &dst);
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src0, src1) = (prepare.tile("dst")?, prepare.tile("src0")?, prepare.tile("src1")?);
        let op = operation(self.op, dst.ty.element, prepare.profile());
        let kernel = binary(op, dst.ty.element).ok_or("the element type has no such operation")?;
        let bits = dst.ty.element.bits() as usize / 8;
        let divides = divides(self.op, dst.ty.element);
        let overwrites = rounding::overwrites_sources(prepare.site, self.op);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [a, b] = state.unalias(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            if divides && let Some(fault) = first_zero(&src1, b, state, live.rows, live.cols) {
                return Err(fault);
            }
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &src0.layout, &src1.layout];
            for_each_run(layouts, live.size(), |[d, x, y], count| {
                kernel(memory, live.address + d * bits, a + x * bits, b + y * bits, count);
                Ok(())
            })?;
            if overwrites {
                rounding::round(state, &src0, &dst);
            }
            Ok(())
        }))
    }
}
