//! The rows of the timeline: one for each pipe of each core.

use crate::commands::timing::Timed;
use pto::isa::pipe::Pipe;
use pto::timeline::TimeSpan;
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of instructions that are drawn one by one.
const MOST_SPANS: usize = 20_000;

/// Maximum number of rows: the first blocks and the chosen one.
const MOST_ROWS: usize = 120;

/// Maximum number of intervals, if instructions are drawn as intervals.
const MOST_INTERVALS: usize = 24_000;

/// Rows with instructions. Numbers of instructions are in columns, which are shorter than objects.
#[derive(Serialize)]
pub(super) struct Timeline {
    rows: Vec<Row>,
    /// Name, line and function of each operation.
    sources: Vec<(String, usize, String)>,
    /// Index of the row of each instruction or interval.
    row: Vec<usize>,
    /// Operation of each instruction; for an interval, the operation with the longest time.
    source: Vec<u32>,
    /// Start and duration, in microseconds.
    start: Vec<f64>,
    length: Vec<f64>,
    /// Microseconds from the end of the instruction on its pipe to the availability of its results. Empty for intervals.
    latency: Vec<f64>,
    /// Instruction that delayed this one, or -1. Empty for intervals.
    cause: Vec<i64>,
    /// Number of instructions of an interval, and the share of the interval in which the pipe was busy. Empty for
    /// instructions.
    count: Vec<u64>,
    busy: Vec<f64>,
    #[serde(skip)]
    pub(super) remarks: Vec<String>,
    #[serde(skip)]
    keys: Vec<(u32, Pipe)>,
}

/// A pipe of a core.
#[derive(Serialize)]
struct Row {
    core: String,
    rank: u32,
    block: u32,
    pipe: &'static str,
    /// Share of the time in which the pipe was busy.
    busy: f64,
}

impl Timeline {
    /// The row of a pipe.
    pub(super) fn row_of(&self, core: u32, pipe: Pipe) -> Option<usize> {
        self.keys.iter().position(|key| *key == (core, pipe))
    }
}

/// A time in microseconds with six significant digits more than pixels need.
fn rounded(micros: f64) -> f64 {
    (micros * 1e5).round() / 1e5
}

/// Rows of a timing. They always include those of the chosen block.
pub(super) fn timeline(timed: &Timed<'_>, chosen: (u32, u32)) -> Timeline {
    let timing = &timed.timing;
    let mut busy: BTreeMap<(u32, Pipe), f64> = BTreeMap::new();
    for span in timing.spans() {
        *busy.entry((span.core, span.pipe)).or_default() += span.end - span.start;
    }
    let all = busy.len();
    let of = |core: u32| &timing.cores[core as usize];
    let mut keys: Vec<(u32, Pipe)> = busy.keys().copied().collect();
    keys.sort_by_key(|(core, pipe)| {
        let of = of(*core);
        ((of.rank, of.block) != chosen, of.rank, of.block, *core, *pipe)
    });
    keys.truncate(MOST_ROWS);
    keys.sort_unstable_by_key(|(core, pipe)| (of(*core).rank, of(*core).block, *core, *pipe));
    let row = |key: &(u32, Pipe)| {
        let of = of(key.0);
        let busy = busy[key] / timing.cycles.max(1.0);
        Row { core: of.core.clone(), rank: of.rank, block: of.block, pipe: key.1.word(), busy }
    };
    let source = |index: usize| {
        let source = &timing.sources[index];
        (source.name.clone(), timed.line(index as u32), source.function.clone())
    };
    let mut timeline = Timeline {
        rows: keys.iter().map(row).collect(),
        sources: (0..timing.sources.len()).map(source).collect(),
        row: Vec::new(),
        source: Vec::new(),
        start: Vec::new(),
        length: Vec::new(),
        latency: Vec::new(),
        cause: Vec::new(),
        count: Vec::new(),
        busy: Vec::new(),
        remarks: Vec::new(),
        keys,
    };
    if timeline.keys.len() < all {
        let shown = timeline.keys.len();
        timeline
            .remarks
            .push(format!("the timeline shows {shown} of {all} pipes: those of the first blocks"));
    }
    let rows: BTreeMap<(u32, Pipe), usize> =
        timeline.keys.iter().enumerate().map(|(row, key)| (*key, row)).collect();
    let shown = timing.spans().iter().filter(|span| rows.contains_key(&(span.core, span.pipe))).count();
    match shown <= MOST_SPANS {
        true => instructions(&mut timeline, timed, &rows),
        false => {
            intervals(&mut timeline, timed, &rows);
            let drawn = timeline.row.len();
            timeline.remarks.push(format!(
                "{shown} instructions are too many to draw: the timeline has {drawn} intervals with their number, busy share and \
                 longest operation"
            ));
        }
    }
    timeline
}

