//! One step of a program: tiles for an instruction, what is in them, the instruction, what it wrote.

use super::draft::Draft;
use super::layouts::{mat_like, orders, unit};
use super::tiles::{Tile, element, extents, holding, ordered, spell};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::op::form::{Form, Kind, Role, Syntax};
use pto::isa::op::{Instruction, Set};
use pto::isa::{BLayout, Element, Location, Pad, Profile, SLayout, TileType};

/// A tile of an instruction before it has a place: its role, type and valid region.
struct Wish {
    role: &'static str,
    ty: TileType,
    rows: u32,
    cols: u32,
}

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
        Syntax::Destination(forms) => {
            let form = rng.pick(forms);
            destination(draft, rng, instruction, form);
        }
        Syntax::Own(_) => super::own::own(draft, rng, page.name),
    }
    if in_loop {
        draft.close_loop();
    }
    draft.varying_rows = false;
}

/// An instruction with `ins` and `outs`.
fn destination(draft: &mut Draft, rng: &mut Rng, instruction: &'static dyn Instruction, form: &Form) {
    let page = instruction.page();
    let wishes = wishes(draft.profile, rng, instruction, form);
    let mut tiles: Vec<(&'static str, Tile)> = Vec::new();
    for wish in &wishes {
        let address = match tiles.first() {
            Some((_, first)) if wish.role == "dst" => overlapping(draft, rng, first, &wish.ty),
            _ => None,
        };
        let address = address.or_else(|| draft.place(&wish.ty));
        let tile = draft.tile_at(rng, wish.ty, wish.rows, wish.cols, address);
        tiles.push((wish.role, tile));
    }
    // Sources last: where they overlap the destination, they are what counts.
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
            let whole = TileType { pad: Pad::NULL, ..tile.ty };
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
            tile.map_or_else(Default::default, |tile| (tile.name.clone(), spell(&tile.ty)))
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
    // Operands behind a keyword come last, each with its own type.
    let (keyed, plain): (Vec<_>, Vec<_>) =
        form.ins.iter().zip(ins).partition(|(role, _)| role.keyword.is_some());
    let plain: Vec<_> = plain.into_iter().map(|(_, operand)| operand).collect();
    let mut ins_text = list(&plain);
    for (role, (name, ty)) in keyed {
        ins_text.push_str(&format!(" {} {name} : {ty}", role.keyword.unwrap_or_default()));
    }
    let relu = draft.profile == Profile::Cpu
        || tiles.first().is_some_and(|(_, tile)| tile.ty.location == Location::Acc);
    let attributes = attributes(rng, page.name, relu);
    let outs_text = if outs.is_empty() { String::new() } else { format!(" outs({})", list(&outs)) };
    draft.line(format!("pto.{} ins({ins_text}){outs_text}{attributes}", page.name));
    for (role, tile) in &tiles {
        if matches!(*role, "dst" | "count") || *role != "tmp" && rng.chance(20) {
            draft.store(rng, tile);
        }
    }
}

/// Fills index tiles with byte counts of no more columns than the sources have; the first row has its own.
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
        let (all, first, ty) = (number(draft), number(draft), spell(&index.ty));
        draft.line(format!("pto.texpands ins({all} : {word}) outs({} : {ty})", index.name));
        draft.line(format!("pto.tsetval ins(%c0, {first} : index, {word}) outs({} : {ty})", index.name));
    }
}

/// An address on top of a source: the same, or a little behind it.
fn overlapping(draft: &mut Draft, rng: &mut Rng, source: &Tile, ty: &TileType) -> Option<u64> {
    let address = source.address.filter(|_| ty.buffer() == source.ty.buffer())?;
    let address = match rng.below(6) {
        0 | 1 => address,
        2 => address + 32 * rng.between(1, 6) as u64,
        _ => return None,
    };
    draft.reserve(ty.buffer(), address + ty.bytes() as u64).then_some(address)
}

