//! Threads that call instructions but were not started by a launch: a runtime with a pool of workers, a program that
//! calls a kernel as a function.
//!
//! Such a thread becomes a core at its first call, and stays one until it ends: a block of its own, with buffers of its
//! own. For kernels with queues or flags between cores, three threads first declare which cores of one block they are.
//! Calls of several threads run one after the other, in an order that the host determines. The synchronization of these
//! threads with each other is invisible here, so watchers compare only the accesses of one core.

use crate::findings;
use crate::session::{Misuse, Reply, Session, with_session};
use pto::diag::Diagnostic;
use pto::launch::live::Core;
use std::cell::Cell;
use std::thread;
use std::time::Duration;

/// The core that a thread is, until the thread ends.
struct Outsider(Cell<Option<Core>>);

impl Drop for Outsider {
    fn drop(&mut self) {
        if let Some(core) = self.0.take() {
            with_session(|session| session.leave(core));
        }
    }
}

thread_local! {
    static CURRENT: Outsider = const { Outsider(Cell::new(None)) };
    /// The cluster and the index with which the thread became a core, if it did so by name.
    static CLUSTER: Cell<Option<(u64, u32)>> = const { Cell::new(None) };
}

/// The core that this thread acts as, until the thread ends.
pub(crate) fn running() -> Option<Core> {
    CURRENT.try_with(|current| current.0.get()).ok().flatten()
}

/// Rounds in which a call waits for other threads, each at most a millisecond, until it counts as waiting in vain.
const MOST_ROUNDS: u32 = 60_000;

/// Runs a step of the core that this thread is. Returns the bits of its result.
pub(crate) fn step(
    core: Core,
    mut run: impl FnMut(&mut Session, Core) -> Result<Reply, Vec<Diagnostic>>,
) -> Option<u64> {
    for round in 0..MOST_ROUNDS {
        match with_session(|session| run(session, core)) {
            Ok(Reply::Done(bits) | Reply::Polled(bits)) => return bits,
            Ok(Reply::Waits) if round < 1000 => thread::yield_now(),
            Ok(Reply::Waits) => thread::sleep(Duration::from_millis(1)),
            Err(found) => stop(found),
        }
    }
    stop(with_session(|session| session.live().in_vain()))
}

/// Makes this thread a core.
///
/// # Errors
/// No code was loaded for threads outside of launches, code for another device, or a block with several cores.
pub(crate) fn join() -> Result<Core, Misuse> {
    let core = with_session(|session| session.join())?;
    CURRENT.with(|current| current.0.set(Some(core)));
    Ok(core)
}

/// Makes this thread a core of a cluster, which is a block of several cores. A repeated call changes nothing.
///
/// # Errors
/// This thread is another core already, or another thread is that core.
pub(crate) fn join_cluster(cluster: u64, index: u32) -> Result<(), Misuse> {
    let asked = Some((cluster, index));
    if running().is_some() {
        return if CLUSTER.get() == asked {
            Ok(())
        } else {
            Err(Misuse("a thread becomes a core of a cluster before its first instruction".into()))
        };
    }
    let core = with_session(|session| session.join_cluster(cluster, index))?;
    CURRENT.with(|current| current.0.set(Some(core)));
    CLUSTER.set(asked);
    Ok(())
}

/// Ends the role of this thread as a core, because it launches kernels instead.
pub(crate) fn leave() {
    if let Some(core) = CURRENT.try_with(|current| current.0.take()).ok().flatten() {
        with_session(|session| session.leave(core));
    }
}

/// Ends the process after findings: threads that no launch has started cannot be stopped otherwise.
fn stop(found: Vec<Diagnostic>) -> ! {
    with_session(|session| session.stopped(found));
    findings::end_process(1)
}
