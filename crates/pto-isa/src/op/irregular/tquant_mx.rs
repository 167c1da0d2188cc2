//! TQUANT.MX: quantizes groups of 32 elements with a shared power-of-two scale.

use super::mx_groups::Plan;
use super::shared::{ROWS, holds, rows};
use super::tquant_mx_rules::{self, CAPACITY, COLUMNS, FORM, GROUPS, NARROW, OUTPUTS, REGION, STRIDE, ZZ};
use crate::element::Element;
use crate::op::attribute::AttributeSpec;
use crate::op::common::{SAME_TYPE, SAME_VALID, VEC, same_type, vec};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::mx_groups::{GroupPosition, Holds, zz},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::Layout,
    crate::matrix::Position,
    crate::op::Compute,
    pto_kernels::mx::{Group, Run, quantize_group},
    pto_num::{set_element, set_value},
};

const SOURCE: &str = "docs/isa/TQUANT.md";

const PROFILE: Rule =
    Rule::new("profile", "A2/A3 has no MX quantization.", "docs/isa/TQUANT.md, Supported Input Dtypes")
        .because("The kernel does not compile for A2/A3, which has no MX formats.")
        .instead("Quantize to int8 with `quant_type` INT8_SYM or INT8_ASYM.")
        .only(A2A3_ONLY);
const MODE: Rule = Rule::new(
    "mode",
    "quant_type is MXFP8 or MXFP4_E2M1, quantScaleAlg ocp or nv, grpAxis axis0 or axis1; interleave is for axis0.",
    "docs/isa/TQUANT_DN.md",
)
.because("The attributes decide format, rounding of exponents and direction of groups.")
.instead("Write the values in the statement.");
const ELEMENT: Rule = Rule::new(
    "element-type",
    "MXFP8 converts f32, f16 and bf16 to i8 or ui8. MXFP4_E2M1 converts f16 and bf16, in the simulator also f32, to f4E2M1x2 \
     with extents in pairs. Exponents are ui8, i8 or f8E8M0.",
    "docs/isa/TQUANT.md, Supported Input Dtypes",
)
.because("The device quantizes between these formats only.")
.instead("Convert the source with TCVT, and declare the destination for the mode.");
/// The reason why tiles of exponents, maxima and scalings are not written completely.
const PER_GROUP: &str = "one element is written for each group of 32";

pub(super) const OUTS: [&str; 5] = ["dst", "exp", "max", "scaling", "exp_zz"];

/// The instruction TQUANT.MX.
pub(super) struct TquantMx {
    page: Page,
}

pub(super) static TQUANT_MX: TquantMx = TquantMx {
    page: Page {
        name: "tquant.mx",
        aliases: &[],
        set: Set::Irregular,
        summary: "Quantizes groups of 32 elements of a row or a column to 8-bit or 4-bit floats that share a power of two.",
        formula: "max = greatest magnitude of a group; exp = 127 + exponent of max - exponent of the format's greatest value \
                  (nv: 127 + exponent of max / greatest value, rounded up); scaling = 2^(127 - exp); dst = src * scaling, \
                  rounded to nearest even, saturated",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile) outs(dst: Tile, exp: Tile, max: Tile, scaling: Tile)),
            form!(ins(src: Tile) outs(dst: Tile, exp: Tile, max: Tile, scaling: Tile, exp_zz: Tile)),
        ]),
        attributes: &[
            AttributeSpec::words(
                "quant_type",
                "quant_type",
                &["MXFP8", "MXFP4_E2M1"],
                "The format of the elements: e4m3 or e2m1.",
            ),
            AttributeSpec::words(
                "quantScaleAlg",
                "quant_scale_alg",
                &["ocp", "nv"],
                "The rule that gives the exponent of a group from its greatest magnitude.",
            )
            .or_word("ocp"),
            AttributeSpec::words(
                "grpAxis",
                "mx_group_axis",
                &["axis0", "axis1"],
                "Whether a group is 32 rows of a column (axis0) or 32 columns of a row (axis1).",
            )
            .or_word("axis1"),
            AttributeSpec::boolean(
                "interleave",
                "With axis0: whether exponents of two groups lie side by side.",
            )
            .or_bool(false),
            AttributeSpec::words(
                "storeMode",
                "vec_store_mode",
                &["nz"],
                "The order in which the device writes its results; no result here depends on it.",
            )
            .or_means("the order that follows from the tiles"),
        ],
        rules: &[
            &PROFILE,
            &VEC,
            &ROWS,
            &SAME_VALID,
            &SAME_TYPE,
            &MODE,
            &ELEMENT,
            &GROUPS,
            &REGION,
            &ZZ,
            &COLUMNS,
            &CAPACITY,
            &STRIDE,
            &FORM,
            &NARROW,
            &OUTPUTS,
        ],
        cost: cost::SEVERAL,
        effects: &[
            Effect::reads("src"),
            Effect::writes("dst"),
            Effect::writes_parts("exp", PER_GROUP).of(Extent::Storage),
            Effect::writes_parts("max", PER_GROUP).of(Extent::Storage),
            Effect::writes_parts("scaling", PER_GROUP).of(Extent::Storage),
            Effect::writes_parts("exp_zz", PER_GROUP).of(Extent::Storage),
        ],
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

