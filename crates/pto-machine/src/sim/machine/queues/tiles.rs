//! Entries that are tiles: a push takes the elements of a tile, a pop copies them to the consumer's tile.

use super::super::super::code::Route;
use super::super::super::event::Unlike;
use super::super::step::{Stop, rule};
use super::super::{Core, Machine};
use super::packing::unlike;
use super::{Queue, Wait, peer};
use pto_isa::element::{Element, element_word};
use pto_isa::exec::state::Live;
use pto_isa::layout::Layout;
use pto_isa::op::Slots;
use pto_isa::op::epilogue::Epilogue;
use pto_isa::profile::QueueForm;
use pto_isa::rules;
use pto_isa::strided_range::StridedRange;
use pto_isa::tile::TileType;
use pto_kernels::{Placement, transfer};

/// The elements of a pushed tile, row-major.
pub(super) struct Entry {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Rows and columns of the type of the pushed tile.
    pub(super) declared: (u32, u32),
    pub(super) element: Element,
    pub(super) bytes: Vec<u8>,
}

/// A vector core's half of an entry: first row and column, then rows and columns; `None` if the split does not allow an odd extent.
pub(super) fn part(
    split: u8,
    core: u32,
    rows: usize,
    cols: usize,
) -> Option<((usize, usize), (usize, usize))> {
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

impl Machine<'_> {
    /// Pushes a tile, converted by the epilogue of its queue.
    pub(super) fn push(
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
            match epilogue.apply(&entry.bytes, ty.element, *to, cols, &set, &core.memory) {
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

    /// Pops an entry into a tile whose valid rows and columns may be given. Also returns extents that the two ends of
    /// the queue count differently on a device.
    pub(super) fn pop(
        &mut self,
        core: &mut Core,
        route: Route,
        ty: &TileType,
        given: [Option<u64>; 2],
    ) -> Result<(Live, Option<Unlike>), Stop> {
        let me = core.kind.index();
        let partners = self.partners(route);
        let stride = self.program.map.vector_stride;
        let in_memory = self.program.profile.queues != QueueForm::OnChip;
        let queue = self.queue(route)?;
        let producers = if route.to_vector { 1 } else { partners };
        let taken = queue.popped[me];
        // On A5 the tiles of slots in memory are contiguous.
        let close = !in_memory && queue.global.is_some();
        let live = queue.popped_tile(route, taken, ty, given, close)?;
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
        let index = (taken - first) as usize;
        let offset = if route.to_vector { me * stride } else { 0 };
        let mut differs = None;
        for producer in 0..producers {
            let queue = self.queue(route)?;
            let unlike = queue.receive(core, (route, me), (producer, index), (live, ty, offset))?;
            differs = differs.or(unlike);
        }
        let in_slot = self.loaded_bytes(route, me, taken, index);
        let queue = self.queue(route)?;
        queue.in_slot[me] = in_slot;
        queue.popped[me] += 1;
        queue.returned[me] += u64::from(route.pipes.signals.is_some());
        if route.slots == Slots::OnChip {
            let start = (live.address + offset) as u64;
            queue.held[me].push_back(StridedRange::bytes(start, ty.bytes() as u64));
        }
        queue.forget_popped(route, producers, partners);
        Ok((live, differs))
    }

    /// Frees the oldest popped slot.
    pub(super) fn free(&mut self, core: &Core, route: Route) -> Result<(), Stop> {
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

impl Queue {
    /// The tile of the entry with a number, in the consumer's slots, with the valid rows and columns that its type or
    /// the operands give; `close`: slots have the size of the tile instead of that of the queue.
    fn popped_tile(
        &self,
        route: Route,
        number: u64,
        ty: &TileType,
        given: [Option<u64>; 2],
        close: bool,
    ) -> Result<Live, Stop> {
        let size = if close { (self.size as usize).min(ty.bytes()) } else { self.size as usize };
        let slot = (number % self.local) as usize * size;
        let Some(base) = self.base else {
            return rule(&rules::queue::INITIALIZE, format!("queue {} is not initialized here", route.id));
        };
        let extent = |at: usize, fixed: Option<u32>, declared: u32| match (fixed, given[at]) {
            (Some(fixed), _) => fixed,
            (None, Some(given)) => given.min(u64::from(declared)) as u32,
            (None, None) => declared,
        };
        Ok(Live {
            address: base + slot,
            rows: extent(0, ty.valid_rows, ty.rows),
            cols: extent(1, ty.valid_cols, ty.cols),
        })
    }

    /// Copies this consumer's part of a pushed entry to its tile.
    fn receive(
        &self,
        core: &mut Core,
        (route, me): (Route, usize),
        (producer, index): (usize, usize),
        (live, ty, offset): (Live, &TileType, usize),
    ) -> Result<Option<Unlike>, Stop> {
        let entry = &self.entries[producer][index];
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
            (1, 1 | 3) => (self.entries[0][index].rows, 0),
            (1, _) => (0, self.entries[0][index].cols),
            _ => (0, 0),
        };
        if entry.element != ty.element {
            let (holds, wanted) = (element_word(entry.element), element_word(ty.element));
            let message = format!("the entry holds {holds}, the tile {wanted}");
            return rule(&rules::queue::ELEMENT_TYPE, message);
        }
        if to.0 + size.0 > ty.rows as usize || to.1 + size.1 > ty.cols as usize {
            let message = format!("{}x{} elements arrive, the tile is {}", size.0, size.1, ty.brief());
            return rule(&rules::queue::SHAPE, message);
        }
        arrive(&mut core.memory, (ty, live.address + offset), to, (entry, from), size);
        Ok(unlike(route, entry, size.1, live, ty))
    }

    /// Drops entries that every consumer has popped.
    fn forget_popped(&mut self, route: Route, producers: usize, partners: usize) {
        let consumers = if route.to_vector { partners } else { 1 };
        let done = self.popped[..consumers].iter().copied().min();
        for producer in 0..producers {
            let first = self.pushed[producer] - self.entries[producer].len() as u64;
            for _ in first..done.unwrap_or(first) {
                self.entries[producer].pop_front();
            }
        }
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
