//! Statements of vector cores.

use super::control::{self, control};
use super::draft::{Draft, Tile};
use super::{early, given, memory};

/// Elementwise instructions with two tiles, and with one.
const BINARY: [&str; 5] = ["tadd", "tsub", "tmul", "tmax", "tmin"];
const UNARY: [&str; 5] = ["tneg", "tabs", "texp", "trelu", "tmov"];

/// The statements of a program, and a store of a tile at its end.
pub(super) fn body(draft: &mut Draft<'_>) {
    load(draft);
    while draft.budget > 0 {
        statement(draft);
    }
    store(draft);
}

/// Adds a statement.
pub(super) fn statement(draft: &mut Draft<'_>) {
    draft.budget = draft.budget.saturating_sub(1);
    match draft.rng.below(42) {
        0..=5 => load(draft),
        6..=11 => elementwise(draft),
        12..=14 => rows(draft),
        15..=18 => store(draft),
        19 => part(draft),
        20 => several(draft),
        21 => memory::element(draft),
        22 => memory::scalars(draft),
        23 | 24 => memory::in_place(draft),
        25 => memory::indirect(draft),
        26 => early::loads(draft),
        27 => many(draft),
        28 => wide(draft),
        29 => given::flags(draft),
        30 => given::barrier(draft),
        31 | 32 => control::chosen(draft),
        _ => control(draft, statement),
    }
}

/// Loads a tile.
pub(super) fn load(draft: &mut Draft<'_>) {
    let (buffer, window) = memory::source(draft);
    let tile = draft.target("!t");
    draft.line(&format!("pto.tload ins({window} : !window) outs({} : !t) // from {buffer}", tile.name));
    draft.written(&tile);
}

/// A written tile: one in scope, or a new one that is loaded here.
pub(super) fn operand(draft: &mut Draft<'_>) -> Tile {
    if let Some(tile) = draft.tile("!t") {
        return tile;
    }
    let tile = draft.allocate("!t");
    let number = draft.float(15);
    draft.line(&format!("pto.texpands ins({number} : f32) outs({} : !t)", tile.name));
    draft.written(&tile);
    tile
}

/// One elementwise instruction.
pub(super) fn elementwise(draft: &mut Draft<'_>) {
    let (a, b) = (operand(draft), operand(draft));
    let to = draft.target("!t");
    match draft.rng.below(5) {
        0 | 1 => {
            let op = *draft.rng.pick(&BINARY);
            draft.line(&format!("pto.{op} ins({}, {} : !t, !t) outs({} : !t)", a.name, b.name, to.name));
        }
        2 => {
            draft.line(&format!("pto.tmuls ins({}, %factor : !t, f32) outs({} : !t)", a.name, to.name));
        }
        _ => {
            let op = *draft.rng.pick(&UNARY);
            draft.line(&format!("pto.{op} ins({} : !t) outs({} : !t)", a.name, to.name));
        }
    }
    draft.written(&to);
}

/// A reduction of rows with a workspace, and an instruction that uses its result.
fn rows(draft: &mut Draft<'_>) {
    draft.has("rows");
    let from = operand(draft);
    let (workspace, column) = (draft.allocate("!t"), draft.target("!column"));
    let op = *draft.rng.pick(&["trowmax", "trowsum", "trowmin"]);
    draft.line(&format!(
        "pto.{op} ins({}, {} : !t, !t) outs({} : !column)",
        from.name, workspace.name, column.name
    ));
    draft.written(&column);
    let to = draft.target("!t");
    draft.line(&format!(
        "pto.trowexpandsub ins({}, {} : !t, !column) outs({} : !t)",
        from.name, column.name, to.name
    ));
    draft.written(&to);
}

/// Stores a tile.
pub(super) fn store(draft: &mut Draft<'_>) {
    let tile = operand(draft);
    let window = memory::window(draft, "y");
    draft.line(&format!("pto.tstore ins({} : !t) outs({window} : !window)", tile.name));
}

