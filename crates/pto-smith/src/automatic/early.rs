//! Loops that load the tile of the next iteration early.

use super::control::rounds;
use super::draft::{Counter, Draft};
use super::memory;

/// A loop that begins with a tile loaded, and loads the tile of the next round before it computes, if there is one.
pub(super) fn loads(draft: &mut Draft<'_>) {
    if draft.counters.len() > 1 {
        return super::vector::load(draft);
    }
    draft.has("early load");
    let (current, next, result) = (draft.allocate("!t"), draft.allocate("!t"), draft.allocate("!t"));
    let part = |draft: &mut Draft<'_>, row: &str| memory::part(draft, "x", row, [8, 32], "!view", "!window");
    let zero = draft.constant(0, "index");
    let first = part(draft, &zero);
    draft.line(&format!("pto.tload ins({first} : !window) outs({} : !t)", current.name));
    draft.line(&format!("pto.tload ins({first} : !window) outs({} : !t)", next.name));
    let (upper, most) = rounds(draft);
    let [counter, results, now, then, after, more, row] =
        ["k", "r", "now", "then", "i", "is", "i"].map(|base| draft.name(base));
    let [one, eight] = [1, 8].map(|number| draft.constant(number, "index"));
    draft.scoped(|draft| {
        draft.counters.push(Counter { name: counter.clone(), most });
        draft.open(&format!(
            "{results}:2 = scf.for {counter} = {zero} to {upper} step {one} iter_args({now} = {}, {then} = {}) -> (!t, !t) {{",
            current.name, next.name
        ));
        draft.line(&format!("{after} = arith.addi {counter}, {one} : index"));
        draft.line(&format!("{more} = arith.cmpi slt, {after}, {upper} : index"));
        draft.line(&format!("{row} = arith.muli {after}, {eight} : index"));
        draft.open(&format!("scf.if {more} {{"));
        let window = part(draft, &row);
        draft.line(&format!("pto.tload ins({window} : !window) outs({then} : !t)"));
        draft.close();
        draft.line(&format!("pto.texp ins({now} : !t) outs({} : !t)", result.name));
        let window = memory::window(draft, "y");
        draft.line(&format!("pto.tstore ins({} : !t) outs({window} : !window)", result.name));
        draft.line(&format!("scf.yield {then}, {now} : !t, !t"));
        draft.close();
    });
}
