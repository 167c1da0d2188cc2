//! Runs of one instruction compared with each other: which bytes changed, and which should have.

use super::super::footprint::Touch;
use super::super::operands::Space;
use super::super::region::Region;
use super::{Core, Machine};
use crate::isa::op::effect::Access;
use crate::isa::op::registers::Registers;
use crate::isa::op::state::Live;

/// How a byte is touched.
mod mark {
    pub(super) const READ: u8 = 1;
    pub(super) const WRITE: u8 = 2;
    pub(super) const PARTIAL: u8 = 4;
    pub(super) const DESTROY: u8 = 8;
}

fn mark_of(touch: &Touch) -> u8 {
    match touch.access {
        Access::Read | Access::Await | Access::Look => mark::READ,
        Access::Write if touch.shares_bytes() => mark::PARTIAL,
        Access::Write => mark::WRITE,
        Access::PartialWrite | Access::Notify => mark::PARTIAL,
        Access::Destroy => mark::DESTROY,
        Access::Name | Access::Fence => 0,
    }
}

/// Whether an instruction may change a byte that it touches so.
pub(super) fn may_change(mark: u8) -> bool {
    mark & (mark::WRITE | mark::PARTIAL | mark::DESTROY) != 0
}

/// One effect with the regions that it means in one run.
pub(super) type Touches = (Touch, Vec<(Space, Region)>);

/// Everything that an instruction may change.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) memory: Vec<u8>,
    pub(super) global: Vec<Vec<u8>>,
    pub(super) scalars: Vec<u64>,
    pub(super) tiles: Vec<Live>,
    pub(super) registers: Registers,
    pub(super) printed: usize,
}

/// For each byte of the block's memory and of each buffer, how the instruction touches it.
pub(super) struct Marks {
    pub(super) memory: Vec<u8>,
    pub(super) global: Vec<Vec<u8>>,
}

impl Marks {
    /// The marks of some effects, for memories of these sizes; a buffer without a size is not marked.
    pub(super) fn of(touched: &[Touches], memory: usize, global: impl Iterator<Item = usize>) -> Marks {
        let mut marks = Marks { memory: vec![0; memory], global: global.map(|size| vec![0; size]).collect() };
        for (touch, regions) in touched {
            for (space, region) in regions {
                let target = match space {
                    Space::Chip(..) => Some(&mut marks.memory),
                    Space::Global(buffer) => marks.global.get_mut(*buffer as usize),
                };
                let Some(target) = target else { continue };
                for (start, length) in region.runs() {
                    let end = target.len().min((start + length) as usize);
                    target[end.min(start as usize)..end].iter_mut().for_each(|byte| *byte |= mark_of(touch));
                }
            }
        }
        marks
    }
}

/// A byte of some regions.
pub(super) fn sample(regions: &[&(Space, Region)], dice: &mut u64) -> (Space, u64) {
    let (space, region) = regions[roll(dice) as usize % regions.len()];
    (*space, region.start + roll(dice) % region.count * region.stride + roll(dice) % region.run)
}

/// The next random number, by a linear congruential generator.
pub(super) fn roll(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *dice >> 33
}

/// One run of an instruction that others are compared with.
pub(super) struct Trial<'a> {
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    pub(super) marks: &'a Marks,
    pub(super) printed: &'a [String],
}

impl Trial<'_> {
    /// A byte that changed without being declared as written.
    pub(super) fn undeclared(&self, end: usize) -> Option<String> {
        let in_memory = (0..end.min(self.before.memory.len())).find(|at| {
            self.before.memory[*at] != self.after.memory[*at] && !may_change(self.marks.memory[*at])
        });
        if let Some(at) = in_memory {
            return Some(format!("changes byte {at} of the block's memory without declaring it"));
        }
        let buffers = self.before.global.iter().zip(&self.after.global).zip(&self.marks.global);
        buffers.enumerate().find_map(|(buffer, ((old, new), marks))| {
            let at = (0..old.len()).find(|at| old[*at] != new[*at] && !may_change(marks[*at]))?;
            Some(format!("changes byte {at} of buffer {buffer} without declaring it"))
        })
    }

    /// Changes every byte that is not read.
    pub(super) fn scramble(&self, other: &mut Snapshot, end: usize, dice: &mut u64) {
        let mut change = |bytes: &mut [u8], marks: &[u8]| {
            for (byte, mark) in bytes.iter_mut().zip(marks) {
                if mark & (mark::READ | mark::PARTIAL) == 0 {
                    *byte ^= (roll(dice) % 255 + 1) as u8;
                }
            }
        };
        let end = end.min(other.memory.len());
        change(&mut other.memory[..end], &self.marks.memory);
        other.global.iter_mut().zip(&self.marks.global).for_each(|(bytes, marks)| change(bytes, marks));
    }

    /// What differs from the results of the first run.
    pub(super) fn difference(&self, machine: &Machine<'_>, core: &Core, end: usize) -> Option<String> {
        let results = mark::WRITE | mark::PARTIAL;
        let destroyed = |mark: u8| mark & mark::DESTROY != 0 && mark & mark::WRITE == 0;
        let differs = |new: &[u8], old: &[u8], marks: &[u8]| {
            (0..new.len().min(old.len()).min(marks.len()))
                .find(|at| marks[*at] & results != 0 && !destroyed(marks[*at]) && new[*at] != old[*at])
        };
        let end = end.min(core.memory.len());
        if let Some(at) = differs(&core.memory[..end], &self.after.memory, &self.marks.memory) {
            return Some(format!(
                "byte {at} of the block's memory depends on bytes that it does not declare to read, or keeps its old value"
            ));
        }
        for (at, buffer) in machine.global.buffers().iter().enumerate() {
            if let Some(byte) = differs(buffer.watched(), &self.after.global[at], &self.marks.global[at]) {
                return Some(format!(
                    "byte {byte} of buffer {at} depends on bytes that it does not declare to read, or keeps its old value"
                ));
            }
        }
        if core.scalars != self.after.scalars || core.tiles != self.after.tiles {
            return Some("a scalar result depends on bytes that it does not declare to read".to_owned());
        }
        let printed = &machine.outcome.printed[self.before.printed..];
        (printed != self.printed).then(|| "prints bytes that it does not declare to read".to_owned())
    }

    /// Whether a byte was written: it is no source, and its old value did not remain in the run with changed bytes; or
    /// its value changed.
    pub(super) fn is_written(&self, space: Space, byte: u64) -> bool {
        let at = byte as usize;
        let (old, new, mark) = match space {
            Space::Chip(..) => (&self.before.memory, &self.after.memory, self.marks.memory.get(at)),
            Space::Global(buffer) => {
                let buffer = buffer as usize;
                (&self.before.global[buffer], &self.after.global[buffer], self.marks.global[buffer].get(at))
            }
        };
        let pure = mark.is_some_and(|mark| mark & (mark::READ | mark::PARTIAL) == 0);
        pure || old.get(at) != new.get(at)
    }
}
