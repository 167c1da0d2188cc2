//! Findings about the data of a launch: contents that do not fit an argument, and warnings about a run that succeeds,
//! though its arguments suggest a mistake.

use super::report::{ArgumentResult, RankArgument};
use crate::data::{ArgumentLints, DataError, Files, Given, GivenArray, Input};
use pto_isa::diag::Diagnostic;
use pto_isa::rules::run;
use pto_lang::analysis::Interface;
use pto_machine::Program;

/// The error that the contents of an argument do not fit it, at the argument and its first view; `None` if it is about
/// no argument.
pub fn unfit(program: &Program, error: &DataError) -> Option<Diagnostic> {
    let interface = program.interface();
    let parameter = interface.parameters.get(error.argument?)?;
    let place = program.module().functions[interface.function].values[parameter.value].span;
    let mut finding = Diagnostic::error(&run::INPUT, error.message.clone()).at(place);
    if let (Some(view), Some(shape)) = (parameter.views.first(), parameter.shape()) {
        let extents: Vec<_> = shape.iter().map(|extent| extent.to_string()).collect();
        finding = finding.with_label(view.span, format!("viewed as [{}]", extents.join(", ")));
    }
    Some(match &error.help {
        Some(help) => finding.with_help(help.clone()),
        None => finding,
    })
}

/// Warnings about mistakes that do not stop a run. `interface`: that of the program; `wanted`: arguments whose contents a flag uses.
pub fn lints(
    program: &Program,
    interface: &Interface,
    text: &str,
    inputs: &[Input],
    files: &dyn Files,
    results: &[ArgumentResult],
    wanted: &[(RankArgument, &str)],
) -> Vec<Diagnostic> {
    let lints = ArgumentLints::of(program, interface, text);
    let find = |at: RankArgument| results.iter().find(|result| (result.argument, result.rank) == at);
    let is_blank = |at: RankArgument| find(at).is_some_and(|result| !result.written);
    let blank = wanted.iter().filter(|(at, _)| is_blank(*at));
    let mut warnings: Vec<_> =
        blank.filter_map(|((argument, _), flag)| lints.unwritten(*argument, flag)).collect();
    for input in inputs {
        let Given::Source(source) = &input.given else { continue };
        let Some(path) = source.path() else { continue };
        let (Some(result), Some(shape)) =
            (find((input.argument, input.rank.unwrap_or(0))), source.shape(files))
        else {
            continue;
        };
        let (name, viewed) = (path.display().to_string(), result.array.shape());
        let given = GivenArray { argument: input.argument, name: &name, shape: &shape, viewed };
        warnings.extend(lints.array(&given));
    }
    warnings
}
