//! The `pto` command.

use clap::Parser;
use pto_cli::args::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    pto_cli::commands::run(&Cli::parse())
}
