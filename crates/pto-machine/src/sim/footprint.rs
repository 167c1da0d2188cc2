//! The effects of one use of an instruction, with slots instead of roles, from which byte ranges are computed at
//! run time.

use pto_isa::Buffer;
use pto_isa::element::Element;
use pto_isa::exec::state::{Live, Slot, Tile};
use pto_isa::op::cost::Region;
use pto_isa::op::effect::{Access, Extent, Handshakes, Measure, Receiver, Side, Target, TilePart};
use pto_isa::op::memory::moved::Transfer;
use pto_isa::op::site::{Fact, GlobalLayout, Site};
use pto_isa::pipe::Pipe;

/// The valid rows or columns of a tile of a frame.
pub(super) fn side(side: Side<u32>, tiles: &[Live]) -> u32 {
    match side {
        Side::Rows(slot) => tiles[slot as usize].rows,
        Side::Cols(slot) => tiles[slot as usize].cols,
    }
}

/// The accessed bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bytes {
    /// A part of a tile, by slots.
    Tile(Tile, TilePart<u32, u32>),
    /// This number of bytes from the start of the convolution tile in a slot; `in_ub`: whether the tile is in UB.
    Storage { slot: u32, in_ub: bool, bytes: u64 },
    /// The elements of a view.
    View(u32, Element),
    /// Contiguous elements, as many as a view has.
    Flat(u32, Element),
    /// The part of a view that the valid region of the tile in the last slot covers.
    Covered(u32, Element, GlobalLayout, u32),
    /// Bytes that a transfer between the view and the tile in these slots moves: in memory, or on chip.
    Moved(Transfer, (u32, Element), Tile, MovedSide),
    /// The element at a pointer plus an offset in elements, both in scalar slots.
    Pointed(u32, u32, Element),
}

/// The side of a transfer whose bytes are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovedSide {
    View,
    Tile,
    /// The part of the tile that is valid.
    ValidPart,
}

impl Bytes {
    /// The part of these bytes that holds values: for a transfer, the valid region.
    fn of_values(self) -> Bytes {
        match self {
            Bytes::Moved(transfer, view, tile, MovedSide::Tile) => {
                Bytes::Moved(transfer, view, tile, MovedSide::ValidPart)
            }
            other => other,
        }
    }
}

/// The index of an operand that the operation does not name.
pub(crate) const UNNAMED: u16 = u16::MAX;

/// The kind of access of one effect to one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Whether the access reads, writes or destroys.
    pub access: Access,
    /// Index of the operand in the site.
    pub operand: u16,
    /// Index of the effect among the instruction's effects at this site.
    pub(crate) effect: u16,
    /// The pipe that performs the access.
    pub pipe: Pipe,
    pub(crate) atomic: bool,
}

/// One effect on one operand.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The operand and the kind of access.
    pub kind: Kind,
    pub(super) receiver: Receiver,
    pub(super) bytes: Bytes,
    /// The part that must hold values, if the transfer also moves other bytes, such as padding.
    pub(super) values: Option<Bytes>,
    /// Whether the other elements of the tile hold old data afterwards.
    pub(super) renews: bool,
}

impl Touch {
    /// The part of a tile that it covers, given the tiles of the frame; `None` for other operands.
    pub fn region(&self, tiles: &[Live]) -> Option<Region> {
        let (tile, part) = match &self.bytes {
            Bytes::Tile(tile, part) => (tile, part),
            Bytes::Moved(_, _, tile, MovedSide::Tile) => {
                let live = tiles[tile.slot as usize];
                return Some(Region { rows: live.rows.into(), cols: live.cols.into(), ty: tile.ty });
            }
            _ => return None,
        };
        let count = |measure: Measure<u32>, most: u32| measure.evaluate(|of| side(of, tiles)).min(most);
        let live = tiles[tile.slot as usize];
        let (rows, cols) = match *part {
            TilePart::Window(rows, cols, _) => (count(rows, tile.ty.rows), count(cols, tile.ty.cols)),
            TilePart::Bits(_) | TilePart::Leading(_) => (live.rows, live.cols),
            TilePart::Element(_) | TilePart::Whole | TilePart::Behind(_) => return None,
        };
        Some(Region { rows: rows.into(), cols: cols.into(), ty: tile.ty })
    }

    /// The buffer of the convolution tile whose bytes it covers; `None` for other operands.
    pub fn storage(&self) -> Option<Buffer> {
        match self.bytes {
            Bytes::Storage { in_ub, .. } => Some(if in_ub { Buffer::Ub } else { Buffer::L1 }),
            _ => None,
        }
    }

    /// The slot of the view that it accesses.
    pub(super) fn view(&self) -> Option<u32> {
        match self.bytes {
            Bytes::View(slot, _) | Bytes::Flat(slot, _) | Bytes::Covered(slot, ..) => Some(slot),
            Bytes::Moved(_, (slot, _), _, MovedSide::View) => Some(slot),
            _ => None,
        }
    }

