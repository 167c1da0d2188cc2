//! A launch that is driven from outside, call by call: by kernels in C++, by a notebook, by a test.
//!
//! The control flow belongs to the driver. It defines *parts*, functions of one or a few operations whose tiles, pointers and scalars
//! are arguments, and calls them on the cores of the launch. A part is parsed, checked and decoded once, by what does it for whole
//! programs, and appended to the program of the launch; a call fills the slots of its arguments in a fixed frame and runs it. So rules,
//! formulas, fast paths, effects and observers are those of every launch, and an observer that asks the program for an operation
//! finds it.
//!
//! What a program knows as a whole does not exist here. Which tiles are one, says the driver, by a serial number for each tile; what
//! a block may write is what its tiles have covered; a loop has no counter that a message could name.
//!
//! **Order.** Calls run in the order in which they are made: *program order* of each core, and blocks begin in ascending order. A call
//! that has to wait for another core returns [`Called::Waits`] and has changed nothing since; the driver makes calls on other cores
//! and then makes it again. If every core of every block waits and nothing has changed in between, the launch is deadlocked, and the
//! call returns that finding. So results depend on the calls of each core, not on the order in which a driver alternates between cores:
//! a core reads what another wrote only behind a flag or an entry that the other had to give first.
//!
//! ```
//! use pto_machine::sim::live::{Argument, Called, Live, Tile};
//! use pto_machine::sim::{Options, Unobserved};
//! use pto_isa::profile::Profile;
//!
//! let mut live = Live::new(Profile::default(), Options::default(), Unobserved);
//! let add = live.define(
//!     "func.func @add(%a: !pto.tile_buf<vec, 1x8xf32>, %b: !pto.tile_buf<vec, 1x8xf32>) {
//!        pto.tadd ins(%a, %a : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%b : !pto.tile_buf<vec, 1x8xf32>)
//!        return
//!      }",
//! )?;
//! let tile = |address| Argument::Tile(Tile { address, rows: 1, cols: 8, serial: 0 });
//! live.begin_launch(1);
//! let core = live.begin_block()?[0];
//! assert!(matches!(live.call(core, add, &[tile(0), tile(32)])?, Called::Done));
//! live.end_core(core)?;
//! live.end_launch()?;
//! # Ok::<(), Vec<pto_isa::diag::Diagnostic>>(())
//! ```

mod define;
mod memory;

use super::code::{CoreKind, Program, Strand};
use super::event::What;
use super::machine::{Block, LaunchState, Machine, Pause};
use super::{Observer, Options, Outcome};
use define::Defined;
pub use define::Part;
pub use memory::AUTOMATIC;
use pto_isa::diag::Diagnostic;
use pto_isa::exec::state::Slot;
use pto_isa::profile::Profile;
use pto_isa::rules;

/// The cores of each block of a live launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cores {
    /// One core, which runs instructions of the vector cores and of the cube core.
    #[default]
    One,
    /// A cube core and two vector cores, which run concurrently.
    Mixed,
}

impl Cores {
    fn strands(self) -> Vec<Strand> {
        let strand = |kind, vector_core| Strand { kind, vector_core, entry: 0 };
        match self {
            Cores::One => vec![strand(CoreKind::Whole, 0)],
            Cores::Mixed => vec![
                strand(CoreKind::Cube, 0),
                strand(CoreKind::Vector(0), 0),
                strand(CoreKind::Vector(1), 1),
            ],
        }
    }
}

/// A core of an open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// The number of the block.
    pub block: u32,
    /// The index of the core in its block: 0 for the only core or the cube core, 1 and 2 for vector cores.
    pub index: u32,
}

/// A tile as an argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Byte offset in its buffer; from [`AUTOMATIC`] on a place that [`Live::place`] gave.
    pub address: u64,
    /// Valid rows.
    pub rows: u32,
    /// Valid columns.
    pub cols: u32,
    /// Its identity for watchers: calls with one number name one tile; 0 names whatever is at the address.
    pub serial: u32,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A tile.
    Tile(Tile),
    /// An address in global memory, from [`Live::buffer`], plus bytes.
    Pointer(u64),
    /// A scalar, as the bits of its type.
    Scalar(u64),
}

/// The end of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Called {
    /// It has ended.
    Done,
    /// It has ended, but has tested signals in vain: let other cores run before the next test.
    Polled,
    /// It waits for another core, and for this. Make it again after calls on other cores.
    Waits(String),
}

