//! The backlogs of the pipes of a core: the entries that have not run, and which of them a schedule selects.

use super::Schedule;
use crate::sim::event::{FlagKey, Place};
use crate::sim::flag_file::FlagFile;
use crate::sim::operands::{Given, Operand};
use pto_isa::exec::state::{Live, Slot, View};
use pto_isa::pipe::Pipe;
use pto_num::random;
use std::collections::{BTreeMap, VecDeque};

/// Pipes with a backlog, in the order of selection.
pub(super) const PIPES: [Pipe; 6] =
    [Pipe::Vector, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Matrix, Pipe::Fixpipe];

/// Instructions after which the adversarial schedule selects other pipes.
const MOOD: u64 = 7;

/// An entry of a backlog.
#[derive(Debug)]
pub(super) enum Work {
    Tile {
        function: usize,
        index: usize,
        vector_core: u32,
        /// Operands at the issue of the instruction.
        operands: Vec<(Slot, Operand)>,
    },
    Set(FlagKey),
    Wait(FlagKey, Place),
    /// Acquires a token: ready after this number of its releases.
    Acquire(u32, u64),
    Release(u32),
}

/// Operands of the running instruction, indexed by slot.
#[derive(Debug, Default)]
pub(in crate::sim::machine) struct Stage {
    pub(in crate::sim::machine) tiles: Vec<Live>,
    pub(in crate::sim::machine) views: Vec<View>,
    pub(in crate::sim::machine) scalars: Vec<u64>,
}

impl Stage {
    pub(in crate::sim::machine) fn given(&self) -> Given<'_> {
        Given { tiles: &self.tiles, views: &self.views, scalars: &self.scalars }
    }
}

/// The backlogs of a core, with its flags and tokens.
#[derive(Debug, Default)]
pub(in crate::sim) struct Pending {
    pub(super) backlogs: [VecDeque<(u64, Work)>; PIPES.len()],
    pub(super) flags: FlagFile<()>,
    pub(super) released: BTreeMap<u32, (u64, u64)>,
    issued: u64,
    random: u64,
    pub(super) stage: Stage,
}

pub(super) fn backlog_of(pipe: Pipe) -> Option<usize> {
    PIPES.iter().position(|other| *other == pipe)
}

impl Pending {
    /// No entries; `seed` determines the choices of random schedules.
    pub(in crate::sim::machine) fn new(seed: u64) -> Pending {
        Pending { random: seed, ..Pending::default() }
    }

    /// A random number below `limit`; 0 for a limit of 0.
    fn below(&mut self, limit: u64) -> u64 {
        random::next(&mut self.random) % limit.max(1)
    }

    pub(super) fn put(&mut self, backlog: usize, work: Work) {
        self.issued += 1;
        self.backlogs[backlog].push_back((self.issued, work));
    }

    /// Whether the first entry of a backlog can run.
    pub(super) fn is_ready(&self, backlog: usize) -> bool {
        match self.backlogs[backlog].front() {
            None => false,
            Some((_, Work::Wait(key, _))) => self.flags.is_set(*key),
            Some((_, Work::Acquire(token, needed))) => {
                self.released.get(token).map_or(0, |(_, done)| *done) >= *needed
            }
            Some(_) => true,
        }
    }

    /// The backlogs whose first entry can run.
    fn ready(&self) -> impl Iterator<Item = usize> {
        (0..PIPES.len()).filter(|backlog| self.is_ready(*backlog))
    }

    pub(super) fn head(&self, backlog: usize) -> u64 {
        self.backlogs[backlog].front().map_or(u64::MAX, |(serial, _)| *serial)
    }

    /// The ready backlog that the schedule selects.
    pub(super) fn choose(&mut self, schedule: Schedule) -> Option<usize> {
        match schedule {
            Schedule::Program | Schedule::Eager => self.ready().min_by_key(|backlog| self.head(*backlog)),
            Schedule::Lazy => self.ready().max_by_key(|backlog| self.head(*backlog)),
            Schedule::Random | Schedule::Adversarial => {
                let ready: Vec<_> = self.ready().collect();
                let pick = self.below(ready.len() as u64) as usize;
                ready.get(pick).copied()
            }
        }
    }

    /// The backlog from which the schedule runs an entry that nothing waits for; `None` if it runs no entry now.
    pub(super) fn unasked(&mut self, schedule: Schedule) -> Option<usize> {
        match schedule {
            Schedule::Program | Schedule::Eager => self.choose(schedule),
            Schedule::Lazy => None,
            Schedule::Random => {
                let now = self.below(3) > 0;
                if now { self.choose(schedule) } else { None }
            }
            Schedule::Adversarial => {
                // One bit for each pipe: whether it runs ahead.
                let mood = random::mix(self.random ^ (self.issued / MOOD));
                self.ready().find(|backlog| mood >> backlog & 1 == 1)
            }
        }
    }

    /// Copies the operands of an instruction to their slots in `stage`.
    pub(super) fn set_stage(&mut self, operands: &[(Slot, Operand)]) {
        let Stage { tiles, views, scalars } = &mut self.stage;
        let fit = |slot: u32| slot as usize + 1;
        for (slot, operand) in operands {
            match (*slot, *operand) {
                (Slot::Tile(slot), Operand::Tile(live)) => {
                    tiles.resize(tiles.len().max(fit(slot)), Live::default());
                    tiles[slot as usize] = live;
                }
                (Slot::View(slot), Operand::View(view)) => {
                    views.resize(views.len().max(fit(slot)), View::default());
                    views[slot as usize] = view;
                }
                (Slot::Scalar(slot), Operand::Scalar(bits)) => {
                    scalars.resize(scalars.len().max(fit(slot)), 0);
                    scalars[slot as usize] = bits;
                }
                _ => {}
            }
        }
    }
}
