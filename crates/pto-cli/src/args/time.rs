//! The flags of `pto time`.

use super::values::assignment;
use super::{Assignment, ProfileArgs, RuleArgs, WATCHERS, at_least_one};
use clap::Args;
use clap::builder::{PossibleValuesParser, ValueParser};
use std::path::PathBuf;

/// What `--help` says at the end.
const TIME: &str =
    "Runs FILE, and times what it did on a device: pipes in order and side by side, flags, barriers,
tokens and queues, transfers that share the memory behind the L2 cache, blocks dealt to the cores.
A program without flags is timed as `pto lower` lowers it. With a second program, its lines that
gained and lost are listed; both get the same inputs.

    pto time kernel.pto -i n=4096 --blocks 24 --device 910B2
    pto time kernel.pto -i n=4096 --trace trace.json      # for ui.perfetto.dev or chrome://tracing
    pto time before.pto after.pto -i n=4096

A device is a known name or a .toml file that starts from one (`base = \"910B2\"`) and changes numbers.
docs/timing.md says what each number rests on, and how far the model is from silicon.";

/// The flags of `pto time`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = TIME)]
pub struct TimeArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Another program to compare with.
    #[arg(value_name = "OTHER")]
    pub other: Option<PathBuf>,
    /// The device: a known one or a .toml file. Default: the usual one of the program's profile.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// The function to execute, if the program has several.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Contents of an argument, as for `pto run`.
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Number of blocks to launch.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub blocks: u32,
    /// Number of ranks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(pto::sim::MAX_RANKS)))]
    pub ranks: u32,
    /// Seed of rand and randn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Most steps of a block. Default: 10^10.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Watchers, as for `pto run`; their findings are marks in the trace.
    #[arg(long, value_name = "WHAT", default_value = "none", value_delimiter = ',', value_parser = PossibleValuesParser::new(WATCHERS))]
    pub watch: Vec<String>,
    /// Write the timeline as JSON of the Chrome trace event format, for Perfetto and chrome://tracing.
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    pub trace: Option<PathBuf>,
    /// Most instructions in the trace; the rest is left out, which is said.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub trace_limit: usize,
    /// Most instructions, flags and barriers of a launch that are timed; the rest is left out, which is said.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub limit: usize,
    /// Lines of each table.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}
