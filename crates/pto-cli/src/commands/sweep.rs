//! `pto run --all`: every program below a folder.

mod gate;
mod launches;
mod report;

use super::{Status, check_text, programs_below, read_text};
use crate::args::RunArgs;
use crate::files::Disk;
use crate::manifest::{self, Entry};
use crate::progress::Progress;
use crate::render::SourceText;
use crate::settings::{Configured, Settings};
use gate::Gate;
pub(super) use launches::{Launch, Said, in_comments};
use pto::data::{DataError, Failure, Plan};
use pto::diag::{Diagnostic, Severity};
use pto::isa::rules::run::OUT_OF_BOUNDS;
use pto::launch::{Report, Spec};
use pto::sim::Outcome;
use pto::{Checked, Program};
use report::{Verdict, Verdicts, Word};
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
    let mut spec = args.spec();
    // Programs already run in parallel: no cores are left for blocks.
    if spec.threads == 0 && files.len() > 1 {
        spec.threads = 1;
    }
    // The schedule of a single launch uses the seed of its inputs, unless another one is given.
    spec.schedule_seed = spec.schedule_seed.or(Some(spec.seed));
    let sweep = Sweep { folder, spec: &spec, configured, entries, gate: Gate::default() };
    let report = Mutex::new(Verdicts::new(files.len(), args.format.chosen(), args.quiet));
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
            let help = "files are named relative to the folder of `--all`";
            return Err(DataError::misuse(message).with_help(help));
        }
        entries.entry(entry.file.clone()).or_default().push(entry);
    }
    Ok(entries)
}

/// State that all workers share.
struct Sweep<'a> {
    folder: &'a Path,
    /// The launch of programs that do not specify theirs.
    spec: &'a Spec,
    configured: &'a Configured,
    entries: BTreeMap<String, Vec<Entry>>,
    gate: Gate,
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
        let said = Said::of(path, &text.text, entries, self.spec)?;
        verdict.guessed = said.launches.iter().any(Launch::is_guessed);
        let source = SourceText::new(&text.name, &text.text);
        let target = settings.target.or(said.profile);
        let settings = Settings { target, ..Settings::clone(&settings) };
        let (word, found) = match check_text(&text.text, &settings) {
            Err(findings) => (Word::Rejected, findings),
            Ok((checked, warnings)) => {
                let refused = warnings.into_iter().filter(|finding| finding.severity == Severity::Refused);
                match self.launches(&checked, &said.launches, &source, &settings, verdict) {
                    Ok(()) => (Word::Ok, refused.collect()),
                    Err(Failure::Program(findings)) => (Word::Failed, refused.chain(findings).collect()),
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
        source: &SourceText<'_>,
        settings: &Settings,
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
        let inputs = launch.spec.inputs(&program, &Disk)?;
        let mut plan = launch.spec.plan(&program, &inputs, &Disk)?;
        let run = |plan: Plan<'_>| {
            // Waits for memory.
            let _memory = self.gate.enter(plan.bytes());
            Ok(launch.spec.launch(&program, &inputs, plan.make()?).run(&mut [])?)
        };
        let Report { mut outcome, watched, .. } = if launch.is_guessed() {
            loop {
                match run(plan.clone()) {
                    // The program may access more than a guessed extent, outside its views.
                    Err(failure) if is_out_of_bounds(&failure) && plan.grow() => {}
                    result => break result?,
                }
            }
        } else {
            run(plan)?
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
}

/// Runs a checked program alone, with the arguments that it or a file beside it gives, else guessed ones. Adds the findings, among
/// them the error that stopped a run. Returns why nothing is known of the program: a run with guessed arguments that stopped,
/// for which the guess may be the reason.
pub(super) fn findings(
    spec: &Spec,
    configured: &Configured,
    path: &Path,
    text: &str,
    checked: &Checked,
    findings: &mut Vec<Diagnostic>,
) -> Result<Option<String>, DataError> {
    let settings = configured.of_program(path)?;
    let (entries, gate) = (BTreeMap::new(), Gate::default());
    let sweep = Sweep { folder: Path::new(""), spec, configured, entries, gate };
    let mut stopped = None;
    for launch in &Said::of(path, text, &[], spec)?.launches {
        for kernel in kernels(checked, launch) {
            let level = |findings| settings.level(findings, text).findings;
            let mut found = match sweep.launch(checked, kernel.as_deref(), launch, level) {
                Ok((.., findings)) => findings,
                Err(Failure::Program(found)) => found,
                Err(Failure::Data(error)) => return Err(error),
            };
            let stops =
                |finding: &Diagnostic| finding.severity == Severity::Error && !finding.rule.is_of_watcher();
            if let Some(finding) = found.iter().find(|finding| launch.is_guessed() && stops(finding)) {
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
    match &launch.spec.entry {
        Some(entry) => vec![Some(entry.clone())],
        // For a file without kernels, decoding reports the error.
        None => Some(all()).filter(|all| !all.is_empty()).unwrap_or(vec![None]),
    }
}

/// Whether an access beyond the buffer of an argument stopped a launch.
fn is_out_of_bounds(failure: &Failure) -> bool {
    let beyond = |finding: &Diagnostic| finding.rule.rule == &OUT_OF_BOUNDS;
    matches!(failure, Failure::Program(findings) if findings.iter().any(beyond))
}

/// The rules of the errors, sorted, without repetitions.
fn rules(findings: &[Diagnostic]) -> Vec<String> {
    let errors =
        findings.iter().filter(|finding| matches!(finding.severity, Severity::Error | Severity::Refused));
    let mut rules: Vec<String> = errors.map(|finding| finding.rule.to_string()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}
