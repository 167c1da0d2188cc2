//! TINSERT: copies a tile into a window of another tile. TINSERT_FP: copies with quantization parameters, or with
//! a fill value for the rest of the destination, which it leaves unchanged.

use super::fixpipe_rules::{self, check_mode};
use super::moving::{FP_FORMS, RECEIVERS, Receivers, in_blocks, pipe_of, written};
use super::tinsert_rules::{
    ALIGNED, BOUNDS, LAYOUT, ND_ROW, NZ_COLS, PAIR, PHYSICAL, SOURCE, SPLIT, SPLIT_PAIR,
};
use super::transfer_rules::{self as transfer, Units};
use crate::attribute::{Attribute, NamedAttribute, find};
use crate::diag::Severity;
use crate::element::element_word;
use crate::layout::{LayoutName, c0};
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
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, CPU_AND_A5, PerProfile, Profile};
use crate::rule::{Rule, join};
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::moving::{Move, Moved, offsets, start},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Position,
    crate::op::Compute,
};

const OWN: &[&Rule] = &[&BOUNDS, &PHYSICAL, &PAIR, &LAYOUT, &ND_ROW, &NZ_COLS, &ALIGNED, &SPLIT, &SPLIT_PAIR];
const SHARED: &[&Rule] = join!(
    OWN,
    transfer::RULES,
    &[&transfer::LISTED],
    fixpipe_rules::RULES,
    accumulator::COLUMN_RULES,
    accumulator::CAST_RULES,
);
const RULES: &[&Rule] = join!(SHARED, accumulator::SCALAR_RULES);
const RULES_FP: &[&Rule] = join!(SHARED, &[&transfer::FILL]);

/// Copies the valid region of the source to (row, col) of the destination.
pub(super) struct Tinsert {
    page: Page,
}

const FORMS: &[Form] = &[
    form!(ins(src: Tile, row: Scalar, col: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, pre_quant => q: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, row: Scalar, col: Scalar, fp => fp: Tile) outs(dst: Tile)),
    form!(ins(src: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, pre_quant => q: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fp: Tile) outs(dst: Tile)),
];

const SRC: Panel = Panel::source("src", (4, 6), &[Patch::new((0, 0), (3, 4), Paint::First, "valid region")])
    .measured(&[Span::Rows(0, 3, "R"), Span::Columns(0, 4, "C")]);
const DST: Panel = Panel::destination("dst", (7, 10), &[Patch::new((2, 3), (3, 4), Paint::First, "f(src)")])
    .kept()
    .measured(&[Span::Rows(0, 2, "indexRow"), Span::Columns(0, 3, "indexCol")]);
const PICTURE: Picture = Picture::tiles(
    "the valid region of src lands at (indexRow, indexCol)",
    &[SRC, DST],
    &[arrow((0, 0), (1, 0))],
);
const QUANTIZED: Picture = Picture::tiles(
    "with a scaling tile: column j of src is quantized by parameter j",
    &[
        SRC,
        Panel::source("fp", (1, 6), &[Patch::new((0, 0), (1, 4), Paint::Parameter, "fp[0, j]")])
            .in_part()
            .measured(&[Span::Columns(0, 4, "C")]),
        DST,
    ],
    &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "quantizes")],
)
.noted("The parameters are counted from the first column of src, not of dst.");

pub(super) static TINSERT: Tinsert = Tinsert {
    page: Page {
        name: "tinsert",
        aliases: &[],
        set: Set::Layout,
        summary: "Copies a tile into the window at (row, col) of another tile; the rest of the other tile stays.",
        formula: "dst[row + i, col + j] = f(src[i, j]); f quantizes with q, or with fp[0, j]; devices insert whole blocks of an \
                  accumulator (A2/A3 in all declared rows), and A5 also of an NZ vec tile",
        source: SOURCE,
        syntax: Syntax::Destination(FORMS),
        attributes: &[
            RECEIVERS,
            fixpipe::RELU,
            AttributeSpec::words(
                "tinsertMode",
                "tinsert_mode",
                &["split2", "split4"],
                "Moves an NZ tile of UB to L1 in two or four parts (A5).",
            )
            .or_means("one part"),
        ],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src"),
            Effect::reads_parameters("fp", "src"),
            Effect::writes("dst").of(WINDOW),
        ],
        pictures: &[PICTURE, QUANTIZED],
        origin: Some(Origin::WRITTEN),
    },
};

pub(super) static TINSERT_FP: Tinsert = Tinsert {
    page: Page {
        name: "tinsert_fp",
        aliases: &["tinsert.fp"],
        summary: "Inserts with a quantization parameter for each column, or with a fill value, which has no effect.",
        source: "docs/isa/TINSERT_FP.md",
        syntax: Syntax::Destination(FP_FORMS),
        rules: RULES_FP,
        pictures: &[QUANTIZED],
        origin: Some(Origin::WRITTEN),
        ..TINSERT.page
    },
};

