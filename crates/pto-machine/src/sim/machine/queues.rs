//! Queues between the cube core and the vector cores while the program runs.
//!
//! A queue has a fixed number of slots. A producer waits for a free one, a consumer for a full one; entries are popped in
//! the order in which they were pushed, so results do not depend on which core runs first. An entry holds elements; the
//! consumer's tile receives them in its own layout, in its own slot.

mod global;
mod packing;
mod stored;
mod tiles;

use super::super::code::{ExchangeStep, FunctionCode, Route};
use super::super::event::{Place, What};
use super::flags::{CoreFlag, Flags};
use super::step::{Stop, rule};
use super::{Core, CoreKind, Frame, Machine};
use global::{entry_view, slot_in_global};
use pto_isa::exec::global::NOWHERE;
use pto_isa::exec::state::{Live, View};
use pto_isa::op::epilogue::Epilogue;
use pto_isa::profile::QueueForm;
use pto_isa::rules;
use pto_isa::strided_range::StridedRange;
use std::collections::{BTreeMap, VecDeque};
pub(super) use stored::InSlot;
use tiles::{Entry, part};

/// The reason why a core waits, for messages.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Wait {
    pub(in crate::sim) what: String,
}

/// One direction of a queue. Arrays are indexed by core: the vector-core index; 0 for the cube core.
pub(super) struct Queue {
    pub(super) slots: u64,
    pub(super) local: u64,
    pub(super) size: u64,
    pub(super) epilogue: Option<Epilogue>,
    /// Address of the consumer's slots, in bytes of the block's memory; `None` until the consumer opens the queue.
    pub(super) base: Option<usize>,
    /// The first slot in global memory.
    pub(super) global: Option<View>,
    /// Address of the slots in global memory, if entries of tiles pass through it.
    memory: Option<u64>,
    /// The bytes of a slot in global memory that each core accessed last.
    in_slot: [Option<InSlot>; 2],
    /// Number of slots in global memory that each producer has allocated.
    pub(super) allocated: [u64; 2],
    /// Entries that at least one consumer has not popped, for each producer.
    entries: [VecDeque<Entry>; 2],
    pub(super) pushed: [u64; 2],
    pub(super) popped: [u64; 2],
    /// Number of entries that each consumer has freed.
    freed: [u64; 2],
    /// Number of slots that each consumer has freed: a pop of a tile through memory frees its slot itself.
    pub(super) returned: [u64; 2],
    /// Bytes of the tiles that each consumer has popped and not freed, if their slots are on chip.
    held: [VecDeque<StridedRange>; 2],
}

impl Exchange {
    /// Number of slots of a queue.
    pub(super) fn slots(&self, route: Route) -> u64 {
        self.queue(route).map_or(1, |queue| queue.slots)
    }

    fn queue(&self, route: Route) -> Option<&Queue> {
        self.queues.get(&(route.id, route.to_vector))
    }

    /// The number of the entry that a core pushed last.
    pub(super) fn last_pushed(&self, route: Route, core: usize) -> u64 {
        self.queue(route).map_or(0, |queue| queue.pushed[core].saturating_sub(1))
    }

    /// The number of the entry whose slot a core allocated last.
    pub(super) fn last_allocated(&self, route: Route, core: usize) -> u64 {
        self.queue(route).map_or(0, |queue| queue.allocated[core].saturating_sub(1))
    }

    /// The number of the slot that a core gave back last.
    pub(super) fn last_returned(&self, route: Route, core: usize) -> u64 {
        self.queue(route).map_or(0, |queue| queue.returned[core].saturating_sub(1))
    }

    /// The bytes of the oldest tile that a core has popped and not freed, which no longer count as held.
    pub(super) fn let_go(&mut self, route: Route, core: usize) -> Option<StridedRange> {
        self.queues.get_mut(&(route.id, route.to_vector))?.held[core].pop_front()
    }

    /// The bytes of a slot in global memory that a core accessed last.
    pub(super) fn in_slot(&self, route: Route, core: usize) -> Option<InSlot> {
        self.queue(route)?.in_slot[core]
    }

    /// The number of the entry that a core popped last.
    pub(super) fn taken(&self, route: Route, core: usize) -> u64 {
        self.queue(route).map_or(0, |queue| queue.popped[core].saturating_sub(1))
    }
}

