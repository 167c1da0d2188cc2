//! A launch that is driven from outside, call by call: by kernels in C++, by a notebook, by a test.
//!
//! The control flow belongs to the driver. It defines *parts*, functions of one or a few operations whose tiles,
//! pointers and scalars are arguments, and calls them on the cores of the launch. A part is parsed, checked and
//! decoded once, by the code for whole programs, and appended to the program of the launch; a call fills the slots of
//! its arguments in a fixed frame and runs it. So rules, formulas, fast paths, effects and observers are those of
//! every launch, and an observer that asks the program for an operation finds it.
//!
//! Facts about a whole program do not exist here. The driver identifies tiles by a serial number for each; a block
//! may write the bytes that its tiles have covered; a loop has no counter that a message could name.
//!
//! **Order.** Calls run in the order in which they are made: *program order* of each core, and blocks begin in
//! ascending order. A call that has to wait for another core returns [`Called::Waits`] and has changed nothing since;
//! the driver makes calls on other cores and then makes it again. If every core of every block waits and nothing has
//! changed in between, the launch is deadlocked, and the call returns that finding. So results depend on the calls of
//! each core, not on the order in which a driver alternates between cores: a core reads data of another core only
//! after a flag or an entry that the other had to provide first.
//!
//! **Ranks.** A device has one rank, or several that run launches of their own at the same time
//! ([`Live::set_ranks`]): a kernel that waits for a signal of another rank continues when the launch of that rank has
//! changed it. Launches of one rank follow each other, those of two ranks are ordered by signals alone, or where the
//! driver lets all ranks meet ([`Live::meet`]).
//!
//! **Outsiders** ([`Live::join`]) are cores of no launch: threads of a runtime whose scheduling is not visible here.
//! Watchers compare their accesses to global memory with those of the same core alone, and they count as able to
//! continue: a core that waits for one is not deadlocked.
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
//! live.begin_launch(0, 1)?;
//! let core = live.begin_block(0)?[0];
//! assert!(matches!(live.call(core, add, &[tile(0), tile(32)])?, Called::Done));
//! live.end_core(core)?;
//! live.end_launch(0)?;
//! # Ok::<(), Vec<pto_isa::diag::Diagnostic>>(())
//! ```

mod define;
mod memory;
mod ranks;

use super::code::{CoreKind, Program, Strand};
use super::machine::{Block, LaunchState, Machine, Pause};
use super::{Observer, Options, Outcome};
use define::Defined;
pub use define::Part;
pub use memory::AUTOMATIC;
use pto_isa::diag::Diagnostic;
use pto_isa::exec::global::MAX_RANKS;
use pto_isa::exec::state::Slot;
use pto_isa::profile::Profile;
use pto_isa::rules;
pub use ranks::OUTSIDE;
use ranks::{OpenBlock, Rank, open, open_mut};

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
    /// The rank whose launch the block belongs to; [`OUTSIDE`] for a core of no launch.
    pub rank: u32,
    /// The number of the block.
    pub block: u32,
    /// The index of the core in its block: 0 for the only core or the cube core, 1 and 2 for vector cores.
    pub index: u32,
}

/// A tile as an argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Byte offset in the tile's buffer; from [`AUTOMATIC`] on, a place that [`Live::place`] returned.
    pub address: u64,
    /// Valid rows.
    pub rows: u32,
    /// Valid columns.
    pub cols: u32,
    /// Serial number that identifies the tile for watchers: calls with one number name one tile; 0 for a view of the
    /// tile at the address.
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
    /// The call has ended.
    Done,
    /// The call has ended after a failed test of signals: let other cores run before the next test.
    Polled,
    /// The call waits for another core, for this reason. Repeat it after calls on other cores.
    Waits(String),
}

