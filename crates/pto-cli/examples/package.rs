//! Writes what a package installs beside the command: manual pages in `FOLDER/man/man1`, and completions of shells in
//! `FOLDER/completions`. `scripts/archive.sh` puts them into the archive of a release.
//!
//!     cargo run --release -p pto-cli --example package -- FOLDER

use clap::CommandFactory;
use clap_complete::{Shell, generate_to};
use pto_cli::args::Cli;
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(io::Error::other("name the folder that gets manual pages and completions"));
    };
    let folder = Path::new(&folder);
    manual_pages(&folder.join("man/man1"))?;
    completions(&folder.join("completions"))
}

/// Writes a page for the command, and one for each subcommand.
fn manual_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), folder)
}

/// Writes a script of completions for each shell that clap knows.
fn completions(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        generate_to(shell, &mut Cli::command(), "pto", folder)?;
    }
    Ok(())
}
