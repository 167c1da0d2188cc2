//! TEXTRACT: copies a window of a tile into another tile. TEXTRACT_FP: copies with quantization parameters, or
//! with a fill value for the rest of the destination.

use super::fixpipe_rules::{self, MODE_LAYOUT, check_mode};
use super::moving::{FILL_EFFECT, FP_FORMS, RECEIVERS, Receivers, in_blocks, pipe_of, written};
use super::repack;
use super::textract_rules::{
    self, ALIGNED, DIVIDES, MAT_LAYOUT, PAIR, RIGHT, SIZE, SOURCE, TYPES, VEC_LAYOUT, VECTOR_ROW, WINDOW,
    pair_fits,
};
use super::textract_two;
use super::transfer_rules::{self as transfer, Units};
use super::weights;
use crate::layout::{LayoutName, c0};
use crate::memory::Buffer;
use crate::op::acc_pitch::{self, PitchUse};
use crate::op::accumulator;
use crate::op::cost::Cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::fixpipe;
use crate::op::form::{Form, Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::Otherwise;
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow, arrow_with};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, Profile};
use crate::rule::{Rule, join};
use crate::tile::{Location, TileType};
#[cfg(feature = "run")]
use {
    super::moving::{Move, Moved, offsets, start},
    super::repack::Repack,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::{Position, Size},
    crate::op::Compute,
};

const OWN: &[&Rule] =
    &[&WINDOW, &PAIR, &TYPES, &MAT_LAYOUT, &ALIGNED, &VECTOR_ROW, &SIZE, &VEC_LAYOUT, &DIVIDES, &MODE_LAYOUT];
const SHARED: &[&Rule] = join!(
    OWN,
    transfer::RULES,
    &[&transfer::LISTED],
    fixpipe_rules::RULES,
    accumulator::COLUMN_RULES,
    accumulator::CAST_RULES,
);
const RULES: &[&Rule] =
    join!(SHARED, &[&RIGHT], accumulator::SCALAR_RULES, textract_two::RULES, weights::RULES);
const RULES_FP: &[&Rule] = join!(SHARED, &[&transfer::FILL]);

/// The instruction TEXTRACT: copies the window at (row, col).
pub(super) struct Textract {
    page: Page,
}

const FORMS: &[Form] = &[
    form!(ins(src: Tile, row: Scalar, col: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, q: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, row0: Scalar, col0: Scalar, row1: Scalar, col1: Scalar) outs(dst0: Tile, dst1: Tile)),
    form!(ins(src: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: ConvTile, row: Scalar, col: Scalar) outs(dst: Tile)),
];

const SRC: Panel = Panel::source(
    "src",
    (7, 10),
    &[Patch::new((2, 3), (3, 4), Paint::First, "window, as large as dst's valid region")],
)
.in_part()
.measured(&[Span::Rows(0, 2, "indexRow"), Span::Columns(0, 3, "indexCol")]);
const VALID: &[Patch] = &[Patch::new((0, 0), (3, 4), Paint::First, "f(src)")];
const DST: Panel =
    Panel::destination("dst", (4, 6), VALID).measured(&[Span::Rows(0, 3, "R"), Span::Columns(0, 4, "C")]);
const PICTURE: Picture = Picture::tiles(
    "the window at (indexRow, indexCol) becomes the valid region of dst",
    &[SRC, DST],
    &[arrow((0, 0), (1, 0))],
)
.noted("A left or right tile is filled in its whole declared shape.");
const QUANTIZED: Picture = Picture::tiles(
    "with a scaling tile: column indexCol + j of src is quantized by the parameter of that column",
    &[
        SRC,
        Panel::source("fp", (1, 10), &[Patch::new((0, 3), (1, 4), Paint::Parameter, "fp[0, indexCol + j]")])
            .in_part()
            .measured(&[Span::Columns(0, 3, "indexCol")]),
        DST,
    ],
    &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "quantizes")],
);
const FILLED: Picture = Picture::tiles(
    "with a fill value: the rest of dst holds the value",
    &[SRC, Panel::destination("dst", (4, 6), VALID).filled()],
    &[arrow((0, 0), (1, 0))],
);

/// One parameter per column of the window; parameters are counted from the source's first column.
const PARAMETERS: Extent = Extent::Window(Count::Fixed(1), Count::Cols("dst"), ["", "col"]);

pub(super) static TEXTRACT: Textract = Textract {
    page: Page {
        name: "textract",
        aliases: &[],
        set: Set::Layout,
        summary: "Copies the window at (row, col) of a tile into another tile, or two windows into two tiles.",
        formula: "dst[i, j] = f(src[row + i, col + j]); f quantizes with q, or with fp[0, col + j]; devices write whole blocks \
                  from an accumulator to an NZ mat tile; dst0[i, j] = src[row0 + i, col0 + j], dst1[i, j] = src[row1 + i, col1 \
                  + j]",
        source: SOURCE,
        syntax: Syntax::Destination(FORMS),
        attributes: &[RECEIVERS, fixpipe::RELU],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src").of(Extent::Window(Count::Rows("dst"), Count::Cols("dst"), ["row", "col"])),
            Effect::reads_parameters("fp", "dst").of(PARAMETERS),
            Effect::reads("src").of(Extent::Window(
                Count::Rows("dst0"),
                Count::Cols("dst0"),
                ["row0", "col0"],
            )),
            Effect::reads("src").of(Extent::Window(
                Count::Rows("dst1"),
                Count::Cols("dst1"),
                ["row1", "col1"],
            )),
            Effect::writes("dst"),
            Effect::writes("dst0"),
            Effect::writes("dst1"),
        ],
        pictures: &[PICTURE, QUANTIZED],
        origin: Some(Origin::WRITTEN),
    },
};

