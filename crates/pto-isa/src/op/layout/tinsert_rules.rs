//! Rules of TINSERT only.

use crate::diag::Severity;
use crate::profile::{A2A3_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_EXTENSION, Rule};

pub(super) const SOURCE: &str = "docs/isa/TINSERT.md";
const SEED: &str = "seed TINSERT";

pub(super) const BOUNDS: Rule = Rule::new(
    "bounds",
    "The window lies inside the declared shape of the destination.",
    "seed TINSERT, Runtime bounds; seed Layout And Rearrangement, Cases That Are Not Allowed",
)
.because("Elements outside of the destination are bytes of other tiles.")
.instead("Choose offsets at which the source ends within the destination.");
pub(super) const PHYSICAL: Rule = Rule::new(
    "physical-overflow",
    "From the window's start on, the destination has room for all rows that the device moves: on A2/A3 the declared rows of \
     an accumulator, on A5 the rows of a split insertion, rounded up to a multiple of 16.",
    "include/pto/npu/{a2a3,a5}/TInsert.hpp",
)
.because("The device moves rows that are not valid too, and overwrites bytes after the destination.")
.instead("Declare the source with the rows that are valid, or a larger destination.")
.lint()
.only(NPU);
pub(super) const PAIR: Rule = Rule::new(
    "location-pair",
    "A2/A3 insert from acc to mat; A5 from acc to mat and vec, and from vec to vec and mat.",
    SEED,
)
.because("The device has no data path between these two buffers.")
.instead("Insert into a location that the profile has, or go by way of a third tile.")
.weighing(&[(Severity::Error, &Profile::ALL), (Severity::Extension, A2A3_ONLY)]);
pub(super) const LAYOUT: Rule =
    Rule::new("layout-pair", "Between vec tiles, and from vec to mat, both are ND or both are NZ.", SEED)
        .because("The device copies rows or boxes as they are.")
        .instead("Declare both tiles with one layout, or convert with TMOV first.")
        .weighing(ERROR_OR_EXTENSION)
        .only(NPU);
pub(super) const ND_ROW: Rule = Rule::new(
    "nd-row",
    "A valid row that goes from a vec to an ND mat tile takes a multiple of 32 bytes.",
    "seed TINSERT, Vec to Mat",
)
.because("The device copies rows in blocks of 32 bytes.")
.instead("Give the source a multiple of 32 bytes of valid columns.")
.weighing(ERROR_OR_EXTENSION)
.only(NPU);
pub(super) const NZ_COLS: Rule = Rule::new(
    "nz-cols",
    "An NZ source has no more declared columns than its destination.",
    "seed TINSERT, Vec to Vec",
)
.because("The device copies all columns of boxes and would write beyond the destination.")
.instead("Declare the destination with at least the source's columns.")
.only(NPU);
pub(super) const ALIGNED: Rule = Rule::new(
    "alignment",
    "On A2/A3 a window in a vec tile starts at a block of 32 bytes (ND, with rows of an even number of bytes) or at a box \
     (NZ). On A5 rows of ZN tiles start and end, and columns of NZ tiles start, at multiples of 32 bytes.",
    "docs/isa/TINSERT.md; include/pto/npu/a2a3/TInsert.hpp",
)
.because("The device copies whole blocks of 32 bytes.")
.instead("Round the offset and the size to the multiple that the message names.")
.only(NPU);
pub(super) const SPLIT: Rule = Rule::new("split", "Only A5 has a tinsertMode.", "seed TINSERT, NZ Split")
    .because("A split divides the boxes among two or four transfers.")
    .instead("Remove `tinsertMode`, or insert on a5.");
pub(super) const SPLIT_PAIR: Rule = Rule::new(
    "split-pair",
    "A split insertion goes from a vec tile in NZ layout to a mat tile.",
    "seed TINSERT, NZ Split",
)
.because("Only the transfer of boxes from UB to L1 is divided.")
.instead("Remove `tinsertMode`, or insert an NZ vec tile into a mat tile.");
