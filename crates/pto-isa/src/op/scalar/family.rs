//! Code shared by the instructions on a tile and a scalar.

use crate::element::Element;
use crate::op::common::{ELEMENT, ROW_MAJOR, SAME_TYPE, SAME_VALID, Types, VEC, elementwise};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::elementwise::{SOURCES_TO_DST, rounding};
use crate::op::form::{Form, Syntax, form};
use crate::op::otherwise::Otherwise;
use crate::op::site::{Check, Site};
use crate::op::workspace::{APART, TMP_ROOM, TMP_TYPE};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::{Rule, join};
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::runs::for_each_run,
    crate::exec::state::{DivisionByZero, Execute, Fault, Prepare, State},
    crate::matrix::{Position, Size},
    crate::op::Compute,
    crate::op::elementwise::{divides, first_zero, operation},
    pto_kernels::map::{BinaryFormula, Rows, binary_scalar, scalar_binary},
};

/// A tile and a scalar.
const TILE_SCALAR: Syntax = Syntax::Destination(&[RIGHT]);
/// A tile and a scalar, optionally with a workspace.
pub(super) const TILE_SCALAR_TMP: Syntax =
    Syntax::Destination(&[RIGHT, form!(ins(src: Tile, scalar: Scalar, tmp: Tile) outs(dst: Tile))]);
/// A tile and a scalar in either order.
pub(super) const EITHER_ORDER: Syntax =
    Syntax::Destination(&[RIGHT, form!(ins(scalar: Scalar, src: Tile) outs(dst: Tile)).named("by")]);
const RIGHT: Form = form!(ins(src: Tile, scalar: Scalar) outs(dst: Tile));

pub(super) const SCALAR_TYPE: Rule = Rule::new(
    "scalar-type",
    "The scalar has the element type of the tiles; a shift takes any integer.",
    "docs/isa/tile/ops/tile-scalar-and-immediate",
)
.because("The scalar enters the vector unit in the format of the elements.")
.instead("Convert the scalar, or declare it with the tile's element type.");

const RULES: &[&Rule] = &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &SCALAR_TYPE];

/// The rules of an instruction whose tiles must not overlap.
pub(super) const RULES_APART: &[&Rule] =
    &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &SCALAR_TYPE, &APART];
/// The rules of an instruction with a workspace on A2/A3.
pub(super) const RULES_WORKSPACE: &[&Rule] =
    &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &SCALAR_TYPE, &TMP_TYPE, &TMP_ROOM];
/// The rules of an instruction with a workspace on A2/A3 whose tiles must not overlap.
pub(super) const RULES_WORKSPACE_APART: &[&Rule] =
    &[&SAME_TYPE, &SAME_VALID, &VEC, &ROW_MAJOR, &ELEMENT, &SCALAR_TYPE, &TMP_TYPE, &TMP_ROOM, &APART];

/// The rules of TREMS.
pub(super) const OF_REMAINDER: &[&Rule] = join!(RULES_WORKSPACE, &[&rounding::RANGE]);

/// The page of an instruction on a tile and a scalar.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    let (set, syntax) = (Set::TileScalar, TILE_SCALAR);
    Page::of(set, name, summary, formula, source, syntax, RULES)
        .costing(cost::WITH_SCALAR)
        .touching(SOURCES_TO_DST)
}

/// The meaning and type of the scalar operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalars {
    /// An element of the tile's type.
    Element,
    /// The slope of a leaky ReLU; it may be f32 for any element type.
    Slope,
    /// A number of bits: an integer of any type, converted. Source: `PTO_IR_manual.md`, `docs/isa/TSHLS.md`.
    Count,
}

/// Checks the type of the scalar.
pub(super) fn scalar_type(check: &mut Check<'_>, scalar: Scalars) {
    let element = check.tile("dst").element();
    let Some((ty, _)) = check.site.scalar("scalar") else { return };
    let own = ty.element();
    let fits = match scalar {
        Scalars::Slope if own == Element::F32 => true,
        Scalars::Count => own.is_integer(),
        _ => own == element || own.is_integer() && element.is_integer() && own.bits() == element.bits(),
    };
    check.require(&SCALAR_TYPE, "scalar", fits, |check| {
        let want = crate::element::element_word(element);
        format!("{} has type {}, but {} holds {want}", check.name("scalar"), ty.word(), check.name("dst"))
    });
}

/// `dst[i, j] = src[i, j] op scalar`, or `scalar op src[i, j]`.
pub(super) struct TileScalar {
    pub(super) page: Page,
    pub(super) op: BinaryOp,
    pub(super) types: Types,
}

/// Whether the scalar operand precedes the tile, in text and in the operation.
fn scalar_is_left(site: &Site<'_>) -> bool {
    site.operands.first().is_some_and(|operand| operand.role == "scalar")
}

impl Instruction for TileScalar {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        rounding::otherwise(self.op)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        rounding::effects(site, self.op, self.page.effects)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, &["src"], &self.types, &|element| self.op.applies_to(element));
        let scalar = match self.op {
            BinaryOp::Shl | BinaryOp::Shr => Scalars::Count,
            BinaryOp::Prelu => Scalars::Slope,
            _ => Scalars::Element,
        };
        scalar_type(check, scalar);
    }
}

#[cfg(feature = "run")]
impl Compute for TileScalar {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let element = dst.ty.element;
        let scalar = reference.scalar("scalar", element);
        let left = scalar_is_left(reference.prepare().site);
        let op = operation(self.op, element, reference.prepare().profile());
        let Size { rows, cols } = reference.valid(&dst);
        for row in 0..rows {
            for col in 0..cols {
                let value = reference.get(&src, row, col);
                let (a, b) = if left { (scalar, value) } else { (value, scalar) };
                if divides(self.op, element) {
                    reference.divisor(b, Position { row, col })?;
                }
                reference.set(&dst, row, col, op.apply(element, a, b).unwrap_or_default());
            }
        }
        if rounding::overwrites_sources(reference.prepare().site, self.op) {
            rounding::round(reference.state(), &src, &dst);
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let (slot, ty) = prepare.scalar("scalar")?;
        let element = dst.ty.element;
        let left = scalar_is_left(prepare.site);
        let op = operation(self.op, element, prepare.profile());
        let kernel = if left { scalar_binary(op, element) } else { binary_scalar(op, element) };
        let kernel = kernel.ok_or("the element type has no such operation")?;
        let bits = element.bits() as usize / 8;
        let divides = divides(self.op, element);
        let overwrites = rounding::overwrites_sources(prepare.site, self.op);
        Ok(Box::new(move |state: &mut State<'_>| {
            let [from] = state.unalias(&dst, [&src]);
            let live = state.live(&dst);
            let scalar = scalar_bits(state.scalars[slot], ty, element);
            if divides
                && left
                && let Some(fault) = first_zero(&src, from, state, live.rows, live.cols)
            {
                return Err(fault);
            }
            let stops = state.division_by_zero == DivisionByZero::Stop;
            if divides && stops && !left && scalar == 0 && live.rows > 0 && live.cols > 0 {
                return Err(Fault::DivisionByZero(0, 0));
            }
            let memory = &mut *state.memory;
            for_each_run([&dst.layout, &src.layout], live.size(), |[d, s], count| {
                let row = Rows::one(live.address + d * bits, from + s * bits, count);
                kernel(memory, &row, &[scalar]);
                Ok(())
            })?;
            if overwrites {
                rounding::round(state, &src, &dst);
            }
            Ok(())
        }))
    }
}
