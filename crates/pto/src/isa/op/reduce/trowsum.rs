//! TROWSUM: sums each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWSUM: RowReduce = RowReduce {
    page: page(
        "trowsum",
        true,
        "Sums each row.",
        "dst[i, 0] = sum over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowsum.md",
    ),
    op: ReduceOp::Sum,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5: &[Element::F16, Element::F32, Element::I32, Element::I64, Element::U64, Element::I16],
        a5_header: &[],
    },
};
