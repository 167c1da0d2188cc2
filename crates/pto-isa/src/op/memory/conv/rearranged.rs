//! Loads of plain feature maps into convolution tiles: channels go into blocks of C0.
//!
//! Element (n, c, d, h, w) of the view goes to channel c mod C0 of block c / C0. Of a block that the channels fill only in part the
//! rest becomes 0; further blocks, images and planes of the tile keep their contents. The formula asks for every element of the tile
//! where it comes from; the fast path moves one row of points of one block at a time.

use crate::conv::{ConvLayout, ConvTileType};
use crate::op::memory::feature_map::{Extents, Strides, points};
use crate::op::site::GlobalLayout;
use ConvLayout::{FractalZ, FractalZ3d, Nc1hwc0, Ndc1hwc0};
use GlobalLayout::{Ncdhw, Nchw, Nhwc};
#[cfg(feature = "run")]
use {
    super::SHAPE,
    crate::element::Element,
    crate::exec::overlay::Area,
    crate::exec::state::{ConvTile, Fault, Prepare, State},
    crate::op::memory::window::{Dimensions, Window},
    pto_kernels::{Placement, transfer},
    pto_num::set_element,
};

/// Whether a view in a layout is loaded into a tile of another.
pub(super) fn is_pair(from: Option<GlobalLayout>, to: ConvLayout) -> bool {
    matches!(
        (from, to),
        (Some(Nhwc | Nchw), Nc1hwc0) | (Some(Nchw), FractalZ) | (Some(Ncdhw), Ndc1hwc0 | FractalZ3d)
    )
}

/// The dimensions of a view, or its strides, as n, c, d, h, w; `one` for a dimension that the layout lacks.
fn sorted<T: Copy>(layout: Option<GlobalLayout>, [x0, x1, x2, x3, x4]: [T; 5], one: T) -> [T; 5] {
    match layout {
        Some(Nhwc) => [x1, x4, one, x2, x3],
        Some(Nchw) => [x1, x2, one, x3, x4],
        _ => [x0, x1, x2, x3, x4],
    }
}

/// Images, depth, rows and columns of a tile; `None` for a dimension that it combines with others or lacks. And the channels of a
/// block.
fn places(ty: &ConvTileType) -> ([Option<u64>; 4], u64) {
    let [x0, x1, x2, x3, x4, x5] = ty.extents.map(u64::from);
    match ty.layout {
        Nc1hwc0 => ([Some(x0), Some(1), Some(x2), Some(x3)], x4.max(1)),
        Ndc1hwc0 => ([Some(x0), Some(x1), Some(x3), Some(x4)], x5.max(1)),
        _ => ([Some(x1.saturating_mul(x2)), None, None, None], x3.max(1)),
    }
}

