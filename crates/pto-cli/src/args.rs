//! The flags of the command. Other modules interpret their combinations.

use crate::version::VERSION;
use clap::builder::ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use cpp::{Cores, CppArgs, KernelArgs, Vendor, of_process};
pub use diff::{DiffArgs, DiffLogArgs};
use launch::watchers;
pub use launch::{Assignment, LaunchArgs, MachineArgs, ScheduleArgs, WatchArgs, named};
pub use lower::{InsertedSync, LowerArgs};
pub use map::MapArgs;
pub use output::{Format, FormatArgs, PlainFormat, PlainFormatArgs, ToleranceArgs};
pub use record::RecordArgs;
pub use replay::{Blocks, ReplayArgs};
pub use report::ReportArgs;
pub use rules::RuleArgs;
pub use run::{DumpPoint, RunArgs};
pub use shim::{FailOn, Judging, ShimArgs, ShimRunArgs};
pub use shrink::{CandidateArgs, ShrinkArgs};
use std::path::PathBuf;
pub use time::TimeArgs;
pub use timing::TimedArgs;
use values::seconds;
pub use verify::VerifyArgs;

/// Assemble, check and run programs of the PTO tile ISA.
///
/// Exit status: 0 success; 1 the verdict is no: an error in a program, malformed data, data that contradicts the program or
/// other data; 2 wrong usage of the command: a flag or an argument, a file or folder that cannot be read or written; 3 a verdict
/// that is not known. Members of a list (a recorded case, a task of a dump) that lack a file fail, which is 1.
///
/// `pto --version --verbose` also names the crates of others in the command, with their versions and licences.
#[derive(Clone, Debug, Parser)]
#[command(name = "pto", version = VERSION, arg_required_else_help = true)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check whether programs are legal.
    Check(CheckArgs),
    /// Execute a function of a program.
    Run(Box<RunArgs>),
    /// Describe a program: arguments, tiles, pipes, synchronization.
    Inspect(InspectArgs),
    /// Print a program in canonical text.
    Fmt(FmtArgs),
    /// Rewrite a program by passes, and print the result.
    Lower(LowerArgs),
    /// Judge whether a program is the lowered form of another one: same bits, no race, under every schedule.
    Verify(Box<VerifyArgs>),
    /// Time a run on a device: where the cycles go, the critical path, waits, traces.
    Time(Box<TimeArgs>),
    /// Show the memory of a run over time: tiles, live and dead, waste, conflicts.
    Map(Box<MapArgs>),
    /// Write one page about a run: source, timeline, memory, tiles, races, layouts.
    Report(Box<ReportArgs>),
    /// Describe an instruction or a rule.
    Explain(ExplainArgs),
    /// Show the memory layout of a tile type.
    Layout(LayoutArgs),
    /// Run two programs on the same inputs, and find the first instruction whose values differ.
    Diff(Box<DiffArgs>),
    /// Align two logs of `pto run --log`, and find the first instruction whose values differ.
    DiffLog(DiffLogArgs),
    /// Run recorded cases: folders with kernel.pto, case.json, inputs and expected outputs.
    Test(TestArgs),
    /// Run a program and record it as a case for `pto test`.
    Record(Box<RecordArgs>),
    /// Run the tasks of a dump again, and find the first whose outputs differ.
    Replay(Box<ReplayArgs>),
    /// Write a folder with an assembler that calls the real one, and checks what went in and what came out.
    Shim(ShimArgs),
    /// The command behind the assembler of `pto shim`.
    #[command(hide = true)]
    ShimRun(ShimRunArgs),
    /// Compile C++ kernels with g++ or clang++, to run on this machine.
    #[command(name = "c++")]
    Cpp(CppArgs),
    /// Find the smallest program that keeps a finding, or the exit status of a command.
    Shrink(Box<ShrinkArgs>),
    /// Measure the speed of instructions and kernels on this machine.
    Bench(BenchArgs),
}

/// The flags of `pto bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Programs, kernels in C++, or folders of them, with inputs from a manifest or from their own comments.
    #[arg(value_name = "PATH", required = true)]
    pub kernels: Vec<PathBuf>,
    /// Inputs of the programs, as JSON. Default: PATH/manifest.json, if it exists.
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Only programs whose path contains TEXT.
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Threads that the blocks of a kernel run on, 0 for one per core.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Also time the instructions of each kernel separately, and compare their sum with the kernel.
    #[arg(long, conflicts_with = "threads")]
    pub parts: bool,
    /// Also time each kernel with these watchers, alternating with unwatched runs, and compare. Names as in `pto run
    /// --watch`.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// Repetitions of each measurement.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print a JSON object with name, best_ns and median_ns of each measurement, and parts if requested.
    #[arg(long)]
    pub json: bool,
    /// Write the measurements to a file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Compare with the measurements of a file that --save or --json wrote: a column with the ratio of the best times,
    /// and their geometric mean.
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
}

/// Parses a number of blocks.
fn at_least_one(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a launch has at least one block; without `--blocks` it has one".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("a number of blocks from 1 to {}", u32::MAX)),
    }
}

/// The flags of `pto check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// Programs to check, or folders, whose programs are checked with a sum; `-` reads from stdin.
    #[arg(value_name = "PATH", required = true)]
    pub files: Vec<PathBuf>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Output format.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Print nothing for legal programs.
    #[arg(short, long)]
    pub quiet: bool,
    /// Correct misspelt words, missing brackets and missing types in the files, as the findings propose, and print what
    /// has changed. A file is never left with more errors than it had.
    #[arg(long)]
    pub fix: bool,
    /// Report only findings that are not in FILE, which an earlier `pto check --json` wrote. Lines may have moved: rule, program and
    /// message decide.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Target profile of a program.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProfileArgs {
    /// Profile to check and run for, instead of the module's pto.target_arch.
    #[arg(long, value_name = "PROFILE")]
    pub target: Option<Target>,
    /// Treat extensions as errors: uses that only sources newer than an instruction's own page allow.
    #[arg(long)]
    pub strict: bool,
}

