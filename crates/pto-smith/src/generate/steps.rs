//! One step of a program: tiles for an instruction, their contents, the instruction, and stores of its results.

use super::draft::Draft;
use super::tiles::Tile;
use super::wishes::wishes;
use crate::Rng;
use pto::isa::Op;
use pto::isa::element::element_word;
use pto::isa::op::form::{Form, Kind, Syntax};
use pto::isa::op::{Instruction, Set};
use pto::isa::{Element, Location, Pad, Profile, SLayout, TileType};

/// Adds a step. The result may be illegal: the caller asks the checker.
pub(super) fn step(draft: &mut Draft, rng: &mut Rng, instruction: &'static dyn Instruction) {
    let page = instruction.page();
    let in_loop = rng.chance(25);
    draft.placed = rng.chance(60);
    draft.varying_rows = matches!(page.set, Set::Elementwise | Set::TileScalar) && rng.chance(60);
    if in_loop {
        draft.open_loop(2);
    }
    match page.syntax {
        Syntax::Destination(_) if page.set == Set::Irregular && !super::quant::has(page.name) => {
            super::irregular::step(draft, rng, page.name)
        }
        Syntax::Destination(forms) => {
            let form = rng.pick(forms);
            let conv = form.roles().any(|role| role.kind == Kind::ConvTile);
            match page.name {
                "tload" | "tstore" if conv => super::conv::moved(draft, rng),
                "ttrans" if conv => super::conv::rearranged(draft, rng, form.ins.len() > 1),
                _ if conv => super::conv::unfolded(draft, rng, page.name),
                // A view as the only source: no tile determines the shape.
                _ if form.ins.iter().all(|role| role.kind == Kind::View) => {
                    destination(draft, rng, instruction, &forms[0])
                }
                _ => destination(draft, rng, instruction, form),
            }
        }
        Syntax::Own(..) | Syntax::Code(..) if page.set == Set::Communication => {
            super::comm::step(draft, rng, page.name)
        }
        Syntax::Own(..) | Syntax::Code(..) if page.set == Set::Matmul => moded(draft, rng, page.name),
        Syntax::Own(..) | Syntax::Code(..) => super::own::own(draft, rng, page.name),
    }
    if in_loop {
        draft.close_loop();
    }
    draft.varying_rows = false;
}

/// Sets a mode of products, then computes a product.
fn moded(draft: &mut Draft, rng: &mut Rng, name: &str) {
    draft.line(format!("pto.{name} {{enable = {}, mode = #pto<round_mode CAST_ROUND>}}", rng.chance(80)));
    let product = Op::TMATMUL.instruction().map(|instruction| (instruction, instruction.page().syntax));
    if let Some((product, Syntax::Destination(forms))) = product {
        destination(draft, rng, product, &forms[0]);
    }
}

