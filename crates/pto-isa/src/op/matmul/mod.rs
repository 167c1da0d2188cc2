//! Matrix products, and the modes in which they round their factors.

mod family;
#[cfg(feature = "run")]
mod kernel;
mod locations;
mod mode_switch;
mod mx;
mod pictures;
mod products;
mod rules;
mod sethf32mode;
mod settf32mode;
mod tget_scale_addr;

use super::tables::list;

list!(
    super::memory::END;
    sethf32mode::SETHF32MODE,
    settf32mode::SETTF32MODE,
    products::TGEMV,
    products::TGEMV_ACC,
    products::TGEMV_BIAS,
    products::TGEMV_MX,
    products::TGEMV_MX_ACC,
    products::TGEMV_MX_BIAS,
    tget_scale_addr::TGET_SCALE_ADDR,
    products::TMATMUL,
    products::TMATMUL_ACC,
    products::TMATMUL_BIAS,
    products::TMATMUL_MX,
    products::TMATMUL_MX_ACC,
    products::TMATMUL_MX_BIAS,
);
