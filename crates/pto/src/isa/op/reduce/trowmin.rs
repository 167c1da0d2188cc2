//! TROWMIN: takes the smallest element of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWMIN: RowReduce = RowReduce {
    page: page(
        "trowmin",
        true,
        "Takes the smallest element of each row.",
        "dst[i, 0] = min over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowmin.md",
    ),
    op: ReduceOp::Min,
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
