//! TCOLARGMAX: finds where the largest element of each column stands.

use super::arg::{Along, ArgReduce, arg};
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLARGMAX: ArgReduce = arg(
    "tcolargmax",
    ReduceOp::Max,
    Along::Column,
    "Finds where the largest element of each column stands, and the element itself if asked for.",
    "dst[0, j] = first i where src[i, j] is the largest of column j",
    "docs/isa/tile/ops/reduce-and-expand/tcolargmax.md",
);
