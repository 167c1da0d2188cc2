//! The flags of `pto time`.

use super::TimedArgs;
use clap::Args;
use std::path::PathBuf;

/// Text at the end of `--help`.
const TIME: &str =
    "Runs FILE, and times what it did on a device: pipes in order and side by side, flags, barriers,
tokens and queues, transfers that share the memory behind the L2 cache, blocks dealt to the cores.
A program without flags is timed as `pto lower` lowers it, a kernel in C++ as it is synchronized. With a second program, its lines that
gained and lost are listed; both get the same inputs.

    pto time kernel.pto -i n=4096 --blocks 24 --device 910B2
    pto time kernel.pto -i n=4096 --trace trace.json      # for ui.perfetto.dev or chrome://tracing
    pto time before.pto after.pto -i n=4096
    pto time kernel.cpp -i x=randn:16x64 -i z=zeros:16x64 --target a5
    pto time --sequence layer.toml -i x=randn             # launches end to end

A device is a known name or a .toml file that starts from one (`base = \"910B2\"`) and changes numbers.
docs/timing.md says what each number rests on, and how far the model is from silicon.";

/// The flags of `pto time`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = TIME)]
#[command(mut_group("KernelArgs", |group| group.conflicts_with_all(["sequence", "other"])))]
#[command(mut_arg("compiler", |arg| arg.index(3)))]
pub struct TimeArgs {
    /// The program and its launch.
    #[command(flatten)]
    pub launch: TimedArgs,
    /// FILE describes a sequence of launches, as for `pto run --sequence`.
    #[arg(long, conflicts_with_all = ["entry", "blocks", "ranks", "other", "trace"])]
    pub sequence: bool,
    /// Another program to compare with.
    #[arg(value_name = "OTHER", index = 2)]
    pub other: Option<PathBuf>,
    /// Write the timeline as JSON of the Chrome trace event format, for Perfetto and chrome://tracing.
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    pub trace: Option<PathBuf>,
    /// Most instructions in the trace; the rest is left out, which is said.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub trace_limit: usize,
    /// Lines of each table.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}