/// The format in memory of what is stored: an accumulator can be narrowed on the way.
fn store_element(rng: &mut Rng, ty: &TileType) -> Element {
    if ty.location == Location::Acc && ty.element == Element::F32 && rng.chance(50) {
        return *rng.pick(&[Element::F16, Element::Bf16]);
    }
    ty.element
}

/// A format that accumulators of another are quantized to, on most profiles.
fn quantized_element(profile: Profile, rng: &mut Rng, from: Element) -> Element {
    match from {
        Element::F32 if profile == Profile::A2A3 => Element::I8,
        Element::F32 => *rng.pick(&[Element::I8, Element::I8, Element::U8, Element::F16, Element::HiF8]),
        _ => *rng.pick(&[Element::I8, Element::U8, Element::F16]),
    }
}

fn attributes(rng: &mut Rng, name: &str, relu: bool) -> String {
    let mut list = Vec::new();
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
        "index" => tiles.first().map_or(0, |(_, tile)| tile.ty.elements() as u64 - 1),
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

/// Tiles for the tile operands of a form, sources first.
fn wishes(profile: Profile, rng: &mut Rng, instruction: &'static dyn Instruction, form: &Form) -> Vec<Wish> {
    let page = instruction.page();
    let element = element(rng);
    let (rows, cols) = extents(rng);
    let tile = |role: &&Role| matches!(role.kind, Kind::Tile | Kind::Scaling);
    let roles = || form.roles().filter(tile).map(|role| role.name);
    let location = if profile == Profile::Cpu && rng.chance(10) { Location::Mat } else { Location::Vec };
    match (page.set, page.name) {
        (Set::Matmul, _) => product(profile, rng, page.name, roles()),
        (_, "tmov" | "textract" | "tinsert" | "tmov_fp" | "textract_fp" | "tinsert_fp") => {
            let has = |role: &str| form.ins.iter().any(|known| known.name == role);
            match (has("tmp"), has("q"), has("fp")) {
                (true, ..) => scales(profile, rng),
                (_, scalar, vector) => moved(profile, rng, page.name, scalar, vector),
            }
        }
        (Set::Memory, _) => {
            let location = match page.name {
                "tload" => *rng.pick(&[Location::Vec, Location::Vec, Location::Mat]),
                _ => *rng.pick(&[Location::Vec, Location::Vec, Location::Acc]),
            };
            let quantized = form.ins.len() > 1;
            let (location, element) = if quantized {
                (Location::Acc, *rng.pick(&[Element::F32, Element::I32]))
            } else {
                (location, element)
            };
            let mut ty = holding(rng, profile, location, element, rows, cols);
            ty.pad = Pad(rng.between(0, 3) as u64);
            let wish = |role| match role {
                "fp" => parameters(),
                _ => Wish { role, ty, rows, cols },
            };
            roles().map(wish).collect()
        }
        (_, "tfillpad_inplace") => {
            let ty = holding(rng, profile, location, element, rows, cols);
            let padded = TileType { pad: Pad(rng.between(1, 3) as u64), ..ty };
            let wish = |role| Wish { role, ty: if role == "dst" { padded } else { ty }, rows, cols };
            roles().map(wish).collect()
        }
        _ => roles()
            .map(|role| {
                let (role_element, rows, cols) = shape(rng, page.set, page.name, role, element, rows, cols);
                let ty = holding(rng, profile, location, role_element, rows, cols);
                let ty = special(rng, profile, page.name, role, ty, (rows, cols));
                Wish { role, ty, rows, cols }
            })
            .collect(),
    }
}

/// Format and valid region of an operand, given those of the instruction.
fn shape(
    rng: &mut Rng,
    set: Set,
    name: &str,
    role: &str,
    own: Element,
    rows: u32,
    cols: u32,
) -> (Element, u32, u32) {
    let split = cols / 3;
    match (set, name, role) {
        (_, "tcvt" | "tpack", "dst") => (element(rng), rows, cols),
        (_, "tconcat" | "tconcatidx", "src0") => (own, rows, cols - split),
        (_, "tconcat" | "tconcatidx", "src1") => (own, rows, split),
        (_, "tconcat" | "tconcatidx", "idx0" | "idx1" | "count") => {
            ([Element::I32, Element::U8, Element::I16][cols as usize % 3], rows, 1)
        }
        (_, "ttrans", "dst") => (own, cols, rows),
        (_, "tcmp" | "tcmps", "dst") | (_, "tsel" | "tsels", "mask") => {
            (*rng.pick(&[Element::I8, Element::U8]), rows, cols.div_ceil(8))
        }
        (Set::Reduce, _, "dst" | "value") => {
            let places = name.contains("arg") && role == "dst";
            let element = if places { *rng.pick(&[Element::I32, Element::U32]) } else { own };
            if name.starts_with("trow") { (element, rows, 1) } else { (element, 1, cols) }
        }
        (Set::Expand, "trowexpand", "src") => (own, rows, 1),
        (Set::Expand, "tcolexpand", "src") => (own, 1, cols),
        (Set::Expand, _, "src1") if name.starts_with("trow") => {
            (own, rows, if rng.chance(60) { 1 } else { unit(own) })
        }
        (Set::Expand, _, "src1") => (own, 1, cols),
        _ => (own, rows, cols),
    }
}

/// Types that an instruction needs beyond what its location and format say.
fn special(
    rng: &mut Rng,
    profile: Profile,
    name: &str,
    role: &str,
    ty: TileType,
    (rows, cols): (u32, u32),
) -> TileType {
    let column = (BLayout::ColMajor, SLayout::NoneBox);
    match (name, role) {
        ("tfillpad" | "tfillpad_expand", "dst") => {
            let more = ty.rows.max(64);
            let wide = ty.cols.max(352).next_multiple_of(64);
            TileType { rows: more, cols: wide, pad: Pad(rng.between(1, 3) as u64), ..ty }
        }
        (name, "src1") if name.starts_with("trowexpand") && cols == 1 => {
            TileType { cols: 1, ..ordered(rng, column, ty.location, ty.element, rows, 1) }
        }
        (name, "src1") if name.starts_with("trowexpand") && profile != Profile::Cpu => {
            TileType { cols: unit(ty.element), ..ty }
        }
        (name, "dst") if name.starts_with("trow") && cols == 1 && rng.chance(60) => {
            TileType { cols: 1, ..ordered(rng, column, ty.location, ty.element, rows, 1) }
        }
        (name, "tmp") if name.starts_with("trowexpand") => {
            let wide = cols.max(16 * unit(ty.element)).next_multiple_of(unit(ty.element));
            TileType { rows: 64, cols: wide, ..TileType::vec(ty.element, rows, cols) }
        }
        _ => ty,
    }
}

/// Tiles of a matrix product.
fn product(
    profile: Profile,
    rng: &mut Rng,
    name: &str,
    roles: impl Iterator<Item = &'static str>,
) -> Vec<Wish> {
    use Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8, I32};
    let pairs = [(F32, F32), (F16, F16), (Bf16, Bf16), (I8, I8), (E4M3, E5M2), (HiF8, HiF8)];
    let count = if profile == Profile::A2A3 { 4 } else { 6 };
    let (left, right) = *rng.pick(&pairs[..count]);
    let acc = if left.is_integer() { I32 } else { F32 };
    let m = if name.contains("gemv") { 1 } else { rng.between(1, 40) as u32 };
    let (k, n) = (rng.between(1, 70) as u32, rng.between(1, 40) as u32);
    let wish = |rng: &mut Rng, role: &'static str| {
        let (location, element, rows, cols) = match role {
            "left" => (Location::Left, left, m, k),
            "right" => (Location::Right, right, k, n),
            "bias" => (Location::Bias, acc, 1, n),
            _ => (Location::Acc, acc, m, n),
        };
        Wish { role, ty: holding(rng, profile, location, element, rows, cols), rows, cols }
    };
    roles.map(|role| wish(rng, role)).collect()
}