/// State left of a device at its end.
pub struct Finished<O> {
    /// Outcome of the launches, with the buffers in the order in which they were added.
    pub outcome: Outcome,
    /// The observer, with its results.
    pub observer: O,
    /// The program of all parts, to which the observer's operations belong.
    pub program: Program,
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
    /// Bytes in use of the area for tiles without addresses, and released places.
    room: memory::Room,
    /// State of each rank; the last one has the cores of no launch.
    ranks: Vec<Rank>,
    /// Number of ranks.
    count: u32,
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
            ranks: (0..=MAX_RANKS).map(|_| Rank::default()).collect(),
            count: 1,
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

    /// Number of calls so far that may have changed anything but scalars of their own core.
    pub fn changes(&self) -> u64 {
        self.state.changes
    }

    /// Text that was printed since the last call of this function.
    pub fn printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.state.outcome.printed)
    }

    fn machine(&mut self) -> Machine<'_> {
        Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer)
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
        let Some(OpenBlock { block, waits }) = open_mut(&mut self.ranks, core) else {
            return misuse("the block has ended");
        };
        let running = &mut block.cores[core.index as usize];
        if !matches!(running.pause, Pause::Wait(_)) {
            running.begin_call();
            running.make_room(&self.program, defined.function);
            let observed = self.observer.needs().events;
            let written = defined.take(arguments, &self.program, observed, &mut running.core)?;
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

    /// The name of the instruction of a part that writes global memory; `None` if none does.
    pub fn stores(&self, part: Part) -> Option<&'static str> {
        let code = &self.program.functions[self.parts.get(part.0 as usize)?.function];
        let step = code.tiles.iter().find(|step| step.footprint.writes_global())?;
        let function = &self.program.module().functions[code.id?];
        function.operations[step.operation].instruction().map(|instruction| instruction.page().name)
    }

    /// The bits of a scalar result of the call that a core made last.
    pub fn result(&self, core: Core, part: Part, index: usize) -> Option<u64> {
        let Slot::Scalar(slot) = self.parts.get(part.0 as usize)?.results.get(index)? else { return None };
        let open = open(&self.ranks, core)?;
        open.block.cores.get(core.index as usize)?.core.scalars.get(*slot as usize).copied()
    }

    /// Ends a core.
    ///
    /// # Errors
    /// If the core is not open, or waits in a call.
    pub fn end_core(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        self.hand_over(core)?;
        let Some(open) = open_mut(&mut self.ranks, core) else {
            return misuse("the block has ended");
        };
        let mut machine =
            Machine::stepping(&self.program, &self.options, &mut self.state, &mut self.observer);
        machine.end_core(&mut open.block, core.index as usize);
        open.waits[core.index as usize] = None;
        if open.block.is_done() {
            self.release();
            let ended = self.ranks[core.rank as usize].blocks[core.block as usize].take();
            self.ended = ended.map(|open| open.block);
            let outside = &mut self.ranks[OUTSIDE as usize];
            if outside.open().next().is_none() {
                *outside = Rank::default();
            }
        } else {
            // Cores that still wait may wait for this one.
            self.is_locked()?;
        }
        Ok(())
    }

    /// Ends all launches.
    pub fn finish(mut self) -> Finished<O> {
        self.release();
        self.observer.finish(&self.program, &self.state.names);
        Finished { outcome: self.state.finish(), observer: self.observer, program: self.program }
    }

    /// Gives a core the memory of its block.
    fn hand_over(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        if self.running == Some(core) {
            return Ok(());
        }
        self.release();
        let Some(open) = open_mut(&mut self.ranks, core) else {
            return misuse("the block of this core is not open");
        };
        if open.block.cores.get(core.index as usize).is_none_or(|running| running.is_done()) {
            return misuse("the core has come to its end");
        }
        open.block.swap(core.index as usize, &mut self.state);
        self.options.blocks = self.ranks[core.rank as usize].count;
        self.running = Some(core);
        Ok(())
    }

    /// Gives the memory back to the block of the running core.
    fn release(&mut self) {
        let Some(core) = self.running.take() else { return };
        if let Some(open) = open_mut(&mut self.ranks, core) {
            open.block.swap(core.index as usize, &mut self.state);
        }
    }
}
