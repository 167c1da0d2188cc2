//! Timelines in the Chrome trace event format, which Perfetto and `chrome://tracing` open: a process for each block, a thread for
//! each pipe. Instructions and waits are slices, causes on other pipes arrows, queues and live bytes counters, findings marks.

mod counters;

use super::Timed;
use pto::diag::Diagnostic;
use pto::isa::pipe::Pipe;
use pto::timeline::TimeSpan;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// One event of a trace.
#[derive(Default, Serialize)]
struct Event<'a> {
    name: Cow<'a, str>,
    ph: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    /// Microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    /// End of an arrow.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    /// Extent of a mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Arguments<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Arguments<'a> {
    Name { name: String },
    Level { entries: i64 },
    Live { bytes: u64 },
    Finding { message: String },
    Wait { line: usize, waiting: &'a str },
    Work(Work<'a>),
}

/// The arguments of an instruction.
#[derive(Serialize)]
struct Work<'a> {
    line: usize,
    function: &'a str,
    shape: &'a str,
    bytes: u64,
    /// Names of the tiles that the instruction reads, and of those that it writes.
    reads: Vec<String>,
    writes: Vec<String>,
    /// Microseconds from the start of the instruction on its pipe to its results, and the part of them after the pipe is
    /// free again.
    completion: f64,
    latency: f64,
    /// Microsecond at which the results are available.
    done: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Trace<'a> {
    display_time_unit: &'static str,
    other_data: Other<'a>,
    trace_events: Events<'a>,
}

/// Subject of the trace.
#[derive(Serialize)]
struct Other<'a> {
    program: &'a str,
    device: &'a str,
    /// Whether instructions are missing, for their number.
    incomplete: bool,
}

fn metadata<'a>(name: &'static str, pid: u32, tid: u32, text: String) -> Event<'a> {
    let args = Some(Arguments::Name { name: text });
    Event { name: Cow::Borrowed(name), ph: "M", pid, tid, args, ..Event::default() }
}

/// The row of a pipe: one thread for each pipe of a core.
fn row(core: u32, pipe: Pipe) -> u32 {
    core * 16 + pipe as u32 + 1
}

/// The process of a block.
fn pid_of(rank: u32, block: u32) -> u32 {
    rank.saturating_mul(100_000).saturating_add(block).saturating_add(1)
}

/// A finding as a mark at the first instruction of its line.
fn mark<'a>(timed: &Timed<'_>, finding: &Diagnostic, spans: &[TimeSpan]) -> Option<Event<'a>> {
    let timing = &timed.timing;
    let line = timed.source.positions(finding.primary.as_ref()?.span).0.line;
    let span = spans.iter().find(|span| timed.line(span.source) == line)?;
    let core = &timing.cores[span.core as usize];
    Some(Event {
        name: Cow::Owned(finding.rule.to_string()),
        ph: "i",
        cat: Some("finding"),
        ts: Some(timing.micros(span.start)),
        pid: pid_of(core.rank, core.block),
        tid: row(span.core, span.pipe),
        s: Some("t"),
        args: Some(Arguments::Finding { message: finding.message.clone() }),
        ..Event::default()
    })
}

/// Writes the trace as JSON, with the instructions that the timeline keeps. Events are written as they are made: only the
/// timeline is in memory.
///
/// # Errors
/// If `into` cannot be written.
pub(super) fn write(timed: &Timed<'_>, into: &mut dyn Write) -> io::Result<()> {
    let timing = &timed.timing;
    let trace = Trace {
        display_time_unit: "ns",
        other_data: Other {
            program: &timed.text.name,
            device: &timing.device,
            incomplete: timing.is_cut() || timing.is_truncated,
        },
        trace_events: Events { timed, shown: timing.spans() },
    };
    serde_json::to_writer(into, &trace).map_err(io::Error::from)
}

/// The events of the first instructions of a timeline, made one by one.
struct Events<'a> {
    timed: &'a Timed<'a>,
    shown: &'a [TimeSpan],
}

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let instructions = (0..self.shown.len()).flat_map(|index| self.instruction(index));
        let queues = self.timed.timing.queues.iter().map(|level| self.queue(level));
        let findings = self.timed.findings.iter();
        let marks = findings.filter_map(|finding| mark(self.timed, finding, self.shown));
        let rows = self.rows().into_iter();
        serializer.collect_seq(rows.chain(instructions).chain(queues).chain(self.live_bytes()).chain(marks))
    }
}

