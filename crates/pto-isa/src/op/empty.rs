//! Empty valid regions: an instruction with no element to compute does nothing, on every profile.
//!
//! Loops over tails produce such regions in their last iterations. Emptiness is decided in this file for all
//! instructions: rules on valid regions pass, and neither formula nor fast path runs. Source:
//! `docs/isa/TCOLSUM.md`, "returns early".

use super::Set;
use super::effect::{Access, Effect, Extent, Target};
use super::site::{Fact, Site, TileFact};
#[cfg(feature = "run")]
use crate::exec::state::{Execute, Prepare, Slot, State};

/// Whether an empty tile with this kind of access makes the instruction a no-op.
///
/// In elementwise instructions, reductions and expansions every tile counts. In the other sets only written tiles
/// count: a source of a concatenation, partial operation, padding or product may be empty although there are
/// results. If no tile is written, as in a store, the read tiles count.
fn counts(set: Set, access: Access, writes_tile: bool) -> bool {
    let is_written = is_write(access);
    match set {
        Set::Elementwise | Set::TileScalar | Set::Reduce | Set::Expand => {
            is_written || access == Access::Read
        }
        Set::Memory | Set::Matmul | Set::Layout | Set::Irregular if writes_tile => is_written,
        Set::Memory | Set::Irregular => access == Access::Read,
        _ => false,
    }
}

fn is_write(access: Access) -> bool {
    matches!(access, Access::Write | Access::PartialWrite)
}

/// Positions of the operands whose emptiness makes the instruction a no-op.
fn deciding(site: &Site<'_>) -> Vec<usize> {
    let set = site.instruction.page().set;
    let mut effects = site.instruction.effects(site);
    effects.retain(|effect| {
        matches!(effect.target, Target::Operand(_, Extent::Rect(..) | Extent::Window(..) | Extent::Moved(_)))
    });
    let writes_tile = effects.iter().any(|effect| is_write(effect.access));
    effects.retain(|effect| counts(set, effect.access, writes_tile));
    let roles: Vec<_> = effects.iter().filter_map(Effect::role).collect();
    let operands = site.operands.iter().enumerate();
    operands.filter(|(_, operand)| roles.contains(&operand.role)).map(|(at, _)| at).collect()
}

fn is_empty(tile: &TileFact) -> bool {
    tile.rows == Some(0) || tile.cols == Some(0)
}

/// The name of a tile that is known to be empty and makes the instruction a no-op.
pub(super) fn idle_for<'s>(site: &'s Site<'_>) -> Option<&'s str> {
    // Fast exit: most uses have no empty tile.
    let empty = |fact: &Fact| matches!(fact, Fact::Tile(tile) if is_empty(tile));
    if !site.operands.iter().any(|operand| empty(&operand.fact)) {
        return None;
    }
    let found = deciding(site).into_iter().find(|at| empty(&site.operands[*at].fact))?;
    Some(site.operands[found].name)
}

/// Whether all valid regions are consistent with a no-op.
pub(super) fn are_all_empty(site: &Site<'_>) -> bool {
    deciding(site).into_iter().all(|at| matches!(&site.operands[at].fact, Fact::Tile(tile) if is_empty(tile)))
}

/// The use without its valid regions, so that rules judge only types, locations, layouts and constants.
pub(super) fn without_regions<'s>(site: &Site<'s>) -> Site<'s> {
    let mut site = site.clone();
    for operand in &mut site.operands {
        if let Fact::Tile(tile) = &mut operand.fact {
            (tile.rows, tile.cols) = (None, None);
        }
    }
    site
}

/// Slots of the deciding tiles that are empty, or whose valid region is known only at run time.
#[cfg(feature = "run")]
fn open_slots(prepare: &Prepare<'_>) -> Vec<u32> {
    let is_open = |at: &usize| match &prepare.site.operands[*at].fact {
        Fact::Tile(tile) => is_empty(tile) || tile.rows.is_none() || tile.cols.is_none(),
        _ => false,
    };
    let slots = deciding(prepare.site).into_iter().filter(is_open).map(|at| prepare.slots[at]);
    slots.filter_map(|slot| if let Slot::Tile(slot) = slot { Some(slot) } else { None }).collect()
}

#[cfg(feature = "run")]
fn is_idle(state: &State<'_>, slots: &[u32]) -> bool {
    slots.iter().any(|slot| {
        let live = &state.tiles[*slot as usize];
        live.rows == 0 || live.cols == 0
    })
}

/// Prepares an instruction; at run time it does nothing if a deciding tile is empty.
///
/// # Errors
/// The reason why the instruction cannot run with these operands, as a sentence.
#[cfg(feature = "run")]
pub fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let execute = prepare.site.instruction.prepare(prepare)?;
    let slots = open_slots(prepare);
    if slots.is_empty() {
        return Ok(execute);
    }
    Ok(Box::new(
        move |state: &mut State<'_>| {
            if is_idle(state, &slots) { Ok(()) } else { execute.execute(state) }
        },
    ))
}

/// Whether a deciding tile is empty in the current state.
#[cfg(feature = "run")]
pub fn is_idle_now(prepare: &Prepare<'_>, state: &State<'_>) -> bool {
    is_idle(state, &open_slots(prepare))
}
