//! `pto run --all`: every program below a folder.

mod gate;
mod launches;
mod report;

use super::run::watch_options;
use super::run::{blank, options};
use super::{Status, check_text, programs_below, read_text};
use crate::args::RunArgs;
use crate::files::Disk;
use pto::observe::{Watched, watch};

use crate::inspect::Inspected;
use crate::manifest::{self, Entry};
use crate::progress::Progress;
use crate::render::SourceText;
use crate::settings::{Configured, Settings};
use gate::Gate;
pub(super) use launches::{Launch, Said};
use pto::data::DataError;
use pto::data::Source;
use pto::data::{Failure, Given, Input, Plan, guess, place, plan};
use pto::diag::{Diagnostic, Severity};
use pto::isa::rules::run::OUT_OF_BOUNDS;
use pto::sim::{Argument, ArgumentKind, Options, Outcome, Signature};
use pto::{Checked, Program};
use report::{Report, Verdict, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Names of a manifest in a folder.
const MANIFESTS: [&str; 2] = ["manifest.json", "corpus.json"];

/// Stack size of a worker in bytes: the usual one of a main thread.
const STACK: usize = 8 << 20;

pub(super) fn run(args: &RunArgs, configured: &Configured, folder: &Path) -> Result<Status, DataError> {
    let start = Instant::now();
    let files = programs_below(folder)?;
    if files.is_empty() {
        return Err(DataError::misuse(format!("{}: there is no .pto file below it", folder.display())));
    }
    let entries = entries(args.manifest.as_deref(), folder, &files)?;
    let sweep = Sweep { folder, args, configured, entries, gate: Gate::default(), programs: files.len() };
    let report = Mutex::new(Report::new(files.len(), args.format(), args.quiet));
    let next = AtomicUsize::new(0);
    let progress = Progress::new(files.len(), "programs");
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdict = sweep.judge(file);
            let at = files.binary_search(file).unwrap_or_default();
            let mut report = report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            progress.aside(|| report.add(at, verdict));
            progress.step();
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    std::thread::scope(|scope| -> Result<(), DataError> {
        for _ in 0..workers {
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            worker.map_err(|error| DataError::new(format!("cannot start a thread: {error}")))?;
        }
        Ok(())
    })?;
    drop(progress);
    let report = report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(if report.finish(start.elapsed()) { Status::Fine } else { Status::Wrong })
}

/// The entries of the manifest for each file.
pub(super) fn entries(
    manifest: Option<&Path>,
    folder: &Path,
    files: &[String],
) -> Result<BTreeMap<String, Vec<Entry>>, DataError> {
    let usual = || MANIFESTS.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    let mut entries: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let Some(path) = manifest.map(Path::to_path_buf).or_else(usual) else { return Ok(entries) };
    for entry in manifest::read(&path)? {
        if files.binary_search(&entry.file).is_err() {
            let message = format!("{}: there is no `{}`", path.display(), folder.join(&entry.file).display());
            return Err(
                DataError::new(message).with_help("files are named relative to the folder of `--all`")
            );
        }
        entries.entry(entry.file.clone()).or_default().push(entry);
    }
    Ok(entries)
}

/// State that all workers share.
struct Sweep<'a> {
    folder: &'a Path,
    args: &'a RunArgs,
    configured: &'a Configured,
    entries: BTreeMap<String, Vec<Entry>>,
    gate: Gate,
    /// Number of programs.
    programs: usize,
}

