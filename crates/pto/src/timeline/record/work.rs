//! The work of an instruction: its cost with the extents of the run.

use crate::timeline::recording::{Shape, Work};
use pto_isa::device;
use pto_isa::element::Element;
use pto_isa::memory::Buffer;
use pto_isa::op::Slots;
use pto_isa::op::cost::{Cost, Extents};
use pto_isa::op::effect::Access;
use pto_isa::tile::Location;
use pto_machine::observe::tile_type_at;
use pto_machine::sim::Program;
use pto_machine::sim::event::{Place, Touched, Work as Running};
use pto_machine::sim::footprint::Region;
use pto_machine::sim::operands::Space;

fn place_of(region: &Region) -> device::Endpoint {
    device::Endpoint::Chip(region.ty.buffer())
}

fn shape_of(region: &Region) -> Shape {
    Shape::Tile(region.rows, region.cols, region.ty.element)
}

fn extents_of(region: &Region) -> Extents {
    let element = region.ty.element;
    Extents {
        rows: region.rows,
        row_bytes: element.bytes(region.cols as usize) as u64,
        columns: region.cols,
        contiguous: region.is_contiguous(),
        fractals: 0,
    }
}

/// An instruction with its extents, without its pipes.
pub(super) fn of_instruction((source, cost): (u32, Cost), running: &Running<'_>) -> Work {
    let regions = || {
        running
            .touches
            .iter()
            .filter(|touch| touch.kind.access.is_of_bytes())
            .filter_map(|touch| Some((touch.kind.access, touch.region(running.operands.tiles)?)))
    };
    let largest = regions().map(|(_, region)| region).max_by_key(Region::bytes);
    let mut work = Work {
        source,
        phases: Vec::new(),
        cost,
        element: largest.as_ref().map_or(Element::F32, |region| region.ty.element),
        extents: largest.as_ref().map_or(Extents::default(), extents_of),
        path: None,
        bytes: 0,
        runs: 0,
        products: 0,
        shape: largest.as_ref().map_or(Shape::None, shape_of),
    };
    match cost {
        Cost::Transfer => transfer(&mut work, running, regions()),
        Cost::Cycles(_) => product(&mut work, regions()),
        Cost::Issue => {}
    }
    work
}

/// The path and the bytes of a transfer.
fn transfer(work: &mut Work, running: &Running<'_>, regions: impl Iterator<Item = (Access, Region)>) {
    let (mut from, mut to, mut bytes) = (None, None, 0);
    for (access, region) in regions {
        if access == Access::Read {
            // Parameters of a quantization are read, too: the largest source is what moves.
            if bytes < region.bytes() {
                from = Some(place_of(&region));
                bytes = region.bytes();
                work.extents = extents_of(&region);
                work.element = region.ty.element;
            }
        } else if access != Access::Destroy && to.is_none() {
            to = Some(place_of(&region));
            if from.is_none() {
                bytes = region.bytes();
                work.extents = extents_of(&region);
            }
        }
    }
    // Convolution tiles are no regions: they are moved as a whole, or unfolded into what is written.
    for (touch, buffer) in running.touches.iter().filter_map(|touch| Some((touch, touch.storage()?))) {
        let end = if touch.kind.access == Access::Read { &mut from } else { &mut to };
        *end = end.or(Some(device::Endpoint::Chip(buffer)));
    }
    let global = running.touched.iter().filter(|touched| matches!(touched.space, Space::Global(_)));
    let (mut global_bytes, mut global_runs, mut reads) = (0, 0, false);
    for touched in global.filter(|touched| touched.touch.access.is_of_bytes()) {
        global_bytes += touched.range.run * touched.range.count;
        global_runs += touched.range.count;
        reads |= touched.touch.access == Access::Read;
    }
    if global_bytes > 0 {
        let end = if reads { &mut from } else { &mut to };
        *end = Some(device::Endpoint::Global);
        (work.bytes, work.runs) = (global_bytes, global_runs);
    } else {
        (work.bytes, work.runs) = (bytes, 1);
    }
    work.path = from.zip(to);
}

/// The fractals of a product: rows of the left factor, its columns, and columns of the right one.
fn product(work: &mut Work, regions: impl Iterator<Item = (Access, Region)>) {
    let (mut left, mut right) = (None, None);
    for (_, region) in regions {
        match region.ty.location {
            Location::Left => left = Some(region),
            Location::Right => right = Some(region),
            _ => {}
        }
    }
    let (Some(left), Some(right)) = (left, right) else { return };
    let element = left.ty.element;
    let bytes = element.bytes(left.cols as usize) as u64;
    work.extents.fractals = left.rows.div_ceil(16) * bytes.div_ceil(32) * right.cols.div_ceil(16);
    work.products = left.rows * left.cols * right.cols;
    work.element = element;
    work.shape = Shape::Product(left.rows, left.cols, right.cols, element);
}

/// The transfer of an entry of a queue, without its pipe: into the slot, or out of it; `None` if a pop only names a slot on chip.
pub(super) fn of_entry(
    program: &Program,
    at: Place,
    source: u32,
    (slots, touched): (Slots, &[Touched]),
) -> Option<Work> {
    let tile = tile_type_at(program, at)?;
    let own = device::Endpoint::Chip(tile.buffer());
    let bytes: u64 = touched.iter().map(|touched| touched.range.run * touched.range.count).sum();
    let consumer = if tile.buffer() == Buffer::Ub { Buffer::L1 } else { Buffer::Ub };
    let is_push = touched.iter().any(|touched| touched.touch.access == Access::Read);
    let path = match (is_push, slots) {
        (true, Slots::OnChip) => (own, device::Endpoint::Chip(consumer)),
        (true, Slots::InMemory) => (own, device::Endpoint::Global),
        (false, Slots::OnChip) => return None,
        (false, Slots::InMemory) => (device::Endpoint::Global, own),
    };
    let region = Region { rows: u64::from(tile.rows), cols: u64::from(tile.cols), ty: tile };
    Some(Work {
        source,
        phases: Vec::new(),
        cost: Cost::Transfer,
        element: tile.element,
        extents: extents_of(&region),
        path: Some(path),
        bytes,
        runs: region.rows,
        products: 0,
        shape: shape_of(&region),
    })
}
