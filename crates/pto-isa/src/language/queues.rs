//! Queues between the cube core and the vector cores of a block.

use super::{Chapter, word};
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "queues",
    title: "Queues between cores",
    intro: &[
        "A queue carries tiles from the cube core to the vector cores of its block, or back. It has slots in the consumer's \
         buffer, or in global memory. The producer waits for a free slot and fills it (`tpush`). The consumer waits for a \
         filled slot (`tpop`), reads it, and gives it back (`tfree`).",
        "Public files call a queue a pipe. Each core opens its end of a numbered queue with `aic_initialize_pipe` or \
         `aiv_initialize_pipe`. `initialize_l2l_pipe` makes a queue and returns it as a value.",
    ],
    words: &[
        word("queue", "A channel for tiles between the cube core and the vector cores of a block.")
            .spelled(&["%q = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024} (%slots : i32) -> !pto.pipe"])
            .shown("initialize_l2l_pipe")
            .see(&["slot", "tpush", "tpop", "tfree", "dir_mask"]),
        word("slot", "The place of one entry of a queue.")
            .or(&["entry of a queue"])
            .more("The consumer reads the entry in its slot; after `tfree` the producer may fill the slot again.")
            .shown("tpush")
            .see(&["slot_size", "slot_num", "tfree"]),
        word("c2v", "The direction from the cube core to the vector cores; `v2c` is the opposite one.")
            .or(&["v2c"])
            .see(&["dir_mask", "queue"]),
        word("c2v_consumer_buf", "The slots in UB of a queue from the cube core to the vector cores, as a byte address.")
            .spelled(&["pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %slots : i32)"])
            .shown("aic_initialize_pipe")
            .see(&["reserve_buffer", "aic_initialize_pipe"]),
        word("v2c_consumer_buf", "The slots in L1 of a queue from the vector cores to the cube core, as a byte address.")
            .spelled(&["pto.aiv_initialize_pipe {dir_mask = 2, slot_size = 1024} (v2c_consumer_buf = %slots : i32)"])
            .shown("tpush_to_aic")
            .see(&["reserve_buffer", "aiv_initialize_pipe"]),
        word("aiv_subblockid", "The operand that names the vector core whose half of an entry is transferred.")
            .or(&["subblockid"])
            .spelled(&["pto.tpush_to_aiv(%tile : <type>) {split = 1} aiv_subblockid(%core)"])
            .see(&["split", "tpush_to_aiv", "get_subblock_idx"]),
        word("gm_slot_buffer", "The slots of a queue in global memory.")
            .or(&["gm_slot_tensor"])
            .spelled(&["pto.aic_initialize_pipe {...} (gm_slot_buffer = %memory : !pto.ptr<f32>, ...)"])
            .shown("talloc_to_aiv")
            .see(&["talloc", "initialize_l2g2l_pipe"]),
    ],
    sets: &[],
    operations: &[
        Op::AIC_INITIALIZE_PIPE,
        Op::AIV_INITIALIZE_PIPE,
        Op::IMPORT_RESERVED_BUFFER,
        Op::INITIALIZE_L2G2L_PIPE,
        Op::INITIALIZE_L2L_PIPE,
        Op::RESERVE_BUFFER,
        Op::TALLOC,
        Op::TALLOC_TO_AIC,
        Op::TALLOC_TO_AIV,
        Op::TFREE,
        Op::TFREE_FROM_AIC,
        Op::TFREE_FROM_AIV,
        Op::TPOP,
        Op::TPOP_FROM_AIC,
        Op::TPOP_FROM_AIV,
        Op::TPUSH,
        Op::TPUSH_TO_AIC,
        Op::TPUSH_TO_AIV,
    ],
};
