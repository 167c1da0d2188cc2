//! `pto record`.

mod suite;

use super::kernel::{self, KernelFile, Launched, Linked, Place};
use super::{Status, Text, check_text, read_text};
use crate::args::RecordArgs;
use crate::case::{Compiled, Recorded, Recording, check_folder, save};
use crate::cpp::includes;
use crate::files::Disk;
use crate::linked::{Kernels, Wanted};
use crate::printer::{print_diagnostics, print_findings, print_out, print_warnings};
use crate::render::SourceText;
use crate::settings::{Configured, Settings};
use pto::data::{Array, DataError, Dtype, Failure, Input};
use pto::diag::{Diagnostic, Severity};
use pto::ir::Scalar;
use pto::isa::Element;
use pto::launch::{ArgumentResult, Report, Spec};
use pto::observe::Watchers;
use pto::sim::{Argument, ArgumentKind, Signature, Value};
use pto::{Checked, Profile, Program};

pub(super) fn run(args: &RecordArgs) -> Result<Status, DataError> {
    check_folder(&args.save, args.force)?;
    // Without `--examples` the flags require a file.
    let Some(file) = &args.file else { return suite::write(args) };
    let configured = Configured::of(&args.profile, &args.rules)?;
    let settings = configured.of_program(file)?;
    let compilation = kernel::compilation(file, &args.kernel, &settings);
    let place = kernel::place(&compilation, &kernel::refused(&args.launch, None))?;
    if let Place::Ended(status) = place {
        return Ok(status);
    }
    let text = read_text(file)?;
    let recorded = match place {
        Place::Linked(kernels) => {
            record_kernel(args, &settings, KernelFile { path: file, text: &text }, kernels)
        }
        _ => record(args, &settings, &text),
    };
    match recorded {
        Ok(status) => Ok(status),
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            print_diagnostics(&findings, &text);
            Ok(Status::Wrong)
        }
    }
}

fn record(args: &RecordArgs, settings: &Settings, text: &Text) -> Result<Status, Failure> {
    let (checked, warnings) = check_text(&text.text, settings)?;
    let spec = args.watch.with(args.launch.spec(), Watchers::NONE);
    let Launch { profile, recorded, found } = launch(&checked, &spec)?;
    let found = settings.level(found, &text.text).findings;
    let wrong = is_wrong(&found);
    print_warnings(&warnings, &SourceText::new(&text.name, &text.text), &args.rules);
    print_diagnostics(&found, text);
    if wrong {
        return Ok(Status::Wrong);
    }
    write(args, text, None, profile, &recorded)
}

/// A launch of a program, to be recorded.
struct Launch {
    profile: Profile,
    recorded: Vec<Named>,
    /// Findings of the run.
    found: Vec<Diagnostic>,
}

/// Runs a checked program.
fn launch(checked: &Checked, spec: &Spec) -> Result<Launch, Failure> {
    let program = Program::decode(checked, spec.entry.as_deref())?;
    let given = spec.inputs(&program, &Disk)?;
    let launch = spec.prepare_with(&program, &given, &Disk)?;
    let before = launch.ranks.concat();
    let report = launch.run(&mut [])?;
    let found = report.findings();
    Ok(Launch { profile: program.profile(), recorded: recorded(&program, &before, &given, report)?, found })
}

/// Records a launch of a kernel in C++.
fn record_kernel(
    args: &RecordArgs,
    settings: &Settings,
    file: KernelFile<'_>,
    kernels: &dyn Kernels,
) -> Result<Status, Failure> {
    let headers = includes::beside(file.path)?;
    let linked = Linked::of(kernels, file, &args.launch, &[])?;
    let spec = args.watch.with(args.launch.spec(), Watchers::NONE);
    let spec = linked.spec(spec, &args.launch.inputs);
    let mut given = spec.inputs(linked.program(), &Disk)?;
    let prepared = linked.prepare(&spec, &mut given, &[])?;
    let before = prepared.launch.ranks.concat();
    let Launched { report, joined, .. } = linked.run(prepared, &Wanted::default())?;
    let found = match &report {
        Ok(report) => report.findings(),
        Err(stopped) => stopped.clone(),
    };
    let found = settings.level(found, joined.text()).findings;
    print_findings(&found, &SourceText::joined(&joined));
    let Some(report) = report.ok().filter(|_| !is_wrong(&found)) else { return Ok(Status::Wrong) };
    let recorded = recorded(linked.program(), &before, &given, report)?;
    let compiled = Compiled { flags: &args.kernel, headers: &headers };
    write(args, file.text, Some(compiled), linked.program().profile(), &recorded)
}

