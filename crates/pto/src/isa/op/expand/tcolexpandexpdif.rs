//! TCOLEXPANDEXPDIF: takes the exponential of the difference of a tile and one element per column.

use super::column::{ColExpand, col_page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TCOLEXPANDEXPDIF: ColExpand = ColExpand {
    page: col_page(
        "tcolexpandexpdif",
        "Takes the exponential of the difference of a tile and one element per column.",
        "dst[i, j] = exp(src0[i, j] - src1[i, j]), one source spread along columns",
        "docs/isa/tile/ops/reduce-and-expand/tcolexpandexpdif.md",
    ),
    op: BinaryOp::ExpDif,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
};
