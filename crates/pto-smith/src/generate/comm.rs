//! Steps for instructions between ranks. One rank plays all of them, with separate buffers.

use super::draft::Draft;
use super::tiles::Tile;
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{Element, TileType};

/// Formats that are moved, added and compared.
const ELEMENTS: [Element; 6] =
    [Element::I8, Element::I16, Element::I32, Element::F16, Element::Bf16, Element::F32];

/// A step with this instruction.
pub(super) fn step(draft: &mut Draft, rng: &mut Rng, name: &str) {
    match name.strip_prefix("comm.").unwrap_or(name) {
        "tput" | "tget" => transfer(draft, rng, name),
        "tbroadcast" | "tgather" | "tscatter" | "treduce" => group(draft, rng, name),
        "tnotify" | "twait" | "ttest" => signal(draft, rng, name),
        "tprefetch_async" | "make_prefetch_async_context" | "get_prefetch_async_session" => {
            prefetch(draft, rng)
        }
        _ => by_engine(draft, rng),
    }
}

/// A view of a new argument: rows and columns with padding after each row, and sometimes a third dimension.
fn tensor(draft: &mut Draft, element: Element, [outer, rows, cols]: [u64; 3], gap: u64) -> (String, String) {
    let word = element_word(element);
    let pointer = draft.argument(format!("!pto.ptr<{word}>"));
    let (stride, plane) = (cols + gap, (cols + gap) * rows);
    let shape = [outer, rows, cols].map(|extent| draft.hidden_index(extent));
    let strides = [plane, stride, 1].map(|stride| draft.index(stride));
    let ty = format!("!pto.tensor_view<?x?x?x{word}>");
    let name = draft.name("v");
    draft.line(format!(
        "{name} = pto.make_tensor_view {pointer}, shape = [{}], strides = [{}] : {ty}",
        shape.join(", "),
        strides.join(", ")
    ));
    (name, ty)
}

/// A staging tile for chunks of tensors with these rows and columns: its size divides them, or its type has a dynamic
/// valid region.
fn staging(draft: &mut Draft, rng: &mut Rng, element: Element, [rows, cols]: [u64; 2]) -> Tile {
    let unit = (32 / element.bytes(1)) as u32;
    let (rows, cols) = (rows as u32, cols as u32);
    let rows = *rng.pick(&[1, rows, rows.div_ceil(2)]);
    let cols = *rng.pick(&[cols, cols.div_ceil(2)]);
    let mut ty = TileType::vec(element, rows, cols.next_multiple_of(unit));
    (ty.valid_rows, ty.valid_cols) = (None, None);
    draft.tile(rng, ty, rows, cols)
}

/// `name0, name1` and `type0, type1` of some operands.
fn listed(operands: &[(String, String)]) -> (String, String) {
    let names: Vec<_> = operands.iter().map(|(name, _)| name.as_str()).collect();
    let types: Vec<_> = operands.iter().map(|(_, ty)| ty.as_str()).collect();
    (names.join(", "), types.join(", "))
}

fn named(tile: &Tile) -> (String, String) {
    (tile.name.clone(), tile.ty.text(false))
}

/// One or two staging tiles of one type.
fn stages(draft: &mut Draft, rng: &mut Rng, element: Element, size: [u64; 2]) -> Vec<Tile> {
    let first = staging(draft, rng, element, size);
    if rng.chance(50) {
        return vec![first];
    }
    let second = draft.tile(rng, first.ty, first.rows, first.cols);
    vec![first, second]
}

fn extents(rng: &mut Rng) -> [u64; 3] {
    [rng.between(1, 2) as u64, rng.between(1, 5) as u64, rng.between(1, 40) as u64]
}

fn transfer(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let (element, shape) = (*rng.pick(&ELEMENTS), extents(rng));
    let gaps = [rng.between(0, 2) as u64, rng.between(0, 2) as u64];
    let tiles = stages(draft, rng, element, [shape[1], shape[2]]);
    let tensors = gaps.map(|gap| tensor(draft, element, shape, gap));
    let (names, types) = listed(&tensors);
    let (buffers, buffer_types) = listed(&tiles.iter().map(named).collect::<Vec<_>>());
    let add = name == "comm.tput" && rng.chance(50);
    let attributes = if add { " {atomicType = #pto<atomic_type atomic_add>}" } else { "" };
    draft.line(format!("pto.{name}({names}, buf({buffers}) : {types}, {buffer_types}){attributes}"));
}