/// An instruction with `ins` and `outs`.
fn destination(draft: &mut Draft, rng: &mut Rng, instruction: &'static dyn Instruction, form: &Form) {
    let page = instruction.page();
    let wishes = wishes(draft.profile, rng, instruction, form);
    let mut tiles: Vec<(&'static str, Tile)> = Vec::new();
    for wish in &wishes {
        let address = match tiles.first() {
            Some((_, first)) if matches!(wish.role, "dst" | "dst0" | "dst1") => {
                overlapping(draft, rng, first, &wish.ty)
            }
            _ => None,
        };
        let address = address.or_else(|| draft.place(&wish.ty));
        let tile = draft.tile_at(rng, wish.ty, wish.rows, wish.cols, address);
        tiles.push((wish.role, tile));
    }
    // Sources last: if they overlap the destination, their contents matter.
    for (_, tile) in tiles.iter().rev() {
        draft.fill(rng, tile);
    }
    if form.ins.iter().any(|role| role.name == "idx0") {
        indices(draft, rng, &tiles);
    }
    let dst_element = tiles.iter().find(|(role, _)| *role == "dst").map(|(_, tile)| tile.ty.element);
    let element = dst_element.or(tiles.first().map(|(_, tile)| tile.ty.element)).unwrap_or(Element::F32);
    let operand = |draft: &mut Draft, rng: &mut Rng, role: &'static str, kind: Kind| match kind {
        Kind::View => {
            let tile = &tiles[0].1;
            let mut whole = TileType { pad: Pad::NULL, ..tile.ty };
            if page.name == "tprefetch" && whole.slayout == SLayout::NoneBox && rng.chance(50) {
                (whole.rows, whole.cols) = (whole.rows.div_ceil(2), whole.cols.div_ceil(2));
            }
            let quantized = form.ins.len() > 1;
            let element = match (role, quantized) {
                ("dst", true) => quantized_element(draft.profile, rng, tile.ty.element),
                ("dst", false) => store_element(rng, &tile.ty),
                _ => tile.ty.element,
            };
            draft.view(rng, &whole, element, role == "dst")
        }
        Kind::Tile | Kind::Scaling => {
            let tile = tiles.iter().find(|(known, _)| *known == role).map(|(_, tile)| tile);
            tile.map_or_else(Default::default, |tile| (tile.name.clone(), tile.ty.text(false)))
        }
        _ => scalar(draft, rng, role, element, &tiles),
    };
    let ins: Vec<_> = form.ins.iter().map(|role| operand(draft, rng, role.name, role.kind)).collect();
    let outs: Vec<_> = form.outs.iter().map(|role| operand(draft, rng, role.name, role.kind)).collect();
    let list = |operands: &[(String, String)]| {
        let names: Vec<_> = operands.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<_> = operands.iter().map(|(_, ty)| ty.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("{} : {}", names.join(", "), types.join(", ")) }
    };
    // Operands with a keyword come last, each with its own type.
    let (keyed, plain): (Vec<_>, Vec<_>) =
        form.ins.iter().zip(ins).partition(|(role, _)| role.keyword.is_some());
    let plain: Vec<_> = plain.into_iter().map(|(_, operand)| operand).collect();
    let mut ins_text = list(&plain);
    for (role, (name, ty)) in keyed {
        ins_text.push_str(&format!(" {} {name} : {ty}", role.keyword.unwrap_or_default()));
    }
    let relu = draft.profile == Profile::Cpu
        || tiles.first().is_some_and(|(_, tile)| tile.ty.location == Location::Acc);
    let own = super::quant::attributes(rng, page.name, form, &tiles);
    let attributes = attributes(rng, page.name, relu, own);
    let outs_text = if outs.is_empty() { String::new() } else { format!(" outs({})", list(&outs)) };
    draft.line(format!("pto.{} ins({ins_text}){outs_text}{attributes}", page.name));
    for (role, tile) in &tiles {
        if matches!(*role, "dst" | "dst0" | "dst1" | "count" | "exp" | "max" | "scaling" | "exp_zz")
            || *role != "tmp" && rng.chance(20)
        {
            draft.store(rng, tile);
        }
    }
}