impl Sweep<'_> {
    /// Checks a file and does its launches.
    fn judge(&self, file: &str) -> Verdict {
        let start = Instant::now();
        let path: PathBuf = self.folder.join(file);
        let mut verdict = Verdict::new(file, &path);
        if let Err(error) = self.judge_text(&path, &mut verdict) {
            verdict.fail(error.to_string().replace('\n', "; "));
        }
        verdict.judged.time = start.elapsed();
        verdict
    }

    fn judge_text(&self, path: &Path, verdict: &mut Verdict) -> Result<(), DataError> {
        let settings = self.configured.of_program(path)?;
        let text = read_text(path)?;
        verdict.judged.text.clone_from(&text.text);
        let entries = self.entries.get(&verdict.file).map(Vec::as_slice).unwrap_or_default();
        let said = Said::of(path, &text.text, entries)?;
        verdict.guessed = said.launches.iter().any(|launch| launch.guessed);
        let source = SourceText::new(&text.name, &text.text);
        let target = settings.target.or(said.profile);
        let settings = Settings { target, ..Settings::clone(&settings) };
        let (word, found) = match check_text(&text.text, &settings) {
            Err(findings) => (Word::Rejected, findings),
            Ok((checked, _)) => {
                match self.launches(&checked, &said.launches, (&source, &settings), verdict) {
                    Ok(()) => (Word::Ok, Vec::new()),
                    Err(Failure::Program(findings)) => (Word::Failed, findings),
                    Err(Failure::Data(error)) => return Err(error),
                }
            }
        };
        verdict.find(word, found);
        let wanted: BTreeSet<_> = entries.iter().flat_map(|entry| &entry.rejected).cloned().collect();
        if wanted.is_empty() { Ok(()) } else { verdict.expect(wanted.into_iter().collect()) }
    }

    /// Does all launches of a program.
    fn launches(
        &self,
        checked: &Checked,
        launches: &[Launch],
        (source, settings): (&SourceText<'_>, &Settings),
        verdict: &mut Verdict,
    ) -> Result<(), Failure> {
        for launch in launches {
            for kernel in kernels(checked, launch) {
                verdict.launches += 1;
                let level = |findings| settings.level(findings, source.text()).findings;
                let (program, outcome, _) = self.launch(checked, kernel.as_deref(), launch, level)?;
                verdict.count(&program, &outcome, source);
            }
        }
        Ok(())
    }

    fn launch(
        &self,
        checked: &Checked,
        kernel: Option<&str>,
        launch: &Launch,
        level: impl Fn(Vec<Diagnostic>) -> Vec<Diagnostic>,
    ) -> Result<(Program, Outcome, Vec<Diagnostic>), Failure> {
        let program = Program::decode(checked, kernel)?;
        let mut options = options(self.args);
        options.blocks = launch.blocks.unwrap_or(options.blocks);
        // Programs already run in parallel: no cores are left for blocks.
        if options.threads == 0 && self.programs > 1 {
            options.threads = 1;
        }
        options.max_steps = launch.max_steps.unwrap_or(options.max_steps);
        let ranks = launch.ranks.unwrap_or(self.args.ranks);
        let seed = launch.seed.unwrap_or(self.args.seed);
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let inputs = inputs(launch, &program, &signature, ranks)?;
        let mut plan = plan(&program, &inputs, seed, ranks, &options, &Disk)?;
        let (mut outcome, watched) = if launch.guessed {
            loop {
                match self.launch_plan(&program, plan.clone(), &inputs, &options) {
                    // A guessed extent may be smaller than what the program accesses beside its views.
                    Err(failure) if is_out_of_bounds(&failure) && plan.grow() => {}
                    result => break result?,
                }
            }
        } else {
            self.launch_plan(&program, plan, &inputs, &options)?
        };
        let known =
            |finding: &Diagnostic| launch.watched.iter().any(|rule| *rule == finding.rule.to_string());
        let mut findings = watched.findings;
        findings.retain(|finding| !known(finding));
        let findings = level(findings);
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(Failure::Program(findings));
        }
        // The results are not needed, and their memory is.
        outcome.buffers.clear();
        Ok((program, outcome, findings))
    }

    /// Launches a program with planned arguments, once there is memory for them.
    fn launch_plan(
        &self,
        program: &Program,
        plan: Plan<'_>,
        inputs: &[Input],
        options: &Options,
    ) -> Result<(Outcome, Watched), Failure> {
        let _memory = self.gate.enter(plan.bytes());
        let arguments = plan.make()?;
        let options = options.clone().blank(blank(inputs, &arguments));
        Ok(watch(program, arguments.ranks, &options, &watch_options(self.args))?)
    }
}

