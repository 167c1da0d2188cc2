//! Between ranks: transfers through staging tiles, collectives, signals, transfers by the DMA engine.
//!
//! Every rank runs the same program on memory of its own and reaches that of the others by addresses in global memory;
//! see [`Global`](super::global::Global).

mod collective;
mod dma;
mod signal;
mod staging;
mod tensor;

use super::Instruction;
use super::elementwise::list;

list!(
    build_async_session::BUILD_ASYNC_SESSION,
    get_prefetch_async_session::GET_PREFETCH_ASYNC_SESSION,
    make_prefetch_async_context::MAKE_PREFETCH_ASYNC_CONTEXT,
    tbroadcast::TBROADCAST,
    test_async_event::TEST_ASYNC_EVENT,
    tgather::TGATHER,
    tget::TGET,
    tget_async::TGET_ASYNC,
    tnotify::TNOTIFY,
    tprefetch_async::TPREFETCH_ASYNC,
    tput::TPUT,
    tput_async::TPUT_ASYNC,
    treduce::TREDUCE,
    tscatter::TSCATTER,
    ttest::TTEST,
    twait::TWAIT,
    wait_async_event::WAIT_ASYNC_EVENT,
);
