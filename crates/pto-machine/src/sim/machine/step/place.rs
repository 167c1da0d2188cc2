//! Steps outside the innermost loops of kernels: creation of tiles and views, arrays, floats.

use super::super::{Core, Frame, Machine};
use super::{Stop, copy, rule};
use crate::sim::code::{Extent, FunctionCode, Step, TilePlace};
use crate::sim::event::{Place, What};
use pto_isa::diag::dimension::Excess;
use pto_isa::exec::state::{Live, Slot, View};
use pto_isa::rule::RuleId;
use pto_isa::rules;
use pto_isa::scalar::{compare_floats, float_binary};
use pto_isa::strided_range::StridedRange;

impl Machine<'_> {
    /// Runs a step that is not in the innermost loops of kernels.
    pub(super) fn rare(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        at: usize,
        step: &Step,
    ) -> Result<(), Stop> {
        let scalar = |core: &Core, slot: u32| core.scalars[frame.scalars + slot as usize];
        match step {
            Step::CopyTile { to, from } => copy(core, frame, Slot::Tile(*to), frame, Slot::Tile(*from)),
            Step::CopyView { to, from } => copy(core, frame, Slot::View(*to), frame, Slot::View(*from)),
            Step::CopyArray { to, from } => copy(core, frame, Slot::Array(*to), frame, Slot::Array(*from)),
            Step::FloatBinary { op, element, to, a, b } => {
                let result = float_binary(*op, *element, scalar(core, *a), scalar(core, *b));
                core.scalars[frame.scalars + *to as usize] = result;
            }
            Step::FloatNegate { element, to, from } => {
                let sign = 1u64 << (element.bits() - 1);
                core.scalars[frame.scalars + *to as usize] = scalar(core, *from) ^ sign;
            }
            Step::CompareFloat { predicate, element, to, a, b } => {
                let (a, b) = (element.decode(scalar(core, *a)), element.decode(scalar(core, *b)));
                let result = compare_floats(predicate, a, b).unwrap_or(false);
                core.scalars[frame.scalars + *to as usize] = u64::from(result);
            }
            Step::Value(step) => self.value(core, frame, step)?,
            Step::Alloc { to, place, rows, cols, limit } => {
                let live = self.alloc(core, frame, *place, [*rows, *cols], *limit)?;
                core.tiles[frame.tiles + *to as usize] = live;
                if let TilePlace::Fresh { address, bytes, in_ub } = place {
                    let running = core.running(self.program);
                    let offset =
                        if *in_ub { u64::from(running.vector_core) * running.vector_stride } else { 0 };
                    let range = StridedRange::bytes(*address as u64 + offset, *bytes);
                    self.tell(core.id(), Place::of(frame.function, code.origins[at]), What::Fresh { range });
                }
            }
            Step::MakeView { to, pointer, first, rank, bits } => {
                let view = self.make_view(core, frame, code, *pointer, (*first, *rank), *bits)?;
                core.views[frame.views + *to as usize] = view;
            }
            Step::Partition { to, from, first, rank, bits } => {
                let (view, beyond) = self.partition(core, frame, code, *from, (*first, *rank), *bits)?;
                if let Some(excess) = beyond {
                    self.note_beyond(code, at, excess);
                    self.tell(core.id(), Place::of(frame.function, code.origins[at]), What::Beyond(excess));
                }
                core.views[frame.views + *to as usize] = view;
            }
            Step::AddPointer { to, pointer, offset, bytes } => {
                let moved = i128::from(scalar(core, *offset) as i64) * i128::from(*bytes);
                core.scalars[frame.scalars + *to as usize] =
                    self.state.global.moved(scalar(core, *pointer), moved);
            }
            Step::ViewDim { to, view, index, stride } => {
                let view = &core.views[frame.views + *view as usize];
                let index = scalar(core, *index);
                if index >= u64::from(view.rank) {
                    return rule(
                        &rules::values::VIEW_DIM,
                        format!("dimension {index} of a view of {} dimensions", view.rank),
                    );
                }
                let value =
                    if *stride { view.strides[index as usize] as u64 } else { view.shape[index as usize] };
                core.scalars[frame.scalars + *to as usize] = value;
            }
            Step::Launch { to, what } => {
                core.scalars[frame.scalars + *to as usize] = self.launch_fact(core, *what);
            }
            Step::NewArray { to, length } => {
                let array = &mut core.arrays[frame.arrays + *to as usize];
                array.clear();
                array.resize(*length as usize, 0);
            }
            Step::ArrayGet { to, array, first, shape, rank } => {
                let at = array_index(core, frame, code, *first, *shape, *rank)?;
                let value = core.arrays[frame.arrays + *array as usize].get(at).copied().unwrap_or(0);
                core.scalars[frame.scalars + *to as usize] = value;
            }
            Step::ArraySet { array, value, first, shape, rank } => {
                let at = array_index(core, frame, code, *first, *shape, *rank)?;
                let value = scalar(core, *value);
                if let Some(place) = core.arrays[frame.arrays + *array as usize].get_mut(at) {
                    *place = value;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn alloc(
        &self,
        core: &Core,
        frame: Frame,
        place: TilePlace,
        extents: [Extent; 2],
        limit: (u32, u32),
    ) -> Result<Live, Stop> {
        let address = match place {
            TilePlace::Fixed(address) | TilePlace::Fresh { address, .. } => address,
            TilePlace::Slot { slot, base, capacity, bytes } => {
                let at = core.scalars[frame.scalars + slot as usize];
                fits(at, bytes, capacity, self.program.profile.address_alignment)
                    .map_err(|(rule, message)| Stop::Rule(rule, message))?;
                base + at as usize
            }
        };
        let valid = |extent: Extent, limit: u32, what: &str| match extent {
            Extent::Fixed(value) => Ok(value),
            Extent::Slot(slot) => {
                let value = core.scalars[frame.scalars + slot as usize] as i64;
                match u32::try_from(value).ok().filter(|value| *value <= limit) {
                    Some(value) => Ok(value),
                    None => rule(
                        &rules::alloc_tile::VALID_REGION,
                        format!("{value} valid {what}, but {limit} are declared"),
                    ),
                }
            }
        };
        let rows = valid(extents[0], limit.0, "rows")?;
        let cols = valid(extents[1], limit.1, "columns")?;
        Ok(Live { address, rows, cols })
    }

    fn make_view(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        pointer: u32,
        (first, rank): (u32, u8),
        bits: u32,
    ) -> Result<View, Stop> {
        let mut view =
            View { address: core.scalars[frame.scalars + pointer as usize], rank, ..View::default() };
        let value = |at: u32| match code.lists[at as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize] as i64,
            _ => 0,
        };
        let mut reach = 0u64;
        for at in 0..u32::from(rank) {
            let (extent, stride) = (value(first + 1 + at), value(first + 1 + u32::from(rank) + at));
            if extent < 0 || stride < 0 {
                let message =
                    format!("extent {extent} and stride {stride} of dimension {at}: neither may be negative");
                return rule(&rules::values::VIEW_EXTENT, message);
            }
            (view.shape[at as usize], view.strides[at as usize]) = (extent as u64, stride);
            if extent == 0 {
                reach = u64::MAX;
            }
            reach = reach.saturating_add((extent.max(1) as u64 - 1).saturating_mul(stride as u64));
        }
        if self.state.reach.is_some() && reach != u64::MAX {
            let bytes = reach.saturating_add(1).saturating_mul(u64::from(bits)).div_ceil(8);
            self.note_reach(view.address, view.address.saturating_add(bytes.saturating_sub(1)));
        }
        self.note_shape(&view, bits);
        Ok(view)
    }

    /// A partition of a view, and the first dimension in which it ends beyond the view.
    fn partition(
        &self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        from: u32,
        (first, rank): (u32, u8),
        bits: u32,
    ) -> Result<(View, Option<Excess>), Stop> {
        let mut view = core.views[frame.views + from as usize];
        let mut beyond = None;
        if view.rank != rank {
            let message = format!("a view of {} dimensions is cut with {rank} offsets", view.rank);
            return rule(&rules::values::PARTITION_RANK, message);
        }
        let value = |at: u32| match code.lists[at as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize] as i64,
            _ => 0,
        };
        let mut elements = 0i64;
        for at in 0..u32::from(rank) {
            let (offset, size) = (value(first + 1 + at), value(first + 1 + u32::from(rank) + at));
            if offset < 0 || size < 0 {
                let message =
                    format!("offset {offset} and size {size} of dimension {at}: neither may be negative");
                return rule(&rules::values::PARTITION_EXTENT, message);
            }
            let end = (offset as u64).saturating_add(size as u64);
            if end > view.shape[at as usize] && size > 0 {
                let extent = view.shape[at as usize];
                beyond = beyond.or(Some(Excess { dimension: at as usize, end, extent }));
            }
            view.shape[at as usize] = size as u64;
            elements = elements.saturating_add(offset.saturating_mul(view.strides[at as usize]));
        }
        view.address = self.state.global.moved(view.address, i128::from(elements) * i128::from(bits) / 8);
        Ok((view, beyond))
    }

    /// Records the extents of the first view that covers a whole buffer.
    fn note_shape(&mut self, view: &View, bits: u32) {
        let Some((buffer, 0)) = self.state.global.locate(view.address) else { return };
        if self.state.shapes[buffer].is_some() {
            return;
        }
        let shape = &view.shape[..usize::from(view.rank)];
        let count = shape.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
        let bytes = count.and_then(|count| count.checked_mul(u64::from(bits))).map(|bits| bits.div_ceil(8));
        if bytes == Some(self.state.global.buffer(buffer).size() as u64) {
            self.state.shapes[buffer] = Some((self.current_block(), shape.to_vec()));
        }
    }
}

/// Whether a tile of some bytes may be at an address of its buffer; if not, the rule that forbids it.
#[inline]
pub(in crate::sim) fn fits(
    at: u64,
    bytes: u64,
    capacity: u64,
    alignment: u64,
) -> Result<(), (RuleId, String)> {
    if at.saturating_add(bytes) > capacity {
        let message = format!("a tile of {bytes} bytes at {at} ends beyond its buffer of {capacity} bytes");
        return Err((RuleId::from(&rules::alloc_tile::CAPACITY), message));
    }
    if !at.is_multiple_of(alignment) {
        let message = format!("address {at} is not a multiple of {alignment}");
        return Err((RuleId::from(&rules::alloc_tile::ADDRESS), message));
    }
    Ok(())
}

fn array_index(
    core: &Core,
    frame: Frame,
    code: &FunctionCode,
    first: u32,
    shape: u32,
    rank: u8,
) -> Result<usize, Stop> {
    let mut at = 0usize;
    for dimension in 0..u32::from(rank) {
        let extent = code.shapes[(shape + dimension) as usize];
        let index = match code.lists[(first + 1 + dimension) as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize],
            _ => 0,
        };
        if index >= extent {
            let message = format!("index {} of a dimension of {extent}", index as i64);
            return rule(&rules::values::LOCAL_ARRAY, message);
        }
        at = at * extent as usize + index as usize;
    }
    Ok(at)
}
