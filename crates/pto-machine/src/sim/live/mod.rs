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

use super::code::{CoreKind, Program, Strand};
use super::event::What;
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

/// An open block, and the number of changes of the launch at which each of its cores began to wait.
struct OpenBlock {
    block: Block,
    waits: Vec<Option<u64>>,
}

/// The rank of cores of no launch.
pub const OUTSIDE: u32 = MAX_RANKS;

/// The launches of a rank, one after the other.
#[derive(Default)]
struct Rank {
    /// Number of blocks of the launch.
    count: u32,
    /// Blocks of the launch by number; `None` for ended ones.
    blocks: Vec<Option<OpenBlock>>,
    /// Whether another launch may follow, which cores of other ranks may wait for.
    goes_on: bool,
}

impl Rank {
    fn open(&self) -> impl Iterator<Item = &OpenBlock> {
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

    /// Ends all launches.
    pub fn finish(mut self) -> Finished<O> {
        self.release();
        self.observer.finish(&self.program, &self.state.names);
        Finished { outcome: self.state.finish(), observer: self.observer, program: self.program }
    }

    /// The finding of a deadlock, if all cores of all blocks wait, and nothing has changed since.
    fn is_locked(&mut self) -> Result<(), Vec<Diagnostic>> {
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

/// The block of a core, if it is open.
fn open(ranks: &[Rank], core: Core) -> Option<&OpenBlock> {
    ranks.get(core.rank as usize)?.blocks.get(core.block as usize)?.as_ref()
}

/// The block of a core, if it is open, for changes.
fn open_mut(ranks: &mut [Rank], core: Core) -> Option<&mut OpenBlock> {
    ranks.get_mut(core.rank as usize)?.blocks.get_mut(core.block as usize)?.as_mut()
}
