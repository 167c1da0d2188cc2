//! Pipes, flags, events and barriers.

use super::{Chapter, word};
use crate::op::Set;
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "sync",
    title: "Pipes, flags and barriers",
    intro: &[
        "A core issues each instruction to a pipe, and pipes run concurrently. If two pipes access the same bytes and one of \
         them writes, a flag, a barrier or an event must order the accesses. [race-checking.md](../race-checking.md) explains \
         the order of accesses, and `pto run --watch race` finds accesses without an order.",
        "A flag is a source pipe, a destination pipe and an event identifier. `set_flag` sets the flag when the source pipe has \
         ended its earlier instructions. At `wait_flag` the destination pipe waits for the flag and clears it.",
        "Instructions of one pipe begin in the order of issue, but two of them may overlap: on a2a3 on every pipe but S, on a5 \
         and cpu on MTE2 and MTE3 only. Two overlapping instructions on the same bytes need a barrier between them if one \
         writes: on a2a3 `pto.barrier <PIPE_V>` between two instructions of V.",
    ],
    words: &[
        word("pipe", "A hardware pipe of a core: it begins its instructions in the order of issue, beside the other pipes.")
            .more(
                "On some profiles two instructions of one pipe may overlap; then `barrier` orders them if they access the same \
                 bytes. The type `!pto.pipe` is a queue between cores, not a hardware pipe.",
            )
            .spelled(&["<PIPE_MTE2>", "#pto.pipe<PIPE_MTE2>"])
            .shown("flags")
            .see(&["MTE2", "V", "set_flag", "barrier", "!pto.pipe"]),
        word("S", "The scalar unit: `arith`, control flow, single elements of tiles and of global memory.")
            .or(&["PIPE_S", "scalar unit"])
            .spelled(&["<PIPE_S>"])
            .see(&["pipe", "tgetval", "load_scalar"]),
        word("V", "The vector unit of a vector core: all computations on vec tiles.")
            .or(&["PIPE_V", "vector unit"])
            .more("On a2a3 its instructions may overlap: `pto.barrier <PIPE_V>` goes between two instructions on the same \
                   bytes.")
            .spelled(&["<PIPE_V>"])
            .shown("flags")
            .see(&["pipe", "vec", "barrier"]),
        word("M", "The matrix unit of the cube core: matrix products.")
            .or(&["PIPE_M", "matrix unit"])
            .spelled(&["<PIPE_M>"])
            .shown("matmul")
            .see(&["pipe", "tmatmul"]),
        word("MTE1", "The pipe that moves from L1 to L0A, L0B and the bias table.")
            .or(&["PIPE_MTE1"])
            .spelled(&["<PIPE_MTE1>"])
            .shown("matmul")
            .see(&["pipe", "tmov", "textract"]),
        word("MTE2", "The pipe that loads from global memory.")
            .or(&["PIPE_MTE2"])
            .spelled(&["<PIPE_MTE2>"])
            .shown("flags")
            .see(&["pipe", "tload"]),
        word("MTE3", "The pipe that stores from UB to global memory.")
            .or(&["PIPE_MTE3"])
            .spelled(&["<PIPE_MTE3>"])
            .shown("flags")
            .see(&["pipe", "tstore"]),
        word("FIX", "The fixpipe: moves from L0C to UB, L1 and global memory, with conversion and quantization.")
            .or(&["PIPE_FIX", "fixpipe"])
            .spelled(&["<PIPE_FIX>"])
            .shown("matmul")
            .see(&["pipe", "acc", "scaling"]),
        word("PIPE_ALL", "All pipes of a core, in barriers.")
            .or(&["ALL"])
            .spelled(&["pto.barrier <PIPE_ALL>"])
            .shown("matmul")
            .see(&["barrier"]),
        word("flag", "A signal from one pipe to another of the same core, named by both pipes and an event identifier.")
            .more(
                "Within an iteration of a loop: set the flag after the first access, and wait before the second. From one \
                 iteration to the next, as for a tile that is loaded again: set the flag once before the loop; in the loop, \
                 wait before the first access and set after the last access; wait once after the loop.",
            )
            .spelled(&[
                "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]",
                "pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]",
            ])
            .shown("flags")
            .see(&["set_flag", "wait_flag", "EVENT_ID", "sync"]),
        word("EVENT_ID", "An event identifier, EVENT_ID0 to EVENT_ID7: eight for each ordered pair of pipes.")
            .or(&[
                "EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3", "EVENT_ID4", "EVENT_ID5", "EVENT_ID6",
                "EVENT_ID7", "event id", "event_id",
            ])
            .spelled(&["<EVENT_ID0>", "#pto.event<EVENT_ID0>"])
            .shown("flags")
            .see(&["flag", "set_flag", "set_flag_dyn"]),
        word("event class", "A class of instructions, such as `TLOAD` or `TVEC`, which an event names instead of a pipe.")
            .or(&[
                "pipe_event_type",
                "EVENT_LOAD_FROM_GM",
                "EVENT_STORE_FROM_ACC",
                "EVENT_STORE_FROM_VEC",
                "EVENT_MOVE_MAT_TO_LEFT",
                "EVENT_MOVE_MAT_TO_SCALAR",
                "EVENT_MOVE_MAT_TO_BIAS",
                "EVENT_MOVE_MAT_TO_VEC",
                "EVENT_MOVE_VEC_TO_MAT",
                "EVENT_COMPUTE_MATMUL",
                "EVENT_COMPUTE_VEC",
                "EVENT_VEC_WAITPOINT",
            ])
            .spelled(&["pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID0>]"])
            .shown("record_event")
            .see(&["record_event", "wait_event", "get_buf"]),
        word("ordered", "The relation of two accesses of which the first ends before the second begins, by synchronization.")
            .or(&["unordered", "happens before"])
            .see(&["race", "flag", "barrier"]),
        word("conflict", "Two accesses to the same bytes, of which at least one is a write.")
            .see(&["race", "ordered"]),
        word("buf_id", "The number of a buffer token, which `get_buf` takes and `rls_buf` gives back.")
            .or(&["token"])
            .spelled(&["pto.get_buf[#pto.pipe_event_type<TLOAD>, 0]"])
            .shown("get_buf")
            .see(&["get_buf", "rls_buf"]),
        word("single_cache_line", "The extent of `cmo.cacheinvalid`: the cache line that holds an address.")
            .shown("cmo.cacheinvalid")
            .see(&["cmo.cacheinvalid", "load_scalar"]),
        word("src_pipe", "Attributes of flags and events in the generic form of MLIR.")
            .or(&["dst_pipe", "src_op", "dst_op", "op_type"])
            .see(&["set_flag", "record_event", "operandSegmentSizes"]),
    ],
    sets: &[Set::Sync],
    operations: &[Op::DECLARE_EVENTID_ARRAY, Op::EVENTID_ARRAY_GET, Op::EVENTID_ARRAY_SET],
};
