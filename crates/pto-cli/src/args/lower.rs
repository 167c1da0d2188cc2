//! The flags of `pto lower`.

use super::values::assignment;
use super::{Assignment, ProfileArgs};
use clap::builder::ValueParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The flags of `pto lower`.
#[derive(Clone, Debug, Args)]
pub struct LowerArgs {
    /// The program; `-` reads it from stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Fold constants and known branches; remove unused operations and moves of a tile to itself.
    #[arg(long)]
    pub canonicalize: bool,
    /// Give addresses to tiles and reserved buffers that have none.
    #[arg(long)]
    pub place: bool,
    /// Give each tile of a loop that loads and computes up to N buffers, so that rounds overlap; with --place and --sync flags.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub multi_buffer: u32,
    /// Insert what orders the accesses of each core.
    #[arg(long, value_name = "HOW")]
    pub sync: Option<InsertedSync>,
    /// Name for each inserted flag and barrier the two accesses that need it, on stderr.
    #[arg(long)]
    pub explain: bool,
    /// Time programs that differ in what the passes choose for this device, and keep the fastest. Default: the usual one of the target.
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
    /// Input of the launch that is timed and compared, as for `pto run`; what is not given is generated.
    #[arg(short = 'i', long = "input", value_name = "ARG=SOURCE", value_parser = ValueParser::new(assignment))]
    pub inputs: Vec<Assignment>,
    /// Number of blocks of that launch.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub blocks: Option<u32>,
    /// Do not verify the result against the program.
    #[arg(long)]
    pub no_verify: bool,
    /// Draw the memory of each function over time to this file, as SVG; also if tiles do not fit.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Target profile.
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Write the program to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Operations that `pto lower --sync` inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InsertedSync {
    /// Flags between pipes, and barriers within a pipe.
    Flags,
    /// Buffer tokens between pipes where they suffice, for devices that have them.
    Tokens,
    /// As few operations as possible: a barrier of all pipes where it replaces several flags. Slower: pipes overlap less.
    Fewest,
}
