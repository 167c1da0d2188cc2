//! Tiles and attributes of instructions that sort, count and quantize, whose extents depend on one another.

use super::tiles::{Tile, ordered};
use super::wishes::Wish;
use crate::Rng;
use pto::isa::op::form::Form;
use pto::isa::{BLayout, Element, Location, Profile, SLayout, TileType};

/// A row-major tile.
fn plain(rng: &mut Rng, role: &'static str, element: Element, rows: u32, cols: u32) -> Wish {
    let order = (BLayout::RowMajor, SLayout::NoneBox);
    Wish { role, ty: ordered(rng, order, Location::Vec, element, rows, cols), rows, cols }
}

/// A tile of one column.
fn column(rng: &mut Rng, role: &'static str, element: Element, rows: u32) -> Wish {
    let order = (BLayout::ColMajor, SLayout::NoneBox);
    let ty = TileType { cols: 1, ..ordered(rng, order, Location::Vec, element, rows, 1) };
    Wish { role, ty, rows, cols: 1 }
}

/// Whether this module makes the tiles of an instruction.
pub(super) fn has(name: &str) -> bool {
    matches!(name, "tsort32" | "tmrgsort" | "thistogram" | "trandom" | "tquant" | "tquant.mx" | "tdequant")
}

/// Tiles for one of these instructions.
pub(super) fn wishes(
    profile: Profile,
    rng: &mut Rng,
    name: &str,
    roles: impl Iterator<Item = &'static str>,
) -> Vec<Wish> {
    let roles: Vec<_> = roles.collect();
    match name {
        "tsort32" => sorted(rng, &roles),
        "tmrgsort" => merged(rng, &roles),
        "thistogram" => counted(rng),
        "tquant" | "tdequant" => affine(rng, name, &roles),
        "tquant.mx" => grouped(profile, rng, &roles),
        _ => {
            let element = *rng.pick(&[Element::I32, Element::U32]);
            let (rows, cols) = (rng.between(1, 5) as u32, rng.between(1, 600) as u32);
            vec![plain(rng, "dst", element, rows, cols)]
        }
    }
}