    /// The slot of the tile that it accesses.
    pub(super) fn tile(&self) -> Option<u32> {
        match &self.bytes {
            Bytes::Tile(tile, _) => Some(tile.slot),
            Bytes::Moved(_, _, tile, MovedSide::Tile | MovedSide::ValidPart) => Some(tile.slot),
            Bytes::Storage { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    /// The slots of the scalars on which its bytes depend.
    fn scalars(&self) -> impl Iterator<Item = u32> {
        let of = |bytes: Bytes| match bytes {
            Bytes::Tile(_, TilePart::Window(_, _, start)) => start,
            Bytes::Tile(_, TilePart::Element(index)) => [Some(index), None],
            Bytes::Pointed(pointer, offset, _) => [Some(pointer), Some(offset)],
            _ => [None; 2],
        };
        of(self.bytes).into_iter().chain(self.values.map_or([None; 2], of)).flatten()
    }

    /// Whether the access is to an element at a pointer.
    pub(crate) fn is_pointed(&self) -> bool {
        matches!(self.bytes, Bytes::Pointed(..))
    }

    /// Whether the access is to a view of MX scales, whose layout does not follow its strides.
    pub(crate) fn is_reordered(&self) -> bool {
        matches!(self.bytes, Bytes::Covered(_, _, layout, _) if layout.is_scales())
    }

    /// Whether the other elements of the tile hold old data afterwards.
    pub(crate) fn renews(&self) -> bool {
        self.renews
    }

    /// Whether only a part of the bytes must hold values.
    pub(crate) fn carries(&self) -> bool {
        self.values.is_some()
    }

    /// An access to the valid region of a tile, which is the operand with an index.
    pub(crate) fn of_valid(access: Access, operand: u16, tile: Tile, pipe: Pipe) -> Touch {
        let (rows, cols) = (Measure::Of(Side::Rows(tile.slot)), Measure::Of(Side::Cols(tile.slot)));
        Touch {
            kind: Kind { access, operand, effect: 0, pipe, atomic: false },
            receiver: Receiver::Own,
            bytes: Bytes::Tile(tile, TilePart::Window(rows, cols, [None; 2])),
            values: None,
            renews: false,
        }
    }
}

/// All accesses of an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Footprint {
    /// The pipes that run the instruction, in order; the instruction ends on the last.
    pub(crate) phases: Vec<Pipe>,
    /// The flags that the instruction sets and waits for internally.
    pub(crate) handshakes: Handshakes,
    /// Reads, then destroyed operands, then writes: a destination that is also a source is read before it is
    /// written.
    pub(crate) touches: Vec<Touch>,
    /// The slots of the operands on which the accessed bytes depend.
    pub(super) inputs: Vec<Slot>,
    /// Whether the instruction uses the window of UB that A2/A3 reserves for instructions.
    pub(crate) uses_window: bool,
    /// Whether the instruction changes or tests a signal in global memory.
    pub(crate) has_signals: bool,
    /// Whether an operand is in global memory.
    pub(crate) names_global: bool,
    /// The scalar slot of the instruction's first result, if there is one.
    pub(crate) result: Option<u32>,
}

impl Footprint {
    /// The scalar slot that receives the result of a test of a signal; `None` for other instructions.
    pub(crate) fn seen(&self) -> Option<u32> {
        self.result.filter(|_| self.touches.iter().any(|touch| touch.kind.access == Access::Look))
    }

    /// Whether the instruction writes global memory.
    pub(crate) fn writes_global(&self) -> bool {
        let is_global = |touch: &Touch| touch.view().is_some() || touch.is_pointed();
        self.touches.iter().any(|touch| touch.kind.access.changes() && is_global(touch))
    }

    /// The pipe on which the instruction ends.
    pub(crate) fn pipe(&self) -> Pipe {
        self.phases.last().copied().unwrap_or(Pipe::Scalar)
    }

    /// The footprint of a use; `slots` are the slots of its operands and results.
    pub(crate) fn of(site: &Site<'_>, slots: &[Slot]) -> Footprint {
        let own = site.instruction.pipe(site);
        let result = site.operands.iter().zip(slots).find_map(|(operand, slot)| match slot {
            Slot::Scalar(slot) if operand.role == "result" => Some(*slot),
            _ => None,
        });
        let mut footprint = Footprint {
            phases: Vec::new(),
            handshakes: Handshakes::default(),
            touches: Vec::new(),
            inputs: Vec::new(),
            uses_window: false,
            has_signals: false,
            names_global: false,
            result,
        };
        for (index, effect) in site.instruction.effects(site).into_iter().enumerate() {
            let (role, extent) = match effect.target {
                Target::Operand(role, extent) => (role, extent),
                Target::Pipes(handshakes) => {
                    footprint.handshakes = handshakes;
                    continue;
                }
                Target::Window => {
                    footprint.uses_window = true;
                    continue;
                }
                Target::Register(_) => continue,
            };
            let pipe = effect.pipe.unwrap_or(own);
            for (operand, fact) in site.operands.iter().enumerate().filter(|(_, fact)| fact.role == role) {
                footprint.names_global |= effect.access == Access::Name && is_global(&fact.fact);
                let Some(bytes) = bytes_of(site, slots, operand, extent) else { continue };
                let (operand, effect_index) = (operand as u16, index as u16);
                let (access, receiver, atomic) = (effect.access, effect.receiver, effect.atomic);
                if access == Access::Name {
                    continue;
                }
                footprint.has_signals |= matches!(access, Access::Notify | Access::Await | Access::Look);
                footprint.touches.push(Touch {
                    kind: Kind { access, operand, effect: effect_index, pipe, atomic },
                    receiver,
                    bytes,
                    values: effect
                        .values
                        .and_then(|values| bytes_of(site, slots, usize::from(operand), values))
                        .map(Bytes::of_values),
                    renews: effect.renews,
                });
                if effect.pipe.is_some() && !footprint.phases.contains(&pipe) {
                    footprint.phases.push(pipe);
                }
            }
        }
        footprint.phases.retain(|pipe| *pipe != own);
        footprint.phases.push(own);
        let order = |access: Access| match access {
            Access::Write | Access::PartialWrite => 2,
            Access::Destroy => 1,
            _ => 0,
        };
        footprint.touches.sort_by_key(|touch| order(touch.kind.access));
        let scalars = footprint.touches.iter().flat_map(Touch::scalars).map(Slot::Scalar);
        let others = slots.iter().copied().filter(|slot| matches!(slot, Slot::Tile(_) | Slot::View(_)));
        footprint.inputs = others.chain(scalars).collect();
        footprint
    }
}

/// Whether an operand is in global memory.
fn is_global(fact: &Fact) -> bool {
    matches!(fact, Fact::View(_) | Fact::Pointer(..))
}

/// The bytes of an operand in an extent; `None` if the operand has no such bytes.
fn bytes_of(site: &Site<'_>, slots: &[Slot], operand: usize, extent: Extent) -> Option<Bytes> {
    let at = |role: &str| site.operands.iter().position(|operand| operand.role == role);
    let scalar = |operand: usize| match slots[operand] {
        Slot::Scalar(slot) => Some(slot),
        _ => None,
    };
    let tile_slot = |operand: usize| match slots[operand] {
        Slot::Tile(slot) => Some(slot),
        _ => None,
    };
    let moved = |view: (u32, Element), tile: u32, side: MovedSide| {
        let fact = site.operands.iter().find_map(|operand| match &operand.fact {
            Fact::Tile(tile) if ["src", "dst"].contains(&operand.role) => Some(tile),
            _ => None,
        })?;
        Some(Bytes::Moved(Transfer::of(site)?, view, Tile::new(tile, fact.ty, fact.layout()), side))
    };
    Some(match (extent, &site.operands[operand].fact, slots[operand]) {
        (Extent::Moved(view), Fact::Tile(_), Slot::Tile(slot)) => {
            match (&site.view(view)?.element, slots[at(view)?]) {
                (element, Slot::View(view)) => moved((view, *element), slot, MovedSide::Tile)?,
                _ => return None,
            }
        }
        (Extent::Moved(tile), Fact::View(view), Slot::View(slot)) => {
            moved((slot, view.element), tile_slot(at(tile)?)?, MovedSide::View)?
        }
        (_, Fact::Tile(tile), Slot::Tile(slot)) => {
            let part = TilePart::of(extent, site, operand)?.renamed(tile_slot, scalar)?;
            Bytes::Tile(Tile::new(slot, tile.ty, tile.layout()), part)
        }
        (Extent::Storage, Fact::ConvTile(ty), Slot::Tile(slot)) => {
            Bytes::Storage { slot, in_ub: ty.buffer() == Buffer::Ub, bytes: ty.bytes() }
        }
        (Extent::View, Fact::View(view), Slot::View(slot)) => Bytes::View(slot, view.element),
        (Extent::Flat, Fact::View(view), Slot::View(slot)) => Bytes::Flat(slot, view.element),
        (Extent::Covered(role), Fact::View(view), Slot::View(slot)) => {
            let layout = view.layout.or_guess(&site.tile(role)?.ty, view.shape.len(), site.profile);
            Bytes::Covered(slot, view.element, layout, tile_slot(at(role)?)?)
        }
        (Extent::Pointed(role), Fact::Pointer(element, _), Slot::Scalar(slot)) => {
            Bytes::Pointed(slot, scalar(at(role)?)?, element.element())
        }
        _ => return None,
    })
}
