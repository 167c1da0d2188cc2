//! TSTORE: copies a tile into a view of global memory.

use super::tload::pair_fits;
use super::{VIEW_LAYOUT, conv, scales};
use crate::diag::Severity;
use crate::element::element_word;
use crate::layout::LayoutName;
use crate::op::accumulator;
use crate::op::attribute::AttributeSpec;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent};
use crate::op::fixpipe;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, GlobalLayout, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_A5_EXTENSION, Rule, join};
use crate::tile::{Location, TileType};
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    super::few_rows::FewRows,
    super::loading::{layout_of, shifted},
    super::window::Window,
    crate::element::Element,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::op::fixpipe::Path,
    crate::op::{Compute, subtile},
    crate::tile::{BLayout, SLayout},
    pto_kernels::map::{BinaryFn, BinaryFormula, binary},
    pto_kernels::{Placement, transfer},
    pto_num::{get_element, set_element},
};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tstore.md";

const TYPES: Rule = Rule::new("element-size", "View and tile have elements of the same size.", SOURCE)
    .because("The store copies bytes; only accumulators are converted on the way.")
    .instead("Convert the tile with TCVT, or declare the view with elements of the tile's size.");
const ACC_SHAPE: Rule = Rule::new(
    "acc-shape",
    "An accumulator that is stored has 1 to 4095 columns, and up to 8192 rows, in NZ layout 65535 rows and a multiple of 16 columns.",
    SOURCE,
)
.because("The fields of the fixpipe instruction hold no larger numbers.")
.instead("Store the accumulator in parts.")
.only(NPU);
const EXTENT: Rule =
    Rule::new("extent", "The view is at least as large as the valid region of the tile.", SOURCE)
        .because("Elements beyond the view overwrite other data, or no memory at all.")
        .instead("Enlarge the view, or reduce the valid region of the tile.");
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
const ATOMIC: Rule =
    Rule::new("atomic", "The atomic mode is none or add; add needs a format that adds.", SOURCE)
        .because("Global memory adds in these formats only.")
        .instead("Leave `atomicType` out, or store a format that adds.");

const OWN: &[&Rule] = &[&TYPES, &EXTENT, &LOCATION, &LAYOUTS, &ATOMIC, &ACC_SHAPE, &scales::VIEW];
const RULES_FP: &[&Rule] = join!(OWN, accumulator::COLUMN_RULES);
const RULES: &[&Rule] = join!(
    RULES_FP,
    &[&scales::FORMAT],
    accumulator::CAST_RULES,
    accumulator::SCALAR_RULES,
    conv::STORE_RULES,
);

/// The attribute that selects whether a store overwrites or adds to the old elements.
pub(in crate::op) const ATOMIC_TYPE: AttributeSpec = AttributeSpec::words(
    "atomicType",
    "atomic_type",
    &["atomic_none", "atomic_add"],
    "Whether elements replace those in memory, or are added to them in one step.",
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
        attributes: &[
            ATOMIC_TYPE,
            fixpipe::RELU,
            AttributeSpec::words(
                "stPhase",
                "st_phase",
                &["unspecified", "partial", "final"],
                "Which of several stores of one accumulator this is; no result here depends on it.",
            )
            .or_word("unspecified"),
            VIEW_LAYOUT,
        ],
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

    /// An atomic store adds to the view; a convolution tile is stored completely.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        if site.conv("src").is_some() {
            return vec![Effect::reads("src").of(Extent::Storage), Effect::writes("dst").of(Extent::View)];
        }
        let mut effects = site.held(self.page.effects);
        if atomic(site) {
            let stored = Extent::Covered("src");
            effects.pop();
            effects.push(Effect::reads("dst").of(stored).atomically(true));
            effects.push(Effect::writes("dst").of(stored).atomically(true));
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
            let small = from.bits() <= 8 && !from.is_integer();
            check.judge(Severity::Extension, &scales::FORMAT, "src", !small, |check| {
                format!("{} holds {}, which a2a3 has not", check.name("src"), element_word(from))
            });
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
        let pair = location == Location::Acc && !matches!(layout, GlobalLayout::Dn) && !layout.is_scales()
            || pair_fits(profile, layout, &src.ty)
            || is_boxed_row(&src.ty) && !layout.is_scales();
        let unnamed = NZ_TO_ND.contains(&profile)
            && (layout, src.ty.layout().name) == (GlobalLayout::Nd, LayoutName::Nz);
        let severity = if unnamed { Severity::Extension } else { Severity::Error };
        check.judge(severity, &LAYOUTS, "dst", pair, |check| {
            let tile = src.ty.layout().name.word();
            format!("{} is {tile}, {} is {}", check.name("src"), check.name("dst"), layout.word())
        });
        if let Some((rows, cols)) = dst.matrix(layout) {
            let enough = |have: Option<u64>, need: Option<u32>| {
                have.zip(need).is_none_or(|(have, need)| have >= u64::from(need))
            };
            check.require(&EXTENT, "dst", enough(rows, src.rows) && enough(cols, src.cols), |check| {
                let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
                format!(
                    "{} has {} valid elements, but {} is {}x{}",
                    check.name("src"),
                    src.valid_text(),
                    check.name("dst"),
                    text(rows),
                    text(cols)
                )
            });
        }
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
        let window = Window::of(&view, layout_of(reference.prepare(), &src));
        let path = Path::of(reference.prepare(), src.ty.element, element).map_err(Fault::Other)?;
        let add = atomic(reference.prepare().site);
        let (rows, cols) = reference.valid(&src);
        let (buffer, start) = window.locate(reference.state().global, element, "dst")?;
        let base = start as usize;
        for i in 0..rows {
            for j in 0..cols {
                let at = window.offset(i as u64, j as u64) as usize;
                let value = reference.get(&src, i, j);
                let value = path.apply(reference, j, value);
                let target = reference.state().global.writing(buffer);
                let sum = if add {
                    BinaryOp::Add.apply(element, target.get(base, at, element), value)
                } else {
                    None
                };
                target.set(base, at, element, sum.unwrap_or(value));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("src").is_some() {
            return conv::prepare(prepare);
        }
        let src = as_stored(prepare.tile("src")?);
        let (slot, element) = prepare.view("dst")?;
        let name = prepare.name("dst").to_owned();
        let layout = layout_of(prepare, &src);
        let path = Path::of(prepare, src.ty.element, element)?;
        let add = if atomic(prepare.site) { binary(BinaryOp::Add, element) } else { None };
        let in_rows = FewRows::fit(&src, layout) && path.is_copy() && add.is_none();
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let few = if in_rows { FewRows::of(&state.views[slot], element, state.global) } else { None };
            if let Some(few) = few.filter(|few| rows as u64 <= few.rows && cols as u64 <= few.cols) {
                few.store(state, &src, live.address, (rows, cols));
                return Ok(());
            }
            let window = Window::of(&state.views[slot], layout);
            let (have_rows, have_cols) = window.extent();
            if (rows as u64) > have_rows || (cols as u64) > have_cols {
                return Err(Fault::Rule);
            }
            let (buffer, start) = window.locate(state.global, element, &name)?;
            if !path.has_columns(cols) {
                return Err(Fault::Rule);
            }
            if !path.is_copy() || add.is_some() {
                let behind = state.spare.start;
                let part = (&src, live.address, subtile::Window::default());
                let results = path.stage(state, part, (rows, cols), 0, behind);
                let destination = Destination { window: &window, buffer, start, element };
                destination.put(state, results, (rows, cols), add);
                return Ok(());
            }
            let source = src.layout.placement(live.address);
            let target = state.global.writing(buffer);
            window.pieces(start, element, rows, cols, |piece| {
                let target = target.write(&piece.area(element));
                if let Some(place) = shifted(&src, &source, piece.row, piece.col) {
                    transfer(
                        target,
                        &piece.placement,
                        state.memory,
                        &place,
                        piece.rows,
                        piece.cols,
                        element.bits(),
                    );
                    return;
                }
                for i in 0..piece.rows {
                    for j in 0..piece.cols {
                        let at = src.layout.offset(piece.row + i, piece.col + j);
                        let value = get_element(state.memory, live.address, at, element);
                        set_element(
                            target,
                            piece.placement.offset,
                            piece.placement.index(i, j),
                            element,
                            value,
                        );
                    }
                }
            });
            Ok(())
        }))
    }
}

