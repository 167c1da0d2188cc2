//! The flags of the commands that time a launch.

use super::values::assignment;
use super::{Assignment, ProfileArgs, RuleArgs, at_least_one, watchers};
use clap::Args;
use clap::builder::ValueParser;
use std::path::PathBuf;

/// A program, its launch and its device.
#[derive(Clone, Debug, Args)]
pub struct TimedArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
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
    /// Watchers, as for `pto run`. Default: none for `pto time`, race and mem for `pto map`, all for `pto
    /// report`.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// Most instructions, flags and barriers of a launch that are timed; the rest is left out, which is said. Default:
    /// 50,000,000.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}