pub(super) static TEXTRACT_FP: Textract = Textract {
    page: Page {
        name: "textract_fp",
        aliases: &["textract.fp"],
        summary: "Extracts with a quantization parameter for each column, or fills the rest of the destination with a value.",
        source: "docs/isa/TEXTRACT_FP.md",
        syntax: Syntax::Destination(FP_FORMS),
        rules: RULES_FP,
        pictures: &[QUANTIZED, FILLED],
        origin: Some(Origin::WRITTEN),
        ..TEXTRACT.page
    },
};

/// Profiles that require offsets to be multiples of [`Units`].
const EXTRACTS_UNITS: &[Profile] = A2A3_ONLY;

pub(super) fn is_operand(location: Location) -> bool {
    matches!(location, Location::Left | Location::Right)
}

/// Offsets must be multiples of these units.
fn units(site: &Site<'_>) -> Units {
    let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return Units::ANY };
    if !EXTRACTS_UNITS.contains(&site.profile) {
        return Units::ANY;
    }
    let wide = c0(dst.element()) as usize;
    let along = src.layout().name == LayoutName::Nz;
    let turned = if dst.element().bits() == 8 { 32 } else { 16 };
    match (src.location(), dst.location()) {
        (Location::Mat, _) if transfer::is_vector_row(src) => Units::ANY,
        (Location::Mat, Location::Left) if along => Units { row: 16, col: wide },
        (Location::Mat, Location::Right) if !along => Units { row: wide, col: 16 },
        (Location::Mat, Location::Left | Location::Right) => Units { row: turned, col: turned },
        (Location::Vec, Location::Vec) if (dst.rows, dst.cols) != (Some(1), Some(1)) => {
            match src.layout().name {
                LayoutName::Nz => Units { row: 16, col: wide },
                _ => Units { row: 1, col: wide },
            }
        }
        _ => Units::ANY,
    }
}

/// The box to whose multiples a compact left or right tile is filled; `None` for a tile that is filled completely.
fn compact_box(ty: &TileType) -> Option<(u32, u32)> {
    let layout = ty.layout();
    ty.is_compact().then_some((layout.box_rows as u32, layout.box_cols as u32))
}

/// Rows and columns that a left or right tile receives: the declared ones, or for a compact tile the boxes of its
/// valid region.
pub(super) fn operand_extent(ty: &TileType, rows: Option<u32>, cols: Option<u32>) -> [Option<u32>; 2] {
    match compact_box(ty) {
        None => [Some(ty.rows), Some(ty.cols)],
        Some((tall, wide)) => {
            let up = |extent: Option<u32>, unit: u32, most: u32| {
                extent.map(|extent| extent.next_multiple_of(unit).min(most))
            };
            [up(rows, tall, ty.rows), up(cols, wide, ty.cols)]
        }
    }
}

/// Whether both vector cores receive a half of the source's valid region, regardless of the destination's. Source:
/// `include/pto/npu/a5/TExtract.hpp`, TExtractAccToVec.
pub(super) fn is_halved(site: &Site<'_>) -> bool {
    let vec = site.tile("dst").is_some_and(|dst| dst.location() == Location::Vec);
    vec && Receivers::of(site).is_dual()
}

/// The moved part: the valid region of the destination, or of the source in dual modes; into left and right tiles
/// the declared matrix, or its boxes with valid elements.
#[cfg(feature = "run")]
fn extent(moving: &Move, state: &State<'_>, row: u64, col: u64) -> Moved {
    let live = state.live(if moving.receivers.is_dual() { &moving.src } else { &moving.dst });
    let ty = &moving.dst.ty;
    let [rows, cols] = match is_operand(ty.location) {
        true => operand_extent(ty, Some(live.rows), Some(live.cols)).map(Option::unwrap_or_default),
        false => [live.rows, live.cols],
    };
    let size = Size { rows: rows as usize, cols: cols as usize };
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    Moved { from: Position { row: at(row), col: at(col) }, size, scale: at(col), ..Moved::default() }
}

