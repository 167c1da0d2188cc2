//! The flags of `pto diff` and `pto diff-log`.

use super::values::magnitude;
use super::{LaunchArgs, MachineArgs, PlainFormat, ProfileArgs, ScheduleArgs};
use clap::Args;
use clap::builder::ValueParser;
use pto::launch::Spec;
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
    /// The launch of both programs.
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The order of execution.
    #[command(flatten)]
    pub schedule: ScheduleArgs,
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
    /// The launch that the flags describe.
    pub fn spec(&self) -> Spec {
        self.schedule.with(self.machine.with(self.launch.spec()))
    }

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
