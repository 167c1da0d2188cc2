//! The work of an instruction: its cost with the extents of the run.

use crate::timeline::recording::{Shape, Work};
use pto_isa::device::Endpoint;
use pto_isa::memory::Buffer;
use pto_isa::op::Slots;
use pto_isa::op::cost::{Cost, Load, Region};
use pto_isa::op::effect::Access;
use pto_machine::observe::tile_type_at;
use pto_machine::sim::Program;
use pto_machine::sim::event::{Place, Touched, Work as Running};
use pto_machine::sim::footprint::Touch;
use pto_machine::sim::operands::Space;

fn shape_of(region: &Region) -> Shape {
    Shape::Tile(region.rows, region.cols, region.ty.element)
}

/// An instruction with its extents, without its pipes.
pub(super) fn of_instruction(source: u32, cost: Cost, running: &Running<'_>) -> Work {
    let of_bytes = running.touches.iter().filter(|touch| touch.kind.access.is_of_bytes());
    let region = |touch: &Touch| Some((touch.kind.access, touch.region(running.operands.tiles)?));
    let regions: Vec<(Access, Region)> = of_bytes.filter_map(region).collect();
    let mut load = Load::of(cost, &regions);
    if cost == Cost::Transfer {
        elsewhere(&mut load, running);
    }
    let largest = regions.iter().map(|(_, region)| region).max_by_key(|region| region.bytes());
    let shape = match load.product {
        Some([rows, inner, cols]) => Shape::Product(rows, inner, cols, load.element),
        None => largest.map_or(Shape::None, shape_of),
    };
    Work { source, phases: Vec::new(), load, shape }
}

/// Sets the ends of a transfer that are not tiles.
fn elsewhere(load: &mut Load, running: &Running<'_>) {
    // Convolution tiles are not regions: they are moved as a whole, or unfolded into the destination.
    for (touch, buffer) in running.touches.iter().filter_map(|touch| Some((touch, touch.storage()?))) {
        let end = if touch.kind.access == Access::Read { &mut load.from } else { &mut load.to };
        *end = end.or(Some(Endpoint::Chip(buffer)));
    }
    let global = running.touched.iter().filter(|touched| matches!(touched.space, Space::Global(_)));
    let (mut bytes, mut runs, mut reads) = (0, 0, false);
    for touched in global.filter(|touched| touched.touch.access.is_of_bytes()) {
        bytes += touched.range.run * touched.range.count;
        runs += touched.range.count;
        reads |= touched.touch.access == Access::Read;
    }
    if bytes > 0 {
        let end = if reads { &mut load.from } else { &mut load.to };
        *end = Some(Endpoint::Global);
        (load.bytes, load.runs) = (bytes, runs);
    }
}

/// The transfer of an entry of a queue, without its pipe: into the slot, or out of it; `None` if a pop only names a slot on chip.
pub(super) fn of_entry(
    program: &Program,
    at: Place,
    source: u32,
    slots: Slots,
    touched: &[Touched],
) -> Option<Work> {
    let tile = tile_type_at(program, at)?;
    let own = Endpoint::Chip(tile.buffer());
    let bytes: u64 = touched.iter().map(|touched| touched.range.run * touched.range.count).sum();
    let consumer = if tile.buffer() == Buffer::Ub { Buffer::L1 } else { Buffer::Ub };
    let is_push = touched.iter().any(|touched| touched.touch.access == Access::Read);
    let path = match (is_push, slots) {
        (true, Slots::OnChip) => (own, Endpoint::Chip(consumer)),
        (true, Slots::InMemory) => (own, Endpoint::Global),
        (false, Slots::OnChip) => return None,
        (false, Slots::InMemory) => (Endpoint::Global, own),
    };
    let region = Region { rows: u64::from(tile.rows), cols: u64::from(tile.cols), ty: tile };
    let (from, to) = path;
    let load = Load {
        cost: Cost::Transfer,
        element: tile.element,
        extents: region.extents(),
        from: Some(from),
        to: Some(to),
        bytes,
        runs: region.rows,
        product: None,
    };
    Some(Work { source, phases: Vec::new(), load, shape: shape_of(&region) })
}
