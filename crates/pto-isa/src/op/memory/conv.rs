//! TLOAD and TSTORE of convolution tiles: one dimension at a time, without a change of layout.

use crate::conv::{ConvLayout, ConvTileType};
use crate::element::{Element, element_word};
use crate::op::common::words;
use crate::op::site::Check;
use crate::profile::NPU;
use crate::rule::Rule;
use crate::tile::Location;
use crate::types::MAX_RANK;
use Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
#[cfg(feature = "run")]
use {
    super::window::Window,
    crate::exec::overlay::Area,
    crate::exec::reference::Reference,
    crate::exec::state::{ConvTile, Execute, Fault, Prepare, State},
    pto_kernels::{Placement, transfer},
    pto_num::{get_element, set_element},
};

const SOURCE: &str = "include/pto/npu/{a2a3,a5}/TLoad.hpp, CheckConvTileData";

pub(super) const SHAPE: Rule = Rule::new(
    "conv-shape",
    "The view has the dimensions of the convolution tile; of a tile with six, the first two together are the view's \
     first.",
    "include/pto/cpu/TLoad.hpp, TStore.hpp; include/pto/npu/{a2a3,a5}/TLoad.hpp",
)
.because("Dimensions are copied one by one, without rearrangement.")
.instead("Give the view the extents of the tile, outermost first.");
const LOCATION: Rule = Rule::new("conv-location", "A convolution tile that is loaded is a mat tile.", SOURCE)
    .because("MTE2 loads convolution tiles into L1 only.")
    .instead("Declare the tile with location mat.")
    .only(NPU);
const LAYOUT: Rule = Rule::new(
    "conv-layout",
    "NC1HWC0, NDC1HWC0, FRACTAL_Z and FRACTAL_Z_3D tiles are loaded from views of their layout.",
    SOURCE,
)
.because("MTE2 copies channel blocks as they are.")
.instead("Declare view and tile with one of these layouts, or rearrange with TTRANS.")
.only(NPU);
const TYPES: Rule = Rule::new(
    "conv-element-type",
    "Convolution tiles are loaded with integers of 8, 16 and 32 bits, f16, bf16 and f32.",
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

/// Checks the rules common to loads and stores; `tile` and `view` are the roles.
fn check_both(check: &mut Check<'_>, size: &'static Rule, tile: &str, view: &str) {
    let ty = check.conv(tile);
    let Some(fact) = check.site.view(view).cloned() else { return };
    check.require(size, view, fact.element.bits() == ty.element.bits(), |check| {
        let (have, want) = (element_word(fact.element), element_word(ty.element));
        format!("{} holds {have}, but {} holds {want}", check.name(view), check.name(tile))
    });
    let wanted = view_shape(&ty);
    let skip = MAX_RANK.saturating_sub(fact.shape.len());
    let known = fact.shape.iter().zip(&wanted[skip..]);
    let same = fact.shape.len() <= MAX_RANK
        && wanted[..skip].iter().all(|extent| *extent == 1)
        && known.into_iter().all(|(have, want)| have.is_none_or(|have| have == *want));
    check.require(&SHAPE, view, same, |check| {
        let text = |extent: &Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
        let shape = fact.shape.iter().map(text).collect::<Vec<_>>().join("x");
        format!("{} is {shape}, {} is {}", check.name(view), check.name(tile), ty.brief())
    });
}

/// Checks a load.
pub(super) fn check_load(check: &mut Check<'_>, size: &'static Rule) {
    let ty = check.conv("dst");
    check_both(check, size, "dst", "src");
    check.require(&LOCATION, "dst", ty.location == Location::Mat, |check| {
        format!("{} is a {} tile", check.name("dst"), ty.location.word())
    });
    let loaded = matches!(
        ty.layout,
        ConvLayout::Nc1hwc0
            | ConvLayout::Ndc1hwc0
            | ConvLayout::FractalZ
            | ConvLayout::FractalZ3d
            | ConvLayout::FractalZPoints
    );
    check.require(&LAYOUT, "dst", loaded, |check| format!("{} is {}", check.name("dst"), ty.layout.word()));
    let list = [I8, U8, I16, U16, I32, U32, F16, Bf16, F32];
    check.require(&TYPES, "dst", list.contains(&ty.element), |check| {
        format!("{} holds {}, not one of {}", check.name("dst"), element_word(ty.element), words(&list))
    });
}

/// Checks a store.
pub(super) fn check_store(check: &mut Check<'_>, size: &'static Rule) {
    check_both(check, size, "src", "dst");
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
        if window.dimensions().0 != view_shape(&self.tile.ty) {
            return Err(Fault::Rule);
        }
        let (buffer, start) = window.locate(state.global, self.element, &self.name)?;
        Ok((window, buffer, start as usize))
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (window, buffer, start) = self.window(state)?;
        let (shape, strides) = window.dimensions();
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
        let (shape, strides) = window.dimensions();
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
    ConvTransfer::of(reference.prepare()).map_err(Fault::Other)?.one_by_one(reference.state())
}

/// The instruction, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let operands = ConvTransfer::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| operands.run(state)))
}
