//! Gather, scatter, sequences, triangles, operations on tiles of different valid regions, sorting, counting, random
//! numbers, quantization.

mod affine;
mod gather_compare;
mod gather_index;
mod gather_mask;
mod index;
mod part;
mod part_arg;
mod pattern;
mod scatter_index;
mod scatter_mask;
mod shared;
mod table;
mod table_rules;
mod tquant_mx_rules;

use super::Instruction;
use super::elementwise::list;

list!(
    super::layout::END;
    mgather::MGATHER,
    mscatter::MSCATTER,
    tci::TCI,
    tdequant::TDEQUANT,
    tgather::TGATHER,
    tgatherb::TGATHERB,
    thistogram::THISTOGRAM,
    tmrgsort::TMRGSORT,
    tpartadd::TPARTADD,
    tpartargmax::TPARTARGMAX,
    tpartargmin::TPARTARGMIN,
    tpartmax::TPARTMAX,
    tpartmin::TPARTMIN,
    tpartmul::TPARTMUL,
    tquant::TQUANT,
    tquant_mx::TQUANT_MX,
    trandom::TRANDOM,
    tscatter::TSCATTER,
    tsort32::TSORT32,
    ttri::TTRI,
);
