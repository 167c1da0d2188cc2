//! TCOLMAX: takes the largest element of each column.

use super::family::{ColReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLMAX: ColReduce = ColReduce {
    page: page(
        "tcolmax",
        false,
        "Takes the largest element of each column.",
        "dst[0, j] = max over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolmax.md",
    ),
    op: ReduceOp::Max,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I32, Element::I16],
        a5: &[
            Element::F16,
            Element::F32,
            Element::Bf16,
            Element::I8,
            Element::U8,
            Element::I16,
            Element::U16,
            Element::I32,
            Element::U32,
        ],
        a5_header: &[],
    },
};
