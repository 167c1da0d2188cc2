//! The flags of `pto record`.

use super::values::{assignment, magnitude};
use super::{Assignment, ProfileArgs, RuleArgs, at_least_one, watchers};
use clap::Args;
use clap::builder::ValueParser;
use std::path::PathBuf;

/// What `--help` says at the end.
const RECORD: &str =
    "Runs FILE once and writes a folder that `pto test` runs again: kernel.pto, case.json, and a .npy
file for the contents of each buffer, before the launch if it is read and after it if it is written.
Buffers that the run writes are the expected outputs. A program with errors, or a watched run with
findings, is not recorded.

    pto record softmax.pto --save cases/softmax -i x=randn -i n=100 --rtol 1e-6
    pto test cases";

/// The flags of `pto record`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = RECORD)]
pub struct RecordArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The folder of the case. It is made, and must be empty unless --force is given.
    #[arg(short, long, value_name = "DIR")]
    pub save: PathBuf,
    /// Write into a folder that is not empty, over files with the same names.
    #[arg(long)]
    pub force: bool,
    /// A remark for case.json.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// The function to execute, if the program has several.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Contents of an argument, as for `pto run`.
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Largest absolute error that the case will allow. By default values must be equal bit for bit.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub atol: f64,
    /// Largest error that the case will allow, relative to the expected value.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub rtol: f64,
    /// Largest error that the case will allow, in units in the last place.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["atol", "rtol"])]
    pub ulp: u64,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Number of blocks to launch.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub blocks: u32,
    /// Watchers, as for `pto run`. An error among their findings prevents the recording.
    #[arg(long, value_name = "WHAT", default_value = "none", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// Seed of rand and randn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many steps of a block, which ends endless loops.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Do not print what was recorded.
    #[arg(short, long)]
    pub quiet: bool,
}
