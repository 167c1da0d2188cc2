//! Accumulators that are quantized when pushed into a queue to the vector cores.

use super::draft::Draft;
use crate::Rng;
use pto::isa::Profile;

/// Modes: the word without its suffix for scalar or vector parameters, the format of the factors, of the accumulator,
/// and of the entries.
const MODES: [(&str, &str, &str, &str); 6] = [
    ("deqf16", "i8", "i32", "f16"),
    ("req8", "i8", "i32", "i8"),
    ("req8", "i8", "i32", "ui8"),
    ("qf322b8_pre", "f16", "f32", "i8"),
    ("qf322f16_pre", "f16", "f32", "f16"),
    ("qf322bf16_pre", "bf16", "f32", "bf16"),
];

/// Rows and columns of all tiles, a multiple of the boxes of 8-bit formats.
const SIDE: u64 = 32;

/// A product that one core pushes and the other pops, with the parameters of its quantization.
pub(super) fn push(draft: &mut Draft, rng: &mut Rng, columns: bool) {
    let (mode, factor, sum, entry) = *rng.pick(&MODES);
    let relu = if rng.chance(50) { "normal_relu" } else { "no_relu" };
    let (slots, id) = (draft.name("q"), draft.name(""));
    let id = id.trim_start_matches(|c: char| !c.is_ascii_digit());
    let epilogue = format!(
        "#pto.acc_push_epilogue<layout = nz2nd, quant = {mode}_{}, relu = {relu}>",
        if columns { "vec" } else { "scalar" }
    );
    let open = format!(
        "_initialize_pipe {{id = {id}, dir_mask = 1, slot_size = 4096, slot_num = 2, nosplit = true, \
         acc_push_epilogue = {epilogue}}} (c2v_consumer_buf = {slots} : i32)"
    );
    let buffer = format!("{{name = \"{id}\", size = 8192, location = #pto.address_space<vec>, auto = true}}");
    draft.line(format!("{slots} = pto.reserve_buffer {buffer} -> i32"));
    draft.line("pto.section.cube {");
    draft.line(format!("pto.aic{open}"));
    let boxes = "blayout=col_major, slayout=row_major";
    let of = |location: &str, ty: &str, layout: &str| {
        format!("!pto.tile_buf<{location}, {SIDE}x{SIDE}x{ty}, {layout}>")
    };
    let mat = of("mat", factor, boxes);
    let acc = of("acc", sum, "blayout=col_major, slayout=row_major, fractal=1024");
    let sides = [of("left", factor, boxes), of("right", factor, "slayout=col_major")];
    let factors = sides.each_ref().map(|side| {
        let loaded = load(draft, SIDE, factor, &mat);
        moved(draft, &loaded, &mat, side)
    });
    let product = tile(draft, &acc);
    let [left, right] = sides;
    draft.line(format!(
        "pto.tmatmul ins({}, {} : {left}, {right}) outs({product} : {acc})",
        factors[0], factors[1]
    ));
    if columns {
        let word = if draft.profile == Profile::A5 { "f32" } else { "ui64" };
        let parameters = format!("!pto.tile_buf<mat, 1x{SIDE}x{word}>");
        let scaling = format!("!pto.tile_buf<scaling, 1x{SIDE}x{word}>");
        let loaded = load(draft, 1, word, &parameters);
        let fp = moved(draft, &loaded, &parameters, &scaling);
        draft.line(format!("pto.set_quant_vector({fp} : {scaling}) {{id = {id}}}"));
    } else {
        let scale = draft.argument("f32".into());
        draft.line(format!("pto.set_quant_scalar({scale} : f32) {{id = {id}}}"));
    }
    draft.line(format!("pto.tpush_to_aiv({product} : {acc}) {{id = {id}, split = 0}}"));
    draft.line("}");
    draft.line("pto.section.vector {");
    draft.line(format!("pto.aiv{open}"));
    let (got, ty) = (draft.name("t"), format!("!pto.tile_buf<vec, {SIDE}x{SIDE}x{entry}>"));
    draft.line(format!("{got} = pto.tpop_from_aic {{id = {id}, split = 0}} -> {ty}"));
    let (view, of) = view(draft, SIDE, entry);
    draft.line(format!("pto.tstore ins({got} : {ty}) outs({view} : {of})"));
    draft.line(format!("pto.tfree_from_aic {{id = {id}, split = 0}}"));
    draft.line("}");
}

/// A view of `rows` rows of a new argument, and its type.
fn view(draft: &mut Draft, rows: u64, word: &str) -> (String, String) {
    let (pointer, name) = (draft.argument(format!("!pto.ptr<{word}>")), draft.name("v"));
    let (height, width, ty) =
        (draft.index(rows), draft.index(SIDE), format!("!pto.tensor_view<{rows}x{SIDE}x{word}>"));
    draft.line(format!(
        "{name} = pto.make_tensor_view {pointer}, shape = [{height}, {width}], strides = [{width}, %c1] : {ty}"
    ));
    (name, ty)
}

fn tile(draft: &mut Draft, ty: &str) -> String {
    let name = draft.name("t");
    draft.line(format!("{name} = pto.alloc_tile : {ty}"));
    name
}

fn load(draft: &mut Draft, rows: u64, word: &str, ty: &str) -> String {
    let ((view, of), name) = (view(draft, rows, word), tile(draft, ty));
    draft.line(format!("pto.tload ins({view} : {of}) outs({name} : {ty})"));
    name
}

fn moved(draft: &mut Draft, from: &str, of: &str, ty: &str) -> String {
    let name = tile(draft, ty);
    draft.line(format!("pto.tmov ins({from} : {of}) outs({name} : {ty})"));
    name
}
