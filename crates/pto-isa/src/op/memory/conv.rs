//! TLOAD and TSTORE of convolution tiles: one dimension at a time, or loads of plain feature maps whose channels become blocks.

mod rearranged;

use crate::conv::{ConvLayout, ConvTileType};
use crate::element::{Element, element_word};
use crate::op::common::words;
use crate::op::effect::{Effect, Extent};
use crate::op::site::{Check, Site};
use crate::profile::{CPU_AND_A5, NPU, Profile};
use crate::rule::Rule;
use crate::tile::Location;
use crate::types::MAX_RANK;
use ConvLayout::{FractalZ, FractalZ3d, FractalZPoints, Nc1hwc0, Ndc1hwc0};
use Element::{Bf16, E4M3, E5M2, F16, F32, I8, I16, I32, U8, U16, U32};
#[cfg(feature = "run")]
use {
    super::window::Window,
    crate::exec::overlay::Area,
    crate::exec::reference::Reference,
    crate::exec::state::{ConvTile, Execute, Fault, Prepare, State},
    crate::op::memory::window::Dimensions,
    pto_kernels::{Placement, transfer},
    pto_num::{get_element, set_element},
};

const SOURCE: &str = "include/pto/npu/{a2a3,a5}/TLoad.hpp, CheckConvTileData";

pub(super) const SHAPE: Rule = Rule::new(
    "conv-shape",
    "The view has the extents of the convolution tile; the first two of six extents become their product. A view in NHWC, \
     NCHW or NCDHW has the tile's images and points, and channels that fit the tile's blocks.",
    "include/pto/cpu/TLoad.hpp, TStore.hpp; include/pto/npu/{a2a3,a5}/TLoad.hpp",
)
.because("Dimensions are copied one by one; only the channels of a plain feature map are split into blocks.")
.instead("Give the view the extents of the tile, outermost first.");
const LOCATION: Rule = Rule::new("conv-location", "A convolution tile that is loaded is a mat tile.", SOURCE)
    .because("MTE2 loads convolution tiles into L1 only.")
    .instead("Declare the tile with location mat.")
    .only(NPU);
const LAYOUT: Rule = Rule::new(
    "conv-layout",
    "NC1HWC0, NDC1HWC0, FRACTAL_Z and FRACTAL_Z_3D tiles are loaded from views of their layout, on A5 also NC1HWC0 from NHWC and \
     NCHW, FRACTAL_Z from NCHW, NDC1HWC0 and FRACTAL_Z_3D from NCDHW.",
    SOURCE,
)
.because("MTE2 copies channel blocks as they are, or splits channels on these paths.")
.instead("Declare view and tile with one of these layouts, or rearrange with TTRANS.");
const TYPES: Rule = Rule::new(
    "conv-element-type",
    "Convolution tiles are loaded with integers of 8, 16 and 32 bits, f16, bf16 and f32, on A5 also f8E4M3FN and f8E5M2.",
    SOURCE,
)
.because("MTE2 has no encoding of the load for this element type.")
.instead("Declare the tile with an element type in the statement.")
.only(NPU);
const STORE: Rule = Rule::new(
    "conv-store",
    "Only the simulator stores a convolution tile.",
    "include/pto/cpu/TStore.hpp; include/pto/npu/{a2a3,a5}/TStore.hpp",
)
.because("No device has a transfer from convolution tiles to global memory.")
.instead("Store a plain tile, for instance the result of TMATMUL.")
.only(NPU);

/// The rules of loads of convolution tiles.
pub(super) const LOAD_RULES: &[&Rule] = &[&SHAPE, &LOCATION, &LAYOUT, &TYPES];
/// The rules of stores of convolution tiles.
pub(super) const STORE_RULES: &[&Rule] = &[&SHAPE, &STORE];

/// Profiles that load plain feature maps into blocks of channels.
const REARRANGES: &[Profile] = CPU_AND_A5;

