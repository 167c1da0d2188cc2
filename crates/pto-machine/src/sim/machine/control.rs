//! What other threads see of a launch while it runs, and how they stop it.

use super::Machine;
use pto_isa::diag::Diagnostic;
use pto_isa::rules;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Steps between two polls of a control.
const SLICE: u64 = 1 << 10;

/// Time between two calls of the question of a control.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// A question that a launch asks while it runs: whether to stop.
type Question = Box<dyn Fn() -> bool + Send + Sync>;

/// A launch in progress, as other threads see it.
pub struct Control {
    ended: AtomicU64,
    stopped: AtomicBool,
    question: Option<Question>,
    start: Instant,
    /// Milliseconds from `start` to the last call of the question.
    asked: AtomicU64,
}

impl Default for Control {
    fn default() -> Control {
        Control {
            ended: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            question: None,
            start: Instant::now(),
            asked: AtomicU64::new(0),
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ended, stopped) = (self.ended_blocks(), self.is_stopped());
        f.debug_struct("Control").field("ended", &ended).field("stopped", &stopped).finish_non_exhaustive()
    }
}

impl Control {
    /// A control with a question, which the launch asks about every 20 ms on the thread that called it: whether to stop. A
    /// launch that ends earlier never asks.
    pub fn asking(question: impl Fn() -> bool + Send + Sync + 'static) -> Control {
        Control { question: Some(Box::new(question)), ..Control::default() }
    }

    /// Number of blocks of all ranks that have ended, summed over all launches with this control. It may fall, when blocks
    /// that ran in parallel turn out to depend on each other and run again.
    pub fn ended_blocks(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    /// Stops the launches with this control: they fail with the rule `stopped`, after at most 1024 steps of each thread.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Asks the question, if its time has come.
    pub(super) fn ask(&self) {
        let Some(question) = &self.question else { return };
        let now = self.start.elapsed().as_millis() as u64;
        if now.saturating_sub(self.asked.load(Ordering::Relaxed)) < PERIOD.as_millis() as u64 {
            return;
        }
        self.asked.store(now, Ordering::Relaxed);
        if question() {
            self.stop();
        }
    }
}

impl Machine<'_> {
    /// Counts an ended block.
    pub(super) fn count_block(&self) {
        if let Some(control) = &self.options.control {
            control.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes back what was counted since `ended`.
    pub(super) fn forget_blocks(&self, ended: Option<u64>) {
        if let Some((control, ended)) = self.options.control.as_ref().zip(ended) {
            control.ended.store(ended, Ordering::Relaxed);
        }
    }

    /// Number of blocks counted so far.
    pub(super) fn counted_blocks(&self) -> Option<u64> {
        self.options.control.as_ref().map(|control| control.ended_blocks())
    }

    /// Steps until the next poll: of the control, or of the other workers.
    pub(super) fn slice(&self) -> Option<u64> {
        let polls_workers = self.worker.is_some().then_some(super::parallel::SLICE);
        if self.options.control.is_some() { Some(SLICE) } else { polls_workers }
    }

    /// The finding that the launch was stopped from outside, if it was.
    pub(super) fn stopped_from_outside(&self) -> Result<(), Vec<Diagnostic>> {
        let Some(control) = &self.options.control else { return Ok(()) };
        if self.is_on_calling_thread() {
            control.ask();
        }
        if control.is_stopped() {
            return Err(vec![Diagnostic::error(&rules::run::STOPPED, "the launch was stopped")]);
        }
        Ok(())
    }
}
