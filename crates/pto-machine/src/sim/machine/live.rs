//! The side of the machine of a live launch: blocks without an entry function, and calls of parts in a fixed frame.

use super::super::code::Program;
use super::super::event::{CoreId, Place, What};
use super::super::live::Called;
use super::super::observer::{Observer, Observers};
use super::schedule::{Block, Pause, Running};
use super::step::Stop;
use super::{CoreKind, Frame, LaunchState, Machine, NEVER, Options};
use pto_isa::diag::Diagnostic;
use pto_isa::exec::global::{Global, MAX_BUFFERS};
use pto_isa::exec::storage::Storage;

impl LaunchState {
    /// A launch without arguments, to which buffers are added.
    pub(in crate::sim) fn growing(program: &Program) -> LaunchState {
        LaunchState::empty(program, Global::new(MAX_BUFFERS))
    }

    /// Makes room for the counts of a function that the program got.
    pub(in crate::sim) fn grow(&mut self, program: &Program) {
        self.coverage.grow(program);
    }

    /// Adds a buffer and returns its address; `None` if there are too many.
    pub(in crate::sim) fn add_buffer(&mut self, name: &str, bytes: Storage) -> Option<u64> {
        if self.global.buffers().len() >= MAX_BUFFERS {
            return None;
        }
        self.names.push(format!("`{name}`"));
        self.shapes.push(None);
        Some(self.global.add(name, bytes))
    }
}

impl<'p> Machine<'p> {
    /// The machine for one step of a live launch.
    #[inline]
    pub(in crate::sim) fn stepping(
        program: &'p Program,
        options: &'p Options,
        state: &'p mut LaunchState,
        observer: &'p mut dyn Observer,
    ) -> Machine<'p> {
        Machine { program, options, observers: Observers::only(observer), state }
    }

    /// Begins a block, whose cores have no function to run.
    pub(in crate::sim) fn begin_live(&mut self, rank: u32, index: u32, ended: Option<Block>) -> Block {
        let mut block = self.set_up(rank, index, ended);
        for running in &mut block.cores {
            running.core.registers = Default::default();
            running.core.frames.clear();
            running.grow(self.program);
        }
        self.tell(block.cores[0].core.id(), Place::default(), What::BlockBegins);
        block
    }

    /// Ends a core; also its block, if it was the last one of it.
    pub(in crate::sim) fn end_core(&mut self, block: &mut Block, core: usize) {
        block.cores[core].pause = Pause::End;
        self.tell(block.cores[core].core.id(), Place::default(), What::CoreEnds);
        if block.is_done() {
            self.tell(block.cores[0].core.id(), Place::default(), What::BlockEnds);
            self.count_block();
        }
    }

    /// A block does not go on.
    pub(in crate::sim) fn stop_block(&mut self, block: &Block) {
        self.tell(block.cores[0].core.id(), Place::default(), What::BlockEnds);
    }

    /// Tells observers of something that no core of a rank does.
    pub(in crate::sim) fn tell_of_host(&mut self, rank: u32, what: What<'_>) {
        let core = CoreId { rank, block: 0, kind: CoreKind::Whole, vector_core: 0 };
        self.tell(core, Place::default(), what);
    }

    /// Continues the call of a function, whose arguments are in the frame at the start of the core's slots.
    ///
    /// # Errors
    /// The findings that stop the core.
    pub(in crate::sim) fn proceed(
        &mut self,
        running: &mut Running,
        function: usize,
    ) -> Result<Called, Vec<Diagnostic>> {
        let (core, frame) = (&mut running.core, Frame { function, ..Frame::default() });
        core.frames.clear();
        core.frames.push(frame);
        let code = &self.program.functions[function];
        let (mut left, mut polled) = (self.options.max_steps, None);
        loop {
            // A part calls no function: its frame is the only one.
            let stop = self.run_frame(core, frame, code, &mut running.at, &mut left);
            match stop {
                Err(Stop::Poll) => {
                    running.at += 1;
                    polled = Some(running.at);
                }
                Err(Stop::Done) | Ok(()) => {
                    self.state.outcome.steps += self.options.max_steps - left;
                    let Some(behind) = polled else { return Ok(Called::Done) };
                    (running.at, running.pause) = (behind, Pause::Poll);
                    return Ok(Called::Polled);
                }
                Err(Stop::Wait(wait)) => {
                    let what = wait.what.clone();
                    running.pause = Pause::Wait(wait);
                    return Ok(Called::Waits(what));
                }
                Err(stop) => return Err(self.stopped(core, frame, running.at, stop)),
            }
        }
    }
}

impl Running {
    /// Begins a call at the first step of its function.
    #[inline]
    pub(in crate::sim) fn begin_call(&mut self) {
        self.at = 0;
    }

    /// Makes room for the slots of a function and the states for which it was checked.
    #[inline]
    pub(in crate::sim) fn make_room(&mut self, program: &Program, function: usize) {
        if function >= self.core.seen.len() {
            self.grow(program);
        }
    }

    /// Makes room for all functions of a program.
    #[cold]
    fn grow(&mut self, program: &Program) {
        let core = &mut self.core;
        fn at_least<T: Clone>(list: &mut Vec<T>, slots: u32, new: T) {
            if list.len() < slots as usize {
                list.resize(slots as usize, new);
            }
        }
        for code in &program.functions[core.seen.len()..] {
            at_least(&mut core.scalars, code.scalar_slots, 0);
            at_least(&mut core.tiles, code.tile_slots, Default::default());
            at_least(&mut core.views, code.view_slots, Default::default());
            at_least(&mut core.arrays, code.array_slots, Vec::new());
            core.seen.push(vec![NEVER; code.seen as usize]);
        }
    }
}

impl Block {
    /// Gives the memory and the exchange of the block to one of its cores, or takes them back.
    pub(in crate::sim) fn swap(&mut self, core: usize, state: &mut LaunchState) {
        std::mem::swap(&mut self.memory, &mut self.cores[core].core.memory);
        std::mem::swap(&mut self.exchange, &mut state.exchange);
    }
}
