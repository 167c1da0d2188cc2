//! TADDRELU: adds two tiles and replaces negative sums by zero.
//!
//! The manual has a page of the vector operation only; the profile and its formats are those that the dialect's
//! documents name for the instruction.

use super::family::SOURCES_TO_DST;
use super::fused::{Fused, Step, page};
use crate::isa::element::Element::{F16, F32, I16};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TADDRELU: Fused = Fused {
    page: page(
        "taddrelu",
        "Adds two tiles and replaces negative sums by zero; NaN stays NaN.",
        "dst[i, j] = max(src0[i, j] + src1[i, j], 0)",
        "docs/designs/a2a3-vpto-elementwise-impl.md of the public assembler",
        SOURCES_TO_DST,
    ),
    step: Step::Binary(BinaryOp::Add),
    relu: true,
    types: Types { a2a3: &[I16, F16, F32], a5: &[], a2a3_header: &[], a5_header: &[] },
    defined: |element| BinaryOp::Add.applies_to(element),
};
