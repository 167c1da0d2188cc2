//! Queues between the cube core and the vector cores: their slots, their ends, and what moves their entries.

mod ends;
mod entries;

use super::super::Instruction;
use super::super::elementwise::list;

list!(
    super::END;
    aic_initialize_pipe::AIC_INITIALIZE_PIPE,
    aiv_initialize_pipe::AIV_INITIALIZE_PIPE,
    import_reserved_buffer::IMPORT_RESERVED_BUFFER,
    initialize_l2g2l_pipe::INITIALIZE_L2G2L_PIPE,
    initialize_l2l_pipe::INITIALIZE_L2L_PIPE,
    reserve_buffer::RESERVE_BUFFER,
    talloc::TALLOC,
    talloc_to_aic::TALLOC_TO_AIC,
    talloc_to_aiv::TALLOC_TO_AIV,
    tfree::TFREE,
    tfree_from_aic::TFREE_FROM_AIC,
    tfree_from_aiv::TFREE_FROM_AIV,
    tpop::TPOP,
    tpop_from_aic::TPOP_FROM_AIC,
    tpop_from_aiv::TPOP_FROM_AIV,
    tpush::TPUSH,
    tpush_to_aic::TPUSH_TO_AIC,
    tpush_to_aiv::TPUSH_TO_AIV,
);
