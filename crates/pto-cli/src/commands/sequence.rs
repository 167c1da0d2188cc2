//! `pto run --sequence`: launches over buffers that persist.

mod following;
mod kernels;

pub(super) use kernels::Loaded;

use super::expectation::{Expectation, LastWrite};
use super::run::print_results;
use super::{Status, read_text};
use crate::args::{Assignment, RunArgs};
use crate::files::Disk;
use crate::judged::Judged;
use crate::output::{Output, write_all};
use crate::printer::{self, Reported, print_err, print_error, print_out};
use crate::render::SourceText;
use crate::report::{self, KernelTime, SequenceReport};
use crate::settings::Configured;
use following::{Dumped, Following};
use kernels::as_written;
use pto::data::{Array, DataError, Expected, Failure, Source, located, materialize};
use pto::isa::Element;
use pto::sequence::{BufferId, Plan, Sequence, Session, Stopped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs a sequence.
pub(super) fn run(args: &RunArgs, configured: &Configured, path: &Path) -> Result<Status, DataError> {
    let start = Instant::now();
    let mut loaded = Loaded::new(path, configured, &as_written);
    let ran = match run_all(args, path, &mut loaded) {
        Ok(ran) => Some(ran),
        Err(Failure::Data(error)) => {
            print_error(judged(path, start), &error, "run", args.format.chosen());
            return Err(error);
        }
        Err(Failure::Program(findings)) => {
            loaded.add_last(findings);
            None
        }
    };
    let passed = !loaded.has_errors() && ran.as_ref().is_some_and(Ran::has_passed);
    printer::print(Found { args, path, start, loaded: &loaded, ran }, "run", args.format.chosen());
    Ok(if passed { Status::Fine } else { Status::Wrong })
}

/// The file of a sequence.
fn judged(path: &Path, start: Instant) -> Judged {
    let name = path.display().to_string();
    Judged { file: name.clone(), name, time: start.elapsed(), ..Judged::default() }
}

/// The results of a sequence that ran to its end.
struct Ran {
    /// Contents of the buffers that are results, by name.
    results: Vec<(String, Array)>,
    compared: Vec<Expectation>,
    times: Vec<KernelTime>,
    /// Texts that the programs printed.
    printed: Vec<String>,
}

impl Ran {
    fn has_passed(&self) -> bool {
        self.compared.iter().all(Expectation::passed)
    }
}

/// The report about a sequence.
struct Found<'a> {
    args: &'a RunArgs,
    path: &'a Path,
    start: Instant,
    loaded: &'a Loaded<'a>,
    /// `None` if findings stopped the run.
    ran: Option<Ran>,
}

