//! The bytes that operations may access, before a run: a superset of the bytes that the effects of their pages denote
//! in any run.

use super::global::{GlobalPart, Globals, Rounds};
use super::linear::Integers;
use super::places::{Base, Place, Places, storage_of};
use super::queues::Reused;
use super::{Facts, Storage};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module, Operation, OperationId, Type, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::memory::Buffer;
use pto_isa::op::EntryPipes;
use pto_isa::op::effect::{Access, Effect, Extent, Handshakes, Measure, Target, TilePart};
use pto_isa::op::site::{Fact, Site, TileFact};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::strided_range::StridedRange;

/// Maximum number of ranges of one access to a tile; more become all bytes from the first to the last.
const MOST_RANGES: usize = 64;

/// Bytes that an operation may access.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bytes {
    /// Ranges of memory objects on chip.
    Chip(Vec<(Base, StridedRange)>),
    /// Any bytes of a buffer.
    Anywhere(Buffer),
    /// A part of global memory.
    Global(GlobalPart),
}

/// One access of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Accessed {
    /// The operand or result.
    pub(crate) value: ValueId,
    pub(crate) access: Access,
    pub(crate) pipe: Pipe,
    pub(crate) atomic: bool,
    /// Whether the access is a signal after all earlier instructions of its pipe, for which other pipes must have
    /// ended.
    pub(crate) signals: bool,
    pub(crate) bytes: Bytes,
}

/// An instruction as the pipes see it.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    /// The pipes that run the instruction, in order.
    pub(crate) phases: Vec<Pipe>,
    /// Flags that the instruction itself sets and waits for.
    pub(crate) handshakes: Handshakes,
    pub(crate) accesses: Vec<Accessed>,
}

/// Inputs of the analysis of one function's accesses.
pub(crate) struct Accesses<'a> {
    module: &'a Module,
    id: FunctionId,
    profile: Profile,
    facts: &'a Facts,
    places: Places<'a>,
    reused: Reused,
    pub(crate) globals: Globals<'a>,
}

