//! Flags between cores, and barriers of all cores of a launch.
//!
//! A flag counts the sets and the waits of each core. A wait of a core ends when every setter of the flag has set it more
//! often than the core has waited for it. Sources: `docs/isa/scalar/ops/pipeline-sync/`,
//! `docs/isa/SYNCALL.md`.

use super::super::code::{Extent, FlagReach, Meeting, Strand};
use super::super::event::{CoreId, Place, What};
use super::queues::Wait;
use super::step::{Stop, rule};
use super::{Core, CoreKind, Frame, Machine};
use pto_isa::element::Element;
use pto_isa::exec::state::Slot;
use pto_isa::meaning;
use pto_isa::op::sync::SYNCALL_WORKSPACE;
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_isa::rules;
use std::collections::BTreeMap;

/// Flags of each core.
const PER_CORE: u64 = 16;

/// Identity of a flag.
type FlagId = (FlagReach, u64);

/// Number of sets and of waits of each core for each flag.
#[derive(Default)]
pub(in crate::sim) struct Flags {
    set: BTreeMap<(FlagId, CoreId), u64>,
    taken: BTreeMap<(FlagId, CoreId), u64>,
}

impl Flags {
    fn set(&mut self, flag: FlagId, by: CoreId) {
        *self.set.entry((flag, by)).or_default() += 1;
    }

    /// Takes one set of each setter and returns the number of earlier takes; the error is the first setter that has not
    /// set the flag.
    fn take(&mut self, flag: FlagId, by: CoreId, setters: &[CoreId]) -> Result<u64, CoreId> {
        let taken = self.taken.entry((flag, by)).or_default();
        let count = |setter: CoreId| self.set.get(&(flag, setter)).copied().unwrap_or(0);
        match setters.iter().find(|setter| count(**setter) <= *taken) {
            Some(missing) => Err(*missing),
            None => {
                *taken += 1;
                Ok(*taken - 1)
            }
        }
    }
}

/// A flag between cores, and the pipe that sets it or waits for it.
pub(super) struct CoreFlag {
    pub(super) reach: FlagReach,
    pub(super) id: Extent,
    pub(super) pipe: Pipe,
}

