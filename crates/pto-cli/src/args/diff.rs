//! The flags of `pto diff` and `pto diff-log`.

use super::{LaunchArgs, MachineArgs, PlainFormatArgs, ProfileArgs, ScheduleArgs, ToleranceArgs};
use clap::Args;
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
    /// The tolerance.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Output format.
    #[command(flatten)]
    pub format: PlainFormatArgs,
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
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

impl DiffArgs {
    /// The launch that the flags describe.
    pub fn spec(&self) -> Spec {
        self.schedule.with(self.machine.with(self.launch.spec()))
    }
}
