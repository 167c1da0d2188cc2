//! The page of a sequence: the graph of its launches, and the time of each kernel by line.

use super::lines::{Hottest, LineData, Lines};
use super::loops::of_module;
use super::{USUAL, write};
use crate::args::ReportArgs;
use crate::commands::Status;
use crate::commands::timing::sequence::{self, Timed, TimedLaunch, TimedSequence};
use crate::inspect::Inspected;
use crate::render::{SourceText, all_authored};
use crate::report::{Finding, findings};
use crate::settings::Configured;
use pto::analysis::Direction;
use pto::data::DataError;
use pto::sequence::{Given, Launch, Part, Session};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Maximum number of launches that are drawn.
const MOST_LAUNCHES: usize = 400;

/// Everything that the page of a sequence shows. Times are in microseconds.
#[derive(Serialize)]
struct SequenceData {
    file: String,
    device: String,
    microseconds: f64,
    remarks: Vec<String>,
    /// Number of launches; those beyond the most are not drawn.
    all: usize,
    launches: Vec<LaunchData>,
    edges: Vec<Edge>,
    kernels: Vec<KernelData>,
    findings: Vec<Named>,
}

#[derive(Serialize)]
struct LaunchData {
    name: String,
    kernel: usize,
    blocks: u32,
    microseconds: f64,
}

/// Elements that a launch reads and another one wrote.
#[derive(PartialEq, Serialize)]
struct Edge {
    from: usize,
    to: usize,
    buffer: String,
}

#[derive(Serialize)]
struct KernelData {
    file: String,
    source: Vec<String>,
    /// Where the author wrote a line, by line: `model.py:14`.
    origins: BTreeMap<usize, String>,
    lines: Vec<LineData>,
    hottest: Option<Hottest>,
}

/// A finding, and its kernel.
#[derive(Serialize)]
struct Named {
    kernel: usize,
    #[serde(flatten)]
    finding: Finding,
}

/// A part of a buffer that a launch wrote.
type Wrote = (usize, usize, usize);

/// Facts about the launches so far.
#[derive(Default)]
struct Followed {
    all: usize,
    launches: Vec<LaunchData>,
    edges: Vec<Edge>,
    /// For each buffer, by name, the parts that were written: first element, end and launch.
    written: BTreeMap<String, Vec<Wrote>>,
    /// Time by line, of each kernel.
    lines: BTreeMap<usize, Lines>,
    /// Use of each argument of a kernel.
    directions: BTreeMap<usize, Vec<Direction>>,
    /// The file of the page.
    output: PathBuf,
    is_written: bool,
}

/// Runs a sequence and writes its page. Kernels are timed as `pto time` times them.
pub(super) fn run(args: &ReportArgs, configured: &Configured) -> Result<Status, DataError> {
    let mut followed = Followed { output: args.output.clone(), ..Followed::default() };
    let status = sequence::run(&args.launch, configured, USUAL, &mut followed)?;
    Ok(if followed.is_written { Status::Fine } else { status })
}

impl Followed {
    fn page(&mut self, sequence: &TimedSequence<'_>) -> SequenceData {
        let TimedSequence { loaded, device, microseconds, stopped, .. } = sequence;
        let mut remarks = Vec::new();
        if let Some(launch) = stopped {
            remarks.push(format!("an error stopped launch `{launch}`: the launches before it are shown"));
        }
        if self.all > self.launches.len() {
            remarks.push(format!(
                "the graph shows the first {} of {} launches",
                self.launches.len(),
                self.all
            ));
        }
        let (mut kernels, mut all) = (Vec::new(), Vec::new());
        for (kernel, (text, found)) in loaded.texts().enumerate() {
            let source = SourceText::new(&text.name, &text.text);
            all.extend(findings(&found, &source).into_iter().map(|finding| Named { kernel, finding }));
            kernels.push(KernelData {
                file: text.name.clone(),
                source: text.text.lines().map(str::to_owned).collect(),
                origins: all_authored(&source),
                lines: self.lines.get(&kernel).map(Lines::list).unwrap_or_default(),
                hottest: self.lines.get(&kernel).and_then(Lines::hottest),
            });
        }
        SequenceData {
            file: sequence.file.clone(),
            device: device.name.clone(),
            microseconds: *microseconds,
            remarks,
            all: self.all,
            launches: std::mem::take(&mut self.launches),
            edges: std::mem::take(&mut self.edges),
            kernels,
            findings: all,
        }
    }

    /// Adds edges from the launches whose elements a launch reads, and records the parts that it writes.
    fn accesses(&mut self, launch: &Launch<'_>, session: &Session) {
        let at = self.launches.len();
        let directions = self.directions.entry(launch.kernel).or_insert_with(|| {
            let interface = Inspected::of(launch.program).interface;
            interface.parameters.iter().map(|parameter| parameter.direction()).collect()
        });
        let parts: Vec<(Part, Direction)> = launch
            .given
            .iter()
            .zip(directions.iter())
            .filter_map(|(given, direction)| match given {
                Given::Part(part) => Some((*part, *direction)),
                _ => None,
            })
            .collect();
        for (part, direction) in &parts {
            if *direction != Direction::Out {
                let buffer = session.name(part.buffer);
                let known = self.written.get(buffer).into_iter().flatten();
                let from = known.filter(|(first, end, _)| *first < part.end && part.first < *end);
                for (_, _, from) in from {
                    let edge = Edge { from: *from, to: at, buffer: buffer.to_owned() };
                    if !self.edges.contains(&edge) {
                        self.edges.push(edge);
                    }
                }
            }
        }
        for (part, direction) in parts {
            if matches!(direction, Direction::Out | Direction::InOut) {
                let known = self.written.entry(session.name(part.buffer).to_owned()).or_default();
                // No later launch reads an earlier write that this one overwrites completely.
                known.retain(|(first, end, _)| *first < part.first || part.end < *end);
                known.push((part.first, part.end, at));
            }
        }
    }
}

impl Timed for Followed {
    fn launch(&mut self, one: &TimedLaunch<'_>) {
        let TimedLaunch { launch, session, text, timing, .. } = one;
        let source = SourceText::new(&text.name, &text.text);
        self.lines.entry(launch.kernel).or_default().add(
            timing,
            &source,
            &of_module(launch.program.module()),
        );
        self.all += 1;
        if self.launches.len() < MOST_LAUNCHES {
            self.accesses(launch, session);
            self.launches.push(LaunchData {
                name: launch.name.clone(),
                kernel: launch.kernel,
                blocks: launch.blocks,
                microseconds: timing.microseconds(),
            });
        }
    }

    fn end(&mut self, sequence: TimedSequence<'_>) -> Result<(), DataError> {
        sequence.loaded.print();
        let page = super::page::of(&self.page(&sequence));
        write(&self.output, page, "")?;
        self.is_written = true;
        Ok(())
    }
}
