//! Matrix products.

mod family;

use super::Instruction;
use super::elementwise::list;

list!(
    tgemv::TGEMV,
    tgemv_acc::TGEMV_ACC,
    tgemv_bias::TGEMV_BIAS,
    tmatmul::TMATMUL,
    tmatmul_acc::TMATMUL_ACC,
    tmatmul_bias::TMATMUL_BIAS,
);
