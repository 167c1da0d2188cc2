//! TPARTARGMIN on tiles of different valid regions.

use super::part_arg::{PartArg, part_arg};
use pto_kernels::reduce::ReduceOp;

pub(super) static TPARTARGMIN: PartArg = part_arg(
    "tpartargmin",
    ReduceOp::Min,
    "The smaller element of two tiles with the index that belongs to it; where only one is valid its element is copied.",
    "(dst, idx)[i, j] = (src0, idx0)[i, j] where src0[i, j] < src1[i, j] or only src0 is valid, else (src1, idx1)[i, j]; \
     a NaN is taken first",
    "docs/isa/TPARTARGMIN.md",
);