/// The tile's extents as a view with `MAX_RANK` dimensions.
fn view_shape(ty: &ConvTileType) -> [u64; MAX_RANK] {
    let shape: Vec<u64> = ty.shape().iter().map(|extent| u64::from(*extent)).collect();
    let mut merged = [1; MAX_RANK];
    let inner = shape.len().min(MAX_RANK);
    merged[MAX_RANK - inner..].copy_from_slice(&shape[shape.len() - inner..]);
    if shape.len() > MAX_RANK {
        merged[0] = merged[0].saturating_mul(shape[0]);
    }
    merged
}

/// Checks that view and tile have elements of one size; `tile` and `view` are the roles.
fn same_size(check: &mut Check<'_>, size: &'static Rule, tile: &str, view: &str) {
    let ty = check.conv(tile);
    let Some(element) = check.site.view(view).map(|view| view.element) else { return };
    check.require(size, view, element.bits() == ty.element.bits(), |check| {
        let (have, want) = (element_word(element), element_word(ty.element));
        format!("{} holds {have}, but {} holds {want}", check.name(view), check.name(tile))
    });
}

/// Checks that the view has the dimensions of the tile.
fn same_shape(check: &mut Check<'_>, tile: &str, view: &str) {
    let ty = check.conv(tile);
    let Some(fact) = check.site.view(view).cloned() else { return };
    let wanted = view_shape(&ty);
    let (have, _) = fact.in_five();
    let same = fact.shape.len() <= MAX_RANK
        && have.iter().zip(wanted).all(|(have, want)| have.is_none_or(|have| have == want));
    check.require(&SHAPE, view, same, |check| {
        let text = |extent: &Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
        let shape = fact.shape.iter().map(text).collect::<Vec<_>>().join("x");
        format!("{} is {shape}, {} is {}", check.name(view), check.name(tile), ty.brief())
    });
}

/// Checks a load.
pub(super) fn check_load(check: &mut Check<'_>, size: &'static Rule) {
    let ty = check.conv("dst");
    same_size(check, size, "dst", "src");
    check.require(&LOCATION, "dst", ty.location == Location::Mat, |check| {
        format!("{} is a {} tile", check.name("dst"), ty.location.word())
    });
    let mut list = vec![I8, U8, I16, U16, I32, U32, F16, Bf16, F32];
    if check.profile().small_floats {
        list.extend([E4M3, E5M2]);
    }
    check.require(&TYPES, "dst", list.contains(&ty.element), |check| {
        format!("{} holds {}, not one of {}", check.name("dst"), element_word(ty.element), words(&list))
    });
    let Some(view) = check.site.view("src").cloned() else { return };
    let declared = view.layout.0;
    if rearranged::is_pair(declared, ty.layout) && REARRANGES.contains(&check.profile()) {
        let (shape, strides) = view.in_five();
        let why = rearranged::obstacle(&ty, declared, shape, strides);
        check.require(&SHAPE, "src", why.is_none(), |check| {
            format!("{}: {}", check.name("src"), why.unwrap_or_default())
        });
        return;
    }
    let own = declared.is_none_or(|layout| layout.word() == ty.layout.word());
    let loaded = matches!(ty.layout, Nc1hwc0 | Ndc1hwc0 | FractalZ | FractalZ3d | FractalZPoints)
        || !check.profile().is_device();
    let fits = check.require(&LAYOUT, "dst", loaded && own, |check| {
        let tile = format!("{} is {}", check.name("dst"), ty.layout.word());
        declared.map_or(tile.clone(), |view| format!("{} is {}, {tile}", check.name("src"), view.word()))
    });
    if fits {
        same_shape(check, "dst", "src");
    }
}

/// The effects of a load: the tile is written completely, unless the channels of a plain feature map leave a part of it.
pub(super) fn load_effects(site: &Site<'_>) -> Vec<Effect> {
    const PARTS: &str = "further blocks, images and planes keep their contents";
    let reads = Effect::reads("src").of(Extent::View);
    let whole = site.view("src").zip(site.conv("dst")).is_none_or(|(view, tile)| {
        let layout = view.layout.0;
        !rearranged::is_pair(layout, tile.layout) || rearranged::fills(tile, layout, view.in_five().0)
    });
    let writes = if whole { Effect::writes("dst") } else { Effect::writes_parts("dst", PARTS) };
    vec![reads, writes.of(Extent::Storage)]
}

