//! The flags of `pto shim`.

use super::watchers;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Text at the end of `--help`.
const SHIM: &str =
    "Writes DIR/ptoas and DIR/bin/ptoas, which call the assembler at PATH with the same arguments, and
prints DIR. Tools that find their assembler by PTOAS_ROOT or PATH need no change. Exit status and
output are those of the real assembler. After it, the program that went in is checked and run under
watchers, as is the result if it is a program (--emit-pto-ir), and a report is written beside the
result: FILE.pto-report.json and FILE.pto-report.txt.

    PTOAS_ROOT=$(pto shim .pto-shim --real /opt/ptoas) python model.py
    PTOAS_ROOT=$(pto shim .pto-shim --real /opt/ptoas --fail-on error) pytest tests

docs/shim.md has the details.";

/// The flags of `pto shim`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = SHIM)]
pub struct ShimArgs {
    /// The folder. It is made if it does not exist; a file there that no `pto shim` wrote is kept.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The real assembler: the program, or a folder as PTOAS_ROOT names it.
    #[arg(long, value_name = "PATH")]
    pub real: PathBuf,
    /// Steps for every program.
    #[command(flatten)]
    pub judging: Judging,
}

/// How programs are judged.
#[derive(Clone, Debug, Args)]
pub struct Judging {
    /// Fail, after the real assembler, if a program has an error, or any finding: its status is then 1, and the findings are
    /// printed on stderr.
    #[arg(long, value_name = "WHAT", default_value = "never")]
    pub fail_on: FailOn,
    /// Watchers, as for `pto run`; none only checks.
    #[arg(long, value_name = "WHAT", default_value = "race,sync,mem", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// Stop a run after this many steps of a block; the program then counts as not judged.
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: u64,
}

/// Values of `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// The status is always that of the real assembler.
    Never,
    /// An error in a program.
    Error,
    /// Any finding, also a lint.
    Warning,
}

/// The flags of `pto shim-run`.
#[derive(Clone, Debug, Args)]
pub struct ShimRunArgs {
    /// The real assembler.
    #[arg(long, value_name = "PATH")]
    pub real: PathBuf,
    /// PTOAS_ROOT for the real assembler.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Steps for every program.
    #[command(flatten)]
    pub judging: Judging,
    /// The arguments of the assembler.
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,
}