fn sorted(rng: &mut Rng, roles: &[&'static str]) -> Vec<Wish> {
    let element = *rng.pick(&[Element::F16, Element::F32]);
    let tmp = roles.contains(&"tmp");
    let cols = if tmp { rng.between(1, 100) } else { 32 * rng.between(1, 4) } as u32;
    let rows = rng.between(1, 5) as u32;
    let from = if rng.chance(30) { 1 } else { rows };
    let wide = cols * 64 / element.bits();
    let mut list = vec![plain(rng, "src", element, rows, cols), plain(rng, "idx", Element::U32, from, cols)];
    list.extend(tmp.then(|| plain(rng, "tmp", element, 1, 128)));
    list.push(plain(rng, "dst", element, rows, wide));
    list
}

fn merged(rng: &mut Rng, roles: &[&'static str]) -> Vec<Wish> {
    let element = *rng.pick(&[Element::F16, Element::F32]);
    let slots = 64 / element.bits();
    if roles.contains(&"src") {
        let cols = 256 * rng.between(1, 3) as u32;
        return vec![plain(rng, "src", element, 1, cols), plain(rng, "dst", element, 1, cols)];
    }
    let room = rng.between(1, 40) as u32 * slots;
    let wish = |role: &&'static str| match *role {
        "dst" => plain(rng, role, element, 1, room),
        _ => {
            let pairs = rng.between(1, 20) as u32;
            let mut wish = plain(rng, role, element, 1, pairs * slots);
            // The last tile is the workspace.
            let last = roles.iter().rev().find(|role| **role != "dst");
            if roles.len() > 3 && last == Some(role) {
                wish.ty.cols = 2048;
            }
            wish
        }
    };
    roles.iter().map(wish).collect()
}

fn counted(rng: &mut Rng) -> Vec<Wish> {
    let element = *rng.pick(&[Element::U16, Element::U32]);
    let (rows, cols) = (rng.between(1, 4) as u32, rng.between(1, 80) as u32);
    let src = plain(rng, "src", element, rows, cols);
    let idx = if element == Element::U16 {
        column(rng, "idx", Element::U8, rows)
    } else {
        let above = rng.between(1, 3) as u32;
        let ty = TileType::vec(Element::U8, above, src.ty.cols.next_multiple_of(32));
        Wish { role: "idx", ty, rows: above, cols }
    };
    // The index tile declares as many columns as the source.
    let wide = idx.ty.cols.max(src.ty.cols);
    let ty = if element == Element::U16 { src.ty } else { TileType { cols: wide, ..src.ty } };
    vec![Wish { ty, ..src }, idx, plain(rng, "dst", Element::U32, rows, 256)]
}

fn affine(rng: &mut Rng, name: &str, roles: &[&'static str]) -> Vec<Wish> {
    let (rows, cols) = (rng.between(1, 20) as u32, rng.between(1, 40) as u32);
    let forward = name == "tquant";
    let target = if roles.contains(&"offset") { Element::U8 } else { Element::I8 };
    let integer = *rng.pick(&[Element::I8, Element::I16]);
    let mut size = 0;
    let wish = |role: &&'static str| match (*role, forward) {
        ("src", true) => {
            let wish = plain(rng, role, Element::F32, rows, cols);
            size = wish.ty.rows;
            wish
        }
        ("src", false) => plain(rng, role, integer, rows, cols),
        ("dst", true) => plain(rng, role, target, rows, cols),
        ("dst", false) => plain(rng, role, Element::F32, rows, cols),
        ("tmp", _) => plain(rng, role, Element::F32, size.max(rows), 128),
        _ if rng.chance(30) => plain(rng, role, Element::F32, rows, 8),
        _ => column(rng, role, Element::F32, rows),
    };
    roles.iter().map(wish).collect()
}

fn grouped(profile: Profile, rng: &mut Rng, roles: &[&'static str]) -> Vec<Wish> {
    use Element::{Bf16, E2M1x2, F16, F32, I8, U8};
    let (narrow, zz) = (rng.chance(40), roles.contains(&"exp_zz"));
    let sources = if narrow && profile != Profile::Cpu { &[F16, Bf16][..] } else { &[F16, Bf16, F32] };
    let source = *rng.pick(sources);
    let (down, pairs) = (!zz && rng.chance(50), rng.chance(40));
    let (rows, cols) = match (down, pairs) {
        (true, true) => (64, rng.between(1, 40)),
        (true, false) => (32 * rng.between(1, 3), rng.between(1, 40)),
        (false, _) if zz => (16, 64),
        (false, _) => (rng.between(1, 20), 32 * rng.between(1, 4)),
    };
    let (rows, cols) = (rows as u32, cols as u32);
    // A pair has two columns.
    let cols = if narrow { cols.next_multiple_of(2) } else { cols };
    let target = if narrow { E2M1x2 } else { *rng.pick(&[I8, U8]) };
    let (lines, groups) = if down { (rows / 32, cols) } else { (rows, cols / 32) };
    let wish = |role: &&'static str| match *role {
        "src" => plain(rng, role, source, rows, cols),
        "dst" => plain(rng, role, target, rows, cols / target.values() as u32),
        "exp" if down && pairs => plain(rng, role, U8, rows / 64, 2 * cols),
        "exp" => plain(rng, role, U8, lines, groups),
        "exp_zz" => plain(rng, role, U8, 1, 64),
        _ => plain(rng, role, source, lines, groups),
    };
    let mut wishes: Vec<_> = roles.iter().map(wish).collect();
    if profile == Profile::A5 {
        let declared = cols.next_multiple_of(32);
        for wish in &mut wishes {
            match wish.role {
                "exp" if down && pairs => {
                    wish.ty = TileType { rows: 1, cols: (2 * declared).next_multiple_of(32), ..wish.ty };
                }
                "src" | "exp" | "max" | "scaling" if down => wish.ty.cols = declared,
                "scaling" if lines == 1 => wish.ty.cols = 128,
                _ => {}
            }
        }
    }
    wishes
}

/// Attributes that fit a form and its tiles.
pub(super) fn attributes(
    rng: &mut Rng,
    name: &str,
    form: &Form,
    tiles: &[(&'static str, Tile)],
) -> Vec<String> {
    let tile = |role: &str| tiles.iter().find(|(known, _)| *known == role).map(|(_, tile)| tile);
    let mut list = Vec::new();
    match name {
        "tmrgsort" if form.outs.len() == 2 => {
            if form.ins.len() == 2 {
                list.push("no_tmp".to_owned());
            }
            list.push(format!("exhausted = {}", rng.chance(40)));
        }
        "tquant" => {
            let mode = if form.ins.len() > 2 { "INT8_ASYM" } else { "INT8_SYM" };
            list.push(format!("quant_type = #pto<quant_type {mode}>"));
        }
        "thistogram" => {
            let wide = tile("src").is_some_and(|src| src.ty.element == Element::U32);
            let above = tile("idx").map_or(0, |idx| idx.rows as usize);
            let byte = if wide { 3usize.saturating_sub(above) } else { rng.below(2) };
            list.push(format!("byte = {byte} : i32"));
        }
        "trandom" if rng.chance(50) => list.push(format!("rounds = {} : i32", rng.pick(&[7, 10]))),
        "tquant.mx" => {
            let (Some(src), Some(dst), Some(exp)) = (tile("src"), tile("dst"), tile("exp")) else {
                return list;
            };
            let mode = if dst.ty.element == Element::E2M1x2 { "MXFP4_E2M1" } else { "MXFP8" };
            list.push(format!("quant_type = #pto<quant_type {mode}>"));
            list.push(format!("quantScaleAlg = #pto<quant_scale_alg {}>", rng.pick(&["ocp", "nv"])));
            if exp.rows != src.rows {
                list.push("grpAxis = #pto<mx_group_axis axis0>".to_owned());
                list.push(format!("interleave = {}", exp.cols == 2 * src.cols));
            }
        }
        _ => {}
    }
    list
}
