//! TDEQUANT: converts integers to f32 with a scale and an offset per row.

use super::affine::{self, PARAMETERS};
use super::shared::{ROWS, holds, rows};
use crate::element::Element;
use crate::op::common::{SAME_VALID, VEC, same_valid, vec};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::affine::{Parameters, of_element},
    super::shared::byte_of,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::affine::dequantize,
};

const SOURCE: &str = "docs/isa/TDEQUANT.md";

const ELEMENT: Rule = Rule::new("element-type", "The source is i8 or i16, the destination f32.", SOURCE)
    .because("The device dequantizes these formats only.")
    .instead("Convert the source to i8 or i16 with TCVT, and declare the destination as f32.");

/// The instruction TDEQUANT: inverts an affine quantization row by row.
pub(super) struct Tdequant {
    page: Page,
}

pub(super) static TDEQUANT: Tdequant = Tdequant {
    page: Page {
        name: "tdequant",
        aliases: &[],
        set: Set::Irregular,
        summary: "Converts quantized integers to f32: subtracts the offset of the row and multiplies by its scale.",
        formula: "dst[i, j] = (src[i, j] - offset[i]) * scale[i], each step rounded",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, scale: Tile, offset: Tile) outs(dst: Tile))]),
        attributes: &[],
        rules: &[&VEC, &ROWS, &SAME_VALID, &ELEMENT, &PARAMETERS],
        cost: cost::SEVERAL,
        effects: &[
            Effect::reads("src"),
            Effect::reads("scale"),
            Effect::reads("offset"),
            Effect::writes("dst"),
        ],
        pictures: super::quant_pictures::TDEQUANT,
        origin: Some(Origin::WRITTEN),
    },
};

impl Instruction for Tdequant {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        rows(check, "src");
        rows(check, "dst");
        same_valid(check, "src", "dst");
        holds(check, &ELEMENT, "src", &[Element::I8, Element::I16]);
        holds(check, &ELEMENT, "dst", &[Element::F32]);
        for role in ["scale", "offset"] {
            affine::check(check, role);
            vec(check, role);
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Tdequant {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (src, dst) = (reference.tile("src"), reference.tile("dst"));
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let q = src.ty.element.decode_int(reference.get(&src, i, j)) as i32;
                let value = of_element(reference, i, j).dequantize(q);
                reference.set(&dst, i, j, u64::from(value));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (src, dst) = (prepare.tile("src")?, prepare.tile("dst")?);
        let (scale, offset) = (prepare.tile("scale")?, prepare.tile("offset")?);
        let (element, kernel) = (src.ty.element, dequantize());
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let [from, scales, offsets] = state.apart([&dst], [&src, &scale, &offset]);
            let parameters = Parameters { scale: (&scale, scales), offset: Some((&offset, offsets)) };
            for i in 0..live.rows as usize {
                parameters.stretches(state, i, live.cols as usize, |state, col, count, affine| {
                    let (q, x) = (byte_of(&src, from, i, col), byte_of(&dst, live.address, i, col));
                    kernel(state.memory, element, q, x, count, affine);
                });
            }
            Ok(())
        }))
    }
}
