//! The launch: blocks, cores, ranks.

use super::{Chapter, word};
use crate::op::Set;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "launch",
    title: "Blocks, cores and ranks",
    intro: &[
        "A launch runs the entry once for each block: `pto run --blocks N`. Blocks share global memory, and only their own \
         synchronization orders their accesses. A block has one cube core and two vector cores, each with its own buffers.",
        "A rank is a device with global memory of its own: `pto run --ranks N`. Ranks run the same program and reach each \
         other's memory through the addresses of windows.",
    ],
    words: &[
        word("block", "One instance of a kernel in a launch, on a cube core and two vector cores.")
            .or(&["--blocks", "SPMD"])
            .more(
                "Its number is `get_block_idx`, 0 to `get_block_num` - 1, or the argument `%__pypto_spmd_block_idx`. Every \
                 block runs the whole function and chooses its rows by its number. `core` explains which cores of a block run.",
            )
            .shown("launch")
            .see(&["get_block_idx", "get_block_num", "core"]),
        word("core", "A unit that runs instructions: the cube core of a block, or one of its two vector cores.")
            .or(&["subblock", "sub-block"])
            .more(
                "A program with code for one kind of core runs on one core of each block; but a `vector` function runs on both \
                 vector cores if it reads `get_subblock_idx`, even without a use of the result, or has the argument \
                 `%__pypto_spmd_subblock_idx`. A program with code for both kinds of cores, in sections or in two functions, \
                 runs one instruction stream per core. Its vector code runs on both vector cores if it reads the subblock \
                 index, uses flags or barriers between cores, has a queue that splits its entries, or is a section of a program \
                 without queues; else it runs on one vector core.",
            )
            .shown("sections")
            .see(&["section.cube", "section.vector", "pto.kernel_kind", "get_subblock_idx"]),
        word("__pypto_spmd_block_idx", "An argument that the launch fills with the number of the block.")
            .more("`-i __pypto_spmd_block_idx=3` overrides it.")
            .spelled(&["func.func @kernel(%x: !pto.ptr<f32>, %__pypto_spmd_block_idx: i32) { <operations> }"])
            .shown("spmd_arguments")
            .see(&["get_block_idx", "__pypto_spmd_block_num"]),
        word("__pypto_spmd_block_num", "An argument that the launch fills with the number of blocks.")
            .spelled(&["func.func @kernel(%x: !pto.ptr<f32>, %__pypto_spmd_block_num: i32) { <operations> }"])
            .shown("spmd_arguments")
            .see(&["get_block_num", "__pypto_spmd_block_idx"]),
        word("__pypto_spmd_subblock_idx", "An argument that the launch fills with the number of the vector core in its block.")
            .or(&["__pypto_spmd_subblock_num"])
            .more("`__pypto_spmd_subblock_num` is the number of vector cores of the block.")
            .spelled(&["func.func @kernel(%x: !pto.ptr<f32>, %__pypto_spmd_subblock_idx: i32) { <operations> }"])
            .shown("spmd_arguments")
            .see(&["get_subblock_idx", "core"]),
        word("launch", "One run of a kernel on all blocks of all ranks, with its arguments.")
            .shown("launch")
            .see(&["block", "rank", "pto.entry"]),
        word("rank", "One of the devices of a launch, with global memory of its own.")
            .or(&["ranks", "--ranks"])
            .more(
                "`-i ARG=rank` passes the number of the rank, `ARG=ranks` the number of ranks, and `ARG=comm` a communication \
                 context. `x@1=...` is the argument `x` of rank 1, and `@0:y` the buffer `y` of rank 0.",
            )
            .shown("ranks")
            .see(&["comm.tput", "comm.tnotify", "window"]),
        word("window", "A buffer of a rank that other ranks read or write; also a part of a tile.")
            .or(&["peer"])
            .shown("ranks")
            .see(&["rank", "comm.tput", "subview"]),
        word("comm", "The operations between ranks; as a source of an argument, a communication context.")
            .shown("ranks")
            .see(&["rank", "comm.tput", "comm.tget", "comm.tnotify", "comm.twait"]),
        word("buf", "The staging tiles of a transfer between ranks.")
            .spelled(&["pto.comm.tput(%to, %from, buf(%stage) : <type>, <type>, <type>)"])
            .shown("ranks")
            .see(&["comm.tput", "comm.tget"]),
        word("recv", "The staging tile of a collective operation between ranks.")
            .spelled(&["pto.comm.tgather(%tensor, recv(%tile), group(%views) : ...)"])
            .shown("comm.tgather")
            .see(&["group", "comm.tgather"]),
        word("group", "The tensors of all ranks in a collective operation, in the order of the ranks.")
            .spelled(&["pto.comm.tgather(%tensor, recv(%tile), group(%a, %b) : ...)"])
            .shown("comm.tgather")
            .see(&["recv", "comm.tgather", "root"]),
        word("collective", "An operation in which all ranks take part: broadcast, gather, scatter, reduce.")
            .shown("comm.treduce")
            .see(&["comm.tbroadcast", "comm.tgather", "comm.tscatter", "comm.treduce"]),
    ],
    sets: &[Set::Launch, Set::Communication],
    operations: &[],
};