fn is_wrong(found: &[Diagnostic]) -> bool {
    found.iter().any(|finding| finding.severity == Severity::Error)
}

/// An argument in a case: name, type and contents.
type Named = (String, Dtype, Recorded);

/// The arguments of a launch in a case, given their values before it and their inputs.
fn recorded(
    program: &Program,
    before: &[Value],
    given: &[Input],
    mut report: Report<'_>,
) -> Result<Vec<Named>, DataError> {
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let results = report.results()?;
    let recorded = |(at, argument): (usize, &Argument)| {
        let result = results.iter().find(|result| result.argument == at);
        let contents = contents(argument, &before[at], result, is_given(given, at))?;
        Ok((argument.name.clone(), dtype(argument.kind), contents))
    };
    signature.arguments.iter().enumerate().map(recorded).collect()
}

/// Writes the case.
fn write(
    args: &RecordArgs,
    text: &Text,
    cpp: Option<Compiled<'_>>,
    profile: Profile,
    recorded: &[Named],
) -> Result<Status, Failure> {
    let recording = Recording {
        text: &text.text,
        cpp,
        op: None,
        family: "recorded",
        source: None,
        profile,
        entry: args.launch.entry.as_deref(),
        blocks: args.launch.blocks,
        args: recorded,
        tolerance: args.tolerance.tolerance(),
        note: args.note.as_deref(),
    };
    save(&args.save, &recording, args.force)?;
    if !args.quiet {
        print_out(&summary(args, &recording));
    }
    Ok(Status::Fine)
}

fn is_given(given: &[Input], argument: usize) -> bool {
    given.iter().any(|input| input.argument == argument)
}

/// The type of an argument.
pub(super) fn dtype(kind: ArgumentKind) -> Dtype {
    match kind {
        ArgumentKind::Buffer(element) | ArgumentKind::Scalar(Scalar::Number(element)) => {
            Dtype::Number(element)
        }
        ArgumentKind::Scalar(Scalar::Index) => Dtype::Index,
        ArgumentKind::Scalar(Scalar::Bool) => Dtype::Bool,
        ArgumentKind::Launch => Dtype::Number(Element::I32),
    }
}

/// Contents of an argument in a case, given its value before the launch and its result.
fn contents(
    argument: &Argument,
    before: &Value,
    result: Option<&ArgumentResult>,
    given: bool,
) -> Result<Recorded, DataError> {
    match (before, result) {
        (Value::Scalar(bits), _) => Ok(Recorded::Scalar(*bits)),
        (Value::Launch, _) => Ok(Recorded::Launch),
        (Value::Buffer { bytes }, Some(result)) => {
            let after = &result.array;
            let old = || Array::new(after.element(), after.shape().to_vec(), bytes.clone());
            Ok(match (result.written, given) {
                (false, _) => Recorded::In(old()?),
                (true, false) => Recorded::Out(after.clone()),
                (true, true) => Recorded::InOut(old()?, after.clone()),
            })
        }
        _ => Err(DataError::misuse(format!("argument `{}` is no buffer of its own", argument.name))
            .with_help("a case has the contents of each buffer; give it a file or a generator")),
    }
}

/// `recorded cases/k: x in 40x64 of f32, y out 40x64 of f32`.
fn summary(args: &RecordArgs, recording: &Recording<'_>) -> String {
    let described = |array: &Array, dtype: &Dtype| {
        format!("{} of {}", pto::data::shape_text(array.shape()), dtype.word())
    };
    let one = |(name, dtype, recorded): &(String, Dtype, Recorded)| match recorded {
        Recorded::In(array) => Some(format!("{name} in {}", described(array, dtype))),
        Recorded::Out(array) => Some(format!("{name} out {}", described(array, dtype))),
        Recorded::InOut(array, _) => Some(format!("{name} inout {}", described(array, dtype))),
        Recorded::Scalar(_) | Recorded::Launch => None,
    };
    let all: Vec<String> = recording.args.iter().filter_map(one).collect();
    format!("recorded {}: {}\n", args.save.display(), all.join(", "))
}
