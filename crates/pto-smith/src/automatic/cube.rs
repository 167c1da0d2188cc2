//! Statements of cube cores: products of tiles that are loaded to L1 and moved to the operand buffers.

use super::control::control;
use super::draft::{Draft, Tile};
use super::memory::{self, row};

/// The statements of a program, and a store at its end.
pub(super) fn body(draft: &mut Draft<'_>) {
    draft.has("cube");
    draft.budget = draft.budget.clamp(2, 8);
    product(draft);
    while draft.budget > 0 {
        statement(draft);
    }
    store(draft);
}

/// Adds a statement.
fn statement(draft: &mut Draft<'_>) {
    draft.budget = draft.budget.saturating_sub(1);
    match draft.rng.below(20) {
        0..=3 => product(draft),
        4..=6 => accumulate(draft),
        7..=9 => store(draft),
        10 => extracts(draft),
        11 => {
            load(draft, "!ma");
        }
        _ => control(draft, statement),
    }
}

/// Loads a tile to L1.
fn load(draft: &mut Draft<'_>, ty: &'static str) -> Tile {
    let (buffer, shape, part) = match ty {
        "!ma" => ("a", [16, 32], "!wa"),
        "!mw" => ("a", [32, 64], "!ww"),
        _ => ("b", [32, 16], "!wb"),
    };
    let row = row(draft, shape[0]);
    let window = memory::part(draft, buffer, &row, shape, "!hview", part);
    let tile = draft.target(ty);
    draft.line(&format!("pto.tload ins({window} : {part}) outs({} : {ty})", tile.name));
    draft.written(&tile);
    tile
}

/// Both factors in the operand buffers.
fn factors(draft: &mut Draft<'_>) -> [Tile; 2] {
    let sides = [("!ma", "!left"), ("!mb", "!right")];
    sides.map(|(mat, operand)| {
        if let Some(known) = draft.tile(operand).filter(|_| draft.rng.chance(20)) {
            return known;
        }
        let from = match draft.tile(mat).filter(|_| draft.rng.chance(25)) {
            Some(known) => known,
            None => load(draft, mat),
        };
        let to = draft.target(operand);
        draft.line(&format!("pto.tmov ins({} : {mat}) outs({} : {operand})", from.name, to.name));
        draft.written(&to);
        to
    })
}

fn product(draft: &mut Draft<'_>) {
    let [left, right] = factors(draft);
    let to = draft.target("!acc");
    draft.line(&format!(
        "pto.tmatmul ins({}, {} : !left, !right) outs({} : !acc)",
        left.name, right.name, to.name
    ));
    draft.written(&to);
}

/// A product that is added to an accumulator.
fn accumulate(draft: &mut Draft<'_>) {
    let Some(acc) = draft.tile("!acc") else { return product(draft) };
    let [left, right] = factors(draft);
    draft.line(&format!(
        "pto.tmatmul.acc ins({0}, {1}, {2} : !acc, !left, !right) outs({0} : !acc)",
        acc.name, left.name, right.name
    ));
}

/// Extracts two left factors from one tile in L1, and multiplies with both.
fn extracts(draft: &mut Draft<'_>) {
    draft.has("extracts");
    let whole = load(draft, "!mw");
    let [_, right] = factors(draft);
    for part in 0..2u64 {
        let left = draft.target("!left");
        let [row, col] =
            [16 * part, 32 * draft.rng.below(2) as u64].map(|number| draft.constant(number, "index"));
        draft.line(&format!(
            "pto.textract ins({}, {row}, {col} : !mw, index, index) outs({} : !left)",
            whole.name, left.name
        ));
        draft.written(&left);
        let to = draft.target("!acc");
        draft.line(&format!(
            "pto.tmatmul ins({}, {} : !left, !right) outs({} : !acc)",
            left.name, right.name, to.name
        ));
        draft.written(&to);
    }
}

/// Stores an accumulator through the fixpipe.
fn store(draft: &mut Draft<'_>) {
    let Some(acc) = draft.tile("!acc") else { return product(draft) };
    let row = row(draft, 16);
    let window = memory::part(draft, "o", &row, [16, 16], "!view", "!wo");
    draft.line(&format!("pto.tstore ins({} : !acc) outs({window} : !wo)", acc.name));
}
