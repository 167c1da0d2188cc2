//! The flags of `pto replay`.

use super::values::assignment;
use super::{Assignment, FormatArgs, ProfileArgs, RuleArgs, ToleranceArgs, watchers};
use clap::Args;
use clap::builder::ValueParser;
use std::path::PathBuf;

/// Text at the end of `--help`.
const REPLAY: &str =
    "Reads a dump of the arguments of tasks, args_dump.json with args.bin, as the runtime writes with
--dump-args 2. Runs the kernel of each task on its recorded inputs, compares with its recorded
outputs, and names the first task that differs: first and worst element, and the instruction that
wrote it last. A task that cannot be replayed is reported; the others still run.

    pto replay outputs/case_1/args_dump --kernels build_output/case_1/ptoas --rtol 1e-3 --atol 1e-3
    pto replay outputs/case_1/args_dump --kernels build_output/case_1/ptoas --save cases/wrong
    pto test cases/wrong

docs/replay.md describes the format, and how the kernel of a task is found.";

/// The flags of `pto replay`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = REPLAY)]
#[command(mut_arg("ulp", |arg| arg.conflicts_with_all(["atol", "rtol"])))]
pub struct ReplayArgs {
    /// The dump: args_dump.json, its folder, or the folder above.
    #[arg(value_name = "DUMP")]
    pub dump: PathBuf,
    /// The folder of the programs, such as build_output/CASE/ptoas, or one program.
    #[arg(short, long, value_name = "DIR")]
    pub kernels: PathBuf,
    /// The program of a function, by its number in the dump: 3=rope.pto, or 3=layer.pto@rope if it has several.
    /// Default: by kernel_config.py or name_map*.json.
    #[arg(long, value_name = "ID=FILE", value_parser = ValueParser::new(assignment))]
    pub map: Vec<Assignment>,
    /// Number of blocks of every task, or with NAME= or ID= of one function. Dumps of devices do not say it.
    #[arg(long, value_name = "[NAME=]N", value_parser = ValueParser::new(blocks))]
    pub blocks: Vec<Blocks>,
    /// Only tasks with these numbers, as the dump spells them.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub task: Vec<String>,
    /// Write the first task that differs as a case for `pto test` to this folder.
    #[arg(short, long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Write into a folder that is not empty, over files with the same names.
    #[arg(long, requires = "save")]
    pub force: bool,
    /// The tolerance.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Watchers, as for `pto run`.
    #[arg(long, value_name = "WHAT", default_value = "none", value_delimiter = ',', value_parser = watchers())]
    pub watch: Vec<String>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Stop a task after this many steps of a block.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Output format.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Print only the counts and the first difference.
    #[arg(short, long)]
    pub quiet: bool,
    /// List every task.
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// A number of blocks, of all tasks or of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Name or number of the function.
    pub function: Option<String>,
    /// Number of blocks.
    pub count: u32,
}

fn blocks(text: &str) -> Result<Blocks, String> {
    let (function, count) = match text.rsplit_once('=') {
        Some((function, count)) => (Some(function.to_owned()), count),
        None => (None, text),
    };
    Ok(Blocks { function, count: super::at_least_one(count)? })
}
