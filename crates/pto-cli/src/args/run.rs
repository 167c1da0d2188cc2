//! The flags of `pto run`.

use super::values::{assignment, dump_point, seconds};
use super::{
    Assignment, FormatArgs, KernelArgs, LaunchArgs, MachineArgs, ProfileArgs, RuleArgs, ScheduleArgs,
    ToleranceArgs, WatchArgs, cpp,
};
use clap::Args;
use clap::builder::ValueParser;
use pto::launch::Spec;
use pto::observe::Watchers;
use std::path::PathBuf;

/// The flags of `pto run`.
#[derive(Clone, Debug, Args)]
#[command(mut_group("ToleranceArgs", |group| group.requires("expect")), after_long_help = cpp::RUN)]
#[command(mut_group("KernelArgs", |group| group.conflicts_with_all(["all", "sequence"])))]
pub struct RunArgs {
    /// The program, or a source with a kernel in C++; `-` reads a program from stdin.
    #[arg(value_name = "FILE", required_unless_present_any = ["all", "sequence"])]
    pub file: Option<PathBuf>,
    /// Run every program below a folder, with inputs from a manifest, from a case.json beside the program, or from `//
    /// run:` flags in it; else with default inputs.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "entry", "inputs", "outputs", "expect", "dump", "log", "repeat", "time"])]
    pub all: Option<PathBuf>,
    /// Inputs of the programs of --all, as JSON. Default: DIR/manifest.json, if it exists.
    #[arg(long, value_name = "FILE", requires = "all", conflicts_with = "file")]
    pub manifest: Option<PathBuf>,
    /// Run the launches of a file such as layer.toml, over buffers that persist from one launch to the next: -i, -o and --expect
    /// name its buffers. docs/sequences.md describes the file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "all", "entry", "dump", "log", "repeat", "blocks", "ranks"])]
    pub sequence: Option<PathBuf>,
    /// Write the arguments of every launch of --sequence to DIR/args_dump, before and after it, for `pto replay`.
    #[arg(long, value_name = "DIR", requires = "sequence")]
    pub dump_args: Option<PathBuf>,
    /// The launch.
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// Write an argument to a file after the run; x@1 is that of rank 1. `numpy.load` gives arrays of ml_dtypes for bf16 and 8-bit floats,
    /// after `import ml_dtypes`.
    #[arg(short = 'o', long = "output", value_name = "ARG=FILE.npy", value_parser = ValueParser::new(assignment))]
    pub outputs: Vec<Assignment>,
    /// Compare an argument with a file after the run; x@1 is that of rank 1. Floats are compared with a file of f32 or f64, too, if that is
    /// wider: within --atol and --rtol of its values, or --ulp away from them as the argument's format rounds them.
    #[arg(long, value_name = "ARG=FILE", value_parser = ValueParser::new(assignment))]
    pub expect: Vec<Assignment>,
    /// The tolerance.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Run a program that its target refuses as `cpu`, which has none of the limits of a device. Its errors are shown as `refused`
    /// in every output, and do not make the command fail.
    #[arg(long)]
    pub run_refused: bool,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Stop a launch after this time; the error names the lines where it stopped. With --all and --sequence each launch has this time.
    #[arg(long, value_name = "SECONDS", value_parser = ValueParser::new(seconds))]
    pub max_seconds: Option<f64>,
    /// Blocks that run at the same time, 0 for one per core; results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// The watchers.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Write a line for every tile instruction, in program order, with its tiles, their addresses and a hash of what it
    /// wrote, and for every flag, barrier and operation of a queue. `pto diff-log` compares two logs.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Most findings of watchers to report.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_reports: usize,
    /// The order of execution.
    #[command(flatten)]
    pub schedule: ScheduleArgs,
    /// Print the contents of a tile after a line of the program.
    #[arg(long, value_name = "%TILE@LINE", value_parser = ValueParser::new(dump_point))]
    pub dump: Vec<DumpPoint>,
    /// Launch N times on the same inputs.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print the minimum and the median time of a launch.
    #[arg(long)]
    pub time: bool,
    /// Output format.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Do not print outputs.
    #[arg(short, long)]
    pub quiet: bool,
    /// The compilation of a kernel in C++.
    #[command(flatten)]
    pub kernel: KernelArgs,
}

/// `%TILE@LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpPoint {
    /// The tile's name without `%`.
    pub tile: String,
    /// The line, from 1.
    pub line: u32,
}

impl RunArgs {
    /// The launch that the flags describe.
    pub fn spec(&self) -> Spec {
        let spec = self.schedule.with(self.machine.with(self.launch.spec()));
        let RunArgs { threads, max_reports, max_seconds, .. } = *self;
        let spec = Spec { threads, max_reports, max_seconds, ..spec };
        self.watch.with(spec, Watchers::NONE)
    }
}