/// Runs a checked program alone, with the arguments that it or a file beside it gives, else guessed ones. Adds the findings, among
/// them the error that stopped a run. Returns why nothing is known of the program: a run with guessed arguments that stopped,
/// for which the guess may be the reason.
pub(super) fn findings(
    args: &RunArgs,
    configured: &Configured,
    (path, text): (&Path, &str),
    checked: &Checked,
    findings: &mut Vec<Diagnostic>,
) -> Result<Option<String>, DataError> {
    let settings = configured.of_program(path)?;
    let (entries, gate) = (BTreeMap::new(), Gate::default());
    let sweep = Sweep { folder: Path::new(""), args, configured, entries, gate, programs: 1 };
    let mut stopped = None;
    for launch in &Said::of(path, text, &[])?.launches {
        for kernel in kernels(checked, launch) {
            let level = |findings| settings.level(findings, text).findings;
            let mut found = match sweep.launch(checked, kernel.as_deref(), launch, level) {
                Ok((.., findings)) => findings,
                Err(Failure::Program(found)) => found,
                Err(Failure::Data(error)) => return Err(error),
            };
            let stops =
                |finding: &Diagnostic| finding.severity == Severity::Error && !finding.rule.is_of_watcher();
            if let Some(finding) = found.iter().find(|finding| launch.guessed && stops(finding)) {
                let (rule, message) = (finding.rule, &finding.message);
                stopped = Some(format!("its run on guessed inputs stops: {rule}: {message}"));
                found.retain(|finding| !stops(finding));
            }
            findings.extend(found);
        }
    }
    Ok(stopped)
}

/// The kernels of a launch.
pub(super) fn kernels(checked: &Checked, launch: &Launch) -> Vec<Option<String>> {
    let all = || Program::kernels(checked.module()).into_iter().map(Some).collect::<Vec<_>>();
    match &launch.entry {
        Some(entry) => vec![Some(entry.clone())],
        // For a file without kernels, decoding reports the error.
        None => Some(all()).filter(|all| !all.is_empty()).unwrap_or(vec![None]),
    }
}

/// The inputs of a kernel: specified ones, and default ones for the other arguments.
pub(super) fn inputs(
    launch: &Launch,
    program: &Program,
    signature: &Signature,
    ranks: u32,
) -> Result<Vec<Input>, DataError> {
    let mut inputs = Vec::new();
    let interface = launch.guessed.then(|| Inspected::of(program).interface);
    for (argument, described) in signature.arguments.iter().enumerate() {
        let given = match &interface {
            Some(interface) => guess::input(interface, &interface.parameters[argument]),
            None => usual(described),
        };
        inputs.extend(given.map(|given| Input { argument, rank: None, given }));
    }
    for (name, given) in &launch.inputs {
        let (argument, rank) = place(signature, name, ranks)?;
        inputs.push(Input { argument, rank, given: given.clone() });
    }
    Ok(inputs)
}

/// The input of an argument that a specified launch does not name: 1 for scalars; buffers are zeros.
fn usual(argument: &Argument) -> Option<Given> {
    match argument.kind {
        ArgumentKind::Scalar(_) => Some(Given::Source(Source::Scalar("1".into()))),
        _ => None,
    }
}

/// Whether an access beyond the buffer of an argument stopped a launch.
fn is_out_of_bounds(failure: &Failure) -> bool {
    let beyond = |finding: &Diagnostic| finding.rule.rule == &OUT_OF_BOUNDS;
    matches!(failure, Failure::Program(findings) if findings.iter().any(beyond))
}

/// The rules of the errors, sorted, without repetitions.
fn rules(findings: &[Diagnostic]) -> Vec<String> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let mut rules: Vec<String> = errors.map(|finding| finding.rule.to_string()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}