/// A scaling tile with a parameter for each of many columns.
fn parameters() -> Wish {
    let ty = TileType { location: Location::Scaling, ..TileType::vec(Element::U64, 1, 256) };
    Wish { role: "fp", ty, rows: 1, cols: 256 }
}

/// Tiles of a move of scales into ZZ order.
fn scales(profile: Profile, rng: &mut Rng) -> Vec<Wish> {
    let (rows, cols) = (rng.between(1, 40) as u32, 2 * rng.between(1, 16) as u32);
    let ty = holding(rng, profile, Location::Vec, Element::U8, rows, cols);
    let whole = TileType::vec(Element::U8, 64, 64);
    let wish = |role, ty: TileType, rows, cols| Wish { role, ty, rows, cols };
    vec![wish("src", ty, rows, cols), wish("tmp", whole, 1, 1), wish("dst", whole, 64, 64)]
}

/// Tiles of TMOV, TEXTRACT and TINSERT: a pair of locations, and one tile at least as large as the other.
fn moved(profile: Profile, rng: &mut Rng, name: &str, scalar: bool, vector: bool) -> Vec<Wish> {
    use Location::{Acc, Bias, Left, Mat, Right, Vec};
    let quantized = scalar || vector;
    let common =
        [(Vec, Vec), (Vec, Vec), (Acc, Mat), (Mat, Left), (Mat, Right), (Mat, Bias), (Vec, Mat), (Acc, Vec)];
    let common = match (profile, name.starts_with("tinsert"), name.starts_with("tmov")) {
        (Profile::A2A3, true, _) => &common[..3],
        (Profile::A2A3, _, moves) => &common[..5 + usize::from(moves)],
        (_, true, _) => &[(Vec, Vec), (Acc, Mat), (Vec, Mat), (Acc, Vec)],
        _ => &common[..],
    };
    let (from, to) = if quantized {
        (Acc, if profile == Profile::A2A3 { Mat } else { *rng.pick(&[Mat, Vec]) })
    } else if profile == Profile::Cpu && rng.chance(30) {
        (*rng.pick(&[Vec, Mat, Acc, Left, Right]), *rng.pick(&[Vec, Mat, Acc, Left, Right]))
    } else {
        *rng.pick(common)
    };
    let element =
        if from == Acc || to == Acc { *rng.pick(&[Element::F32, Element::I32]) } else { element(rng) };
    let narrowed = from == Acc && to != Acc && element == Element::F32 && rng.chance(40);
    let target = if quantized {
        quantized_element(profile, rng, element)
    } else if narrowed {
        *rng.pick(&[Element::F16, Element::Bf16])
    } else {
        element
    };
    let (rows, cols) = if to == Bias { (1, rng.between(1, 40) as u32) } else { extents(rng) };
    let (mut a, mut b) =
        (holding(rng, profile, from, element, rows, cols), holding(rng, profile, to, target, rows, cols));
    if from == Vec && to == Vec && orders(profile, Vec).len() > 1 && rng.chance(30) {
        b = mat_like(rng, profile, &a);
        b.location = Vec;
        b.element = target;
    }
    let name = name.trim_end_matches("_fp");
    match name {
        "tmov" => {
            (b.rows, b.cols) =
                (a.rows.max(b.rows).next_multiple_of(16), a.cols.max(b.cols).next_multiple_of(32))
        }
        "textract" => {
            (a.rows, a.cols) = ((b.rows + 32).next_multiple_of(32), (b.cols + 64).next_multiple_of(64))
        }
        _ => (b.rows, b.cols) = ((a.rows + 32).next_multiple_of(32), (a.cols + 64).next_multiple_of(64)),
    }
    if name == "tmov" {
        (a.rows, a.cols) = (b.rows, b.cols);
    }
    if to == Bias {
        (a.rows, b.rows) = (1, 1);
        (a.blayout, a.slayout) = (BLayout::RowMajor, SLayout::NoneBox);
    }
    let mut wishes = vec![Wish { role: "src", ty: a, rows, cols }, Wish { role: "dst", ty: b, rows, cols }];
    if vector {
        wishes.insert(1, parameters());
    }
    wishes
}