impl Reported for Found<'_> {
    fn print_text(&self) {
        self.loaded.print();
        let (Some(ran), args) = (&self.ran, self.args) else { return };
        let results = ran.results.iter().map(|(name, array)| (name.as_str(), array));
        print_results(args, &ran.printed, results, &ran.compared, &SourceText::new("", ""));
        if !args.spec().watch.is_empty() && self.loaded.is_clean() {
            let launches: usize = ran.times.iter().map(|time| time.launches).sum();
            print_err!("no findings in {launches} launches of {} kernels", ran.times.len());
        }
        if args.time {
            print_out(&KernelTime::table(&ran.times));
        }
    }

    fn json(&self) -> impl Serialize {
        let diagnostics = self.loaded.report();
        let Some(ran) = &self.ran else { return SequenceReport { diagnostics, ..SequenceReport::default() } };
        let (source, results) = (SourceText::new("", ""), ran.results.iter());
        SequenceReport {
            diagnostics,
            outputs: results.map(|(name, array)| report::Output::of(name, array)).collect(),
            expect: ran.compared.iter().map(|expectation| expectation.report(&source)).collect(),
            kernels: ran.times.clone(),
            printed: ran.printed.clone(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        let mut all = self.loaded.judged(self.start);
        all.extend(self.ran.map(|ran| Judged {
            findings: ran.compared.iter().filter_map(Expectation::finding).collect(),
            passed: ran.has_passed(),
            ..judged(self.path, self.start)
        }));
        all
    }
}

/// The sequence of a file.
pub(super) fn read(path: &Path) -> Result<Sequence, DataError> {
    let text = read_text(path)?;
    toml::from_str(&text.text).map_err(|error| {
        DataError::new(format!("{}: {}", path.display(), error.to_string().trim_end()))
            .with_help("docs/sequences.md has the keys of a sequence")
    })
}

fn run_all(args: &RunArgs, path: &Path, loaded: &mut Loaded<'_>) -> Result<Ran, Failure> {
    let sequence = read(path)?;
    let plan = Plan::of(&sequence, &mut |file, entry| loaded.load(file, entry))?;
    let spec = args.spec();
    let given = given(&args.launch.inputs, &plan, spec.seed)?;
    let outputs = assignments(&args.outputs, &plan)?;
    let expected = expected(args, &plan)?;
    let mut session = Session::new(spec.options(), spec.watch_options());
    let dump = args.dump_args.as_deref().map(|folder| Dumped::create(folder, &plan)).transpose()?;
    let mut following = Following::new(&plan, loaded, dump);
    let ran = plan.run(&mut session, given, &mut following);
    // A run that failed has a dump too: it ends before the launch that failed.
    following.finish(&path.file_stem().unwrap_or_default().to_string_lossy())?;
    let Following { times, printed, .. } = following;
    for finding in session.conflicts() {
        loaded.add_finding(finding);
    }
    let buffers = match ran {
        Ok(buffers) => buffers,
        Err(Stopped { launch: Some((name, kernel)), failure: Failure::Program(findings) }) => {
            loaded.add(kernel, &name, findings);
            return Err(Failure::Program(Vec::new()));
        }
        Err(Stopped { failure, .. }) => return Err(failure),
    };
    let wanted = outputs.iter().map(|(name, _)| name).chain(expected.iter().map(|(name, _)| name));
    let kept: Vec<BufferId> =
        plan.results.iter().chain(wanted).filter_map(|name| buffers.get(name)).copied().collect();
    session.unread(&kept).into_iter().for_each(|finding| loaded.add_finding(finding));
    let compared = compare(args, &session, &buffers, expected)?;
    let arrays: Vec<(&PathBuf, Array)> =
        outputs.iter().map(|(name, path)| (path, session.array(buffers[name]))).collect();
    write_all(&arrays.iter().map(|(path, array)| Output::npy(*path, array)).collect::<Vec<_>>())?;
    let results = plan.results.iter().map(|name| (name.clone(), session.array(buffers[name]))).collect();
    Ok(Ran { results, compared, times, printed })
}

/// The buffer that an assignment names.
fn buffer_of<'a>(plan: &'a Plan, name: &str) -> Result<&'a (String, Element, Vec<usize>), DataError> {
    let known = || plan.buffers.iter().map(|(name, ..)| name.as_str());
    plan.buffers.iter().find(|(known, ..)| known == name).ok_or_else(|| {
        let error = DataError::misuse(format!("the sequence has no buffer `{name}`"));
        match pto::diag::nearest(name, known()) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help(format!("it has {}", known().collect::<Vec<_>>().join(", "))),
        }
    })
}

/// The contents that `-i` gives.
pub(super) fn given(
    inputs: &[Assignment],
    plan: &Plan,
    seed: u64,
) -> Result<BTreeMap<String, Array>, DataError> {
    let mut given = BTreeMap::new();
    for input in inputs {
        let (name, element, shape) = buffer_of(plan, &input.arg)?;
        let stream = plan.buffers.iter().position(|(known, ..)| known == name).unwrap_or_default();
        let items = shape.iter().product();
        let array = Source::parse(&input.value, &Disk).and_then(|source| match &source {
            Source::Npy(path) => Disk.npy(path, *element),
            _ => materialize(&source, *element, Some(items), seed, stream, &Disk),
        });
        let array = array.map_err(|error| located(name, error))?;
        if given.insert(name.clone(), array).is_some() {
            return Err(DataError::misuse(format!("buffer `{name}` is given twice")));
        }
    }
    Ok(given)
}

/// Names of buffers with the files of `-o` or `--expect`.
fn assignments(list: &[Assignment], plan: &Plan) -> Result<Vec<(String, PathBuf)>, DataError> {
    let one = |assignment: &Assignment| {
        let (name, ..) = buffer_of(plan, &assignment.arg)?;
        Ok((name.clone(), PathBuf::from(&assignment.value)))
    };
    list.iter().map(one).collect()
}

/// The expected arrays, read before the run so that errors in files appear first.
fn expected(args: &RunArgs, plan: &Plan) -> Result<Vec<(String, Expected)>, DataError> {
    let one = |(name, path): (String, PathBuf)| {
        let (_, element, shape) = buffer_of(plan, &name)?;
        let source = Source::of_file(&path.to_string_lossy());
        Ok((name, Expected::read(&source, *element, Some(shape.iter().product()), &Disk)?))
    };
    assignments(&args.expect, plan)?.into_iter().map(one).collect()
}

fn compare(
    args: &RunArgs,
    session: &Session,
    buffers: &BTreeMap<String, BufferId>,
    expected: Vec<(String, Expected)>,
) -> Result<Vec<Expectation>, DataError> {
    let tolerance = args.tolerance.tolerance();
    let one = |(name, want): (String, Expected)| {
        Expectation::of(&name, session.array(buffers[&name]), want, &tolerance, 0, LastWrite::Unknown)
    };
    expected.into_iter().map(one).collect()
}
