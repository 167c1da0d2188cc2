//! Steps for gather and scatter, sequences, triangles and tiles of different valid regions.

use super::draft::Draft;
use super::layouts::unit;
use super::steps::overlapping;
use super::tiles::{Tile, element, extents, holding, ordered};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{BLayout, Element, Location, Profile, SLayout, TileType};

/// Mask patterns with the number of elements of a group.
const PATTERNS: [(&str, u32); 7] =
    [("P0101", 2), ("P1010", 2), ("P0001", 4), ("P0010", 4), ("P0100", 4), ("P1000", 4), ("P1111", 1)];

/// A step with this instruction.
pub(super) fn step(draft: &mut Draft, rng: &mut Rng, name: &str) {
    match name {
        "tci" | "ttri" => made(draft, rng, name),
        "tgatherb" => blocks(draft, rng),
        "tgather" if rng.chance(30) => compared(draft, rng),
        "tgather" | "tscatter" if rng.chance(50) => selected(draft, rng, name),
        "tgather" => gathered(draft, rng),
        "tscatter" => scattered(draft, rng),
        "mgather" if rng.chance(25) => to_l1(draft, rng),
        "mgather" | "mscatter" => table(draft, rng, name),
        _ => parts(draft, rng, name),
    }
}

/// An element type that most instructions of the set have.
fn data(rng: &mut Rng) -> Element {
    use Element::{F16, F32, I16, I32, U16, U32};
    if rng.chance(20) { element(rng) } else { *rng.pick(&[F32, F32, F16, I16, I32, U16, U32]) }
}

/// A vec tile type for `rows` x `cols` valid elements.
fn vec_type(draft: &Draft, rng: &mut Rng, element: Element, rows: u32, cols: u32) -> TileType {
    holding(rng, draft.profile, Location::Vec, element, rows, cols)
}

/// A row-major tile type without boxes.
fn plain_type(rng: &mut Rng, element: Element, rows: u32, cols: u32) -> TileType {
    ordered(rng, (BLayout::RowMajor, SLayout::NoneBox), Location::Vec, element, rows, cols)
}

/// A tile with random contents.
fn filled(draft: &mut Draft, rng: &mut Rng, ty: TileType, rows: u32, cols: u32) -> Tile {
    let tile = draft.tile(rng, ty, rows, cols);
    draft.fill(rng, &tile);
    tile
}

/// A destination, sometimes overlapping a source, which is filled after it.
fn over(draft: &mut Draft, rng: &mut Rng, source: &Tile, ty: TileType, rows: u32, cols: u32) -> Tile {
    let address = overlapping(draft, rng, source, &ty).or_else(|| draft.place(&ty));
    let tile = draft.tile_at(rng, ty, rows, cols, address);
    draft.fill(rng, &tile);
    draft.fill(rng, source);
    tile
}

fn constant(draft: &mut Draft, value: u64, element: Element) -> String {
    let name = draft.name("s");
    let point = if element.is_float() { ".0" } else { "" };
    draft.line(format!("{name} = arith.constant {value}{point} : {}", element_word(element)));
    name
}

/// A tile of one number everywhere and others in a few places; rarely one that is too large.
fn numbers(
    draft: &mut Draft,
    rng: &mut Rng,
    ty: TileType,
    rows: u32,
    cols: u32,
    limit: u64,
    times: u64,
) -> Tile {
    let (tile, word) = (draft.tile(rng, ty, rows, cols), element_word(ty.element));
    let most = if ty.element.bits() == 16 { limit.min(0x7fff) } else { limit };
    let number = |draft: &mut Draft, rng: &mut Rng| {
        let value = if rng.chance(2) { most } else { rng.between(0, most.max(1) as usize - 1) as u64 };
        constant(draft, value * times, ty.element)
    };
    let all = number(draft, rng);
    draft.line(format!("pto.texpands ins({all} : {word}) outs({} : {})", tile.name, tile.ty.text(false)));
    for _ in 0..rng.between(0, 6) {
        let at = rng.between(0, (rows as usize * cols as usize).max(1) - 1) as u64;
        let (value, index) = (number(draft, rng), draft.hidden_index(at.min(ty.elements() as u64 - 1)));
        draft.line(format!(
            "pto.tsetval ins({index}, {value} : index, {word}) outs({} : {})",
            tile.name,
            tile.ty.text(false)
        ));
    }
    tile
}

