//! TLOAD: copies a view of global memory into a tile.

use super::window::Window;
use super::{conv, scales};
use crate::isa::element::element_word;
use crate::isa::layout::{LayoutName, c0};
use crate::isa::op::common::NPU;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::{Rule, join};
use crate::isa::op::site::{Check, GlobalLayout, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State, Tile};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::tile::{Location, Pad};
use pto_kernels::{Placement, get_element, set_element, transfer};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tload.md";

const SAME_SIZE: Rule = Rule::new("element-size", "View and tile have elements of the same size.", SOURCE);
const EXTENT: Rule =
    Rule::new("extent", "The view is at least as large as the valid region of the tile.", SOURCE);
const LOCATION: Rule = Rule::new("location", "The tile is a vec or a mat tile.", SOURCE);
const LAYOUTS: Rule = Rule::new(
    "layout-pair",
    "Vec tiles: ND to ND, DN to DN, NZ to NZ; mat tiles also ND to NZ and DN to ZN, on A5 DN to NZ, MX_A to ZZ and \
     MX_B to NN with boxes of 32 bytes.",
    SOURCE,
)
.only(NPU);

const RULES: [&Rule; 12] =
    join(&[&[&SAME_SIZE, &EXTENT, &LOCATION, &LAYOUTS], &scales::RULES, &conv::LOAD_RULES]);

/// Copies a view into a tile, with padding behind each row where the tile asks for it.
pub(super) struct Tload {
    page: Page,
}

pub(super) static TLOAD: Tload = Tload {
    page: Page {
        name: "tload",
        aliases: &[],
        set: Set::Memory,
        summary: "Copies a view of global memory into the valid region of a tile, or into a convolution tile.",
        formula: "dst[i, j] = src[i, j]; columns behind the valid ones up to 32 bytes take the tile's padding",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: View) outs(dst: Tile)),
            form!(ins(src: View) outs(dst: ConvTile)),
        ]),
        rules: &RULES,
        reads_destination: false,
        pictures: &[],
    },
};

pub(super) fn pair_fits(profile: Profile, from: GlobalLayout, tile: &crate::isa::TileType) -> bool {
    use LayoutName::{Dn, Nd, Nz, Zn};
    let to = tile.layout().name;
    // A single row or column is the same in rows and in columns.
    let line = matches!(to, Nd | Dn) && (tile.rows == 1 || tile.cols == 1);
    let same = matches!((from, to), (GlobalLayout::Nd, Nd) | (GlobalLayout::Dn, Dn) | (GlobalLayout::Nz, Nz));
    let mat = tile.location == Location::Mat
        && (matches!((from, to), (GlobalLayout::Nd, Nz) | (GlobalLayout::Dn, Zn))
            || profile == Profile::A5 && matches!((from, to), (GlobalLayout::Dn, Nz)));
    let mx = profile == Profile::A5 && scales::fits(from, tile);
    same || mat || line && !from.is_scales() || mx || profile == Profile::Cpu
}

