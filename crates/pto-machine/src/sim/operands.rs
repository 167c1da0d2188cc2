//! The byte ranges that the effects of a running instruction access, from the current state of its operands.

use super::event::{Grid, Touched};
use super::footprint::{Bytes, MovedSide, Touch, side};
use super::view_ranges::of_view;
use pto_isa::Buffer;
use pto_isa::element::Element;
use pto_isa::exec::global::{Global, on_chip};
use pto_isa::exec::state::{Live, Slot, Tile, View};
use pto_isa::matrix::{Position, Size};
use pto_isa::op::effect::Receiver;
use pto_isa::op::memory::moved::Transfer;
use pto_isa::op::memory::window::{covered_runs, paired};
use pto_isa::op::site::GlobalLayout;
use pto_isa::strided_range::{Collector, StridedRange, of_window};
use std::ops::Range;

/// The core that runs an instruction, and the address of its UB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunningCore {
    pub(crate) rank: u32,
    pub(crate) block: u32,
    pub(crate) vector_core: u32,
    /// Offset in bytes between the UBs of the two vector cores.
    pub(crate) vector_stride: u64,
}

/// A memory: a block's own, or a buffer of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// A block's own memory: rank and block.
    Chip(u32, u32),
    /// A buffer, numbered through all ranks.
    Global(u32),
}

/// The state of operands, by slot, at the time when their instruction was issued.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) tiles: &'a [Live],
    pub(super) views: &'a [View],
    pub(super) scalars: &'a [u64],
}

/// The state of one operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Tile(Live),
    View(View),
    Scalar(u64),
}

impl<'a> Given<'a> {
    /// Contents of a slot; `None` for a local array.
    pub(super) fn operand(&self, slot: Slot) -> Option<Operand> {
        match slot {
            Slot::Tile(slot) => Some(Operand::Tile(self.tiles[slot as usize])),
            Slot::View(slot) => Some(Operand::View(self.views[slot as usize])),
            Slot::Scalar(slot) => Some(Operand::Scalar(self.scalars[slot as usize])),
            Slot::Array(_) | Slot::None => None,
        }
    }

    /// The operands of an instruction that `core` runs.
    pub(super) fn to(self, core: RunningCore, global: &'a Global) -> Operands<'a> {
        let Given { tiles, views, scalars } = self;
        Operands { core, tiles, views, scalars, global }
    }
}

/// The state of the operands of a running instruction.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    pub(crate) core: RunningCore,
    /// The tiles, in the order of the decoded program.
    pub tiles: &'a [Live],
    pub(crate) views: &'a [View],
    pub(crate) scalars: &'a [u64],
    pub(crate) global: &'a Global,
}

