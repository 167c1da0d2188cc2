//! Copies a view of global memory into a tile; shared by TLOAD and TPREFETCH.

use super::feature_map;
use crate::element::element_word;
use crate::op::site::Check;
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::few_rows::FewRows,
    super::moved::{Moved, Transfer},
    super::window::{Piece, Window},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile, View},
    crate::layout::Layout,
    crate::matrix::Size,
    crate::op::padding::fill_part,
    pto_kernels::{Placement, transfer as transfer_elements},
    pto_num::{get_element, set_element},
};

/// The part of the tile that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadExtent {
    /// The elements of the load's path, and the padding after them.
    Moved,
    /// The intersection of valid region and view.
    Common,
}

/// The elements that a load moves, given the valid region of its tile.
///
/// # Errors
/// If the view does not fit a valid region that must be filled.
#[cfg(feature = "run")]
fn plan(
    extent: LoadExtent,
    transfer: &Transfer,
    view: &View,
    valid: Size,
    dst: &Tile,
) -> Result<Moved, Fault> {
    if extent == LoadExtent::Moved {
        return transfer.moved(view, valid, &dst.layout);
    }
    let window = Window::of(view, transfer.layout());
    let (rows, cols) = window.extent();
    let least = |count: usize, have: u64| usize::try_from(have).map_or(count, |have| count.min(have));
    Ok(Moved::logical(window, Size { rows: least(valid.rows, rows), cols: least(valid.cols, cols) }))
}

/// Checks that view and tile have elements of equal size, and that the tile is in a buffer that loads write. False if
/// the layout of the view is not one for plain tiles.
pub(super) fn check(check: &mut Check<'_>, same_size: &'static Rule, place: &'static Rule) -> bool {
    let dst = check.tile("dst");
    let Some(from) = check.site.view("src").map(|src| src.element) else { return false };
    let to = dst.element();
    check.require(same_size, "src", from.bits() == to.bits(), |check| {
        let (from, to) = (element_word(from), element_word(to));
        format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
    });
    let location = dst.location();
    check.require(place, "dst", matches!(location, Location::Vec | Location::Mat), |check| {
        format!("{} is {} tile, which loads do not reach", check.name("dst"), location.with_article())
    });
    feature_map::check_load(check)
}

/// Copies element by element.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>, extent: LoadExtent) -> Result<(), Fault> {
    let dst = reference.tile("dst");
    let (view, element) = reference.view("src");
    let (valid, transfer) = (reference.valid(&dst), transfer_of(reference.prepare()).map_err(Fault::Other)?);
    let moved = plan(extent, &transfer, &view, valid, &dst)?;
    let (buffer, start) = moved.window.locate(reference.state().global, element, "src")?;
    let address = reference.state().live(&dst).address;
    let state = reference.state();
    moved.in_order(moved.size, |i, j| {
        let at = moved.window.offset(i as u64, j as u64) as usize;
        let value = state.global.reading(buffer).get(start as usize, at, element);
        set_element(state.memory, address, moved.offset(&dst.layout, i, j), element, value);
    });
    let (pad, Size { rows: tall, cols: wide }) = (dst.ty.pad.bits(dst.ty.element), moved.padded);
    for (i, j) in (0..tall).flat_map(|i| (0..wide).map(move |j| (i, j))) {
        if i >= moved.size.rows || j >= moved.size.cols {
            set_element(state.memory, address, dst.layout.offset(i, j), element, pad);
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
    let transfer = transfer_of(prepare)?;
    let in_rows = FewRows::fit(&dst, transfer.layout()) && transfer.pads_nothing();
    Ok(Box::new(move |state: &mut State<'_>| {
        let live = state.live(&dst);
        let valid = live.size();
        let few = if in_rows { FewRows::of(&state.views[slot], element, state.global) } else { None };
        if let Some(few) = few.filter(|few| transfer.is_logical((few.rows, few.cols), valid)) {
            few.load(state, &dst, live.address, valid);
            return Ok(());
        }
        let moved = plan(extent, &transfer, &state.views[slot], valid, &dst)?;
        let (buffer, start) = moved.window.locate(state.global, element, &name)?;
        let layout = moved.layout(&dst.layout);
        let source = state.global.reading(buffer);
        let memory = &mut *state.memory;
        moved.pieces(start, element, |piece| {
            let source = source.read(&piece.area(element));
            let place = shifted(&dst, &layout, live.address, &piece);
            if let Some(place) = place.filter(|_| !moved.overlaps) {
                let (rows, cols) = (piece.rows, piece.cols);
                transfer_elements(memory, &place, source, &piece.placement, rows, cols, element.bits());
                return;
            }
            moved.in_order(piece.size(), |i, j| {
                let index = piece.placement.index(i, j);
                let value = get_element(source, piece.placement.offset, index, element);
                let at = moved.offset(&dst.layout, piece.row + i, piece.col + j);
                set_element(memory, live.address, at, element, value);
            });
        });
        let (Size { rows, cols }, Size { rows: tall, cols: wide }) = (moved.size, moved.padded);
        let pad = dst.ty.pad.bits(dst.ty.element);
        if wide > cols {
            fill_part(memory, &dst, live.address, pad, [0..rows, cols..wide]);
        }
        if tall > rows {
            fill_part(memory, &dst, live.address, pad, [rows..tall, 0..cols]);
        }
        moved.note(&transfer, state);
        Ok(())
    }))
}

/// The transfer of a use.
///
/// # Errors
/// If the use has no view or no tile.
#[cfg(feature = "run")]
pub(super) fn transfer_of(prepare: &Prepare<'_>) -> Result<Transfer, String> {
    Transfer::of(prepare.site).ok_or_else(|| "a transfer needs a view and a tile".to_owned())
}

/// The placement of the part of a tile at a byte that a piece of the view fills, if that part starts a box; `layout` has the distances
/// within the piece.
#[cfg(feature = "run")]
pub(super) fn shifted(tile: &Tile, layout: &Layout, address: usize, piece: &Piece) -> Option<Placement> {
    let aligned = piece.row.is_multiple_of(layout.box_rows) && piece.col.is_multiple_of(layout.box_cols);
    let before = tile.layout.offset(piece.row, piece.col) * tile.ty.element.bits() as usize / 8;
    aligned.then(|| layout.placement(address + before))
}
