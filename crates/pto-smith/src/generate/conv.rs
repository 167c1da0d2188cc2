//! Steps with convolution tiles: loads and stores, and the matrix of a convolution.

use super::draft::Draft;
use super::layouts::{orders, unit};
use super::tiles::{Tile, ordered, spell};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{ConvLayout, ConvTileType, Element, Location, Profile, TileType};
use std::fmt::Write;

/// A convolution tile of a program.
pub(super) struct ConvTile {
    pub(super) name: String,
    pub(super) ty: ConvTileType,
    address: Option<u64>,
}

/// The type as it is written.
pub(super) fn spell_conv(ty: &ConvTileType) -> String {
    format!("!pto.conv_tile<{}, {}, {}>", ty.location.word(), ty.layout.word(), ty.shape_text())
}

/// A type with these extents.
pub(super) fn conv(location: Location, layout: ConvLayout, element: Element, shape: &[u32]) -> ConvTileType {
    let mut extents = [1; 6];
    extents[..shape.len()].copy_from_slice(shape);
    ConvTileType { location, layout, element, extents }
}

impl Draft {
    /// Defines a convolution tile, `placed` at an address or where the machine puts it.
    pub(super) fn conv_tile(&mut self, ty: ConvTileType, placed: bool) -> ConvTile {
        let address = if placed { self.place_bytes(ty.buffer(), ty.bytes()) } else { None };
        let head = address.map_or_else(String::new, |address| format!(" addr = {}", self.address(address)));
        let name = self.name("f");
        self.line(format!("{name} = pto.alloc_tile{head} : {}", spell_conv(&ty)));
        ConvTile { name, ty, address }
    }

    /// A view of a new argument with the dimensions of a convolution tile.
    fn conv_view(&mut self, rng: &mut Rng, ty: &ConvTileType) -> (String, String) {
        let word = element_word(ty.element);
        let pointer = self.argument(format!("!pto.ptr<{word}>"));
        let mut shape: Vec<u64> = ty.shape().iter().map(|extent| u64::from(*extent)).collect();
        if shape.len() == 6 {
            let first = shape.remove(0);
            shape[0] *= first;
        }
        let (mut strides, mut next) = (vec![0; shape.len()], 1);
        for at in (0..shape.len()).rev() {
            strides[at] = next;
            let gap = if rng.chance(20) { 2 * rng.between(1, 2) as u64 } else { 0 };
            next = next * shape[at] + gap;
        }
        let mut names = |list: &[u64]| -> String {
            list.iter().map(|value| self.index(*value)).collect::<Vec<_>>().join(", ")
        };
        let (shape_names, stride_names) = (names(&shape), names(&strides));
        let (name, view) = (self.name("v"), format!("!pto.tensor_view<{}{word}>", "?x".repeat(shape.len())));
        self.line(format!(
            "{name} = pto.make_tensor_view {pointer}, shape = [{shape_names}], strides = [{stride_names}] : {view}"
        ));
        (name, view)
    }

    /// Loads a convolution tile dimension by dimension.
    fn load_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        let (view, ty) = self.conv_view(rng, &tile.ty);
        self.line(format!("pto.tload ins({view} : {ty}) outs({} : {})", tile.name, spell_conv(&tile.ty)));
    }

    /// The same bytes as a plain tile, where the convolution tile has an address.
    fn plain(&mut self, rng: &mut Rng, tile: &ConvTile) -> Option<Tile> {
        let address = tile.address?;
        let bytes = u32::try_from(tile.ty.bytes()).ok()?.next_multiple_of(32);
        let ty = TileType { location: tile.ty.location, ..TileType::vec(Element::I8, 1, bytes) };
        let varying = std::mem::replace(&mut self.varying_rows, false);
        let plain = self.tile_at(rng, ty, 1, bytes, Some(address));
        self.varying_rows = varying;
        Some(plain)
    }

    /// Fills a convolution tile: dimension by dimension where the profile can, or as a plain tile.
    pub(super) fn fill_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        let blocks = matches!(tile.ty.layout, ConvLayout::Nc1hwc0 | ConvLayout::Ndc1hwc0);
        let loads = self.profile == Profile::Cpu || tile.ty.location == Location::Mat && blocks;
        let plain = if loads && rng.chance(60) { None } else { self.plain(rng, tile) };
        match plain {
            Some(plain) => self.fill(rng, &plain),
            None => self.load_conv(rng, tile),
        }
    }

    /// Shows what a convolution tile holds.
    pub(super) fn show_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        if self.profile == Profile::Cpu && (tile.address.is_none() || rng.chance(50)) {
            let (view, ty) = self.conv_view(rng, &tile.ty);
            let spelled = spell_conv(&tile.ty);
            return self.line(format!("pto.tstore ins({} : {spelled}) outs({view} : {ty})", tile.name));
        }
        if let Some(plain) = self.plain(rng, tile) {
            self.show(rng, &plain);
        }
    }

    /// Stores a tile where the profile can, else prints it.
    fn show(&mut self, rng: &mut Rng, tile: &Tile) {
        if self.profile == Profile::Cpu || tile.ty.location == Location::Vec {
            return self.store(rng, tile);
        }
        let whole = self.whole(tile);
        self.line(format!("pto.tprint ins({} : {})", whole.name, spell(&whole.ty)));
    }
}

