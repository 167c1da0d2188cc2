//! The flags of `pto verify`.

use super::shrink::seconds;
use super::values::assignment;
use super::{Assignment, FormatArgs, ProfileArgs, RuleArgs};
use clap::Args;
use clap::builder::{PossibleValuesParser, ValueParser};
use pto::launch::Spec;
use std::path::PathBuf;
use std::time::Duration;

/// Text at the end of `--help`.
const VERIFY: &str =
    "Accepts LOWERED if it takes the same arguments and leaves no address or flag to another tool, if a
full check of it finds no race, no misuse of flags, no value that is overwritten too early and no
read of unwritten bytes, if it leaves the bits of SOURCE: for generated inputs that reach different
control flow, under every schedule, whatever unwritten memory holds; and if each of its
instructions ran. If a property fails, the smallest launch found that shows it is printed, and the
status is 1. If one is not known, the verdict is `unknown`, with the lines that did not run or the
inputs that are needed, and the status is 3.

    pto lower kernel.pto -o lowered.pto
    pto verify kernel.pto lowered.pto
    pto verify kernel.pto lowered.pto -i x=x.npy -i n=1000 --blocks 8
    pto verify kernel.pto --by 'ptoas {in} --enable-insert-sync --emit-pto-ir -o {out}'
    pto verify kernel.pto --by 'ptoas {in} --emit-pto-ir -o {out}' --shrink small.pto
    pto verify --all kernels --by 'old/ptoas {in} -o {out}' --by 'new/ptoas {in} -o {out}'

docs/verifying.md says what is compared.";

/// The flags of `pto verify`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = VERIFY)]
pub struct VerifyArgs {
    /// The program as it was written, or as a compiler left it; with --all a folder of programs.
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// Verify what each --by makes of every legal program below a folder, and print a table: verdicts, times, what differs.
    #[arg(long, requires = "by", conflicts_with_all = ["lowered", "shrink", "entry", "inputs"])]
    pub all: bool,
    /// The lowered program of a tool: placed, synchronized.
    #[arg(value_name = "LOWERED", required_unless_present = "by")]
    pub lowered: Option<PathBuf>,
    /// Run this command to lower the program; {in} and {out} stand for the files. Its status must be 0. With --all several.
    #[arg(long, value_name = "COMMAND", conflicts_with = "lowered")]
    pub by: Vec<String>,
    /// Longest time of one run of that command, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = ValueParser::new(seconds), requires = "by")]
    pub timeout: Duration,
    /// If a property fails, write to this file the smallest source found for which it still does.
    #[arg(long, value_name = "FILE", requires = "by", conflicts_with = "lowered")]
    pub shrink: Option<PathBuf>,
    /// The kernel to verify. Default: every kernel of the source.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// An input, as for `pto run`. All others are generated: scalars in several ways. If none is given and the verdict would be
    /// `unknown`, those of `case.json` or `// run:` beside the source are tried.
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// The launch of the `case.json` or `// run:` beside the source, if generated inputs did not suffice.
    #[arg(skip)]
    pub beside: Option<Spec>,
    /// Number of blocks. Default: 1, 2 and 3, if the program reads it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub blocks: Option<u32>,
    /// Number of ranks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub ranks: u32,
    /// Seed of generated inputs and of random schedules.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Orders that a compiler policy guarantees, as for `pto run`.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = PossibleValuesParser::new(["v-chains"]))]
    pub assume: Vec<String>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Levels of rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
