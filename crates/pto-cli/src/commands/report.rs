//! `pto report`: one page about a launch. The status is 0 if the page is written: findings of the program are on the page.

mod contents;
mod data;
mod launches;
mod lines;
mod loops;
mod page;
mod rows;

pub(super) use contents::keep;

use super::Status;
use super::timing::{MANY, Wanted, check_block, one, source};
use crate::args::ReportArgs;
use crate::output::{Output, write_all};
use crate::printer::print_err;
use crate::settings::Configured;
use data::PageData;
use pto::data::DataError;
use pto::observe::Watchers;
use pto::timeline::Detail;
use std::path::Path;

/// Watchers of `pto report`, if the flags name none: all.
pub(super) const USUAL: Watchers = Watchers::ALL;

pub(super) fn run(args: &ReportArgs) -> Result<Status, DataError> {
    let configured = Configured::of(&args.launch.profile, &args.launch.rules)?;
    if args.sequence {
        return launches::run(args, &configured);
    }
    let path = &args.launch.file;
    check_block(&args.launch, args.rank, args.block)?;
    let settings = configured.of_program(path)?;
    let source = match source(&args.launch, path, &settings)? {
        Ok(source) => source,
        Err(status) => return Ok(status),
    };
    let wanted = Wanted {
        usual: USUAL,
        contents: Some((args.rank, args.block)),
        detail: Detail::Spans { most: MANY },
    };
    let Some(timed) = one(&args.launch, &settings, &source, wanted)? else { return Ok(Status::Wrong) };
    let zeros = zeros(&timed.zeros);
    let page = page::of(&PageData::of(timed, args.rank, args.block));
    write(&args.output, page, &zeros)?;
    Ok(Status::Fine)
}

/// Writes a page, and prints its path and size, followed by `note` in the same line.
fn write(path: &Path, page: String, note: &str) -> Result<(), DataError> {
    let kilobytes = page.len().div_ceil(1000);
    write_all(&[Output::new(path, page.into_bytes())])?;
    print_err!("wrote {} ({kilobytes} kB){note}", path.display());
    Ok(())
}

/// The arguments that the run took as zeros.
fn zeros(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; not given, and therefore zeros: {}", names.join(", ")),
    }
}
