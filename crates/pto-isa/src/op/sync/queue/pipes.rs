//! The pipes of queues: the pipe that waits, the pipe that accesses the tile of an entry, and the pipe after which
//! the other end continues. Pages, decoder, watchers, synchronizer and timeline use this table.
//!
//! A queue has two forms on devices. *In memory*, an entry passes through a slot in global memory: a push stores it,
//! a pop loads it on MTE2 into the consumer's buffer and frees the slot itself, so that `tfree` of a tile does
//! nothing. *On chip*, a push writes the consumer's buffer directly, a pop only names the slot, and `tfree` frees it.
//! On A2/A3 every queue is in memory; on A5 only queues that name their slots there.
//!
//! Sources: `include/pto/npu/a2a3/TPush.hpp` and `include/pto/npu/a5/TPush.hpp` (`allocate`, `record`, `wait`,
//! `free`, `popVecTileFromGMFiFo`), `TPop.hpp` and `TFree.hpp` next to them, `docs/isa/TPOP.md` and
//! `docs/isa/TFREE.md`.

use crate::layout::LayoutName;
use crate::meaning::{Core, EntryAction};
use crate::op::site::Site;
use crate::pipe::Pipe;
use crate::profile::{Profile, QueueForm};

/// Memory of the slots of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    /// In the buffer of the consumer.
    OnChip,
    /// In global memory.
    InMemory,
}

impl Slots {
    /// The slots of a queue on a profile; `named` if the program names slots in global memory by a tensor.
    pub fn of(named: bool, profile: Profile) -> Slots {
        if named || profile.capabilities().queues == QueueForm::InMemory {
            Slots::InMemory
        } else {
            Slots::OnChip
        }
    }
}

/// The number of pushed entries from which on a producer waits, at the latest at its end, until all slots are freed:
/// A2/A3 frees slots in two groups; A5 one by one, once more than all are used. `None` on `cpu`, whose queues end
/// with the launch.
pub fn pushes_that_wait(profile: Profile, slots: u64) -> Option<u64> {
    match profile.capabilities().queues {
        QueueForm::OfNoDevice => None,
        QueueForm::InMemory if slots > 2 => Some(slots / 2),
        QueueForm::InMemory => Some(slots),
        QueueForm::OnChip => Some(slots.saturating_add(1)),
    }
}

/// The queue of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFact {
    /// Whether the program names slots in global memory by a tensor.
    pub names_memory: bool,
    /// The kind of core that consumes the entries.
    pub consumer: Core,
    /// The layout of the entries on chip.
    pub layout: LayoutName,
}

/// The pipes of one operation on an entry of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryPipes {
    /// The pipe that waits, for a free slot or for an entry. After the scalar unit, every later instruction waits.
    pub waits: Option<Pipe>,
    /// The pipe that reads the tile to push it, writes the popped tile, or releases the tile in a freed slot; `None`
    /// if no pipe accesses a tile, or if the queue itself orders the access.
    pub accesses: Option<Pipe>,
    /// The pipe after whose earlier instructions the other end may continue, with a pushed entry or with a free slot.
    pub signals: Option<Pipe>,
}

impl EntryPipes {
    const fn waiting(pipe: Pipe) -> EntryPipes {
        EntryPipes { waits: Some(pipe), accesses: None, signals: None }
    }

    const fn signalling(pipe: Pipe) -> EntryPipes {
        EntryPipes { waits: None, accesses: None, signals: Some(pipe) }
    }

    const fn all(waits: Pipe, accesses: Pipe, signals: Pipe) -> EntryPipes {
        EntryPipes { waits: Some(waits), accesses: Some(accesses), signals: Some(signals) }
    }

    const NONE: EntryPipes = EntryPipes { waits: None, accesses: None, signals: None };

    /// The pipes of `action`, performed by `core`, on a tile or on a slot in global memory that the program accesses itself.
    pub fn of(profile: Profile, slots: Slots, action: EntryAction, core: Core, is_tile: bool) -> EntryPipes {
        use EntryAction::{Allocate, Free, Pop, Push};
        let pushes = if core == Core::Cube { Pipe::Fixpipe } else { Pipe::Mte3 };
        let form = profile.capabilities().queues;
        if form == QueueForm::OfNoDevice {
            return match action {
                Allocate | Pop => EntryPipes::waiting(Pipe::All),
                Push if is_tile => EntryPipes::all(Pipe::All, pushes, Pipe::All),
                Push | Free => EntryPipes::signalling(Pipe::All),
            };
        }
        let scalar_waits = form == QueueForm::InMemory;
        let waits_for = |pipe: Pipe| if scalar_waits { Pipe::Scalar } else { pipe };
        let uses = if core == Core::Cube { Pipe::Mte1 } else { Pipe::Vector };
        // Cube cores of A5 give slots in memory back from MTE1, although MTE2 has loaded them.
        let returns = if scalar_waits || core == Core::Vector { Pipe::Mte2 } else { Pipe::Mte1 };
        match (action, slots, is_tile) {
            (Allocate, ..) => EntryPipes::waiting(waits_for(pushes)),
            (Push, _, true) => EntryPipes::all(waits_for(pushes), pushes, pushes),
            (Push, _, false) => EntryPipes::signalling(pushes),
            (Pop, Slots::OnChip, _) => EntryPipes { signals: None, ..EntryPipes::all(uses, uses, uses) },
            (Pop, Slots::InMemory, true) => EntryPipes::all(waits_for(Pipe::Mte2), Pipe::Mte2, returns),
            (Pop, Slots::InMemory, false) => EntryPipes::waiting(waits_for(Pipe::Mte2)),
            (Free, Slots::OnChip, _) => EntryPipes { waits: None, ..EntryPipes::all(uses, uses, uses) },
            (Free, Slots::InMemory, true) => EntryPipes::NONE,
            (Free, Slots::InMemory, false) => EntryPipes::signalling(returns),
        }
    }

    /// The pipes of `action` at a site. The entry is a tile unless it is a view.
    pub(in crate::op::sync) fn at(site: &Site<'_>, action: EntryAction, to: Option<Core>) -> EntryPipes {
        let entry = ["value", "result"].into_iter().find(|role| site.operand(role).is_some());
        let is_tile = entry.is_none_or(|role| site.view(role).is_none());
        let named = site.queue.is_some_and(|queue| queue.names_memory);
        let consumer = to.or(site.queue.map(|queue| queue.consumer)).unwrap_or(Core::Vector);
        let (slots, core) = (Slots::of(named, site.profile), action.core(consumer));
        EntryPipes::of(site.profile, slots, action, core, is_tile && action != EntryAction::Allocate)
    }

    /// The pipe of the instruction in tables: the pipe that accesses the tile, else the pipe that signals or waits.
    pub(in crate::op::sync) fn usual(self) -> Pipe {
        match self.accesses.or(self.signals).or(self.waits) {
            Some(Pipe::All) | None => Pipe::Scalar,
            Some(pipe) => pipe,
        }
    }
}
