//! `pto diff-log`: aligns two logs of `pto run --log`.

mod file;

use super::Status;
use super::diff::summary::{Summary, more};
use crate::args::DiffLogArgs;
use crate::printer::print_either;
use crate::report::{DiffLogReport, Sides};
use file::LogFile;
use pto::data::DataError;
use pto::log::{Core, align};
use std::collections::{BTreeMap, BTreeSet};

/// The result of a comparison of two logs.
struct Found {
    summary: Summary,
    /// Numbers of the first aligned entries that wrote different bytes, and how many there are.
    first: Option<(u64, u64)>,
    unequal: u64,
}

/// Lines of both logs, by number.
struct Lines([BTreeMap<u64, String>; 2]);

pub(super) fn run(args: &DiffLogArgs) -> Result<Status, DataError> {
    let (a, b) = (LogFile::open(&args.first)?, LogFile::open(&args.second)?);
    let found = compare(&a, &b)?;
    let lines = lines(&a, &b, &found)?;
    let (report, text) = (|| report(&a, &b, &found, &lines), || to_text(&a, &b, &found, &lines));
    print_either(args.format.is_json(), report, text);
    let differs = found.first.is_some() || found.summary.has_changes();
    Ok(if differs { Status::Wrong } else { Status::Fine })
}

/// Aligns the streams of all cores.
fn compare(a: &LogFile, b: &LogFile) -> Result<Found, DataError> {
    let cores: BTreeSet<Core> = a.cores().chain(b.cores()).collect();
    let mut found = Found { summary: Summary::default(), first: None, unequal: 0 };
    for core in cores {
        align(a.stream(core)?, b.stream(core)?, |aligned| {
            if let Some(pair) = found.summary.add(aligned) {
                found.unequal += 1;
                found.first = Some(found.first.map_or(pair, |first| first.min(pair)));
            }
        })?;
    }
    Ok(found)
}

/// The lines that the report shows.
fn lines(a: &LogFile, b: &LogFile, found: &Found) -> Result<Lines, DataError> {
    let shown = found.summary.shown();
    let changes = shown.iter().flatten().map(|group| group.first.entries());
    let pairs = found.first.into_iter().map(|(a, b)| (Some(a), Some(b)));
    let (first, second): (Vec<_>, Vec<_>) = pairs.chain(changes).unzip();
    let numbers = |list: Vec<Option<u64>>| list.into_iter().flatten().collect::<BTreeSet<u64>>();
    Ok(Lines([a.lines(&numbers(first))?, b.lines(&numbers(second))?]))
}

impl Lines {
    /// `- ` and `+ ` with the lines of a difference, given the numbers of its entries in both logs.
    fn show(&self, a: Option<u64>, b: Option<u64>) -> String {
        let line = |side: usize, sign: char, number: Option<u64>| {
            let line = number.and_then(|number| self.0[side].get(&number));
            line.map_or(String::new(), |line| format!("{sign} {line}\n"))
        };
        line(0, '-', a) + &line(1, '+', b)
    }

    /// A line of a log.
    fn get(&self, side: usize, number: u64) -> Option<String> {
        self.0[side].get(&number).cloned()
    }
}

fn to_text(a: &LogFile, b: &LogFile, found: &Found, lines: &Lines) -> String {
    let Summary { pairs, elsewhere, counts, .. } = &found.summary;
    let mut text = match found.first {
        None if !found.summary.has_changes() => format!("the same {pairs} entries\n"),
        None => {
            format!("no value differs: {pairs} entries are aligned, of {} and {}\n", a.entries(), b.entries())
        }
        Some((first, second)) => {
            let lines = lines.show(Some(first), Some(second));
            format!("{} of {pairs} aligned entries wrote other values, first\n{lines}", found.unequal)
        }
    };
    if *elsewhere > 0 {
        text.push_str(&format!("{elsewhere} of the aligned entries are at other addresses\n"));
    }
    for ((heading, count), shown) in
        Summary::headings(a.name(), b.name()).iter().zip(counts).zip(found.summary.shown())
    {
        if *count > 0 {
            text.push_str(&format!("{count} {heading}:\n"));
            let lines = shown.iter().map(|group| {
                let (a, b) = group.first.entries();
                group.times() + &lines.show(a, b)
            });
            text.extend(lines.chain([more(&shown, *count)]));
        }
    }
    text
}

/// The report as data.
fn report(a: &LogFile, b: &LogFile, found: &Found, lines: &Lines) -> DiffLogReport {
    DiffLogReport {
        alignment: found.summary.alignment(
            a.entries(),
            b.entries(),
            |number| lines.get(0, number),
            |number| lines.get(1, number),
        ),
        values_differ: found.unequal,
        first: found.first.map(|(a, b)| Sides { a: lines.get(0, a), b: lines.get(1, b) }),
    }
}
