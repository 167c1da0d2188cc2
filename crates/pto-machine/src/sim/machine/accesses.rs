//! The accesses of instructions. Executions of an operation in a loop mostly differ only in the first bytes of its
//! views. The last executions are kept, so that little is computed again.

use super::super::code::TileStep;
use super::super::event::{Place, Touched};
use super::super::operands::{Operand, Operands, RunningCore};
use crate::sim::by_place::ByPlace;
use pto_isa::exec::global::in_same_buffer;
use pto_isa::exec::state::Slot;

/// Number of kept executions of an operation: enough for a loop that alternates between two or four buffers.
const RECENT: usize = 4;

/// Executions with more ranges than this are not remembered.
const MOST_RANGES: usize = 64;

/// Whether a slot holds the value of an operand, or a view of the same buffer that differs only in its first byte.
fn is_like(operand: &Operand, slot: Slot, now: &Operands<'_>) -> bool {
    match (operand, slot) {
        (Operand::Tile(tile), Slot::Tile(slot)) => *tile == now.tiles[slot as usize],
        (Operand::View(view), Slot::View(slot)) => {
            let other = &now.views[slot as usize];
            in_same_buffer(view.address, other.address) && view.is_like(other)
        }
        (Operand::Scalar(value), Slot::Scalar(slot)) => *value == now.scalars[slot as usize],
        _ => false,
    }
}

/// An execution of an operation.
#[derive(Debug, Default)]
struct Execution {
    core: RunningCore,
    /// Operands in the order of [`Footprint::inputs`](super::super::footprint::Footprint::inputs).
    operands: Vec<Operand>,
    touched: Vec<Touched>,
    signature: u64,
}

impl Execution {
    /// Becomes the execution of an instruction.
    fn become_that(&mut self, step: &TileStep, operands: &Operands<'_>, signature: u64) {
        (self.core, self.signature) = (operands.core, signature);
        self.operands.clear();
        self.operands.extend(step.footprint.inputs.iter().filter_map(|slot| operands.given().operand(*slot)));
        self.touched.clear();
        operands.touched(&step.footprint.touches, &mut self.touched);
    }

    /// Whether the operands are like those of this execution.
    fn is_like(&self, step: &TileStep, operands: &Operands<'_>) -> bool {
        let mut pairs = self.operands.iter().zip(&step.footprint.inputs);
        self.core == operands.core && pairs.all(|(operand, slot)| is_like(operand, *slot, operands))
    }

    /// Moves the accesses to views to the current first bytes of the views.
    fn follow(&mut self, step: &TileStep, operands: &Operands<'_>) {
        for (operand, slot) in self.operands.iter_mut().zip(&step.footprint.inputs) {
            let (Operand::View(view), Slot::View(slot)) = (operand, *slot) else { continue };
            let address = operands.views[slot as usize].address;
            let moved = address.wrapping_sub(std::mem::replace(&mut view.address, address));
            if moved == 0 {
                continue;
            }
            for touched in &mut self.touched {
                if step.footprint.touches[usize::from(touched.index)].view() == Some(slot) {
                    touched.range.start = touched.range.start.wrapping_add(moved);
                    touched.start = touched.start.wrapping_add(moved);
                }
            }
        }
    }
}

/// The last executions of an operation, as indices among all.
#[derive(Debug, Default)]
struct Recent {
    executions: Vec<usize>,
    /// The one that is replaced next.
    next: usize,
}

impl Recent {
    /// The index of the execution to replace, which is a new one if there are few.
    fn oldest(&mut self, executions: &mut Vec<Execution>) -> usize {
        if self.next == self.executions.len() {
            self.executions.push(executions.len());
            executions.push(Execution::default());
        }
        let at = self.executions[self.next];
        self.next = (self.next + 1) % RECENT;
        at
    }
}

/// The accesses of the current instruction, and of the last executions of each operation.
#[derive(Default)]
pub(super) struct Accesses {
    operations: ByPlace<Recent>,
    executions: Vec<Execution>,
    /// An execution that is not kept.
    passing: Execution,
    /// Index of the current instruction's execution among the kept ones.
    current: Option<usize>,
    /// Number of executions that were unlike all kept ones.
    count: u64,
}

impl Accesses {
    /// The accesses of the current instruction.
    pub(super) fn touched(&self) -> &[Touched] {
        &self.current().touched
    }

    /// The [`signature`](super::super::event::Work::signature) of the current instruction.
    pub(super) fn signature(&self) -> u64 {
        self.current().signature
    }

    fn current(&self) -> &Execution {
        self.current.map_or(&self.passing, |at| &self.executions[at])
    }

    /// The current instruction has no accesses that matter.
    pub(super) fn clear(&mut self) {
        self.current = None;
        self.passing.touched.clear();
    }

    /// Determines the accesses of an instruction, which becomes the current one.
    pub(super) fn look(&mut self, place: Place, step: &TileStep, operands: &Operands<'_>) {
        let recent = self.operations.get_or_insert_with(place, Recent::default);
        let is_like = |at: &usize| self.executions[*at].is_like(step, operands);
        if let Some(at) = recent.executions.iter().copied().find(is_like) {
            self.executions[at].follow(step, operands);
            self.current = Some(at);
            debug_assert!(self.is_true(step, operands));
            return;
        }
        self.count += 1;
        self.passing.become_that(step, operands, self.count);
        self.current = (self.passing.touched.len() <= MOST_RANGES).then(|| {
            let at = recent.oldest(&mut self.executions);
            std::mem::swap(&mut self.passing, &mut self.executions[at]);
            at
        });
    }

    /// Whether the accesses equal those computed from the operands.
    fn is_true(&self, step: &TileStep, operands: &Operands<'_>) -> bool {
        let mut touched = Vec::new();
        operands.touched(&step.footprint.touches, &mut touched);
        self.touched() == touched
    }
}
