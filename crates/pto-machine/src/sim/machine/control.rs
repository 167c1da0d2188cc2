//! Shared state of a running launch: its progress for other threads, and their request to stop it.

use super::{Machine, Options};
use pto_isa::diag::Diagnostic;
use pto_isa::rules;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Steps between two polls: of a control (`SLICE`), of a deadline (`TIMED_SLICE`), or only of loops and other workers
/// (`USUAL_SLICE`).
const SLICE: u64 = 1 << 10;
const TIMED_SLICE: u64 = 1 << 8;
const USUAL_SLICE: u64 = 1 << 12;

/// Time between two calls of the question of a control.
pub(super) const PERIOD: Duration = Duration::from_millis(20);

/// A function that a launch calls while it runs: whether to stop.
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
    /// A control with a question: whether to stop. A launch calls it about every 20 ms, on the thread that called the
    /// launch. A launch that ends earlier never calls it.
    pub fn asking(question: impl Fn() -> bool + Send + Sync + 'static) -> Control {
        Control { question: Some(Box::new(question)), ..Control::default() }
    }

    /// Number of blocks of all ranks that have ended, summed over all launches with this control. It may decrease:
    /// blocks that ran in parallel run again if they depend on each other.
    pub fn ended_blocks(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    /// Stops the launches with this control: they fail with the rule `stopped`, after at most 1024 steps of each thread.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the launch has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Calls the question if it is due.
    pub(super) fn ask(&self) {
        // The answer of a launch that is stopped is known.
        let Some(question) = self.question.as_ref().filter(|_| !self.is_stopped()) else { return };
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

/// The end of the time of a launch that begins now; `None` also for a time that no clock reaches.
pub(super) fn deadline(options: &Options) -> Option<Instant> {
    let time = Duration::try_from_secs_f64(options.max_seconds?).ok()?;
    Instant::now().checked_add(time)
}

impl Machine<'_> {
    /// Counts an ended block.
    pub(super) fn count_block(&self) {
        if let Some(control) = &self.options.control {
            control.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Resets the number of counted blocks to `ended`.
    pub(super) fn forget_blocks(&self, ended: Option<u64>) {
        if let Some((control, ended)) = self.options.control.as_ref().zip(ended) {
            control.ended.store(ended, Ordering::Relaxed);
        }
    }

    /// Number of blocks counted so far.
    pub(super) fn counted_blocks(&self) -> Option<u64> {
        self.options.control.as_ref().map(|control| control.ended_blocks())
    }

    /// Steps until the next poll.
    pub(super) fn slice(&self) -> u64 {
        match (self.state.deadline, &self.options.control) {
            (Some(_), _) => TIMED_SLICE,
            (None, Some(_)) => SLICE,
            (None, None) => USUAL_SLICE,
        }
    }

    /// Whether the launch has used up its time.
    pub(super) fn is_late(&self) -> bool {
        self.state.deadline.is_some_and(|deadline| Instant::now() >= deadline)
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
