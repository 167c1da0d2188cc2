//! Flags between the cube core and the vector cores of a block.
//!
//! A flag counts how often it was set and not yet waited for. The cube core calls those of the first vector core 0 to
//! 15 and those of the second one 16 to 31; a vector core calls its own 0 to 15.
//! Source: `docs/isa/tile/ops/sync-and-config`, A5 `set_intra_block` and `wait_intra_block`.

use super::super::code::Extent;
use super::pipes::Wait;
use super::step::{Stop, rule};
use super::{Core, CoreKind, Frame, Machine};
use std::collections::BTreeMap;

/// Flags of each vector core, in each direction.
const PER_CORE: u64 = 16;

/// How often each flag is set: by vector core, direction (whether to it), and number.
pub(super) type Flags = BTreeMap<(u64, bool, u64), u64>;

impl Machine<'_> {
    /// Sets a flag, or waits for one. In a program that runs in its order there is nothing to do.
    pub(super) fn signal(&mut self, core: &Core, frame: Frame, set: bool, id: Extent) -> Result<(), Stop> {
        if core.kind == CoreKind::Whole {
            return Ok(());
        }
        let id = match id {
            Extent::Fixed(id) => u64::from(id),
            Extent::Slot(slot) => core.scalars[frame.scalars + slot as usize],
        };
        let cube = core.kind == CoreKind::Cube;
        let limit = if cube { 2 * PER_CORE } else { PER_CORE };
        if id >= limit {
            let message = format!("{} has flags 0 to {}, not {id}", core.kind.name(), limit - 1);
            return rule("pipe::flag", message);
        }
        let partner = if cube { id / PER_CORE } else { core.kind.index() as u64 };
        // What the cube core sets goes to a vector core, what it waits for comes from one.
        let key = (partner, cube == set, id % PER_CORE);
        let count = self.pipes.flags.entry(key).or_default();
        if set {
            *count += 1;
            return Ok(());
        }
        match count.checked_sub(1) {
            Some(left) => *count = left,
            None => {
                let peer = if cube { "a vector core" } else { "the cube core" };
                return Err(Stop::Wait(Wait { what: format!("flag {id} from {peer}") }));
            }
        }
        Ok(())
    }
}
