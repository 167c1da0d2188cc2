//! Scheduling of the blocks of all ranks, and of the cores of each block. Independent blocks may run in parallel, see
//! `parallel.rs`, with the results of the order defined here.
//!
//! A block begins when the previous one has ended or waits for another, so only waiting blocks are kept. Within a
//! block each core runs until it must wait, then yields to the next. With queues and signals the result does not
//! depend on this order; if all cores wait, or poll signals that no core changes (`schedule/polls.rs`), the program
//! has a deadlock; if one of them repeats its state (`schedule/spin.rs`), it has an endless loop.

mod polls;
mod spin;

use super::super::code::Strand;
use super::super::event::{Place, What};
use super::memory::BlockMemory;
use super::pending::Pending;
use super::queues::{Exchange, Wait};
use super::step::Stop;
use super::{Core, CoreKind, Machine};
use polls::Polls;
use pto_isa::diag::Diagnostic;
use pto_isa::rules;
use pto_num::random;
pub(super) use spin::Spin;

/// Number of steps after which a core yields to cores that may wait for it.
const TURN: u64 = 1 << 22;

/// Reason why a core does not run now.
#[derive(Debug)]
pub(in crate::sim) enum Pause {
    /// Another core runs next.
    Turn,
    /// The last instruction of the core tested signals without success.
    Poll,
    /// The core has returned to an earlier state, without a change in between.
    Spin,
    /// The event for which the core waits has not happened.
    Wait(Wait),
    /// The core has ended.
    End,
}

/// A core in progress.
pub(in crate::sim) struct Running {
    pub(in crate::sim) core: Core,
    /// Index of the next step, in the core's innermost function.
    pub(super) at: usize,
    left: u64,
    spin: Spin,
    pub(in crate::sim) pause: Pause,
}

impl Running {
    pub(in crate::sim) fn is_done(&self) -> bool {
        matches!(self.pause, Pause::End)
    }
}

/// A block of a rank in progress: its cores share its memory and its queues.
pub(in crate::sim) struct Block {
    pub(super) memory: BlockMemory,
    pub(super) exchange: Exchange,
    pub(in crate::sim) cores: Vec<Running>,
}

impl Block {
    pub(in crate::sim) fn is_done(&self) -> bool {
        self.cores.iter().all(Running::is_done)
    }
}

