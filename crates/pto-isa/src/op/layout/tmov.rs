//! TMOV: copies a tile into a tile of another location or layout. TMOV_FP: copies with quantization parameters, or
//! with a fill value for the rest of the destination.

use super::fixpipe_rules::{self, check_mode};
use super::moving::{FILL_EFFECT, RECEIVERS, in_blocks, pipe_of, written};
use super::raw_copy;
use super::repack;
use super::tmov_rules::{self as own, pair_fits};
use super::transfer_rules as transfer;
use super::weights;
use super::zz_rules;
use crate::op::acc_pitch::{self, PitchUse};
use crate::op::accumulator;
use crate::op::attribute::AttributeSpec;
use crate::op::cost::Cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::fixpipe;
use crate::op::form::{Form, Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow, arrow_with};
use crate::op::site::{Check, Site};
use crate::op::unit_flag;
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::A5_ONLY;
use crate::rule::{Rule, join};
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::moving::{Move, Moved},
    super::raw_copy::RawCopy,
    super::repack::Repack,
    super::transfer_rules::Units,
    super::zz::Zz,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/TMOV.md";

const SHARED: &[&Rule] = join!(
    own::RULES,
    transfer::RULES,
    fixpipe_rules::RULES,
    accumulator::COLUMN_RULES,
    accumulator::CAST_RULES,
);
const RULES: &[&Rule] =
    join!(SHARED, own::PLAIN_RULES, zz_rules::RULES, accumulator::SCALAR_RULES, weights::RULES);
const RULES_FP: &[&Rule] = join!(SHARED, &[&transfer::FILL]);

/// The instruction TMOV: copies the valid region; into left, right, bias and scaling tiles the whole declared
/// matrix.
pub(super) struct Tmov {
    page: Page,
}

const FORMS: &[Form] = &[
    form!(ins(src: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, q: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp: Scaling) outs(dst: Tile)),
    form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, pre_quant => q: Scalar) outs(dst: Tile)),
    form!(ins(src: ConvTile) outs(dst: Tile)),
];
const FORMS_FP: &[Form] = &[
    form!(ins(src: Tile, fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fill: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fill: Scalar) outs(dst: Tile)),
];

const VALID: &[Patch] = &[Patch::new((0, 0), (3, 5), Paint::First, "valid region")];
const EXTENT: &[Span] = &[Span::Rows(0, 3, "R"), Span::Columns(0, 5, "C")];
const SRC: Panel = Panel::source("src", (4, 6), VALID).measured(EXTENT);
const MOVED: &[Patch] = &[Patch::new((0, 0), (3, 5), Paint::First, "f(src)")];
const DST: Panel = Panel::destination("dst", (4, 6), MOVED).measured(EXTENT);
const PICTURE: Picture = Picture::tiles(
    "row i, column j goes to row i, column j, whatever the layouts",
    &[SRC, DST],
    &[arrow((0, 0), (1, 0))],
)
.noted("Where an element lies in memory follows from each tile's own layout: `pto layout TYPE` shows it.");
const QUANTIZED: Picture = Picture::tiles(
    "with a scaling tile: column j is quantized by parameter j",
    &[
        SRC,
        Panel::source("fp", (1, 6), &[Patch::new((0, 0), (1, 5), Paint::Parameter, "fp[0, j]")])
            .in_part()
            .measured(&[Span::Columns(0, 5, "C")]),
        DST,
    ],
    &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "quantizes")],
);
const FILLED: Picture = Picture::tiles(
    "with a fill value: the rest of dst holds the value",
    &[SRC, DST.filled()],
    &[arrow((0, 0), (1, 0))],
);

