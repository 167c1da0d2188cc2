//! TCOLMIN: takes the smallest element of each column.

use super::family::{ColReduce, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLMIN: ColReduce = ColReduce {
    page: page(
        "tcolmin",
        false,
        "Takes the smallest element of each column.",
        "dst[0, j] = min over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolmin.md",
    ),
    op: ReduceOp::Min,
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
