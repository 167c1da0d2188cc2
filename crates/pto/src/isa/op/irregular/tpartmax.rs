//! TPARTMAX on tiles of different valid regions.

use super::part::{Part, part};
use pto_kernels::map::BinaryOp;

pub(super) static TPARTMAX: Part = part(
    "tpartmax",
    BinaryOp::Max,
    "The larger element of two tiles; where only one is valid its element is copied.",
    "dst[i, j] = max(src0[i, j], src1[i, j]), or the one that is valid there",
    "docs/isa/TPARTMAX.md",
);