/// Profiles that fill the rest of the rows of 16-bit sources with zeros, in place.
const CLEARS: &[Profile] = A5_ONLY;

/// Whether a use fills up the rows of its source with zeros.
fn clears(site: &Site<'_>) -> bool {
    let padded = |src: &TileFact| src.element().bits() == 16 && src.cols != Some(src.ty.cols);
    CLEARS.contains(&site.profile) && site.tile("src").is_some_and(padded)
}

/// Positions of the elements of a tile in these rows, from column `first` up to column `end`.
#[cfg(feature = "run")]
fn tail(rows: usize, first: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (first..end).map(move |col| (row, col)))
}

impl Instruction for TquantMx {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const TAIL: Otherwise = Otherwise::of(
            A5_ONLY,
            "Columns of a 16-bit source outside the valid region become zero.",
            Here::SameBits,
            "docs/isa/TQUANT.md; include/pto/npu/a5/TQuant.hpp, ZeroPadSourceTile",
        );
        const SPARE: Otherwise = Otherwise::of(
            A5_ONLY,
            "Elements of a flat exponent tile after those of the groups have undefined contents.",
            Here::Undefined,
            "docs/PTO_IR_manual.md of the public assembler; include/pto/npu/a5/TQuant.hpp",
        );
        vec![TAIL, SPARE]
    }

    /// Columns of a 16-bit source that are not valid are zero afterwards.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        const ZEROS: &str = "columns outside the valid region become zero";
        let mut effects = site.held(self.page.effects);
        if clears(site) {
            effects.insert(1, Effect::writes_parts("src", ZEROS).of(Extent::DECLARED));
        }
        let behind = Plan::of(site).map_or(0, |plan| tquant_mx_rules::overwritten(site, plan));
        if behind > 0 {
            effects.push(Effect::destroys("scaling").of(Extent::Behind(behind)));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        check.require(&PROFILE, "src", false, |_| "a2a3 has no MX quantization".to_owned());
        for role in ["src", "dst", "exp", "max", "scaling"] {
            rows(check, role);
        }
        if check.site.operand("exp_zz").is_some() {
            vec(check, "exp_zz");
        }
        same_type(check, "max", "src");
        same_type(check, "scaling", "src");
        let plan = Plan::of(check.site);
        tquant_mx_rules::destination(check, plan);
        check.require(&MODE, "quant_type", plan.is_some(), |check| {
            let word = |name: &str| check.site.word(name).unwrap_or("-").to_owned();
            format!(
                "quant_type {}, quantScaleAlg {}, grpAxis {}",
                word("quant_type"),
                word("quantScaleAlg"),
                word("grpAxis")
            )
        });
        let Some(plan) = plan else { return };
        let narrow = plan.mx.target == Element::E2M1x2;
        let wide = !narrow || !check.profile().is_device();
        let sources = if wide {
            &[Element::F16, Element::Bf16, Element::F32][..]
        } else {
            &[Element::F16, Element::Bf16]
        };
        holds(check, &ELEMENT, "src", sources);
        holds(check, &ELEMENT, "dst", if narrow { &[Element::E2M1x2] } else { &[Element::I8, Element::U8] });
        holds(check, &ELEMENT, "exp", &[Element::U8, Element::I8, Element::E8M0]);
        tquant_mx_rules::check(check, plan);
    }
}