/// What is left of a device at its end.
pub struct Finished<O> {
    /// The outcome of its launches, with the buffers in the order in which they were added.
    pub outcome: Outcome,
    /// The observer, with what it found.
    pub observer: O,
    /// The program of all parts, to which the observer's operations belong.
    pub program: Program,
}

/// An open block, and since when its cores wait: the number of changes of the launch at that time.
struct OpenBlock {
    block: Block,
    waits: Vec<Option<u64>>,
}

/// A launch that is driven call by call, or several in the same memory, one after the other.
pub struct Live<O> {
    program: Program,
    options: Options,
    state: LaunchState,
    observer: O,
    /// The text of all parts.
    source: String,
    parts: Vec<Defined>,
    /// Bytes of the room for tiles without addresses that are in use, and places that were given back.
    room: memory::Room,
    /// Blocks of the launch by number; `None` for those that have ended.
    blocks: Vec<Option<OpenBlock>>,
    /// The core that has the memory of its block.
    running: Option<Core>,
    ended: Option<Block>,
}

/// A misuse of the interface, as a finding.
fn misuse<T>(message: impl Into<String>) -> Result<T, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error(&rules::run::LIVE, message)])
}

impl<O: Observer> Live<O> {
    /// A device of a profile without parts and buffers, whose blocks have one core.
    pub fn new(profile: Profile, options: Options, observer: O) -> Live<O> {
        Live::with_cores(profile, Cores::One, options, observer)
    }

    /// A device whose blocks have these cores.
    pub fn with_cores(profile: Profile, cores: Cores, options: Options, observer: O) -> Live<O> {
        let program = Program::growing(profile, cores.strands());
        let state = LaunchState::growing(&program);
        Live {
            program,
            // No launch has begun.
            options: Options { blocks: 0, ..options },
            state,
            observer,
            source: String::new(),
            parts: Vec::new(),
            room: memory::Room::default(),
            blocks: Vec::new(),
            running: None,
            ended: None,
        }
    }

