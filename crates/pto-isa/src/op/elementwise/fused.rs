//! Fused instructions: a sum, a difference or a fused multiply-add, optionally followed by relu.

use super::family::SOURCES_TO_DST;
use crate::element::Element;
use crate::element::Element::{F16, F32, I16};
use crate::op::common::{ELEMENTWISE, Types, elementwise};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::for_each_run,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::map::{
        BinaryFn, BinaryFormula, FusedFn, UnaryFormula, binary, multiply_add, multiply_add_one, unary,
    },
    pto_num::UnaryOp,
};

/// Adds two tiles and replaces negative sums by zero.
///
/// The manual only has a page of the vector operation; the profile and the formats come from the dialect's
/// documents.
pub(super) static TADDRELU: Fused = Fused {
    types: Types { a2a3: &[I16, F16, F32], a5: &[], a2a3_header: &[], a5_header: &[] },
    ..fused(
        "taddrelu",
        Step::Binary(BinaryOp::Add),
        "Adds two tiles and replaces negative sums by zero; NaN stays NaN.",
        "dst[i, j] = max(src0[i, j] + src1[i, j], 0)",
        "docs/designs/a2a3-vpto-elementwise-impl.md of the public assembler",
    )
    .then_relu()
};

pub(super) static TFUSEDMULADD: Fused = fused(
    "tfusedmuladd",
    Step::MultiplyAdd([0, 2, 1]),
    "Multiplies the destination by one tile and adds another.",
    "dst[i, j] = src0[i, j] * dst[i, j] + src1[i, j], rounded once",
    "docs/isa/TFUSEDMULADD.md",
);

/// Multiplies the destination by one tile, adds another and replaces negative results by zero. The formula of the
/// page lacks the relu; the mnemonic and the headers have it.
pub(super) static TFUSEDMULADDRELU: Fused = fused(
    "tfusedmuladdrelu",
    Step::MultiplyAdd([0, 2, 1]),
    "Multiplies the destination by one tile, adds another and replaces negative results by zero; NaN stays NaN.",
    "dst[i, j] = max(src0[i, j] * dst[i, j] + src1[i, j], 0), rounded once",
    "docs/isa/TFUSEDMULADDRELU.md",
)
.then_relu();

pub(super) static TMULADDDST: Fused = fused(
    "tmuladddst",
    Step::MultiplyAdd([0, 1, 2]),
    "Adds the product of two tiles to the destination.",
    "dst[i, j] = src0[i, j] * src1[i, j] + dst[i, j], rounded once",
    "docs/isa/TMULADDDST.md",
);

pub(super) static TSUBRELU: Fused = fused(
    "tsubrelu",
    Step::Binary(BinaryOp::Sub),
    "Subtracts two tiles and replaces negative differences by zero; NaN stays NaN.",
    "dst[i, j] = max(src0[i, j] - src1[i, j], 0)",
    "docs/isa/TSUBRELU.md",
)
.then_relu();

/// Effects: read two sources and the old destination, write the destination.
const WITH_DST: &[Effect] =
    &[Effect::reads("src0"), Effect::reads("src1"), Effect::reads("dst"), Effect::writes("dst")];

/// Roles of the operands of the first step.
const OPERANDS: [&str; 3] = ["src0", "src1", "dst"];

/// The first step.
enum Step {
    /// `src0 op src1`.
    Binary(BinaryOp),
    /// Fused multiply-add, rounded once: the product of the first two plus the third, as indices into
    /// [`OPERANDS`].
    MultiplyAdd([usize; 3]),
}

/// `dst[i, j] = relu(step)`, or only the step.
pub(super) struct Fused {
    page: Page,
    step: Step,
    relu: bool,
    types: Types,
}

/// A fused instruction with two sources; a fused multiply-add also reads the old destination. Both devices support
/// f16 and f32, as the pages list them.
const fn fused(
    name: &'static str,
    step: Step,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Fused {
    let syntax = Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]);
    let effects = match step {
        Step::Binary(_) => SOURCES_TO_DST,
        Step::MultiplyAdd(_) => WITH_DST,
    };
    let page = Page::of(Set::Elementwise, name, summary, formula, source, syntax, ELEMENTWISE)
        .costing(cost::PRODUCT)
        .touching(effects);
    let types = Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] };
    Fused { page, step, relu: false, types }
}

impl Fused {
    /// Adds a relu after the first step.
    const fn then_relu(self) -> Fused {
        Fused { relu: true, ..self }
    }

    /// Whether the first step is defined for a format.
    fn is_defined(&self, element: Element) -> bool {
        match self.step {
            Step::Binary(op) => op.applies_to(element),
            Step::MultiplyAdd(_) => matches!(element, Element::F32 | Element::F16),
        }
    }

    /// Computes one element.
    #[cfg(feature = "run")]
    fn apply(&self, element: Element, operands: [u64; 3]) -> u64 {
        let first = match self.step {
            Step::Binary(op) => op.apply(element, operands[0], operands[1]),
            Step::MultiplyAdd(order) => {
                let [a, b, c] = order.map(|at| operands[at]);
                multiply_add_one(element, a, b, c)
            }
        };
        let result =
            if self.relu { first.and_then(|first| UnaryOp::Relu.apply(element, first)) } else { first };
        result.unwrap_or_default()
    }

    /// The kernel of the first step.
    #[cfg(feature = "run")]
    fn kernel(&self, element: Element) -> Option<Kernel> {
        Some(match self.step {
            Step::Binary(op) => Kernel::Binary(binary(op, element)?),
            Step::MultiplyAdd(order) => Kernel::MultiplyAdd(multiply_add(element)?, order),
        })
    }
}

/// The kernel of a first step.
#[cfg(feature = "run")]
enum Kernel {
    Binary(BinaryFn),
    MultiplyAdd(FusedFn, [usize; 3]),
}

#[cfg(feature = "run")]
impl Kernel {
    /// Computes `count` elements; `at` are the byte addresses of [`OPERANDS`].
    fn run(&self, memory: &mut [u8], at: [usize; 3], count: usize) {
        match self {
            Kernel::Binary(kernel) => kernel(memory, at[2], at[0], at[1], count),
            Kernel::MultiplyAdd(kernel, order) => {
                let [a, b, c] = order.map(|operand| at[operand]);
                kernel(memory, at[2], a, b, c, count);
            }
        }
    }
}

impl Instruction for Fused {
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
        elementwise(check, &["src0", "src1"], &self.types, &|element| self.is_defined(element));
    }
}

#[cfg(feature = "run")]
impl Compute for Fused {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let tiles = OPERANDS.map(|role| reference.tile(role));
        let dst = tiles[2];
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let operands = tiles.map(|tile| reference.get(&tile, i, j));
                reference.set(&dst, i, j, self.apply(dst.ty.element, operands));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (src0, src1, dst) = (prepare.tile("src0")?, prepare.tile("src1")?, prepare.tile("dst")?);
        let element = dst.ty.element;
        let missing = "the element type has no such operation";
        let kernel = self.kernel(element).ok_or(missing)?;
        let relu = if self.relu { Some(unary(UnaryOp::Relu, element).ok_or(missing)?) } else { None };
        let bytes = element.bits() as usize / 8;
        Ok(Box::new(move |state: &mut State<'_>| {
            let [a, b] = state.unalias(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &src0.layout, &src1.layout];
            for_each_run(layouts, live.size(), |[d, x, y], count| {
                let out = live.address + d * bytes;
                kernel.run(memory, [a + x * bytes, b + y * bytes, out], count);
                if let Some(relu) = relu {
                    relu(memory, out, out, count);
                }
                Ok(())
            })
        }))
    }
}