/// A feature map of a few points in channel blocks.
fn feature_map(rng: &mut Rng, profile: Profile) -> ConvTileType {
    use Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32};
    let list = [F32, F16, Bf16, I8, U8, I16, U16, I32, U32, I64];
    let count = match profile {
        Profile::A2A3 => 4,
        Profile::A5 => 9,
        Profile::Cpu => 10,
    };
    let element = *rng.pick(&list[..count]);
    let c0 = if profile == Profile::Cpu && rng.chance(25) { 4 } else { unit(element) };
    let mut few = |most: usize| rng.between(1, most) as u32;
    let (n, d, c1, h, w) = (few(2), few(2), few(2), few(9), few(9));
    if few(3) == 1 {
        conv(Location::Mat, ConvLayout::Ndc1hwc0, element, &[n, d, c1, h, w, c0])
    } else {
        conv(Location::Mat, ConvLayout::Nc1hwc0, element, &[n, c1, h, w, c0])
    }
}

/// TLOAD or TSTORE of a convolution tile.
pub(super) fn moved(draft: &mut Draft, rng: &mut Rng) {
    let ty = feature_map(rng, draft.profile);
    let location = if draft.profile == Profile::Cpu { Location::Vec } else { Location::Mat };
    let tile = draft.conv_tile(ConvTileType { location, ..ty }, draft.profile != Profile::Cpu);
    draft.load_conv(rng, &tile);
    draft.show_conv(rng, &tile);
}

/// The matrix of a convolution, and the registers for it where `name` sets one, or now and then.
pub(super) fn unfolded(draft: &mut Draft, rng: &mut Rng, name: &str) {
    let src = draft.conv_tile(feature_map(rng, draft.profile), draft.placed);
    draft.fill_conv(rng, &src);
    let shape = Shape::of(rng, &src.ty);
    let manual = name != "timg2col" || rng.chance(40);
    let set = if rng.chance(70) { "a" } else { "b" };
    let spelled = spell_conv(&src.ty);
    if manual {
        for setter in ["setfmatrix", "set_img2col_rpt", "set_img2col_padding"] {
            if setter != name && setter != "setfmatrix" && rng.chance(50) {
                continue;
            }
            let attributes = format!("{{{}, mode = #pto.fmatrix_mode<{set}_manual>}}", shape.registers);
            draft.line(format!("pto.{setter} ins({} : {spelled}) {attributes}", src.name));
        }
    }
    let (rows, cols) = (rng.between(1, shape.rows.min(40)) as u32, rng.between(1, shape.cols.min(70)) as u32);
    let order = *rng.pick(orders(draft.profile, Location::Left));
    let ty = ordered(rng, order, Location::Left, src.ty.element, rows, cols);
    let dst = draft.tile(rng, ty, rows, cols);
    let mut operands = format!("{} : {spelled}", src.name);
    if rng.chance(70) {
        let row = rng.between(0, shape.rows - rows as usize) as u64;
        let col = rng.between(0, shape.cols - cols as usize) as u64;
        let (row, col) = (draft.index(row), draft.hidden_index(col));
        operands = format!("{}, {row}, {col} : {spelled}, index, index", src.name);
    }
    let (mode, registers) =
        if manual { ("manual", String::new()) } else { ("auto", format!("{}, ", shape.registers)) };
    draft.line(format!(
        "pto.timg2col ins({operands}) outs({} : {}) {{{registers}{}, mode = #pto.fmatrix_mode<{set}_{mode}>}}",
        dst.name,
        spell(&dst.ty),
        shape.filter
    ));
    draft.show(rng, &dst);
}

/// A convolution: its attributes, and the size of its matrix.
struct Shape {
    registers: String,
    filter: String,
    rows: usize,
    cols: usize,
}

impl Shape {
    fn of(rng: &mut Rng, ty: &ConvTileType) -> Shape {
        let shape: Vec<usize> = ty.shape().iter().map(|extent| *extent as usize).collect();
        let rank = shape.len();
        let (mut rows, mut cols) =
            (shape[..rank - 4].iter().product::<usize>(), shape[rank - 4] * shape[rank - 1]);
        let (mut map, mut pad) = ([0; 2], [[0; 2]; 2]);
        let mut filter = [[0; 2]; 3];
        for at in 0..2 {
            map[at] = rng.between(shape[rank - 3 + at].min(2), shape[rank - 3 + at]);
            pad[at] = [rng.between(0, 2), rng.between(0, 2)];
            let room = map[at] + pad[at][0] + pad[at][1];
            let size = rng.between(1, room.min(3));
            let dilation = if size > 1 { rng.between(1, (room - 1) / (size - 1)).min(2) } else { 1 };
            let stride = rng.between(1, 3);
            filter[0][at] = size;
            filter[1][at] = stride;
            filter[2][at] = dilation;
            rows *= (room - dilation * (size - 1) - 1) / stride + 1;
            cols *= size;
        }
        let pair = |pair: [usize; 2]| format!("[{}, {}]", pair[0], pair[1]);
        let [[top, bottom], [left, right]] = pad;
        let mut registers = format!("fmap = {}, pad = [{left}, {right}, {top}, {bottom}]", pair(map));
        if rng.chance(60) {
            let point = if ty.element.is_float() { ".5" } else { "" };
            let _ = write!(registers, ", pad_value = {}{point}", rng.between(0, 100));
        }
        let [size, stride, dilation] = filter.map(pair);
        let filter = format!("filter = {size}, stride = {stride}, dilation = {dilation}");
        Shape { registers, filter, rows, cols }
    }
}