impl Instruction for Tload {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Mte2
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.conv("dst").is_some() {
            return conv::check_load(check, &SAME_SIZE);
        }
        let dst = check.tile("dst");
        let Some(src) = check.site.view("src").cloned() else { return };
        let (from, to) = (src.element, dst.element());
        check.require(&SAME_SIZE, "src", from.bits() == to.bits(), |check| {
            let (from, to) = (element_word(from), element_word(to));
            format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
        });
        let location = dst.location();
        check.require(&LOCATION, "dst", matches!(location, Location::Vec | Location::Mat), |check| {
            format!("{} is a {} tile", check.name("dst"), location.word())
        });
        let profile = check.profile();
        let layout = src.layout.or_guess(&dst.ty, src.shape.len());
        scales::check(check, &src, layout);
        let pair = pair_fits(profile, layout, &dst.ty) || scales::plain(check, &LAYOUTS, &src, layout);
        check.require(&LAYOUTS, "dst", pair, |check| {
            format!(
                "{} is {}, {} is {}: {} has no such load",
                check.name("src"),
                layout.word(),
                check.name("dst"),
                dst.ty.layout().name.word(),
                profile.word()
            )
        });
        if let Some((rows, cols)) = src.matrix(layout) {
            let enough = |have: Option<u64>, need: Option<u32>| {
                have.zip(need).is_none_or(|(have, need)| have >= u64::from(need))
            };
            check.require(&EXTENT, "src", enough(rows, dst.rows) && enough(cols, dst.cols), |check| {
                let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
                format!(
                    "{} is {}x{}, but {} has {} valid elements",
                    check.name("src"),
                    text(rows),
                    text(cols),
                    check.name("dst"),
                    dst.valid_text()
                )
            });
        }
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.prepare().site.conv("dst").is_some() {
            return conv::by_formula(reference);
        }
        let dst = reference.tile("dst");
        let (view, element) = reference.view("src");
        let window = Window::of(&view, layout_of(reference.prepare(), &dst));
        let (rows, cols) = reference.valid(&dst);
        let (buffer, start) = window.locate(reference.state().global, element, "src")?;
        let base = start as usize;
        for i in 0..rows {
            for j in 0..cols {
                let at = window.offset(i as u64, j as u64) as usize;
                let value = get_element(&reference.state().global.buffer(buffer).bytes, base, at, element);
                reference.set(&dst, i, j, value);
            }
            for j in cols..padded_cols(&dst, cols) {
                reference.set(&dst, i, j, dst.ty.pad.bits(dst.ty.element));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("dst").is_some() {
            return conv::prepare(prepare);
        }
        let dst = prepare.tile("dst")?;
        let (slot, element) = prepare.view("src")?;
        let name = prepare.name("src").to_owned();
        let layout = layout_of(prepare, &dst);
        Ok(Box::new(move |state: &mut State<'_>| {
            let window = Window::of(&state.views[slot], layout);
            let live = state.live(&dst);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let (have_rows, have_cols) = window.extent();
            if (rows as u64) > have_rows || (cols as u64) > have_cols {
                return Err(Fault::Rule);
            }
            let (buffer, start) = window.locate(state.global, element, &name)?;
            let target = dst.layout.placement(live.address);
            let source = &state.global.buffer(buffer).bytes;
            let memory = &mut *state.memory;
            window.pieces(start, element, rows, cols, |piece| {
                let place = shifted(&dst, &target, piece.row, piece.col);
                match place {
                    Some(place) => {
                        transfer(
                            memory,
                            &place,
                            source,
                            &piece.placement,
                            piece.rows,
                            piece.cols,
                            element.bits(),
                        );
                    }
                    None => {
                        for i in 0..piece.rows {
                            for j in 0..piece.cols {
                                let value = get_element(
                                    source,
                                    piece.placement.offset,
                                    piece.placement.index(i, j),
                                    element,
                                );
                                let at = dst.layout.offset(piece.row + i, piece.col + j);
                                set_element(memory, live.address, at, element, value);
                            }
                        }
                    }
                }
            });
            let wide = padded_cols(&dst, cols);
            let pad = dst.ty.pad.bits(dst.ty.element);
            for i in 0..if wide > cols { rows } else { 0 } {
                for j in cols..wide {
                    set_element(memory, live.address, dst.layout.offset(i, j), dst.ty.element, pad);
                }
            }
            Ok(())
        }))
    }
}

/// The layout of the view operand, where the program does not say the one that fits the tile.
pub(super) fn layout_of(prepare: &Prepare<'_>, tile: &Tile) -> GlobalLayout {
    let role = if prepare.site.view("src").is_some() { "src" } else { "dst" };
    let view = prepare.site.view(role);
    view.map_or(GlobalLayout::Nd, |view| view.layout.or_guess(&tile.ty, view.shape.len()))
}

/// The placement of the part of a tile from (`row`, `col`) on, if it starts at a box.
pub(super) fn shifted(tile: &Tile, placement: &Placement, row: usize, col: usize) -> Option<Placement> {
    let layout = &tile.layout;
    let aligned = row.is_multiple_of(layout.box_rows) && col.is_multiple_of(layout.box_cols);
    let offset = placement.offset + layout.offset(row, col) * tile.ty.element.bits() as usize / 8;
    aligned.then_some(Placement { offset, ..*placement })
}

/// The columns that a load writes: the valid ones, and for padded vec tiles in rows those up to the next 32
/// bytes; a mat tile's partial box is completed with zeros.
fn padded_cols(tile: &Tile, cols: usize) -> usize {
    let ty = &tile.ty;
    let unit = c0(ty.element) as usize;
    let pads = match ty.location {
        Location::Vec => ty.pad != Pad::NULL && tile.layout.name == LayoutName::Nd,
        _ => tile.layout.name == LayoutName::Nz,
    };
    if pads { cols.next_multiple_of(unit).min(tile.cols()) } else { cols }
}
