//! Tiles and windows of global memory of generated programs, with the bytes of each.

use super::super::facts::{Access, Pipe};
use super::super::program::{Act, Area, Space, Statement};
use crate::Rng;
use pto::Profile;

/// Bytes of an element: all are f32.
const ELEMENT: u64 = 4;
/// Columns and rows of a buffer in global memory.
const COLS: u64 = 16;
const ROWS: u64 = 64;

/// A tile or a window: name, type and bytes.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub name: String,
    pub ty: &'static str,
    pub area: Area,
}

/// The types that all programs use.
const TYPES: &str = "!t = !pto.tile_buf<vec, 8x16xf32>
!h = !pto.tile_buf<vec, 8x8xf32>
!mat = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 16x16xf32, LAYOUT>
!right = !pto.tile_buf<right, 16x16xf32, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!v = !pto.tensor_view<64x16xf32>
!w = !pto.partition_tensor_view<8x16xf32>
!wh = !pto.partition_tensor_view<8x8xf32>
!wm = !pto.partition_tensor_view<16x16xf32>
!signal = !pto.tensor_view<1xi32>
";

/// The types, for a profile: layouts of left tiles differ.
pub(super) fn types(profile: Profile) -> String {
    let layout = match profile {
        Profile::A2A3 => "slayout=row_major",
        _ => "blayout=col_major, slayout=row_major",
    };
    TYPES.replace("LAYOUT", layout)
}

/// Constants and views of the buffers `%g0` and `%g1`.
pub(super) fn constants() -> String {
    let mut text = String::new();
    for number in [0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 64] {
        text += &format!("  %c{number} = arith.constant {number} : index\n");
    }
    for address in [0, 256, 512, 768, 1024, 1536, 2048] {
        text += &format!("  %a{address} = arith.constant {address} : i64\n");
    }
    for value in 0..4 {
        text += &format!("  %v{value} = arith.constant {value} : i32\n");
    }
    text += "  %one = arith.constant 1.0 : f32\n";
    for buffer in 0..2 {
        text += &format!(
            "  %g{buffer}v = pto.make_tensor_view %g{buffer}, shape = [%c64, %c16], strides = [%c16, %c1] : !v\n"
        );
    }
    text
}

/// A tile of 8 rows of 16 elements in UB, at this address.
pub(super) fn vec_tile(address: u64, head: &mut String) -> Operand {
    let name = format!("%t{address}");
    *head += &format!("    {name} = pto.alloc_tile addr = %a{address} : !t\n");
    Operand { name, ty: "!t", area: tile_area(0, address, 8 * COLS * ELEMENT) }
}

/// The left or right half of a tile's columns.
pub(super) fn half_tile(tile: &Operand, right: bool, head: &mut String) -> Operand {
    let (from, name) = (if right { 8 } else { 0 }, format!("{}h{}", tile.name, u8::from(right)));
    *head += &format!("    {name} = pto.subview {}[%c0, %c{from}] sizes [8, 8] : !t -> !h\n", tile.name);
    let start = tile.area.start + from * ELEMENT;
    let area = Area { start, row: 8 * ELEMENT, rows: 8, pitch: COLS * ELEMENT, ..tile.area };
    Operand { name, ty: "!h", area }
}

/// A tile of the cube core, at this address.
pub(super) fn cube_tile(space: u64, ty: &'static str, address: u64, head: &mut String) -> Operand {
    let name = format!("%{}{address}", &ty[1..]);
    *head += &format!("    {name} = pto.alloc_tile addr = %a{address} : {ty}\n");
    Operand { name, ty, area: tile_area(space, address, 16 * COLS * ELEMENT) }
}

fn tile_area(space: u64, start: u64, bytes: u64) -> Area {
    Area { space: Space::Chip(space), start, row: bytes, rows: 1, pitch: 0, shift: (0, 0) }
}

