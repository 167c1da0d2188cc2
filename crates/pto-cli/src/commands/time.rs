//! `pto time`: when a launch runs on a device.

mod compare;
mod sequence;
mod text;
mod trace;

use super::Status;
use super::timing::{Source, Timed, Wanted, one, source};
use crate::args::TimeArgs;
use crate::cpp::arguments::is_source;
use crate::output::write_streamed;
use crate::printer::print_either;
use crate::report::{self, TimeReport};
use crate::settings::Configured;
use pto::data::DataError;
use pto::observe::Watchers;
use pto::timeline::Detail;

pub(super) fn run(args: &TimeArgs) -> Result<Status, DataError> {
    let configured = Configured::of(&args.launch.profile, &args.launch.rules)?;
    if args.sequence {
        return sequence::run(args, &configured);
    }
    let paths = || [Some(&args.launch.file), args.other.as_ref()].into_iter().flatten();
    refuse_comparison(args)?;
    let mut sources: Vec<Source> = Vec::new();
    for path in paths() {
        match source(&args.launch, path, &*configured.of_program(path)?)? {
            Ok(source) => sources.push(source),
            Err(status) => return Ok(status),
        }
    }
    let detail = match &args.trace {
        Some(_) => Detail::Spans { most: args.trace_limit },
        None => Detail::Totals,
    };
    let mut timed = Vec::new();
    for (path, source) in paths().zip(&sources) {
        let wanted = Wanted { usual: Watchers::NONE, contents: None, detail };
        let Some(one) = one(&args.launch, &*configured.of_program(path)?, source, wanted)? else {
            return Ok(Status::Wrong);
        };
        timed.push(one);
    }
    let mut timed = timed.into_iter();
    let Some(first) = timed.next() else { return Ok(Status::Fine) };
    if let Some(path) = &args.trace {
        write_streamed(path, |file| trace::write(&first, file))?;
    }
    let second = timed.next();
    let of = |timed: &Timed<'_>| TimeReport::of(&timed.timing, &timed.source, timed.lowered);
    let report = || report::Timings { program: of(&first), other: second.as_ref().map(of) };
    let text = || match &second {
        Some(second) => compare::lines(&first, second, args.top),
        None => text::lines(&first, args.top),
    };
    print_either(args.json, report, text);
    let wrong = first.is_wrong() || second.is_some_and(|second| second.is_wrong());
    Ok(if wrong { Status::Wrong } else { Status::Fine })
}

/// Refuses the comparison of a kernel in C++: a process has one kernel.
fn refuse_comparison(args: &TimeArgs) -> Result<(), DataError> {
    let mut files = std::iter::once(&args.launch.file).chain(&args.other);
    if args.other.is_none() || !files.any(|file| is_source(file)) {
        return Ok(());
    }
    Err(DataError::misuse("a kernel in C++ is timed alone, and not compared")
        .with_help("time both and compare: `pto time A --json`, `pto time B --json`"))
}
