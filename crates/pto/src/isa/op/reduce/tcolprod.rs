//! TCOLPROD: multiplies the elements of each column.

use super::family::{ColReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLPROD: ColReduce = ColReduce {
    page: page(
        "tcolprod",
        false,
        "Multiplies the elements of each column.",
        "dst[0, j] = product over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolprod.md",
    ),
    op: ReduceOp::Prod,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5: &[
            Element::F16,
            Element::F32,
            Element::Bf16,
            Element::I16,
            Element::U16,
            Element::I32,
            Element::U32,
        ],
        a5_header: &[],
    },
};
