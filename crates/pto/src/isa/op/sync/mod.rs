//! Order between instructions: flags between the pipes of a core, between cores and between blocks, barriers, fences.
//!
//! The files here say how these instructions are written and what is legal. What they do to a run is the machine's
//! business (`sim::decode`, by their [`Meaning`](crate::isa::meaning::Meaning)), since they touch no tile: there is no formula and nothing to prepare.

mod buffer;
mod cross;
mod event;
mod flag;
mod named;
mod order;
pub(super) mod queue;

use super::Instruction;
use super::elementwise::list;
pub(crate) use syncall::WORKSPACE as SYNCALL_WORKSPACE;

list!(
    super::comm::END;
    barrier::BARRIER,
    cmo_cacheinvalid::CMO_CACHEINVALID,
    fence_barrier_all::FENCE_BARRIER_ALL,
    get_buf::GET_BUF,
    record_event::RECORD_EVENT,
    rls_buf::RLS_BUF,
    set_cross_block::SET_CROSS_BLOCK,
    set_flag::SET_FLAG,
    set_flag_dyn::SET_FLAG_DYN,
    set_intra_block::SET_INTRA_BLOCK,
    sync_set::SYNC_SET,
    sync_wait::SYNC_WAIT,
    syncall::SYNCALL,
    tsync::TSYNC,
    wait_cross_block::WAIT_CROSS_BLOCK,
    wait_event::WAIT_EVENT,
    wait_flag::WAIT_FLAG,
    wait_flag_dyn::WAIT_FLAG_DYN,
    wait_intra_block::WAIT_INTRA_BLOCK,
);