/// Whether a vec tile has a single row with a boxed layout. Such a row is stored as consecutive elements, in
/// memory order.
fn is_boxed_row(ty: &TileType) -> bool {
    ty.location == Location::Vec && ty.rows == 1 && ty.is_boxed()
}

/// The tile with the layout that a store uses.
#[cfg(feature = "run")]
fn as_stored(tile: Tile) -> Tile {
    if !is_boxed_row(&tile.ty) || tile.layout.rows != 1 {
        return tile;
    }
    let ty = TileType { blayout: BLayout::RowMajor, slayout: SLayout::NoneBox, ..tile.ty };
    Tile::new(tile.slot, tile.ty, ty.layout())
}

/// Checks the shape of a stored accumulator.
fn acc_shape(check: &mut Check<'_>, src: &TileFact, layout: GlobalLayout) {
    let (rows, cols) = (src.ty.rows, src.ty.cols);
    let nz = layout == GlobalLayout::Nz;
    let fits = (1..=4095).contains(&cols) && rows <= if nz { 65535 } else { 8192 } && (!nz || cols % 16 == 0);
    check.require(&ACC_SHAPE, "src", fits, |check| {
        format!("{} is declared {rows}x{cols} and stored to {}", check.name("src"), layout.word())
    });
}

/// The destination of results in global memory.
#[cfg(feature = "run")]
struct Destination<'a> {
    window: &'a Window,
    buffer: usize,
    start: u64,
    element: Element,
}

#[cfg(feature = "run")]
impl Destination<'_> {
    /// Stores row-major results at byte `results`, or their sum with the old elements.
    fn put(
        &self,
        state: &mut State<'_>,
        results: usize,
        (rows, cols): (usize, usize),
        add: Option<BinaryFn>,
    ) {
        let Destination { window, element, .. } = *self;
        let memory = &mut *state.memory;
        let target = state.global.writing(self.buffer);
        if let Some(add) = add {
            let old = (results + element.bytes(rows * cols)).next_multiple_of(64);
            for i in 0..rows {
                for j in 0..cols {
                    let at = window.offset(i as u64, j as u64) as usize;
                    let bits = target.get(self.start as usize, at, element);
                    set_element(memory, old, i * cols + j, element, bits);
                }
            }
            add(memory, results, old, results, rows * cols);
        }
        window.pieces(self.start, element, rows, cols, |piece| {
            let from = results + element.bytes(piece.row * cols + piece.col);
            let source = Placement::rows(from, cols);
            let target = target.write(&piece.area(element));
            transfer(target, &piece.placement, memory, &source, piece.rows, piece.cols, element.bits());
        });
    }
}
