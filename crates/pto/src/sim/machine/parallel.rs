//! Blocks that run at the same time, on several cores of the host, with the results of one after the other.
//!
//! Most launches have blocks that do not need each other, but nothing in a program says so. So they are run as if they
//! did not, each worker being a machine of its own over a [copy-on-write](crate::exec::overlay) global memory; each
//! records which bytes it writes (W) and which it reads without having written them before (R). If no worker's W meets
//! another worker's R or W, what they have written is put together. Otherwise nothing has happened, and the blocks run
//! one after the other; so they do if a block fails or is left waiting: errors are those of that run.
//!
//! Why the result is that of block order. Each worker takes blocks in ascending order, one at a time. Take a block b of
//! worker w and assume that all blocks before b did what they do in block order. When b reads a byte that w has written
//! before, nobody else ever writes that byte (W and W do not meet): the last write before b, in block order too, is the
//! one that w sees. When b reads a byte that w has not written before, it is in R of w, so nobody else ever writes it (R
//! and W do not meet): in block order, too, it is as it was before the launch. So b reads what it reads in block order,
//! and does what it does there. Bytes at the end are those of their only writer. Who took which block does not matter,
//! only whether this can be proven.
//!
//! What else goes from block to block:
//! - States of tiles that an instruction was checked for. Workers forget them when a block begins, so they check whenever
//!   block order does, and more often. A finding of the rules counts where the first block has it, too, which runs the
//!   same way in both; another one may come of a check too many, and proves nothing.
//! - What has been reported, lints and the shapes of buffers: the first block in block order has it.
//! - Addresses that the program has seen: a worker knows no more of them than block order does at that point, and one
//!   that is missing stops the block.
//! - Flags between blocks and signals: programs with those are not run this way; nor are runs that are watched.
//!
//! A block that reads what it does not read in block order may never end. So workers tell from time to time what they
//! have touched, more and more seldom, and the first who sees that it met another one stops all.

use super::report::{Report, ReportKey};
use super::step::Progress;
use super::{Core, Machine};
use crate::diag::Diagnostic;
use crate::exec::overlay::Footprint;
use crate::observe::{Coverage, Observers};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

/// Most workers of a launch.
const MAX_WORKERS: u64 = 256;

/// Steps after which a worker looks up.
const SLICE: u64 = 1 << 16;

/// Cores of the host: systems take long to say.
static HOST_CORES: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, std::num::NonZero::get));

/// What the workers of a launch have in common.
struct Board {
    /// The block that is taken next, counted through all ranks.
    next: AtomicU64,
    /// Blocks in all.
    blocks: u64,
    /// Whether blocks must run one after the other.
    failed: AtomicBool,
    /// What each worker had touched of each buffer when it last told.
    touched: Mutex<Vec<Vec<Footprint>>>,
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
}

/// What a machine knows that runs some of the blocks of a launch.
pub(in crate::sim) struct Worker {
    board: Arc<Board>,
    /// Which worker it is.
    number: usize,
    /// The block that it runs, counted through all ranks.
    block: u64,
    /// How often it has looked up.
    looks: u64,
    /// What each of its blocks printed, if anything.
    printed: Vec<(u64, Range<usize>)>,
}

impl<'p> Machine<'p> {
    /// Runs all blocks at the same time and says whether that has the results of one after the other; if not, nothing
    /// has changed.
    pub(super) fn run_at_once(&mut self) -> bool {
        let (count, blocks) = (self.workers(), self.blocks());
        if count < 2 {
            return false;
        }
        let touched = Mutex::new(vec![Vec::new(); count]);
        let board = Board { next: AtomicU64::new(0), blocks, failed: AtomicBool::new(false), touched };
        let (board, lent) = (Arc::new(board), self.global.lend());
        let worker = |number| Machine {
            program: self.program,
            options: self.options,
            values: self.values.clone(),
            global: self.global.overlaid(&lent),
            addresses: self.addresses.clone(),
            outcome: super::Outcome::default(),
            coverage: Coverage::of(self.program),
            touched: Vec::new(),
            reach: None,
            shapes: vec![None; self.shapes.len()],
            reports: Vec::new(),
            exchange: Default::default(),
            observers: Observers::default(),
            across: Default::default(),
            asynchronous: false,
            worker: Some(Worker {
                board: Arc::clone(&board),
                number,
                block: 0,
                looks: 0,
                printed: Vec::new(),
            }),
        };
        let mut workers: Vec<Machine<'p>> = (0..count).map(worker).collect();
        thread::scope(|scope| {
            let Some((first, others)) = workers.split_first_mut() else { return };
            for other in others {
                // Where the system has no thread left, the others do the work.
                if thread::Builder::new().spawn_scoped(scope, || other.run_some()).is_err() {
                    break;
                }
            }
            first.run_some();
        });
        let proven = !board.failed.load(Ordering::Relaxed) && are_apart(&workers) && are_certain(&workers);
        if !proven {
            workers.clear();
        }
        for worker in &mut workers {
            self.add(worker);
        }
        self.put_in_order(&mut workers);
        self.global.take_back(lent, workers.into_iter().map(|worker| worker.global).collect());
        proven
    }

    /// How many blocks may run at the same time.
    fn workers(&self) -> usize {
        let options = self.options;
        let watched = !self.observers.is_empty() || options.audit.is_some();
        let in_order = self.worker.is_some() || self.asynchronous || self.program.blocks_wait;
        if self.blocks() < 2 || watched || in_order || self.reach.is_some() {
            return 1;
        }
        let threads = if options.threads == 0 { *HOST_CORES } else { options.threads };
        self.blocks().min(threads as u64).min(MAX_WORKERS) as usize
    }