/// The flags of `pto inspect`.
#[derive(Clone, Debug, Args)]
pub struct InspectArgs {
    /// The program; `-` reads it from stdin. With --manifest also a folder of programs.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kernel to describe. Default: all kernels of the file.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Print a manifest for `pto run --all` instead, with guessed inputs: extents are large, offsets 0, floats random.
    #[arg(long, conflicts_with = "json")]
    pub manifest: bool,
    /// Write the manifest to this file.
    #[arg(short, long, value_name = "FILE", requires = "manifest")]
    pub output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The flags of `pto fmt`.
#[derive(Clone, Debug, Args)]
pub struct FmtArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The spelling of instructions.
    #[arg(long = "form", value_name = "SPELLING", default_value = "dps")]
    pub spelling: Spelling,
    /// Spell tile types in their compact form. Default: if the program has a tile type in that form.
    #[arg(long)]
    pub compact: bool,
    /// Spell tile types with all of their parameters, as `loc=vec, dtype=f32, ...`: the way back from the compact form.
    #[arg(long, conflicts_with = "compact")]
    pub keyed: bool,
    /// Write every type in full, without aliases. Default: aliases are kept, and long types that are used twice or more
    /// get one.
    #[arg(long)]
    pub expand: bool,
    /// Print nothing; exit with 1 if the text is not canonical.
    #[arg(long)]
    pub check: bool,
    /// Write to a file instead of stdout.
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    pub output: Option<PathBuf>,
}

/// Text at the end of `--help`.
const TEST: &str =
    "A case is a folder with kernel.pto or kernel.cpp, case.json and arrays, as `pto record` writes it, or a folder of
PyPTO: ptoas/KERNEL.pto, golden.py, data/in and data/out. The golden.py of such a case is a program, which runs with
--run-golden only.";

/// The flags of `pto test`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = TEST)]
pub struct TestArgs {
    /// Cases, or folders that contain cases.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Only cases of these families.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub families: Vec<String>,
    /// Only cases of these instructions.
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    pub ops: Vec<String>,
    /// Stop a case after this many steps of a block.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Stop a case after this time; the error names the lines where it stopped.
    #[arg(long, value_name = "SECONDS", value_parser = ValueParser::new(seconds))]
    pub max_seconds: Option<f64>,
    /// Run golden.py of cases of PyPTO, a Python program that makes inputs and expected outputs.
    #[arg(long)]
    pub run_golden: bool,
    /// The Python that runs golden.py and reads .pt files of cases of PyPTO; it needs numpy, and torch for .pt files.
    /// Default: python3, for a golden.py.
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// Number of blocks of cases of PyPTO, whose files do not say it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub blocks: u32,
    /// Output format.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Print only the counts.
    #[arg(short, long)]
    pub quiet: bool,
    /// List every case with its time.
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The flags of `pto explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// An operation such as `tconcat` or `scf.for`, a rule such as `tconcat::valid-cols` or `race::read-after-write`, or
    /// any other word of a program or of a message, such as `valid_row`, `MTE2` or `RINT`; in any case.
    #[arg(value_name = "WORD", required_unless_present_any = ["list", "search"])]
    pub name: Option<String>,
    /// List all operations, the words of the language, and the rules that no instruction owns.
    #[arg(long)]
    pub list: bool,
    /// List what has these words in its name, its other names or its summary, best first: `--search "row sum"`.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["name", "list", "svg", "example", "cost"])]
    pub search: Option<String>,
    /// Draw the effect of the operation on its tiles or views as SVG.
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub svg: Option<PathBuf>,
    /// Print only the example, as a program.
    #[arg(long, conflicts_with_all = ["list", "svg", "format", "json"])]
    pub example: bool,
    /// Print what the instruction costs on each device: cycles of its pipe, each number with its source.
    #[arg(long, conflicts_with_all = ["list", "svg", "example"])]
    pub cost: bool,
    /// Output format.
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

/// The flags of `pto layout`.
#[derive(Clone, Debug, Args)]
pub struct LayoutArgs {
    /// A tile type as programs spell it, or the text between its angle brackets, such as `vec, 16x32xf32` or `mat,
    /// 32x32xf16, blayout=col_major, slayout=row_major`.
    #[arg(value_name = "TYPE")]
    pub tile: String,
    /// Profile whose buffers and usual layouts the type is compared with.
    #[arg(long, value_name = "PROFILE")]
    pub target: Option<Target>,
    /// Draw the layout as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Output format.
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

/// A target profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// No device: everything that the ISA defines.
    Cpu,
    /// A2 and A3.
    #[value(name = "a2a3", aliases = ["a2", "a3"])]
    A2a3,
    /// A5.
    A5,
}

impl Target {
    /// The profile.
    pub fn profile(self) -> pto::Profile {
        match self {
            Target::Cpu => pto::Profile::Cpu,
            Target::A2a3 => pto::Profile::A2A3,
            Target::A5 => pto::Profile::A5,
        }
    }
}

/// A spelling of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Spelling {
    /// `pto.op ins(...) outs(...)`.
    Dps,
    /// `%d = pto.op ... : (...) -> ...`.
    Ssa,
    /// `%d = op %a, %b : ...`.
    Asm,
}

mod cpp;
mod diff;
mod launch;
mod lower;
mod map;
mod output;
mod record;
mod replay;
mod report;
mod rules;
mod run;
mod shim;
mod shrink;
mod time;
mod timing;
mod values;
mod verify;

#[cfg(test)]
mod tests;