/// Issues the instruction, with operands as (name, type).
fn issue(
    draft: &mut Draft,
    name: &str,
    ins: &[(String, String)],
    outs: &[(String, String)],
    attributes: &str,
) {
    let list = |operands: &[(String, String)]| {
        let names: Vec<_> = operands.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<_> = operands.iter().map(|(_, ty)| ty.as_str()).collect();
        format!("{} : {}", names.join(", "), types.join(", "))
    };
    draft.line(format!("pto.{name} ins({}) outs({}){attributes}", list(ins), list(outs)));
}

fn named(tile: &Tile) -> (String, String) {
    (tile.name.clone(), tile.ty.text(false))
}

/// TCI and TTRI.
fn made(draft: &mut Draft, rng: &mut Rng, name: &str) {
    use Element::{Bf16, F16, F32, I16, I32, U16, U32};
    let (element, (rows, cols)) = if name == "tci" {
        let floats = draft.profile != Profile::A5 && rng.chance(40);
        let list = if floats { [F16, Bf16, F32, F32] } else { [I32, U32, I16, U16] };
        (*rng.pick(&list), (1, rng.between(2, 300) as u32))
    } else {
        (data(rng), extents(rng))
    };
    let ty = vec_type(draft, rng, element, rows, cols);
    let dst = filled(draft, rng, ty, rows, cols);
    let word = if name == "tci" { element_word(element) } else { "i32" };
    let scalar = if rng.chance(50) {
        draft.argument(word.to_owned())
    } else {
        constant(draft, rng.between(0, 30) as u64, if name == "tci" { element } else { I32 })
    };
    let attributes = match (name, rng.chance(50)) {
        ("tci", down) => format!(" {{descending = {down}}}"),
        (_, true) => " {upperOrLower = 1 : i32}".to_owned(),
        _ => String::new(),
    };
    issue(draft, name, &[(scalar, word.to_owned())], &[named(&dst)], &attributes);
    draft.store(rng, &dst);
}

/// TGATHERB.
fn blocks(draft: &mut Draft, rng: &mut Rng) {
    let (element, (rows, cols)) = (data(rng), extents(rng));
    let source = extents(rng);
    let ty = vec_type(draft, rng, element, source.0, source.1);
    let src = draft.tile(rng, ty, source.0, source.1);
    let dst = vec_type(draft, rng, element, rows, cols);
    let dst = over(draft, rng, &src, dst, rows, cols);
    let count = cols.div_ceil(unit(element));
    let table = vec_type(draft, rng, Element::U32, rows, count);
    let offsets = numbers(draft, rng, table, rows, count, (ty.bytes() / 32) as u64, 32);
    issue(draft, "tgatherb", &[named(&src), named(&offsets)], &[named(&dst)], "");
    draft.store(rng, &dst);
}

/// An element type of indices for data of another type.
fn index_element(draft: &Draft, rng: &mut Rng, data: Element, scatters: bool) -> Element {
    let narrow = if scatters {
        data.bits() <= 16
    } else {
        draft.profile != Profile::A2A3 && data.bits() <= 32 && rng.chance(30)
    };
    let list = if narrow { [Element::I16, Element::U16] } else { [Element::I32, Element::U32] };
    *rng.pick(&list)
}

/// TGATHER by indices.
fn gathered(draft: &mut Draft, rng: &mut Rng) {
    let (element, (rows, cols)) = (data(rng), extents(rng));
    let source = extents(rng);
    let ty = vec_type(draft, rng, element, source.0, source.1);
    let src = draft.tile(rng, ty, source.0, source.1);
    let dst = vec_type(draft, rng, element, rows, cols);
    let dst = over(draft, rng, &src, dst, rows, cols);
    let index = index_element(draft, rng, element, false);
    let index = vec_type(draft, rng, index, rows, cols);
    let idx = numbers(draft, rng, index, rows, cols, ty.elements() as u64, 1);
    let mut ins = vec![named(&src), named(&idx)];
    if draft.profile == Profile::A2A3 || rng.chance(40) {
        let tmp = plain_type(rng, index.element, rows, cols);
        ins.push(named(&draft.tile(rng, tmp, rows, cols)));
    }
    issue(draft, "tgather", &ins, &[named(&dst)], "");
    draft.store(rng, &dst);
}

