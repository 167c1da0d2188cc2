//! Flags between cores, and where all cores meet.

use super::super::code::{Extent, FlagReach, Meeting, PipeStep};
use super::Decoder;
use super::pipe::number;
use crate::ir::{Attribute, Operation};
use crate::isa::op::state::Slot;
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;

/// Whether an operation sets a flag of another core of its block, or waits for one.
pub(super) fn is_flag(name: &str) -> bool {
    matches!(name, "pto.set_intra_block" | "pto.wait_intra_block" | "pto.sync.set" | "pto.sync.wait")
}

/// Whether an operation sets a flag of other blocks, or waits for one.
pub(super) fn is_flag_of_blocks(name: &str) -> bool {
    matches!(name, "pto.set_cross_block" | "pto.wait_cross_block")
}

/// Whether this module decodes operations of a name.
pub(super) fn runs(name: &str) -> bool {
    is_flag(name) || is_flag_of_blocks(name) || name == "pto.syncall"
}

/// Between which cores a flag is.
pub(super) fn reach(operation: &Operation, profile: Profile) -> Option<FlagReach> {
    let name = operation.short_name();
    if name.ends_with("cross_block") {
        return Some(FlagReach::Blocks);
    }
    if name.ends_with("intra_block") && profile != Profile::A2A3 {
        return Some(FlagReach::Core);
    }
    match number(operation, "ffts_mode", 2) {
        0 => Some(FlagReach::Blocks),
        1 => Some(FlagReach::VectorCores),
        2 => Some(FlagReach::Block),
        _ => None,
    }
}

impl Decoder<'_> {
    pub(super) fn signal(&mut self, operation: &Operation) {
        if operation.name == "pto.syncall" {
            return self.meeting(operation);
        }
        let Some(reach) = reach(operation, self.profile) else {
            let message = "ffts_mode is 0 (between blocks), 1 (vector cores of a block) or 2 (of a block)";
            return self.problem("pipe::flag", operation.name_span, message.into());
        };
        let set = operation.short_name().contains("set");
        let id = match operation.operand("id") {
            Some(operand) => Extent::Slot(self.scalar(operand.value)),
            None => match u32::try_from(number(operation, "id", 0)) {
                Ok(id) => Extent::Fixed(id),
                Err(_) => {
                    let message = "the number of a flag is 0 to 31".into();
                    return self.problem("pipe::flag", operation.name_span, message);
                }
            },
        };
        let word = operation.attribute("pipe").and_then(Attribute::as_word);
        let pipe = word.and_then(Pipe::from_word).unwrap_or(Pipe::All);
        self.push_pipe(PipeStep::Signal { set, reach, id, pipe });
    }

    fn meeting(&mut self, operation: &Operation) {
        let word = |key| operation.attribute(key).and_then(Attribute::as_word);
        let (cube, vector) = match word("core_type") {
            Some("aiv_only") => (false, true),
            Some("aic_only") => (true, false),
            Some("mix") => (true, true),
            _ => {
                let message = "core_type is aiv_only, aic_only or mix".into();
                return self.problem("syncall::core-type", operation.name_span, message);
            }
        };
        let mut operands = operation.operands.iter().map(|operand| operand.value);
        let slots = [operands.next(), operands.next()].map(|value| value.map(|value| self.slot(value)));
        let (workspace, used) = match (word("mode"), slots, operands.next()) {
            (Some("hard"), [None, _], _) => (None, None),
            (Some("soft"), [Some(workspace @ (Slot::View(_) | Slot::Scalar(_))), None], _) => {
                (Some(workspace), None)
            }
            (
                Some("soft"),
                [Some(workspace @ (Slot::View(_) | Slot::Scalar(_))), Some(Slot::Scalar(used))],
                None,
            ) => (Some(workspace), Some(used)),
            _ => {
                let message = "mode hard takes no operands, mode soft a workspace of i32 in global memory and \
                               perhaps the number of cores";
                return self.problem("syncall::mode", operation.name_span, message.into());
            }
        };
        self.push_pipe(PipeStep::Meet(Meeting { cube, vector, workspace, used }));
    }
}
