//! MGATHER: loads rows or elements of a table in global memory, by index.

use super::table::{Beyond, COALESCE, Coalesce, WALKING, WHOLE, table_extent, walking_effects, walking_pipe};
use super::table_rules::{INDEX_SHAPE, RULES as TABLE_RULES, TYPES, check_indices, check_table, index_type};
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::common::agree;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent, Target};
use crate::op::form::{Syntax, form};
use crate::op::memory::VIEW_LAYOUT;
use crate::op::origin::Origin;
use crate::op::site::{Check, GlobalLayout, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::Profile;
use crate::rule::{Rule, join};
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::index::clear,
    super::table::{Open, Table, row_of, table_layout},
    super::table_rules::{INDEX_RANGE, PACKED},
    crate::exec::overlay::Area,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    crate::op::memory::window::Window,
    pto_kernels::transfer,
    pto_num::set_element,
};

const SOURCE: &str = "docs/isa/MGATHER.md";
const L1: &str = "docs/isa/MGATHER.md, GM to L1 Gather";

const MODE: Rule = Rule::new("mode", "`coalesce` is written.", SOURCE)
    .because("Without it nothing says whether an index names a row or an element.")
    .instead("Write `coalesce` as row or elem.");
const LOCATION_L1: Rule = Rule::new(
    "l1-location",
    "Indices in global memory are for a mat tile, those in a tile for a vec tile.",
    L1,
)
.because("A mat tile is filled from global memory, so its indices are read there; a vec tile has them in UB.")
.instead("Pass indices in global memory for a mat tile, or an index tile for a vec tile.");
const SCRATCH: Rule = Rule::new(
    "scratch",
    "A gather of single elements into a mat tile passes a view of the tile's element type and declared size; a gather of \
     rows passes none.",
    L1,
)
.because("Elements are first collected in global memory, then loaded as one block.")
.instead("Pass a view of the declared size with the tile's element type; for rows, pass none.");

const RULES: &[&Rule] = join!(TABLE_RULES, &[&MODE, &LOCATION_L1, &SCRATCH]);

/// The scalar unit reads the indices, and MTE2 loads the selected rows. Source: `docs/isa/MGATHER.md`, Pipe /
/// Synchronisation Model.
const WALK: Effect = Effect::orders(
    &[(Pipe::Vector, Pipe::Scalar), (Pipe::Mte3, Pipe::Scalar)],
    &[
        (Pipe::Scalar, Pipe::Mte2),
        (Pipe::Mte2, Pipe::Vector),
        (Pipe::Mte2, Pipe::Mte3),
        (Pipe::Scalar, Pipe::Vector),
        (Pipe::Scalar, Pipe::Mte3),
    ],
)
.on(WALKING);

/// On all devices the scalar unit reads the indices before a transfer into L1.
const WALK_L1: Effect = Effect::orders(&[], &[(Pipe::Scalar, Pipe::Mte2)]);

/// The instruction MGATHER.
pub(super) struct Mgather {
    page: Page,
}

pub(super) static MGATHER: Mgather = Mgather {
    page: Page {
        name: "mgather",
        aliases: &[],
        set: Set::Irregular,
        summary: "Gathers rows or single elements of a table in global memory by their indices.",
        formula: "dst[i, j] = src[idx[i], j] by rows, or element idx[i, j] of src; `gatherOob` decides whether an index beyond \
                  the table is clamped, wrapped, or reads zero; a gather by elements, or by rows with zero, sets the other \
                  elements of a mat tile to 0",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: View, idx: Tile) outs(dst: Tile)),
            form!(ins(src: View, idx: View) outs(dst: Tile)),
            form!(ins(src: View, idx: View, scratch: View) outs(dst: Tile)),
        ]),
        attributes: &[
            COALESCE,
            AttributeSpec::words(
                "gatherOob",
                "gather_oob",
                &["undefined", "clamp", "wrap", "zero"],
                "The effect of an index beyond the table: an error (undefined), or a read of the last row or element (clamp), \
                 of the row or element at the index modulo their number (wrap), or of 0 (zero).",
            )
            .or_word("undefined"),
            VIEW_LAYOUT,
        ],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src").of(Extent::View).loosely("the indices select the elements that are read"),
            // The indices are a tile or a view.
            Effect::reads("idx").of(Extent::View).by(Pipe::Scalar).on(WALKING),
            Effect::reads("idx").of(Extent::View).on(WHOLE),
            Effect::writes_parts("scratch", "as many bytes as the tile takes are written").of(Extent::Flat),
            Effect::writes("dst"),
            WALK,
        ],
        pictures: super::pictures::MGATHER,
        origin: Some(Origin::WRITTEN),
    },
};

