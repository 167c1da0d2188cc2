//! Steps with convolution tiles: loads, stores, and the matrix of a convolution.

use super::draft::Draft;
use super::layouts::{orders, unit};
use super::tiles::{Tile, ordered};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{ConvLayout, ConvTileType, Element, Location, Profile, TileType};
use std::fmt::Write;

/// A convolution tile of a program.
struct ConvTile {
    name: String,
    ty: ConvTileType,
    address: Option<u64>,
}

/// The spelling of a type.
fn spell_conv(ty: &ConvTileType) -> String {
    format!("!pto.conv_tile<{}, {}, {}>", ty.location.word(), ty.layout.word(), ty.shape_text())
}

/// A type with these extents.
fn conv(location: Location, layout: ConvLayout, element: Element, shape: &[u32]) -> ConvTileType {
    let mut extents = [1; 6];
    extents[..shape.len()].copy_from_slice(shape);
    ConvTileType { location, layout, element, extents }
}

impl Draft {
    /// Defines a convolution tile, at an address if `placed`.
    fn conv_tile(&mut self, ty: ConvTileType, placed: bool) -> ConvTile {
        let address = if placed { self.place_bytes(ty.buffer(), ty.bytes()) } else { None };
        self.define_conv(ty, address)
    }

    /// Defines a convolution tile at an address that may overlap other tiles.
    fn conv_tile_at(&mut self, ty: ConvTileType, address: u64) -> ConvTile {
        let fits = self.reserve(ty.buffer(), address + ty.bytes());
        self.define_conv(ty, Some(address).filter(|_| fits))
    }

    fn define_conv(&mut self, ty: ConvTileType, address: Option<u64>) -> ConvTile {
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

    /// Loads a convolution tile through a view.
    fn load_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        let (view, ty) = self.conv_view(rng, &tile.ty);
        self.line(format!("pto.tload ins({view} : {ty}) outs({} : {})", tile.name, spell_conv(&tile.ty)));
    }

    /// A plain tile over the bytes of a convolution tile that has an address.
    fn plain(&mut self, rng: &mut Rng, tile: &ConvTile) -> Option<Tile> {
        let address = tile.address?;
        let bytes = u32::try_from(tile.ty.bytes()).ok()?.next_multiple_of(32);
        let ty = TileType { location: tile.ty.location, ..TileType::vec(Element::I8, 1, bytes) };
        let varying = std::mem::replace(&mut self.varying_rows, false);
        let plain = self.tile_at(rng, ty, 1, bytes, Some(address));
        self.varying_rows = varying;
        Some(plain)
    }

    /// Fills a convolution tile: through a view if the profile can, else as a plain tile.
    fn fill_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        let blocks = matches!(tile.ty.layout, ConvLayout::Nc1hwc0 | ConvLayout::Ndc1hwc0);
        let loads = self.profile == Profile::Cpu || tile.ty.location == Location::Mat && blocks;
        let plain = if loads && rng.chance(60) { None } else { self.plain(rng, tile) };
        match plain {
            Some(plain) => self.fill(rng, &plain),
            None => self.load_conv(rng, tile),
        }
    }

    /// Stores or prints the contents of a convolution tile.
    fn show_conv(&mut self, rng: &mut Rng, tile: &ConvTile) {
        if self.profile == Profile::Cpu && (tile.address.is_none() || rng.chance(50)) {
            let (view, ty) = self.conv_view(rng, &tile.ty);
            let spelled = spell_conv(&tile.ty);
            return self.line(format!("pto.tstore ins({} : {spelled}) outs({view} : {ty})", tile.name));
        }
        if let Some(plain) = self.plain(rng, tile) {
            self.show(rng, &plain);
        }
    }

    /// Stores a tile if the profile can, else prints it through a workspace in memory.
    fn show(&mut self, rng: &mut Rng, tile: &Tile) {
        if self.profile == Profile::Cpu || tile.ty.location == Location::Vec {
            return self.store(rng, tile);
        }
        let whole = self.whole(tile);
        let (view, ty) = self.view(rng, &whole.ty, whole.ty.element, true);
        self.line(format!("pto.tprint ins({}, {view} : {}, {ty})", whole.name, whole.ty.text(false)));
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

/// TTRANS of a convolution tile.
pub(super) fn rearranged(draft: &mut Draft, rng: &mut Rng, with_workspace: bool) {
    use Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
    let element = *rng.pick(&[F32, F16, Bf16, I8, U8, I16, U16, I32, U32]);
    let c0 = if rng.chance(15) { 4 } else { unit(element) };
    let mut few = |most: u32| rng.between(1, most as usize) as u32;
    let (g, c1, d, h) = (few(2), few(2), few(2), few(3));
    // Devices require whole blocks of points.
    let w = if few(4) == 1 { few(3) } else { unit(element) / (1 + few(2) % 2) * (1 + h % 2) };
    let pair = few(7);
    let n = if matches!(pair, 3 | 6 | 7) { few(20) } else { few(3) };
    let c = (c1 - 1) * c0 + if few(2) == 1 { c0 } else { few(c0) };
    let n1 = n.div_ceil(16);
    use ConvLayout::{FractalZ, FractalZ3d, Gnc1hwc0, Gnchw, Nc1hwc0, Ncdhw, Nchw};
    let (from, to) = match pair {
        1 => ((Nchw, vec![n, c, h, w]), (Nc1hwc0, vec![n, c1, h, w, c0])),
        2 => ((Nc1hwc0, vec![n, c1, h, w, c0]), (Nchw, vec![n, c, h, w])),
        3 => ((Nc1hwc0, vec![n, c1, h, w, c0]), (FractalZ, vec![c1 * h * w, n1, 16, c0])),
        4 => ((Gnchw, vec![g, n, c, h, w]), (Gnc1hwc0, vec![g, n, c1, h, w, c0])),
        5 => ((Gnc1hwc0, vec![g, n, c1, h, w, c0]), (Gnchw, vec![g, n, c, h, w])),
        6 => ((Gnc1hwc0, vec![g, n, c1, h, w, c0]), (FractalZ, vec![g * c1 * h * w, n1, 16, c0])),
        _ => ((Ncdhw, vec![n, c, d, h, w]), (FractalZ3d, vec![d * c1 * h * w, n1, 16, c0])),
    };
    let ty = |(layout, shape): (ConvLayout, Vec<u32>)| conv(Location::Vec, layout, element, &shape);
    let (from, to) = (ty(from), ty(to));
    let placed = draft.profile != Profile::Cpu || draft.placed;
    let src = draft.conv_tile(from, placed);
    let dst = match src.address.filter(|_| rng.chance(20)) {
        Some(address) => draft.conv_tile_at(to, address + 32 * rng.between(0, 2) as u64),
        None => draft.conv_tile(to, placed),
    };
    draft.fill_conv(rng, &dst);
    draft.fill_conv(rng, &src);
    let mut operands = format!("{} : {}", src.name, spell_conv(&from));
    if with_workspace {
        let most = from.elements().max(to.elements()) as u32 * 2 + 32 * h * w.max(32);
        let ty = TileType::vec(element, 1, most.next_multiple_of(unit(element)));
        let tmp = draft.tile(rng, ty, 1, ty.cols);
        operands = format!("{}, {} : {}, {}", src.name, tmp.name, spell_conv(&from), tmp.ty.text(false));
    }
    draft.line(format!("pto.ttrans ins({operands}) outs({} : {})", dst.name, spell_conv(&to)));
    draft.show_conv(rng, &dst);
}

/// The matrix of a convolution; registers for it are set if `name` sets one, and sometimes otherwise.
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
        dst.ty.text(false),
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
