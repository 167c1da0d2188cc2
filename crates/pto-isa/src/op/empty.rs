//! Empty valid regions: an instruction with no element to compute does nothing, on every profile.
//!
//! Loops over tails produce such regions in their last iterations. Emptiness is decided in this file for all
//! instructions: if every destination is empty, rules on valid regions pass, and neither formula nor fast path runs.
//! An empty source with a destination that is not empty is judged by the rules on shapes, except that a reduction
//! over nothing leaves its destination unchanged. Source: `docs/isa/TCOLSUM.md`, "returns early"; headers return
//! early on the destination.

use super::Set;
use super::effect::{Access, Effect, Extent, Target};
use super::site::{Fact, Site, TileFact};
#[cfg(feature = "run")]
use crate::exec::state::{Execute, Prepare, Slot, State};

/// The tiles that decide whether an instruction has anything to compute, by position.
struct Deciding {
    /// Written tiles: the instruction does nothing if all of them are empty.
    together: Vec<usize>,
    /// Sources of reductions and of instructions that write no tile, such as stores: the instruction does nothing if one
    /// of them is empty.
    alone: Vec<usize>,
    /// All tiles with a valid region.
    all: Vec<usize>,
}

fn is_write(access: Access) -> bool {
    matches!(access, Access::Write | Access::PartialWrite)
}

/// The tiles that decide for one use.
fn deciding(site: &Site<'_>) -> Deciding {
    let set = site.instruction.page().set;
    let mut effects = site.instruction.effects(site);
    effects.retain(|effect| match effect.target {
        Target::Operand(_, Extent::Rect(..) | Extent::Window(..) | Extent::Moved(_)) => true,
        Target::Operand(..) => is_write(effect.access),
        _ => false,
    });
    // A source that is also written, such as one that holds intermediate results, is not a destination.
    let page = site.instruction.page();
    effects.retain(|effect| !is_write(effect.access) || !effect.role().is_some_and(|role| page.takes(role)));
    let positions = |counts: &dyn Fn(Access) -> bool| -> Vec<usize> {
        let roles: Vec<_> =
            effects.iter().filter(|effect| counts(effect.access)).filter_map(Effect::role).collect();
        let operands = site.operands.iter().enumerate();
        let tiles = operands.filter(|(_, operand)| matches!(operand.fact, Fact::Tile(_)));
        tiles.filter(|(_, operand)| roles.contains(&operand.role)).map(|(at, _)| at).collect()
    };
    let is_read = |access: Access| access == Access::Read;
    let written = positions(&is_write);
    let all = positions(&|access| is_write(access) || is_read(access));
    let [together, alone] = match set {
        Set::Reduce => [written, positions(&is_read)],
        Set::Elementwise | Set::TileScalar | Set::Expand | Set::Matmul | Set::Layout => [written, Vec::new()],
        Set::Memory | Set::Irregular if written.is_empty() => [Vec::new(), positions(&is_read)],
        Set::Memory | Set::Irregular => [written, Vec::new()],
        _ => [Vec::new(), Vec::new()],
    };
    Deciding { together, alone, all }
}

fn is_empty(tile: &TileFact) -> bool {
    tile.rows == Some(0) || tile.cols == Some(0)
}

/// Name of a tile that is known to be empty and leaves the instruction nothing to compute.
pub(super) fn idle_for<'s>(site: &'s Site<'_>) -> Option<&'s str> {
    let empty = |fact: &Fact| matches!(fact, Fact::Tile(tile) if is_empty(tile));
    // Fast exit: most uses have no empty tile.
    if !site.operands.iter().any(|operand| empty(&operand.fact)) {
        return None;
    }
    let deciding = deciding(site);
    let is_empty = |at: &usize| empty(&site.operands[*at].fact);
    let found = match deciding.together.iter().all(is_empty) {
        true => deciding.together.first().copied(),
        false => None,
    };
    let found = found.or_else(|| deciding.alone.iter().copied().find(|at| is_empty(at)))?;
    Some(site.operands[found].name)
}

/// Whether all valid regions are consistent with a no-op.
pub(super) fn are_all_empty(site: &Site<'_>) -> bool {
    deciding(site).all.iter().all(|at| matches!(&site.operands[*at].fact, Fact::Tile(tile) if is_empty(tile)))
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

/// The slots whose regions decide at run time.
#[cfg(feature = "run")]
struct OpenSlots {
    /// The instruction does nothing if all of these tiles are empty; none if one of them never is.
    together: Vec<u32>,
    /// The instruction does nothing if one of these tiles is empty.
    alone: Vec<u32>,
}

/// Slots of the deciding tiles, as far as they are empty or their valid region is known only at run time.
#[cfg(feature = "run")]
fn open_slots(prepare: &Prepare<'_>) -> OpenSlots {
    let is_open = |at: &usize| match &prepare.site.operands[*at].fact {
        Fact::Tile(tile) => is_empty(tile) || tile.rows.is_none() || tile.cols.is_none(),
        _ => false,
    };
    let slot = |at: usize| if let Slot::Tile(slot) = prepare.slots[at] { Some(slot) } else { None };
    let Deciding { together, alone, .. } = deciding(prepare.site);
    let together = if together.iter().all(is_open) { together } else { Vec::new() };
    OpenSlots {
        together: together.into_iter().filter_map(slot).collect(),
        alone: alone.into_iter().filter(is_open).filter_map(slot).collect(),
    }
}

#[cfg(feature = "run")]
impl OpenSlots {
    fn is_idle(&self, state: &State<'_>) -> bool {
        let is_empty = |slot: &u32| {
            let live = &state.tiles[*slot as usize];
            live.rows == 0 || live.cols == 0
        };
        !self.together.is_empty() && self.together.iter().all(is_empty) || self.alone.iter().any(is_empty)
    }
}

/// Prepares an instruction; at run time it does nothing if it has nothing to compute.
///
/// # Errors
/// The reason why the instruction cannot run with these operands, as a sentence.
#[cfg(feature = "run")]
pub fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let execute = prepare.site.instruction.prepare(prepare)?;
    let slots = open_slots(prepare);
    if slots.together.is_empty() && slots.alone.is_empty() {
        return Ok(execute);
    }
    Ok(Box::new(
        move |state: &mut State<'_>| {
            if slots.is_idle(state) { Ok(()) } else { execute.execute(state) }
        },
    ))
}

/// Whether the instruction has nothing to compute in the current state.
#[cfg(feature = "run")]
pub fn is_idle_now(prepare: &Prepare<'_>, state: &State<'_>) -> bool {
    open_slots(prepare).is_idle(state)
}
