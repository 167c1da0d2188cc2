//! Pipes, flags, events and barriers.

use super::{Chapter, word};
use crate::op::Set;
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "sync",
    title: "Pipes, flags and barriers",
    intro: &[
        "A core issues each instruction to a pipe, and pipes run concurrently. An instruction that reads data \
         which an instruction of another pipe writes must be ordered after it: by a flag, a barrier, or an event. [race-checking.md](../race-checking.md) \
         explains what counts as one, and `pto run --watch race` finds what lacks it.",
        "A flag is a source pipe, a destination pipe and an event identifier. `set_flag` sets it when the source pipe has \
         ended its earlier instructions; at `wait_flag` the destination pipe waits for it, and clears it.",
        "Instructions of one pipe begin in the order of issue, but on a2a3 one may begin before the previous one of its \
         pipe has ended, on a5 and cpu only on MTE2 and MTE3. There, an instruction on bytes that an earlier one of \
         its pipe writes needs a barrier between them: on a2a3 `pto.barrier <PIPE_V>` between two instructions of V.",
    ],
    words: &[
        word("pipe", "A hardware pipe of a core, which runs its instructions in the order of issue, beside the other pipes.")
            .more(
                "On some profiles two instructions of one pipe may overlap; then `barrier` orders them if they access the \
                 same bytes. The type `!pto.pipe` is another thing: a queue between cores.",
            )
            .spelled(&["<PIPE_MTE2>", "#pto.pipe<PIPE_MTE2>"])
            .shown("flags")
            .see(&["MTE2", "V", "set_flag", "barrier", "!pto.pipe"]),
        word("S", "The scalar unit: `arith`, control flow, single elements of tiles and of global memory.")
            .or(&["PIPE_S", "scalar unit"])
            .spelled(&["<PIPE_S>"])
            .see(&["pipe", "tgetval", "load_scalar"]),
        word("V", "The vector unit of a vector core: everything that computes on vec tiles.")
            .or(&["PIPE_V", "vector unit"])
            .more("On a2a3 it does not order its own instructions: `pto.barrier <PIPE_V>` goes between two on the same bytes.")
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
                "Within an iteration of a loop: set after the first access, wait before the second. From one iteration to \
                 the next, as when a tile is loaded again: set once before the loop; in the loop wait before the access \
                 that comes first, and set after the one that comes last; wait once after the loop.",
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
        word("event class", "A class of instructions that events name instead of a pipe, such as `TLOAD` or `TVEC`.")
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
        word("ordered", "The relation of two accesses, if synchronization lets the first one end before the second begins.")
            .or(&["unordered", "happens before"])
            .see(&["race", "flag", "barrier"]),
        word("conflict", "Two accesses to the same bytes, one of which writes.")
            .see(&["race", "ordered"]),
        word("buf_id", "The number of a buffer token, which `get_buf` takes and `rls_buf` gives back.")
            .or(&["token"])
            .spelled(&["pto.get_buf[#pto.pipe_event_type<TLOAD>, 0]"])
            .shown("get_buf")
            .see(&["get_buf", "rls_buf"]),
        word("single_cache_line", "The amount that `cmo.cacheinvalid` drops from the cache: the line that holds an address.")
            .shown("cmo.cacheinvalid")
            .see(&["cmo.cacheinvalid", "load_scalar"]),
        word("src_pipe", "Attributes of flags and events in the generic form of MLIR.")
            .or(&["dst_pipe", "src_op", "dst_op", "op_type"])
            .see(&["set_flag", "record_event", "operandSegmentSizes"]),
    ],
    sets: &[Set::Sync],
    operations: &[Op::DECLARE_EVENTID_ARRAY, Op::EVENTID_ARRAY_GET, Op::EVENTID_ARRAY_SET],
};
