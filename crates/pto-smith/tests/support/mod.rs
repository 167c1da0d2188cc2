//! Shared by the tests: random programs, their number and seeds, and failure reports; invalid programs and their
//! findings.

use pto::Checked;
use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto::sim::{Options, Program, Value};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(crate) mod smaller;

/// Longest time of one random case.
const PATIENCE: Duration = Duration::from_secs(120);

/// The number of random cases: `PTO_SMITH_RUNS`, or `usual`.
pub(crate) fn runs(usual: u64) -> u64 {
    std::env::var("PTO_SMITH_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(usual)
}

/// Runs a case for each of [`runs`] seeds.
pub(crate) fn each_seed(usual: u64, case: impl Fn(u64) + Sync) {
    each_of(runs(usual), case);
}

/// Runs a case for each of `count` seeds, on all cores. `PTO_SMITH_SEED` sets the first seed, which reproduces a failure.
pub(crate) fn each_of(count: u64, case: impl Fn(u64) + Sync) {
    let first = std::env::var("PTO_SMITH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0u64);
    let next = AtomicU64::new(first);
    let cases = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed - first >= count {
                return;
            }
            case(seed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(cases);
        }
    });
}

/// Prints seed and program if the current case panics, and fails a case that takes too long.
pub(crate) struct Case<'a> {
    pub seed: u64,
    pub text: &'a str,
    pub start: Instant,
}

impl<'a> Case<'a> {
    pub(crate) fn new(seed: u64, text: &'a str) -> Self {
        Case { seed, text, start: Instant::now() }
    }

    /// Ends the case: panics on an error or after [`PATIENCE`].
    pub(crate) fn end<T>(self, result: Result<T, String>) -> T {
        assert!(self.start.elapsed() < PATIENCE, "took {:?}", self.start.elapsed());
        match result {
            Ok(value) => value,
            Err(message) => panic!("{message}"),
        }
    }
}

impl Drop for Case<'_> {
    #[allow(clippy::print_stderr)]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "seed {} (PTO_SMITH_SEED={} PTO_SMITH_RUNS=1), program:\n{}",
                self.seed, self.seed, self.text
            );
        }
    }
}

/// Judges a program by an oracle. A failure is reported with a small program that fails in the same way.
pub(crate) fn judged<T>(seed: u64, text: &str, oracle: impl Fn(&str) -> Result<T, String>) -> T {
    let case = Case::new(seed, text);
    match smaller::outcome(text, &oracle) {
        Ok(value) => case.end(Ok(value)),
        Err(failure) => {
            let small = smaller::smaller(text, &failure, &oracle);
            failure.resume(&small)
        }
    }
}

/// A folder relative to the crate.
pub(crate) fn folder(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The `.pto` files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "pto") {
            found.push(path);
        }
    }
    found
}

/// Seed programs: the examples, the test programs, and the public corpus if it is beside the checkout. Files above 40
/// KB are skipped: mutating them shows no more than mutating small ones.
#[allow(clippy::print_stderr)]
pub(crate) fn seeds() -> Vec<String> {
    let mut paths = files(&folder("../../examples"));
    paths.extend(files(&folder("../../tests")));
    let corpus = files(&folder("../../../shared/corpus"));
    if corpus.is_empty() {
        eprintln!("no corpus beside the checkout: mutating examples and test programs only");
    }
    paths.extend(corpus);
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let texts: Vec<String> = texts.filter(|text| text.len() < 40_000).collect();
    assert!(!texts.is_empty(), "there is no program to mutate");
    texts
}

/// A program of one function without arguments.
pub(crate) fn function(body: &str) -> String {
    format!("func.func @f() {{\n{body}\n  return\n}}\n")
}

/// The findings of parsing or checking an invalid program.
pub(crate) fn findings(text: &str) -> Vec<Diagnostic> {
    let found = pto::parse(text).and_then(|parsed| pto::check(parsed.module, Some(Profile::A5)));
    let found = found.expect_err("the program is wrong");
    found.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// A legal program.
pub(crate) fn checked(text: &str) -> Checked {
    let parsed = pto::parse(text).expect("it reads");
    pto::check(parsed.module, None).expect("it is legal")
}

/// The kernel of a legal program.
pub(crate) fn program(text: &str) -> Program {
    Program::decode(&checked(text), None).expect("it decodes")
}

/// The diagnostic that stops a run on these values.
pub(crate) fn stops(text: &str, values: Vec<Value>) -> Diagnostic {
    let options = Options::default().max_steps(20_000);
    let mut found = program(text).launch(values, &options, &mut []).expect_err("it stops");
    assert!(!found.is_empty());
    found.remove(0)
}
