//! TPARTADD on tiles of different valid regions.

use super::part::{Part, part};
use pto_kernels::map::BinaryOp;

pub(super) static TPARTADD: Part = part(
    "tpartadd",
    BinaryOp::Add,
    "Adds two tiles; where only one is valid its element is copied.",
    "dst[i, j] = src0[i, j] + src1[i, j], or the one that is valid there",
    "docs/isa/TPARTADD.md",
);
