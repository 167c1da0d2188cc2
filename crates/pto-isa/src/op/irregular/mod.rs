//! Gather, scatter, sequences, triangles, operations on tiles of different valid regions, sorting, counting, random
//! numbers, quantization.

mod affine;
mod gather_compare;
mod gather_index;
mod gather_mask;
mod index;
mod made_pictures;
mod mgather;
mod mscatter;
mod mx_groups;
mod part;
mod part_arg;
pub mod pattern;
mod pictures;
mod quant_pictures;
mod scatter_index;
mod scatter_mask;
mod shared;
mod sort_pictures;
mod table;
mod table_rules;
mod tci;
mod tdequant;
mod tgather;
mod tgatherb;
mod thistogram;
mod tmrgsort;
mod tquant;
mod tquant_mx;
mod tquant_mx_rules;
mod trandom;
mod tscatter;
mod tsort32;
mod ttri;

use super::tables::list;

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
    part::TPARTADD,
    part_arg::TPARTARGMAX,
    part_arg::TPARTARGMIN,
    part::TPARTMAX,
    part::TPARTMIN,
    part::TPARTMUL,
    tquant::TQUANT,
    tquant_mx::TQUANT_MX,
    trandom::TRANDOM,
    tscatter::TSCATTER,
    tsort32::TSORT32,
    ttri::TTRI,
);
