//! The `pto` command.

use pto_cli::{args, commands};
use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run_words(args::of_process(std::env::args_os()))
}
