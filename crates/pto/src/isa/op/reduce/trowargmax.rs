//! TROWARGMAX: finds where the largest element of each row stands.

use super::arg::{Along, ArgReduce, arg};
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWARGMAX: ArgReduce = arg(
    "trowargmax",
    ReduceOp::Max,
    Along::Row,
    "Finds where the largest element of each row stands, and the element itself if asked for.",
    "dst[i, 0] = first j where src[i, j] is the largest of row i",
    "docs/isa/TROWARGMAX.md",
);