/// Checks a store.
pub(super) fn check_store(check: &mut Check<'_>, size: &'static Rule) {
    same_size(check, size, "src", "dst");
    same_shape(check, "src", "dst");
    check.require(&STORE, "src", false, |check| {
        format!(
            "{} is a convolution tile: store a tile at its address, which {} can",
            check.name("src"),
            check.profile().word()
        )
    });
}

/// A transfer between a convolution tile and a view, ready to run.
#[cfg(feature = "run")]
struct ConvTransfer {
    tile: ConvTile,
    view: usize,
    element: Element,
    name: String,
    loads: bool,
}

#[cfg(feature = "run")]
impl ConvTransfer {
    fn of(prepare: &Prepare<'_>) -> Result<ConvTransfer, String> {
        let loads = prepare.site.conv("dst").is_some();
        let (tile, view) = if loads { ("dst", "src") } else { ("src", "dst") };
        let name = prepare.name(view).to_owned();
        let (view, element) = prepare.view(view)?;
        Ok(ConvTransfer { tile: prepare.conv(tile)?, view, element, name, loads })
    }

    /// The view, its buffer, and the byte of its first element there.
    fn window(&self, state: &State<'_>) -> Result<(Window, usize, usize), Fault> {
        let window = Window::rows(&state.views[self.view]);
        if window.dimensions().shape != view_shape(&self.tile.ty) {
            return Err(Fault::Rule);
        }
        let (buffer, start) = window.locate(state.global, self.element, &self.name)?;
        Ok((window, buffer, start as usize))
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (window, buffer, start) = self.window(state)?;
        let Dimensions { shape, strides } = window.dimensions();
        let [s0, s1, s2, s3, s4] = shape.map(|extent| extent as usize);
        let [t0, t1, t2, t3, t4] = strides.map(|stride| stride as usize);
        let base = state.live_conv(&self.tile);
        let bits = self.element.bits();
        let bytes = |elements: usize| elements * bits as usize / 8;
        // A plane of 4-bit elements may start in the middle of a byte.
        if bits < 8 {
            return self.one_by_one(state);
        }
        for plane in 0..s0 * s1 * s2 {
            let (i0, i1, i2) = (plane / (s1 * s2), plane / s2 % s1, plane % s2);
            let tile = Placement::rows(base + bytes(plane * s3 * s4), s4);
            let view = Placement::strided(start + bytes(i0 * t0 + i1 * t1 + i2 * t2), t3, t4);
            let area = Area { placement: view, rows: s3, cols: s4, bits };
            if self.loads {
                let source = state.global.reading(buffer).read(&area);
                transfer(state.memory, &tile, source, &view, s3, s4, bits);
            } else {
                let target = state.global.writing(buffer).write(&area);
                transfer(target, &view, state.memory, &tile, s3, s4, bits);
            }
        }
        Ok(())
    }

    fn one_by_one(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (window, buffer, start) = self.window(state)?;
        let Dimensions { shape, strides } = window.dimensions();
        let base = state.live_conv(&self.tile);
        for index in 0..shape.iter().product::<u64>() {
            let (mut rest, mut at) = (index, 0);
            for (extent, stride) in shape.iter().zip(strides).rev() {
                at += (rest % extent) as usize * stride as usize;
                rest /= extent;
            }
            if self.loads {
                let bits = state.global.reading(buffer).get(start, at, self.element);
                set_element(state.memory, base, index as usize, self.element, bits);
            } else {
                let bits = get_element(state.memory, base, index as usize, self.element);
                state.global.writing(buffer).set(start, at, self.element, bits);
            }
        }
        Ok(())
    }
}

/// The formula: element by element in the tile's order.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    if let Some(load) = rearranged::Load::of(reference.prepare()).map_err(Fault::Other)? {
        return load.one_by_one(reference.state());
    }
    ConvTransfer::of(reference.prepare()).map_err(Fault::Other)?.one_by_one(reference.state())
}

/// The instruction, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    if let Some(load) = rearranged::Load::of(prepare)? {
        return Ok(Box::new(move |state: &mut State<'_>| load.run(state)));
    }
    let operands = ConvTransfer::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| operands.run(state)))
}
