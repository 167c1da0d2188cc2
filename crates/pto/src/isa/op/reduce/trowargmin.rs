//! TROWARGMIN: finds where the smallest element of each row stands.

use super::arg::{Along, ArgReduce, arg};
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWARGMIN: ArgReduce = arg(
    "trowargmin",
    ReduceOp::Min,
    Along::Row,
    "Finds where the smallest element of each row stands, and the element itself if asked for.",
    "dst[i, 0] = first j where src[i, j] is the smallest of row i",
    "docs/isa/TROWARGMIN.md",
);
