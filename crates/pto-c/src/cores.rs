//! Cores as threads of the host, of which one runs at a time.
//!
//! A kernel is called on a thread of its own for each core of each block, since a call that waits for another core must
//! leave the stack of its core as it is. The thread that launches is the *driver*: it gives the turn to one core, and
//! sleeps until that core has ended, waits or was stopped. So two threads never run at once, and results do not depend on
//! the host: the driver runs each core until it waits, in ascending order of blocks and cores, as every launch of the
//! machine does.
//!
//! A core that tests a signal in vain, or makes many calls that change nothing, lets the others run, too: it may wait for
//! them in a loop. If no core changes anything for many rounds, that is a finding.
//!
//! After a finding a core never returns into its kernel, which could not go on. Its thread sleeps until the process ends;
//! the driver goes on.

use crate::abi::pto_form;
use crate::plain::Access;
use crate::session::{self, Misuse, Reply, Session, with_session};
use crate::turns::{Gate, Turn};
use crate::{outsiders, ranks};
use pto::diag::Diagnostic;
use pto::launch::live::Core;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;
use std::thread;

/// A launch as the headers describe it.
#[derive(Clone, Copy)]
pub struct Launch<'t> {
    /// Number of blocks.
    pub blocks: u32,
    /// The target for which the kernel was compiled.
    pub target: &'t str,
    /// The kind of cores, as in `pto_launch`.
    pub cores: u32,
    /// The kernel with its arguments.
    pub run: unsafe extern "C" fn(*mut c_void),
    /// Passed to it.
    pub closure: *mut c_void,
}

thread_local! {
    /// The core that this thread is.
    static CURRENT: RefCell<Option<(Core, Arc<Gate>)>> = const { RefCell::new(None) };
}

/// The core that this thread is; `None` for a thread of the process that has called no instruction.
pub fn running() -> Option<Core> {
    CURRENT.with_borrow(|current| current.as_ref().map(|(core, _)| *core)).or_else(outsiders::running)
}

/// The core that this thread is, or becomes.
///
/// # Errors
/// If it can become none.
pub fn current() -> Result<Core, Misuse> {
    running().map_or_else(outsiders::join, Ok)
}

/// Runs an operation on the core of this thread. Returns the bits of its result.
pub fn call(form: &pto_form, words: &[u64], place: usize) -> Option<u64> {
    step(
        |session, core| session.call(core, form, words, place),
        || outsiders::join().unwrap_or_else(|why| session::fail(&why.at(&session::outside(form, place)))),
    )
}

/// Runs a plain access of this thread, if it is a core.
pub(crate) fn access(access: Access) {
    if let Some(core) = running() {
        step(|session, core| session.access(core, access), || core);
    }
}

/// Runs a step of the core of this thread until it has ended. A thread that no launch has started is, or becomes, a core by `join`.
fn step(
    mut run: impl FnMut(&mut Session, Core) -> Result<Reply, Vec<Diagnostic>>,
    join: impl FnOnce() -> Core,
) -> Option<u64> {
    let Some((core, gate)) = CURRENT.with_borrow(Clone::clone) else {
        return outsiders::step(outsiders::running().unwrap_or_else(join), run);
    };
    loop {
        match with_session(|session| run(session, core)) {
            Ok(Reply::Done(bits)) => return bits,
            Ok(Reply::Polled(bits)) => {
                gate.wait_for_turn(Some(Turn::Driver));
                return bits;
            }
            Ok(Reply::Waits) => gate.wait_for_turn(Some(Turn::Driver)),
            Err(findings) => stop(&gate, findings),
        }
    }
}

/// Hands findings to the driver; this thread never runs again.
fn stop(gate: &Gate, findings: Vec<Diagnostic>) -> ! {
    gate.leave(Turn::Stopped(findings));
    loop {
        thread::park();
    }
}

/// The function that the core of this thread runs of a kernel.
///
/// # Errors
/// A mixed launch of a kernel without code for cube cores.
pub fn entry(kernel: usize) -> Result<usize, Misuse> {
    with_session(|session| session.entry(running(), kernel))
}

/// A fact of the launch, by its number in `pto_fact_of`.
pub fn fact(what: u32) -> u64 {
    with_session(|session| session.fact(running(), what))
}

/// A pointer that goes to the threads of cores, which run while the thread that has it waits.
#[derive(Clone, Copy)]
struct Closure(unsafe extern "C" fn(*mut c_void), *mut c_void);

// SAFETY: one of the threads runs at a time, and the driver waits for all of them.
#[allow(unsafe_code)]
unsafe impl Send for Closure {}

/// A core in progress.
struct Running {
    core: Core,
    gate: Arc<Gate>,
    has_ended: bool,
}

