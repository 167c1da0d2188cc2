//! TPAIRREDUCESUM: adds each column to the next one, in pairs.

use crate::element::Element;
use crate::op::common::{ELEMENTWISE, Types, elementwise};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::Profile;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::interleave::deinterleave,
    pto_kernels::map::{BinaryFormula, binary},
    pto_kernels::{Placement, copy_matrix},
};

/// The instruction TPAIRREDUCESUM.
pub(super) struct Tpairreducesum {
    page: Page,
}

pub(super) static TPAIRREDUCESUM: Tpairreducesum = Tpairreducesum {
    page: Page {
        name: "tpairreducesum",
        aliases: &[],
        set: Set::Reduce,
        summary: "Adds each even column and the next; zeros fill the rest of the destination. A lone last column is not added.",
        formula: "dst[i, k] = src[i, 2k] + src[i, 2k + 1] for 2k + 1 < n, n being the valid columns; else 0",
        source: "docs/isa/TPairReduceSum.md",
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        attributes: &[],
        rules: ELEMENTWISE,
        effects: &[Effect::reads("src"), Effect::writes("dst")],
        cost: cost::SEVERAL,
        pictures: super::pictures::PAIRS,
        origin: Some(Origin::WRITTEN),
    },
};

const TYPES: Types = Types {
    a2a3: &[Element::F16, Element::F32],
    a5: &[Element::F16, Element::F32],
    a2a3_header: &[],
    a5_header: &[],
};

impl Instruction for Tpairreducesum {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        elementwise(check, &["src"], &TYPES, &|element| BinaryOp::Add.applies_to(element));
    }
}

#[cfg(feature = "run")]
impl Compute for Tpairreducesum {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for k in 0..cols {
                let mut sum = Some(0);
                if 2 * k + 1 < cols {
                    let (even, odd) = (reference.get(&src, i, 2 * k), reference.get(&src, i, 2 * k + 1));
                    sum = BinaryOp::Add.apply(dst.ty.element, even, odd);
                }
                reference.set(&dst, i, k, sum.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let element = dst.ty.element;
        let add = binary(BinaryOp::Add, element).ok_or("the element type has no such operation")?;
        let bits = element.bits();
        let split = deinterleave(bits);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let (rows, cols, half) = (live.rows as usize, live.cols as usize, live.cols.div_ceil(2) as usize);
            let (source, target) = (state.placement(&src), state.placement(&dst));
            // Spare memory: all rows, padded to an even number of columns; then all even columns; then all odd
            // columns.
            let (width, start) = (2 * half, state.spare.start);
            let even = start + element.bytes(rows * width);
            let odd = even + element.bytes(rows * half);
            let memory = &mut *state.memory;
            let all = Placement::rows(start, width);
            memory[start..even].fill(0);
            copy_matrix(memory, &all, &source, rows, cols, bits);
            split(memory, even, odd, start, rows * half);
            add(memory, even, even, odd, rows * half);
            memory[start..even].fill(0);
            copy_matrix(memory, &all, &Placement::rows(even, half), rows, cols / 2, bits);
            copy_matrix(memory, &target, &all, rows, cols, bits);
            Ok(())
        }))
    }
}