/// Fills index tiles with byte counts within the columns of the sources; the first row has counts of its own.
fn indices(draft: &mut Draft, rng: &mut Rng, tiles: &[(&'static str, Tile)]) {
    for (index, source) in [("idx0", "src0"), ("idx1", "src1")] {
        let tile = |role: &str| tiles.iter().find(|(known, _)| *known == role).map(|(_, tile)| tile);
        let (Some(index), Some(source)) = (tile(index), tile(source)) else { continue };
        let (word, size) = (element_word(index.ty.element), index.ty.element.bits() as usize / 8);
        let most = (source.cols as usize).min(127 / size);
        let mut number = |draft: &mut Draft| {
            let (name, value) = (draft.name("s"), size * rng.between(0, most));
            draft.line(format!("{name} = arith.constant {value} : {word}"));
            name
        };
        let (all, first, ty) = (number(draft), number(draft), index.ty.text(false));
        draft.line(format!("pto.texpands ins({all} : {word}) outs({} : {ty})", index.name));
        draft.line(format!("pto.tsetval ins(%c0, {first} : index, {word}) outs({} : {ty})", index.name));
    }
}

/// An address that overlaps a source: equal, or a little greater.
pub(super) fn overlapping(draft: &mut Draft, rng: &mut Rng, source: &Tile, ty: &TileType) -> Option<u64> {
    let address = source.address.filter(|_| ty.buffer() == source.ty.buffer())?;
    let address = match rng.below(6) {
        0 | 1 => address,
        2 => address + 32 * rng.between(1, 6) as u64,
        _ => return None,
    };
    draft.reserve(ty.buffer(), address + ty.bytes() as u64).then_some(address)
}

/// The format of a store in memory: accumulators can be narrowed.
fn store_element(rng: &mut Rng, ty: &TileType) -> Element {
    if ty.location == Location::Acc && ty.element == Element::F32 && rng.chance(50) {
        return *rng.pick(&[Element::F16, Element::Bf16]);
    }
    ty.element
}

/// A format to which accumulators are quantized on most profiles.
pub(super) fn quantized_element(profile: Profile, rng: &mut Rng, from: Element) -> Element {
    match from {
        Element::F32 if profile == Profile::A2A3 => Element::I8,
        Element::F32 => *rng.pick(&[Element::I8, Element::I8, Element::U8, Element::F16, Element::HiF8]),
        _ => *rng.pick(&[Element::I8, Element::U8, Element::F16]),
    }
}

fn attributes(rng: &mut Rng, name: &str, relu: bool, own: Vec<String>) -> String {
    let mut list = own;
    if name == "tcvt" {
        let mode = rng.pick(&["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"]);
        if rng.chance(60) {
            list.push(format!("rmode = #pto<round_mode {mode}>"));
        }
        if rng.chance(40) {
            list.push(format!("satmode = #pto<sat_mode {}>", rng.pick(&["ON", "OFF"])));
        }
    }
    if matches!(name, "tcmp" | "tcmps") {
        list.push(format!("cmpMode = #pto<cmp {}>", rng.pick(&["eq", "ne", "lt", "le", "gt", "ge"])));
    }
    if name == "tstore" && rng.chance(30) {
        list.push("atomicType = #pto<atomic_type atomic_add>".to_owned());
    }
    if relu && matches!(name, "tstore" | "tmov" | "textract" | "tinsert") && rng.chance(25) {
        list.push("reluPreMode = #pto<relu_pre_mode normal_relu>".to_owned());
    }
    if list.is_empty() { String::new() } else { format!(" {{{}}}", list.join(", ")) }
}

/// A scalar operand: a constant, or an argument.
fn scalar(
    draft: &mut Draft,
    rng: &mut Rng,
    role: &str,
    element: Element,
    tiles: &[(&'static str, Tile)],
) -> (String, String) {
    let element = if role == "scale" { Element::F32 } else { element };
    let room = |pick: fn(&Tile) -> (u32, u32)| {
        let extents: Vec<_> =
            tiles.iter().filter(|(role, _)| *role != "fp").map(|(_, tile)| pick(tile)).collect();
        let (first, second) =
            (extents.first().copied().unwrap_or_default(), extents.get(1).copied().unwrap_or_default());
        u64::from(first.0.saturating_sub(second.1).max(second.0.saturating_sub(first.1)))
    };
    let limit = match role {
        "row" => room(|tile| (tile.ty.rows, tile.rows)),
        "col" => room(|tile| (tile.ty.cols, tile.cols)),
        // The larger window determines the largest offset of both.
        "row0" | "row1" => u64::from(tiles[0].1.ty.rows - tiles[1].1.rows.max(tiles[2].1.rows)),
        "col0" | "col1" => u64::from(tiles[0].1.ty.cols - tiles[1].1.cols.max(tiles[2].1.cols)),
        "index" => tiles.first().map_or(0, |(_, tile)| tile.ty.elements() as u64 - 1),
        "executed" => {
            let name = draft.name("s");
            draft.line(format!("{name} = arith.constant dense<0> : vector<4xi16>"));
            return (name, "vector<4xi16>".to_owned());
        }
        "block" => {
            let name = draft.name("s");
            draft.line(format!("{name} = arith.constant 64 : i32"));
            return (name, "i32".to_owned());
        }
        "q" => {
            let scale = [1.0f32, 0.5, 0.03125, 3.0][rng.below(4)].to_bits() as u64;
            let bits = scale | (rng.below(1 << 15) as u64) << 32;
            let name = draft.name("q");
            draft.line(format!("{name} = arith.constant {bits} : i64"));
            return (name, "i64".to_owned());
        }
        _ => {
            let word = element_word(element);
            if rng.chance(50) {
                return (draft.argument(word.to_owned()), word.to_owned());
            }
            let number = rng.between(1, 9);
            let value = if element.is_integer() { number.to_string() } else { format!("{number}.5") };
            let name = draft.name("s");
            draft.line(format!("{name} = arith.constant {value} : {word}"));
            return (name, word.to_owned());
        }
    };
    let value = rng.between(0, limit as usize) as u64;
    // Devices move whole boxes.
    let often = if draft.profile == Profile::Cpu { 30 } else { 85 };
    let value = if rng.chance(often) { value / 32 * 32 } else { value };
    let name = if rng.chance(50) { draft.index(value) } else { draft.hidden_index(value) };
    (name, "index".to_owned())
}