impl Instruction for Textract {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        pipe_of(site)
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        vec![acc_pitch::otherwise()]
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        acc_pitch::of_reader(site, "src", |src| acc_pitch::extracted(site, src))
    }

    /// Left and right tiles receive their declared shape; in other tiles a fill value writes the rest.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        if weights::is_weights(site) {
            return weights::effects();
        }
        let Some(dst) = site.tile("dst") else {
            return textract_two::effects(site, site.held(self.page.effects));
        };
        if repack::turns_pairs(site) {
            return repack::effects(site);
        }
        if is_operand(dst.location()) {
            let window = |rows, cols| Extent::Window(rows, cols, ["row", "col"]);
            let (read, written) = match compact_box(&dst.ty) {
                None => (window(Count::DeclaredRows("dst"), Count::DeclaredCols("dst")), Extent::DECLARED),
                Some((tall, wide)) => (
                    window(Count::RoundedRows("dst", tall), Count::RoundedCols("dst", wide)),
                    Extent::Rect(Count::RoundedUp(tall), Count::RoundedUp(wide)),
                ),
            };
            let values = window(Count::Rows("dst"), Count::Cols("dst"));
            return vec![
                Effect::reads("src").of(read).holding(values),
                Effect::writes("dst").of(written).holding(Extent::VALID),
            ];
        }
        let mut effects = site.held(self.page.effects);
        effects.pop();
        if is_halved(site) {
            let whole = Extent::Window(Count::Rows("src"), Count::Cols("src"), ["row", "col"]);
            return std::iter::once(Effect::reads("src").of(whole))
                .chain(written(site, "src", ["", ""]))
                .chain(site.operand("fill").map(|_| FILL_EFFECT))
                .collect();
        }
        effects.extend(written(site, "dst", ["", ""]));
        let mut effects = in_blocks(site, effects);
        effects.extend(site.operand("fill").map(|_| FILL_EFFECT));
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        if weights::is_weights(check.site) {
            return weights::check(check, false);
        }
        if check.site.operand("dst0").is_some() {
            return textract_two::check(check);
        }
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (profile, from, to) = (check.profile(), src.location(), dst.location());
        let parameters = profile.is_device() && dst.ty.buffer() == Buffer::Fixpipe;
        let pair = check.require(&PAIR, "dst", pair_fits(profile, from, to) && !parameters, |check| {
            if parameters {
                return format!(
                    "{} is in the fixpipe buffer: move quantization parameters with tmov",
                    check.name("dst")
                );
            }
            transfer::pair_message("extract", profile, from, to, pair_fits)
        });
        // The rules below assume a legal pair of tiles.
        if !pair || !transfer::profile_types(check) || !check_mode(check) {
            return;
        }
        textract_rules::window(check, src, dst);
        accumulator::relu(check, dst.element());
        let col =
            check.site.scalar("col").and_then(|(_, value)| value).and_then(|col| u32::try_from(col).ok());
        accumulator::quantization(
            check,
            dst.element(),
            col.zip(dst.cols).map(|(col, cols)| col.saturating_add(cols)),
        );
        transfer::fill(check);
        if from == Location::Acc && matches!(to, Location::Mat | Location::Vec) {
            let moved = if is_halved(check.site) { src } else { dst };
            fixpipe_rules::check(check, moved.rows, moved.cols);
            let nd = dst.layout().name == LayoutName::Nd;
            let known = nd || matches!(dst.layout().name, LayoutName::Nz | LayoutName::Dn);
            let fits = nd || !known || Receivers::of(check.site) == Receivers::Here;
            check.require(&MODE_LAYOUT, "dst", fits, |check| {
                format!("{} is {}", check.name("dst"), dst.layout().name.word())
            });
        } else {
            transfer::same_type(check);
        }
        match from {
            Location::Mat => textract_rules::mat(check, src, dst),
            Location::Vec => textract_rules::vec(check, src, dst),
            _ => {}
        }
        transfer::aligned(check, &ALIGNED, units(check.site));
    }
}

#[cfg(feature = "run")]
impl Compute for Textract {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if weights::is_weights(reference.prepare().site) {
            return weights::by_formula(reference);
        }
        if reference.tile_if("dst0").is_some() {
            return textract_two::by_formula(reference);
        }
        if let Some(repack) = Repack::of(reference.prepare()).map_err(Fault::Other)? {
            return repack.by_formula(reference);
        }
        let moving = Move::of(reference.prepare(), units(reference.prepare().site), Units::ANY)
            .map_err(Fault::Other)?;
        let offsets = offsets(reference.prepare());
        let (row, col) = start(reference.state(), offsets);
        let extent = extent(&moving, reference.state(), row, col);
        moving.by_formula(reference, &extent)?;
        moving.fill_by_formula(reference, &extent);
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if weights::is_weights(prepare.site) {
            return weights::prepare(prepare);
        }
        if prepare.tile_if("dst0").is_some() {
            return textract_two::prepare(prepare);
        }
        let offsets = offsets(prepare);
        if let Some(repack) = Repack::of(prepare)? {
            return Ok(Box::new(move |state: &mut State<'_>| repack.run(state, offsets)));
        }
        let moving = Move::of(prepare, units(prepare.site), Units::ANY)?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let (row, col) = start(state, offsets);
            let extent = extent(&moving, state, row, col);
            moving.run(state, &extent)?;
            moving.fill(state, &extent);
            Ok(())
        }))
    }
}
