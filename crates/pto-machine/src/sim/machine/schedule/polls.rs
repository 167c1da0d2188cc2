//! Cores that poll signals that no core changes: they run without progress.

use super::super::{Core, Frame};
use super::{Block, Pause};
use pto_isa::exec::state::{Live, View};

/// Detects a repetition among rounds in which each core runs once and changes nothing that other cores see. After a
/// repetition the rounds repeat forever, since each core then depends only on its own registers.
///
/// By Brent's algorithm: a round is compared with a kept one, and replaces it after 1, 2, 4, ... rounds.
#[derive(Default)]
pub(super) struct Polls {
    /// Number of changes before the first of these rounds.
    changes: u64,
    rounds: u64,
    kept: Vec<Registers>,
}

/// The registers that scalar steps of a core write; others need an instruction, which is a change.
#[derive(PartialEq)]
pub(super) struct Registers {
    at: usize,
    vector_core: u32,
    frames: Vec<Frame>,
    scalars: Vec<u64>,
    tiles: Vec<Live>,
    views: Vec<View>,
    arrays: Vec<Vec<u64>>,
    control: u64,
}

impl Registers {
    /// The registers of a core before its step `at`.
    pub(super) fn of(core: &Core, at: usize) -> Registers {
        let Core { vector_core, frames, scalars, tiles, views, arrays, registers, .. } = core;
        Registers {
            at,
            vector_core: *vector_core,
            frames: frames.clone(),
            scalars: scalars.clone(),
            tiles: tiles.clone(),
            views: views.clone(),
            arrays: arrays.clone(),
            control: registers.control,
        }
    }

    /// Whether the registers of a core before its step `at` equal these.
    pub(super) fn are_those_of(&self, core: &Core, at: usize) -> bool {
        // Most unequal states differ in these two.
        self.at == at && self.scalars == core.scalars && *self == Registers::of(core, at)
    }
}

impl Polls {
    /// Whether the cores have the state from after an earlier round, with `changes` changes so far.
    pub(super) fn are_in_vain(&mut self, blocks: &[Block], changes: u64) -> bool {
        let cores = || blocks.iter().flat_map(|block| &block.cores).filter(|core| !core.is_done());
        if changes != self.changes || cores().any(|core| matches!(core.pause, Pause::Turn)) {
            *self = Polls { changes, ..Polls::default() };
            return false;
        }
        let now: Vec<Registers> = cores().map(|running| Registers::of(&running.core, running.at)).collect();
        if !now.is_empty() && now == self.kept {
            return true;
        }
        self.rounds += 1;
        if self.rounds.is_power_of_two() {
            self.kept = now;
        }
        false
    }
}