/// Runs all blocks of a launch. Returns whether all ended; if not, the findings that stopped one are reported.
///
/// # Errors
/// A launch inside of a launch, or for another target than the first one; a thread that cannot be started.
pub fn launch(launch: &Launch<'_>) -> Result<bool, Misuse> {
    if CURRENT.with_borrow(Option::is_some) {
        return Err(Misuse("a kernel launches a kernel: only the host can".into()));
    }
    outsiders::leave();
    let rank = ranks::running();
    with_session(|session| session.begin(rank, launch))?;
    let closure = Closure(launch.run, launch.closure);
    match run_blocks(rank, launch.blocks, closure) {
        Ok(()) => Ok(true),
        Err(Stop::Found(findings)) => {
            with_session(|session| session.stopped(findings));
            Ok(false)
        }
        Err(Stop::Elsewhere) => Ok(false),
        Err(Stop::Misuse(misuse)) => Err(misuse),
    }
}

/// The reason why a launch does not come to its end.
enum Stop {
    Found(Vec<Diagnostic>),
    /// A finding in the launch of another rank.
    Elsewhere,
    Misuse(Misuse),
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(findings: Vec<Diagnostic>) -> Stop {
        Stop::Found(findings)
    }
}

/// Rounds in which cores do nothing but test signals, until they count as tests in vain.
const MOST_ROUNDS: u32 = 1 << 12;

/// Runs blocks in ascending order, then repeatedly those with waiting cores: the machine detects when none can continue.
/// Between its rounds a rank lets the others run.
fn run_blocks(rank: u32, count: u32, closure: Closure) -> Result<(), Stop> {
    let begin = |_| -> Result<Vec<Running>, Stop> {
        let cores = with_session(|session| session.begin_block(rank))?;
        let started: Result<_, Misuse> = cores.into_iter().map(|core| start(core, closure)).collect();
        started.map_err(Stop::Misuse)
    };
    // Each block begins after those before it have ended or wait.
    let mut open = advance_all((0..count).map(begin))?;
    let mut idle = (0, 0);
    while !open.is_empty() {
        ranks::let_others_run();
        let (progress, has_failed) = with_session(|session| (session.progress(), session.has_failed()));
        if has_failed && ranks::are_several() {
            return Err(Stop::Elsewhere);
        }
        idle = if idle.0 == progress { (progress, idle.1 + 1) } else { (progress, 0) };
        if idle.1 > MOST_ROUNDS {
            return Err(Stop::Found(with_session(|session| session.live().in_vain())));
        }
        open = advance_all(open.into_iter().map(Ok))?;
    }
    Ok(with_session(|session| session.end(rank))?)
}

/// Advances the blocks one after the other, and returns those that have not ended.
fn advance_all(blocks: impl Iterator<Item = Result<Vec<Running>, Stop>>) -> Result<Vec<Vec<Running>>, Stop> {
    let mut open = Vec::new();
    for block in blocks {
        let mut block = block?;
        if !advance(&mut block)? {
            open.push(block);
        }
    }
    Ok(open)
}

/// Starts the thread of a core, which waits for its turn.
fn start(core: Core, closure: Closure) -> Result<Running, Misuse> {
    let gate = Gate::new();
    let own = Arc::clone(&gate);
    let run = move || {
        let Closure(run, argument) = { closure };
        CURRENT.set(Some((core, Arc::clone(&own))));
        own.wait_for_turn(None);
        // SAFETY: the caller of the launch passes a function for this closure.
        #[allow(unsafe_code)]
        unsafe {
            run(argument);
        }
        own.leave(Turn::Ended);
    };
    let name = format!("block {} core {}", core.block, core.index);
    let started = thread::Builder::new().name(name).stack_size(STACK).spawn(run);
    started.map_err(|error| Misuse(format!("no thread for a core can be started: {error}")))?;
    Ok(Running { core, gate, has_ended: false })
}

/// Size of the stack of a core in bytes, equal to that of the main thread on most hosts.
const STACK: usize = 8 << 20;

/// Runs the cores of a block, each until it ends or waits, and repeats while one of them makes progress. Returns whether
/// all have ended.
fn advance(block: &mut [Running]) -> Result<bool, Vec<Diagnostic>> {
    loop {
        let before = with_session(|session| session.progress());
        for running in block.iter_mut().filter(|running| !running.has_ended) {
            match running.gate.run_thread() {
                Turn::Ended => {
                    running.has_ended = true;
                    with_session(|session| session.end_core(running.core))?;
                }
                Turn::Stopped(findings) => return Err(findings),
                Turn::Driver | Turn::Thread => {}
            }
        }
        if block.iter().all(|running| running.has_ended) {
            return Ok(true);
        }
        if with_session(|session| session.progress()) == before {
            return Ok(false);
        }
    }
}
