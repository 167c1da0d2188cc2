//! TEXTRACT and TMOV of convolution weights to a right tile.
//!
//! A FRACTAL_Z tile holds channel blocks of C0 for each point of the filter, and in each of them N output channels. The right
//! tile is the matrix whose row k is (channel block, point, channel in the block) and whose column n is the output channel.
//! Source: `include/pto/npu/{a2a3,a5}/TExtract.hpp`, TMov.hpp.

use crate::conv::{ConvLayout, ConvTileType};
use crate::diag::Severity;
use crate::element::Element::{self, Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::element::element_word;
use crate::layout::{LayoutName, c0};
use crate::memory::Buffer;
use crate::op::common::words;
use crate::op::effect::{Effect, Extent};
use crate::op::site::{Check, Site};
use crate::profile::{NPU, PerProfile};
use crate::rule::Rule;
use crate::tile::Location;
use ConvLayout::{FractalZ, FractalZ3d, FractalZPoints};
#[cfg(feature = "run")]
use {
    super::moving::{offsets, start},
    crate::exec::reference::Reference,
    crate::exec::state::{ConvTile, Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    pto_num::{get_element, set_element},
};

const SOURCE: &str = "include/pto/npu/{a2a3,a5}/TExtract.hpp, TMov.hpp";
/// Output channels of a block.
const N0: u32 = 16;

pub(super) const WEIGHTS: Rule = Rule::new(
    "weights",
    "Weights are a FRACTAL_Z or FRACTAL_Z_3D mat tile with C0 of 32 bytes and N0 of 16, and go to a ZN right tile. TMOV \
     takes only FRACTAL_Z; with four dimensions, N1 * 16 equals C0.",
    SOURCE,
)
.because(
    "The device copies boxes of 16 output channels and one channel block; TMOV takes the number of boxes from another \
     dimension.",
)
.instead("Declare the tiles as the statement says, or use TEXTRACT.");
pub(super) const WEIGHTS_TYPE: Rule =
    Rule::new("weights-type", "Weights and right tile have one element type that the profile moves.", SOURCE)
        .because("The device has no encoding of the move for other element types.")
        .instead("Use an element type that the message lists.")
        .only(NPU);
pub(super) const WEIGHTS_WINDOW: Rule = Rule::new(
    "weights-window",
    "The window starts at a multiple of C0 rows and of 16 columns, and ends within the weights.",
    SOURCE,
)
.because("The device copies whole boxes.")
.instead("Round the offsets, and make the right tile no larger than the rest of the weights.");
pub(super) const WEIGHTS_PITCH: Rule = Rule::new(
    "weights-pitch",
    "The declared columns of the right tile are its valid columns, rounded up to a multiple of 16.",
    SOURCE,
)
.because("The valid columns determine the distance at which the device writes rows of boxes.")
.instead("Declare the right tile with its valid columns, rounded up to a multiple of 16.")
.lint()
.only(NPU);

/// Rules of moves of weights.
pub(super) const RULES: &[&Rule] = &[&WEIGHTS, &WEIGHTS_TYPE, &WEIGHTS_WINDOW, &WEIGHTS_PITCH];

const TYPES: PerProfile<&[Element]> =
    PerProfile::a2a3_or(&[I8, F16, Bf16, F32], &[I8, F16, Bf16, F32, U8, I16, U16, I32, U32]);

/// Whether a use moves weights.
pub(super) fn is_weights(site: &Site<'_>) -> bool {
    site.conv("src").is_some()
}

/// Rows and columns of the matrix of weights, and channels of a block.
fn matrix(ty: &ConvTileType) -> [u64; 3] {
    let shape: Vec<u64> = ty.shape().iter().map(|extent| u64::from(*extent)).collect();
    let channels = shape.last().copied().unwrap_or(1);
    let outputs = if ty.layout == FractalZPoints { shape[3] } else { shape[1] * shape[2] };
    let blocks = ty.elements() / (outputs * channels).max(1);
    [blocks * channels, outputs, channels]
}

/// The effects of a use.
pub(super) fn effects() -> Vec<Effect> {
    vec![
        Effect::reads("src")
            .of(Extent::Storage)
            .loosely("the offsets and the right tile select the boxes that are read"),
        Effect::writes("dst"),
    ]
}

/// Checks a use. `whole`: it has no offsets, as in TMOV.
pub(super) fn check(check: &mut Check<'_>, whole: bool) {
    let (src, dst) = (check.conv("src"), check.tile("dst"));
    let shape = src.shape();
    let [rows, cols, channels] = matrix(&src);
    let known = matches!(src.layout, FractalZ | FractalZPoints) || src.layout == FractalZ3d && !whole;
    let boxes = src.layout == FractalZPoints || shape[2] == N0;
    let own = !whole || src.layout != FractalZ || u64::from(shape[1]) * u64::from(N0) == channels;
    let right = dst.ty.buffer() == Buffer::L0b && dst.layout().name == LayoutName::Zn;
    let blocks = channels == u64::from(c0(src.element));
    let holds = known && boxes && own && right && blocks && src.location == Location::Mat;
    let fits = check.require(&WEIGHTS, "src", holds, |check| {
        let (location, layout) = (dst.location().word(), dst.layout().name.word());
        format!("{} is {}, {} a {location} tile, {layout}", check.name("src"), src.brief(), check.name("dst"))
    });
    let list = TYPES.of(check.profile());
    check.require(
        &WEIGHTS_TYPE,
        "src",
        src.element == dst.element() && list.contains(&src.element),
        |check| {
            let (from, to) = (element_word(src.element), element_word(dst.element()));
            let profile = check.profile().word();
            format!(
                "{} holds {from}, {} {to}; {profile} has {}",
                check.name("src"),
                check.name("dst"),
                words(list)
            )
        },
    );
    if !fits {
        return;
    }
    let sides = [("row", channels, dst.rows, rows), ("col", u64::from(N0), dst.cols, cols)];
    for (role, unit, count, limit) in sides {
        let first = check.site.scalar(role).map_or(Some(0), |(_, value)| value);
        let inside = first.is_none_or(|first| {
            let end = u64::try_from(first).ok().map(|first| first + u64::from(count.unwrap_or(0)));
            first % unit as i64 == 0 && end.is_some_and(|end| end <= limit)
        });
        let place = if check.site.operand(role).is_some() { role } else { "dst" };
        check.require(&WEIGHTS_WINDOW, place, inside, |check| {
            let (first, name) = (first.unwrap_or(0), check.name("dst"));
            format!(
                "{name} has {} valid elements from {role} {first} on; the weights are {rows}x{cols}",
                dst.valid_text()
            )
        });
    }
    let pitch = dst.cols.is_none_or(|cols| cols.next_multiple_of(N0) == dst.ty.cols);
    check.judge(Severity::Lint, &WEIGHTS_PITCH, "dst", pitch, |check| {
        let declared = dst.ty.cols;
        format!(
            "{} is declared with {declared} columns and has {} valid elements",
            check.name("dst"),
            dst.valid_text()
        )
    });
}

/// A move of weights.
#[cfg(feature = "run")]
struct Weights {
    src: ConvTile,
    dst: Tile,
}

#[cfg(feature = "run")]
impl Weights {
    /// The elements of the window: offset in the weights, row and column in the right tile.
    fn elements(
        &self,
        start: (u64, u64),
        size: Size,
    ) -> Result<impl Iterator<Item = [usize; 3]> + use<>, Fault> {
        let [tall, wide, channels] = matrix(&self.src.ty).map(|extent| extent as usize);
        let at = |offset: u64| usize::try_from(offset).map_err(|_| Fault::Rule);
        let (row, col) = (at(start.0)?, at(start.1)?);
        let Size { rows, cols } = size;
        let inside = |first: usize, count: usize, limit: usize| {
            first.checked_add(count).is_some_and(|end| end <= limit)
        };
        let aligned = row % channels.max(1) == 0 && col % N0 as usize == 0;
        if !aligned || !inside(row, rows, tall) || !inside(col, cols, wide) {
            return Err(Fault::Rule);
        }
        Ok((0..rows * cols).map(move |number| {
            let (i, j) = (number / cols, number % cols);
            let k = row + i;
            [(k / channels * wide + col + j) * channels + k % channels, i, j]
        }))
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let prepared = reference.prepare();
    let weights = Weights { src: prepared.conv("src").map_err(Fault::Other)?, dst: reference.tile("dst") };
    let place = start(reference.state(), offsets(prepared));
    let size = reference.valid(&weights.dst);
    let base = reference.state().live_conv(&weights.src);
    for [from, i, j] in weights.elements(place, size)? {
        let value = get_element(reference.state().memory, base, from, weights.src.ty.element);
        reference.set(&weights.dst, i, j, value);
    }
    Ok(())
}

/// The move, ready to run.
///
/// # Errors
/// If an operand is missing.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let weights = Weights { src: prepare.conv("src")?, dst: prepare.tile("dst")? };
    let offsets = offsets(prepare);
    Ok(Box::new(move |state: &mut State<'_>| {
        let live = state.live(&weights.dst);
        let base = state.live_conv(&weights.src);
        let element = weights.dst.ty.element;
        for [from, i, j] in weights.elements(start(state, offsets), live.size())? {
            let value = get_element(state.memory, base, from, element);
            set_element(state.memory, live.address, weights.dst.layout.offset(i, j), element, value);
        }
        Ok(())
    }))
}
