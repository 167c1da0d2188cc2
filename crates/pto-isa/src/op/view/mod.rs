//! Single elements, valid regions and parts of tiles; scalars in global memory.

mod get_validshape;
mod load_scalar;
mod set_validshape;
mod store_scalar;
mod subview;
pub(super) mod support;
mod tassign;
mod tensor_view_addr;
mod tgetval;
mod tile_buf_addr;
mod tprint;
mod tsetval;

use super::tables::list;

list!(
    super::irregular::END;
    get_validshape::GET_VALIDSHAPE,
    load_scalar::LOAD_SCALAR,
    set_validshape::SET_VALIDSHAPE,
    store_scalar::STORE_SCALAR,
    subview::SUBVIEW,
    tassign::TASSIGN,
    tensor_view_addr::TENSOR_VIEW_ADDR,
    tgetval::TGETVAL,
    tile_buf_addr::TILE_BUF_ADDR,
    tprint::TPRINT,
    tsetval::TSETVAL,
);
