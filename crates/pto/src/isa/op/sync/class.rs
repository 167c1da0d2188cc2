//! Classes of instructions, as events and buffer tokens name them in place of pipes.

use crate::isa::pipe::Pipe;

/// Each class under its name in programs and, where it differs, in the table of the assembler's manual.
const CLASSES: [(&str, &str, Pipe); 11] = [
    ("TLOAD", "EVENT_LOAD_FROM_GM", Pipe::Mte2),
    ("TSTORE_ACC", "EVENT_STORE_FROM_ACC", Pipe::Fixpipe),
    ("TSTORE_VEC", "EVENT_STORE_FROM_VEC", Pipe::Mte3),
    ("TMOV_M2L", "EVENT_MOVE_MAT_TO_LEFT", Pipe::Mte1),
    ("TMOV_M2S", "EVENT_MOVE_MAT_TO_SCALAR", Pipe::Fixpipe),
    ("TMOV_M2B", "EVENT_MOVE_MAT_TO_BIAS", Pipe::Mte1),
    ("TMOV_M2V", "EVENT_MOVE_MAT_TO_VEC", Pipe::Vector),
    ("TMOV_V2M", "EVENT_MOVE_VEC_TO_MAT", Pipe::Fixpipe),
    ("TMATMUL", "EVENT_COMPUTE_MATMUL", Pipe::Matrix),
    ("TVEC", "EVENT_COMPUTE_VEC", Pipe::Vector),
    ("TVECWAIT_EVENT", "EVENT_VEC_WAITPOINT", Pipe::Vector),
];

/// The pipe that runs the instructions of a class; `None` if there is no such class.
pub(crate) fn pipe(word: &str) -> Option<Pipe> {
    let class = CLASSES.iter().find(|(name, long, _)| [*name, *long].contains(&word))?;
    Some(class.2)
}

/// All of them, for messages.
pub(super) fn words() -> String {
    CLASSES.map(|(name, ..)| name).join(", ")
}
