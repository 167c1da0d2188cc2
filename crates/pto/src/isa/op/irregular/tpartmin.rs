//! TPARTMIN on tiles of different valid regions.

use super::part::{Part, part};
use pto_kernels::map::BinaryOp;

pub(super) static TPARTMIN: Part = part(
    "tpartmin",
    BinaryOp::Min,
    "The smaller element of two tiles; where only one is valid its element is copied.",
    "dst[i, j] = min(src0[i, j], src1[i, j]), or the one that is valid there",
    "docs/isa/TPARTMIN.md",
);
