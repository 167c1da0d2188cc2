//! Ranks as threads of the host: devices that run launches of their own at the same time.
//!
//! Each rank has a thread, which runs its host program: launches, copies, comparisons. As with cores, one thread runs at
//! a time. The caller of [`run`] gives the turn to each rank in ascending order, until the rank has ended, waits for all
//! ranks, or its launch waits for another rank. So results do not depend on the host. All ranks see the memory of the
//! process: the window of another rank is a pointer.

use crate::session::{Misuse, with_session};
use crate::turns::{Gate, Turn};
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

/// The function of a rank, with a closure and the number of the rank.
pub type Run = unsafe extern "C" fn(*mut c_void, u32);

/// A pointer that goes to the threads of ranks, which run while the thread that has it waits.
#[derive(Clone, Copy)]
struct Closure(Run, *mut c_void);

// SAFETY: one of the threads runs at a time, and the driver waits for all of them.
#[allow(unsafe_code)]
unsafe impl Send for Closure {}

/// The state that a rank's thread and the driver share.
#[derive(Clone)]
struct Shared {
    rank: u32,
    gate: Arc<Gate>,
    /// Whether the rank waits in [`meet`] for the others.
    meets: Arc<AtomicBool>,
}

/// A rank in progress.
struct Running {
    shared: Shared,
    has_ended: bool,
}

impl Running {
    fn meets(&self) -> bool {
        self.shared.meets.load(Ordering::Relaxed)
    }
}

thread_local! {
    /// The rank that this thread is.
    static CURRENT: RefCell<Option<Shared>> = const { RefCell::new(None) };
}

/// Number of ranks that run now; 0 outside of [`run`].
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The rank that this thread is; 0 for threads that are none.
pub(crate) fn running() -> u32 {
    CURRENT.with_borrow(|current| current.as_ref().map_or(0, |shared| shared.rank))
}

/// Whether several ranks run.
pub(crate) fn are_several() -> bool {
    COUNT.load(Ordering::Relaxed) > 1
}

/// Lets other ranks run, if this thread is one.
pub(crate) fn let_others_run() {
    if let Some(Shared { gate, .. }) = CURRENT.with_borrow(Clone::clone) {
        gate.wait_for_turn(Some(Turn::Driver));
    }
}

/// Runs a function on each of `count` ranks, and returns when all have ended.
///
/// # Errors
/// Ranks within ranks, no rank or too many, a thread that cannot be started, ranks that wait in [`meet`] for one that has
/// ended.
pub fn run(count: u32, run: Run, closure: *mut c_void) -> Result<(), Misuse> {
    if COUNT.load(Ordering::Relaxed) > 0 {
        return Err(Misuse("ranks run already: a rank cannot start ranks".into()));
    }
    if !(1..=MOST).contains(&count) {
        return Err(Misuse(format!("{count} ranks: there may be 1 to {MOST}")));
    }
    with_session(|session| session.set_ranks(count))?;
    COUNT.store(count, Ordering::Relaxed);
    let started: Result<Vec<Running>, Misuse> =
        (0..count).map(|rank| start(rank, Closure(run, closure))).collect();
    let ran = started.and_then(|mut all| drive(&mut all));
    COUNT.store(0, Ordering::Relaxed);
    ran?;
    with_session(|session| session.set_ranks(1))
}

/// Maximum number of ranks, as in launches of programs in text.
const MOST: u32 = 64;

/// Waits until all ranks have called `meet`. All earlier launches of all ranks happen before all later launches.
///
/// # Errors
/// A thread that is not a rank.
pub fn meet() -> Result<(), Misuse> {
    let Some(Shared { gate, meets, .. }) = CURRENT.with_borrow(Clone::clone) else {
        return Err(Misuse("ranks meet on threads of ranks: this one is none".into()));
    };
    meets.store(true, Ordering::Relaxed);
    while meets.load(Ordering::Relaxed) {
        gate.wait_for_turn(Some(Turn::Driver));
    }
    Ok(())
}

/// Gives the turn to each rank in ascending order until all have ended.
fn drive(all: &mut [Running]) -> Result<(), Misuse> {
    while !all.iter().all(|one| one.has_ended) {
        for one in all.iter_mut().filter(|one| !one.has_ended && !one.meets()) {
            if matches!(one.shared.gate.run_thread(), Turn::Ended) {
                one.has_ended = true;
                with_session(|session| session.end_rank(one.shared.rank));
            }
        }
        let (ended, meets): (Vec<_>, Vec<_>) = all.iter().map(|one| (one.has_ended, one.meets())).unzip();
        if meets.iter().all(|meets| *meets) {
            with_session(|session| session.meet());
            all.iter().for_each(|one| one.shared.meets.store(false, Ordering::Relaxed));
        } else if let Some(rank) = meets.iter().position(|meets| *meets)
            && let Some(other) = ended.iter().position(|ended| *ended)
            && (0..all.len()).all(|at| ended[at] || meets[at])
        {
            return Err(Misuse(format!(
                "rank {rank} waits for all ranks to meet, but rank {other} has ended"
            )));
        }
    }
    Ok(())
}

/// Starts the thread of a rank, which waits for its turn.
fn start(rank: u32, closure: Closure) -> Result<Running, Misuse> {
    let shared = Shared { rank, gate: Gate::new(), meets: Arc::new(AtomicBool::new(false)) };
    let own = shared.clone();
    let work = move || {
        let Closure(run, argument) = { closure };
        let gate = Arc::clone(&own.gate);
        CURRENT.set(Some(own));
        gate.wait_for_turn(None);
        // SAFETY: the caller passes a function for this closure.
        #[allow(unsafe_code)]
        unsafe {
            run(argument, rank);
        }
        gate.leave(Turn::Ended);
    };
    let started = thread::Builder::new().name(format!("rank {rank}")).spawn(work);
    started.map_err(|error| Misuse(format!("no thread for a rank can be started: {error}")))?;
    Ok(Running { shared, has_ended: false })
}
