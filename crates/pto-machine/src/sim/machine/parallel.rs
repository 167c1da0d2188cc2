//! Speculative parallel execution of blocks on several host threads, with the results of block order.
//!
//! The blocks of most launches are independent, but a program does not declare it. Each worker is a machine over a
//! [copy-on-write](pto_isa::exec::overlay) global memory and records the set W of bytes that it writes, and the set R of bytes
//! that it reads before it writes them. If no W overlaps the R or W of another worker, the written bytes are merged.
//! Otherwise, or if a block fails or waits forever, the results are discarded and the blocks run one after the other;
//! errors come from that run.
//!
//! Proof that the result is that of block order, by induction: each worker runs blocks in ascending order, one at a time.
//! Let b be a block of worker w, and let all blocks before b behave as in block order. If b reads a byte that w has written
//! before, no other worker writes that byte (W and W are disjoint), so the last write before b in block order is the one
//! that w sees. If b reads a byte that w has not written before, the byte is in R of w, so no other worker writes it (R and
//! W are disjoint), and in block order, too, it has its value from before the launch. So b reads the values of block order
//! and behaves as in block order. Each byte at the end is that of its only writer. The assignment of blocks to workers does
//! not matter.
//!
//! Other state that passes from block to block:
//! - Tile states for which an instruction was checked. Workers clear them when a block begins, so they check at least as
//!   often as block order. A finding of the rules is accepted only if the first block, which runs the same way in both, has
//!   it; any other may come from an additional check.
//! - Reports, lints and shapes of buffers: those of the first block in block order are kept.
//! - Addresses that `ptrtoint` has returned: a worker has at most those of block order, and a missing one stops the
//!   block.
//! - Flags between blocks, and signals: programs with these do not run in parallel; nor do watched runs.
//!
//! A block that reads other values than in block order may never end. So workers publish their R and W from time to time, at
//! increasing intervals, and the first worker that finds an overlap stops all.

use super::super::observer::Observers;
use super::control::{Control, PERIOD};
use super::report::{Report, ReportKey};
use super::schedule::{Pause, Spin};
use super::step::Stop;
use super::{Core, LaunchState, Machine};
use pto_isa::diag::Diagnostic;
use pto_isa::exec::overlay::Footprint;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, Thread};

/// Maximum number of workers of a launch.
const MAX_WORKERS: u64 = 256;

/// Number of host cores, cached because the system call is slow.
static HOST_CORES: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, std::num::NonZero::get));

/// State shared by the workers of a launch.
struct Board {
    /// The next block to run, numbered through all ranks.
    next: AtomicU64,
    /// Number of blocks of all ranks.
    blocks: u64,
    /// Whether speculation has failed and blocks must run in block order.
    failed: AtomicBool,
    /// The finding of the first worker that ran out of time: its position in the program.
    late: Mutex<Option<Vec<Diagnostic>>>,
    /// Last published R and W of each worker, by buffer.
    touched: Mutex<Vec<Vec<Footprint>>>,
    /// Number of other threads that run blocks, and the thread that waits for them.
    running: AtomicUsize,
    caller: Thread,
}

impl Board {
    fn take(&self) -> Option<u64> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        (block < self.blocks).then_some(block)
    }

    fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Waits for the other threads, and polls the control meanwhile.
    fn wait(&self, control: &Control) {
        while self.running.load(Ordering::Acquire) > 0 {
            control.ask();
            thread::park_timeout(PERIOD);
        }
    }
}

/// Another thread that runs blocks. Dropping it reports the end of the thread, also after a panic.
struct Helper<'a>(&'a Board);

impl<'a> Helper<'a> {
    fn of(board: &'a Board) -> Helper<'a> {
        board.running.fetch_add(1, Ordering::Relaxed);
        Helper(board)
    }
}

impl Drop for Helper<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Release);
        self.0.caller.unpark();
    }
}

/// State of one worker.
pub(in crate::sim) struct Worker {
    board: Arc<Board>,
    /// Index of the worker.
    number: usize,
    /// The running block, numbered through all ranks.
    block: u64,
    /// Number of polls.
    looks: u64,
    /// Printed text of each of its blocks, if any.
    printed: Vec<(u64, Range<usize>)>,
}