pub(super) static TMOV: Tmov = Tmov {
    page: Page {
        name: "tmov",
        aliases: &["tmov.m2l", "tmov.m2r", "tmov.m2b", "tmov.m2s", "tmov.a2v", "tmov.v2v", "tmov.s2d"],
        set: Set::Layout,
        summary: "Copies a tile into a tile of another location or layout.",
        formula: "dst[i, j] = f(src[i, j]); f quantizes with q, or with fp[0, j]; devices move whole blocks from an accumulator \
                  to an NZ mat tile",
        source: SOURCE,
        syntax: Syntax::Destination(FORMS),
        attributes: &[
            RECEIVERS,
            fixpipe::RELU,
            unit_flag::OF_STORE,
            AttributeSpec::words(
                "grpAxis",
                "mx_group_axis",
                &["axis0", "axis1"],
                "In a move of MX scales to the order ZZ, with a workspace: whether a group is 32 rows of a column (axis0) or 32 \
                 columns of a row (axis1).",
            )
            .or_means("axis1, in a move with a workspace"),
        ],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src"),
            Effect::reads_parameters("fp", "src"),
            Effect::destroys("tmp"),
            Effect::writes("dst").of(Extent::like("src")),
        ],
        pictures: &[PICTURE, QUANTIZED],
        origin: Some(Origin::WRITTEN),
    },
};

pub(super) static TMOV_FP: Tmov = Tmov {
    page: Page {
        name: "tmov_fp",
        aliases: &["tmov.fp"],
        summary: "Moves with a quantization parameter for each column, or fills the rest of the destination with a value.",
        source: "docs/isa/TMOV_FP.md",
        syntax: Syntax::Destination(FORMS_FP),
        rules: RULES_FP,
        pictures: &[QUANTIZED, FILLED],
        origin: Some(Origin::WRITTEN),
        ..TMOV.page
    },
};

/// The part that is moved.
#[cfg(feature = "run")]
fn extent(moving: &Move, state: &State<'_>) -> Moved {
    let (src, dst) = (&moving.src, &moving.dst);
    let (from, to) = (state.live(src), state.live(dst));
    let size = match dst.ty.location {
        Location::Vec if src.ty.location == Location::Vec => from.size().common(to.size()),
        Location::Left | Location::Right | Location::Bias | Location::Scaling => {
            src.size().common(dst.size())
        }
        _ => from.size(),
    };
    Moved { size, ..Moved::default() }
}