/// A window of a buffer: its first row and column, its rows and columns, and its shift in rows per block and per core.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub buffer: u64,
    pub row: u64,
    pub col: u64,
    pub rows: u64,
    pub cols: u64,
    pub shift: (u64, u64),
}

/// A window of global memory. If blocks or cores have windows of their own, `%block` and `%core` are defined.
pub(super) fn window(cut: Cut, head: &mut String) -> Operand {
    let Cut { buffer, row, col, rows, cols, shift } = cut;
    debug_assert!(row + rows <= ROWS && col + cols <= COLS);
    let ty = match (rows, cols) {
        (8, 16) => "!w",
        (8, _) => "!wh",
        _ => "!wm",
    };
    let name = format!("%w{buffer}_{row}_{col}_{rows}_{cols}_{}_{}", shift.0, shift.1);
    let mut first = format!("%c{row}");
    for (by, rows) in [("block", shift.0), ("core", shift.1)] {
        if rows > 0 {
            *head += &format!("    {name}_{by}s = arith.muli %{by}, %c{rows} : index\n");
            *head += &format!("    {name}_{by} = arith.addi {first}, {name}_{by}s : index\n");
            first = format!("{name}_{by}");
        }
    }
    *head += &format!(
        "    {name} = pto.partition_view %g{buffer}v, offsets = [{first}, %c{col}], sizes = [%c{rows}, %c{cols}] : !v -> {ty}\n"
    );
    let pitch = COLS * ELEMENT;
    let area = Area {
        space: Space::Global(buffer),
        start: row * pitch + col * ELEMENT,
        row: cols * ELEMENT,
        rows,
        pitch,
        shift: (shift.0 * pitch, shift.1 * pitch),
    };
    Operand { name, ty, area }
}

/// An instruction with these operands and this destination.
pub(super) fn work(name: &str, pipe: Pipe, ins: &[&Operand], out: &Operand) -> Statement {
    let names: Vec<&str> = ins.iter().map(|operand| &*operand.name).collect();
    let types: Vec<&str> = ins.iter().map(|operand| operand.ty).collect();
    let (names, types) = (names.join(", "), types.join(", "));
    let text = format!("    pto.{name} ins({names} : {types}) outs({} : {})", out.name, out.ty);
    let mut touches: Vec<_> = ins.iter().map(|operand| (Access::Read, operand.area)).collect();
    touches.push((Access::Write, out.area));
    Statement { text, act: Act::Work(pipe, touches) }
}

/// A store with atomic addition.
pub(super) fn adding_store(pipe: Pipe, tile: &Operand, window: &Operand) -> Statement {
    let mut store = work("tstore", pipe, &[tile], window);
    store.text += " {atomicType = #pto<atomic_type atomic_add>}";
    if let Act::Work(_, touches) = &mut store.act {
        touches[1].0 = Access::Add;
    }
    store
}

/// Fills a tile with a number.
pub(super) fn fill(tile: &Operand) -> Statement {
    let text = format!("    pto.texpands ins(%one : f32) outs({} : {})", tile.name, tile.ty);
    Statement { text, act: Act::Work(Pipe::V, vec![(Access::Write, tile.area)]) }
}

/// A read or write of one element of a tile by the scalar unit.
pub(super) fn element(tile: &Operand, at: u64, reads: bool, serial: usize) -> Statement {
    let Operand { name, ty, area } = tile;
    let text = match reads {
        true => format!("    %s{serial} = pto.tgetval ins({name}, %c{at} : {ty}, index) outs : f32"),
        false => format!("    pto.tsetval ins(%c{at}, %one : index, f32) outs({name} : {ty})"),
    };
    let area = Area { start: area.start + at * ELEMENT, row: ELEMENT, rows: 1, ..*area };
    let access = if reads { Access::Read } else { Access::Write };
    Statement { text, act: Act::Work(Pipe::S, vec![(access, area)]) }
}

/// A random element of a list.
pub(super) fn one<'a>(list: &'a [Operand], rng: &mut Rng) -> &'a Operand {
    rng.pick(list)
}
