//! SET_QUANT_VECTOR: sets the tile of per-column quantization parameters of a queue.

use super::page;
use crate::element::{Element, element_word};
use crate::memory::Buffer;
use crate::op::form::Kind;
use crate::op::scalar_unit::ScalarInstruction;
use crate::op::site::Check;
use crate::profile::PerProfile;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {super::queue, crate::exec::registers::QuantizationColumns, crate::exec::state::State};

const SOURCE: &str = "docs/isa/SET_QUANT_VECTOR.md";
const LOCATION: Rule = Rule::new("location", "The tile is a scaling tile in the fixpipe buffer.", SOURCE)
    .because("The fixpipe reads its parameters from its own buffer.")
    .instead("Move the parameters to a scaling tile with TMOV first.");
const TYPE: Rule = Rule::new(
    "element-type",
    "Parameters are 64-bit integers on A2/A3, scales of f16, bf16 or f32 on A5; the CPU takes both.",
    "docs/designs/fixpipe-tpipe-design.md of the public assembler; docs/isa/TMOV_FP.md",
)
.because("A2/A3 reads whole 64-bit parameters; A5 expands each scale to a parameter.")
.instead("Declare the tile as ui64 for A2/A3, as f16, bf16 or f32 for A5.");

pub(in crate::op::layout) static SET_QUANT_VECTOR: ScalarInstruction = ScalarInstruction {
    page: page(
        "set_quant_vector",
        "Sets the tile with a parameter for each column, by which accumulators are quantized on their way into a queue.",
        "parameters of queue `id` = value[0, j] at the time of the push; a float is a scale without an offset",
        SOURCE,
        &[("value", Kind::Tile)],
        &[&LOCATION, &TYPE],
    ),
    check: rules,
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let tile = prepare.tile("value")?;
        let queue = queue(prepare.site).ok_or("`id` is not a number")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&tile);
            let columns = QuantizationColumns {
                slot: tile.slot,
                address: live.address,
                count: if live.rows == 0 { 0 } else { live.cols as usize },
                element: tile.ty.element,
                layout: tile.layout,
            };
            state.registers.quantization.entry(queue).or_default().columns = Some(columns);
            Ok(())
        }))
    },
};

fn rules(check: &mut Check<'_>) {
    let ty = check.tile("value").ty;
    check.require(&LOCATION, "value", ty.buffer() == Buffer::Fixpipe, |check| {
        let (name, place) = (check.name("value"), ty.buffer().word());
        format!("{name} is a {} tile in {place}: move it to a scaling tile", ty.location.word())
    });
    let whole = matches!(ty.element, Element::U64 | Element::I64);
    let scale = matches!(ty.element, Element::F16 | Element::Bf16 | Element::F32);
    let wanted = PerProfile::new(
        (whole || scale, "ui64, f16, bf16 or f32"),
        (whole, "ui64"),
        (scale, "f16, bf16 or f32"),
    );
    let (fits, wanted) = wanted.of(check.profile());
    check.require(&TYPE, "value", fits, |check| {
        format!("{} holds {}, not {wanted}", check.name("value"), element_word(ty.element))
    });
}
