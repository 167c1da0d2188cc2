//! TSTORE: copies a tile into a view of global memory.

use super::moved::{self, EXTENT, ROW_STRIDE, Transfer, is_boxed_row};
use super::tload::pair_fits;
use super::{VIEW_LAYOUT, conv, feature_map, paths, scales};
use crate::diag::Severity;
use crate::element::element_word;
use crate::layout::LayoutName;
use crate::op::acc_pitch::{self, PitchUse};
use crate::op::accumulator;
use crate::op::attribute::AttributeSpec;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent};
use crate::op::fixpipe;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::{Check, GlobalLayout, Site, TileFact};
use crate::op::unit_flag;
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_A5_EXTENSION, Rule, join};
use crate::tile::Location;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    super::few_rows::FewRows,
    super::loading::transfer_of,
    super::storing::Destination,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::op::Compute,
    crate::op::fixpipe::Path,
    crate::tile::{BLayout, SLayout, TileType},
    pto_kernels::map::{BinaryFormula, binary},
    pto_num::get_element,
};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tstore.md";

const TYPES: Rule = Rule::new("element-size", "View and tile have elements of the same size.", SOURCE)
    .because("The store copies bytes; only accumulators are converted on the way.")
    .instead("Convert the tile with TCVT, or declare the view with elements of the tile's size.");
const ACC_SHAPE: Rule = Rule::new(
    "acc-shape",
    "An accumulator that is stored has 1 to 4095 columns and up to 8192 rows; for NZ and feature maps, up to 65535 rows and \
     a multiple of 16 columns.",
    SOURCE,
)
.because("The fields of the fixpipe instruction hold no larger numbers.")
.instead("Store the accumulator in parts.")
.only(NPU);
const LOCATION: Rule =
    Rule::new("location", "The tile is a vec or acc tile, on A2/A3 also a mat tile.", SOURCE)
        .because("The device has a path to global memory from these buffers only.")
        .instead("Move the tile to a vec tile first.")
        .only(NPU);
const LAYOUTS: Rule = Rule::new(
    "layout-pair",
    "Vec tiles store ND to ND, DN to DN and NZ to NZ; a tile of one row is stored as it lies.",
    SOURCE,
)
.because("MTE3 rearranges nothing between these layouts.")
.instead("Declare the view with the tile's layout, or convert the tile with TMOV.")
.weighing(ERROR_OR_A5_EXTENSION)
.only(NPU);
const ATOMIC: Rule = Rule::new(
    "atomic",
    "The atomic mode is none or add; add takes only formats with atomic addition.",
    SOURCE,
)
.because("Global memory adds in these formats only.")
.instead("Leave `atomicType` out, or store a format with atomic addition.");

const OWN: &[&Rule] = &[
    &TYPES,
    &EXTENT,
    &LOCATION,
    &LAYOUTS,
    &ATOMIC,
    &ACC_SHAPE,
    &scales::VIEW,
    &feature_map::PLACE,
    &feature_map::POINTS,
];
const RULES_FP: &[&Rule] = join!(OWN, accumulator::COLUMN_RULES);
const RULES: &[&Rule] = join!(
    RULES_FP,
    &[&scales::FORMAT, &ROW_STRIDE],
    accumulator::CAST_RULES,
    accumulator::SCALAR_RULES,
    conv::STORE_RULES,
);

/// The attribute that selects whether a store overwrites or adds to the old elements.
pub(in crate::op) const ATOMIC_TYPE: AttributeSpec = AttributeSpec::words(
    "atomicType",
    "atomic_type",
    &["atomic_none", "atomic_add"],
    "Whether elements replace those in memory, or are added to them atomically.",
)
.or_word("atomic_none");

/// Copies the valid region of a tile into a view.
pub(super) struct Tstore {
    page: Page,
}

pub(super) static TSTORE: Tstore = Tstore {
    page: Page {
        name: "tstore",
        aliases: &[],
        set: Set::Memory,
        summary: "Copies the valid region of a tile into a view of global memory, converting from an accumulator.",
        formula: "dst[i, j] = f(src[i, j]), or dst[i, j] + f(src[i, j]) with atomic add; f quantizes with q, or with fp[0, j]",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile) outs(dst: View)),
            form!(ins(src: ConvTile) outs(dst: View)),
            form!(ins(src: Tile, q: Scalar) outs(dst: View)),
            form!(ins(src: Tile, fp => fp: Tile) outs(dst: View)),
            form!(ins(src: Tile, pre_quant => q: Scalar) outs(dst: View)),
        ]),
        attributes: &[ATOMIC_TYPE, fixpipe::RELU, unit_flag::OF_STORE, VIEW_LAYOUT],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src"),
            Effect::reads_parameters("fp", "src"),
            Effect::writes("dst").of(Extent::Covered("src")),
        ],
        pictures: super::pictures::STORE,
        origin: Some(Origin::WRITTEN),
    },
};