fn beyond(site: &Site<'_>) -> Option<Beyond> {
    Beyond::of(site, "gatherOob", "zero")
}

impl Instruction for Mgather {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => Pipe::Mte2,
            _ => walking_pipe(site, "dst", Pipe::Mte2),
        }
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        effects[0] = effects[0].of(table_extent(site, ["src", "dst"]));
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => to_l1(site, effects),
            _ => walking_effects(site, "dst", effects),
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let mat = check.tile("dst").location() == Location::Mat;
        check_table(check, "src", "dst", mat);
        let coalesce = Coalesce::of(check.site, "dst");
        let said = check.site.attribute("coalesce").is_some();
        check.require(&MODE, "dst", said, |_| "write coalesce = #pto<coalesce row>, or elem".to_owned());
        let in_tile = check.site.tile("idx").is_some();
        let fits = in_tile != mat || !check.profile().is_device();
        check.require(&LOCATION_L1, "idx", fits, |check| {
            let (idx, dst) = (check.name("idx"), check.name("dst"));
            let place = if in_tile { "in a tile" } else { "in global memory" };
            format!("{idx} is {place}, {dst} is a {} tile", check.tile("dst").location().word())
        });
        if in_tile {
            check_indices(check, "dst");
        } else {
            check_view(check, coalesce);
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Mgather {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let gather = Gather::of(reference.prepare()).map_err(Fault::Other)?;
        let Size { rows, cols } = reference.valid(&gather.dst);
        let state = reference.state();
        let table = gather.table.open(state, &[])?;
        // All indices are read first, because the destination may overlap them.
        let mut values = Vec::new();
        for i in 0..rows {
            for j in 0..cols {
                values.push(gather.value(state, &table, i, j)?);
            }
        }
        if gather.clears() {
            clear(state, &gather.dst);
        }
        for (at, value) in values.into_iter().enumerate() {
            reference.set(&gather.dst, at / cols, at % cols, value);
        }
        gather.fill_scratch(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let gather = Gather::of(prepare)?;
        Ok(Box::new(move |state: &mut State<'_>| gather.run(state)))
    }
}

/// The effects on a mat tile. The tile is cleared unless every element is gathered, and the workspace then holds a
/// copy of it in L1's layout. The scalar unit reads the indices, and gathers single elements into the workspace.
fn to_l1(site: &Site<'_>, effects: Vec<Effect>) -> Vec<Effect> {
    const CLEARED: Effect =
        Effect::writes_parts("dst", "the elements that are not gathered are cleared or stay")
            .of(Extent::DECLARED);
    let by_element = Coalesce::of(site, "dst") == Some(Coalesce::Elem);
    let mut effects: Vec<_> = effects
        .into_iter()
        .filter(|effect| !matches!(effect.target, Target::Pipes(_)))
        .map(|effect| match effect.role() {
            Some("dst") => CLEARED,
            Some("idx" | "scratch") => effect.by(Pipe::Scalar),
            Some("src") if by_element => effect.by(Pipe::Scalar),
            _ => effect,
        })
        .collect();
    effects.push(WALK_L1);
    effects
}

/// Checks indices in global memory, and the workspace for gathering elements.
fn check_view(check: &mut Check<'_>, coalesce: Option<Coalesce>) {
    let dst = check.tile("dst");
    let Some(idx) = check.site.view("idx").cloned() else { return };
    index_type(check, idx.element);
    let Some((rows, cols)) = idx.matrix(GlobalLayout::Nd) else { return };
    let narrow = |extent: Option<u64>| extent.map(|extent| u32::try_from(extent).unwrap_or(u32::MAX));
    let (rows, cols) = (narrow(rows), narrow(cols));
    let fits = match coalesce {
        Some(Coalesce::Row) => {
            agree(rows, Some(1)) && agree(cols, dst.rows) || agree(cols, Some(1)) && agree(rows, dst.rows)
        }
        _ => agree(rows, dst.rows) && agree(cols, dst.cols),
    };
    check.require(&INDEX_SHAPE, "idx", fits, |check| {
        let text = |extent: Option<u32>| extent.map_or("?".to_owned(), |extent| extent.to_string());
        let (idx, dst_name) = (check.name("idx"), check.name("dst"));
        format!("{idx} is {}x{}, {dst_name} has {} valid elements", text(rows), text(cols), dst.valid_text())
    });
    let scratch = check.site.view("scratch").cloned();
    let by_row = coalesce == Some(Coalesce::Row);
    let fits = if by_row { scratch.is_none() } else { scratch.is_some() || !check.profile().is_device() };
    check.require(&SCRATCH, "dst", fits, |_| {
        let sentence =
            if by_row { "rows need no scratch" } else { "there is no scratch view after the indices" };
        sentence.into()
    });
    let Some(scratch) = scratch else { return };
    let size = scratch.shape.iter().try_fold(1u64, |size, extent| size.checked_mul((*extent)?));
    let enough = size.is_none_or(|size| size >= dst.ty.elements() as u64);
    let same = scratch.element == dst.element();
    check.require(&SCRATCH, "scratch", enough && same, |check| {
        let (have, holds) = (size.unwrap_or(0), element_word(scratch.element));
        format!(
            "{} has {have} elements of {holds}, {} is {}",
            check.name("scratch"),
            check.name("dst"),
            dst.ty.brief()
        )
    });
}

/// The operands of MGATHER.
#[cfg(feature = "run")]
struct Gather {
    dst: Tile,
    table: Table,
    scratch: Option<(usize, String)>,
}

#[cfg(feature = "run")]
impl Gather {
    fn of(prepare: &Prepare<'_>) -> Result<Gather, String> {
        let rules = [&INDEX_RANGE, &PACKED];
        let table = Table::of(prepare, ["src", "dst"], beyond(prepare.site), rules)?;
        let scratch = match prepare.site.view("scratch") {
            Some(_) => Some((prepare.view("scratch")?.0, prepare.name("scratch").to_owned())),
            None => None,
        };
        debug_assert!(table_layout(prepare.site, "src") != GlobalLayout::Dn);
        Ok(Gather { dst: prepare.tile("dst")?, table, scratch })
    }

    /// Whether the elements of a mat tile that are not gathered become zero.
    fn clears(&self) -> bool {
        let zero = self.table.coalesce == Coalesce::Elem || self.table.beyond == Beyond::Drop;
        self.dst.ty.location == Location::Mat && zero
    }

    /// The element that is gathered to (`row`, `col`) of the destination.
    fn value(&self, state: &mut State<'_>, table: &Open<'_>, row: usize, col: usize) -> Result<u64, Fault> {
        let Some(index) = table.named(state, row, col)? else { return Ok(0) };
        let place = table.place(index, col)?;
        Ok(state.global.reading(table.buffer).get(table.start, place, self.table.element))
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (dst, live) = (&self.dst, state.live(&self.dst));
        let written = [state.bytes_of(dst)];
        let table = self.table.open(state, &written)?;
        if self.clears() {
            clear(state, dst);
        }
        let (element, cols) = (dst.ty.element, live.cols as usize);
        for i in 0..live.rows as usize {
            let mut named = None;
            if cols > 0 && self.table.coalesce == Coalesce::Row {
                named = table.named(state, i, 0)?;
                if let Some(area) = named.and_then(|index| table.row(index, cols)) {
                    let source = state.global.reading(table.buffer).read(&area);
                    let row = row_of(dst, live.address, i);
                    transfer(state.memory, &row, source, &area.placement, 1, cols, area.bits);
                    continue;
                }
            }
            for j in 0..cols {
                if let Coalesce::Elem = self.table.coalesce {
                    named = table.named(state, i, j)?;
                }
                let value = match named {
                    Some(index) => {
                        let place = table.place(index, j)?;
                        state.global.reading(table.buffer).get(table.start, place, element)
                    }
                    None => 0,
                };
                set_element(state.memory, live.address, dst.layout.offset(i, j), element, value);
            }
        }
        self.fill_scratch(state)
    }

    /// Copies the mat tile, in its L1 layout, to the workspace through which it was transferred.
    fn fill_scratch(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let Some((slot, name)) = &self.scratch else { return Ok(()) };
        let window = Window::rows(&state.views[*slot]);
        let element = self.dst.ty.element;
        let (buffer, start) = window.locate(state.global, element, name)?;
        let (from, bytes) = (state.live(&self.dst).address, self.dst.bytes());
        let place = start as usize..start as usize + bytes;
        let target = state.global.writing(buffer);
        if place.end > target.size() {
            return Err(Fault::OutOfBounds(format!("`%{name}` has space for fewer than {bytes} bytes")));
        }
        target.write(&Area::bytes(place.clone()))[place].copy_from_slice(&state.memory[from..from + bytes]);
        Ok(())
    }
}
