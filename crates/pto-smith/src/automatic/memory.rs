//! Accesses to global memory, and of the scalar unit.

use super::draft::Draft;
use super::vector::operand;

/// Rows of every buffer; windows stay within.
pub(super) const ROWS: u64 = 96;

/// The window of a buffer that a vector core loads; sometimes of a buffer that it also stores.
pub(super) fn source(draft: &mut Draft<'_>) -> (&'static str, String) {
    let buffer = if draft.rng.chance(12) { "y" } else { "x" };
    if buffer == "y" {
        draft.has("stored and loaded");
    }
    (buffer, window(draft, buffer))
}

/// A window of 8 x 32 elements.
pub(super) fn window(draft: &mut Draft<'_>, buffer: &str) -> String {
    let row = row(draft, 8);
    part(draft, buffer, &row, [8, 32], "!view", "!window")
}

/// The part of a buffer of this shape that begins at a row and has all columns, with the types of the view and of the part.
pub(super) fn part(
    draft: &mut Draft<'_>,
    buffer: &str,
    row: &str,
    shape: [u64; 2],
    view_ty: &str,
    ty: &str,
) -> String {
    let view = draft.view(buffer, [ROWS, shape[1]], view_ty);
    let zero = draft.constant(0, "index");
    let [height, width] = shape.map(|number| draft.constant(number, "index"));
    let name = draft.name("w");
    draft.line(&format!(
        "{name} = pto.partition_view {view}, offsets = [{row}, {zero}], sizes = [{height}, {width}] : {view_ty} -> {ty}"
    ));
    name
}

/// The first row of a window of some rows: a constant, an affine function of counters, or computed in another way.
pub(super) fn row(draft: &mut Draft<'_>, height: u64) -> String {
    let counters = draft.counters.clone();
    let room = ROWS - height;
    match (draft.rng.below(8), counters.as_slice()) {
        (0..=4, [.., last]) if last.most * height <= room => {
            // Rounds are disjoint, or they overlap by half.
            let stride = if draft.rng.chance(80) { height } else { height / 2 };
            let (stride, shift) = (draft.constant(stride, "index"), draft.rng.below(3) as u64 * height);
            let row = draft.index("muli", &last.name, &stride);
            if shift == 0 || last.most * height + shift > room {
                return row;
            }
            let shift = draft.constant(shift, "index");
            draft.index("addi", &row, &shift)
        }
        (5, [.., outer, inner]) if (outer.most * 3 + inner.most) * height <= room && inner.most <= 2 => {
            let [large, small] = [3 * height, height].map(|number| draft.constant(number, "index"));
            let (outer, inner) =
                (draft.index("muli", &outer.name, &large), draft.index("muli", &inner.name, &small));
            draft.index("addi", &outer, &inner)
        }
        (6, [.., last]) => {
            draft.has("computed window");
            let (factor, places) = (draft.constant(5, "index"), draft.constant(room / height, "index"));
            let number = draft.index("muli", &last.name, &factor);
            let place = draft.index("remui", &number, &places);
            let height = draft.constant(height, "index");
            draft.index("muli", &place, &height)
        }
        _ => {
            let place = draft.rng.below((room / height) as usize + 1) as u64;
            draft.constant(place * height, "index")
        }
    }
}

/// The scalar unit reads or writes an element of a tile.
pub(super) fn element(draft: &mut Draft<'_>) {
    draft.has("element");
    let (tile, at) = (operand(draft), draft.rng.below(256) as u64);
    let at = draft.constant(at, "index");
    if draft.rng.chance(50) {
        draft.line(&format!("pto.tsetval ins({at}, %factor : index, f32) outs({} : !t)", tile.name));
        return;
    }
    let value = draft.name("s");
    draft.line(&format!("{value} = pto.tgetval ins({}, {at} : !t, index) outs : f32", tile.name));
    let to = draft.allocate("!t");
    draft.line(&format!("pto.tmuls ins({}, {value} : !t, f32) outs({} : !t)", tile.name, to.name));
    draft.written(&to);
}

/// The scalar unit reads and writes elements in global memory.
pub(super) fn scalars(draft: &mut Draft<'_>) {
    draft.has("scalars");
    let buffer = *draft.rng.pick(&["x", "y"]);
    let (from, to) = (place(draft), place(draft));
    let value = draft.name("s");
    draft.line(&format!("{value} = pto.load_scalar %{buffer}[{from}] : !pto.ptr<f32> -> f32"));
    draft.line(&format!("pto.store_scalar {value}, %y[{to}] : !pto.ptr<f32>, f32"));
}

fn place(draft: &mut Draft<'_>) -> String {
    match draft.counters.last().cloned().filter(|_| draft.rng.chance(60)) {
        Some(counter) => {
            let first = 8 * draft.rng.below(64) as u64;
            let first = draft.constant(first, "index");
            draft.index("addi", &counter.name, &first)
        }
        None => {
            let at = draft.rng.below(512) as u64;
            draft.constant(at, "index")
        }
    }
}

/// Loads from a buffer, computes, and stores to the same buffer: the same rows, or others.
pub(super) fn in_place(draft: &mut Draft<'_>) {
    draft.has("in place");
    let (from, to) = (window(draft, "z"), draft.rng.chance(60));
    let to = if to { from.clone() } else { window(draft, "z") };
    let tile = draft.target("!t");
    draft.line(&format!("pto.tload ins({from} : !window) outs({} : !t)", tile.name));
    draft.line(&format!("pto.tmuls ins({}, %factor : !t, f32) outs({} : !t)", tile.name, tile.name));
    draft.line(&format!("pto.tstore ins({} : !t) outs({to} : !window)", tile.name));
    draft.written(&tile);
}

/// Gathers rows of a buffer by indices: the instruction has flags of its own.
pub(super) fn indirect(draft: &mut Draft<'_>) {
    draft.has("indirect");
    let view = draft.view("x", [ROWS, 32], "!view");
    let (indices, rows, first) = (draft.name("indices"), draft.target("!t"), draft.constant(7, "i32"));
    draft.line(&format!("{indices} = pto.alloc_tile : !indices"));
    draft.line(&format!("pto.tci ins({first} : i32) outs({indices} : !indices)"));
    draft.line(&format!(
        "pto.mgather ins({view}, {indices} : !view, !indices) outs({} : !t) {{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob zero>}}",
        rows.name
    ));
    draft.written(&rows);
}