pub(super) static TSTORE_FP: Tstore = Tstore {
    page: Page {
        name: "tstore_fp",
        summary: "Stores an accumulator, quantized with a parameter for each column.",
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, fp: Tile) outs(dst: View)),
            form!(ins(src: Tile, fp => fp: Tile) outs(dst: View)),
        ]),
        rules: RULES_FP,
        ..TSTORE.page
    },
};

/// The difference of atomic additions.
const IN_ANY_ORDER: Otherwise = Otherwise::of(
    NPU,
    "Atomic additions of several cores happen in any order, so the last bits of sums of floats may differ.",
    Here::OneOfSeveral,
    SOURCE,
);

/// Whether a store is an atomic addition.
fn atomic(site: &Site<'_>) -> bool {
    site.word(ATOMIC_TYPE.name) == Some("atomic_add")
}

/// Profiles that store tiles from L1.
const STORES_MAT: &[Profile] = A2A3_ONLY;
/// Profiles for which the public assembler stores NZ tiles to ND views; the page does not name this pair.
const NZ_TO_ND: &[Profile] = A5_ONLY;

impl Instruction for Tstore {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("src").map(|src| src.location()) {
            Some(Location::Acc) => Pipe::Fixpipe,
            _ => Pipe::Mte3,
        }
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        let mut all = paths::Path::otherwise(paths::Way::Store);
        all.extend([acc_pitch::otherwise(), IN_ANY_ORDER]);
        all
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        acc_pitch::of_reader(site, "src", |src| acc_pitch::stored(src, "src"))
    }

    /// An atomic store adds to the view; a convolution tile is stored completely.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        if site.conv("src").is_some() {
            return vec![Effect::reads("src").of(Extent::Storage), Effect::writes("dst").of(Extent::View)];
        }
        let mut effects = site.held(self.page.effects);
        let Some(transfer) = Transfer::of(site) else { return effects };
        let (tile, stored) = transfer.extents(site, "src", "dst");
        for effect in &mut effects {
            match effect.role() {
                Some("src") if matches!(tile, Extent::Moved(_)) => *effect = effect.of(tile).holding(tile),
                Some("src") => *effect = effect.of(tile),
                Some("dst") => *effect = effect.of(stored).atomically(atomic(site)),
                _ => {}
            }
        }
        if atomic(site) {
            effects.insert(1, Effect::reads("dst").of(stored).atomically(true));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.conv("src").is_some() {
            conv::check_store(check, &TYPES);
            check
                .require(&ATOMIC, "dst", !atomic(check.site), |_| "convolution tiles are only copied".into());
            return;
        }
        let src = check.tile("src");
        let Some(dst) = check.site.view("dst").cloned() else { return };
        let (from, to) = (src.element(), dst.element);
        if src.location() == Location::Acc {
            accumulator::formats(check, "dst", to, true);
        } else {
            check.require(&TYPES, "dst", from.bits() == to.bits(), |check| {
                let (from, to) = (element_word(from), element_word(to));
                format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
            });
            scales::format(check, "src");
        }
        accumulator::relu(check, to);
        accumulator::quantization(check, to, src.cols);
        let (profile, location) = (check.profile(), src.location());
        let place = match location {
            Location::Vec | Location::Acc => true,
            Location::Mat => STORES_MAT.contains(&profile),
            _ => false,
        };
        check.require(&LOCATION, "src", place, |check| {
            format!(
                "{} is a {} tile; {} does not store those",
                check.name("src"),
                location.word(),
                profile.word()
            )
        });
        let layout = dst.layout.or_guess(&src.ty, dst.shape.len(), profile);
        scales::dimensions(check, "dst", &dst, layout);
        let of_convolutions = layout.is_of_convolutions();
        if of_convolutions && !feature_map::check_store(check, &dst, &src.ty, layout) {
            return;
        }
        let pair = location == Location::Acc && !matches!(layout, GlobalLayout::Dn) && !layout.is_scales()
            || pair_fits(profile, layout, &src.ty)
            || is_boxed_row(&src.ty) && !layout.is_scales()
            || of_convolutions;
        let unnamed = NZ_TO_ND.contains(&profile)
            && (layout, src.ty.layout().name) == (GlobalLayout::Nd, LayoutName::Nz);
        let severity = if unnamed { Severity::Extension } else { Severity::Error };
        check.judge(severity, &LAYOUTS, "dst", pair, |check| {
            let tile = src.ty.layout().name.word();
            format!("{} is {tile}, {} is {}", check.name("src"), check.name("dst"), layout.word())
        });
        moved::check(check, "src", "dst");
        if location == Location::Acc {
            acc_shape(check, src, layout);
        }
        let atomic = check.site.word_or_default(ATOMIC_TYPE.name).unwrap_or_default();
        let known = matches!(atomic, "atomic_none" | "atomic_add");
        let adds = atomic != "atomic_add" || BinaryOp::Add.applies_to(to);
        check.require(&ATOMIC, "dst", known && adds, |_| {
            if known {
                format!("{} does not add", element_word(to))
            } else {
                format!("`{atomic}` is no atomic mode of a store: atomic_none or atomic_add")
            }
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Tstore {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.prepare().site.conv("src").is_some() {
            return conv::by_formula(reference);
        }
        let src = as_stored(reference.tile("src"));
        let (view, element) = reference.view("dst");
        let transfer = transfer_of(reference.prepare()).map_err(Fault::Other)?;
        let path = Path::of(reference.prepare(), src.ty.element, element).map_err(Fault::Other)?;
        let add = atomic(reference.prepare().site);
        let moved = transfer.moved(&view, reference.valid(&src), &src.layout)?;
        let (buffer, start) = moved.window.locate(reference.state().global, element, "dst")?;
        let base = start as usize;
        let address = reference.state().live(&src).address;
        moved.in_order(moved.size, |i, j| {
            let at = moved.window.offset(i as u64, j as u64) as usize;
            let offset = moved.offset(&src.layout, i, j);
            let value = get_element(reference.state().memory, address, offset, src.ty.element);
            let value = path.apply(reference, j, value);
            let target = reference.state().global.writing(buffer);
            let old = add.then(|| target.get(base, at, element));
            let sum = old.and_then(|old| BinaryOp::Add.apply(element, old, value));
            target.set(base, at, element, sum.unwrap_or(value));
        });
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("src").is_some() {
            return conv::prepare(prepare);
        }
        let src = as_stored(prepare.tile("src")?);
        let (slot, element) = prepare.view("dst")?;
        let name = prepare.name("dst").to_owned();
        let transfer = transfer_of(prepare)?;
        let path = Path::of(prepare, src.ty.element, element)?;
        let add = if atomic(prepare.site) { binary(BinaryOp::Add, element) } else { None };
        let copies = path.is_copy() && add.is_none();
        let in_rows = FewRows::fit(&src, transfer.layout()) && copies;
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let valid = live.size();
            let few = if in_rows { FewRows::of(&state.views[slot], element, state.global) } else { None };
            if let Some(few) = few.filter(|few| transfer.is_logical((few.rows, few.cols), valid)) {
                few.store(state, &src, live.address, valid);
                return Ok(());
            }
            let moved = transfer.moved(&state.views[slot], valid, &src.layout)?;
            let (buffer, start) = moved.window.locate(state.global, element, &name)?;
            if !path.has_columns(moved.size.cols) {
                return Err(Fault::Rule);
            }
            let destination = Destination { moved: &moved, buffer, start, element };
            if copies {
                destination.copy(state, &src, live.address);
            } else {
                destination.put(state, &path, &src, live.address, add);
            }
            moved.note(&transfer, state);
            Ok(())
        }))
    }
}

/// The tile with the layout that a store uses.
#[cfg(feature = "run")]
fn as_stored(tile: Tile) -> Tile {
    if moved::as_stored(&tile.ty, &tile.layout) == tile.layout.name {
        return tile;
    }
    let ty = TileType { blayout: BLayout::RowMajor, slayout: SLayout::NoneBox, ..tile.ty };
    Tile::new(tile.slot, tile.ty, ty.layout())
}

/// Checks the shape of a stored accumulator.
fn acc_shape(check: &mut Check<'_>, src: &TileFact, layout: GlobalLayout) {
    let (rows, cols) = (src.ty.rows, src.ty.cols);
    let nz = layout == GlobalLayout::Nz || layout.is_of_convolutions();
    let fits = (1..=4095).contains(&cols) && rows <= if nz { 65535 } else { 8192 } && (!nz || cols % 16 == 0);
    check.require(&ACC_SHAPE, "src", fits, |check| {
        format!("{} is declared {rows}x{cols} and stored to {}", check.name("src"), layout.word())
    });
}
