//! Copies a view of global memory into a tile; shared by TLOAD and TPREFETCH.

use crate::element::element_word;
use crate::layout::{LayoutName, c0};
use crate::op::site::Check;
use crate::rule::Rule;
use crate::tile::{Location, Pad, TileType};
#[cfg(feature = "run")]
use {
    super::few_rows::FewRows,
    super::window::Window,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile, View},
    crate::op::padding::fill_part,
    crate::op::site::GlobalLayout,
    crate::profile::Profile,
    pto_kernels::{Placement, transfer},
    pto_num::{get_element, set_element},
};

/// The part of the tile that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadExtent {
    /// The valid region, and the padding after its rows. The view must be at least as large.
    Valid,
    /// The intersection of valid region and view.
    Common,
}

impl LoadExtent {
    /// Rows and columns to copy, from the extents of tile and view.
    ///
    /// # Errors
    /// If the view is smaller than a valid region that must be filled.
    #[cfg(feature = "run")]
    fn extent(self, (rows, cols): (usize, usize), view: (u64, u64)) -> Result<(usize, usize), Fault> {
        let least = |count: usize, have: u64| usize::try_from(have).map_or(count, |have| count.min(have));
        let common = (least(rows, view.0), least(cols, view.1));
        if self == LoadExtent::Valid && common != (rows, cols) {
            return Err(Fault::Rule);
        }
        Ok(common)
    }
}

/// The view as the load reads it: on devices, extended to the tile's row length if that is longer.
#[cfg(feature = "run")]
fn window_of(
    profile: Profile,
    extent: LoadExtent,
    view: &View,
    layout: GlobalLayout,
    size: (usize, usize),
) -> Window {
    let window = Window::of(view, layout);
    let by_tile = extent == LoadExtent::Valid && profile.is_device() && !layout.is_scales();
    if by_tile { window.as_long_as(size) } else { window }
}

/// Checks that view and tile have elements of equal size, and that the tile is in a buffer that loads write.
pub(super) fn check(check: &mut Check<'_>, same_size: &'static Rule, place: &'static Rule) {
    let dst = check.tile("dst");
    let Some(from) = check.site.view("src").map(|src| src.element) else { return };
    let to = dst.element();
    check.require(same_size, "src", from.bits() == to.bits(), |check| {
        let (from, to) = (element_word(from), element_word(to));
        format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
    });
    let location = dst.location();
    check.require(place, "dst", matches!(location, Location::Vec | Location::Mat), |check| {
        format!("{} is a {} tile", check.name("dst"), location.word())
    });
}

/// Copies element by element.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>, extent: LoadExtent) -> Result<(), Fault> {
    let dst = reference.tile("dst");
    let (view, element) = reference.view("src");
    let (valid, prepare) = (reference.valid(&dst), reference.prepare());
    let window = window_of(prepare.profile(), extent, &view, layout_of(prepare, &dst), valid);
    let (rows, cols) = extent.extent(valid, window.extent())?;
    let (buffer, start) = window.locate(reference.state().global, element, "src")?;
    let base = start as usize;
    for i in 0..rows {
        for j in 0..cols {
            let at = window.offset(i as u64, j as u64) as usize;
            let value = reference.state().global.reading(buffer).get(base, at, element);
            reference.set(&dst, i, j, value);
        }
        for j in cols..written_cols(&dst, cols, extent) {
            reference.set(&dst, i, j, dst.ty.pad.bits(dst.ty.element));
        }
    }
    Ok(())
}

/// Copies piece by piece.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>, extent: LoadExtent) -> Result<Box<dyn Execute>, String> {
    let dst = prepare.tile("dst")?;
    let (slot, element) = prepare.view("src")?;
    let name = prepare.name("src").to_owned();
    let layout = layout_of(prepare, &dst);
    let profile = prepare.profile();
    let in_rows = FewRows::fit(&dst, layout);
    Ok(Box::new(move |state: &mut State<'_>| {
        let live = state.live(&dst);
        let valid = (live.rows as usize, live.cols as usize);
        let few = if in_rows { FewRows::of(&state.views[slot], element, state.global) } else { None };
        if let Some(few) = few.filter(|few| extent == LoadExtent::Common || few.cols >= valid.1 as u64) {
            let size = extent.extent(valid, (few.rows, few.cols))?;
            if written_cols(&dst, size.1, extent) == size.1 {
                few.load(state, &dst, live.address, size);
                return Ok(());
            }
        }
        let window = window_of(profile, extent, &state.views[slot], layout, valid);
        let (rows, cols) = extent.extent(valid, window.extent())?;
        let (buffer, start) = window.locate(state.global, element, &name)?;
        let target = dst.layout.placement(live.address);
        let source = state.global.reading(buffer);
        let memory = &mut *state.memory;
        window.pieces(start, element, rows, cols, |piece| {
            let place = shifted(&dst, &target, piece.row, piece.col);
            let source = source.read(&piece.area(element));
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
        let wide = written_cols(&dst, cols, extent);
        let pad = dst.ty.pad.bits(dst.ty.element);
        if wide > cols {
            fill_part(memory, &dst, live.address, pad, [0..rows, cols..wide]);
        }
        Ok(())
    }))
}

/// The declared layout of the view operand, or else the default for the tile.
#[cfg(feature = "run")]
pub(super) fn layout_of(prepare: &Prepare<'_>, tile: &Tile) -> GlobalLayout {
    let role = if prepare.site.view("src").is_some() { "src" } else { "dst" };
    let view = prepare.site.view(role);
    let profile = prepare.profile();
    view.map_or(GlobalLayout::Nd, |view| view.layout.or_guess(&tile.ty, view.shape.len(), profile))
}

/// The placement of the part of a tile from (`row`, `col`), if that element starts a box.
#[cfg(feature = "run")]
pub(super) fn shifted(tile: &Tile, placement: &Placement, row: usize, col: usize) -> Option<Placement> {
    let layout = &tile.layout;
    let aligned = row.is_multiple_of(layout.box_rows) && col.is_multiple_of(layout.box_cols);
    let offset = placement.offset + layout.offset(row, col) * tile.ty.element.bits() as usize / 8;
    aligned.then_some(Placement { offset, ..*placement })
}

/// The columns that a load writes: the valid ones; row-major vec tiles with a pad value are padded to a multiple
/// of 32 bytes, and mat tiles to whole boxes with zeros.
#[cfg(feature = "run")]
fn written_cols(tile: &Tile, cols: usize, extent: LoadExtent) -> usize {
    match padding(&tile.ty, tile.layout.name).filter(|_| extent == LoadExtent::Valid) {
        Some(unit) => cols.next_multiple_of(unit as usize).min(tile.cols()),
        None => cols,
    }
}

/// The number of columns to a multiple of which a load pads rows; `None` if it does not pad.
pub(super) fn padding(ty: &TileType, layout: LayoutName) -> Option<u32> {
    let pads = match ty.location {
        Location::Vec => ty.pad != Pad::NULL && layout == LayoutName::Nd,
        _ => layout == LayoutName::Nz,
    };
    pads.then(|| c0(ty.element))
}