fn group(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let (element, shape) = (*rng.pick(&ELEMENTS), extents(rng));
    let ranks = rng.between(1, 3) as u64;
    let wide = matches!(name, "comm.tgather" | "comm.tscatter");
    let more = rng.between(0, 1) as u64;
    let rows = if wide { shape[1] * ranks + more } else { shape[1] };
    let tiles = stages(draft, rng, element, [shape[1], shape[2]]);
    let whole = tensor(draft, element, [shape[0], rows, shape[2]], 1);
    let members: Vec<_> = (0..ranks).map(|_| tensor(draft, element, shape, more)).collect();
    let mut operands = vec![whole];
    let mut attributes = format!("root = {} : i32", rng.between(0, ranks as usize - 1));
    if name == "comm.treduce" {
        let op = *rng.pick(&["sum", "max", "min"]);
        attributes.push_str(&format!(", reduceOp = #pto<reduce_op {op}>"));
        let tile = draft.tile(rng, tiles[0].ty, tiles[0].rows, tiles[0].cols);
        operands.push(named(&tile));
    }
    let (names, types) = listed(&operands);
    let (receive, receive_types) = listed(&tiles.iter().map(named).collect::<Vec<_>>());
    let (group, group_types) = listed(&members);
    draft.line(format!(
        "pto.{name}({names}, recv({receive}), group({group}) : {types}, {receive_types}, {group_types}) {{{attributes}}}"
    ));
}

fn signal(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let (view, ty) = tensor(draft, Element::I32, [1, 1, 1], 0);
    let value = draft.name("n");
    draft.line(format!("{value} = arith.constant {} : i32", rng.between(0, 40)));
    let operands = format!("({view}, {value} : {ty}, i32)");
    let set = name == "comm.twait" || rng.chance(60);
    let operation = if set { "set" } else { "atomic_add" };
    draft.line(format!("pto.comm.tnotify{operands} {{notifyOp = #pto<notify_op {operation}>}}"));
    match name {
        "comm.twait" => {
            let compare = *rng.pick(&["eq", "ge", "le"]);
            draft.line(format!("pto.comm.twait{operands} {{cmp = #pto<wait_cmp {compare}>}}"));
        }
        "comm.ttest" => {
            let compare = *rng.pick(&["eq", "ne", "gt", "ge", "lt", "le"]);
            let (result, number) = (draft.name("n"), draft.name("n"));
            draft.line(format!(
                "{result} = pto.comm.ttest{operands} {{cmp = #pto<wait_cmp {compare}>}} -> i1"
            ));
            draft.line(format!("{number} = arith.extui {result} : i1 to i32"));
            let pointer = draft.argument("!pto.ptr<i32>".to_owned());
            draft.line(format!("pto.store_scalar {number}, {pointer}[%c0] : !pto.ptr<i32>, i32"));
        }
        _ => {}
    }
}

/// A transfer by the DMA engine, followed by a wait or a test.
fn by_engine(draft: &mut Draft, rng: &mut Rng) {
    let (element, count) = (*rng.pick(&ELEMENTS), rng.between(1, 200) as u64);
    let scratch = draft.tile(rng, TileType::vec(Element::U8, 1, 256), 1, 256);
    let workspace = draft.argument("!pto.ptr<i8>".to_owned());
    let tensors = [0; 2].map(|_| tensor(draft, element, [1, 1, count], 0));
    let (names, types) = listed(&tensors);
    let (session, event, done) = (draft.name("s"), draft.name("e"), draft.name("n"));
    let tile = scratch.ty.text(false);
    draft.line(format!(
        "{session} = pto.comm.build_async_session({}, {workspace} : {tile}, !pto.ptr<i8>) -> !pto.async_session",
        scratch.name
    ));
    let operation = *rng.pick(&["tput_async", "tget_async"]);
    draft.line(format!(
        "{event} = pto.comm.{operation}({names}, {session} : {types}, !pto.async_session) -> !pto.async_event"
    ));
    let end = *rng.pick(&["wait_async_event", "test_async_event"]);
    draft.line(format!(
        "{done} = pto.comm.{end}({event}, {session} : !pto.async_event, !pto.async_session) -> i1"
    ));
}

fn prefetch(draft: &mut Draft, rng: &mut Rng) {
    let count = rng.between(1, 200) as u64;
    let workspace = draft.argument("!pto.ptr<i8>".to_owned());
    let (view, ty) = tensor(draft, *rng.pick(&ELEMENTS), [1, 1, count], 0);
    let (context, event, session, done) =
        (draft.name("x"), draft.name("e"), draft.name("s"), draft.name("n"));
    let kind = "!pto.prefetch_async_context";
    draft.line(format!("{context} = pto.make_prefetch_async_context({workspace} : !pto.ptr<i8>) -> {kind}"));
    draft
        .line(format!("{event} = pto.tprefetch_async({view}, {context} : {ty}, {kind}) -> !pto.async_event"));
    draft
        .line(format!("{session} = pto.get_prefetch_async_session {context} : {kind} -> !pto.async_session"));
    draft.line(format!(
        "{done} = pto.comm.wait_async_event({event}, {session} : !pto.async_event, !pto.async_session) -> i1"
    ));
}
