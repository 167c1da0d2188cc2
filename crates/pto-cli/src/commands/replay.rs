//! `pto replay`: tasks of a dump, run again on their recorded inputs.

mod compare;
mod program;
mod task;
mod verdict;

use super::{Status, programs_below};
use crate::args::{Format, ReplayArgs};
use crate::args_dump::{Dump, Kernel, Mapping, Task, tasks};
use crate::case::{check_folder, save};
use crate::judged::Judged;
use crate::printer::{self, Reported};
use crate::printer::{print_err, print_out};
use crate::progress::Progress;
use crate::report::ReplayReport;
use crate::settings::Configured;
use program::Programs;
use pto::data::{DataError, Failure};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use task::Replayed;
use verdict::Verdict;

pub(super) fn run(args: &ReplayArgs) -> Result<Status, DataError> {
    let start = Instant::now();
    if let Some(folder) = &args.save {
        check_folder(folder, args.force)?;
    }
    let configured = Configured::of(&args.profile, &args.rules)?;
    let dump = Dump::open(&args.dump)?;
    let mapping = mapping(args, &dump)?;
    let mut programs = Programs::new(args, &configured, &mapping);
    let tasks = wanted(args, tasks(&dump))?;
    let mut verdicts = Vec::new();
    let mut saved = None;
    let progress = Progress::new(tasks.len(), "tasks");
    for task in &tasks {
        let begun = Instant::now();
        let mut verdict = Verdict::new(task);
        let result = replay(args, &dump, task, &mut programs, &mut verdict);
        let differs = match result {
            Ok(replayed) => verdict.replayed(replayed),
            Err(failure) => verdict.failed(failure),
        };
        verdict.judged.time = begun.elapsed();
        if let (Some(replayed), Some(folder), None) = (&differs, &args.save, &saved) {
            let note = format!("recorded by task {} of a dump", task.name);
            save(folder, &replayed.recording(&note), args.force)?;
            saved = Some(folder.display().to_string());
        }
        if args.format.chosen() == Format::Text {
            progress.aside(|| print_out(&verdict.text(args)));
        }
        verdict.forget_text();
        verdicts.push(verdict);
        progress.step();
    }
    drop(progress);
    let report = report(&verdicts, &dump, saved, start);
    let fine = report.differ == 0 && report.failed == 0 && report.problems.is_empty();
    printer::print(Verdicts(report, verdicts), "replay", args.format.chosen());
    if args.format.chosen() != Format::Json {
        dump.problems.iter().for_each(|problem| print_err!("error: {problem}"));
        if dump.dropped > 0 {
            print_err!("note: the recorder dropped {} records: tasks may be missing", dump.dropped);
        }
    }
    Ok(if fine { Status::Fine } else { Status::Wrong })
}

/// All results.
struct Verdicts(ReplayReport, Vec<Verdict>);

impl Reported for Verdicts {
    fn print_text(&self) {
        print_out(&sum(&self.0, &self.1));
    }

    fn json(&self) -> impl Serialize {
        &self.0
    }

    fn into_judged(self) -> Vec<Judged> {
        self.1.into_iter().map(|verdict| verdict.judged).collect()
    }
}

/// Runs a task.
fn replay<'p>(
    args: &ReplayArgs,
    dump: &Dump,
    task: &Task,
    programs: &'p mut Programs<'_>,
    verdict: &mut Verdict,
) -> Result<Replayed<'p>, Failure> {
    if let Some(error) = &task.error {
        return Err(error.clone().into());
    }
    let kernel = programs.kernel(&task.functions)?;
    verdict.kernel = Some(kernel.path.display().to_string());
    verdict.blocks = programs.blocks(task);
    let program = programs.load(&kernel, &mut verdict.judged)?;
    let tolerance = args.tolerance.tolerance();
    task::replay(dump, task, program, verdict.blocks, &tolerance)
}

/// How kernels are found.
fn mapping(args: &ReplayArgs, dump: &Dump) -> Result<Mapping, DataError> {
    let (folder, files) = match args.kernels.is_file() {
        true => (args.kernels.parent().unwrap_or(Path::new("")).to_path_buf(), vec![args.kernels.clone()]),
        false => {
            let files = programs_below(&args.kernels)?;
            (args.kernels.clone(), files.iter().map(|file| args.kernels.join(file)).collect())
        }
    };
    if files.is_empty() {
        return Err(DataError::misuse(format!("{}: there is no .pto file below it", folder.display())));
    }
    let mut given = std::collections::BTreeMap::new();
    for assignment in &args.map {
        let id = assignment.arg.parse().map_err(|_| {
            DataError::misuse(format!("--map: `{}` is no number of a function", assignment.arg))
                .with_help("write the number that the dump has in func_id: `--map 3=rope.pto`")
        })?;
        let (file, entry) = match assignment.value.rsplit_once('@') {
            Some((file, entry)) => (file, Some(entry.to_owned())),
            None => (assignment.value.as_str(), None),
        };
        let path = [folder.join(file), PathBuf::from(file)].into_iter().find(|path| path.is_file());
        let path = path.ok_or_else(|| DataError::misuse(format!("--map: there is no file {file}")))?;
        given.insert(id, Kernel { path, entry });
    }
    let above = dump.folder.canonicalize().ok().and_then(|folder| folder.parent().map(Path::to_path_buf));
    let beside: Vec<PathBuf> = [dump.folder.clone()].into_iter().chain(above).collect();
    Mapping::of(&folder, files, given, &beside)
}

/// The tasks that are asked for.
fn wanted(args: &ReplayArgs, mut tasks: Vec<Task>) -> Result<Vec<Task>, DataError> {
    if let Some(unknown) = args.task.iter().find(|id| !tasks.iter().any(|task| task.name == **id)) {
        let error = DataError::misuse(format!("the dump has no task `{unknown}`"));
        let names = tasks.iter().map(|task| task.name.as_str());
        return Err(match pto::text::nearest(unknown, names) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("`pto replay --verbose` lists them"),
        });
    }
    tasks.retain(|task| args.task.is_empty() || args.task.contains(&task.name));
    if tasks.is_empty() {
        return Err(DataError::new(format!("{}: the dump has no tasks", args.dump.display()))
            .with_help("level 1 dumps only marked arguments; `--dump-args 2` dumps all"));
    }
    Ok(tasks)
}

fn report(verdicts: &[Verdict], dump: &Dump, saved: Option<String>, start: Instant) -> ReplayReport {
    let count = |status: &str| verdicts.iter().filter(|verdict| verdict.status == status).count();
    ReplayReport {
        tasks: verdicts.iter().map(Verdict::report).collect(),
        first: verdicts
            .iter()
            .find(|verdict| verdict.status == "differs")
            .map(|verdict| verdict.name.clone()),
        same: count("same"),
        differ: count("differs"),
        failed: count("failed"),
        problems: dump.problems.clone(),
        dropped: dump.dropped,
        saved,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// The counts, and the first difference.
fn sum(report: &ReplayReport, verdicts: &[Verdict]) -> String {
    let first = verdicts.iter().find(|verdict| verdict.status == "differs");
    let mut text = first.map_or(String::new(), |verdict| format!("first difference: {}\n", verdict.title()));
    if let Some(folder) = &report.saved {
        text += &format!("  saved as a case: pto test {folder}\n");
    }
    let ReplayReport { same, differ, failed, .. } = report;
    text + &format!(
        "{} tasks: {same} the same, {differ} different, {failed} not replayed\n",
        report.tasks.len()
    )
}