/// TSCATTER by indices.
fn scattered(draft: &mut Draft, rng: &mut Rng) {
    let (element, (rows, cols)) = (data(rng), extents(rng));
    let target = extents(rng);
    let ty = vec_type(draft, rng, element, rows, cols);
    let src = draft.tile(rng, ty, rows, cols);
    let dst = vec_type(draft, rng, element, target.0, target.1);
    let dst = over(draft, rng, &src, dst, target.0, target.1);
    let index = index_element(draft, rng, element, true);
    let index = vec_type(draft, rng, index, rows, cols);
    let idx = numbers(draft, rng, index, rows, cols, dst.ty.elements() as u64, 1);
    issue(draft, "tscatter", &[named(&src), named(&idx)], &[named(&dst)], "");
    draft.store(rng, &dst);
}

/// TGATHER and TSCATTER by a mask pattern.
fn selected(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let (element, (pattern, group)) = (data(rng), *rng.pick(&PATTERNS));
    let (rows, cols) = (rng.between(1, 9) as u32, unit(element) * rng.between(1, 2) as u32);
    let (axis, wide) = match rng.below(2) {
        0 => ("row", (rows, cols * group)),
        _ => ("col", (rows * group, cols)),
    };
    let gathers = name == "tgather";
    let (from, to) = if gathers { (wide, (rows, cols)) } else { ((rows, cols), wide) };
    let ty = vec_type(draft, rng, element, from.0, from.1);
    let src = draft.tile(rng, ty, from.0, from.1);
    let dst =
        if gathers { TileType::vec(element, to.0, to.1) } else { vec_type(draft, rng, element, to.0, to.1) };
    let dst = over(draft, rng, &src, dst, to.0, to.1);
    let (from, to) = (src.ty.text(false), dst.ty.text(false));
    draft.line(format!(
        "pto.{name} ins({}, {{maskPattern = #pto.mask_pattern<{pattern}>}} : {from}, \"{axis}\") outs({} : {to})",
        src.name, dst.name
    ));
    draft.store(rng, &dst);
}

/// TGATHER of the indices of elements by a comparison.
fn compared(draft: &mut Draft, rng: &mut Rng) {
    use Element::{F16, F32, I16, I32};
    let (element, (rows, cols)) = (*rng.pick(&[F32, F16, I32, I16]), extents(rng));
    let ty = vec_type(draft, rng, element, rows, cols);
    let src = filled(draft, rng, ty, rows, cols);
    let found = vec_type(draft, rng, I32, rows, cols);
    let dst = filled(draft, rng, found, rows, cols);
    let line = plain_type(rng, I32, 1, rows);
    let count = filled(draft, rng, line, 1, rows);
    let need = ty.elements() as u32 * 4 + 8 * ty.rows + 256;
    let tmp = TileType::vec(F32, 1, need.next_multiple_of(8));
    let tmp = draft.tile(rng, tmp, 1, 8);
    let k = if rng.chance(30) {
        let wide = if draft.profile == Profile::A5 { Element::U32 } else { I32 };
        let line = plain_type(rng, wide, 1, rows);
        named(&numbers(draft, rng, line, 1, rows, 12, 1))
    } else {
        let value = rng.between(1, 9);
        let value = if element.is_integer() { value.to_string() } else { format!("{value}.0") };
        let (name, word) = (draft.name("s"), element_word(element));
        draft.line(format!("{name} = arith.constant {value} : {word}"));
        (name, word.to_owned())
    };
    let mode = rng.pick(&["eq", "gt"]);
    let attributes = format!(" {{cmpMode = #pto<cmp {mode}>, offset = {} : i32}}", rng.between(0, 9));
    issue(draft, "tgather", &[named(&src), k, named(&tmp)], &[named(&dst), named(&count)], &attributes);
    draft.store(rng, &dst);
    draft.store(rng, &count);
}

