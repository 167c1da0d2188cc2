//! Gather, scatter, sequences, triangles, and operations on tiles of different valid regions.

mod gather_compare;
mod gather_index;
mod gather_mask;
mod index;
mod part;
mod part_arg;
mod pattern;
mod scatter_index;
mod scatter_mask;
mod table;
mod table_rules;

use super::Instruction;
use super::elementwise::list;

list!(
    mgather::MGATHER,
    mscatter::MSCATTER,
    tci::TCI,
    tgather::TGATHER,
    tgatherb::TGATHERB,
    tpartadd::TPARTADD,
    tpartargmax::TPARTARGMAX,
    tpartargmin::TPARTARGMIN,
    tpartmax::TPARTMAX,
    tpartmin::TPARTMIN,
    tpartmul::TPARTMUL,
    tscatter::TSCATTER,
    ttri::TTRI,
);
