//! The flags of the command, as they are spelled. What they mean together is decided elsewhere.

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
pub use values::OnDivisionByZero;
use values::{assignment, dump_point, magnitude};

/// Assemble, check and run programs of the PTO tile ISA.
///
/// Exit status: 0 fine; 1 the program or its data was found wrong; 2 the command was misused.
#[derive(Clone, Debug, Parser)]
#[command(name = "pto", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Say whether programs are legal.
    Check(CheckArgs),
    /// Execute a function of a program.
    Run(Box<RunArgs>),
    /// Print a program in canonical text.
    Fmt(FmtArgs),
    /// Rewrite a program by passes, and print what they make of it.
    Lower(LowerArgs),
    /// Say what an instruction or a rule is.
    Explain(ExplainArgs),
    /// Show where the elements of a tile lie in memory.
    Layout(LayoutArgs),
    /// Say where two logs of `pto run --log` part.
    DiffLog(DiffLogArgs),
    /// Run recorded cases: folders with kernel.pto, case.json, inputs and expected outputs.
    Test(TestArgs),
    /// Measure how fast instructions and kernels run on this machine.
    Bench(BenchArgs),
}

/// The flags of `pto bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Programs, or folders of programs, to time as whole kernels, with what a manifest or their own comments say.
    /// Without any, instructions are timed.
    #[arg(value_name = "PATH")]
    pub kernels: Vec<PathBuf>,
    /// What the programs run with, as JSON; PATH/manifest.json without it, if there is one.
    #[arg(long, value_name = "FILE", requires = "kernels")]
    pub manifest: Option<PathBuf>,
    /// Only what has this in its name; `tadd f32 64x128` is a name.
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Threads that the blocks of a kernel run on, 0 for all cores.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "kernels")]
    pub threads: usize,
    /// Time the instructions of each kernel on their own, too, and compare their sum with the kernel.
    #[arg(long, requires = "kernels", conflicts_with = "threads")]
    pub parts: bool,
    /// Run each kernel with these watchers, too, in turn with the bare run, and compare: the names of `pto run --watch`.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "kernels", value_parser = PossibleValuesParser::new(WATCHERS))]
    pub watch: Vec<String>,
    /// Times each measurement is repeated.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print an array of objects with name, best_ns, median_ns and what follows from them.
    #[arg(long)]
    pub json: bool,
}

/// What `--watch` takes.
const WATCHERS: [&str; 6] = ["mem", "init", "race", "sync", "all", "none"];

/// The flags of `pto check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// Programs to check; `-` reads from stdin.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// For which machine.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// How to report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Say nothing about programs that are legal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// For which machine a program is judged.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProfileArgs {
    /// The machine, instead of the module's pto.target_arch.
    #[arg(long, value_name = "PROFILE")]
    pub target: Option<Target>,
    /// Refuse what only sources newer than an instruction's own page allow.
    #[arg(long)]
    pub strict: bool,
}

/// The flags of `pto run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE", required_unless_present = "all")]
    pub file: Option<PathBuf>,
    /// Run every program below a folder, with what a manifest says, a case.json beside the program, or `// run:` flags
    /// in it; else with values of our choice.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "entry", "inputs", "outputs", "expect", "dump", "log", "repeat", "time"])]
    pub all: Option<PathBuf>,
    /// What the programs of --all run with, as JSON; DIR/manifest.json without it, if there is one.
    #[arg(long, value_name = "FILE", requires = "all", conflicts_with = "file")]
    pub manifest: Option<PathBuf>,
    /// The function to execute, if the program has several.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Contents of an argument, named without `%` or numbered from 0: a .npy file, a raw .bin file, a number, or one of
    /// zeros, ones, arange, rand, randn with an optional shape, such as x=randn:16x128. With several ranks, x@1 is the
    /// argument of rank 1, and a source may be rank or ranks (their number), @0 (the buffer of rank 0), @0:y, or comm
    /// (a communication context).
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Where an argument goes after the run; x@1 is that of rank 1.
    #[arg(short = 'o', long = "output", value_name = "ARG=FILE.npy", value_parser = ValueParser::new(assignment))]
    pub outputs: Vec<Assignment>,
    /// What an argument must hold after the run; x@1 is that of rank 1.
    #[arg(long, value_name = "ARG=FILE", value_parser = ValueParser::new(assignment))]
    pub expect: Vec<Assignment>,
    /// Largest absolute error that --expect allows.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude), requires = "expect")]
    pub atol: f64,
    /// Largest error that --expect allows, as a part of the expected value.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude), requires = "expect")]
    pub rtol: f64,
    /// Largest error that --expect allows, in units of the last place.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "expect")]
    pub ulp: u64,
    /// For which machine.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Number of blocks to launch.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub blocks: u32,
    /// Blocks that run at the same time, 0 for one on each core; results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Number of ranks: each has memory of its own and runs all blocks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(pto::sim::MAX_RANKS)))]
    pub ranks: u32,
    /// What to watch for, several with commas: race (accesses that nothing orders), sync (flags), init (reads of what
    /// nothing wrote), mem (overlapping stores, slots after their release, reserved memory), all or none.
    #[arg(long, value_name = "WHAT", default_value = "none", value_delimiter = ',', value_parser = PossibleValuesParser::new(WATCHERS))]
    pub watch: Vec<String>,
    /// `inserted`: synchronization within a core is inserted later, so that watchers take program order there.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["inserted"]))]
    pub sync: Option<String>,
    /// `v-chains`: on A2/A3 an instruction of V that reads exactly what an elementwise one has written needs no barrier
    /// between the two, as the public assembler has it.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = PossibleValuesParser::new(["v-chains"]))]
    pub assume: Vec<String>,
    /// Where a line for every tile instruction goes, with a hash of what it wrote; in program order.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Most findings of watchers to report.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_reports: usize,
    /// In which order the pipes of a core do what was issued to them: as written, as soon as they can, only when
    /// something waits for it, at random, or some ahead of others.
    #[arg(long, value_name = "ORDER", default_value = "program")]
    pub schedule: ScheduleArg,
    /// What the indices of tconcat count: bytes of index elements, as devices do, or columns, as the page says. Bytes
    /// without it, and a lint where that makes a difference.
    #[arg(long, value_name = "UNIT")]
    pub tconcat_index: Option<TconcatIndex>,
    /// What instructions on tiles do where integers are divided by zero: stop the run, or make the quotient or the
    /// remainder zero, as devices do.
    #[arg(long, value_name = "HOW", default_value = "stop")]
    pub on_division_by_zero: OnDivisionByZero,
    /// Seed of rand and randn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Seed of the schedules that throw dice; that of --seed without it.
    #[arg(long, value_name = "N")]
    pub schedule_seed: Option<u64>,
    /// Show what a tile holds after a line of the program.
    #[arg(long, value_name = "%TILE@LINE", value_parser = ValueParser::new(dump_point))]
    pub dump: Vec<DumpPoint>,
    /// Stop after so many steps of a block, against endless loops.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Launch so many times on the same input.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print the least and the median time of a launch.
    #[arg(long)]
    pub time: bool,
    /// How to report; sarif lists what was found, without outputs, for one program.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Do not print outputs.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The flags of `pto diff-log`.
