//! SET_QUANT_SCALAR: sets the quantization scale of a queue.

use super::page;
use crate::element::Element;
use crate::op::form::Kind;
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;
use crate::types::Scalar;
#[cfg(feature = "run")]
use {super::queue, crate::exec::state::State};

const SOURCE: &str = "docs/isa/SET_QUANT_SCALAR.md";
const SCALE: Rule = Rule::new("scale", "The scale is an f32.", SOURCE)
    .because("The register holds the scale as f32.")
    .instead("Pass the scale as f32.");

pub(in crate::op::layout) static SET_QUANT_SCALAR: ScalarInstruction = ScalarInstruction {
    page: page(
        "set_quant_scalar",
        "Sets the scale by which accumulators are quantized on their way into a queue.",
        "scale of queue `id` = value; bit 46 of the parameter follows from the element type of the entries",
        SOURCE,
        &[("value", Kind::Other)],
        &[&SCALE],
    ),
    check: |check| {
        let ty = check.site.scalar("value").map(|(ty, _)| ty);
        check.require(&SCALE, "value", ty == Some(Scalar::Number(Element::F32)), |check| {
            let word = ty.map_or("no scalar", Scalar::word);
            format!("{} is {word}; convert it to f32", check.name("value"))
        });
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (scale, _) = prepare.scalar("value")?;
        let queue = queue(prepare.site).ok_or("`id` is not a number")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let scale = f32::from_bits(state.scalars[scale] as u32);
            state.registers.quantization.entry(queue).or_default().scale = Some(scale);
            Ok(())
        }))
    },
};
