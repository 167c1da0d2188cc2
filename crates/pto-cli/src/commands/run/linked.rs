//! `pto run kernel.cpp` in the program that has the kernel in it.

use super::found::Found;
use super::signature::{Buffer, Signature, Size};
use super::{assignments, check_files_differ, compare_all, expectations, kernel, write_outputs};
use crate::args::{Format, RunArgs};
use crate::commands::Text;
use crate::commands::summary::Seen;
use crate::files::Disk;
use crate::linked::{Ended, Kernel, Kernels};
use crate::render::Joined;
use crate::settings::Settings;
use pto::data::{DataError, Failure, Input, Source};
use pto::diag::Diagnostic;
use pto::launch::{Launch, Report, Spec};
use pto::sim::{self, ArgumentKind};
use pto::{Profile, Program};
use std::path::Path;
use std::time::Instant;

/// Runs a kernel of a source.
pub(super) fn run<'a>(
    args: &'a RunArgs,
    settings: &Settings,
    (path, text): (&Path, &'a Text),
    kernels: &dyn Kernels,
) -> Result<Found<'a>, Failure> {
    let start = Instant::now();
    let all = kernels.of_source(path);
    let kernel = kernel::choose(all, args.launch.entry.as_deref(), (&text.name, &text.text))?;
    let described = Signature::of(&kernel, args)?;
    let program = program(&described.text, kernels.target())?;
    let signature = sim::Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let spec = Spec { entry: None, inputs: described.inputs, ..args.spec() };
    let mut inputs = spec.inputs(&program, &Disk)?;
    let outputs = assignments(&args.outputs, &signature, 1)?;
    let expected = assignments(&args.expect, &signature, 1)?;
    check_files_differ(args, &inputs, &outputs)?;
    let wanted: Vec<(usize, Source)> =
        expected.iter().map(|((at, _), path)| (*at, Source::of_file(&path.to_string_lossy()))).collect();
    let (launch, shapes) = prepare(&spec, &program, (&signature, &mut inputs), &wanted)?;
    let expected = expectations(expected, &signature, &launch)?;
    let is_report = args.format.chosen() != Format::Text;
    let (joined, report) = launch_kernel(launch, (kernels, is_report), (path, &kernel), &shapes)?;
    let mut report = match report {
        Ok(report) => report,
        Err(findings) => {
            let diagnostics = settings.level(findings, joined.text()).findings;
            return Ok(Found { joined: Some(joined), ..Found::of(args, text, start, diagnostics) });
        }
    };
    let printed = std::mem::take(&mut report.outcome.printed);
    let seen = (!spec.watch.is_empty()).then(|| Seen::of_calls(&report.outcome, &report.watched.examined));
    let diagnostics = settings.level(report.findings(), joined.text()).findings;
    let results = report.results()?;
    let compared = compare_all(args, &results, expected, None)?;
    write_outputs(&outputs, &results)?;
    let found = Found { joined: Some(joined), ..Found::of(args, text, start, diagnostics) };
    Ok(Found { results, compared, printed, seen, stopped: None, ..found })
}

/// The program of a signature.
fn program(text: &str, target: &str) -> Result<Program, DataError> {
    let refused = |findings: Vec<Diagnostic>| {
        let first = findings.first().map_or(String::new(), |finding| finding.message.clone());
        DataError::misuse(format!("the parameters of the kernel are none of a launch: {first}"))
    };
    let module = pto::parse(text).map_err(refused)?.module;
    let checked = pto::check(module, Profile::from_word(target)).map_err(refused)?;
    Program::decode(&checked, None).map_err(refused)
}

/// Shapes of buffers, by the number of their argument.
type Shapes = Vec<(usize, Vec<usize>)>;

/// Makes the arguments. Returns the shapes of buffers, too.
fn prepare<'p>(
    spec: &Spec,
    program: &'p Program,
    (signature, inputs): (&sim::Signature, &mut Vec<Input>),
    wanted: &[(usize, Source)],
) -> Result<(Launch<'p>, Shapes), Failure> {
    let (mut shapes, mut blank) = (Vec::new(), Vec::new());
    for (argument, described) in signature.arguments.iter().enumerate() {
        let ArgumentKind::Buffer(element) = described.kind else { continue };
        let buffer = Buffer { argument, name: &described.name, element };
        let expected = wanted.iter().find(|(of, _)| *of == argument).map(|(_, source)| source);
        let Size { shape, is_blank } = buffer.size(inputs, expected)?;
        shapes.extend(shape.map(|shape| (argument, shape)));
        blank.extend(is_blank.then_some((0, argument)));
    }
    let mut launch = spec.prepare_with(program, inputs, &Disk)?;
    launch.options.blank = blank;
    Ok((launch, shapes))
}

/// A report, or the findings that stopped the launch, with the files that findings are in.
type Judgement<'p> = (Joined, Result<Report<'p>, Vec<Diagnostic>>);

/// Runs the kernel on the arguments of a launch. Results have the shapes of their arguments.
fn launch_kernel<'p>(
    launch: Launch<'p>,
    (kernels, is_report): (&dyn Kernels, bool),
    kernel: (&Path, &Kernel),
    shapes: &[(usize, Vec<usize>)],
) -> Result<Judgement<'p>, DataError> {
    let (mut joined, mut refused) = (Joined::default(), None);
    let report = launch.run_by(|ranks, options, watch| {
        let values = ranks.into_iter().next().unwrap_or_default();
        match kernels.run(kernel, values, options, watch, is_report) {
            Ok(Ended { result, joined: files }) => {
                joined = files;
                result
            }
            Err(error) => {
                refused = Some(error);
                Err(Vec::new())
            }
        }
    });
    if let Some(error) = refused {
        return Err(error);
    }
    let report = report.map(|mut report| {
        report.shape(shapes);
        report
    });
    Ok((joined, report))
}
