//! The launches of the ranks of a device: where they begin and end, their open blocks, and whether all of them wait.

use super::{Core, Live, misuse};
use crate::sim::Observer;
use crate::sim::event::What;
use crate::sim::machine::{Block, Machine};
use pto_isa::diag::Diagnostic;
use pto_isa::exec::global::MAX_RANKS;

/// An open block, and the number of changes of the launch at which each of its cores began to wait.
pub(super) struct OpenBlock {
    pub(super) block: Block,
    pub(super) waits: Vec<Option<u64>>,
}

/// The rank of cores of no launch.
pub const OUTSIDE: u32 = MAX_RANKS;

/// The launches of a rank, one after the other.
#[derive(Default)]
pub(super) struct Rank {
    /// Number of blocks of the launch.
    pub(super) count: u32,
    /// Blocks of the launch by number; `None` for ended ones.
    pub(super) blocks: Vec<Option<OpenBlock>>,
    /// Whether another launch may follow, which cores of other ranks may wait for.
    goes_on: bool,
}

impl Rank {
    pub(super) fn open(&self) -> impl Iterator<Item = &OpenBlock> {
        self.blocks.iter().flatten()
    }

    /// Whether this rank can only continue after another one: its cores wait, since `changes`, or have ended.
    fn is_stuck(&self, changes: u64) -> bool {
        let waits = |open: &OpenBlock| {
            let mut cores = open.block.cores.iter().zip(&open.waits);
            cores.all(|(core, since)| core.is_done() || *since == Some(changes))
        };
        let is_between = self.open().next().is_none();
        self.blocks.len() as u32 == self.count && self.open().all(waits) && !(is_between && self.goes_on)
    }
}

/// The block of a core, if it is open.
pub(super) fn open(ranks: &[Rank], core: Core) -> Option<&OpenBlock> {
    ranks.get(core.rank as usize)?.blocks.get(core.block as usize)?.as_ref()
}

/// The block of a core, if it is open, for changes.
pub(super) fn open_mut(ranks: &mut [Rank], core: Core) -> Option<&mut OpenBlock> {
    ranks.get_mut(core.rank as usize)?.blocks.get_mut(core.block as usize)?.as_mut()
}

impl<O: Observer> Live<O> {
    /// Sets the number of ranks that run launches of their own from now on. All of them may begin one, until
    /// [`Live::end_rank`].
    pub fn set_ranks(&mut self, count: u32) {
        self.stop_launches();
        self.meet();
        self.count = count.clamp(1, MAX_RANKS);
        let (several, ranks) = (self.count > 1, self.count as usize);
        self.state.has_ranks = several;
        self.ranks[..ranks].iter_mut().for_each(|rank| rank.goes_on = several);
    }

    /// Declares that a rank begins no further launch, so that no core waits for one.
    ///
    /// # Errors
    /// If cores of all other ranks wait now.
    pub fn end_rank(&mut self, rank: u32) -> Result<(), Vec<Diagnostic>> {
        self.rank(rank)?.goes_on = false;
        self.is_locked()
    }

    /// Orders all later launches of all ranks after all earlier ones.
    pub fn meet(&mut self) {
        self.machine().tell_of_host(0, What::LaunchEnds { of_all: true });
    }

    fn rank(&mut self, rank: u32) -> Result<&mut Rank, Vec<Diagnostic>> {
        match self.ranks[..self.count as usize].get_mut(rank as usize) {
            Some(rank) => Ok(rank),
            None => misuse(format!("there is no rank {rank}: there are {}", self.count)),
        }
    }

    /// Begins a launch of `blocks` blocks on a rank. If blocks of the previous one have not ended, a finding has
    /// stopped it, and the launches of all ranks end.
    ///
    /// # Errors
    /// If there is no such rank.
    pub fn begin_launch(&mut self, rank: u32, blocks: u32) -> Result<(), Vec<Diagnostic>> {
        if self.rank(rank)?.open().next().is_some() {
            self.stop_launches();
        }
        let open = self.rank(rank)?;
        (open.count, open.blocks) = (blocks, Vec::new());
        Ok(())
    }

    /// Drops the blocks that have not ended, with the flags that they have set.
    fn stop_launches(&mut self) {
        self.release();
        let blocks = self.ranks[..self.count as usize].iter_mut().flat_map(|rank| {
            rank.count = 0;
            rank.blocks.drain(..).flatten()
        });
        let stopped: Vec<Block> = blocks.map(|open| open.block).collect();
        if stopped.is_empty() {
            return;
        }
        let mut machine = self.machine();
        stopped.iter().for_each(|block| machine.stop_block(block));
        machine.tell_of_host(0, What::LaunchStops);
    }

    /// Begins the next block of a rank's launch and returns its cores.
    ///
    /// # Errors
    /// If the launch has no further block.
    pub fn begin_block(&mut self, rank: u32) -> Result<Vec<Core>, Vec<Diagnostic>> {
        let Rank { count, ref blocks, .. } = *self.rank(rank)?;
        let number = blocks.len() as u32;
        if number >= count {
            return misuse(format!("the launch has {count} blocks: there is no block {number}"));
        }
        Ok(self.begin_next_block(rank))
    }

    /// Begins a block of no launch, and returns its cores, which end like cores of a launch.
    pub fn join(&mut self) -> Vec<Core> {
        // There may always be more of them.
        self.ranks[OUTSIDE as usize].count = u32::MAX;
        self.begin_next_block(OUTSIDE)
    }

    fn begin_next_block(&mut self, rank: u32) -> Vec<Core> {
        let Rank { count, ref blocks, .. } = self.ranks[rank as usize];
        let number = blocks.len() as u32;
        self.release();
        let ended = self.ended.take();
        self.options.blocks = count;
        let block = self.machine().begin_live(rank, number, ended);
        let waits = vec![None; block.cores.len()];
        self.ranks[rank as usize].blocks.push(Some(OpenBlock { block, waits }));
        let cores = 0..self.program.strands.len() as u32;
        cores.map(|index| Core { rank, block: number, index }).collect()
    }

    /// Ends the launch of a rank: later launches of the rank are ordered after everything in this one.
    ///
    /// # Errors
    /// If a block has not ended or not begun.
    pub fn end_launch(&mut self, rank: u32) -> Result<(), Vec<Diagnostic>> {
        let ended = self.rank(rank)?;
        let open = ended.open().count() + (ended.count as usize - ended.blocks.len());
        if open > 0 {
            return misuse(format!("{open} blocks of the launch have not come to their end"));
        }
        let of_all = self.count == 1;
        self.machine().tell_of_host(rank, What::LaunchEnds { of_all });
        Ok(())
    }

    /// The finding of a deadlock, if all cores of all blocks wait, and nothing has changed since.
    pub(super) fn is_locked(&mut self) -> Result<(), Vec<Diagnostic>> {
        let changes = self.state.changes;
        let blocks: Vec<&Block> = self.ranks.iter().flat_map(Rank::open).map(|open| &open.block).collect();
        if blocks.is_empty() || !self.ranks.iter().all(|rank| rank.is_stuck(changes)) {
            return Ok(());
        }
        let machine = Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer);
        Err(machine.locked(&blocks))
    }

    /// The finding for a driver whose cores have tested signals in vain for long: the reason why each core waits.
    pub fn in_vain(&mut self) -> Vec<Diagnostic> {
        self.release();
        let blocks: Vec<&Block> = self.ranks.iter().flat_map(Rank::open).map(|open| &open.block).collect();
        Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer).locked(&blocks)
    }
}
