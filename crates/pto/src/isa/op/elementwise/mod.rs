//! Elementwise on tiles: `dst[i, j] = op(src[i, j], ...)`.

mod family;

pub(super) use family::{divides, first_zero};

use super::Instruction;

macro_rules! list {
    ($($file:ident :: $name:ident),* $(,)?) => {
        $(mod $file;)*

        /// The instructions of this set, by name.
        pub(super) const LIST: &[&dyn Instruction] = &[$(&$file::$name),*];
    };
}
pub(super) use list;

list!(
    tabs::TABS,
    tadd::TADD,
    tand::TAND,
    tcvt::TCVT,
    tdiv::TDIV,
    texp::TEXP,
    tfmod::TFMOD,
    tlog::TLOG,
    tmax::TMAX,
    tmin::TMIN,
    tmul::TMUL,
    tneg::TNEG,
    tnot::TNOT,
    tor::TOR,
    trecip::TRECIP,
    trelu::TRELU,
    trem::TREM,
    trsqrt::TRSQRT,
    tshl::TSHL,
    tshr::TSHR,
    tsqrt::TSQRT,
    tsub::TSUB,
    txor::TXOR,
);
