//! The `pto` command.

use clap::Parser;
use pto_cli::args::{Cli, of_process};
use std::process::ExitCode;

fn main() -> ExitCode {
    pto_cli::commands::run(&Cli::parse_from(of_process(std::env::args_os())))
}
