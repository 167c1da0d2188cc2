//! The tiles of an instruction: locations, formats, layouts and valid regions.

use super::layouts::{mat_like, orders, unit};
use super::steps::quantized_element;
use super::tiles::{element, extents, holding, ordered};
use crate::Rng;
use pto::isa::op::form::{Form, Kind, Role};
use pto::isa::op::{Instruction, Set};
use pto::isa::{BLayout, Element, Location, Pad, Profile, SLayout, TileType};

/// A tile of an instruction before it has an address: role, type and valid region.
pub(super) struct Wish {
    pub(super) role: &'static str,
    pub(super) ty: TileType,
    pub(super) rows: u32,
    pub(super) cols: u32,
}

/// Tiles for the tile operands of a form, sources first.
pub(super) fn wishes(
    profile: Profile,
    rng: &mut Rng,
    instruction: &'static dyn Instruction,
    form: &Form,
) -> Vec<Wish> {
    let page = instruction.page();
    let element = element(rng);
    let (rows, cols) = extents(rng);
    let tile = |role: &&Role| matches!(role.kind, Kind::Tile | Kind::Scaling);
    let roles = || form.roles().filter(tile).map(|role| role.name);
    let location = if profile == Profile::Cpu && rng.chance(10) { Location::Mat } else { Location::Vec };
    match (page.set, page.name) {
        (_, name) if super::quant::has(name) => super::quant::wishes(profile, rng, name, roles()),
        (Set::Matmul, _) => product(profile, rng, page.name, roles()),
        (_, "tmov" | "textract" | "tinsert" | "tmov_fp" | "textract_fp" | "tinsert_fp") => {
            let has = |role: &str| form.ins.iter().any(|known| known.name == role);
            if form.outs.len() == 2 {
                return windows(profile, rng);
            }
            match (has("tmp"), has("q"), has("fp")) {
                (true, ..) => scales(profile, rng),
                (_, scalar, vector) => moved(profile, rng, page.name, scalar, vector),
            }
        }
        (Set::Memory, _) => {
            let location = match page.name {
                "tload" | "tprefetch" => *rng.pick(&[Location::Vec, Location::Vec, Location::Mat]),
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
        (_, "tcvt") => {
            let elements = [element, super::tiles::element(rng)];
            let packed = elements.iter().any(|element| element.is_packed());
            let wish = |role| converted(rng, profile, location, role, elements, [rows, cols], packed);
            roles().map(wish).collect()
        }
        _ => roles()
            .map(|role| {
                let (role_element, rows, cols) = shape(rng, page.set, page.name, role, element, rows, cols);
                let ty = holding(rng, profile, location, role_element, rows, cols);
                let ty = special(rng, profile, page.name, role, ty, rows, cols);
                Wish { role, ty, rows, cols }
            })
            .collect(),
    }
}

/// Tiles of a conversion between two formats. If one is a packed pair, both tiles are in an order with pairs along
/// rows, and the other has twice the columns.
fn converted(
    rng: &mut Rng,
    profile: Profile,
    location: Location,
    role: &'static str,
    [from, to]: [Element; 2],
    [rows, cols]: [u32; 2],
    packed: bool,
) -> Wish {
    let element = if role == "dst" { to } else { from };
    let cols = if packed { 2 * cols / element.values() as u32 } else { cols };
    let by_rows = [(BLayout::RowMajor, SLayout::NoneBox), (BLayout::ColMajor, SLayout::RowMajor)];
    let ty = if packed {
        let order = *rng.pick(&by_rows);
        ordered(rng, order, location, element, rows, cols)
    } else {
        holding(rng, profile, location, element, rows, cols)
    };
    Wish { role, ty, rows, cols }
}

/// Format and valid region of an operand, derived from those of the instruction.
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
        (_, "tpack", "dst") => (element(rng), rows, cols),
        (_, "tadddeqrelu", "dst") => (Element::F16, rows, cols),
        (_, "tadddeqrelu", _) => (Element::I32, rows, cols),
        (_, "taddreluconv" | "tsubreluconv", "dst") => {
            (if own == Element::F32 { Element::F16 } else { Element::I8 }, rows, cols)
        }
        (_, "tconcat" | "tconcatidx", "src0") => (own, rows, cols - split),
        (_, "tconcat" | "tconcatidx", "src1") => (own, rows, split),
        (_, "tconcat" | "tconcatidx", "idx0" | "idx1" | "count") => {
            ([Element::I32, Element::U8, Element::I16][cols as usize % 3], rows, 1)
        }
        (_, "tdeinterleave", "src") => (own, rows, 4 * cols.div_ceil(2)),
        (_, "tinterleave" | "tdeinterleave", _) => (own, rows, 2 * cols.div_ceil(2)),
        (_, "ttrans", "dst") => (own, cols, rows),
        (_, "tcmp" | "tcmps", "dst") | (_, "tsel" | "tsels", "mask") => {
            (*rng.pick(&[Element::I8, Element::U8]), rows, cols.div_ceil(8))
        }
        (_, "tpairreducesum", _) => (own, rows, cols),
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

/// Types that depend on the instruction, beyond location and format.
fn special(
    rng: &mut Rng,
    profile: Profile,
    name: &str,
    role: &str,
    ty: TileType,
    rows: u32,
    cols: u32,
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
        ("tdeinterleave", "src") => TileType { cols: ty.cols.max(16 * unit(ty.element)), ..ty },
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
    use Element::{Bf16, E1M2x2, E2M1x2, E4M3, E5M2, F16, F32, HiF8, I8, I32};
    let pairs = [(F32, F32), (F16, F16), (Bf16, Bf16), (I8, I8), (E4M3, E5M2), (HiF8, HiF8)];
    let count = if profile == Profile::A2A3 { 4 } else { 6 };
    let scaled = [(E4M3, E5M2), (E4M3, E4M3), (E5M2, E5M2), (E2M1x2, E1M2x2), (E1M2x2, E1M2x2)];
    let scaling = name.contains(".mx") || name == "tget_scale_addr";
    let (left, right) = if scaling { *rng.pick(&scaled) } else { *rng.pick(&pairs[..count]) };
    let acc = if left.is_integer() { I32 } else { F32 };
    let m = if name.contains("gemv") { 1 } else { rng.between(1, 40) as u32 };
    let (k, n) = (rng.between(1, 70) as u32, rng.between(1, 40) as u32);
    // For packed pairs K counts pairs: each has two of the values that share scales.
    let values = left.values() as u32;
    let groups = (k * values).div_ceil(32);
    let wish = |rng: &mut Rng, role: &'static str| {
        let (location, element, rows, cols) = match role {
            "left_scale" => return scale(role, SLayout::RowMajor, m, groups),
            "dst" if name == "tget_scale_addr" => return scale(role, SLayout::RowMajor, m, groups),
            "right_scale" => return scale(role, SLayout::ColMajor, groups, n),
            "src" => (Location::Left, left, m, k),
            "left" => (Location::Left, left, m, k),
            "right" => (Location::Right, right, k, n),
            "bias" => (Location::Bias, acc, 1, n),
            _ => (Location::Acc, acc, m, n),
        };
        let mut ty = holding(rng, profile, location, element, rows, cols);
        if scaling && location == Location::Left {
            ty.cols = ty.cols.next_multiple_of(64 / values);
        }
        Wish { role, ty, rows, cols }
    };
    roles.map(|role| wish(rng, role)).collect()
}

/// A tile of MX scales: of a left factor with boxes of rows, of a right one with boxes of columns.
fn scale(role: &'static str, slayout: SLayout, rows: u32, cols: u32) -> Wish {
    let (blayout, units) = match slayout {
        SLayout::ColMajor => (BLayout::ColMajor, (2, 16)),
        _ => (BLayout::RowMajor, (16, 2)),
    };
    let ty = TileType::vec(Element::E8M0, rows.next_multiple_of(units.0), cols.next_multiple_of(units.1));
    let ty = TileType { location: Location::Scaling, blayout, slayout, fractal: 32, ..ty };
    Wish { role, ty, rows, cols }
}

/// A scaling tile with parameters for 256 columns.
fn parameters() -> Wish {
    let ty = TileType { location: Location::Scaling, ..TileType::vec(Element::U64, 1, 256) };
    Wish { role: "fp", ty, rows: 1, cols: 256 }
}

/// Tiles of a move of scales into ZZ order.
fn scales(profile: Profile, rng: &mut Rng) -> Vec<Wish> {
    let (rows, cols) = (rng.between(1, 40) as u32, 2 * rng.between(1, 16) as u32);
    let whole = TileType::vec(Element::U8, 64, 64);
    let in_rows = (BLayout::RowMajor, SLayout::NoneBox);
    let (ty, boxes) = match profile {
        Profile::A5 => (
            ordered(rng, in_rows, Location::Vec, Element::U8, rows, cols),
            TileType { slayout: SLayout::RowMajor, ..whole },
        ),
        _ => (holding(rng, profile, Location::Vec, Element::U8, rows, cols), whole),
    };
    let wish = |role, ty: TileType, rows, cols| Wish { role, ty, rows, cols };
    vec![wish("src", ty, rows, cols), wish("tmp", whole, 1, 1), wish("dst", boxes, 64, 64)]
}

/// Tiles of TEXTRACT with two destinations: a row-major source, and two boxed tiles that are not larger.
fn windows(profile: Profile, rng: &mut Rng) -> Vec<Wish> {
    use Element::{Bf16, E4M3, F16, F32, HiF8, I8, I32, U16};
    let list = [I8, I8, F16, Bf16, F32, I32, E4M3, HiF8, U16];
    let count = match profile {
        Profile::A2A3 => 6,
        Profile::A5 => 8,
        Profile::Cpu => 9,
    };
    let element = *rng.pick(&list[..count]);
    let order = (BLayout::ColMajor, SLayout::RowMajor);
    let target = |rng: &mut Rng, role| {
        let (rows, cols) = extents(rng);
        Wish { role, ty: ordered(rng, order, Location::Vec, element, rows, cols), rows, cols }
    };
    let (first, second) = (target(rng, "dst0"), target(rng, "dst1"));
    let (rows, cols) = (first.rows.max(second.rows) + 8, first.cols.max(second.cols) + 40);
    let rows_first = (BLayout::RowMajor, SLayout::NoneBox);
    let src =
        Wish { role: "src", ty: ordered(rng, rows_first, Location::Vec, element, rows, cols), rows, cols };
    vec![src, first, second]
}

/// Tiles of TMOV, TEXTRACT and TINSERT: a pair of locations, with one tile at least as large as the other.
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
