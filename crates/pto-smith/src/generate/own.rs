//! Steps for instructions with special syntax.

use super::draft::Draft;
use super::layouts::unit;
use super::push::push;
use super::tiles::{Tile, element, extents, full, holding};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{Location, TileType};

/// Instructions with special syntax: windows of tiles, other shapes, single elements.
pub(super) fn own(draft: &mut Draft, rng: &mut Rng, name: &str) {
    if matches!(name, "set_quant_scalar" | "set_quant_vector") {
        return push(draft, rng, name.ends_with("vector"));
    }
    let (element, (rows, cols)) = (element(rng), extents(rng));
    let ty = holding(rng, draft.profile, Location::Vec, element, rows, cols);
    let word = element_word(element);
    if matches!(name, "load_scalar" | "store_scalar") {
        let (pointer, at) = (draft.argument(format!("!pto.ptr<{word}>")), rng.between(0, 50) as u64);
        let (value, index) = (draft.name("s"), draft.hidden_index(at));
        draft.line(format!("{value} = pto.load_scalar {pointer}[{index}] : !pto.ptr<{word}> -> {word}"));
        let target = draft.argument(format!("!pto.ptr<{word}>"));
        return draft.line(format!("pto.store_scalar {value}, {target}[{index}] : !pto.ptr<{word}>, {word}"));
    }
    let mut tile = draft.tile(rng, ty, rows, cols);
    draft.fill(rng, &tile);
    match name {
        "subview" => {
            let layout = ty.layout();
            let (r, c) = (layout.box_rows as u32, layout.box_cols as u32);
            let part =
                TileType { rows: ty.rows.min(r.max(4)), cols: ty.cols.min(c.max(unit(element))), ..ty };
            let part = full(&part);
            let start = |rng: &mut Rng, limit: u32, extent: u32, unit: u32| {
                u64::from(unit) * rng.between(0, ((limit - extent) / unit) as usize) as u64
            };
            let row = start(rng, ty.rows, part.rows, r);
            let col = start(rng, ty.cols, part.cols, c);
            let (row, col, view) = (draft.index(row), draft.hidden_index(col), draft.name("t"));
            let sizes = format!("[{}, {}]", part.rows, part.cols);
            let (from, to) = (tile.ty.text(false), part.text(false));
            draft.line(format!(
                "{view} = pto.subview {}[{row}, {col}] sizes {sizes} : {from} -> {to}",
                tile.name
            ));
            draft.line(format!("pto.tmov ins({view} : {to}) outs({view} : {to})"));
            draft.line(format!("pto.tneg ins({view} : {to}) outs({view} : {to})"));
        }
        "tassign" => {
            let (spelled, name) = (tile.ty.text(false), draft.name("t"));
            let place = draft.place(&ty).unwrap_or(0);
            let (address, index) = match rng.chance(50) {
                true => (draft.address(place), "i64"),
                false => (draft.hidden_index(place), "index"),
            };
            draft.line(format!(
                "{name} = pto.tassign {}, {address} : {spelled}, {index} -> {spelled}",
                tile.name
            ));
            // Both names have the new address.
            let other = std::mem::replace(&mut tile.name, name);
            draft.fill(rng, &tile);
            draft.line(format!("pto.tneg ins({other} : {spelled}) outs({} : {spelled})", tile.name));
        }
        "tile_buf_addr" => {
            let (spelled, pointer, value) = (tile.ty.text(false), draft.name("p"), draft.name("s"));
            let mut any = || rng.between(0, ty.elements() - 1) as u64;
            let (from, to) = (any(), any());
            let (from, to) = (draft.hidden_index(from), draft.index(to));
            let of = format!("!pto.ptr<{word}, vec>");
            draft.line(format!("{pointer} = pto.tile_buf_addr {} : {spelled} -> {of}", tile.name));
            draft.line(format!("{value} = pto.load_scalar {pointer}[{from}] : {of} -> {word}"));
            draft.line(format!("pto.store_scalar {value}, {pointer}[{to}] : {of}, {word}"));
        }
        "tgetval" | "set_validshape" | "get_validshape" => {
            let index = rng.between(0, ty.elements() - 1) as u64;
            let (index, value) = (draft.hidden_index(index), draft.name("s"));
            let pointer = draft.argument(format!("!pto.ptr<{word}>"));
            let spelled = tile.ty.text(false);
            draft.line(format!(
                "{value} = pto.tgetval ins({}, {index} : {spelled}, index) outs : {word}",
                tile.name
            ));
            draft.line(format!("pto.store_scalar {value}, {pointer}[%c0] : !pto.ptr<{word}>, {word}"));
            if tile.ty.valid_rows.is_none() && tile.ty.valid_cols.is_none() {
                let (r, c) = (draft.hidden_index(u64::from(rows / 2)), draft.hidden_index(u64::from(cols)));
                draft.line(format!("pto.set_validshape {}, {r}, {c} : {spelled}", tile.name));
                draft
                    .line(format!("pto.tneg ins({} : {spelled}) outs({} : {spelled})", tile.name, tile.name));
            }
        }
        _ => {
            tile = if rng.chance(50) { draft.whole(&tile) } else { named(draft, &tile) };
            let spelled = tile.ty.text(false);
            draft.line(format!("pto.tneg ins({} : {spelled}) outs({} : {spelled})", tile.name, tile.name));
        }
    }
    draft.store(rng, &tile);
}

/// A view of a tile's storage, with its shape written out.
fn named(draft: &mut Draft, tile: &Tile) -> Tile {
    let (ty, name) = (full(&tile.ty), draft.name("w"));
    let (rows, cols) = (draft.index(u64::from(ty.rows)), draft.hidden_index(u64::from(ty.cols)));
    let (from, to) = (tile.ty.text(false), ty.text(false));
    draft.line(format!("{name} = pto.treshape {}, {rows}, {cols} : {from} -> {to}", tile.name));
    Tile { name, ty, rows: ty.rows, cols: ty.cols, address: tile.address }
}