/// Why a view does not fit a tile, as far as its extents and strides are known.
pub(super) fn obstacle(
    ty: &ConvTileType,
    layout: Option<GlobalLayout>,
    shape: Extents,
    strides: Strides,
) -> Option<String> {
    let [n, c, d, h, w] = sorted(layout, shape, Some(1));
    let [_, t_c, t_d, t_h, _] = sorted(layout, strides, None);
    let ([images, depth, rows, cols], c0) = places(ty);
    let is_map = matches!(ty.layout, Nc1hwc0 | Ndc1hwc0);
    let same = |what: &str, have: Option<u64>, want: Option<u64>| {
        let (have, want) = (have?, want?);
        (have != want).then(|| format!("{what}: {have} in the view, {want} in the tile"))
    };
    let most = |what: &str, have: Option<u64>, most: Option<u64>| {
        let (have, most) = (have?, most?);
        (have > most).then(|| format!("{what}: {have} in the view, at most {most} in the tile"))
    };
    if layout != Some(Ncdhw) {
        let outer = shape[0].filter(|extent| *extent != 1);
        if let Some(outer) = outer {
            return Some(format!("the first dimension of the view is {outer}, not 1"));
        }
    }
    if is_map {
        let blocks = ty.extents[if ty.layout == Nc1hwc0 { 1 } else { 2 }];
        let channels = u64::from(blocks).saturating_mul(c0);
        return same("images", n, images)
            .or_else(|| same("rows", h, rows))
            .or_else(|| same("columns", w, cols))
            .or_else(|| most("planes", d, depth))
            .or_else(|| most("channels", c, Some(channels)));
    }
    let lines = points(&[c.map(|c| c.div_ceil(c0)), d, h, w]);
    let plane = points(&[h, w]).and_then(|plane| i64::try_from(plane).ok());
    let steps = |what: &str, stride: Option<i64>, wanted: Option<i64>, extent: Option<u64>| {
        let (stride, wanted) = (stride?, wanted?);
        let used = extent.is_none_or(|extent| extent > 1);
        (used && stride != wanted).then(|| format!("{what} are {stride} elements apart, not {wanted}"))
    };
    let planes = if layout == Some(Ncdhw) { ("planes", t_d, d) } else { ("channels", t_c, c) };
    same("blocks of channels times points", lines, Some(u64::from(ty.extents[0])))
        .or_else(|| most("outputs", n, images))
        .or_else(|| steps(planes.0, planes.1, plane, planes.2))
        .or_else(|| steps("rows", t_h, w.and_then(|w| i64::try_from(w).ok()), h))
}

/// Whether a load writes every element of its tile.
pub(super) fn fills(ty: &ConvTileType, layout: Option<GlobalLayout>, shape: Extents) -> bool {
    let [n, c, d, ..] = sorted(layout, shape, Some(1));
    let ([images, depth, ..], c0) = places(ty);
    let blocks = match ty.layout {
        Nc1hwc0 => Some(ty.extents[1]),
        Ndc1hwc0 => Some(ty.extents[2]),
        _ => None,
    };
    let channels = blocks.is_none_or(|blocks| c.is_some_and(|c| c.div_ceil(c0) == u64::from(blocks)));
    n == images && (depth.is_none() || d == depth) && channels
}

/// A load, ready to run.
#[cfg(feature = "run")]
pub(super) struct Load {
    tile: ConvTile,
    view: usize,
    element: Element,
    name: String,
    layout: Option<GlobalLayout>,
}

/// Extents and steps of one run of a load, as n, c, d, h, w.
#[cfg(feature = "run")]
struct Plan {
    extents: [usize; 5],
    steps: [usize; 5],
    buffer: usize,
    start: usize,
    c0: usize,
}

#[cfg(feature = "run")]
impl Load {
    /// The load of a use; `None` if nothing is rearranged.
    pub(super) fn of(prepare: &Prepare<'_>) -> Result<Option<Load>, String> {
        let Some(ty) = prepare.site.conv("dst") else { return Ok(None) };
        let layout = prepare.site.view("src").and_then(|view| view.layout.0);
        if !is_pair(layout, ty.layout) {
            return Ok(None);
        }
        let name = prepare.name("src").to_owned();
        let (view, element) = prepare.view("src")?;
        Ok(Some(Load { tile: prepare.conv("dst")?, view, element, name, layout }))
    }

    fn plan(&self, state: &State<'_>) -> Result<Plan, Fault> {
        let window = Window::rows(&state.views[self.view]);
        let Dimensions { shape, strides } = window.dimensions();
        if let Some(why) = obstacle(&self.tile.ty, self.layout, shape.map(Some), strides.map(Some)) {
            return Err(Fault::Broken(&SHAPE, why));
        }
        let (buffer, start) = window.locate(state.global, self.element, &self.name)?;
        let extents = sorted(self.layout, shape, 1).map(|extent| extent as usize);
        let steps = sorted(self.layout, strides, 0).map(|stride| stride as usize);
        Ok(Plan { extents, steps, buffer, start: start as usize, c0: places(&self.tile.ty).1 as usize })
    }

