//! Conflicts that watchers found, on the timeline.

use super::recording::{Recording, Step};
use super::timing::Timing;
use pto_isa::pipe::Pipe;
use pto_machine::observe::ConflictBytes;
use std::collections::BTreeMap;

/// Two accesses to the same bytes that no synchronization orders, or the second of which overwrites a value that is read
/// later.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// Id of the rule, such as `race::read-after-write`.
    pub rule: String,
    /// The accesses, earlier one first.
    pub accesses: [ConflictAccess; 2],
    /// The bytes; `None` in global memory.
    pub bytes: Option<ConflictBytes>,
    /// Number of occurrences.
    pub count: u64,
}

/// One access of a conflict.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConflictAccess {
    /// The operation, among [`Recording::sources`].
    pub source: u32,
    /// Name of the operand, without `%`.
    pub operand: String,
    /// The core, among those of the timing.
    pub core: u32,
    /// The pipe that performs it.
    pub pipe: Pipe,
    /// Whether it changes the bytes.
    pub writes: bool,
    /// Which run of the operation on its core it is, from 1.
    pub run: u32,
}

impl Recording {
    /// The step of a run of an operation on a core.
    fn step_of(&self, access: &ConflictAccess) -> Option<(u32, u32)> {
        let stream = self.streams.get(access.core as usize)?;
        let is_run = |step: &u32| match self.steps[*step as usize] {
            Step::Work { work, .. } => self.works[work as usize].source == access.source,
            _ => false,
        };
        let mut runs = stream.steps.iter().enumerate().filter(|(_, step)| is_run(step));
        let (step, _) = runs.nth(access.run.saturating_sub(1) as usize)?;
        Some((access.core, step as u32))
    }

    /// When the accesses of the conflicts ran: for each, an index among [`Timing::spans`], if it is on the timeline.
    pub fn conflict_spans(&self, timing: &Timing) -> Vec<[Option<usize>; 2]> {
        let steps: Vec<[Option<(u32, u32)>; 2]> = self
            .conflicts
            .iter()
            .map(|conflict| conflict.accesses.each_ref().map(|access| self.step_of(access)))
            .collect();
        let mut spans: BTreeMap<(u32, u32), Option<usize>> =
            steps.iter().flatten().flatten().map(|step| (*step, None)).collect();
        for (index, span) in timing.spans().iter().enumerate() {
            if let Some(found) = spans.get_mut(&(span.core, span.step)) {
                // Of several pipes of an instruction, the last one counts.
                *found = Some(index);
            }
        }
        let found = |step: Option<(u32, u32)>| step.and_then(|step| spans.get(&step).copied().flatten());
        steps.into_iter().map(|pair| pair.map(found)).collect()
    }
}
