//! Rules of TEXTRACT with one destination only.

use super::moving::Receivers;
use super::repack;
use super::textract::{is_halved, is_operand, operand_extent};
use super::transfer_rules as transfer;
use crate::diag::Severity;
use crate::element::Element;
use crate::layout::LayoutName;
use crate::memory::Buffer;
use crate::op::site::{Check, TileFact};
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, PerProfile, Profile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::Location;
use Element::{Bf16, E1M2x2, E2M1x2, E4M3, E5M2, E8M0, F16, F32, HiF8, I8};

pub(super) const SOURCE: &str = "docs/isa/TEXTRACT.md";

pub(super) const WINDOW: Rule = Rule::new(
    "window",
    "The window lies inside the declared shape of the source. In a dual mode the window has the size of the source's valid \
     region, and each half of it fits the destination.",
    "seed Layout And Rearrangement, Cases That Are Not Allowed; docs/isa/TEXTRACT.md; include/pto/npu/a5/TExtract.hpp",
)
.because("Elements outside of the source are bytes of other tiles.")
.instead("Choose offsets and a destination whose window ends within the source.");
pub(super) const PAIR: Rule = Rule::new(
    "location-pair",
    "A2/A3 extract from mat to left and right, acc to mat, vec to vec; A5 also to scaling, from acc to vec and vec to mat.",
    SOURCE,
)
.because("The device has no data path between these two buffers.")
.instead("Extract to a location that the profile has, or go by way of a third tile.");
pub(super) const TYPES: Rule =
    Rule::new("mat-element-type", "The profile extracts this element type from a mat tile.", SOURCE)
        .because("The path from L1 to L0A and L0B has these element types only.")
        .instead("Use an element type that the message lists.")
        .weighing(ERROR_OR_NPU_EXTENSION)
        .only(NPU);
pub(super) const MAT_LAYOUT: Rule = Rule::new(
    "mat-layout",
    "A mat source is NZ or ZN, for MX scales ZZ (left) or NN (right); a single row for a left tile may be row-major.",
    SOURCE,
)
.because("MTE1 reads boxes of L1 in these orders only.")
.instead("Load the mat tile as NZ or ZN.")
.only(NPU);
pub(super) const RIGHT: Rule = Rule::new(
    "right-layout",
    "A right tile is ZN: boxes in rows, the elements of each box in columns.",
    "include/pto/npu/a5/TExtract.hpp",
)
.because("MTE1 of A5 writes L0B in this order only.")
.instead("Declare the right tile with `blayout=row_major` and `slayout=col_major`.")
.only(A5_ONLY);
pub(super) const ALIGNED: Rule = Rule::new(
    "alignment",
    "Offsets are multiples of the boxes that are moved; in vec tiles, of 32 bytes.",
    "include/pto/npu/a2a3/TExtract.hpp",
)
.because("A2/A3 moves whole boxes, and whole blocks in UB.")
.instead("Round the offset to a multiple that the message names.")
.only(A2A3_ONLY);
pub(super) const VECTOR_ROW: Rule = Rule::new(
    "vector-row",
    "A single row for a left tile takes a multiple of 512 bytes.",
    "include/pto/npu/{a2a3,a5}/TExtract.hpp, TMov.hpp",
)
.because("MTE1 moves whole boxes of 512 bytes.")
.instead("Pad the declared row to a multiple of 512 bytes.")
.only(NPU);
pub(super) const SIZE: Rule = Rule::new(
    "dst-size",
    "A vec destination is declared no larger than its vec source.",
    "docs/isa/TEXTRACT.md, Vec to Vec",
)
.because("The device copies the destination's declared shape and would read beyond the source.")
.instead("Declare the destination no larger than the source.")
.only(NPU);
pub(super) const VEC_LAYOUT: Rule = Rule::new(
    "vec-layout",
    "An extraction from a vec tile keeps the layout, ND or NZ.",
    "docs/isa/TEXTRACT.md, Vec to Vec; include/pto/npu/*/TExtract.hpp",
)
.because("The device copies rows or boxes as they are.")
.instead("Declare the destination with the source's layout, or convert with TMOV.")
.only(NPU);
pub(super) const DIVIDES: Rule = Rule::new(
    "divides",
    "The destination's shape divides that of the source.",
    "seed Layout And Rearrangement, Constraints",
)
.because("The page asks for it, so another version of the headers may refuse the shape.")
.instead("Declare the source with multiples of the destination's rows and columns.")
.lint();

