//! `pto completions` and `pto man`: what a package installs beside the command.

use super::Status;
use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::output::{Output, write_all};
use crate::printer::print_out;
use clap::CommandFactory;
use clap_mangen::Man;
use pto::data::DataError;

pub(super) fn completions(args: &CompletionsArgs) -> Result<Status, DataError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pto", &mut script);
    print_out(&String::from_utf8_lossy(&script));
    Ok(Status::Fine)
}

pub(super) fn pages(args: &ManArgs) -> Result<Status, DataError> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.output else {
        print_out(&String::from_utf8_lossy(&page(&Man::new(command))?));
        return Ok(Status::Fine);
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        DataError::misuse(format!("{}: cannot make the folder: {error}", folder.display()))
    })?;
    let mut pages = Vec::new();
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()).chain([&command]) {
        let man = Man::new(command.clone());
        pages.push(Output::new(folder.join(man.get_filename()), page(&man)?));
    }
    write_all(&pages)?;
    Ok(Status::Fine)
}

/// The text of a manual page.
fn page(man: &Man) -> Result<Vec<u8>, DataError> {
    let mut text = Vec::new();
    let written = man.render(&mut text);
    written.map_err(|error| DataError::new(format!("cannot write the manual page: {error}")))?;
    Ok(text)
}
