//! TROWMAX: takes the largest element of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWMAX: RowReduce = RowReduce {
    page: page(
        "trowmax",
        true,
        "Takes the largest element of each row.",
        "dst[i, 0] = max over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowmax.md",
    ),
    op: ReduceOp::Max,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5: &[
            Element::F16,
            Element::F32,
            Element::I32,
            Element::I64,
            Element::U64,
            Element::I16,
            Element::I8,
            Element::U8,
        ],
        a5_header: &[],
    },
};
