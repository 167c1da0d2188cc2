//! The page of a sequence: the graph of its launches, and the time of each kernel by line.

use super::USUAL;
use super::lines::{LineData, Lines};
use crate::args::ReportArgs;
use crate::commands::sequence::{Loaded, given, read};
use crate::commands::timed::{self, Kernels};
use crate::commands::{Status, Text};
use crate::inspect::Inspected;
use crate::output::{Output, write_all};
use crate::render::SourceText;
use crate::report::{Finding, findings};
use crate::settings::{Configured, Settings};
use pto::analysis::Direction;
use pto::data::{DataError, Failure};
use pto::isa::device::Device;
use pto::sequence::{Follow, Given, Launch, Launched, Part, Plan, Session, Stopped};
use pto::timeline::{Chain, time};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Most launches that are drawn.
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
    lines: Vec<LineData>,
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

/// What is known of the launches so far.
#[derive(Default)]
struct Followed {
    all: usize,
    microseconds: f64,
    launches: Vec<LaunchData>,
    edges: Vec<Edge>,
    /// For each buffer, by name, the parts that were written: first element, end and launch.
    written: BTreeMap<String, Vec<Wrote>>,
    /// Time by line, of each kernel.
    lines: BTreeMap<usize, Lines>,
    /// What each argument of a kernel is for.
    directions: BTreeMap<usize, Vec<Direction>>,
    failed: Vec<String>,
}

struct Following<'a, 'b> {
    followed: Followed,
    device: Device,
    chain: Chain,
    loaded: &'a mut Loaded<'b>,
}

/// Runs a sequence and writes its page.
pub(super) fn run(args: &ReportArgs, configured: &Configured) -> Result<Status, DataError> {
    let path = &args.launch.file;
    let kernels = RefCell::new(Kernels::default());
    // Kernels are timed as `pto time` times them.
    let decode = |text: &Text, settings: &Settings, entry: Option<&str>| {
        kernels.borrow_mut().load(&args.launch, entry, settings, text)
    };
    let mut loaded = Loaded::new(path, configured, &decode);
    let made = page(args, &mut loaded, &kernels);
    let data = match made {
        Ok(data) => data,
        Err(Failure::Data(error)) => return Err(error),
        Err(Failure::Program(findings)) => {
            loaded.add_last(findings);
            loaded.print();
            return Ok(Status::Wrong);
        }
    };
    loaded.print();
    write_all(&[Output::new(&args.output, super::page::of(&data).into_bytes())])?;
    Ok(if loaded.has_errors() { Status::Wrong } else { Status::Fine })
}

fn page(
    args: &ReportArgs,
    loaded: &mut Loaded<'_>,
    kernels: &RefCell<Kernels>,
) -> Result<SequenceData, Failure> {
    let launch = &args.launch;
    let sequence = read(&launch.file)?;
    let plan = Plan::of(&sequence, &mut |file, entry| loaded.load(file, entry))?;
    let given = given(&launch.inputs, &plan, launch.seed)?;
    let mut session = Session::new(timed::options(launch, USUAL));
    let Some(device) = kernels.take().device else {
        return Err(DataError::new("the sequence has no launches").into());
    };
    let chain = Chain::new(&device);
    let mut following = Following { followed: Followed::default(), device, chain, loaded };
    let ran = plan.run(&mut session, given, &mut following);
    let Following { mut followed, device, loaded, .. } = following;
    session.conflicts().into_iter().for_each(|finding| loaded.add_finding(finding));
    match ran {
        Ok(_) => {}
        Err(Stopped { launch: Some((name, kernel)), failure: Failure::Program(findings) }) => {
            followed
                .failed
                .push(format!("an error stopped launch `{name}`: the launches before it are shown"));
            loaded.add(kernel, &name, findings);
        }
        Err(Stopped { failure, .. }) => return Err(failure),
    }
    Ok(followed.page(launch.file.display().to_string(), device.name, loaded))
}

impl Followed {
    fn page(self, file: String, device: String, loaded: &Loaded<'_>) -> SequenceData {
        let mut remarks = self.failed;
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
            all.extend(findings(found, &source).into_iter().map(|finding| Named { kernel, finding }));
            kernels.push(KernelData {
                file: text.name.clone(),
                source: text.text.lines().map(str::to_owned).collect(),
                lines: self.lines.get(&kernel).map(Lines::list).unwrap_or_default(),
            });
        }
        SequenceData {
            file,
            device,
            microseconds: self.microseconds,
            remarks,
            all: self.all,
            launches: self.launches,
            edges: self.edges,
            kernels,
            findings: all,
        }
    }

    /// Adds the edges from the launches whose elements a launch reads, and notes what it writes.
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
                // What is overwritten as a whole, nothing reads any more.
                known.retain(|(first, end, _)| *first < part.first || part.end < *end);
                known.push((part.first, part.end, at));
            }
        }
    }
}

impl Follow for Following<'_, '_> {
    fn begin_group(&mut self) {
        self.chain.begin_group();
    }

    fn next_branch(&mut self) {
        self.chain.next_branch();
    }

    fn end_group(&mut self) {
        self.chain.end_group();
    }

    fn before(&mut self, launch: &Launch<'_>, session: &Session) -> Result<(), Failure> {
        if self.followed.launches.len() < MOST_LAUNCHES {
            self.followed.accesses(launch, session);
        }
        Ok(())
    }

    fn after(&mut self, launch: &Launch<'_>, _: &Session, launched: Launched<'_>) -> Result<(), Failure> {
        let outcome = launched.outcome;
        self.loaded.add(launched.kernel, launched.name, [outcome.warnings, outcome.findings].concat());
        let recording = outcome.recording.unwrap_or_default();
        let timing = time(&recording, &self.device).map_err(DataError::new)?;
        self.chain.launch(&timing);
        let text =
            self.loaded.texts().nth(launched.kernel).map(|(text, _)| (text.name.clone(), text.text.clone()));
        let (name, text) = text.unwrap_or_default();
        self.followed.lines.entry(launched.kernel).or_default().add(&timing, &SourceText::new(&name, &text));
        self.followed.all += 1;
        self.followed.microseconds = timing.micros(self.chain.cycles());
        if self.followed.launches.len() < MOST_LAUNCHES {
            self.followed.launches.push(LaunchData {
                name: launched.name.to_owned(),
                kernel: launched.kernel,
                blocks: launch.blocks,
                microseconds: timing.microseconds(),
            });
        }
        Ok(())
    }
}
