//! Queues between the cube core and the vector cores while the program runs.
//!
//! A queue has a fixed number of slots. A producer waits for a free one, a consumer for a full one; entries are popped in
//! the order in which they were pushed, so results do not depend on which core runs first. An entry holds elements; the
//! consumer's tile receives them in its own layout, in its own slot.

mod global;
mod packing;
mod stored;

use super::super::code::{ExchangeStep, FunctionCode, Route};
use super::super::event::{Place, Unlike, What};
use super::flags::Flags;
use super::step::{Stop, rule};
use super::{Core, CoreKind, Frame, Machine};
use global::{entry_view, slot_in_global};
use packing::unlike;
use pto_isa::element::{Element, element_word};
use pto_isa::exec::global::NOWHERE;
use pto_isa::exec::state::{Live, View};
use pto_isa::layout::Layout;
use pto_isa::op::Slots;
use pto_isa::op::epilogue::Epilogue;
use pto_isa::profile::QueueForm;
use pto_isa::rules;
use pto_isa::strided_range::StridedRange;
use pto_isa::tile::TileType;
use pto_kernels::{Placement, transfer};
use std::collections::{BTreeMap, VecDeque};
pub(super) use stored::InSlot;

/// The reason why a core waits, for messages.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Wait {
    pub(in crate::sim) what: String,
}

/// The elements of a pushed tile, row-major.
struct Entry {
    rows: usize,
    cols: usize,
    /// Rows and columns of the type of the pushed tile.
    declared: (u32, u32),
    element: Element,
    bytes: Vec<u8>,
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
    /// Its address, if entries of tiles pass through global memory.
    memory: Option<u64>,
    /// The bytes there that each core accessed last.
    in_slot: [Option<InSlot>; 2],
    /// Number of slots in global memory that each producer has allocated.
    pub(super) allocated: [u64; 2],
    /// Entries that some consumer has not popped, for each producer.
    entries: [VecDeque<Entry>; 2],
    pub(super) pushed: [u64; 2],
    pub(super) popped: [u64; 2],
    /// Number of entries that each consumer has freed.
    freed: [u64; 2],
    /// Number of slots that each consumer has given back: a pop of a tile through memory gives its slot back itself.
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
    /// Whether it holds tiles.
    pub(super) fn has_tiles(&self) -> bool {
        self.entries.iter().any(|entries| !entries.is_empty())
    }
}

/// What the cores of a block share for communication: queues, by number and direction, and flags.
#[derive(Default)]
pub(in crate::sim) struct Exchange {
    pub(super) flags: Flags,
    queues: BTreeMap<(i128, bool), Queue>,
}

/// A vector core's half of an entry: first row and column, then rows and columns; `None` if the split does not allow an odd extent.
fn part(split: u8, core: u32, rows: usize, cols: usize) -> Option<((usize, usize), (usize, usize))> {
    let second = core == 1;
    let half = |extent: usize, odd: bool| {
        let first = if odd { extent.div_ceil(2) } else { extent / 2 };
        let fits = odd || extent.is_multiple_of(2);
        fits.then_some(if second { (first, extent - first) } else { (0, first) })
    };
    Some(match split {
        1 | 3 => {
            let (at, rows) = half(rows, split == 3)?;
            ((at, 0), (rows, cols))
        }
        2 | 4 => {
            let (at, cols) = half(cols, split == 4)?;
            ((0, at), (rows, cols))
        }
        _ => ((0, 0), (rows, cols)),
    })
}

/// The name of the core at the other end.
pub(super) fn peer(vector: bool) -> &'static str {
    if vector { "a vector core" } else { "the cube core" }
}

