//! Single elements, valid regions and parts of tiles; scalars in global memory.

pub(super) mod support;

use super::Instruction;
use super::elementwise::list;

list!(
    super::irregular::END;
    get_validshape::GET_VALIDSHAPE,
    load_scalar::LOAD_SCALAR,
    set_validshape::SET_VALIDSHAPE,
    store_scalar::STORE_SCALAR,
    subview::SUBVIEW,
    tassign::TASSIGN,
    tgetval::TGETVAL,
    tile_buf_addr::TILE_BUF_ADDR,
    tprint::TPRINT,
    tsetval::TSETVAL,
);
