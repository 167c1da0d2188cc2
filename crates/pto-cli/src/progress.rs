//! A progress bar on a terminal for work longer than two seconds; a line, for work of unknown length.

use crate::called;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

/// Time after which a bar appears.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between looks at work that does not report.
const LOOK: Duration = Duration::from_millis(200);

/// Whether there is a terminal to show progress on; a call has none.
fn is_shown() -> bool {
    std::io::stderr().is_terminal() && !called::is_running()
}

/// The progress of a command through a known number of steps.
pub(crate) struct Progress {
    start: Instant,
    steps: u64,
    /// The unit of a step, such as `programs`.
    unit: &'static str,
    bar: OnceLock<ProgressBar>,
    done: AtomicU64,
}

impl Progress {
    /// Progress through `steps`.
    pub(crate) fn new(steps: usize, unit: &'static str) -> Progress {
        Progress { start: Instant::now(), steps: steps as u64, unit, bar: OnceLock::new(), done: 0.into() }
    }

    /// Ends a step.
    pub(crate) fn step(&self) {
        self.reach(self.done.load(Ordering::Relaxed) + 1);
    }

    /// Ends all steps before number `done`.
    pub(crate) fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        if self.start.elapsed() > PATIENCE && is_shown() {
            let bar = self.bar.get_or_init(|| self.appear());
            bar.set_position(done);
            bar.tick();
        }
    }

    /// Runs `work` and meanwhile shows the progress that `done` returns.
    pub(crate) fn follow<T>(&self, done: impl Fn() -> u64 + Send, work: impl FnOnce() -> T) -> T {
        if !is_shown() {
            return work();
        }
        let (end, ended) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while ended.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.reach(done());
                }
            });
            let result = work();
            drop(end);
            result
        })
    }

    /// Prints lines while the bar is hidden.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn appear(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.steps), ProgressDrawTarget::stderr());
        // A bar of a single step shows no progress.
        let look = match self.steps {
            0 | 1 => "{spinner} {elapsed}",
            _ => "{wide_bar} {pos}/{len} {msg}, {elapsed}, {eta} left",
        };
        let bar = bar.with_message(self.unit).with_elapsed(self.start.elapsed());
        bar.with_style(ProgressStyle::with_template(look).unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// A line about work whose end is not known.
pub(crate) struct Activity {
    start: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Default for Activity {
    fn default() -> Activity {
        Activity { start: Instant::now(), bar: OnceLock::new() }
    }
}

impl Activity {
    /// Shows a message.
    pub(crate) fn show(&self, message: impl FnOnce() -> String) {
        if self.start.elapsed() > PATIENCE && is_shown() {
            let bar = self.bar.get_or_init(|| {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                let look = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
                bar.with_elapsed(self.start.elapsed())
                    .with_style(look.unwrap_or_else(|_| ProgressStyle::default_spinner()))
            });
            bar.set_message(message());
            bar.tick();
        }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
