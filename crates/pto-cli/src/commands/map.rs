//! `pto map`: the memory of a run over time.

mod draw;
mod text;

pub(super) use draw::{Axis, KINDS, MOMENTS, pieces};

use super::Status;
use super::timing::{MANY, Wanted, check_block, one, source};
use crate::args::MapArgs;
use crate::output::{Output, write_all};
use crate::printer::print_either;
use crate::report::MapReport;
use crate::settings::Configured;
use pto::data::DataError;
use pto::observe::{Watcher, Watchers};
use pto::timeline::Detail;

/// Watchers of `pto map`, if the flags name none: those whose findings concern places in memory.
const USUAL: Watchers = Watchers::of(&[Watcher::Race, Watcher::Mem]);

pub(super) fn run(args: &MapArgs) -> Result<Status, DataError> {
    let path = &args.launch.file;
    check_block(&args.launch, args.rank, args.block)?;
    let settings = Configured::of(&args.launch.profile, &args.launch.rules)?.of_program(path)?;
    let source = match source(&args.launch, path, &settings)? {
        Ok(source) => source,
        Err(status) => return Ok(status),
    };
    let wanted = Wanted { usual: USUAL, contents: None, detail: Detail::Spans { most: MANY } };
    let Some(timed) = one(&args.launch, &settings, &source, wanted)? else { return Ok(Status::Wrong) };
    let map = MapReport::of(&timed.ran(), args.rank, args.block);
    if let Some(path) = &args.svg {
        write_all(&[Output::new(path, draw::svg(&map).into_bytes())])?;
    }
    if args.json || args.svg.is_none() {
        print_either(args.json, || &map, || text::lines(&map, &timed.remarks()));
    }
    Ok(if timed.is_wrong() { Status::Wrong } else { Status::Fine })
}
