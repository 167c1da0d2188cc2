//! The rules of `trowexpand<op>` instructions.

use crate::diag::Severity;
use crate::op::common::{ELEMENT, SAME_TYPE, VEC};
use crate::op::workspace::APART;
use crate::profile::{A2A3_ONLY, NPU};
use crate::rule::Rule;

pub(super) const SEED: &str = "docs/isa/TROWEXPANDADD.md, Constraints";
pub(super) const PAGES: &str = "docs/isa/tile/ops/reduce-and-expand";

pub(super) const ROW_MAJOR_DST: Rule =
    Rule::new("row-major", "The destination and the full operand are row-major without boxes.", SEED)
        .because("The vector unit steps through rows at a constant stride.")
        .instead("Declare the tiles with `blayout=row_major, slayout=none_box`.")
        .only(NPU);
pub(super) const ONE_FULL: Rule =
    Rule::new("one-full-operand", "One of the sources has the valid region of the destination.", SEED)
        .because("Without one full operand it is undefined which source is repeated along the rows.")
        .instead(
            "Give one source the destination's valid region and the other one valid column (or 32 bytes).",
        );
pub(super) const MODE: Rule = Rule::new(
    "expanded-operand",
    "The expanded operand has the destination's valid rows and is column-major with one valid column (mode 1), \
     or row-major with 32 bytes of valid columns (mode 2).",
    SEED,
)
.because("The device reads either one element per row or one block of 32 bytes per row.")
.instead("Declare the expanded operand column-major with one valid column, or row-major with 32 bytes of valid columns.");
pub(super) const TMP_MODE: Rule =
    Rule::new("tmp-mode-1", "The form with `tmp` takes mode 1 only; A5 ignores the workspace.", SEED)
        .because("Mode 2 needs no broadcast, so the device has no such form with a workspace.")
        .instead("Remove `tmp`, or pass a column-major operand with one valid column.")
        .only(A2A3_ONLY);
pub(super) const TMP_SIZE: Rule =
    Rule::new("tmp-size", "`tmp` holds ceil(R / 8) * 256 bytes for R < 256 valid rows, else 7680.", SEED)
        .because(
            "The device broadcasts rows to blocks of 32 bytes in the workspace and overruns a smaller tile.",
        )
        .instead("Declare a workspace of the size that the message names.")
        .only(A2A3_ONLY);
pub(super) const RESERVED: Rule = Rule::new(
    "reserved-window",
    "Mode 1 without `tmp` overwrites UB from 184 KB to 192 KB, so no operand may lie there.",
    "include/pto/npu/a2a3, TMP_UB_OFFSET",
)
.because("The device broadcasts the expanded operand into this window. This destroys a tile in the window.")
.instead("Place the tile below 184 KB, or use the form with `tmp`.")
.only(A2A3_ONLY);
pub(super) const BOTH_MATCH: Rule = Rule::new(
    "both-match",
    "Exactly one source has the valid region of the destination.",
    "docs/isa/TROWEXPANDADD.md, Constraints (exactly one); include/pto/npu/{a2a3,a5}/TRowExpand*.hpp (at least one)",
)
.because("The headers take two such sources, and compute element by element; the page asks for exactly one.")
.instead("Use TADD or the like for two sources of one valid region.")
.weighing(&[(Severity::Extension, NPU)])
.only(NPU);
pub(super) const TMP_LOCATION: Rule = Rule::new("tmp-location", "`tmp` is a vec tile.", SEED)
    .because("The device broadcasts the operand into this tile, and broadcasts in UB only.")
    .instead("Declare the workspace as a vec tile.")
    .only(A2A3_ONLY);
pub(super) const MODE2_COLS: Rule = Rule::new(
    "mode-2-columns",
    "In mode 2 the expanded operand is declared 32 bytes wide: the device reads row i at byte 32 i.",
    "include/pto/npu, TRowExpand",
)
.because("Rows of another width would put row i at another byte.")
.instead("Declare the operand with 32 bytes of columns.")
.only(NPU);
pub(super) const ROW_RULES: &[&Rule] = &[
    &VEC,
    &SAME_TYPE,
    &ELEMENT,
    &ROW_MAJOR_DST,
    &ONE_FULL,
    &MODE,
    &MODE2_COLS,
    &TMP_MODE,
    &TMP_SIZE,
    &RESERVED,
    &TMP_LOCATION,
    &BOTH_MATCH,
    &APART,
];
