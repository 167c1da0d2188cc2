//! TCOLARGMIN: finds where the smallest element of each column stands.

use super::arg::{Along, ArgReduce, arg};
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLARGMIN: ArgReduce = arg(
    "tcolargmin",
    ReduceOp::Min,
    Along::Column,
    "Finds where the smallest element of each column stands, and the element itself if asked for.",
    "dst[0, j] = first i where src[i, j] is the smallest of column j",
    "docs/isa/tile/ops/reduce-and-expand/tcolargmin.md",
);
