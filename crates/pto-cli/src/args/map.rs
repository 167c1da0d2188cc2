//! The flags of `pto map`.

use super::TimedArgs;
use clap::Args;
use std::path::PathBuf;

/// Text at the end of `--help`.
const MAP: &str =
    "Runs FILE, times it as `pto time` does, and shows which tiles hold values at which addresses, and when:
for each buffer of one block its tiles, their live and dead times, the bytes that several tiles use in
turn, the bytes that nothing uses, the peak, and conflicts. A program without addresses or flags is
shown as `pto lower` lowers it.

    pto map kernel.pto -i n=4096
    pto map kernel.pto -i n=4096 --svg map.svg

docs/report.md says what each number and colour means.";

/// The flags of `pto map`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = MAP)]
pub struct MapArgs {
    /// The program and its launch.
    #[command(flatten)]
    pub launch: TimedArgs,
    /// The block that is shown.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub block: u32,
    /// The rank of that block.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rank: u32,
    /// Draw the memory of the block, as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}