impl Queue {
    /// Whether the queue holds tiles.
    pub(super) fn has_tiles(&self) -> bool {
        self.entries.iter().any(|entries| !entries.is_empty())
    }
}

/// Communication state of the cores of a block: queues, by number and direction, and flags.
#[derive(Default)]
pub(in crate::sim) struct Exchange {
    pub(super) flags: Flags,
    queues: BTreeMap<(i128, bool), Queue>,
}

/// The name of the core at the other end.
pub(super) fn peer(vector: bool) -> &'static str {
    if vector { "a vector core" } else { "the cube core" }
}

/// The sizes of a queue that an operation opens.
struct QueueSizes {
    /// Slots.
    slots: u64,
    /// Slots on chip, at the consumer.
    local: u64,
    /// Bytes of a slot.
    size: u64,
}

impl Machine<'_> {
    /// Runs one exchange step, or returns the reason to wait.
    pub(super) fn exchange(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
        origin: usize,
    ) -> Result<(), Stop> {
        let at = Place::of(frame.function, code.origins[origin]);
        let measuring = self.state.reach.is_some();
        match &code.exchanges[index] {
            ExchangeStep::Open { id, directions, slots, local, size, bases, global, memory, epilogue } => {
                let global = global.map(|slot| slot_in_global(core, frame, slot));
                let all = u64::from(*slots).saturating_mul(*size);
                if let Some(place) = global.filter(|_| measuring) {
                    self.note_reach(place.address, place.address.saturating_add(all.saturating_sub(1)));
                }
                let in_memory = self.program.profile.queues == QueueForm::InMemory;
                let memory =
                    memory.filter(|_| in_memory).map(|slot| core.scalars[frame.scalars + slot as usize]);
                if let Some(address) = memory {
                    let all = all.saturating_mul(directions.iter().filter(|there| **there).count() as u64);
                    if measuring {
                        self.note_reach(address, address.saturating_add(all.saturating_sub(1)));
                    } else {
                        self.holds_slots(address, all)?;
                    }
                }
                let named = global.filter(|_| self.program.profile.is_device()).map(|slot| slot.address);
                let first = memory.or(named);
                for to_vector in [false, true] {
                    if !directions[usize::from(to_vector)] || measuring {
                        continue;
                    }
                    let base =
                        bases[usize::from(to_vector)].map(|slot| core.scalars[frame.scalars + slot as usize]);
                    let sizes =
                        QueueSizes { slots: u64::from(*slots), local: u64::from(*local), size: *size };
                    self.open(core, (*id, to_vector), sizes, *epilogue, base, global.is_some())?;
                    // Slots to the cube core follow the slots to the vector cores.
                    let behind = if !to_vector && directions[1] { all } else { 0 };
                    if let Some(queue) = self.state.exchange.queues.get_mut(&(*id, to_vector)) {
                        queue.global = queue.global.or(global);
                        queue.memory = queue.memory.or(first.map(|address| address.saturating_add(behind)));
                    }
                }
                Ok(())
            }
            ExchangeStep::Pop { to, ty, .. } if measuring => {
                core.tiles[frame.tiles + *to as usize] = Live { address: 0, rows: ty.rows, cols: ty.cols };
                Ok(())
            }
            ExchangeStep::Take { entry, .. } if measuring => {
                core.views[frame.views + entry.to as usize] = entry_view(None, entry, NOWHERE);
                Ok(())
            }
            _ if measuring => Ok(()),
            ExchangeStep::Signal { set, reach, id, pipe } => {
                let flag = CoreFlag { reach: *reach, id: *id, pipe: *pipe };
                self.signal(core, frame, at, *set, flag)
            }
            ExchangeStep::Meet(meeting) => self.meet(core, frame, at, meeting),
            ExchangeStep::Push { route, tile, ty, epilogue, accumulators, .. } => {
                let tiles = &core.tiles[frame.tiles..];
                let operation = code.origins[origin];
                self.take_accumulators(&mut core.registers, tiles, accumulators, code, operation)?;
                self.push(core, *route, core.tiles[frame.tiles + *tile as usize], ty, epilogue.as_ref())
            }
            ExchangeStep::Pop { route, to, ty, extents, .. } => {
                let given = extents.map(|slot| slot.map(|slot| core.scalars[frame.scalars + slot as usize]));
                let (live, unlike) = self.pop(core, *route, ty, given)?;
                core.tiles[frame.tiles + *to as usize] = live;
                if let Some(unlike) = unlike.filter(|_| self.program.profile.is_device()) {
                    self.tell(core.id(), at, What::Unlike { queue: route.id, unlike });
                }
                Ok(())
            }
            ExchangeStep::Free { route } => self.free(core, *route),
            ExchangeStep::Take { route, entry, allocates } => {
                let view = self.take(core, *route, entry, *allocates)?;
                core.views[frame.views + entry.to as usize] = view;
                Ok(())
            }
            ExchangeStep::Commit { route } => self.commit(core, *route),
        }
    }

    fn open(
        &mut self,
        core: &Core,
        key: (i128, bool),
        sizes: QueueSizes,
        epilogue: Option<Epilogue>,
        base: Option<u64>,
        is_global: bool,
    ) -> Result<(), Stop> {
        let QueueSizes { slots, local, size } = sizes;
        let queue = self.state.exchange.queues.entry(key).or_insert_with(|| Queue {
            slots,
            local,
            size,
            epilogue,
            base: None,
            global: None,
            memory: None,
            in_slot: [None; 2],
            allocated: [0; 2],
            entries: Default::default(),
            pushed: [0; 2],
            popped: [0; 2],
            freed: [0; 2],
            returned: [0; 2],
            held: Default::default(),
        });
        if (queue.slots, queue.size) != (slots, size) {
            let message = format!(
                "queue {} has {slots} slots of {size} bytes here, {} of {} in the other function",
                key.0, queue.slots, queue.size
            );
            return rule(&rules::queue::AGREEMENT, message);
        }
        if queue.epilogue != epilogue {
            let message =
                format!("queue {} has another `acc_push_epilogue` here than in the other function", key.0);
            return rule(&rules::queue::AGREEMENT, message);
        }
        let consumes = key.1 != matches!(core.kind, CoreKind::Cube);
        if !consumes {
            return Ok(());
        }
        queue.local = local;
        let map = &self.program.map;
        let start = if key.1 { 0 } else { map.base[pto_isa::memory::Buffer::L1 as usize] };
        let end = if key.1 { map.vector_stride } else { map.spare.0 };
        let at = usize::try_from(base.unwrap_or(0)).ok().and_then(|base| base.checked_add(start));
        let room = local.checked_mul(size).and_then(|bytes| usize::try_from(bytes).ok());
        match at.zip(room).and_then(|(at, room)| Some((at, at.checked_add(room)?))) {
            Some((at, last)) if last <= end => queue.base = Some(at),
            // The consumer reads slots in global memory: it needs none on chip.
            _ if is_global && base.is_none() => {}
            _ => {
                let message = format!(
                    "{local} slots of {size} bytes from {} on end beyond the buffer",
                    base.unwrap_or(0)
                );
                return rule(&rules::queue::CAPACITY, message);
            }
        }
        Ok(())
    }

    /// Checks that the buffer at an address has the bytes of all slots.
    fn holds_slots(&self, address: u64, bytes: u64) -> Result<(), Stop> {
        let Some((buffer, start)) = self.state.global.locate(address) else { return Ok(()) };
        let has = (self.state.global.buffer(buffer).size() as u64).saturating_sub(start);
        if has >= bytes {
            return Ok(());
        }
        let message = format!(
            "the slots of the queue take {bytes} bytes of `{}`, which has {has} from there on",
            self.state.global.buffer(buffer).name
        );
        rule(&rules::queue::MEMORY, message)
    }

    pub(super) fn queue(&mut self, route: Route) -> Result<&mut Queue, Stop> {
        match self.state.exchange.queues.get_mut(&(route.id, route.to_vector)) {
            Some(queue) => Ok(queue),
            None => {
                let way = if route.to_vector { "the vector cores" } else { "the cube core" };
                rule(&rules::queue::INITIALIZE, format!("queue {} to {way} is not initialized", route.id))
            }
        }
    }

    /// Number of vector cores that use the queue.
    pub(super) fn partners(&self, route: Route) -> usize {
        if route.split == 0 { 1 } else { self.program.vector_strands() }
    }
}
