//! Tile and scalar: `dst[i, j] = op(src[i, j], scalar)`.

mod family;

use super::Instruction;
use super::elementwise::list;

list!(
    super::elementwise::END;
    tadds::TADDS,
    taddsc::TADDSC,
    tands::TANDS,
    taxpy::TAXPY,
    tcmps::TCMPS,
    tdivs::TDIVS,
    texpands::TEXPANDS,
    tfmods::TFMODS,
    tlrelu::TLRELU,
    tmaxs::TMAXS,
    tmins::TMINS,
    tmuls::TMULS,
    tors::TORS,
    tpows::TPOWS,
    trems::TREMS,
    tsels::TSELS,
    tshls::TSHLS,
    tshrs::TSHRS,
    tsubs::TSUBS,
    tsubsc::TSUBSC,
    txors::TXORS,
);
