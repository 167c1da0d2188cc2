//! Elementwise on tiles: `dst[i, j] = op(src[i, j], ...)`.

mod chain;
mod family;
mod fused;
mod mask;
mod narrowing;
mod tcvt_special;

pub(super) use chain::{Chain, TYPES, page};
pub(super) use family::{BY_SCALAR_UNIT, SOURCES_TO_DST, divides, first_zero, operation};
pub(super) use mask::{Compare, Select, compare, select};

use super::Instruction;

macro_rules! list {
    ($first:expr; $($file:ident :: $name:ident),* $(,)?) => {
        $(mod $file;)*

        /// The instructions of this set, by name.
        pub(in crate::isa::op) const LIST: &[&dyn Instruction] = &[$(&$file::$name),*];

        crate::isa::registry::handles!($first; $($name),*);
    };
}
pub(super) use list;

list!(
    0;
    tabs::TABS,
    tadd::TADD,
    taddc::TADDC,
    tadddeqrelu::TADDDEQRELU,
    taddrelu::TADDRELU,
    taddreluconv::TADDRELUCONV,
    tand::TAND,
    tcmp::TCMP,
    tcvt::TCVT,
    tdiv::TDIV,
    texp::TEXP,
    tfmod::TFMOD,
    tfusedmuladd::TFUSEDMULADD,
    tfusedmuladdrelu::TFUSEDMULADDRELU,
    tlog::TLOG,
    tmax::TMAX,
    tmin::TMIN,
    tmul::TMUL,
    tmuladddst::TMULADDDST,
    tneg::TNEG,
    tnot::TNOT,
    tor::TOR,
    tpow::TPOW,
    tprelu::TPRELU,
    trecip::TRECIP,
    trelu::TRELU,
    trem::TREM,
    trsqrt::TRSQRT,
    tsel::TSEL,
    tshl::TSHL,
    tshr::TSHR,
    tsqrt::TSQRT,
    tsub::TSUB,
    tsubc::TSUBC,
    tsubrelu::TSUBRELU,
    tsubreluconv::TSUBRELUCONV,
    txor::TXOR,
);
