//! The flags of `pto report`.

use super::TimedArgs;
use clap::Args;
use std::path::PathBuf;

/// Text at the end of `--help`.
const REPORT: &str = "Runs FILE, times it as `pto time` does, and writes one HTML file that needs no network: the source with time,
count and findings by line, the timeline, the memory map, contents of tiles, races, and layouts of the tile
types. With --sequence the file describes launches over buffers that persist, and the page has their graph.
The status is 0 if the page is written, whatever was found.

    pto report kernel.pto -i n=4096 -o report.html
    pto report kernel.cpp -i x=randn:16x64 -i z=zeros:16x64 -o report.html
    pto report --sequence layer.toml -i x=randn -o layer.html

docs/report.md explains the page and its keys.";

/// The flags of `pto report`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = REPORT)]
#[command(mut_group("KernelArgs", |group| group.conflicts_with("sequence")))]
pub struct ReportArgs {
    /// The program and its launch.
    #[command(flatten)]
    pub launch: TimedArgs,
    /// FILE describes a sequence of launches, as for `pto run --sequence`.
    #[arg(long, conflicts_with_all = ["entry", "blocks", "ranks"])]
    pub sequence: bool,
    /// The block whose memory and tiles are shown.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub block: u32,
    /// The rank of that block.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rank: u32,
    /// The file to write.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: PathBuf,
}