    /// The formula: for every element of the tile, in its order.
    pub(super) fn one_by_one(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let plan = self.plan(state)?;
        let [n, c, d, h, w] = plan.extents;
        let base = state.live_conv(&self.tile);
        let shape: Vec<usize> = self.tile.ty.shape().iter().map(|extent| *extent as usize).collect();
        for index in 0..self.tile.ty.elements() as usize {
            let mut rest = index;
            let mut at = [0; 6];
            for (at, extent) in at[..shape.len()].iter_mut().zip(&shape).rev() {
                (*at, rest) = (rest % extent, rest / extent);
            }
            let [x0, x1, x2, x3, x4, x5] = at;
            let (image, block, plane, row, col, channel) = match self.tile.ty.layout {
                Nc1hwc0 => (x0, x1, 0, x2, x3, x4),
                Ndc1hwc0 => (x0, x2, x1, x3, x4, x5),
                _ => (x1 * shape[2] + x2, x0 / (d * h * w), x0 / (h * w) % d, x0 / w % h, x0 % w, x3),
            };
            if image >= n || plane >= d || block >= c.div_ceil(plan.c0) {
                continue;
            }
            let at = [image, block * plan.c0 + channel, plane, row, col];
            let from: usize = at.iter().zip(plan.steps).map(|(at, step)| at * step).sum();
            let mut read = || state.global.reading(plan.buffer).get(plan.start, from, self.element);
            let value = if at[1] < c { read() } else { 0 };
            set_element(state.memory, base, index, self.element, value);
        }
        Ok(())
    }

    /// The distances in the tile of images, blocks, planes, rows and columns.
    fn distances(&self, [_, _, d, h, w]: [usize; 5]) -> [usize; 5] {
        let shape = self.tile.ty.extents.map(|extent| extent as usize);
        let [_, x1, x2, x3, x4, x5] = shape;
        match self.tile.ty.layout {
            Nc1hwc0 => [x1 * x2 * x3 * x4, x2 * x3 * x4, 0, x3 * x4, x4],
            Ndc1hwc0 => [x1 * x2 * x3 * x4 * x5, x3 * x4 * x5, x2 * x3 * x4 * x5, x4 * x5, x5],
            _ => {
                let line = x1 * x2 * x3;
                [x3, d * h * w * line, h * w * line, w * line, line]
            }
        }
    }

    pub(super) fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let bits = self.element.bits();
        if bits < 8 {
            return self.one_by_one(state);
        }
        let plan = self.plan(state)?;
        let [n, c, d, h, w] = plan.extents;
        let [t_n, t_c, t_d, t_h, t_w] = plan.steps;
        let [in_n, in_block, in_d, in_h, in_w] = self.distances(plan.extents);
        let base = state.live_conv(&self.tile);
        let bytes = |elements: usize| elements * bits as usize / 8;
        let blocks = c.div_ceil(plan.c0);
        for line in 0..n * blocks * d * h {
            let (image, block) = (line / (blocks * d * h), line / (d * h) % blocks);
            let (plane, row) = (line / h % d, line % h);
            let to = base + bytes(image * in_n + block * in_block + plane * in_d + row * in_h);
            let from = image * t_n + block * plan.c0 * t_c + plane * t_d + row * t_h;
            let channels = (c - block * plan.c0).min(plan.c0);
            let view = Placement::strided(plan.start + bytes(from), t_w, t_c);
            let source = state.global.reading(plan.buffer).read(&Area {
                placement: view,
                rows: w,
                cols: channels,
                bits,
            });
            transfer(state.memory, &Placement::strided(to, in_w, 1), source, &view, w, channels, bits);
            for point in 0..w {
                let rest = to + bytes(point * in_w + channels);
                state.memory[rest..rest + bytes(plan.c0 - channels)].fill(0);
            }
        }
        Ok(())
    }
}
