//! Smaller programs on which an oracle fails in the same way. The variable PTO_SMITH_SHRINK sets the number of candidates;
//! 0 reports the program as it was generated.

use pto::shrink::{Judge, Limits, shrink};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Candidates without PTO_SMITH_SHRINK.
const USUAL: u64 = 2_000;

/// Longest time of a search.
const LONGEST: Duration = Duration::from_secs(30);

/// Failure of an oracle.
pub(crate) enum Failure {
    Error(String),
    Panic(Box<dyn Any + Send>),
}

impl Failure {
    fn message(&self) -> &str {
        match self {
            Failure::Error(message) => message,
            Failure::Panic(payload) => payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref::<&str>().copied())
                .unwrap_or_default(),
        }
    }

    /// Common part of two failures of one cause: whether the failure is a panic, and the words before names and numbers.
    fn kind(&self) -> (bool, &str) {
        let message = self.message();
        let end = message.find(|c: char| c.is_ascii_digit() || matches!(c, '`' | '%' | '\n'));
        (matches!(self, Failure::Panic(_)), &message[..end.unwrap_or(message.len())])
    }

    /// Fails the test, after printing the smaller program.
    #[allow(clippy::print_stderr)]
    pub(crate) fn resume(self, smaller: &str) -> ! {
        if !smaller.is_empty() {
            eprintln!("a smaller program that fails in the same way:\n{smaller}");
        }
        match self {
            Failure::Error(message) => panic!("{message}"),
            Failure::Panic(payload) => resume_unwind(payload),
        }
    }
}

/// The verdict of an oracle, which may panic.
pub(crate) fn outcome<T>(text: &str, oracle: &impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(|| oracle(text))) {
        Ok(result) => result.map_err(Failure::Error),
        Err(payload) => Err(Failure::Panic(payload)),
    }
}

/// A small program that fails in the same way; empty if the search is switched off.
pub(crate) fn smaller<T>(
    text: &str,
    failure: &Failure,
    oracle: &impl Fn(&str) -> Result<T, String>,
) -> String {
    let set = std::env::var("PTO_SMITH_SHRINK").ok().and_then(|tries| tries.parse().ok());
    let tries = set.unwrap_or(USUAL);
    if tries == 0 {
        return String::new();
    }
    // One search at a time, since it replaces the hook of the process: each failing candidate would print its panic.
    static SEARCHING: Mutex<()> = Mutex::new(());
    let _one = SEARCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = matches!(failure, Failure::Panic(_)).then(std::panic::take_hook);
    if hook.is_some() {
        std::panic::set_hook(Box::new(|_| ()));
    }
    let fails = |text: &str| outcome(text, oracle).is_err_and(|other| other.kind() == failure.kind());
    let mut judge = Bounded { fails, end: Instant::now() + LONGEST };
    let shrunk = shrink(text, &Limits::default().max_tries(tries), &mut judge);
    if let Some(hook) = hook {
        std::panic::set_hook(hook);
    }
    shrunk.map_or_else(|_| String::new(), |shrunk| shrunk.text)
}

/// A judge that stops after a time.
struct Bounded<F> {
    fails: F,
    end: Instant,
}

impl<F: Fn(&str) -> bool> Judge for Bounded<F> {
    fn is_interesting(&mut self, text: &str) -> bool {
        (self.fails)(text)
    }

    fn must_stop(&mut self) -> bool {
        Instant::now() >= self.end
    }
}