impl<'a> Accesses<'a> {
    /// Prepares the analysis of a function.
    pub(crate) fn of(
        module: &'a Module,
        id: FunctionId,
        facts: &'a Facts,
        flow: &'a Flow,
        storage: &'a Storage,
        profile: Profile,
    ) -> Accesses<'a> {
        let function = &module.functions[id];
        let places = Places::of(module, id, facts, storage);
        let integers = Integers::of(function, &module.types, flow);
        let globals = Globals::of(function, &module.types, integers, flow.operations());
        let reused = Reused::of(function, &facts.queues, flow);
        Accesses { module, id, profile, facts, places, reused, globals }
    }

    /// An operation as the pipes see it; `None` if it accesses no bytes and orders nothing.
    pub(crate) fn issue(&self, id: OperationId) -> Option<Issue> {
        let function = &self.module.functions[self.id];
        let operation = &function.operations[id];
        let site = self.facts.site(function, &self.module.types, operation, self.profile)?;
        let entry = site.instruction.entry_pipes(&site);
        let own = match entry {
            // Without an access or a signal of a pipe, the queue itself orders its entries.
            Some(pipes) => pipes.accesses.or(pipes.signals).filter(|pipe| *pipe != Pipe::All)?,
            None => site.instruction.pipe(&site),
        };
        let mut issue = Issue { phases: Vec::new(), handshakes: Handshakes::default(), accesses: Vec::new() };
        for effect in site.instruction.effects(&site) {
            match effect.target {
                Target::Pipes(handshakes) => issue.handshakes = handshakes,
                Target::Operand(..) if effect.access.is_of_bytes() => {
                    self.operand(&site, operation, &effect, own, &mut issue);
                }
                _ => {}
            }
        }
        if let (Some(EntryPipes { accesses: None, .. }), Some(slot)) = (entry, operation.value("value")) {
            issue.accesses.extend(self.handed_over(operation, slot, own));
        }
        for (_, value) in self.facts.parameters(operation) {
            issue.accesses.extend(self.all_of(value, Access::Read, own));
        }
        // Operations that give a slot back take the tile of one: on chip its own, in memory that of an older entry.
        let returns = entry.is_some_and(|pipes| pipes.signals.is_some());
        for value in self.reused.by(id).iter().filter(|_| returns) {
            issue.accesses.extend(self.all_of(*value, Access::Destroy, own));
        }
        issue.phases.retain(|pipe| *pipe != own);
        issue.phases.push(own);
        let idle = issue.accesses.is_empty() && issue.handshakes == Handshakes::default();
        (!idle).then_some(issue)
    }

    /// A slot in global memory that the program has accessed itself and hands over: everything that filled it, or read it, has
    /// ended.
    fn handed_over(&self, operation: &Operation, slot: ValueId, pipe: Pipe) -> Option<Accessed> {
        let Meaning::Entry { action, .. } = operation.meaning() else { return None };
        let access = if action.produces() { Access::Read } else { Access::Destroy };
        let bytes = self.whole(slot)?;
        Some(Accessed { value: slot, access, pipe, atomic: false, signals: true, bytes })
    }

    /// An access to all bytes of a tile that is not an operand: of quantization parameters, or of another entry of a
    /// queue.
    fn all_of(&self, value: ValueId, access: Access, pipe: Pipe) -> Option<Accessed> {
        let function = &self.module.functions[self.id];
        let Type::Tile(tile) = &self.module.types[function.values[value].ty] else { return None };
        let bytes = self.on_chip(value, vec![StridedRange::bytes(0, tile.bytes() as u64)])?;
        Some(Accessed { value, access, pipe, atomic: false, signals: false, bytes })
    }

    /// Adds the accesses of an effect to the operands in its role.
    fn operand(&self, site: &Site<'_>, operation: &Operation, effect: &Effect, own: Pipe, issue: &mut Issue) {
        let Target::Operand(role, extent) = effect.target else { return };
        let values = operation.operands.iter().map(|operand| operand.value);
        let values: Vec<ValueId> = values.chain(operation.results.iter().copied()).collect();
        let pipe = effect.pipe.unwrap_or(own);
        for (at, _) in site.operands.iter().enumerate().filter(|(_, operand)| operand.role == role) {
            let Some(bytes) = self.bytes(site, &values, at, extent) else { continue };
            let (access, atomic) = (effect.access, effect.atomic);
            issue.accesses.push(Accessed { value: values[at], access, pipe, atomic, signals: false, bytes });
            if effect.pipe.is_some() && !issue.phases.contains(&pipe) {
                issue.phases.push(pipe);
            }
        }
    }

    /// The bytes of the operand at a position of a site, whose values are `values`.
    fn bytes(&self, site: &Site<'_>, values: &[ValueId], at: usize, extent: Extent) -> Option<Bytes> {
        let value = values[at];
        match &site.operands[at].fact {
            Fact::Tile(tile) => {
                let mut ranges = Vec::new();
                tile_ranges(site, at, tile, extent, &mut |range| ranges.push(range));
                self.on_chip(value, hull(ranges)?)
            }
            Fact::ConvTile(tile) => self.on_chip(value, vec![StridedRange::bytes(0, tile.bytes())]),
            Fact::View(_) => Some(Bytes::Global(self.globals.part(value))),
            Fact::Pointer(_, space) => {
                let Extent::Pointed(offset) = extent else { return None };
                if space.as_deref().is_some_and(|space| space != "gm") {
                    return Some(Bytes::Anywhere(Buffer::Ub));
                }
                let offset = site.operands.iter().position(|operand| operand.role == offset);
                Some(Bytes::Global(self.globals.element(value, offset.map(|at| values[at]))))
            }
            _ => None,
        }
    }

    /// Ranges of a tile, from its first byte, as bytes of its memory objects.
    fn on_chip(&self, value: ValueId, ranges: Vec<StridedRange>) -> Option<Bytes> {
        match self.places.place(value) {
            Place::At(base, start) => {
                let moved = |range: StridedRange| StridedRange { start: range.start + start, ..range };
                Some(Bytes::Chip(ranges.into_iter().map(|range| (base, moved(range))).collect()))
            }
            Place::Within(spans) => {
                let whole = spans.iter().map(|span| (span.base, StridedRange::bytes(span.start, span.bytes)));
                Some(Bytes::Chip(whole.collect()))
            }
            Place::Anywhere(buffer) => Some(Bytes::Anywhere(buffer)),
        }
    }

    /// All bytes of a tile, or of the buffer of a view or a pointer; `None` for other values.
    pub(crate) fn whole(&self, value: ValueId) -> Option<Bytes> {
        let ty = &self.module.types[self.module.functions[self.id].values[value].ty];
        if let Some((_, bytes)) = storage_of(ty) {
            return self.on_chip(value, vec![StridedRange::bytes(0, bytes)]);
        }
        let is_global = matches!(
            ty,
            Type::Pointer { .. } | Type::TensorView { .. } | Type::PartitionView { .. } | Type::MemRef { .. }
        );
        is_global.then(|| Bytes::Global(self.globals.part(value).whole()))
    }

    /// Whether two accesses may have a common byte; `first` runs before `second`.
    pub(crate) fn may_overlap(&self, first: &Bytes, second: &Bytes, rounds: &Rounds) -> bool {
        match (first, second) {
            (Bytes::Global(a), Bytes::Global(b)) => !self.globals.are_disjoint(a, b, rounds),
            (Bytes::Chip(a), Bytes::Chip(b)) => a.iter().any(|(base, range)| {
                b.iter().any(|(other, theirs)| base == other && range.common(theirs).is_some())
            }),
            (Bytes::Anywhere(buffer), Bytes::Chip(ranges))
            | (Bytes::Chip(ranges), Bytes::Anywhere(buffer)) => {
                ranges.iter().any(|(base, _)| *base == Base::Buffer(*buffer))
            }
            (Bytes::Anywhere(a), Bytes::Anywhere(b)) => a == b,
            _ => false,
        }
    }
}

/// At most [`MOST_RANGES`] ranges that contain all given ones; `None` if there are none.
fn hull(ranges: Vec<StridedRange>) -> Option<Vec<StridedRange>> {
    if ranges.len() <= MOST_RANGES {
        return (!ranges.is_empty()).then_some(ranges);
    }
    let start = ranges.iter().map(|range| range.start).min()?;
    let end = ranges.iter().map(StridedRange::end).max()?;
    Some(vec![StridedRange::bytes(start, end - start)])
}

/// The bytes of a tile, an operand of a site, in an extent, from its first byte.
fn tile_ranges(
    site: &Site<'_>,
    operand: usize,
    tile: &TileFact,
    extent: Extent,
    push: &mut impl FnMut(StridedRange),
) {
    let part = TilePart::of(extent, site, operand).unwrap_or(TilePart::Whole);
    let side = |side| Measure::Of(side).known(site);
    let scalar = |operand: usize| match site.operands[operand].fact {
        Fact::Scalar(_, number) => number.and_then(|number| usize::try_from(number).ok()),
        _ => None,
    };
    part.ranges(&tile.ty, &tile.layout(), 0, side, scalar, push);
}
