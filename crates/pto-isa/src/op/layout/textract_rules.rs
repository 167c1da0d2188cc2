//! Rules of TEXTRACT with one destination only.

use crate::profile::{A2A3_ONLY, A5_ONLY, NPU};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};

pub(super) const SOURCE: &str = "docs/isa/TEXTRACT.md";

pub(super) const WINDOW: Rule = Rule::new(
    "window",
    "The window lies inside the declared shape of the source; in a dual mode it is as large as the source's valid region, of \
     which each vector core receives a half that fits the destination.",
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
        .because("L1's way to L0A and L0B has these element types only.")
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
    "A right tile is ZN: boxes in rows, each of them in columns.",
    "include/pto/npu/a5/TExtract.hpp",
)
.because("MTE1 of A5 writes L0B in this order only.")
.instead("Declare the right tile with `blayout=row_major` and `slayout=col_major`.")
.only(A5_ONLY);
pub(super) const ALIGNED: Rule = Rule::new(
    "alignment",
    "Offsets are multiples of the boxes that are moved, in vec tiles of 32 bytes.",
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
    "What is extracted from a vec tile keeps its layout, ND or NZ.",
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
