//! Decodes tile instructions: the prepared execution of each, its slots, accesses and accumulators.

use super::Decoder;
use crate::sim::code::{AccumulatorUse, CHECKED_STATES, Step, TileStep};
use crate::sim::footprint::Footprint;
use pto_isa::Buffer;
use pto_isa::exec::state::{Prepare, Slot, Tile};
use pto_isa::op::acc_pitch::{PitchRows, PitchUse};
use pto_isa::op::effect::{Access, Effect, Extent, Target};
use pto_isa::op::empty;
use pto_isa::op::site::{Fact, Site};
use pto_isa::rules;
use pto_lang::ir::OperationId;

impl Decoder<'_> {
    pub(super) fn instruction(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        let Some(site) = self.facts.site(self.function, &self.module.types, operation, self.profile) else {
            return;
        };
        let operands = operation.operands.iter().map(|operand| operand.value);
        let values: Vec<_> = operands.chain(operation.results.iter().copied()).collect();
        let slots: Vec<_> = values.into_iter().map(|value| self.slot(value)).collect();
        let prepared = empty::prepare(&Prepare { site: &site, slots: &slots });
        let execute = match prepared {
            Ok(execute) => execute,
            Err(message) => {
                let message = format!("`{}` cannot run here: {message}", operation.name);
                return self.problem(&rules::structure::UNSUPPORTED, operation.name_span, message);
            }
        };
        let watched: Vec<u32> = site
            .operands
            .iter()
            .zip(&slots)
            .filter_map(|(operand, slot)| match (&operand.fact, slot) {
                (Fact::Tile(tile), Slot::Tile(slot)) => {
                    let moves = self.is_part && tile.address.is_none();
                    (moves || tile.rows.is_none() || tile.cols.is_none()).then_some(*slot)
                }
                _ => None,
            })
            .collect();
        let seen = self.code.seen;
        self.code.seen += (watched.len() * CHECKED_STATES) as u32;
        // A result that is an alias of the destination (`into` in the SSA spelling) gets the same slot.
        let aliases: Vec<_> =
            if operation.operands.iter().any(|operand| operand.group == pto_lang::ir::OperandGroup::Out) {
                let outs = operation
                    .operands
                    .iter()
                    .filter(|operand| operand.group == pto_lang::ir::OperandGroup::Out);
                operation.results.iter().copied().zip(outs.map(|operand| operand.value)).collect()
            } else {
                Vec::new()
            };
        let footprint = Footprint::of(&site, &slots);
        let gives = |(slot, operand): (&Slot, bool)| matches!(slot, Slot::Scalar(_)) && operand;
        let written = |at: usize| {
            operation.operands.get(at).is_none_or(|operand| operand.group == pto_lang::ir::OperandGroup::Out)
        };
        let gives_scalars = slots.iter().enumerate().any(|(at, slot)| gives((slot, written(at))));
        let accumulators = accumulators(&site, &slots);
        let accumulator = site.unit_flag().and_then(|role| tile_slot(&site, &slots, role));
        let unit_flag = accumulator.map(|slot| (slot, footprint.pipe()));
        let effects = site.instruction.effects(&site);
        self.writes_behind(&site, &effects);
        let only_looks = |effect: &Effect| matches!(effect.access, Access::Read | Access::Name);
        let changes = effects.is_empty() || !accumulators.is_empty() || !effects.iter().all(only_looks);
        let step = TileStep {
            execute,
            operation: id,
            slots,
            footprint,
            accumulators,
            gives_scalars,
            changes,
            watched,
            seen,
        };
        self.code.tiles.push(step);
        let index = self.code.tiles.len() as u32 - 1;
        self.unit_flag(unit_flag, true);
        self.emit(Step::Tile(index));
        self.unit_flag(unit_flag, false);
        for (alias, tile) in aliases {
            let (to, from) = (self.slot(alias), self.slot(tile));
            self.copy(to, from);
        }
    }

    /// Adds the bytes after tiles that an instruction overwrites to the bytes that the program may write.
    fn writes_behind(&mut self, site: &Site<'_>, effects: &[Effect]) {
        for effect in effects {
            let Target::Operand(role, Extent::Behind(bytes)) = effect.target else { continue };
            let Some((tile, address)) = site.tile(role).and_then(|tile| Some((tile, tile.address?))) else {
                continue;
            };
            let (map, buffer) = (&self.shared.places.map, tile.ty.buffer());
            let start = map.base[buffer as usize] + address as usize + tile.ty.bytes();
            let second = if buffer == Buffer::Ub { map.vector_stride } else { 0 };
            self.tiles.extend([0, second].map(|offset| start + offset..start + offset + bytes as usize));
        }
    }
}

/// The slot of the tile in a role.
fn tile_slot(site: &Site<'_>, slots: &[Slot], role: &str) -> Option<u32> {
    let at = site.operands.iter().position(|operand| operand.role == role)?;
    if let Slot::Tile(slot) = slots[at] { Some(slot) } else { None }
}

/// The accesses of a use to accumulators, by slots.
pub(super) fn accumulators(site: &Site<'_>, slots: &[Slot]) -> Vec<AccumulatorUse> {
    let slot = |role: &str| tile_slot(site, slots, role);
    let resolved = |of: PitchUse| {
        let tile = site.tile(of.role)?;
        let own = slot(of.role)?;
        let rows_of = match of.rows {
            PitchRows::Declared => own,
            PitchRows::Valid(role) => slot(role)?,
        };
        Some(AccumulatorUse { tile: Tile::new(own, tile.ty, tile.layout()), rows_of, of })
    };
    site.instruction.accumulators(site).into_iter().filter_map(resolved).collect()
}