#[derive(Clone, Debug, Args)]
pub struct DiffLogArgs {
    /// A log.
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// Another one.
    #[arg(value_name = "B")]
    pub second: PathBuf,
}

/// Values of `--schedule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleArg {
    /// As the program is written.
    Program,
    /// Only when something waits for it.
    Lazy,
    /// As soon as it can be done.
    Eager,
    /// At random, by --schedule-seed.
    Random,
    /// Some pipes ahead of others, by --schedule-seed.
    Adversarial,
}

/// The flags of `pto lower`.
#[derive(Clone, Debug, Args)]
pub struct LowerArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Compute constants, take branches that are known, leave out moves of a tile to itself and what nothing uses.
    #[arg(long, required = true)]
    pub canonicalize: bool,
    /// What the program is checked for.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Write the program to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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
    /// Spell tile types in their compact form.
    #[arg(long)]
    pub compact: bool,
    /// Print nothing; exit with 1 if the text is not canonical.
    #[arg(long)]
    pub check: bool,
    /// Where to write, instead of stdout.
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    pub output: Option<PathBuf>,
}

/// The flags of `pto test`.
#[derive(Clone, Debug, Args)]
pub struct TestArgs {
    /// Cases, or folders with cases below them.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Only cases of these families.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub families: Vec<String>,
    /// Only cases of these instructions.
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    pub ops: Vec<String>,
    /// Stop a case after so many steps of a block.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// How to report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print only the counts.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The flags of `pto explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// An instruction such as `tconcat`, a rule such as `tconcat::valid-cols` or `race::read-after-write`, or a group of
    /// rules such as `race`.
    #[arg(value_name = "NAME", required_unless_present = "list")]
    pub name: Option<String>,
    /// List all instructions, and the rules that belong to none.
    #[arg(long)]
    pub list: bool,
    /// Draw what the instruction does to its tiles into a file.
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub svg: Option<PathBuf>,
    /// Print only the example, as a program.
    #[arg(long, conflicts_with_all = ["list", "svg", "format", "json"])]
    pub example: bool,
    /// How to report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// The flags of `pto layout`.
#[derive(Clone, Debug, Args)]
pub struct LayoutArgs {
    /// A tile type as programs spell it, or what stands between its brackets, such as `vec, 16x32xf32` or
    /// `mat, 32x32xf16, blayout=col_major, slayout=row_major`.
    #[arg(value_name = "TYPE")]
    pub tile: String,
    /// The machine whose buffers and usual layouts to compare with.
    #[arg(long, value_name = "PROFILE")]
    pub target: Option<Target>,
    /// Draw it into a file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How to report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// A machine to check and run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// No device: everything that has a meaning.
    Cpu,
    /// A2 and A3.
    #[value(name = "a2a3", aliases = ["a2", "a3"])]
    A2a3,
    /// A5.
    A5,
}

/// What the indices of tconcat count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TconcatIndex {
    /// Bytes of index elements.
    Bytes,
    /// Columns.
    Columns,
}

/// How diagnostics are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person.
    Text,
    /// For a program.
    Json,
    /// For code hosts and editors: SARIF 2.1.0.
    Sarif,
}

/// How results are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// For a person.
    Text,
    /// For a program.
    Json,
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

/// `ARG=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The argument's name without `%`, or its number.
    pub arg: String,
    /// What stands after the first `=`.
    pub value: String,
}

impl Assignment {
    /// The argument's number, if it is given by number.
    pub fn number(&self) -> Option<usize> {
        self.arg.parse().ok().filter(|_| self.arg.bytes().all(|b| b.is_ascii_digit()))
    }
}

/// `%TILE@LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpPoint {
    /// The tile's name without `%`.
    pub tile: String,
    /// The line, from 1.
    pub line: u32,
}

impl CheckArgs {
    /// How to report, from both flags.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

impl RunArgs {
    /// How to report, from both flags.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

impl ExplainArgs {
    /// Whether to report for a program, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}

impl LayoutArgs {
    /// Whether to report for a program, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}

impl TestArgs {
    /// Whether to report for a program, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}

mod values;

#[cfg(test)]
mod tests;
