//! Tile and scalar: `dst[i, j] = op(src[i, j], scalar)`.

mod family;

use super::Instruction;
use super::elementwise::list;

list!(
    tadds::TADDS,
    tands::TANDS,
    tdivs::TDIVS,
    texpands::TEXPANDS,
    tfmods::TFMODS,
    tlrelu::TLRELU,
    tmaxs::TMAXS,
    tmins::TMINS,
    tmuls::TMULS,
    tors::TORS,
    trems::TREMS,
    tshls::TSHLS,
    tshrs::TSHRS,
    tsubs::TSUBS,
    txors::TXORS,
);
