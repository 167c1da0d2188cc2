//! Flags, barriers and buffer tokens within a core: nothing to run in program order, but what watchers follow.

use super::super::code::{Extent, Step, SyncStep};
use super::Decoder;
use crate::ir::{Attribute, Operation};
use crate::isa::pipe::{EventId, Pipe};

/// The pipe that the name of a class of instructions stands for. Sources: `include/pto/common/event.hpp`, PipeEventKind in
/// `docs/PTO_IR_manual.md` of the public assembler.
fn pipe_of(word: &str) -> Option<Pipe> {
    if let Some(pipe) = Pipe::from_word(word) {
        return Some(pipe);
    }
    Some(match word {
        "TLOAD" | "EVENT_LOAD_FROM_GM" => Pipe::Mte2,
        "TSTORE_ACC" | "EVENT_STORE_FROM_ACC" => Pipe::Fixpipe,
        "TSTORE_VEC" | "EVENT_STORE_FROM_VEC" => Pipe::Mte3,
        "TMOV_M2L" | "TMOV_M2B" | "EVENT_MOVE_MAT_TO_LEFT" | "EVENT_MOVE_MAT_TO_BIAS" => Pipe::Mte1,
        "TMOV_M2S" | "TMOV_M2V" | "EVENT_MOVE_MAT_TO_SCALAR" | "EVENT_MOVE_MAT_TO_VEC" => Pipe::Fixpipe,
        "TMOV_V2M" | "EVENT_MOVE_VEC_TO_MAT" => Pipe::Fixpipe,
        "TMATMUL" | "EVENT_COMPUTE_MATMUL" => Pipe::Matrix,
        "TVEC" | "TVECWAIT_EVENT" | "EVENT_COMPUTE_VEC" | "EVENT_VEC_WAITPOINT" => Pipe::Vector,
        _ => return None,
    })
}

impl Decoder<'_> {
    /// An operation that orders pipes.
    pub(super) fn order(&mut self, operation: &Operation) {
        let step = self.order_step(operation);
        match step {
            Some(step) => {
                self.code.syncs.push(step);
                self.emit(Step::Sync(self.code.syncs.len() as u32 - 1));
            }
            None => {
                self.emit(Step::Nothing);
            }
        }
    }

    fn order_step(&mut self, operation: &Operation) -> Option<SyncStep> {
        let pipe = |key: &str| pipe_of(operation.attribute(key)?.as_word()?);
        match operation.short_name() {
            name @ ("set_flag" | "wait_flag" | "set_flag_dyn" | "wait_flag_dyn" | "record_event"
            | "wait_event") => {
                let (from, to) = (pipe("src")?, pipe("dst")?);
                let id = match operation.operand("event") {
                    Some(operand) => Extent::Slot(self.scalar(operand.value)),
                    None => Extent::Fixed(event(operation.attribute("event")?)?),
                };
                let sets = name.starts_with("set") || name == "record_event";
                Some(SyncStep::Flag { sets, from, to, id })
            }
            "barrier" => Some(SyncStep::Barrier(pipe("pipe")?)),
            "tsync" => Some(SyncStep::Barrier(pipe("op")?)),
            name @ ("get_buf" | "rls_buf") => {
                let token = operation.attribute("id")?.as_integer().and_then(|id| u32::try_from(id).ok())?;
                Some(SyncStep::Token { acquires: name == "get_buf", pipe: pipe("event")?, token })
            }
            _ => None,
        }
    }
}

/// The number of an event, as a word or as a number.
fn event(attribute: &Attribute) -> Option<u32> {
    let word = attribute.as_word().and_then(EventId::from_word).map(|id| u32::from(id.number()));
    word.or_else(|| u32::try_from(attribute.as_integer()?).ok())
}
