//! The report of `pto time`.

use crate::render::{Authored, SourceText, authored_at, place_in_words};
use pto::timeline::Timing;
use serde::Serialize;
use std::fmt;

/// JSON report of `pto time`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timings {
    /// The program.
    pub program: TimeReport,
    /// The program that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<TimeReport>,
}

/// The time of one program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeReport {
    /// The program.
    pub file: String,
    /// The device.
    pub device: String,
    /// Its clock in GHz.
    pub clock: f64,
    /// Whether the program has no flags of its own, and was lowered.
    pub lowered: bool,
    /// Time in microseconds.
    pub microseconds: f64,
    /// Time in cycles.
    pub cycles: f64,
    /// Blocks that run at a time.
    pub slots: usize,
    /// Time of each pipe of each core of each block, in cycles.
    pub pipes: Vec<TimedPipe>,
    /// Time by operation.
    pub lines: Vec<TimedLine>,
    /// The critical path, longest part first.
    pub path: Vec<TimedPart>,
    /// Waits, longest first.
    pub stalls: Vec<TimedStall>,
    /// Bytes that cores loaded and stored.
    pub bytes: u64,
    /// Bytes of the memory behind the L2 cache.
    pub memory_bytes: u64,
    /// Share of the lines of the L2 cache that were there.
    pub l2_hits: f64,
    /// Operations of products a second that were reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flops: Option<f64>,
    /// Time in microseconds with perfect overlap.
    pub overlapped: f64,
    /// Whether the launch had more steps than were timed.
    pub truncated: bool,
}

/// A pipe of a core of a block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimedPipe {
    /// Rank.
    pub rank: u32,
    /// Block.
    pub block: u32,
    /// Core within the block.
    pub core: String,
    /// Pipe.
    pub pipe: &'static str,
    /// Cycles while an instruction ran.
    pub busy: f64,
    /// Cycles while an issued instruction waited.
    pub waiting: f64,
    /// Cycles while nothing was issued.
    pub idle: f64,
}

/// An operation of a timed program, as reports name it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimedOperation {
    /// Its line; for one that lowering inserted, the line of the operation for which it was.
    pub line: usize,
    /// Its name.
    pub operation: String,
    /// The pipes that it orders, such as `M -> FIX` for a flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<String>,
    /// Whether lowering inserted it.
    pub inserted: bool,
    /// Where the author wrote the line, if a compiler made the program and names the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Authored>,
}

impl TimedOperation {
    /// The operation of a source of a timing. `lowered` says whether synchronization is that of lowering.
    pub fn of(timing: &Timing, source: u32, text: &SourceText<'_>, lowered: bool) -> TimedOperation {
        let source = &timing.sources[source as usize];
        let pipes: Vec<_> = source.ordered.iter().map(|pipe| pipe.word()).collect();
        TimedOperation {
            line: text.positions(source.span).0.line,
            operation: source.name.clone(),
            orders: (!pipes.is_empty()).then(|| pipes.join(" -> ")),
            // An inserted operation has the position of another operation.
            inserted: lowered && !text.text()[text.range(source.span)].ends_with(&source.name),
            origin: authored_at(source.span, text),
        }
    }
}

impl fmt::Display for TimedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inserted = if self.inserted { "inserted " } else { "" };
        let orders = self.orders.as_ref().map_or(String::new(), |pipes| format!(" {pipes}"));
        let place = place_in_words(self.line, self.origin.as_ref());
        write!(f, "{inserted}{}{orders} at {place}", self.operation)
    }
}

/// An operation with its time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimedLine {
    /// The operation.
    #[serde(flatten)]
    pub at: TimedOperation,
    /// Number of executions.
    pub count: u64,
    /// Cycles of its pipe, on all cores.
    pub busy: f64,
    /// Bytes that it moved.
    pub bytes: u64,
    /// Cycles of the critical path.
    pub critical: f64,
}

/// A part of the critical path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimedPart {
    /// The operation; nothing for the start of blocks.
    #[serde(flatten)]
    pub at: Option<TimedOperation>,
    /// Its bound.
    pub bound: &'static str,
    /// Cycles.
    pub cycles: f64,
}

/// A wait.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimedStall {
    /// The operation that waited.
    #[serde(flatten)]
    pub at: TimedOperation,
    /// The wait that held it.
    pub held_by: TimedOperation,
    /// Cycles, on all cores.
    pub cycles: f64,
}

impl TimeReport {
    /// The report on a timing of a program.
    pub fn of(timing: &Timing, text: &SourceText<'_>, lowered: bool) -> TimeReport {
        let at = |source: u32| TimedOperation::of(timing, source, text, lowered);
        let pipes = timing.cores.iter().flat_map(|core| {
            core.pipes.iter().map(|(pipe, time)| TimedPipe {
                rank: core.rank,
                block: core.block,
                core: core.core.clone(),
                pipe: pipe.word(),
                busy: time.busy,
                waiting: time.waiting,
                idle: time.idle,
            })
        });
        let lines = timing.lines.iter().map(|(source, of)| TimedLine {
            at: at(*source),
            count: of.count,
            busy: of.busy,
            bytes: of.bytes,
            critical: of.critical,
        });
        let path = timing.path.iter().map(|part| TimedPart {
            at: part.source.map(at),
            bound: part.bound.word(),
            cycles: part.cycles,
        });
        let stalls = timing.stalls.iter().map(|stall| TimedStall {
            at: at(stall.waiting),
            held_by: at(stall.held_by),
            cycles: stall.cycles,
        });
        TimeReport {
            file: text.name().to_owned(),
            device: timing.device.clone(),
            clock: timing.clock,
            lowered,
            microseconds: timing.microseconds(),
            cycles: timing.cycles,
            slots: timing.slots,
            pipes: pipes.collect(),
            lines: lines.collect(),
            path: path.collect(),
            stalls: stalls.collect(),
            bytes: timing.traffic.bytes,
            memory_bytes: timing.traffic.memory_bytes,
            l2_hits: timing.traffic.hits as f64 / (timing.traffic.lines as f64).max(1.0),
            flops: timing.roofline.map(|roof| roof.reached),
            overlapped: timing.micros(timing.overlapped),
            truncated: timing.is_truncated,
        }
    }
}