impl<'a> Events<'a> {
    fn micros(&self, cycles: f64) -> f64 {
        self.timed.timing.micros(cycles)
    }

    /// The process and the thread of an instruction.
    fn at(&self, span: &TimeSpan) -> (u32, u32) {
        let of = &self.timed.timing.cores[span.core as usize];
        (pid_of(of.rank, of.block), row(span.core, span.pipe))
    }

    /// The names of blocks and pipes.
    fn rows(&self) -> Vec<Event<'a>> {
        let cores = &self.timed.timing.cores;
        let has_ranks = cores.iter().any(|core| core.rank > 0);
        let rows: BTreeSet<_> = self.shown.iter().map(|span| (span.core, span.pipe)).collect();
        let mut processes = BTreeSet::new();
        let mut events = Vec::new();
        for (core, pipe) in rows {
            let of = &cores[core as usize];
            let pid = pid_of(of.rank, of.block);
            if processes.insert(pid) {
                let rank = if has_ranks { format!("rank {}, ", of.rank) } else { String::new() };
                events.push(metadata("process_name", pid, 0, format!("{rank}block {}", of.block)));
            }
            events.push(metadata(
                "thread_name",
                pid,
                row(core, pipe),
                format!("{} {}", of.core, pipe.word()),
            ));
        }
        events
    }

    /// An instruction, the wait before it, and an arrow from the instruction of another pipe for which it waited.
    fn instruction(&self, index: usize) -> Vec<Event<'a>> {
        let span = &self.shown[index];
        let mut events = Vec::new();
        events.extend(self.wait(span));
        events.push(self.work(span));
        events.extend(self.arrow(index));
        events
    }

    /// An instruction on its pipe.
    fn work(&self, span: &TimeSpan) -> Event<'a> {
        let timing = &self.timed.timing;
        let source = &timing.sources[span.source as usize];
        let (pid, tid) = self.at(span);
        let sigil = self.timed.sigil;
        let named = |names: Vec<&str>| names.into_iter().map(|name| format!("{sigil}{name}")).collect();
        let [reads, writes] = self.timed.recording.tile_names(span).map(named);
        Event {
            name: Cow::Borrowed(&source.name),
            ph: "X",
            cat: Some("instruction"),
            ts: Some(self.micros(span.start)),
            dur: Some(self.micros(span.end - span.start)),
            pid,
            tid,
            args: Some(Arguments::Work(Work {
                line: self.timed.line(span.source),
                function: &source.function,
                shape: timing.shape(span),
                bytes: span.bytes,
                reads,
                writes,
                completion: self.micros(span.done - span.start),
                latency: self.micros(span.done - span.end),
                done: self.micros(span.done),
            })),
            ..Event::default()
        }
    }

    /// The time in which an instruction was issued and its pipe ran nothing, named after the wait that held it.
    fn wait(&self, span: &TimeSpan) -> Option<Event<'a>> {
        if span.waited <= 0.0 {
            return None;
        }
        let sources = &self.timed.timing.sources;
        let (pid, tid) = self.at(span);
        let name = span.held_by.map_or("wait", |held_by| &sources[held_by as usize].name);
        Some(Event {
            name: Cow::Borrowed(name),
            ph: "X",
            cat: Some("wait"),
            ts: Some(self.micros(span.start - span.waited)),
            dur: Some(self.micros(span.waited)),
            pid,
            tid,
            args: Some(Arguments::Wait {
                line: self.timed.line(span.held_by.unwrap_or(span.source)),
                waiting: &sources[span.source as usize].name,
            }),
            ..Event::default()
        })
    }

    /// The start and the end of an arrow from the instruction of another pipe for which an instruction waited.
    fn arrow(&self, index: usize) -> Vec<Event<'a>> {
        let span = &self.shown[index];
        let cause = span.cause.and_then(|cause| self.shown.get(cause as usize));
        let Some(cause) = cause.filter(|cause| self.at(cause) != self.at(span)) else { return Vec::new() };
        let end = |ph, ts, (pid, tid), bp| Event {
            name: Cow::Borrowed("waits for"),
            ph,
            cat: Some("flag"),
            ts: Some(self.micros(ts)),
            pid,
            tid,
            id: Some(index as u32),
            bp,
            ..Event::default()
        };
        vec![
            end("s", cause.start.max(cause.end - 1.0), self.at(cause), None),
            end("f", span.start, self.at(span), Some("e")),
        ]
    }
}