impl Machine<'_> {
    /// Sets a flag, or waits for one. Within a block that runs in program order there is nothing to do.
    pub(super) fn signal(
        &mut self,
        core: &Core,
        frame: Frame,
        at: Place,
        set: bool,
        flag: CoreFlag,
    ) -> Result<(), Stop> {
        let CoreFlag { reach, id, pipe } = flag;
        if core.kind == CoreKind::Whole && reach != FlagReach::Blocks {
            return Ok(());
        }
        let id = match id {
            Extent::Fixed(id) => u64::from(id),
            Extent::Slot(slot) => core.scalars[frame.scalars + slot as usize],
        };
        let cube = core.kind == CoreKind::Cube;
        let limit = if cube && reach == FlagReach::Core { 2 * PER_CORE } else { PER_CORE };
        if id >= limit {
            let message = format!("{} has flags 0 to {}, not {id}", core.kind.name(), limit - 1);
            return rule(&rules::cores::FLAG, message);
        }
        // Flags 16 to 31 of the cube core are flags 0 to 15 of the second vector core.
        let number = match core.kind {
            CoreKind::Vector(index) if reach == FlagReach::Core => id + PER_CORE * u64::from(index),
            _ => id,
        };
        let me = core.id();
        let flag = (reach, number);
        let setters = self.setters(core, reach, number);
        let flags =
            if reach == FlagReach::Blocks { &mut self.state.across } else { &mut self.state.exchange.flags };
        if set {
            flags.set(flag, me);
            self.tell(me, at, What::Signal { flag, pipe });
            return Ok(());
        }
        let count = flags.take(flag, me, &setters).map_err(|missing| {
            let whose = self.whose(core, missing);
            Stop::Wait(Wait { what: format!("flag {id} from {whose}") })
        })?;
        self.tell(me, at, What::Hear { flag, pipe, setters: &setters, count });
        Ok(())
    }

    /// The cores that must set a flag for which a core waits.
    fn setters(&self, core: &Core, reach: FlagReach, number: u64) -> Vec<CoreId> {
        let waits_as_cube = core.kind == CoreKind::Cube;
        let is_setter = |kind: CoreKind| match (reach, kind) {
            (FlagReach::Core, CoreKind::Vector(index)) if waits_as_cube => {
                u64::from(index) == number / PER_CORE
            }
            (FlagReach::Core, kind) => !waits_as_cube && kind == CoreKind::Cube,
            (FlagReach::Block, kind) => (kind == CoreKind::Cube) != waits_as_cube,
            (FlagReach::VectorCores, kind) => kind != CoreKind::Cube,
            (FlagReach::Blocks | FlagReach::Meeting, kind) => (kind == CoreKind::Cube) == waits_as_cube,
        };
        let blocks = match reach {
            FlagReach::Blocks => 0..self.options.blocks,
            _ => core.block..core.block + 1,
        };
        blocks.flat_map(|block| self.cores_of(core.rank, block, is_setter)).collect()
    }

    /// The cores of a block of these kinds.
    fn cores_of(&self, rank: u32, block: u32, wanted: impl Fn(CoreKind) -> bool) -> Vec<CoreId> {
        let strands = self.program.strands.iter().filter(|strand| wanted(strand.kind));
        let core = |strand: &Strand| {
            let Strand { kind, vector_core, .. } = *strand;
            CoreId { rank, block, kind, vector_core }
        };
        strands.map(core).collect()
    }

    /// The name of another core in messages.
    fn whose(&self, core: &Core, CoreId { block, kind, .. }: CoreId) -> String {
        match (block == core.block, kind) {
            (true, CoreKind::Whole) => "itself".to_owned(),
            (true, kind) => kind.name(),
            (false, kind) => format!("{} of block {block}", kind.name()),
        }
    }

    /// Barrier of all cores of a kind: continues when all have arrived as often as this one.
    pub(super) fn meet(
        &mut self,
        core: &mut Core,
        frame: Frame,
        at: Place,
        meeting: &Meeting,
    ) -> Result<(), Stop> {
        let meets = match core.kind.core().or(self.program.functions[0].core) {
            None => true,
            Some(meaning::Core::Cube) => meeting.cube,
            Some(meaning::Core::Vector) => meeting.vector,
        };
        if !meets {
            return Ok(());
        }
        let takes_part = |kind: CoreKind| match kind {
            CoreKind::Whole => true,
            CoreKind::Cube => meeting.cube,
            CoreKind::Vector(_) => meeting.vector,
        };
        if let Some(workspace) = meeting.workspace {
            let all = self.options.blocks as usize * self.cores_of(core.rank, 0, takes_part).len();
            let used = meeting.used.map(|slot| core.scalars[frame.scalars + slot as usize] as i32);
            let count = used.and_then(|used| u64::try_from(used).ok()).filter(|used| *used > 0);
            return self.meet_at(core, frame, at, workspace, count.unwrap_or(all as u64));
        }
        let me = core.id();
        let flag = (FlagReach::Meeting, u64::from(meeting.cube) | u64::from(meeting.vector) << 1);
        if !core.arrived {
            self.state.across.set(flag, me);
            self.tell(me, at, What::Signal { flag, pipe: Pipe::Scalar });
            core.arrived = true;
        }
        let blocks = 0..self.options.blocks;
        let all: Vec<_> = blocks.flat_map(|block| self.cores_of(core.rank, block, takes_part)).collect();
        let count = self.state.across.take(flag, me, &all).map_err(|CoreId { block, kind, .. }| {
            Stop::Wait(Wait { what: format!("{} of block {block} to come here", kind.name()) })
        })?;
        self.tell(me, at, What::Hear { flag, pipe: Pipe::Scalar, setters: &all, count });
        core.arrived = false;
        Ok(())
    }

    /// Barrier of `count` cores by a counter in global memory, the first i32 of the workspace.
    fn meet_at(
        &mut self,
        core: &mut Core,
        frame: Frame,
        place: Place,
        workspace: Slot,
        count: u64,
    ) -> Result<(), Stop> {
        const BYTES: u64 = 64;
        let address = match workspace {
            Slot::View(slot) => core.views[frame.views + slot as usize].address,
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize],
            _ => return Ok(()),
        };
        let counter = self.state.global.locate(address);
        let holds = |(buffer, at): &(usize, u64)| {
            at.saturating_add(BYTES) <= self.state.global.buffer(*buffer).size() as u64
        };
        let Some((buffer, at)) = counter.filter(holds) else {
            let message = "the workspace has fewer than 16 elements of i32, which the barrier of cores needs"
                .to_owned();
            return rule(SYNCALL_WORKSPACE.owned_by(Op::SYNCALL.page().name), message);
        };
        let read =
            |machine: &mut Self| machine.state.global.reading(buffer).get(at as usize, 0, Element::I32);
        if !core.arrived {
            let before = read(self);
            core.target = (before / count + 1) * count;
            let next = before.wrapping_add(1) & 0xffff_ffff;
            self.state.global.writing(buffer).set(at as usize, 0, Element::I32, next);
            core.arrived = true;
            self.tell(core.id(), place, What::Notify { signal: (buffer as u32, at) });
        }
        let have = read(self);
        if have < core.target {
            let what = format!("the counter of the workspace to reach {}, which is {have}", core.target);
            return Err(Stop::Wait(Wait { what }));
        }
        self.tell(core.id(), place, What::See { signal: (buffer as u32, at) });
        core.arrived = false;
        Ok(())
    }
}