impl Machine<'_> {
    /// Runs all blocks of all ranks.
    pub(in crate::sim) fn run_blocks(&mut self) -> Result<(), Vec<Diagnostic>> {
        if self.run_at_once()? {
            return Ok(());
        }
        let mut waiting: Vec<Block> = Vec::new();
        let mut ended = None;
        for rank in 0..self.state.addresses.len() as u32 {
            for index in 0..self.options.blocks {
                let mut block = self.begin(rank, index, ended.take());
                self.advance(&mut block)?;
                if block.is_done() {
                    self.count_block();
                    ended = Some(block);
                } else {
                    waiting.push(block);
                }
            }
        }
        let mut polls = Polls::default();
        while !waiting.is_empty() {
            let mut moved = false;
            for block in &mut waiting {
                moved |= self.advance(block)?;
            }
            let is_locked = !moved || polls.are_in_vain(&waiting, self.state.changes);
            if is_locked && !self.drain_all(&mut waiting)? {
                return Err(self.locked(&waiting.iter().collect::<Vec<_>>()));
            }
            for block in waiting.extract_if(.., |block| block.is_done()) {
                self.count_block();
                self.end(Some(block));
            }
        }
        self.end(ended);
        Ok(())
    }

    /// Sets up a block with the arguments of the launch, reusing the memory of one that has ended.
    pub(super) fn begin(&mut self, rank: u32, index: u32, ended: Option<Block>) -> Block {
        let mut block = self.set_up(rank, index, ended);
        for (strand, running) in self.program.strands.iter().zip(&mut block.cores) {
            self.enter(&mut running.core, strand.entry as usize);
        }
        self.tell(block.cores[0].core.id(), Place::default(), What::BlockBegins);
        block
    }

    /// Sets up the memory and the cores of a block, reusing the memory of one that has ended.
    pub(super) fn set_up(&mut self, rank: u32, index: u32, ended: Option<Block>) -> Block {
        let strands = &self.program.strands;
        let mut block = match ended {
            Some(mut block) => {
                self.clear(&mut block.memory);
                block
            }
            None => {
                self.state.outcome.memories += 1;
                // A measuring launch has no memory.
                let new = || self.program.spares.take(self.program.map.bytes);
                let memory = if self.state.reach.is_none() { new() } else { BlockMemory::default() };
                Block {
                    memory,
                    exchange: Exchange::default(),
                    cores: strands.iter().map(|_| self.idle()).collect(),
                }
            }
        };
        block.exchange = Exchange::default();
        if self.options.poison {
            block.memory.fill(self.options.pattern);
        }
        let vector_cores = strands.iter().filter(|strand| strand.kind != CoreKind::Cube).count() as u32;
        for (strand, running) in strands.iter().zip(&mut block.cores) {
            let Strand { kind, vector_core, .. } = *strand;
            let core = &mut running.core;
            (core.rank, core.block, core.kind) = (rank, index, kind);
            (core.vector_core, core.vector_cores) = (vector_core, vector_cores);
            let own = u64::from(rank) << 40 | u64::from(index) << 8 | u64::from(vector_core);
            let asynchronous = self.state.asynchronous && self.state.reach.is_none();
            core.pending = asynchronous.then(|| Box::new(Pending::new(random::mix(self.options.seed ^ own))));
            if self.state.worker.is_some() {
                core.forget();
            }
            (running.at, running.left, running.spin) = (0, self.options.max_steps, Spin::default());
            (running.pause, core.arrived) = (Pause::Turn, false);
        }
        block
    }

    /// Keeps the memory of an ended block for the next launch.
    pub(super) fn end(&self, ended: Option<Block>) {
        if let Some(mut block) = ended.filter(|_| self.state.reach.is_none() && !self.options.poison) {
            self.clear(&mut block.memory);
            self.program.spares.keep(block.memory);
        }
    }

    /// Clears the tiles of the previous block.
    fn clear(&self, memory: &mut [u8]) {
        // Old bytes in the spare memory are never read; a measuring launch has no memory.
        let end = self.program.map.spare.0.min(memory.len());
        let tiles = &mut memory[..end];
        for range in &self.program.written {
            tiles[range.start.min(end)..range.end.min(end)].fill(0);
        }
        debug_assert!(
            self.options.poison || tiles.chunks(64).all(|chunk| *chunk == [0; 64][..chunk.len()]),
            "a block wrote where no tile of the program may be"
        );
    }

    fn idle(&self) -> Running {
        Running { core: Core::new(self.program), at: 0, left: 0, spin: Spin::default(), pause: Pause::Turn }
    }

    /// Runs the cores of a block until each has ended or waits. Returns whether one has made a step.
    pub(super) fn advance(&mut self, block: &mut Block) -> Result<bool, Vec<Diagnostic>> {
        std::mem::swap(&mut self.state.exchange, &mut block.exchange);
        let mut moved = false;
        loop {
            let mut again = false;
            for running in block.cores.iter_mut().filter(|running| !running.is_done()) {
                // The cores of a block share its memory: the running core owns it.
                std::mem::swap(&mut block.memory, &mut running.core.memory);
                let turn = if self.program.waits { running.left.min(TURN) } else { running.left };
                let mut left = turn;
                let Running { core, at, spin, .. } = running;
                let pause = self.run_looking_up(core, at, spin, &mut left);
                std::mem::swap(&mut block.memory, &mut running.core.memory);
                running.left -= turn - left;
                running.pause = pause?;
                if matches!(running.pause, Pause::Turn | Pause::Poll) && running.left == 0 {
                    return Err(self.stopped_at(running, Stop::Used));
                }
                again |= left != turn || running.is_done();
                if running.is_done() {
                    self.tell(running.core.id(), Place::default(), What::CoreEnds);
                }
            }
            moved |= again;
            // A core that has yielded may poll for another block.
            let yields = |core: &Running| matches!(core.pause, Pause::Turn | Pause::Poll | Pause::Spin);
            let turns = block.cores.iter().any(yields);
            if !again || turns {
                break;
            }
        }
        std::mem::swap(&mut self.state.exchange, &mut block.exchange);
        if block.is_done() {
            self.tell(block.cores[0].core.id(), Place::default(), What::BlockEnds);
        }
        Ok(moved)
    }

    /// Runs the entries of backlogs that can run. Returns whether there were any.
    fn drain_all(&mut self, blocks: &mut [Block]) -> Result<bool, Vec<Diagnostic>> {
        let before = self.state.changes;
        for block in blocks {
            std::mem::swap(&mut self.state.exchange, &mut block.exchange);
            for running in &mut block.cores {
                std::mem::swap(&mut block.memory, &mut running.core.memory);
                let drained = self.drain(&mut running.core);
                std::mem::swap(&mut block.memory, &mut running.core.memory);
                if let Err(stop) = drained {
                    return Err(self.stopped_at(running, stop));
                }
            }
            std::mem::swap(&mut self.state.exchange, &mut block.exchange);
        }
        Ok(self.state.changes != before)
    }

    /// The findings of a core that stops at its current step.
    fn stopped_at(&self, Running { core, at, .. }: &Running, stop: Stop) -> Vec<Diagnostic> {
        self.stopped(core, core.frames.last().copied().unwrap_or_default(), *at, stop)
    }

    /// The diagnostic of a deadlock: each waiting core with the reason of its wait.
    pub(in crate::sim) fn locked(&self, blocks: &[&Block]) -> Vec<Diagnostic> {
        const SHOWN: usize = 8;
        let cores = || blocks.iter().flat_map(|block| &block.cores);
        if let Some(spinning) = cores().find(|running| matches!(running.pause, Pause::Spin)) {
            return self.stopped_at(spinning, Stop::Endless);
        }
        let mut finding: Option<Diagnostic> = None;
        let mut lines = Vec::new();
        let waiting = cores().filter(|core| !core.is_done());
        let what = match (waiting.count(), blocks) {
            (0 | 1, _) => "no core can continue".to_owned(),
            (_, [one]) => {
                format!("the cores of block {} wait for each other", one.cores[0].core.block)
            }
            _ => "blocks wait for each other".to_owned(),
        };
        for running in cores() {
            let name = self.core_name(&running.core, blocks.len() > 1);
            // The next step of a polling core is the one after its test.
            let at = running.at - usize::from(matches!(running.pause, Pause::Poll));
            let Some(frame) = running.core.frames.last().filter(|_| !running.is_done()) else {
                lines.push(format!("{name} is at its end"));
                continue;
            };
            let code = &self.program.functions[frame.function];
            let function = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
            let operation = &function.operations[code.origins[at]];
            let operation_name = operation.short_name();
            let line = match &running.pause {
                Pause::Wait(wait) => format!("{name} waits in `{operation_name}` for {}", wait.what),
                _ => format!("{name} repeats `{operation_name}`, whose signals nobody changes"),
            };
            finding = Some(match finding {
                None => {
                    Diagnostic::error(&rules::cores::DEADLOCK, format!("{what}: {line}")).at(operation.span)
                }
                Some(finding) if lines.len() < SHOWN => finding.with_label(operation.span, line.clone()),
                Some(finding) => finding,
            });
            lines.push(line);
        }
        let more = lines.len().saturating_sub(SHOWN);
        lines.truncate(SHOWN);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        let finding =
            finding.unwrap_or_else(|| Diagnostic::error(&rules::cores::DEADLOCK, "no core continues"));
        vec![lines.into_iter().fold(finding, Diagnostic::with_note)]
    }

    /// The name of a core in messages, with block and rank if there are several.
    fn core_name(&self, core: &Core, several: bool) -> String {
        let mut name = core.kind.name();
        if several && self.options.blocks > 1 {
            name.push_str(&format!(" of block {}", core.block));
        }
        if several && self.state.has_ranks {
            name.push_str(&format!(" of rank {}", core.rank));
        }
        name
    }
}