impl Machine<'_> {
    /// Runs one exchange step, or returns the reason to wait.
    pub(super) fn exchange(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        (index, origin): (usize, usize),
    ) -> Result<(), Stop> {
        let at = Place::of(frame.function, code.origins[origin]);
        let measuring = self.reach.is_some();
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
                for to_vector in [false, true] {
                    if !directions[usize::from(to_vector)] || measuring {
                        continue;
                    }
                    let base =
                        bases[usize::from(to_vector)].map(|slot| core.scalars[frame.scalars + slot as usize]);
                    let sizes = ([*slots, *local].map(u64::from), *size);
                    self.open(core, (*id, to_vector), sizes, *epilogue, (base, global.is_some()))?;
                    // Slots to the cube core lie behind those to the vector cores.
                    let behind = if !to_vector && directions[1] { all } else { 0 };
                    if let Some(queue) = self.exchange.queues.get_mut(&(*id, to_vector)) {
                        queue.global = queue.global.or(global);
                        queue.memory = queue.memory.or(memory.map(|address| address.saturating_add(behind)));
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
                self.signal(core, (frame, at), *set, (*reach, *id), *pipe)
            }
            ExchangeStep::Meet(meeting) => self.meet(core, (frame, at), meeting),
            ExchangeStep::Push { route, tile, ty, epilogue, accumulators, .. } => {
                let tiles = &core.tiles[frame.tiles..];
                let operation = code.origins[origin];
                self.take_accumulators(&mut core.registers, tiles, accumulators, (code, operation))?;
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
        ([slots, local], size): ([u64; 2], u64),
        epilogue: Option<Epilogue>,
        (base, is_global): (Option<u64>, bool),
    ) -> Result<(), Stop> {
        let queue = self.exchange.queues.entry(key).or_insert_with(|| Queue {
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
        let Some((buffer, start)) = self.global.locate(address) else { return Ok(()) };
        let has = (self.global.buffer(buffer).size() as u64).saturating_sub(start);
        if has >= bytes {
            return Ok(());
        }
        let message = format!(
            "the slots of the queue take {bytes} bytes of `{}`, which has {has} from there on",
            self.global.buffer(buffer).name
        );
        rule(&rules::queue::MEMORY, message)
    }

    pub(super) fn queue(&mut self, route: Route) -> Result<&mut Queue, Stop> {
        match self.exchange.queues.get_mut(&(route.id, route.to_vector)) {
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

    fn push(
        &mut self,
        core: &mut Core,
        route: Route,
        live: Live,
        ty: &TileType,
        epilogue: Option<&(Epilogue, Element)>,
    ) -> Result<(), Stop> {
        let me = core.kind.index();
        let partners = self.partners(route);
        let queue = self.queue(route)?;
        if !route.to_vector && me >= partners {
            return Ok(());
        }
        if queue.epilogue != epilogue.map(|(epilogue, _)| *epilogue) {
            let message = format!(
                "queue {} changes what accumulators push: open it in the function that pushes",
                route.id
            );
            return rule(&rules::queue::AGREEMENT, message);
        }
        if queue.pushed[me] - queue.given_back(route.to_vector, partners) >= queue.slots {
            return Err(Stop::Wait(Wait {
                what: format!("a free slot of queue {} from {}", route.id, peer(route.to_vector)),
            }));
        }
        let (rows, cols) = (live.rows as usize, live.cols as usize);
        let bits = ty.element.bits();
        let element = epilogue.map_or(ty.element, |(_, to)| *to);
        let bytes = element.bytes(rows * cols);
        if bytes as u64 > queue.size || bits < 8 {
            let message = format!(
                "{rows}x{cols} elements of {} take {bytes} bytes, a slot has {}",
                element_word(element),
                queue.size
            );
            return rule(&rules::queue::SLOT_SIZE, message);
        }
        let (declared, bytes) = ((ty.rows, ty.cols), vec![0; ty.element.bytes(rows * cols)]);
        let mut entry = Entry { rows, cols, declared, element, bytes };
        let in_vector = ty.buffer() == pto_isa::memory::Buffer::Ub;
        let offset = if in_vector { core.vector_core as usize * self.program.map.vector_stride } else { 0 };
        let from = Layout::of(ty).placement(live.address + offset);
        transfer(&mut entry.bytes, &Placement::rows(0, cols), &core.memory, &from, rows, cols, bits);
        if let Some((epilogue, to)) = epilogue {
            let set = core.registers.quantization.get(&route.id).copied().unwrap_or_default();
            let values = (ty.element, entry.bytes.as_slice());
            match epilogue.apply(values, *to, cols, &set, &core.memory) {
                Ok(bytes) => entry.bytes = bytes,
                Err(message) => return rule(&rules::queue::QUANTIZATION, message),
            }
        }
        let number = self.queue(route)?.pushed[me];
        let in_slot = self.store_entry(core, route, number, &entry);
        let queue = self.queue(route)?;
        queue.in_slot[me] = in_slot;
        queue.entries[me].push_back(entry);
        queue.pushed[me] += 1;
        Ok(())
    }

    fn pop(
        &mut self,
        core: &mut Core,
        route: Route,
        ty: &TileType,
        given: [Option<u64>; 2],
    ) -> Result<(Live, Option<Unlike>), Stop> {
        let me = core.kind.index();
        let partners = self.partners(route);
        let stride = self.program.map.vector_stride;
        let queue = self.queue(route)?;
        let producers = if route.to_vector { 1 } else { partners };
        let taken = queue.popped[me];
        let slot = (taken % queue.local) as usize * queue.size as usize;
        let Some(base) = queue.base else {
            return rule(&rules::queue::INITIALIZE, format!("queue {} is not initialized here", route.id));
        };
        let extent = |at: usize, fixed: Option<u32>, declared: u32| match (fixed, given[at]) {
            (Some(fixed), _) => fixed,
            (None, Some(given)) => given.min(u64::from(declared)) as u32,
            (None, None) => declared,
        };
        let live = Live {
            address: base + slot,
            rows: extent(0, ty.valid_rows, ty.rows),
            cols: extent(1, ty.valid_cols, ty.cols),
        };
        if route.to_vector && me >= partners {
            // If the queue is not split, the second vector core pops zeros.
            let at = live.address + me * stride;
            core.memory[at..at + ty.bytes()].fill(0);
            return Ok((live, None));
        }
        if queue.pushed[..producers].iter().any(|pushed| *pushed <= taken) {
            return Err(Stop::Wait(Wait {
                what: format!("an entry of queue {} from {}", route.id, peer(!route.to_vector)),
            }));
        }
        if ty.bytes() as u64 > queue.size {
            let message = format!("{} takes {} bytes, a slot has {}", ty.brief(), ty.bytes(), queue.size);
            return rule(&rules::queue::SLOT_SIZE, message);
        }
        let first = queue.pushed[0] - queue.entries[0].len() as u64;
        if taken < first {
            let message = format!("the entry of queue {} is a slot in global memory, no tile", route.id);
            return rule(&rules::queue::ENTRY, message);
        }
        let mut differs = None;
        for producer in 0..producers {
            let entry = &queue.entries[producer][(taken - first) as usize];
            let whole = (entry.rows, entry.cols);
            let Some((from, size)) = (match route.to_vector {
                true => part(route.split, me as u32, whole.0, whole.1),
                false => Some(((0, 0), whole)),
            }) else {
                let message = format!("{}x{} elements are not halved evenly", whole.0, whole.1);
                return rule(&rules::queue::SPLIT, message);
            };
            // The half of the second vector core goes below, or to the right of, that of the first one.
            let to = match (producer, route.split) {
                (1, 1 | 3) => (queue.entries[0][(taken - first) as usize].rows, 0),
                (1, _) => (0, queue.entries[0][(taken - first) as usize].cols),
                _ => (0, 0),
            };
            if entry.element != ty.element {
                let message = format!(
                    "the entry holds {}, the tile {}",
                    element_word(entry.element),
                    element_word(ty.element)
                );
                return rule(&rules::queue::ELEMENT_TYPE, message);
            }
            if to.0 + size.0 > ty.rows as usize || to.1 + size.1 > ty.cols as usize {
                let message = format!("{}x{} elements arrive, the tile is {}", size.0, size.1, ty.brief());
                return rule(&rules::queue::SHAPE, message);
            }
            differs = differs.or_else(|| unlike(route, entry, size.1, (live, ty)));
            let offset = if route.to_vector { me * stride } else { 0 };
            arrive(&mut core.memory, (ty, live.address + offset), to, (entry, from), size);
        }
        let in_slot = self.loaded_bytes(route, me, (taken, (taken - first) as usize));
        let queue = self.queue(route)?;
        queue.in_slot[me] = in_slot;
        queue.popped[me] += 1;
        queue.returned[me] += u64::from(route.pipes.signals.is_some());
        if route.slots == Slots::OnChip {
            let offset = if route.to_vector { me * stride } else { 0 };
            let start = (live.address + offset) as u64;
            queue.held[me].push_back(StridedRange::bytes(start, ty.bytes() as u64));
        }
        let done = if route.to_vector {
            queue.popped[..partners].iter().copied().min()
        } else {
            Some(queue.popped[0])
        };
        for producer in 0..producers {
            let first = queue.pushed[producer] - queue.entries[producer].len() as u64;
            for _ in first..done.unwrap_or(first) {
                queue.entries[producer].pop_front();
            }
        }
        Ok((live, differs))
    }

    fn free(&mut self, core: &Core, route: Route) -> Result<(), Stop> {
        let me = core.kind.index();
        let partners = self.partners(route);
        let queue = self.queue(route)?;
        if route.to_vector && me >= partners {
            return Ok(());
        }
        if queue.freed[me] >= queue.popped[me] {
            return rule(&rules::queue::FREE, format!("queue {} has no popped slot to free", route.id));
        }
        queue.freed[me] += 1;
        queue.returned[me] += u64::from(route.pipes.signals.is_some());
        Ok(())
    }
}

/// Copies a window of an entry to a window of a tile, each given by its first row and column.
fn arrive(
    memory: &mut [u8],
    (ty, address): (&TileType, usize),
    to: (usize, usize),
    (entry, from): (&Entry, (usize, usize)),
    (rows, cols): (usize, usize),
) {
    let (layout, element) = (Layout::of(ty), ty.element);
    let place = |i: usize, j: usize| layout.offset(to.0 + i, to.1 + j);
    let index = |i: usize, j: usize| (from.0 + i) * entry.cols + from.1 + j;
    if to.0.is_multiple_of(layout.box_rows) && to.1.is_multiple_of(layout.box_cols) {
        let to = layout.placement(address + element.bytes(place(0, 0)));
        let from = Placement::rows(element.bytes(index(0, 0)), entry.cols);
        return transfer(memory, &to, &entry.bytes, &from, rows, cols, element.bits());
    }
    // A window that starts within a box has no placement.
    for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
        let value = pto_kernels::get_element(&entry.bytes, 0, index(i, j), element);
        pto_kernels::set_element(memory, address, place(i, j), element, value);
    }
}
