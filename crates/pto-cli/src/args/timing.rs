//! The flags of the commands that time a launch.

use super::{KernelArgs, LaunchArgs, MachineArgs, ProfileArgs, RuleArgs, WatchArgs};
use clap::Args;
use pto::launch::Spec;
use pto::observe::Watchers;
use std::path::PathBuf;

/// A program, its launch and its device.
#[derive(Clone, Debug, Args)]
pub struct TimedArgs {
    /// The program, or a source with a kernel in C++; `-` reads a program from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The device: a known one or a .toml file. Default: the usual one of the program's profile.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// The launch.
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The watchers.
    #[command(flatten)]
    pub watch: WatchArgs,
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
    /// The compilation of a kernel in C++.
    #[command(flatten)]
    pub kernel: KernelArgs,
}

impl TimedArgs {
    /// The launch that the flags describe, under the watchers `usual` if they name none.
    pub fn spec(&self, usual: Watchers) -> Spec {
        self.watch.with(self.machine.with(self.launch.spec()), usual)
    }
}