pub(super) fn pair_fits(profile: Profile, from: Location, to: Location) -> bool {
    use Location::{Acc, Left, Mat, Right, Scaling, Vec};
    let a2a3 = matches!((from, to), (Mat, Left | Right) | (Acc, Mat) | (Vec, Vec));
    let a5 = a2a3 || matches!((from, to), (Mat, Scaling) | (Acc, Vec) | (Vec, Mat));
    PerProfile::new(true, a2a3, a5).of(profile)
}

/// Element types of extracts from L1.
const MAT_TYPES: PerProfile<&[Element]> =
    PerProfile::a2a3_or(&[I8, F16, Bf16, F32], &[I8, HiF8, E5M2, E4M3, F16, Bf16, F32, E2M1x2, E1M2x2, E8M0]);

/// Checks an extraction from a mat tile.
pub(super) fn mat(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let element = src.element();
    let list = MAT_TYPES.of(check.profile());
    transfer::copied_type(check, &TYPES, element, list);
    let name = src.layout().name;
    let row = dst.location() == Location::Left && transfer::is_vector_row(src);
    let fits = match dst.ty.buffer() {
        Buffer::ScaleLeft => name == LayoutName::Zz,
        Buffer::ScaleRight => name == LayoutName::Nn,
        _ => row || matches!(name, LayoutName::Nz | LayoutName::Zn),
    };
    check.require(&MAT_LAYOUT, "src", fits, |check| format!("{} is {}", check.name("src"), name.word()));
    let to = dst.layout().name;
    let right = dst.ty.buffer() != Buffer::L0b || to == LayoutName::Zn;
    check.require(&RIGHT, "dst", right, |check| format!("{} is {}", check.name("dst"), to.word()));
    let bytes = dst.element().bytes(dst.ty.cols as usize);
    let plain = row && !src.ty.is_boxed();
    check.require(&VECTOR_ROW, "dst", !plain || bytes.is_multiple_of(512), |check| {
        format!("a row of {} takes {bytes} bytes", check.name("dst"))
    });
}

/// Checks an extraction from a vec tile.
pub(super) fn vec(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    transfer::listed(check);
    let (a, b) = (src.layout().name, dst.layout().name);
    let same = a == b && matches!(a, LayoutName::Nd | LayoutName::Nz);
    check.require(&VEC_LAYOUT, "dst", same, |check| {
        format!("{} is {}, {} is {}", check.name("src"), a.word(), check.name("dst"), b.word())
    });
    let larger = dst.ty.rows > src.ty.rows || dst.ty.cols > src.ty.cols;
    let both = dst.location() == Location::Vec;
    check.require(&SIZE, "dst", !both || !larger, |check| {
        format!(
            "{} is declared {}x{}, {} {}x{}",
            check.name("src"),
            src.ty.rows,
            src.ty.cols,
            check.name("dst"),
            dst.ty.rows,
            dst.ty.cols
        )
    });
}

/// Checks that the half of each vector core fits into the destination.
fn half(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let (rows, cols) = Receivers::of(check.site).share_known(src.rows, src.cols);
    let fits = |have: u32, need: Option<u32>| need.is_none_or(|need| need <= have);
    check.require(&WINDOW, "dst", fits(dst.ty.rows, rows) && fits(dst.ty.cols, cols), |check| {
        format!(
            "half of {} has more than the {}x{} elements of {}",
            check.name("src"),
            dst.ty.rows,
            dst.ty.cols,
            check.name("dst")
        )
    });
}

/// Checks that the window is in the source, and divides it.
pub(super) fn window(check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
    let whole = is_operand(dst.location());
    let halved = is_halved(check.site);
    let extents = match () {
        () if whole => operand_extent(&dst.ty, dst.rows, dst.cols),
        () if halved => [src.rows, src.cols],
        () => [dst.rows, dst.cols],
    };
    let turned = repack::turns_pairs(check.site);
    let extents = if turned { repack::in_source(src, dst, extents) } else { extents };
    transfer::window(check, &WINDOW, "src", extents, [src.ty.rows, src.ty.cols]);
    if halved {
        half(check, src, dst);
    }
    let [rows, cols] = match turned {
        true => repack::in_source(src, dst, [Some(dst.ty.rows), Some(dst.ty.cols)]),
        false => [Some(dst.ty.rows), Some(dst.ty.cols)],
    };
    let divides = |extent: u32, part: Option<u32>| extent.is_multiple_of(part.unwrap_or(1));
    let divides = divides(src.ty.rows, rows) && divides(src.ty.cols, cols);
    check.judge(Severity::Lint, &DIVIDES, "dst", divides, |check| {
        format!(
            "{} is declared {}x{}, which {}x{} does not divide",
            check.name("src"),
            src.ty.rows,
            src.ty.cols,
            dst.ty.rows,
            dst.ty.cols
        )
    });
}
