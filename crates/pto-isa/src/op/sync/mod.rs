//! Synchronization: flags between the pipes of a core, between cores and between blocks, barriers, fences.
//!
//! The files here contain syntax and rules. These instructions access no tile and have no formula; the machine
//! implements them (`sim::decode`, by their [`Meaning`](crate::meaning::Meaning)).

mod barrier;
mod buffer;
mod cmo_cacheinvalid;
mod cross;
mod event;
mod fence_barrier_all;
mod flag;
mod named;
mod order;
mod pictures;
pub mod queue;
mod syncall;
mod tsync;

use super::tables::list;
pub use syncall::WORKSPACE as SYNCALL_WORKSPACE;

list!(
    super::comm::END;
    barrier::BARRIER,
    cmo_cacheinvalid::CMO_CACHEINVALID,
    fence_barrier_all::FENCE_BARRIER_ALL,
    buffer::GET_BUF,
    event::RECORD_EVENT,
    buffer::RLS_BUF,
    cross::SET_CROSS_BLOCK,
    flag::SET_FLAG,
    flag::SET_FLAG_DYN,
    cross::SET_INTRA_BLOCK,
    cross::SYNC_SET,
    cross::SYNC_WAIT,
    syncall::SYNCALL,
    tsync::TSYNC,
    cross::WAIT_CROSS_BLOCK,
    event::WAIT_EVENT,
    flag::WAIT_FLAG,
    flag::WAIT_FLAG_DYN,
    cross::WAIT_INTRA_BLOCK,
);