/// The window of the destination that receives the source.
const WINDOW: Extent = Extent::Window(Count::Rows("src"), Count::Cols("src"), ["row", "col"]);

fn pair_fits(profile: Profile, from: Location, to: Location) -> bool {
    use Location::{Acc, Mat, Vec};
    let a5 = matches!((from, to), (Acc, Mat | Vec) | (Vec, Vec | Mat));
    PerProfile::new(true, (from, to) == (Acc, Mat), a5).of(profile)
}

/// Profiles whose header inserts between vec tiles, although the seed page does not list it.
const VEC_BY_HEADER: &[Profile] = A2A3_ONLY;
/// Profiles with a mode that splits the tile.
const SPLITS: &[Profile] = CPU_AND_A5;

/// Offsets must be multiples of these units.
fn units(site: &Site<'_>) -> Units {
    let (Some(src), Some(dst)) = (site.tile("src"), site.tile("dst")) else { return Units::ANY };
    let wide = c0(dst.element()) as usize;
    let single = (src.rows, src.cols) == (Some(1), Some(1));
    let place = (src.location(), dst.layout().name);
    let a2a3 = match place {
        (Location::Vec, LayoutName::Nd) if !single => Units { row: 1, col: wide },
        (Location::Vec, LayoutName::Nz) if !single => Units { row: 16, col: wide },
        _ => Units::ANY,
    };
    let a5 = match place {
        (Location::Vec, LayoutName::Zn) => Units { row: wide, col: 1 },
        (Location::Vec, LayoutName::Nz) => Units { row: 1, col: wide },
        _ => Units::ANY,
    };
    PerProfile::new(Units::ANY, a2a3, a5).of(site.profile)
}

impl Tinsert {
    fn check_pair(&self, check: &mut Check<'_>) -> bool {
        let (from, to) = (check.tile("src").location(), check.tile("dst").location());
        let profile = check.profile();
        let header = VEC_BY_HEADER.contains(&profile) && (from, to) == (Location::Vec, Location::Vec);
        let severity = if header { Severity::Extension } else { Severity::Error };
        check.judge(severity, &PAIR, "dst", pair_fits(profile, from, to), |_| {
            transfer::pair_message("insert", profile, from, to, pair_fits)
        })
    }

    fn check_bounds(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (rows, cols) = Receivers::of(check.site).share_known(src.rows, src.cols);
        let limits = [dst.ty.rows, dst.ty.cols];
        transfer::window(check, &BOUNDS, "dst", [rows, cols], limits);
        let row = check.site.scalar("row").and_then(|(_, value)| value).unwrap_or(0);
        let split = check.site.attribute("tinsertMode").is_some();
        let (a2a3, a5) = match src.location() {
            Location::Acc => (src.ty.rows, 0),
            Location::Vec if split => (0, src.rows.unwrap_or(0).next_multiple_of(16)),
            _ => (0, 0),
        };
        let moved = PerProfile::new(0, a2a3, a5).of(check.profile());
        let fits = row.saturating_add(i64::from(moved)) <= i64::from(limits[0]) || moved == 0;
        check.judge(Severity::Lint, &PHYSICAL, "row", fits, |check| {
            let (src, dst) = (check.name("src"), check.name("dst"));
            format!("{moved} rows of {src} are moved, which reach outside {dst} from row {row} on")
        });
    }

    fn check_vec(&self, check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
        transfer::same_type(check);
        transfer::listed(check);
        let (a, b) = (src.layout().name, dst.layout().name);
        let zn = (a, b) == (LayoutName::Zn, LayoutName::Zn) && dst.location() == Location::Mat;
        let same = a == b && matches!(a, LayoutName::Nd | LayoutName::Nz);
        // The later page and the header list ZN to ZN.
        let severity = if zn { Severity::Extension } else { Severity::Error };
        check.judge(severity, &LAYOUT, "dst", same, |check| {
            format!("{} is {}, {} is {}", check.name("src"), a.word(), check.name("dst"), b.word())
        });
        if same && a == LayoutName::Nz {
            check.require(&NZ_COLS, "src", src.ty.cols <= dst.ty.cols, |check| {
                format!(
                    "{} is declared with {} columns, {} with {}",
                    check.name("src"),
                    src.ty.cols,
                    check.name("dst"),
                    dst.ty.cols
                )
            });
        }
        if same && a == LayoutName::Nd && dst.location() == Location::Mat {
            let bytes = src.cols.map(|cols| src.element().bytes(cols as usize));
            // The header copies rows of less than 32 bytes as one contiguous range.
            let severity =
                if bytes.is_some_and(|bytes| bytes < 32) { Severity::Extension } else { Severity::Error };
            check.judge(severity, &ND_ROW, "src", bytes.is_none_or(|bytes| bytes % 32 == 0), |check| {
                format!("a row of {} takes {} bytes", check.name("src"), bytes.unwrap_or(0))
            });
        }
        transfer::aligned(check, &ALIGNED, units(check.site));
        if units(check.site) != Units::ANY {
            self.check_size(check, src, dst);
        }
    }

