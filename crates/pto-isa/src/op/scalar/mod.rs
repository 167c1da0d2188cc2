//! Operations on a tile and a scalar: `dst[i, j] = op(src[i, j], scalar)`.

mod chain;
mod family;
mod taxpy;
mod tcmps;
mod texpands;
mod tile_scalar;
mod tsels;

use super::tables::list;

list!(
    super::elementwise::END;
    tile_scalar::TADDS,
    chain::TADDSC,
    tile_scalar::TANDS,
    taxpy::TAXPY,
    tcmps::TCMPS,
    tile_scalar::TDIVS,
    texpands::TEXPANDS,
    tile_scalar::TFMODS,
    tile_scalar::TLRELU,
    tile_scalar::TMAXS,
    tile_scalar::TMINS,
    tile_scalar::TMULS,
    tile_scalar::TORS,
    tile_scalar::TPOWS,
    tile_scalar::TREMS,
    tsels::TSELS,
    tile_scalar::TSHLS,
    tile_scalar::TSHRS,
    tile_scalar::TSUBS,
    chain::TSUBSC,
    tile_scalar::TXORS,
);