/// TPARTADD and its siblings.
fn parts(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let arg = name.contains("arg");
    let element = if arg { *rng.pick(&[Element::F32, Element::F16]) } else { data(rng) };
    let (rows, cols) = extents(rng);
    let smaller = match rng.below(4) {
        0 => (rows, cols),
        1 => (rng.between(0, rows as usize) as u32, cols),
        2 => (rows, rng.between(0, cols as usize) as u32),
        _ => (rng.between(0, rows as usize) as u32, rng.between(0, cols as usize) as u32),
    };
    let regions = if rng.chance(50) { [(rows, cols), smaller] } else { [smaller, (rows, cols)] };
    let index = *rng.pick(&[Element::I32, Element::U32]);
    let pair = |draft: &mut Draft, rng: &mut Rng, element, (r, c)| {
        let ty = vec_type(draft, rng, element, rows, cols);
        draft.tile(rng, ty, r, c)
    };
    let [a, b] = regions.map(|region| pair(draft, rng, element, region));
    let dst = vec_type(draft, rng, element, rows, cols);
    let dst = over(draft, rng, &a, dst, rows, cols);
    draft.fill(rng, &b);
    let (mut ins, mut outs) = (vec![named(&a), named(&b)], vec![named(&dst)]);
    let mut written = vec![dst];
    if arg {
        let indices = regions.map(|region| pair(draft, rng, index, region));
        let ty = vec_type(draft, rng, index, rows, cols);
        let idx = over(draft, rng, &indices[0], ty, rows, cols);
        draft.fill(rng, &indices[1]);
        ins.extend(indices.iter().map(named));
        outs.push(named(&idx));
        written.push(idx);
    }
    issue(draft, name, &ins, &outs, "");
    written.iter().for_each(|tile| draft.store(rng, tile));
}

/// MGATHER into a vec tile and MSCATTER.
fn table(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let gathers = name == "mgather";
    let (element, (rows, cols)) = (data(rng), extents(rng));
    let by_row = rng.chance(50);
    let size = rng.between(1, 20) as u32;
    let ty = vec_type(draft, rng, element, rows, cols);
    let tile = filled(draft, rng, ty, rows, cols);
    let (index, capacity) = if by_row { ((1, rows), size) } else { ((rows, cols), size * cols) };
    let list =
        if gathers { ["undefined", "clamp", "wrap", "zero"] } else { ["undefined", "clamp", "wrap", "skip"] };
    let beyond = *rng.pick(&list);
    let reach = if beyond == "undefined" { capacity } else { 3 * capacity };
    let wide = *rng.pick(&[Element::I32, Element::U32]);
    let idx = plain_type(rng, wide, index.0, index.1);
    let idx = numbers(draft, rng, idx, index.0, index.1, u64::from(reach), 1);
    let whole = TileType::vec(element, size, cols);
    let view = draft.view(rng, &whole, element, !gathers);
    let mode = if by_row { "row" } else { "elem" };
    let mut attributes = format!("coalesce = #pto<coalesce {mode}>");
    if gathers {
        attributes.push_str(&format!(", gatherOob = #pto<gather_oob {beyond}>"));
        issue(draft, name, &[view, named(&idx)], &[named(&tile)], &format!(" {{{attributes}}}"));
        return draft.store(rng, &tile);
    }
    let atomic = *rng.pick(&["none", "none", "add", "max", "min"]);
    attributes.push_str(&format!(", scatterOob = #pto<scatter_oob {beyond}>"));
    attributes.push_str(&format!(", scatterAtomicOp = #pto<scatter_atomic_op {atomic}>"));
    if draft.profile == Profile::A5 && rng.chance(30) {
        attributes.push_str(", scatterConflict = #pto<scatter_conflict last>");
    }
    issue(draft, name, &[named(&tile), named(&idx)], &[view], &format!(" {{{attributes}}}"));
}

/// MGATHER into a mat tile, with arbitrary indices.
fn to_l1(draft: &mut Draft, rng: &mut Rng) {
    use Element::{F16, F32, I8, I32};
    let (element, (rows, cols)) = (*rng.pick(&[F32, F16, I8, I32]), extents(rng));
    let order = (BLayout::ColMajor, SLayout::RowMajor);
    let ty = ordered(rng, order, Location::Mat, element, rows, cols);
    let dst = filled(draft, rng, ty, rows, cols);
    let by_row = rng.chance(50);
    let (index, mode) = if by_row { ((1, rows), "row") } else { ((rows, cols), "elem") };
    let table = TileType::vec(element, rng.between(1, 20) as u32, cols);
    let indices = TileType::vec(I32, index.0, index.1);
    let mut ins = vec![draft.view(rng, &table, element, false), draft.view(rng, &indices, I32, false)];
    if !by_row {
        let scratch = TileType::vec(element, dst.ty.rows, dst.ty.cols);
        ins.push(draft.view(rng, &scratch, element, true));
    }
    let beyond = rng.pick(&["clamp", "wrap", "zero"]);
    let attributes = format!(" {{coalesce = #pto<coalesce {mode}>, gatherOob = #pto<gather_oob {beyond}>}}");
    issue(draft, "mgather", &ins, &[named(&dst)], &attributes);
    draft.store(rng, &dst);
}
