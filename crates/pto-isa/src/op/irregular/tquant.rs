//! TQUANT: quantizes f32 to 8-bit integers with a scale for each row.

use super::affine::{self, PARAMETERS};
use super::shared::{ROWS, holds, rows};
use crate::element::Element;
use crate::op::attribute::AttributeSpec;
use crate::op::common::{SAME_VALID, VEC, agree, same_valid, vec};
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::A2A3_ONLY;
use crate::rule::Rule;
use crate::tile::BLayout;
#[cfg(feature = "run")]
use {
    super::affine::{Parameters, of_element},
    super::shared::byte_of,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::affine::quantize,
};

const SOURCE: &str = "docs/isa/TQUANT.md";

const MODE: Rule = Rule::new(
    "mode",
    "quant_type is INT8_SYM, without an offset, or INT8_ASYM, with one.",
    "docs/isa/TQUANT.md, Integer INT8",
)
.because("The mode decides whether an offset is added.")
.instead("Pass an offset with INT8_ASYM, and none with INT8_SYM.");
const ELEMENT: Rule = Rule::new(
    "element-type",
    "The source is f32, the destination i8 (INT8_SYM) or ui8 (INT8_ASYM).",
    "docs/isa/TQUANT.md, INT8",
)
.because("The device quantizes these formats only.")
.instead("Convert the source to f32 with TCVT, and declare the destination for the mode.");
const TMP: Rule = Rule::new(
    "workspace",
    "On A2/A3 the workspace is an f32 tile as large as the source.",
    "docs/isa/TQUANT.md, tmp tile",
)
.because("The device keeps the scaled values there before it converts them.")
.instead("Declare an f32 workspace with the shape of the source.")
.only(A2A3_ONLY);
const EXPANDED: Rule = Rule::new(
    "expanded-operand",
    "On A2/A3 scale and offset are column-major with one valid column, or without a workspace row-major with 32 bytes of valid columns.",
    "include/pto/npu/a2a3/TQuant.hpp",
)
.because("The device expands them along the rows as TROWEXPANDMUL and TROWEXPANDADD do, which read no other shape.")
.instead("Declare scale and offset column-major with one valid column.")
.only(A2A3_ONLY);

/// The instruction TQUANT: quantizes row by row.
pub(super) struct Tquant {
    page: Page,
}

pub(super) static TQUANT: Tquant = Tquant {
    page: Page {
        name: "tquant",
        aliases: &[],
        set: Set::Irregular,
        summary: "Quantizes f32 to 8-bit integers: multiplies by the scale of the row, adds its offset and rounds to nearest. \
                  A2/A3 leave intermediate values in the source.",
        formula: "dst[i, j] = clamp(rint(src[i, j] * scale[i] + offset[i])), each step rounded to f32, ties to even; 0 for NaN",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, scale: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, scale: Tile, offset: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, scale: Tile) outs(dst: Tile, tmp: Tile)),
            form!(ins(src: Tile, scale: Tile, offset: Tile) outs(dst: Tile, tmp: Tile)),
        ]),
        attributes: &[AttributeSpec::words(
            "quant_type",
            "quant_type",
            &["INT8_SYM", "INT8_ASYM"],
            "The conversion: to i8 without an offset, or to ui8 with an offset.",
        )],
        rules: &[&VEC, &ROWS, &SAME_VALID, &MODE, &ELEMENT, &PARAMETERS, &EXPANDED, &TMP],
        cost: cost::SEVERAL,
        effects: &[
            Effect::reads("src"),
            Effect::reads("scale"),
            Effect::reads("offset"),
            Effect::workspace("tmp"),
            Effect::destroys("src").on(A2A3_ONLY),
            Effect::writes("dst"),
        ],
        pictures: super::quant_pictures::TQUANT,
        origin: Some(Origin::WRITTEN),
    },
};

/// Whether the quantization of a use is symmetric, if an attribute or the types determine it.
fn symmetric(site: &Site<'_>) -> Option<bool> {
    match site.word("quant_type")? {
        "INT8_SYM" => Some(true),
        "INT8_ASYM" => Some(false),
        _ => None,
    }
}

/// Checks the shape of a tile of parameters. The row expansion of A2/A3 reads column-major tiles with one valid column, and without `tmp` also
/// row-major tiles with 8 valid columns.
fn expanded(check: &mut Check<'_>, role: &'static str) {
    let tile = check.tile(role);
    let cols = match tile.ty.blayout {
        BLayout::ColMajor => Some(1),
        BLayout::RowMajor if check.site.operand("tmp").is_none() => Some(8),
        BLayout::RowMajor => None,
    };
    let fits = cols.is_some_and(|cols| agree(tile.cols, Some(cols)));
    check.require(&EXPANDED, role, fits, |check| {
        let (tile_name, layout) = (check.name(role), tile.ty.blayout.word());
        format!("{tile_name} is {layout} with {} valid elements", tile.valid_text())
    });
}

impl Instruction for Tquant {
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
        let offset = check.site.operand("offset").is_some();
        // Without `quant_type`, the types of the operands determine the mode.
        let mode = symmetric(check.site);
        check.require(&MODE, "quant_type", mode == Some(!offset), |check| {
            let mode = check.site.word("quant_type").unwrap_or("no quant_type");
            format!("{mode} with{} offset", if offset { " an" } else { "out an" })
        });
        let target = if mode.unwrap_or(!offset) { Element::I8 } else { Element::U8 };
        holds(check, &ELEMENT, "src", &[Element::F32]);
        holds(check, &ELEMENT, "dst", &[target]);
        for role in ["scale", "offset"] {
            affine::check(check, role);
            if check.site.operand(role).is_some() {
                vec(check, role);
                expanded(check, role);
            }
        }
        if check.site.operand("tmp").is_some() {
            let (tmp, src) = (check.tile("tmp"), check.tile("src"));
            let fits = tmp.element() == Element::F32 && tmp.ty.elements() >= src.ty.elements();
            check.require(&TMP, "tmp", fits, |check| {
                format!(
                    "{} is {}, {} {}",
                    check.name("tmp"),
                    tmp.ty.brief(),
                    check.name("src"),
                    src.ty.brief()
                )
            });
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Tquant {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (src, dst) = (reference.tile("src"), reference.tile("dst"));
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let x = f32::from_bits(reference.get(&src, i, j) as u32);
                let affine = of_element(reference, i, j);
                let value = affine.quantize(x, dst.ty.element == Element::I8);
                reference.set(&dst, i, j, u64::from(value));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (src, dst, scale) = (prepare.tile("src")?, prepare.tile("dst")?, prepare.tile("scale")?);
        let offset = prepare.tile_if("offset");
        let (element, kernel) = (dst.ty.element, quantize());
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&dst);
            let [from, scales, offsets] =
                state.apart([&dst], [&src, &scale, offset.as_ref().unwrap_or(&scale)]);
            let parameters =
                Parameters { scale: (&scale, scales), offset: offset.as_ref().map(|tile| (tile, offsets)) };
            for i in 0..live.rows as usize {
                parameters.stretches(state, i, live.cols as usize, |state, col, count, affine| {
                    let (x, q) = (byte_of(&src, from, i, col), byte_of(&dst, live.address, i, col));
                    kernel(state.memory, element, x, q, count, affine);
                });
            }
            Ok(())
        }))
    }
}
