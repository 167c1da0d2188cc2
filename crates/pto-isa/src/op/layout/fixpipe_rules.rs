//! Rules of tile-to-tile moves from an accumulator: layouts, strides, and receiving vector cores.

use super::moving::Receivers;
use crate::layout::{LayoutName, c0};
use crate::op::accumulator::{self, PreQuant, pre_quant_of};
use crate::op::site::{Check, TileFact};
use crate::profile::{A5_ONLY, CPU_AND_A5, NPU, Profile};
use crate::rule::Rule;
use crate::tile::Location;

const SOURCE: &str = "seeds TINSERT and TMOV, implementation checks";

pub(super) const SRC_LAYOUT: Rule =
    Rule::new("src-layout", "An accumulator has NZ layout: col_major boxes, row_major inside.", SOURCE)
        .because("The matrix unit writes results in NZ order, which the fixpipe reads.")
        .instead("Declare the accumulator with `blayout=col_major, slayout=row_major`.")
        .only(NPU);
pub(super) const DST_LAYOUT: Rule = Rule::new(
    "dst-layout",
    "From an accumulator, a mat tile is NZ (on A2/A3 with fractal 512), a vec tile NZ, ND or DN.",
    SOURCE,
)
.because("The fixpipe writes these orders of elements only.")
.instead("Declare the destination with one of these layouts, and move it on from there.")
.only(NPU);
pub(super) const DST_STRIDE: Rule = Rule::new(
    "dst-stride",
    "A row of the destination (a column of a DN tile) is not empty and takes a multiple of 32 bytes.",
    SOURCE,
)
.because("The fixpipe writes whole blocks of 32 bytes.")
.instead("Pad the declared extent to a multiple of 32 bytes and keep the valid region.")
.only(NPU);
pub(super) const MODE_PAIR: Rule =
    Rule::new("mode-pair", "accToVecMode belongs to a move from an acc to a vec tile.", SOURCE)
        .because("Only the path from L0C to UB leads to one of two vector cores.")
        .instead("Remove `accToVecMode`.");
pub(super) const DUAL_QUANT: Rule = Rule::new(
    "dual-quant",
    "A move to both vector cores converts nothing: QuantMode_t::NoQuant.",
    "seeds TINSERT and TMOV, dual-destination modes",
)
.because("The fixpipe converts on the way to a single core only.")
.instead("Use a single mode, or convert with TCVT after the move.");
pub(super) const DUAL_LAYOUT: Rule = Rule::new(
    "dual-layout",
    "A move to both vector cores has no DN destination.",
    "seeds TINSERT and TMOV, dual-destination modes",
)
.because("The fixpipe has no transposition for two destinations.")
.instead("Use a single mode, or an ND or NZ destination.");
pub(super) const DUAL_SPLIT: Rule = Rule::new(
    "dual-split",
    "Both vector cores receive the same number of rows and columns; a split by columns of 32-bit elements has a multiple of \
     32 columns.",
    "docs/isa/TMOV.md, TEXTRACT.md, tinsert.md: DualModeSplitN; docs/isa/cube/fixpipe-model.md",
)
.because("The fixpipe gives each core half of the accumulator, in whole boxes.")
.instead("Choose extents whose halves are equal, and multiples of 32 columns for 32-bit elements.");
pub(super) const MODE_LAYOUT: Rule = Rule::new(
    "mode-layout",
    "With accToVecMode the destination of an extraction is ND.",
    "include/pto/npu/a5/TExtract.hpp",
)
.because("A5's header extracts to a chosen vector core in rows only.")
.instead("Declare the destination as ND, or use TMOV or TINSERT.")
.only(A5_ONLY);

/// Rules that [`check`] checks, except those of [`accumulator`].
pub(super) const RULES: &[&Rule] =
    &[&SRC_LAYOUT, &DST_LAYOUT, &DST_STRIDE, &MODE_PAIR, &DUAL_QUANT, &DUAL_LAYOUT, &DUAL_SPLIT];