/// One entry for each instruction.
fn instructions(timeline: &mut Timeline, timed: &Timed<'_>, rows: &BTreeMap<(u32, Pipe), usize>) {
    let timing = &timed.timing;
    let spans = timing.spans();
    let row = |span: &TimeSpan| rows.get(&(span.core, span.pipe)).copied();
    let mut drawn = vec![-1i64; spans.len()];
    for (index, span) in spans.iter().enumerate() {
        if let Some(row) = row(span) {
            drawn[index] = timeline.row.len() as i64;
            timeline.row.push(row);
            timeline.source.push(span.source);
            timeline.start.push(rounded(timing.micros(span.start)));
            timeline.length.push(rounded(timing.micros(span.end - span.start)));
            timeline.latency.push(rounded(timing.micros(span.done - span.end)));
        }
    }
    let causes = spans.iter().filter(|span| row(span).is_some()).map(|span| {
        let cause = span.cause.map(|cause| cause as usize);
        // A cause on the same pipe needs no arrow.
        let cause = cause.filter(|cause| spans.get(*cause).is_some_and(|cause| row(cause) != row(span)));
        cause.map_or(-1, |cause| drawn[cause])
    });
    timeline.cause = causes.collect();
}

/// Contents of an interval of a row.
#[derive(Default)]
struct Interval {
    count: u64,
    busy: f64,
    /// Cycles by operation.
    sources: BTreeMap<u32, f64>,
}

/// One entry for each interval of equal length in which an instruction of a row starts or runs.
fn intervals(timeline: &mut Timeline, timed: &Timed<'_>, rows: &BTreeMap<(u32, Pipe), usize>) {
    let timing = &timed.timing;
    let per_row = (MOST_INTERVALS / rows.len().max(1)).max(1);
    let length = timing.cycles.max(1.0) / per_row as f64;
    let mut all: BTreeMap<(usize, usize), Interval> = BTreeMap::new();
    for span in timing.spans() {
        let Some(row) = rows.get(&(span.core, span.pipe)) else { continue };
        let index = |cycle: f64| ((cycle / length) as usize).min(per_row - 1);
        let (first, last) = (index(span.start), index(span.end));
        for at in first..=last {
            let interval = all.entry((*row, at)).or_default();
            let within = span.end.min((at + 1) as f64 * length) - span.start.max(at as f64 * length);
            interval.count += u64::from(at == first);
            interval.busy += within.max(0.0);
            *interval.sources.entry(span.source).or_default() += within.max(0.0);
        }
    }
    for ((row, at), interval) in all {
        let longest = interval.sources.iter().max_by(|a, b| a.1.total_cmp(b.1));
        timeline.row.push(row);
        timeline.source.push(longest.map_or(0, |(source, _)| *source));
        timeline.start.push(rounded(timing.micros(at as f64 * length)));
        timeline.length.push(rounded(timing.micros(length)));
        timeline.count.push(interval.count);
        timeline.busy.push((interval.busy / length * 1e3).round() / 1e3);
    }
}
