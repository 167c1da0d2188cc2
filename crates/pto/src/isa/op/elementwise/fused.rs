//! Instructions that do two steps in one: a sum, a difference or a fused multiply-add, and then perhaps relu.

use crate::exec::reference::Reference;
use crate::exec::runs::for_each_run;
use crate::exec::state::{Execute, Fault, Prepare, State};
use crate::isa::element::Element;
use crate::isa::op::common::{ELEMENTWISE, Types, elementwise};
use crate::isa::op::effect::Effect;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::site::{Check, Site};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use pto_kernels::map::{BinaryFn, BinaryOp, FusedFn, UnaryOp, binary, multiply_add, multiply_add_one, unary};

/// The page of such an instruction.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    effects: &'static [Effect],
) -> Page {
    Page::of(
        Set::Elementwise,
        name,
        summary,
        formula,
        source,
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        ELEMENTWISE,
    )
    .touching(effects)
}

/// Two sources and the old contents of the destination to the destination.
pub(super) const WITH_DST: &[Effect] =
    &[Effect::reads("src0"), Effect::reads("src1"), Effect::reads("dst"), Effect::writes("dst")];

/// The tiles whose elements the first step takes.
const OPERANDS: [&str; 3] = ["src0", "src1", "dst"];

/// The first step.
pub(super) enum Step {
    /// `src0 op src1`.
    Binary(BinaryOp),
    /// The product of the first two and the sum with the third, numbers of [`OPERANDS`], rounded once.
    MultiplyAdd([usize; 3]),
}

/// `dst[i, j] = relu(step)`, or the step alone.
pub(super) struct Fused {
    pub(super) page: Page,
    pub(super) step: Step,
    pub(super) relu: bool,
    pub(super) types: Types,
    pub(super) defined: fn(Element) -> bool,
}

impl Fused {
    /// One element.
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

    /// The loop of the first step.
    fn kernel(&self, element: Element) -> Option<Kernel> {
        Some(match self.step {
            Step::Binary(op) => Kernel::Binary(binary(op, element)?),
            Step::MultiplyAdd(order) => Kernel::MultiplyAdd(multiply_add(element)?, order),
        })
    }
}

/// The loop of a first step.
enum Kernel {
    Binary(BinaryFn),
    MultiplyAdd(FusedFn, [usize; 3]),
}

impl Kernel {
    /// Runs over so many elements; `at` are the bytes of [`OPERANDS`].
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

    fn element_types(&self, profile: crate::isa::profile::Profile) -> &'static [Element] {
        self.types.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, &["src0", "src1"], &self.types, self.defined);
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let tiles = OPERANDS.map(|role| reference.tile(role));
        let dst = tiles[2];
        let (rows, cols) = reference.valid(&dst);
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
            let [a, b] = state.settle(&dst, [&src0, &src1]);
            let live = state.live(&dst);
            let memory = &mut *state.memory;
            let layouts = [&dst.layout, &src0.layout, &src1.layout];
            for_each_run(state.sweep, layouts, live.size(), |[d, x, y], count| {
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

/// The formats of the pages: f16 and f32 on both devices.
pub(super) const FLOATS: Types = Types {
    a2a3: &[Element::F16, Element::F32],
    a5: &[Element::F16, Element::F32],
    a2a3_header: &[],
    a5_header: &[],
};

/// Whether the fused step is defined for a format.
pub(super) fn multiplies(element: Element) -> bool {
    multiply_add(element).is_some()
}