    /// Checks that the end of the copied part is aligned too.
    fn check_size(&self, check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
        let unit = units(check.site);
        let bytes = |cols: u32| src.element().bytes(cols as usize);
        let whole = match dst.layout().name {
            LayoutName::Nd => src.cols.is_none_or(|cols| bytes(cols) % 2 == 0),
            // Offsets address whole boxes, but the copied part may end within one.
            LayoutName::Nz => true,
            _ => src.rows.is_none_or(|rows| (rows as usize).is_multiple_of(unit.row)),
        };
        check.require(&ALIGNED, "src", whole, |check| {
            format!(
                "{} has {} valid elements of {}",
                check.name("src"),
                src.valid_text(),
                element_word(src.element())
            )
        });
    }

    fn check_split(&self, check: &mut Check<'_>) -> bool {
        let Some(word) = check.site.word("tinsertMode").map(str::to_owned) else { return true };
        let known = SPLITS.contains(&check.profile());
        if !check.require(&SPLIT, "tinsertMode", known, |check| {
            format!("{} has no tinsertMode `{word}`; A5 has split2 and split4", check.profile().word())
        }) {
            return false;
        }
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let fits = (src.location(), dst.location()) == (Location::Vec, Location::Mat)
            && src.layout().name == LayoutName::Nz;
        check.require(&SPLIT_PAIR, "src", fits, |check| {
            let (a, b) = (src.layout().name.word(), src.location().word());
            format!(
                "{} is a {b} tile with {a} layout, {} a {} tile",
                check.name("src"),
                check.name("dst"),
                dst.location().word()
            )
        })
    }
}

#[cfg(feature = "run")]
fn extent(moving: &Move, state: &State<'_>, row: u64, col: u64) -> Moved {
    let live = state.live(&moving.src);
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    Moved { to: Position { row: at(row), col: at(col) }, size: live.size(), ..Moved::default() }
}

impl Instruction for Tinsert {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        pipe_of(site)
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const BLOCKS: Otherwise = Otherwise::of(
            A5_ONLY,
            "An insertion into NZ moves whole blocks of 32 bytes: columns up to the end of the last block, and in the split modes rows up \
             to 16, come from the source.",
            Here::SameBits,
            "docs/isa/TINSERT.md; include/pto/npu/a5/TInsert.hpp, ComputeNZBlockParams, TInsertSplitImpl",
        );
        vec![acc_pitch::otherwise(), BLOCKS]
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        acc_pitch::of_reader(site, "src", |src| acc_pitch::inserted(site, src))
    }

    fn transfers(&self, attributes: &[NamedAttribute]) -> usize {
        match find(attributes, "tinsertMode").and_then(Attribute::as_word) {
            Some("split2") => 2,
            Some("split4") => 4,
            _ => 1,
        }
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        effects.pop();
        effects.extend(written(site, "src", ["row", "col"]));
        in_blocks(site, effects)
    }

    fn check(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        // The rules below assume a legal pair of tiles.
        if !self.check_pair(check)
            || !transfer::profile_types(check)
            || !check_mode(check)
            || !self.check_split(check)
        {
            return;
        }
        self.check_bounds(check);
        accumulator::relu(check, dst.element());
        accumulator::quantization(check, dst.element(), src.cols);
        transfer::fill(check);
        match (src.location(), dst.location()) {
            (Location::Acc, Location::Mat | Location::Vec) => fixpipe_rules::check(check, src.rows, src.cols),
            (Location::Vec, Location::Vec | Location::Mat) => self.check_vec(check, src, dst),
            _ => {
                transfer::same_type(check);
            }
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Tinsert {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let moving = Move::of(reference.prepare(), Units::ANY, units(reference.prepare().site))
            .map_err(Fault::Other)?;
        let offsets = offsets(reference.prepare());
        let (row, col) = start(reference.state(), offsets);
        let extent = extent(&moving, reference.state(), row, col);
        moving.by_formula(reference, &extent)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let moving = Move::of(prepare, Units::ANY, units(prepare.site))?;
        let offsets = offsets(prepare);
        Ok(Box::new(move |state: &mut State<'_>| {
            let (row, col) = start(state, offsets);
            let extent = extent(&moving, state, row, col);
            moving.run(state, &extent)
        }))
    }
}
