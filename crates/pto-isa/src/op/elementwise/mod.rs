//! Elementwise on tiles: `dst[i, j] = op(src[i, j], ...)`.

mod binary;
mod chain;
mod compare;
mod family;
mod fused;
mod mask;
mod narrowing;
mod pictures;
pub(super) mod rounding;
mod tcmp;
mod tcvt;
mod tcvt_special;
mod tsel;
mod unary;

pub(super) use chain::{Chain, tile_scalar_tile};
pub(super) use compare::{Compare, Second, compare};
pub(super) use family::{BY_SCALAR_UNIT, SOURCES_TO_DST};
#[cfg(feature = "run")]
pub(super) use family::{divides, first_zero, operation};
pub(super) use mask::{Select, select};

use super::tables::list;

list!(
    0;
    unary::TABS,
    binary::TADD,
    chain::TADDC,
    narrowing::TADDDEQRELU,
    fused::TADDRELU,
    narrowing::TADDRELUCONV,
    binary::TAND,
    tcmp::TCMP,
    tcvt::TCVT,
    binary::TDIV,
    unary::TEXP,
    binary::TFMOD,
    fused::TFUSEDMULADD,
    fused::TFUSEDMULADDRELU,
    unary::TLOG,
    binary::TMAX,
    binary::TMIN,
    binary::TMUL,
    fused::TMULADDDST,
    unary::TNEG,
    unary::TNOT,
    binary::TOR,
    binary::TPOW,
    binary::TPRELU,
    unary::TRECIP,
    unary::TRELU,
    binary::TREM,
    unary::TRSQRT,
    tsel::TSEL,
    binary::TSHL,
    binary::TSHR,
    unary::TSQRT,
    binary::TSUB,
    chain::TSUBC,
    fused::TSUBRELU,
    narrowing::TSUBRELUCONV,
    binary::TXOR,
);
