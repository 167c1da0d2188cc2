//! Matrix products, and how they read their factors.

mod family;
mod mode;
mod mx;
mod rules;

use super::Instruction;
use super::elementwise::list;

list!(
    super::memory::END;
    sethf32mode::SETHF32MODE,
    settf32mode::SETTF32MODE,
    tgemv::TGEMV,
    tgemv_acc::TGEMV_ACC,
    tgemv_bias::TGEMV_BIAS,
    tgemv_mx::TGEMV_MX,
    tgemv_mx_acc::TGEMV_MX_ACC,
    tgemv_mx_bias::TGEMV_MX_BIAS,
    tget_scale_addr::TGET_SCALE_ADDR,
    tmatmul::TMATMUL,
    tmatmul_acc::TMATMUL_ACC,
    tmatmul_bias::TMATMUL_BIAS,
    tmatmul_mx::TMATMUL_MX,
    tmatmul_mx_acc::TMATMUL_MX_ACC,
    tmatmul_mx_bias::TMATMUL_MX_BIAS,
);