    /// The blocks of all ranks.
    fn blocks(&self) -> u64 {
        u64::from(self.options.blocks) * self.addresses.len() as u64
    }

    /// The block that a worker runs, counted through all ranks.
    pub(super) fn current_block(&self) -> u64 {
        self.worker.as_ref().map_or(0, |worker| worker.block)
    }

    /// Takes blocks and runs them until none is left, or there is no use in it.
    fn run_some(&mut self) {
        let Some(board) = self.worker.as_ref().map(|worker| Arc::clone(&worker.board)) else { return };
        let mut ended = None;
        let mut ran = 0u64;
        while let Some(number) = board.take() {
            let printed = self.outcome.printed.len();
            if let Some(worker) = &mut self.worker {
                worker.block = number;
            }
            let blocks = u64::from(self.options.blocks);
            let mut block = self.begin((number / blocks) as u32, (number % blocks) as u32, ended.take());
            if self.advance(&mut block).is_err() || !block.is_done() {
                board.fail();
                return;
            }
            ended = Some(block);
            if let Some(worker) = self.worker.as_mut().filter(|_| self.outcome.printed.len() > printed) {
                worker.printed.push((number, printed..self.outcome.printed.len()));
            }
            ran += 1;
            if ran.is_power_of_two() {
                self.publish();
            }
        }
        self.end(ended);
        self.publish();
    }

    /// Tells the others what this worker has touched, and stops all if it met one of them.
    fn publish(&self) {
        let Some(worker) = &self.worker else { return };
        let own: Vec<Footprint> = self.global.footprints().cloned().collect();
        let mut touched = worker.board.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched[worker.number].clear();
        if touched.iter().any(|other| meet(own.iter(), other.iter())) {
            worker.board.fail();
        }
        touched[worker.number] = own;
    }

    /// Runs a core as [`Machine::run`] does. A worker looks up now and then, and gives up if there is no use in going on.
    pub(super) fn run_looking_up(
        &mut self,
        core: &mut Core,
        at: &mut usize,
        left: &mut u64,
    ) -> Result<Progress, Vec<Diagnostic>> {
        if self.worker.is_none() {
            return self.run(core, at, left);
        }
        loop {
            let given = (*left).min(SLICE);
            let mut slice = given;
            let progress = self.run(core, at, &mut slice)?;
            *left -= given - slice;
            if *left == 0 || !matches!(progress, Progress::Turn) {
                return Ok(progress);
            }
            if self.has_no_use() {
                return Err(Vec::new());
            }
        }
    }

    fn has_no_use(&mut self) -> bool {
        let Some(worker) = &mut self.worker else { return false };
        worker.looks += 1;
        if worker.looks.is_power_of_two() {
            self.publish();
        }
        self.has_given_up()
    }

    /// Whether this is one of several workers, and one of them has found that there is no use in going on.
    pub(super) fn has_given_up(&self) -> bool {
        self.worker.as_ref().is_some_and(|worker| worker.board.failed.load(Ordering::Relaxed))
    }

    /// Adds what a worker has counted.
    fn add(&mut self, worker: &Machine<'p>) {
        let (sum, part) = (&mut self.outcome, &worker.outcome);
        sum.steps += part.steps;
        sum.memories += part.memories;
        self.coverage.join(&worker.coverage);
    }

    /// Puts what the blocks said in block order.
    fn put_in_order(&mut self, workers: &mut [Machine<'p>]) {
        let (mut reports, mut printed) = (Vec::new(), Vec::new());
        for machine in workers {
            reports.append(&mut machine.reports);
            for (own, shape) in self.shapes.iter_mut().zip(&mut machine.shapes) {
                let earlier = shape
                    .as_ref()
                    .is_some_and(|(block, _)| own.as_ref().is_none_or(|(first, _)| block < first));
                if earlier {
                    *own = shape.take();
                }
            }
            for (block, range) in machine.worker.iter_mut().flat_map(|worker| worker.printed.drain(..)) {
                let texts = machine.outcome.printed[range].iter_mut().map(std::mem::take);
                printed.push((block, texts.collect::<Vec<_>>()));
            }
        }
        printed.sort_by_key(|(block, _)| *block);
        self.outcome.printed.extend(printed.into_iter().flat_map(|(_, texts)| texts));
        reports.sort_by_key(|report| report.block);
        for report in reports {
            if !self.is_reported(report.key) {
                self.reports.push(report);
            }
        }
    }
}

/// Whether no worker has written what another one has touched.
fn are_apart(workers: &[Machine<'_>]) -> bool {
    let pairs = workers.iter().enumerate().flat_map(|(at, a)| workers[..at].iter().map(move |b| (a, b)));
    !pairs.into_iter().any(|(a, b)| meet(a.global.footprints(), b.global.footprints()))
}

/// Whether two workers met in some buffer.
fn meet<'a>(a: impl Iterator<Item = &'a Footprint>, b: impl Iterator<Item = &'a Footprint>) -> bool {
    a.zip(b).any(|(a, b)| a.meets(b))
}

/// Whether block order finds what the workers have found.
fn are_certain(workers: &[Machine<'_>]) -> bool {
    let reports = || workers.iter().flat_map(|worker| &worker.reports);
    let in_first = |report: &&Report| report.block == 0;
    let of_first: BTreeSet<ReportKey> = reports().filter(in_first).map(|report| report.key).collect();
    reports().all(|report| !report.is_of_rules() || of_first.contains(&report.key))
}
