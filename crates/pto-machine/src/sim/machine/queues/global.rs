//! Queues with slots in global memory: the program stores to a slot before it pushes it, and loads from a slot before it
//! frees it. Source: `docs/isa/TALLOC.md`.

use super::super::step::{Stop, rule};
use super::super::{Core, CoreKind, Frame, Machine};
use super::{Queue, Wait, peer};
use crate::sim::code::{GlobalEntry, Route};
use pto_isa::exec::global::NOWHERE;
use pto_isa::exec::state::{Slot, View};
use pto_isa::rules;
use pto_isa::types::MAX_RANK;

/// The first slot, given by a view or a pointer.
pub(super) fn slot_in_global(core: &Core, frame: Frame, slot: Slot) -> View {
    match slot {
        Slot::View(slot) => core.views[frame.views + slot as usize],
        Slot::Scalar(slot) => {
            View { address: core.scalars[frame.scalars + slot as usize], ..View::default() }
        }
        _ => View { address: NOWHERE, ..View::default() },
    }
}

/// The view of an entry: with the strides of the first slot, or row-major if only its address is known.
pub(super) fn entry_view(first: Option<&View>, entry: &GlobalEntry, address: u64) -> View {
    let mut view = View { address, ..View::default() };
    let rank = entry.shape.len().min(MAX_RANK);
    view.rank = rank as u8;
    view.shape = [1; MAX_RANK];
    view.shape[..rank].copy_from_slice(&entry.shape[..rank]);
    let mut stride = 1i64;
    for at in (0..rank).rev() {
        view.strides[at] = stride;
        stride = stride.saturating_mul(view.shape[at] as i64);
    }
    if let Some(first) = first.filter(|first| usize::from(first.rank) == rank) {
        view.strides = first.strides;
        for at in 0..rank {
            if view.shape[at] == 0 {
                view.shape[at] = first.shape[at];
            }
        }
    }
    view
}

/// Offset in elements of a vector core's half within a slot.
fn part(view: &View, split: u8, core: &Core) -> i64 {
    let rank = usize::from(view.rank);
    let axis = match split {
        1 => rank.checked_sub(2),
        2 => rank.checked_sub(1),
        _ => None,
    };
    match (axis, core.kind) {
        (Some(axis), CoreKind::Vector(index)) => {
            i64::from(index).saturating_mul((view.shape[axis] / 2) as i64).saturating_mul(view.strides[axis])
        }
        _ => 0,
    }
}

impl Queue {
    /// Number of slots that every consumer has given back.
    pub(super) fn given_back(&self, to_vector: bool, partners: usize) -> u64 {
        let consumers = if to_vector { partners } else { 1 };
        self.returned[..consumers].iter().copied().min().unwrap_or(0)
    }
}

impl Machine<'_> {
    /// The next slot for a core.
    pub(super) fn take(
        &mut self,
        core: &Core,
        route: Route,
        entry: &GlobalEntry,
        allocates: bool,
    ) -> Result<View, Stop> {
        let (me, partners) = (core.kind.index(), self.partners(route));
        let queue = self.queue(route)?;
        let Some(first) = queue.global else {
            let message =
                format!("queue {} has no slots in global memory: it has no gm_slot_tensor", route.id);
            return rule(&rules::queue::INITIALIZE, message);
        };
        let taken = if allocates {
            if queue.allocated[me] - queue.given_back(route.to_vector, partners) >= queue.slots {
                let what = format!("a free slot of queue {} from {}", route.id, peer(route.to_vector));
                return Err(Stop::Wait(Wait { what }));
            }
            queue.allocated[me] += 1;
            queue.allocated[me] - 1
        } else {
            let producers = if route.to_vector { 1 } else { partners };
            if queue.pushed[..producers].iter().any(|pushed| *pushed <= queue.popped[me]) {
                let what = format!("an entry of queue {} from {}", route.id, peer(!route.to_vector));
                return Err(Stop::Wait(Wait { what }));
            }
            if queue.has_tiles() {
                let message = format!("the entry of queue {} is a tile, no slot in global memory", route.id);
                return rule(&rules::queue::ENTRY, message);
            }
            queue.popped[me] += 1;
            queue.popped[me] - 1
        };
        let (slot, size) = (taken % queue.slots, queue.size);
        let mut view = entry_view(Some(&first), entry, first.address);
        let elements: u64 = entry.shape.iter().product();
        if elements.saturating_mul(u64::from(entry.bits)).div_ceil(8) > size {
            let message = format!("an entry of {elements} elements is larger than a slot of {size} bytes");
            return rule(&rules::queue::SLOT_SIZE, message);
        }
        let at = i128::from(slot) * i128::from(size)
            + i128::from(part(&view, route.split, core)) * i128::from(entry.bits) / 8;
        view.address = self.state.global.moved(first.address, at);
        Ok(view)
    }

    /// Pushes the slot that a core has filled.
    pub(super) fn commit(&mut self, core: &Core, route: Route) -> Result<(), Stop> {
        let (me, partners) = (core.kind.index(), self.partners(route));
        let queue = self.queue(route)?;
        if !route.to_vector && me >= partners {
            return Ok(());
        }
        if queue.pushed[me] >= queue.allocated[me] {
            let message = format!("no slot of queue {} has been allocated to be pushed", route.id);
            return rule(&rules::queue::ALLOCATE, message);
        }
        queue.pushed[me] += 1;
        Ok(())
    }
}