    /// The program of all parts so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The text of all parts, to which the places of findings refer.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, for changes.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// Text that was printed since the last call of this function.
    pub fn printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.state.outcome.printed)
    }

    fn machine(&mut self) -> Machine<'_> {
        Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer)
    }

    /// Begins a launch of so many blocks. Blocks of the one before that have not ended do not go on.
    pub fn begin_launch(&mut self, blocks: u32) {
        self.stop_launch();
        self.options.blocks = blocks;
    }

    /// Gives up the blocks that have not ended, with the flags that they have set.
    fn stop_launch(&mut self) {
        self.release();
        let stopped: Vec<Block> = self.blocks.drain(..).flatten().map(|open| open.block).collect();
        if stopped.is_empty() {
            return;
        }
        let mut machine = self.machine();
        stopped.iter().for_each(|block| machine.stop_block(block));
        machine.tell_of_host(What::LaunchStops);
    }

    /// Begins the next block and returns its cores.
    ///
    /// # Errors
    /// If the launch has no further block.
    pub fn begin_block(&mut self) -> Result<Vec<Core>, Vec<Diagnostic>> {
        let number = self.blocks.len() as u32;
        if number >= self.options.blocks {
            return misuse(format!(
                "the launch has {} blocks: there is no block {number}",
                self.options.blocks
            ));
        }
        self.release();
        let ended = self.ended.take();
        let block = self.machine().begin_live(number, ended);
        let waits = vec![None; block.cores.len()];
        self.blocks.push(Some(OpenBlock { block, waits }));
        let cores = 0..self.program.strands.len() as u32;
        Ok(cores.map(|index| Core { block: number, index }).collect())
    }

    /// Calls a part on a core.
    ///
    /// # Errors
    /// Findings that stop the core: arguments that are not those of the part, rules that the operands break, accesses outside of
    /// buffers, a deadlock.
    #[inline]
    pub fn call(
        &mut self,
        core: Core,
        part: Part,
        arguments: &[Argument],
    ) -> Result<Called, Vec<Diagnostic>> {
        if self.running != Some(core) {
            self.hand_over(core)?;
        }
        let Some(defined) = self.parts.get_mut(part.0 as usize) else {
            return misuse("there is no such part");
        };
        let Some(Some(OpenBlock { block, waits })) = self.blocks.get_mut(core.block as usize) else {
            return misuse("the block has ended");
        };
        let running = &mut block.cores[core.index as usize];
        if !matches!(running.pause, Pause::Wait(_)) {
            running.make_room(&self.program, defined.function);
            let observed = self.observer.needs().events;
            let written = defined.take(arguments, (&self.program, observed), &mut running.core)?;
            if let Some(range) = written {
                self.program.may_write(range);
            }
        }
        running.pause = Pause::Turn;
        let mut machine =
            Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer);
        let called = machine.proceed(running, defined.function)?;
        let is_waiting = matches!(called, Called::Waits(_));
        waits[core.index as usize] = is_waiting.then_some(self.state.changes);
        if is_waiting {
            self.is_locked()?;
        }
        Ok(called)
    }

    /// The bits of a scalar result of the call that a core made last.
    pub fn result(&self, core: Core, part: Part, index: usize) -> Option<u64> {
        let Slot::Scalar(slot) = self.parts.get(part.0 as usize)?.results.get(index)? else { return None };
        let open = self.blocks.get(core.block as usize)?.as_ref()?;
        open.block.cores.get(core.index as usize)?.core.scalars.get(*slot as usize).copied()
    }

    /// A core has come to its end.
    ///
    /// # Errors
    /// If it is not open, or waits in a call.
    pub fn end_core(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        self.hand_over(core)?;
        let Some(Some(open)) = self.blocks.get_mut(core.block as usize) else {
            return misuse("the block has ended");
        };
        let mut machine =
            Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer);
        machine.end_core(&mut open.block, core.index as usize);
        open.waits[core.index as usize] = None;
        if open.block.is_done() {
            self.release();
            self.ended = self.blocks[core.block as usize].take().map(|open| open.block);
        } else {
            // Those that still wait may wait for this one.
            self.is_locked()?;
        }
        Ok(())
    }

    /// Ends the launch: a later one in the same memory begins after everything that this one did.
    ///
    /// # Errors
    /// If a block has not ended or not begun.
    pub fn end_launch(&mut self) -> Result<(), Vec<Diagnostic>> {
        let open = self.blocks.iter().flatten().count() + (self.options.blocks as usize - self.blocks.len());
        if open > 0 {
            return misuse(format!("{open} blocks of the launch have not come to their end"));
        }
        self.machine().tell_of_host(What::LaunchEnds);
        Ok(())
    }

    /// Ends all launches.
    pub fn finish(mut self) -> Finished<O> {
        self.release();
        self.observer.finish(&self.program, &self.state.names);
        Finished { outcome: self.state.finish(), observer: self.observer, program: self.program }
    }

    /// The finding of a deadlock, if all cores of all blocks wait, and nothing has changed since.
    fn is_locked(&mut self) -> Result<(), Vec<Diagnostic>> {
        let changes = self.state.changes;
        let waits = |open: &OpenBlock| {
            let mut cores = open.block.cores.iter().zip(&open.waits);
            cores.all(|(core, since)| core.is_done() || *since == Some(changes))
        };
        let all_begun = self.blocks.len() as u32 == self.options.blocks;
        let open: Vec<&OpenBlock> = self.blocks.iter().flatten().collect();
        if !all_begun || open.is_empty() || !open.iter().all(|open| waits(open)) {
            return Ok(());
        }
        let blocks: Vec<&Block> = open.iter().map(|open| &open.block).collect();
        let machine = Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer);
        Err(machine.locked(&blocks))
    }

    /// Gives a core the memory of its block.
    fn hand_over(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        if self.running == Some(core) {
            return Ok(());
        }
        self.release();
        let Some(Some(open)) = self.blocks.get_mut(core.block as usize) else {
            return misuse("the block of this core is not open");
        };
        if open.block.cores.get(core.index as usize).is_none_or(|running| running.is_done()) {
            return misuse("the core has come to its end");
        }
        open.block.swap(core.index as usize, &mut self.state);
        self.running = Some(core);
        Ok(())
    }

    /// Gives the memory back to the block of the running core.
    fn release(&mut self) {
        let Some(core) = self.running.take() else { return };
        if let Some(Some(open)) = self.blocks.get_mut(core.block as usize) {
            open.block.swap(core.index as usize, &mut self.state);
        }
    }
}
