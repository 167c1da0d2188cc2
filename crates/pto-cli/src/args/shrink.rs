//! The flags of `pto shrink`.

use super::{LaunchArgs, MachineArgs, ProfileArgs, ScheduleArgs, WatchArgs};
use clap::Args;
use clap::builder::ValueParser;
use pto::launch::Spec;
use pto::observe::Watchers;
use std::path::PathBuf;
use std::time::Duration;

/// Text at the end of `--help`.
const SHRINK: &str =
    "Finds the smallest program that keeps a property: operations are erased, loops and branches become one
of their rounds or sides, values become constants, shapes and numbers smaller, as long as the
condition holds. The condition is a rule, of which the program must keep a finding:

    pto shrink kernel.pto --rule race::read-after-write --watch race -i n=64 -o small.pto
    pto shrink kernel.pto --rule tload::location --target a5

or a command, whose exit status must stay. {} in its arguments is the path of the candidate, which
is appended if no argument has it. Status 0 keeps a candidate, as in C-Reduce; --status N asks for
another. Write a script if one status does not describe the failure:

    pto shrink kernel.pto -- grep -q pto.tload
    pto shrink kernel.pto --status 134 -- ptoas --enable-insert-sync {} -o /dev/null
    pto shrink kernel.pto -- sh -c 'ptoas $0 2>&1 | grep -q \"Assertion\"' {}

A program that does not parse is shrunk as text, by lines and words. With -o the file always has the
smallest program so far: end the command whenever that is small enough. docs/shrink.md says more.";

/// The flags of `pto shrink`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = SHRINK)]
pub struct ShrinkArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the result to a file, also each smaller program on the way; else the result is printed.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep a finding of this rule: of `pto check`, or else of a run with the flags below.
    #[arg(long, value_name = "RULE", required_unless_present = "command", conflicts_with = "command")]
    pub rule: Option<String>,
    /// Exit status of the command that keeps a candidate.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "command")]
    pub status: i32,
    /// Longest time of one run of the command, in seconds; one that takes longer does not keep the candidate.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = ValueParser::new(seconds), requires = "command")]
    pub timeout: Duration,
    /// Stop after this many candidates.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tries: u64,
    /// Stop after this time.
    #[arg(long, value_name = "SECONDS", value_parser = ValueParser::new(seconds))]
    pub max_seconds: Option<Duration>,
    /// Print a report as JSON, with the program in it.
    #[arg(long)]
    pub json: bool,
    /// Do not print the summary.
    #[arg(short, long)]
    pub quiet: bool,
    /// How candidates are run.
    #[command(flatten)]
    pub run: CandidateArgs,
    /// The condition, after `--`: a command and its arguments, in which {} is the path of the candidate.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// How the candidates of `--rule` are checked and run. They ignore inputs of arguments that they do not have, and are stopped
/// soon.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "With --rule, as for `pto run`")]
#[command(mut_group("LaunchArgs", |group| group.requires("rule")))]
#[command(mut_group("MachineArgs", |group| group.requires("rule")))]
#[command(mut_group("ScheduleArgs", |group| group.requires("rule")))]
#[command(mut_group("WatchArgs", |group| group.requires("rule")))]
#[command(mut_arg("max_steps", |arg| arg.default_value("1000000")))]
pub struct CandidateArgs {
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// The launch.
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The order of execution.
    #[command(flatten)]
    pub schedule: ScheduleArgs,
    /// The watchers.
    #[command(flatten)]
    pub watch: WatchArgs,
}

impl CandidateArgs {
    /// The launch of a candidate, all of whose findings count.
    pub fn spec(&self) -> Spec {
        let spec = self.schedule.with(self.machine.with(self.launch.spec()));
        self.watch.with(Spec { threads: 1, max_reports: usize::MAX, ..spec }, Watchers::NONE)
    }
}

/// A positive number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("`{text}` must be a positive number of seconds"))
}
