//! The flags of `pto diff` and `pto diff-log`.

use super::values::{OnDivisionByZero, assignment, magnitude};
use super::{Assignment, PlainFormat, ProfileArgs, ScheduleArg, TconcatIndex, at_least_one};
use clap::Args;
use clap::builder::ValueParser;
use std::path::PathBuf;

/// The flags of `pto diff`.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The first program, with which the second one is compared; `-` reads it from stdin.
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The second program; its function takes the same arguments.
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The function to execute, if the programs have several.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Contents of an argument for both programs, as for `pto run`.
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Largest absolute error of a value that is no difference. By default values are compared bit for bit.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub atol: f64,
    /// Largest error of a value, relative to that of the first program, that is no difference.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub rtol: f64,
    /// Largest error of a value, in units in the last place, that is no difference.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub ulp: u64,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Number of blocks to launch.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub blocks: u32,
    /// Number of ranks. Each rank has its own memory and runs all blocks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(pto::sim::MAX_RANKS)))]
    pub ranks: u32,
    /// Order in which the pipes of a core execute issued instructions, as for `pto run`.
    #[arg(long, value_name = "ORDER", default_value = "program")]
    pub schedule: ScheduleArg,
    /// Unit of the indices of tconcat, as for `pto run`.
    #[arg(long, value_name = "UNIT")]
    pub tconcat_index: Option<TconcatIndex>,
    /// Integer division by zero in tile instructions, as for `pto run`.
    #[arg(long, value_name = "HOW", default_value = "stop")]
    pub on_division_by_zero: OnDivisionByZero,
    /// Seed of rand and randn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Seed of the random and adversarial schedules. Default: that of --seed.
    #[arg(long, value_name = "N")]
    pub schedule_seed: Option<u64>,
    /// Stop after this many steps of a block, which ends endless loops.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// The flags of `pto diff-log`.
#[derive(Clone, Debug, Args)]
pub struct DiffLogArgs {
    /// The first log.
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The second log.
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl DiffArgs {
    /// Whether the output is JSON, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}

impl DiffLogArgs {
    /// Whether the output is JSON, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}
