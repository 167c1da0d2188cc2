//! Time, count and waits of each line of a program.

use crate::render::SourceText;
use pto::timeline::Timing;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the operations of a line took, on all cores. Times are in microseconds.
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

/// The lines of a program, over one or several launches.
#[derive(Default)]
pub(super) struct Lines {
    lines: BTreeMap<usize, LineData>,
}

impl Lines {
    /// Adds a launch.
    pub(super) fn add(&mut self, timing: &Timing, source: &SourceText<'_>) {
        let line = |index: u32| source.positions(timing.sources[index as usize].span).0.line;
        for (index, time) in &timing.lines {
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

    /// The lines with figures, in order.
    pub(super) fn list(&self) -> Vec<LineData> {
        self.lines.iter().map(|(line, data)| LineData { line: *line, ..data.clone() }).collect()
    }
}
