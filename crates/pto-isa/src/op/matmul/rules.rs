//! The rules that matrix products share.

use crate::profile::NPU;
use crate::rule::Rule;

const PAGES: &str = "docs/isa/tile/ops/matrix-and-matrix-vector";

pub(super) const LOCATIONS: Rule = Rule::new(
    "locations",
    "The factors are a left and a right tile; the result and its addend are acc tiles.",
    PAGES,
)
.because("The matrix unit reads L0A and L0B and writes L0C only.")
.instead("Move the factors to left and right tiles with TMOV or TEXTRACT, and use an acc tile.");
pub(super) const SHAPE: Rule = Rule::new(
    "shape",
    "left is M x K and right K x N by valid regions, and the result is declared M x N or larger.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul.md, Constraints",
)
.because("The product is defined only if the factors agree in K and the result has room.")
.instead("Correct the valid regions: left M x K, right K x N, result at least M x N.");
pub(super) const RESULT: Rule = Rule::new(
    "result-region",
    "The valid region of the result is M x N; docs/isa/TMATMUL.md and the headers take M and N from the factors alone.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul.md, Constraints",
)
.because("Elements of the result outside of the product stay undefined, though they are valid.")
.instead("Declare the result with a valid region of M x N.")
.extension();
pub(super) const RANGE: Rule = Rule::new(
    "range",
    "M, K and N are at most 4095.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul.md, Constraints",
)
.because("The extents are fields of 12 bits.")
.instead("Split the product into parts of at most 4095.");
pub(super) const TYPES: Rule = Rule::new(
    "element-type",
    "The profile multiplies these formats into this accumulator, and adds only to an accumulator of the same format.",
    PAGES,
)
.because("The matrix unit has no mode for this triple of formats.")
.instead("Use a triple that `pto explain tmatmul` lists.");
pub(super) const ACC_LAYOUT: Rule =
    Rule::new("acc-layout", "The accumulator is col_major with row_major boxes (NZ).", PAGES)
        .because("The matrix unit writes L0C in NZ order.")
        .instead("Declare the accumulator with `blayout=col_major, slayout=row_major, fractal=1024`.")
        .only(NPU);
pub(super) const RIGHT_LAYOUT: Rule =
    Rule::new("right-layout", "The right factor is row_major with col_major boxes (ZN).", PAGES)
        .because("The matrix unit reads L0B in ZN order.")
        .instead("Declare the right tile with `blayout=row_major, slayout=col_major`.")
        .only(NPU);
pub(super) const LEFT_LAYOUT: Rule = Rule::new("left-layout", "The left factor has row_major boxes.", PAGES)
    .because("The matrix unit reads boxes of rows from L0A.")
    .instead("Declare the left tile with `slayout=row_major`.")
    .only(NPU);
pub(super) const BIAS: Rule = Rule::new(
    "bias",
    "The bias is a bias tile of one row with at least a column for each column of the result, in the accumulator's format.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-bias.md",
)
.because("The matrix unit adds element j of the bias buffer to column j.")
.instead("Declare a bias tile of one row with the result's element type and at least its columns.");
pub(super) const GEMV_ROW: Rule = Rule::new(
    "one-row",
    "The left factor and the result have one valid row.",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv.md",
)
.because("A vector is one row of the left factor.")
.instead("Declare left tile and result with one valid row, or use TMATMUL.");
