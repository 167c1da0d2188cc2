//! `pto record`.

use super::{Status, check_text, read_text};
use crate::args::RecordArgs;
use crate::case::{Recorded, Recording, check_folder, save};
use crate::files::Disk;
use crate::printer::{print_diagnostics, print_out};
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{Array, DataError, Dtype, Failure, Input};
use pto::diag::Severity;
use pto::ir::Scalar;
use pto::isa::Element;
use pto::launch::ArgumentResult;
use pto::observe::Watchers;
use pto::sim::{Argument, ArgumentKind, Signature, Value};

pub(super) fn run(args: &RecordArgs) -> Result<Status, DataError> {
    check_folder(&args.save, args.force)?;
    let configured = Configured::of(&args.profile, &args.rules)?;
    let settings = configured.of_program(&args.file)?;
    let text = read_text(&args.file)?;
    match record(args, &settings, &text) {
        Ok(status) => Ok(status),
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            print_diagnostics(&findings, &text);
            Ok(Status::Wrong)
        }
    }
}

fn record(args: &RecordArgs, settings: &Settings, text: &super::Text) -> Result<Status, Failure> {
    let (checked, warnings) = check_text(&text.text, settings)?;
    let spec = args.watch.with(args.launch.spec(), Watchers::NONE);
    let program = Program::decode(&checked, spec.entry.as_deref())?;
    let given = spec.inputs(&program, &Disk)?;
    let launch = spec.prepare_with(&program, &given, &Disk)?;
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let before = launch.ranks.concat();
    let mut report = launch.run(&mut [])?;
    let found = settings.level(report.findings(), &text.text).findings;
    let wrong = found.iter().any(|finding| finding.severity == Severity::Error);
    print_diagnostics(&[warnings, found].concat(), text);
    if wrong {
        return Ok(Status::Wrong);
    }
    let results = report.results()?;
    let recorded = |(at, argument): (usize, &Argument)| {
        let result = results.iter().find(|result| result.argument == at);
        let contents = contents(argument, &before[at], result, is_given(&given, at))?;
        Ok((argument.name.clone(), dtype(argument.kind), contents))
    };
    let args_recorded =
        signature.arguments.iter().enumerate().map(recorded).collect::<Result<Vec<_>, DataError>>()?;
    let recording = Recording {
        text: &text.text,
        family: "recorded",
        profile: program.profile(),
        entry: spec.entry.as_deref(),
        blocks: spec.blocks,
        args: &args_recorded,
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

/// What a case has for an argument, given its value before the launch and what the launch left in it.
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
