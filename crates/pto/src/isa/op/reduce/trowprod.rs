//! TROWPROD: multiplies the elements of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWPROD: RowReduce = RowReduce {
    page: page(
        "trowprod",
        true,
        "Multiplies the elements of each row.",
        "dst[i, 0] = product over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowprod.md",
    ),
    op: ReduceOp::Prod,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5_header: &[],
    },
};