impl Machine<'_> {
    /// Runs all blocks in parallel. Returns whether the results are those of block order; if not, nothing has changed.
    ///
    /// # Errors
    /// The launch has used up its time.
    pub(super) fn run_at_once(&mut self) -> Result<bool, Vec<Diagnostic>> {
        let (count, blocks) = (self.workers(), self.blocks());
        if count < 2 {
            return Ok(false);
        }
        let counted = self.counted_blocks();
        let touched = Mutex::new(vec![Vec::new(); count]);
        let board = Board {
            next: AtomicU64::new(0),
            blocks,
            failed: AtomicBool::new(false),
            late: Mutex::new(None),
            touched,
            running: AtomicUsize::new(0),
            caller: thread::current(),
        };
        let (board, lent) = (Arc::new(board), self.state.global.lend());
        let worker = |number| {
            let global = self.state.global.overlaid(&lent);
            let board = Arc::clone(&board);
            let worker = Worker { board, number, block: 0, looks: 0, printed: Vec::new() };
            self.state.of_worker(self.program, global, worker)
        };
        let mut workers: Vec<LaunchState> = (0..count).map(worker).collect();
        let (program, options) = (self.program, self.options);
        let machine = |state| Machine { program, options, observers: Observers::default(), state };
        thread::scope(|scope| {
            let Some((first, others)) = workers.split_first_mut() else { return };
            for other in others {
                // If the system cannot start another thread, the existing ones do the work.
                let helper = Helper::of(&board);
                let work = move || {
                    machine(other).run_some();
                    drop(helper);
                };
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            machine(first).run_some();
            if let Some(control) = &self.options.control {
                board.wait(control);
            }
        });
        let proven = !board.failed.load(Ordering::Relaxed) && are_apart(&workers) && are_certain(&workers);
        if !proven {
            workers.clear();
            self.forget_blocks(counted);
        }
        for worker in &mut workers {
            self.add(worker);
        }
        self.put_in_order(&mut workers);
        self.state.global.take_back(lent, workers.into_iter().map(|worker| worker.global).collect());
        match board.late.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(late) => Err(late),
            None => Ok(proven),
        }
    }

    /// Number of blocks that may run in parallel.
    fn workers(&self) -> usize {
        let options = self.options;
        let watched = !self.observers.is_empty() || options.audit.is_some();
        let in_order = self.state.worker.is_some() || self.state.asynchronous || self.program.blocks_wait;
        if self.blocks() < 2 || watched || in_order || self.state.reach.is_some() {
            return 1;
        }
        let threads = if options.threads == 0 { *HOST_CORES } else { options.threads };
        self.blocks().min(threads as u64).min(MAX_WORKERS) as usize
    }

    /// The blocks of all ranks.
    fn blocks(&self) -> u64 {
        u64::from(self.options.blocks) * self.state.addresses.len() as u64
    }

    /// The running block of a worker, numbered through all ranks.
    pub(super) fn current_block(&self) -> u64 {
        self.state.worker.as_ref().map_or(0, |worker| worker.block)
    }

    /// Runs blocks from the shared counter until it is exhausted or another worker reported a conflict.
    fn run_some(&mut self) {
        let Some(board) = self.state.worker.as_ref().map(|worker| Arc::clone(&worker.board)) else { return };
        let mut ended = None;
        let mut ran = 0u64;
        while let Some(number) = board.take() {
            let printed = self.state.outcome.printed.len();
            if let Some(worker) = &mut self.state.worker {
                worker.block = number;
            }
            let blocks = u64::from(self.options.blocks);
            let mut block = self.begin((number / blocks) as u32, (number % blocks) as u32, ended.take());
            let advanced = self.advance(&mut block);
            if advanced.is_err() || !block.is_done() {
                if let Err(late) = advanced
                    && self.is_late()
                    && !self.has_given_up()
                {
                    *board.late.lock().unwrap_or_else(PoisonError::into_inner) = Some(late);
                }
                board.fail();
                return;
            }
            self.count_block();
            ended = Some(block);
            if let Some(worker) =
                self.state.worker.as_mut().filter(|_| self.state.outcome.printed.len() > printed)
            {
                worker.printed.push((number, printed..self.state.outcome.printed.len()));
            }
            ran += 1;
            if ran.is_power_of_two() {
                self.publish();
            }
        }
        self.end(ended);
        self.publish();
    }

    /// Publishes R and W of this worker, and stops all workers if they overlap those of another one.
    fn publish(&self) {
        let Some(worker) = &self.state.worker else { return };
        let own: Vec<Footprint> = self.state.global.footprints().cloned().collect();
        let mut touched = worker.board.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched[worker.number].clear();
        if touched.iter().any(|other| meet(own.iter(), other.iter())) {
            worker.board.fail();
        }
        touched[worker.number] = own;
    }

    /// Whether this machine runs on the thread that called the launch.
    pub(super) fn is_on_calling_thread(&self) -> bool {
        self.state.worker.as_ref().is_none_or(|worker| worker.number == 0)
    }

    /// Runs a core as [`Machine::run`] does. Each slice polls the control and the deadline of the launch, and a
    /// worker also polls `board.failed`; if one is set, the run aborts. Each slice also checks whether a loop repeats
    /// its state (`schedule/spin.rs`).
    pub(super) fn run_looking_up(
        &mut self,
        core: &mut Core,
        at: &mut usize,
        spin: &mut Spin,
        left: &mut u64,
    ) -> Result<Pause, Vec<Diagnostic>> {
        if spin.is_found(self.state.changes) {
            return Ok(Pause::Spin);
        }
        let most = self.slice();
        loop {
            self.stopped_from_outside()?;
            if self.is_late() {
                let frame = core.frames.last().copied().unwrap_or_default();
                return Err(self.stopped(core, frame, *at, Stop::Late));
            }
            let given = (*left).min(most);
            let mut slice = given;
            let pause = self.run(core, at, &mut slice)?;
            *left -= given - slice;
            if *left == 0 || !matches!(pause, Pause::Turn) {
                return Ok(pause);
            }
            if self.has_no_use() {
                return Err(Vec::new());
            }
            if let Some(steps) = spin.count(self.state.changes, given - slice)
                && let Some(pause) = self.look_for_repetition(core, at, spin, steps, left)?
            {
                return Ok(pause);
            }
        }
    }

    fn has_no_use(&mut self) -> bool {
        let Some(worker) = &mut self.state.worker else { return false };
        worker.looks += 1;
        if worker.looks.is_power_of_two() {
            self.publish();
        }
        self.has_given_up()
    }

    /// Whether this is one of several workers, and one of them has reported a conflict.
    pub(super) fn has_given_up(&self) -> bool {
        self.state.worker.as_ref().is_some_and(|worker| worker.board.failed.load(Ordering::Relaxed))
    }

    /// Adds the counters of a worker.
    fn add(&mut self, worker: &LaunchState) {
        let (sum, part) = (&mut self.state.outcome, &worker.outcome);
        sum.steps += part.steps;
        sum.memories += part.memories;
        self.state.coverage.join(&worker.coverage);
    }

    /// Merges the reports and prints of the blocks in block order.
    fn put_in_order(&mut self, workers: &mut [LaunchState]) {
        let (mut reports, mut printed) = (Vec::new(), Vec::new());
        for worker in workers {
            reports.append(&mut worker.reports);
            for (own, shape) in self.state.shapes.iter_mut().zip(&mut worker.shapes) {
                let earlier = shape
                    .as_ref()
                    .is_some_and(|(block, _)| own.as_ref().is_none_or(|(first, _)| block < first));
                if earlier {
                    *own = shape.take();
                }
            }
            for (block, range) in worker.worker.iter_mut().flat_map(|own| own.printed.drain(..)) {
                let texts = worker.outcome.printed[range].iter_mut().map(std::mem::take);
                printed.push((block, texts.collect::<Vec<_>>()));
            }
        }
        printed.sort_by_key(|(block, _)| *block);
        self.state.outcome.printed.extend(printed.into_iter().flat_map(|(_, texts)| texts));
        reports.sort_by_key(|report| report.block);
        for report in reports {
            if !self.is_reported(report.key) {
                self.state.reports.push(report);
            }
        }
    }
}

/// Whether no worker's writes overlap accesses of another one.
fn are_apart(workers: &[LaunchState]) -> bool {
    let pairs = workers.iter().enumerate().flat_map(|(at, a)| workers[..at].iter().map(move |b| (a, b)));
    !pairs.into_iter().any(|(a, b)| meet(a.global.footprints(), b.global.footprints()))
}

/// Whether the accesses of two workers conflict in some buffer.
fn meet<'a>(a: impl Iterator<Item = &'a Footprint>, b: impl Iterator<Item = &'a Footprint>) -> bool {
    a.zip(b).any(|(a, b)| a.meets(b))
}

/// Whether block order has the same findings as the workers.
fn are_certain(workers: &[LaunchState]) -> bool {
    let reports = || workers.iter().flat_map(|worker| &worker.reports);
    let in_first = |report: &&Report| report.block == 0;
    let of_first: BTreeSet<ReportKey> = reports().filter(in_first).map(|report| report.key).collect();
    reports().all(|report| !report.is_of_rules() || of_first.contains(&report.key))
}