/// An instruction on a part of a tile.
fn part(draft: &mut Draft<'_>) {
    draft.has("part of a tile");
    let (tile, name) = (operand(draft), draft.name("part"));
    let [row, col] = [4 * draft.rng.below(2) as u64, 16 * draft.rng.below(2) as u64];
    let [row, col] = [row, col].map(|number| draft.constant(number, "index"));
    draft.line(&format!("{name} = pto.subview {}[{row}, {col}] sizes [4, 16] : !t -> !part", tile.name));
    draft.line(&format!("pto.tneg ins({name} : !part) outs({name} : !part)"));
}

/// One of several tiles, by a constant or by a counter: loaded, changed and stored.
fn several(draft: &mut Draft<'_>) {
    draft.has("multi tile");
    let (tiles, tile) = (draft.name("m"), draft.name("t"));
    let two = draft.constant(2, "index");
    let counter = draft.counters.last().map(|counter| counter.name.clone());
    draft.line(&format!("{tiles} = pto.alloc_multi_tile : !several"));
    let which = match counter {
        Some(counter) => draft.index("remui", &counter, &two),
        None => {
            let at = draft.rng.below(2) as u64;
            draft.constant(at, "index")
        }
    };
    draft.line(&format!("{tile} = pto.multi_tile_get {tiles}[{which}] : !several -> !t"));
    let window = memory::window(draft, "x");
    draft.line(&format!("pto.tload ins({window} : !window) outs({tile} : !t)"));
    draft.line(&format!("pto.texp ins({tile} : !t) outs({tile} : !t)"));
    let window = memory::window(draft, "y");
    draft.line(&format!("pto.tstore ins({tile} : !t) outs({window} : !window)"));
}

/// More tiles between two pipes than there are event ids.
fn many(draft: &mut Draft<'_>) {
    draft.has("more tiles than events");
    draft.scoped(|draft| {
        let count = draft.rng.between(9, 11);
        let tiles: Vec<Tile> = (0..count).map(|_| draft.allocate("!t")).collect();
        for tile in &tiles {
            let window = memory::window(draft, "x");
            draft.line(&format!("pto.tload ins({window} : !window) outs({} : !t)", tile.name));
        }
        for tile in &tiles {
            draft.line(&format!("pto.tneg ins({} : !t) outs({} : !t)", tile.name, tile.name));
            if draft.rng.chance(30) {
                let window = memory::window(draft, "y");
                draft.line(&format!("pto.tstore ins({} : !t) outs({window} : !window)", tile.name));
            }
        }
        let window = memory::window(draft, "y");
        let last = &tiles[count - 1].name;
        draft.line(&format!("pto.tstore ins({last} : !t) outs({window} : !window)"));
    });
}

/// Tiles of 32 KB, of which few fit at a time.
fn wide(draft: &mut Draft<'_>) {
    draft.has("wide tiles");
    draft.scoped(|draft| {
        let view = draft.view("z", [96, 128], "!view");
        let [zero, eight] = [0, 8].map(|number| draft.constant(number, "index"));
        let [rows, cols] = [64, 128].map(|number| draft.constant(number, "index"));
        let count = draft.rng.between(2, 6);
        let tiles: Vec<Tile> = (0..count).map(|_| draft.allocate("!wide")).collect();
        let broad = draft.name("w");
        draft.line(&format!("{broad} = pto.partition_view {view}, offsets = [{eight}, {zero}], sizes = [{rows}, {cols}] : !view -> !broad"));
        for tile in &tiles {
            draft.line(&format!("pto.tload ins({broad} : !broad) outs({} : !wide)", tile.name));
        }
        for pair in tiles.windows(2) {
            draft.line(&format!(
                "pto.tadd ins({}, {} : !wide, !wide) outs({} : !wide)",
                pair[0].name, pair[1].name, pair[1].name
            ));
        }
        draft.line(&format!("pto.tstore ins({} : !wide) outs({broad} : !broad)", tiles[count - 1].name));
    });
}