impl Instruction for Tmov {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        pipe_of(site)
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const RAW: Otherwise = Otherwise::of(
            A5_ONLY,
            "A move from vec to mat copies whole blocks of 32 bytes in memory order and rearranges nothing; from ZN and ZZ it \
             copies nothing.",
            Here::SameBits,
            "docs/isa/TMOV.md; include/pto/npu/a5/TMov.hpp, TExtractVecToMat",
        );
        const SCALES: Otherwise = Otherwise::of(
            A5_ONLY,
            "A move to ZZ reads a compact prefix of the source, and overwrites the bytes of the source after this prefix with \
             zeros.",
            Here::SameBits,
            "docs/PTO_IR_manual.md of the public assembler; include/pto/npu/a5/TMov.hpp",
        );
        vec![acc_pitch::otherwise(), RAW, SCALES]
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        acc_pitch::of_reader(site, "src", |src| acc_pitch::moved(site, src))
    }

    /// Between vec tiles, the intersection of both valid regions is copied; operands of products receive the
    /// intersection of both declared shapes; an accumulator and all others move their valid region, an accumulator
    /// to the vector cores that the mode names. A fill value writes the rest of the destination.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        if weights::is_weights(site) {
            return weights::effects();
        }
        let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return Vec::new() };
        if site.operand("tmp").is_some() {
            return super::zz::effects(site);
        }
        if raw_copy::is_raw(site) {
            return raw_copy::effects(site);
        }
        if repack::turns_pairs(site) {
            return repack::effects(site);
        }
        let mut effects = site.held(self.page.effects);
        effects.pop();
        match dst.location() {
            Location::Vec if src.location() == Location::Vec => {
                let shared = |other| Extent::Rect(Count::SharedRows(other), Count::SharedCols(other));
                effects[0] = Effect::reads("src").of(shared("dst"));
                effects.push(Effect::writes("dst").of(shared("src")));
            }
            Location::Left | Location::Right | Location::Bias | Location::Scaling => {
                let (rows, cols) = (src.ty.rows.min(dst.ty.rows), src.ty.cols.min(dst.ty.cols));
                let declared = Extent::Rect(Count::Fixed(rows), Count::Fixed(cols));
                effects[0] = Effect::reads("src").of(declared).holding(Extent::VALID);
                effects.push(Effect::writes("dst").of(declared).holding(Extent::like("src")));
            }
            _ => {
                effects.extend(written(site, "src", ["", ""]));
                effects = in_blocks(site, effects);
            }
        }
        effects.extend(site.operand("fill").map(|_| FILL_EFFECT));
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        if weights::is_weights(check.site) {
            return weights::check(check, true);
        }
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (profile, from, to) = (check.profile(), src.location(), dst.location());
        own::spelling(check);
        let pair = check.require(&own::PAIR, "dst", pair_fits(profile, src, dst), |_| {
            own::pair_message(profile, src, dst)
        });
        // The rules below assume a legal pair of tiles.
        if !pair || !transfer::profile_types(check) || !check_mode(check) {
            return;
        }
        if check.site.operand("tmp").is_some() || check.site.attribute("grpAxis").is_some() {
            return zz_rules::check(check, src, dst);
        }
        own::shape(check, src, dst);
        accumulator::relu(check, dst.element());
        accumulator::quantization(check, dst.element(), src.cols);
        transfer::fill(check);
        match (from, to) {
            (Location::Acc, Location::Mat | Location::Vec) => fixpipe_rules::check(check, src.rows, src.cols),
            (Location::Mat, Location::Bias) => own::bias(check, src, dst),
            (Location::Mat, Location::Scaling) => own::scaling(check, src, dst),
            (Location::Mat, Location::Left | Location::Right) => own::operand(check, src, dst),
            (Location::Vec, Location::Vec) => own::vec(check, src, dst),
            (Location::Vec, Location::Mat) => own::vec_to_mat(check, src, dst),
            _ => transfer::same_type(check),
        }
        own::room(check, src, dst);
    }
}

#[cfg(feature = "run")]
impl Compute for Tmov {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if weights::is_weights(reference.prepare().site) {
            return weights::by_formula(reference);
        }
        if let Some(zz) = Zz::of(reference.prepare()).map_err(Fault::Other)? {
            return zz.by_formula(reference);
        }
        if let Some(raw) = RawCopy::of(reference.prepare()).map_err(Fault::Other)? {
            return raw.by_formula(reference);
        }
        if let Some(repack) = Repack::of(reference.prepare()).map_err(Fault::Other)? {
            return repack.by_formula(reference);
        }
        let moving = Move::of(reference.prepare(), Units::ANY, Units::ANY).map_err(Fault::Other)?;
        let extent = extent(&moving, reference.state());
        moving.by_formula(reference, &extent)?;
        moving.fill_by_formula(reference, &extent);
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if weights::is_weights(prepare.site) {
            return weights::prepare(prepare);
        }
        if let Some(zz) = Zz::of(prepare)? {
            return Ok(Box::new(move |state: &mut State<'_>| zz.run(state)));
        }
        if let Some(raw) = RawCopy::of(prepare)? {
            return Ok(Box::new(move |state: &mut State<'_>| raw.run(state)));
        }
        if let Some(repack) = Repack::of(prepare)? {
            return Ok(Box::new(move |state: &mut State<'_>| repack.run(state, [None; 2])));
        }
        let moving = Move::of(prepare, Units::ANY, Units::ANY)?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let extent = extent(&moving, state);
            moving.run(state, &extent)?;
            moving.fill(state, &extent);
            Ok(())
        }))
    }
}
