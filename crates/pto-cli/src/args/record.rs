//! The flags of `pto record`.

use super::{KernelArgs, LaunchArgs, ProfileArgs, RuleArgs, ToleranceArgs, WatchArgs};
use clap::Args;
use std::path::PathBuf;

/// Text at the end of `--help`.
const RECORD: &str =
    "Runs FILE once and writes a folder that `pto test` runs again: kernel.pto or kernel.cpp, case.json, and a .npy
file for the contents of each buffer, before the launch if it is read and after it if it is written.
Buffers that the run writes are the expected outputs. A program with errors, or a watched run with
findings, is not recorded.

    pto record softmax.pto --save cases/softmax -i x=randn -i n=100 --rtol 1e-6
    pto test cases
    pto record --examples --save suite";

/// The flags of `pto record`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = RECORD)]
#[command(mut_arg("ulp", |arg| arg.conflicts_with_all(["atol", "rtol"])))]
pub struct RecordArgs {
    /// The program, or a source with a kernel in C++; `-` reads a program from stdin.
    #[arg(value_name = "FILE", required_unless_present = "examples")]
    pub file: Option<PathBuf>,
    /// Record the example of every instruction on every profile that it names: a suite to hold another simulator to, with an index.
    #[arg(long, conflicts_with_all = ["file", "inputs", "entry", "blocks", "note"])]
    pub examples: bool,
    /// The folder of the case. It is made, and must be empty unless --force is given.
    #[arg(short, long, value_name = "DIR")]
    pub save: PathBuf,
    /// Write into a folder that is not empty, over files with the same names.
    #[arg(long)]
    pub force: bool,
    /// A remark for case.json.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// The launch.
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// The tolerance.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The watchers. An error among their findings prevents the recording.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Do not print what was recorded.
    #[arg(short, long)]
    pub quiet: bool,
    /// The compilation of a kernel in C++.
    #[command(flatten)]
    pub kernel: KernelArgs,
}
