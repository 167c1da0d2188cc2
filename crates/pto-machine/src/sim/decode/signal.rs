//! Flags between cores, and barriers of all cores.

use super::super::code::{ExchangeStep, Extent, FlagReach, Meeting};
use super::Decoder;
use super::queue::number;
use pto_isa::exec::state::Slot;
use pto_isa::meaning::Between;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_lang::ir::Operation;

/// The cores that a flag connects; `None` for an invalid mode.
pub(super) fn reach(between: Between, operation: &Operation, profile: Profile) -> Option<FlagReach> {
    match between {
        Between::Blocks => return Some(FlagReach::Blocks),
        Between::Cores if !profile.flags_have_modes => return Some(FlagReach::Core),
        Between::Cores | Between::Moded => {}
    }
    match operation.integer_or_default("ffts_mode")? {
        0 => Some(FlagReach::Blocks),
        1 => Some(FlagReach::VectorCores),
        2 => Some(FlagReach::Block),
        _ => None,
    }
}

impl Decoder<'_> {
    pub(super) fn signal(&mut self, operation: &Operation, set: bool, between: Between) {
        // The rules of `op/sync` have checked constant modes and numbers.
        let Some(reach) = reach(between, operation, self.profile) else { return };
        let id = match operation.operand("id") {
            Some(operand) => Extent::Slot(self.scalar(operand.value)),
            None => Extent::Fixed(number(operation, "id", 0) as u32),
        };
        let pipe = operation.word("pipe").and_then(Pipe::from_word).unwrap_or(Pipe::All);
        self.push_exchange(ExchangeStep::Signal { set, reach, id, pipe });
    }

    pub(super) fn meeting(&mut self, operation: &Operation) {
        let (cube, vector) = match operation.word("core_type") {
            Some("aiv_only") => (false, true),
            Some("aic_only") => (true, false),
            Some("mix") => (true, true),
            _ => return,
        };
        let values: Vec<_> = operation.operands.iter().map(|operand| operand.value).collect();
        let slots: Vec<_> = values.into_iter().map(|value| self.slot(value)).collect();
        let used = match slots.get(1) {
            Some(Slot::Scalar(used)) => Some(*used),
            _ => None,
        };
        let workspace = slots.first().copied();
        self.push_exchange(ExchangeStep::Meet(Meeting { cube, vector, workspace, used }));
    }
}