impl<'a> Operands<'a> {
    /// Contents of all slots.
    pub(super) fn given(&self) -> Given<'a> {
        Given { tiles: self.tiles, views: self.views, scalars: self.scalars }
    }

    fn chip(&self) -> Space {
        Space::Chip(self.core.rank, self.core.block)
    }

    /// The address of the tile in a slot.
    fn address(&self, slot: u32, in_ub: bool, receiver: Receiver) -> u64 {
        let core = match receiver {
            Receiver::Own => self.core.vector_core,
            Receiver::Core(core) => u32::from(core),
        };
        let offset = if in_ub { u64::from(core) * self.core.vector_stride } else { 0 };
        self.tiles[slot as usize].address as u64 + offset
    }

    /// The ranges that an access covers.
    pub(crate) fn ranges(&self, touch: &Touch, push: &mut impl FnMut(Space, StridedRange)) {
        self.ranges_of(&touch.bytes, touch.receiver, push);
    }

    /// The ranges that accesses cover, in order.
    pub(super) fn touched(&self, touches: &[Touch], into: &mut Vec<Touched>) {
        for (index, touch) in touches.iter().enumerate() {
            let (start, grid) = (self.start(touch), self.grid(touch));
            self.ranges(touch, &mut |space, range| {
                let start = start.unwrap_or(range.start);
                into.push(Touched { touch: touch.kind, index: index as u16, space, range, start, grid });
            });
        }
    }

    /// The ranges of all declared elements of the tile that is accessed; none for other operands.
    pub(crate) fn declared(&self, touch: &Touch, push: &mut impl FnMut(Space, StridedRange)) {
        let (Bytes::Tile(tile, _) | Bytes::Moved(_, _, tile, _)) = &touch.bytes else { return };
        let address = self.address(tile.slot, tile.ty.buffer() == Buffer::Ub, touch.receiver);
        let chip = self.chip();
        of_window(&tile.ty, &tile.layout, address, Position::default(), tile.size(), &mut |range| {
            push(chip, range)
        });
    }

    /// The ranges of an access that must hold values.
    pub(crate) fn values(&self, touch: &Touch, push: &mut impl FnMut(Space, StridedRange)) {
        self.ranges_of(touch.values.as_ref().unwrap_or(&touch.bytes), touch.receiver, push);
    }

    fn ranges_of(&self, bytes: &Bytes, receiver: Receiver, push: &mut impl FnMut(Space, StridedRange)) {
        let chip = self.chip();
        let of = |tile: &Tile| self.address(tile.slot, tile.ty.buffer() == Buffer::Ub, receiver);
        match bytes {
            Bytes::Tile(tile, part) => part.ranges(
                &tile.ty,
                &tile.layout,
                of(tile),
                |of| Some(side(of, self.tiles)),
                |slot| Some(self.scalars[slot as usize] as usize),
                &mut |range| push(chip, range),
            ),
            Bytes::Storage { slot, in_ub, bytes } => {
                push(chip, StridedRange::bytes(self.address(*slot, *in_ub, receiver), *bytes));
            }
            Bytes::View(slot, element) => self.view(*slot, *element, push),
            Bytes::Flat(slot, element) => self.flat(*slot, *element, push),
            Bytes::Covered(slot, element, layout, tile) => {
                self.covered(*slot, *element, *layout, self.tiles[*tile as usize], push);
            }
            Bytes::Moved(transfer, view, tile, side) => {
                let (slot, element) = *view;
                match side {
                    MovedSide::View => self.moved_in_view(transfer, slot, element, tile, push),
                    MovedSide::Tile => self.moved_in_tile(transfer, slot, tile, of(tile), false, push),
                    MovedSide::ValidPart => self.moved_in_tile(transfer, slot, tile, of(tile), true, push),
                }
            }
            Bytes::Pointed(pointer, offset, element) => self.pointed(*pointer, *offset, *element, push),
        }
    }

    fn view(&self, slot: u32, element: Element, push: &mut impl FnMut(Space, StridedRange)) {
        let view = &self.views[slot as usize];
        if let Some((buffer, start)) = self.global.locate(view.address) {
            of_view(view, element, start, &mut |range| push(Space::Global(buffer as u32), range));
        }
    }

    fn flat(&self, slot: u32, element: Element, push: &mut impl FnMut(Space, StridedRange)) {
        let view = &self.views[slot as usize];
        let extents = view.shape[..usize::from(view.rank)].iter();
        let count = extents.fold(1u64, |count, extent| count.saturating_mul(*extent));
        if let Some((buffer, start)) = self.global.locate(view.address) {
            let space = Space::Global(buffer as u32);
            push(
                space,
                StridedRange::bytes(start, element.bytes(usize::try_from(count).unwrap_or(0)) as u64),
            );
        }
    }

    fn covered(
        &self,
        slot: u32,
        element: Element,
        layout: GlobalLayout,
        live: Live,
        push: &mut impl FnMut(Space, StridedRange),
    ) {
        let view = paired(&self.views[slot as usize], layout);
        let Some((buffer, start)) = self.global.locate(view.address) else { return };
        let space = Space::Global(buffer as u32);
        let partly =
            merged(space, push, |each| covered_runs(&view, layout, start, element, live.size(), each));
        if !partly {
            of_view(&view, element, start, &mut |range| push(space, range));
        }
    }

    /// The bytes of a transfer between a tile and the view in slot `slot`, on the side of the view.
    fn moved_in_view(
        &self,
        transfer: &Transfer,
        slot: u32,
        element: Element,
        tile: &Tile,
        push: &mut impl FnMut(Space, StridedRange),
    ) {
        let view = &self.views[slot as usize];
        let valid = self.tiles[tile.slot as usize].size();
        let Some((buffer, start)) = self.global.locate(view.address) else { return };
        merged(Space::Global(buffer as u32), push, |each| {
            transfer.view_runs(view, start, element, tile, valid, each);
        });
    }

    /// The bytes of a transfer between the view in slot `slot` and a tile at an address, on the side of the tile; with `only_valid` those of
    /// its valid region only.
    fn moved_in_tile(
        &self,
        transfer: &Transfer,
        slot: u32,
        tile: &Tile,
        address: u64,
        only_valid: bool,
        push: &mut impl FnMut(Space, StridedRange),
    ) {
        let view = &self.views[slot as usize];
        let valid = self.tiles[tile.slot as usize].size();
        let most = if only_valid { valid } else { Size { rows: usize::MAX, cols: usize::MAX } };
        merged(self.chip(), push, |each| {
            transfer.tile_runs(view, tile, address as usize, valid, most, each);
        });
    }

    /// The element at a pointer, into global memory or to a tile of the block.
    fn pointed(
        &self,
        pointer: u32,
        offset: u32,
        element: Element,
        push: &mut impl FnMut(Space, StridedRange),
    ) {
        let [pointer, offset] = [pointer, offset].map(|slot| self.scalars[slot as usize]);
        let width = element.bytes(1) as u64;
        let bytes = i128::from(offset as i64) * i128::from(width);
        let address = self.global.moved(pointer, bytes);
        if let Some(byte) = on_chip(address) {
            push(self.chip(), StridedRange::bytes(byte as u64, width));
        } else if let Some((buffer, at)) = self.global.locate(address) {
            push(Space::Global(buffer as u32), StridedRange::bytes(at, width));
        }
    }

    /// The state of a tile in the running core.
    pub(crate) fn live(&self, tile: &Tile) -> Live {
        let address = self.address(tile.slot, tile.ty.buffer() == Buffer::Ub, Receiver::Own) as usize;
        Live { address, ..self.tiles[tile.slot as usize] }
    }

    /// The address of the tile that is accessed.
    pub(crate) fn start(&self, touch: &Touch) -> Option<u64> {
        match touch.bytes {
            Bytes::Tile(tile, _) => {
                Some(self.address(tile.slot, tile.ty.buffer() == Buffer::Ub, touch.receiver))
            }
            Bytes::Moved(_, _, tile, MovedSide::Tile | MovedSide::ValidPart) => {
                Some(self.address(tile.slot, tile.ty.buffer() == Buffer::Ub, touch.receiver))
            }
            Bytes::Storage { slot, in_ub, .. } => Some(self.address(slot, in_ub, touch.receiver)),
            Bytes::View(..)
            | Bytes::Flat(..)
            | Bytes::Covered(..)
            | Bytes::Moved(..)
            | Bytes::Pointed(..) => None,
        }
    }

    /// The rows of the buffer, as divided by the accessed view; a view of one dimension has one row.
    fn grid(&self, touch: &Touch) -> Option<Grid> {
        let (slot, element) = match touch.bytes {
            Bytes::View(slot, element) | Bytes::Covered(slot, element, ..) => (slot, element),
            Bytes::Moved(_, view, _, MovedSide::View) => view,
            _ => return None,
        };
        let view = &self.views[slot as usize];
        let stride = usize::from(view.rank).checked_sub(2).map_or(0, |at| view.strides[at].unsigned_abs());
        let row = element.bytes(usize::try_from(stride).ok()?) as u64;
        Some(Grid { row, element: element.bytes(1) as u64 })
    }

    /// The view that is accessed completely or in part; `None` if the operand is not a view.
    pub(crate) fn whole_view(&self, touch: &Touch) -> Option<&View> {
        match touch.bytes {
            Bytes::View(slot, _)
            | Bytes::Covered(slot, ..)
            | Bytes::Moved(_, (slot, _), _, MovedSide::View) => Some(&self.views[slot as usize]),
            _ => None,
        }
    }
}

/// Pushes the runs of bytes of a space that `runs` finds, neighbours as one range.
pub(super) fn merged<T>(
    space: Space,
    push: &mut impl FnMut(Space, StridedRange),
    runs: impl FnOnce(&mut dyn FnMut(Range<usize>)) -> T,
) -> T {
    let mut add = |range| push(space, range);
    let mut collector = Collector::new(&mut add);
    let found = runs(&mut |run| collector.add(run.start as u64, run.len() as u64));
    collector.finish();
    found
}