/// Checks whether the mode is allowed here.
pub(super) fn check_mode(check: &mut Check<'_>) -> bool {
    if check.site.attribute("accToVecMode").is_none() {
        return true;
    }
    let (src, dst) = (check.tile("src").location(), check.tile("dst").location());
    check.require(&MODE_PAIR, "dst", (src, dst) == (Location::Acc, Location::Vec), |check| {
        format!("{} is a {} tile, {} a {} tile", check.name("src"), src.word(), check.name("dst"), dst.word())
    })
}

/// Checks a move of `rows` x `cols` elements from an accumulator.
pub(super) fn check(check: &mut Check<'_>, rows: Option<u32>, cols: Option<u32>) {
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    if src.location() != Location::Acc || !matches!(dst.location(), Location::Mat | Location::Vec) {
        return;
    }
    let moves = accumulator::formats(check, "dst", dst.element(), false);
    let from = src.layout().name;
    check.require(&SRC_LAYOUT, "src", from == LayoutName::Nz, |check| {
        format!("{} is {}, not NZ", check.name("src"), from.word())
    });
    layout(check, dst);
    // Strides and halves only matter for a legal conversion.
    if moves {
        stride(check, dst);
        dual(check, src, dst, rows, cols);
    }
}

/// Profiles that write boxes of any fractal size to L1.
const ANY_FRACTAL: &[Profile] = CPU_AND_A5;
/// Profiles on which the stride of an NZ destination is the stride between its columns of boxes.
const STRIDE_OF_BOXES: &[Profile] = A5_ONLY;

fn layout(check: &mut Check<'_>, dst: &TileFact) {
    let to = dst.layout().name;
    let fractal = ANY_FRACTAL.contains(&check.profile()) || dst.ty.fractal == 512;
    let fits = match dst.location() {
        Location::Mat => to == LayoutName::Nz && fractal,
        _ => matches!(to, LayoutName::Nz | LayoutName::Nd | LayoutName::Dn),
    };
    check.require(&DST_LAYOUT, "dst", fits, |check| {
        let (name, location) = (check.name("dst"), dst.location().word());
        format!("{name} is a {location} tile with {} layout and fractal {}", to.word(), dst.ty.fractal)
    });
}

fn stride(check: &mut Check<'_>, dst: &TileFact) {
    let elements = match dst.layout().name {
        LayoutName::Dn => dst.ty.rows,
        LayoutName::Nz if STRIDE_OF_BOXES.contains(&check.profile()) => {
            dst.ty.rows.saturating_mul(c0(dst.element()))
        }
        _ => dst.ty.cols,
    };
    let bytes = dst.element().bytes(elements as usize);
    check.require(&DST_STRIDE, "dst", bytes > 0 && bytes.is_multiple_of(32), |check| {
        format!("{elements} elements of {} take {bytes} bytes", check.name("dst"))
    });
}

fn dual(check: &mut Check<'_>, src: &TileFact, dst: &TileFact, rows: Option<u32>, cols: Option<u32>) {
    let receivers = Receivers::of(check.site);
    if !receivers.is_dual() || dst.location() != Location::Vec {
        return;
    }
    let plain = pre_quant_of(check.site) == PreQuant::Cast && src.element() == dst.element();
    check.require(&DUAL_QUANT, "dst", plain, |check| {
        format!("{} becomes {} on the way to both vector cores", check.name("src"), check.name("dst"))
    });
    check.require(&DUAL_LAYOUT, "dst", dst.layout().name != LayoutName::Dn, |check| {
        format!("{} is DN", check.name("dst"))
    });
    let (extent, unit, what) = match receivers {
        Receivers::SplitRows => (rows, 2, "rows"),
        _ => (cols, if dst.element().bits() == 32 { 32 } else { 2 }, "columns"),
    };
    check.require(&DUAL_SPLIT, "dst", extent.is_none_or(|extent| extent % unit == 0), |_| {
        format!("{} {what} are split, which is not a multiple of {unit}", extent.unwrap_or(0))
    });
}
