//! Time, count and waits of each line of a program, and the loop that takes most time.

use super::loops::innermost;
use crate::render::SourceText;
use pto::diag::Span;
use pto::timeline::Timing;
use serde::Serialize;
use std::collections::BTreeMap;

/// Times and counts of the operations of a line, on all cores. Times are in microseconds.
#[derive(Clone, Default, Serialize)]
pub(super) struct LineData {
    line: usize,
    operations: Vec<String>,
    count: u64,
    busy: f64,
    bytes: u64,
    critical: f64,
    waiting: f64,
}

/// The loop with most time, or the line with most time if no loop takes any: the page opens there.
#[derive(Serialize)]
pub(super) struct Hottest {
    /// Line of the loop's head.
    line: usize,
    is_loop: bool,
    /// Share of the time of all instructions, on all cores.
    share: f64,
}

/// The lines of a program, over one or several launches.
#[derive(Default)]
pub(super) struct Lines {
    lines: BTreeMap<usize, LineData>,
    /// Microseconds of the instructions directly in each loop, by the line of its head; those of loops in it are not among them.
    loops: BTreeMap<usize, f64>,
}

impl Lines {
    /// Adds a launch of a program that has these loops.
    pub(super) fn add(&mut self, timing: &Timing, source: &SourceText<'_>, loops: &[Span]) {
        let line = |index: u32| source.positions(timing.sources[index as usize].span).0.line;
        for (index, time) in &timing.lines {
            if let Some(around) = innermost(loops, timing.sources[*index as usize].span) {
                *self.loops.entry(source.positions(around).0.line).or_default() += timing.micros(time.busy);
            }
            let data = self.lines.entry(line(*index)).or_default();
            let name = &timing.sources[*index as usize].name;
            if !data.operations.contains(name) {
                data.operations.push(name.clone());
            }
            data.count += time.count;
            data.busy += timing.micros(time.busy);
            data.bytes += time.bytes;
            data.critical += timing.micros(time.critical);
        }
        for stall in &timing.stalls {
            self.lines.entry(line(stall.held_by)).or_default().waiting += timing.micros(stall.cycles);
        }
    }

    /// The hottest loop or line; `None` if nothing takes time.
    pub(super) fn hottest(&self) -> Option<Hottest> {
        let all: f64 = self.lines.values().map(|line| line.busy).sum();
        let lines = || self.lines.iter().map(|(line, data)| (*line, data.busy));
        let is_loop = self.loops.values().any(|busy| *busy > 0.0);
        let (line, busy) = match is_loop {
            true => most(self.loops.iter().map(|(line, busy)| (*line, *busy))),
            false => most(lines()),
        }?;
        (busy > 0.0).then(|| Hottest { line, is_loop, share: busy / all })
    }

    /// The lines with figures, in order.
    pub(super) fn list(&self) -> Vec<LineData> {
        self.lines.iter().map(|(line, data)| LineData { line: *line, ..data.clone() }).collect()
    }
}

/// The first line with the longest time.
fn most(times: impl Iterator<Item = (usize, f64)>) -> Option<(usize, f64)> {
    times.reduce(|most, other| if other.1 > most.1 { other } else { most })
}
