//! Communication between ranks: transfers through staging tiles, collectives, signals, transfers by the DMA
//! engine.
//!
//! Every rank runs the same program on its own memory and accesses other ranks' memory by addresses in global
//! memory; see [`Global`](crate::exec::global::Global).

mod build_async_session;
mod collective;
mod dma;
mod get_prefetch_async_session;
mod make_prefetch_async_context;
mod signal;
mod staging;
mod tbroadcast;
mod tensor;
mod tgather;
mod tget;
mod tnotify;
mod tprefetch_async;
mod tput;
mod treduce;
mod tscatter;
mod ttest;
mod twait;

use super::tables::list;

list!(
    super::view::END;
    build_async_session::COMM_BUILD_ASYNC_SESSION,
    get_prefetch_async_session::GET_PREFETCH_ASYNC_SESSION,
    make_prefetch_async_context::MAKE_PREFETCH_ASYNC_CONTEXT,
    tbroadcast::COMM_TBROADCAST,
    dma::COMM_TEST_ASYNC_EVENT,
    tgather::COMM_TGATHER,
    tget::COMM_TGET,
    dma::COMM_TGET_ASYNC,
    tnotify::COMM_TNOTIFY,
    tprefetch_async::TPREFETCH_ASYNC,
    tput::COMM_TPUT,
    dma::COMM_TPUT_ASYNC,
    treduce::COMM_TREDUCE,
    tscatter::COMM_TSCATTER,
    ttest::COMM_TTEST,
    twait::COMM_TWAIT,
    dma::COMM_WAIT_ASYNC_EVENT,
);