#[cfg(feature = "run")]
impl Compute for TquantMx {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let plan = Plan::of(reference.prepare().site).ok_or(Fault::Rule)?;
        let src = reference.tile("src");
        let (dst, exp) = (reference.tile("dst"), reference.tile("exp"));
        let (max, scaling) = (reference.tile("max"), reference.tile("scaling"));
        let region = reference.valid(&src);
        let (lines, groups) = plan.counts(region);
        for line in 0..lines {
            for group in 0..groups {
                let position = GroupPosition { line, group, groups };
                let elements: Vec<_> =
                    (0..plan.count(position, region)).map(|k| plan.element(position, k)).collect();
                let bits = |at: &Position| reference.get(&src, at.row, at.col);
                let magnitude = elements.iter().map(|at| plan.mx.magnitude(bits(at))).max().unwrap_or(0);
                let exponent = plan.mx.exponent(magnitude);
                let factor = plan.mx.scaling(exponent);
                let codes: Vec<_> = elements.iter().map(|at| plan.mx.code(bits(at), factor)).collect();
                for (at, code) in elements.iter().zip(codes) {
                    reference.set_value(&dst, at.row, at.col, code);
                }
                let outs = [
                    (&max, magnitude, Holds::Values),
                    (&exp, exponent.into(), Holds::Exponents),
                    (&scaling, factor, Holds::Values),
                ];
                for (tile, bits, of) in outs {
                    let wide = reference.valid(tile).cols;
                    let (row, col) = plan.of_group(tile, wide, position, of);
                    reference.set(tile, row, col, bits);
                }
                if let Some(tile) = reference.tile_if("exp_zz") {
                    let state = reference.state();
                    let at = state.live(&tile).address + zz(position);
                    state.memory[at] = exponent;
                }
            }
        }
        let filled = reference.valid_values(&dst).cols;
        tail(region.rows, region.cols, filled).for_each(|(row, col)| reference.set_value(&dst, row, col, 0));
        if clears(reference.prepare().site) {
            tail(region.rows, region.cols, src.cols())
                .for_each(|(row, col)| reference.set(&src, row, col, 0));
        }
        let behind = tquant_mx_rules::overwritten(reference.prepare().site, plan);
        spoil(reference.state(), &scaling, behind);
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let plan =
            Plan::of(prepare.site).filter(|plan| plan.mx.exists()).ok_or("there is no such quantization")?;
        let src = prepare.tile("src")?;
        let [dst, exp, max, scaling, exp_zz] = OUTS.map(|role| prepare.tile_if(role));
        let missing = "an operand is not a tile";
        let (dst, exp) = (dst.ok_or(missing)?, exp.ok_or(missing)?);
        let (max, scaling) = (max.ok_or(missing)?, scaling.ok_or(missing)?);
        let values = dst.layout.of_values(dst.ty.element);
        let clears = clears(prepare.site);
        let behind = tquant_mx_rules::overwritten(prepare.site, plan);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let region = live.size();
            let outs = [&dst, &exp, &max, &scaling, exp_zz.as_ref().unwrap_or(&exp)];
            let [from] = state.apart(outs, [&src]);
            let to = state.live(&dst).address;
            let (lines, groups) = plan.counts(region);
            for line in 0..lines {
                for group in 0..groups {
                    let position = GroupPosition { line, group, groups };
                    let run = |start, layout: &Layout| {
                        let Position { row, col } = plan.element(position, 0);
                        let step = if plan.down { layout.offset(1, 0) } else { 1 };
                        Run { start, first: layout.offset(row, col), step }
                    };
                    let (source, target) = (run(from, &src.layout), (run(to, &values), dst.ty.element));
                    let Group { magnitude, exponent, scaling: factor } =
                        quantize_group(state.memory, plan.mx, plan.count(position, region), source, target);
                    let outs = [
                        (&max, magnitude, Holds::Values),
                        (&exp, exponent.into(), Holds::Exponents),
                        (&scaling, factor, Holds::Values),
                    ];
                    for (tile, bits, of) in outs {
                        let live = state.live(tile);
                        let (row, col) = plan.of_group(tile, live.cols as usize, position, of);
                        let (base, at) = (live.address, tile.layout.offset(row, col));
                        set_element(state.memory, base, at, tile.ty.element, bits);
                    }
                    if let Some(tile) = &exp_zz {
                        let at = state.live(tile).address + zz(position);
                        state.memory[at] = exponent;
                    }
                }
            }
            let valid = state.live(&dst);
            let filled = dst.values_in(valid.size()).cols;
            for (row, col) in tail(region.rows, region.cols, filled) {
                set_value(state.memory, to, values.offset(row, col), dst.ty.element, 0);
            }
            if clears {
                for (row, col) in tail(region.rows, region.cols, src.cols()) {
                    set_element(state.memory, live.address, src.layout.offset(row, col), src.ty.element, 0);
                }
            }
            spoil(state, &scaling, behind);
            Ok(())
        }))
    }
}

/// Overwrites `bytes` bytes after a tile, which the device fills with the rest of its last vector.
#[cfg(feature = "run")]
fn spoil(state: &mut State<'_>, tile: &Tile, bytes: u32) {
    let start = state.live(tile).address + tile.ty.bytes();
    let end = (start + bytes as usize).min(state.memory.len());
    if start < end {
        state.memory[start..end].fill(0xff);
    }
}
