//! Findings about the data of a launch: contents that do not fit an argument, and warnings about a run that succeeds,
//! though its arguments suggest a mistake.

use super::Text;
use super::run::{ArgumentResult, RankArgument, find};
use crate::files::Disk;
use crate::render::SourceText;
use pto::Program;
use pto::analysis::{BufferView, Interface, Parameter};
use pto::data::{DataError, Given, Input, Source, npy, shape_text};
use pto::diag::{Diagnostic, Severity};
use pto::ir::ValueId;
use pto::isa::rule::RuleId;
use pto::isa::rules::{mem, run, values};
use std::path::Path;

/// The error that the contents of an argument do not fit it, at the argument and its first view; `None` if it is about
/// no argument.
pub(super) fn unfit(program: &Program, text: &Text, error: &DataError) -> Option<Diagnostic> {
    let kernel = Kernel::of(program, text);
    let parameter = kernel.interface.parameters.get(error.argument?)?;
    let mut finding = Diagnostic::error(&run::INPUT, error.message.clone()).at(kernel.span(parameter.value));
    if let (Some(view), Some(shape)) = (parameter.views.first(), parameter.shape()) {
        let extents: Vec<_> = shape.iter().map(|extent| extent.to_string()).collect();
        finding = finding.with_label(view.span, format!("viewed as [{}]", extents.join(", ")));
    }
    Some(match &error.help {
        Some(help) => finding.with_help(help.clone()),
        None => finding,
    })
}

/// Warnings about mistakes that do not stop a run. `wanted`: arguments whose contents a flag uses.
pub(super) fn unnoticed(
    program: &Program,
    text: &Text,
    given: &[Input],
    results: &[ArgumentResult],
    wanted: &[(RankArgument, &str)],
) -> Vec<Diagnostic> {
    let kernel = Kernel::of(program, text);
    let is_blank = |at: RankArgument| find(results, at).is_some_and(|result| !result.written);
    let blank = wanted.iter().filter(|(at, _)| is_blank(*at));
    let mut warnings: Vec<_> =
        blank.filter_map(|((argument, _), flag)| kernel.unwritten(*argument, flag)).collect();
    for input in given {
        let Given::Source(Source::Npy(path)) = &input.given else { continue };
        let (Some(result), Some(shape)) =
            (find(results, (input.argument, input.rank.unwrap_or(0))), npy::shape(path, &Disk))
        else {
            continue;
        };
        let reshaped = || kernel.reshaped(input.argument, path, (&shape, result.array.shape()));
        warnings.extend(kernel.exceeds(input.argument, path, &shape).or_else(reshaped));
    }
    warnings
}

/// Whether the run has found what a warning of the check is about: a partition beyond its view.
pub(super) fn is_found(lint: &Diagnostic, findings: &[Diagnostic]) -> bool {
    let is_same = |finding: &Diagnostic| {
        let spans = finding.primary.as_ref().zip(lint.primary.as_ref());
        finding.rule == RuleId::from(&mem::BEYOND_VIEW)
            && spans.is_some_and(|(run, check)| {
                run.span.start <= check.span.start && check.span.end <= run.span.end
            })
    };
    lint.rule == RuleId::from(&values::PARTITION_BEYOND) && findings.iter().any(is_same)
}

/// The interface of a program, as warnings name its parts.
struct Kernel<'a> {
    program: &'a Program,
    interface: Interface,
    source: SourceText<'a>,
}

impl<'a> Kernel<'a> {
    fn of(program: &'a Program, text: &'a Text) -> Kernel<'a> {
        let functions: Vec<_> = program.functions().collect();
        let interface = Interface::of(program.module(), &functions, program.profile());
        Kernel { program, interface, source: SourceText::new(&text.name, &text.text) }
    }

    /// The warning that nothing has written an argument, whose contents the flag `wanted` uses.
    fn unwritten(&self, argument: usize, wanted: &str) -> Option<Diagnostic> {
        let parameter = self.interface.parameters.get(argument)?;
        let Parameter { name, views, .. } = parameter;
        let help = match views.as_slice() {
            [] => format!("make a view of `%{name}`, and store the result to it: no view of it is made"),
            views => format!("store the result to {}", self.list(views)),
        };
        let message = format!("nothing has written argument `{name}`, which `{wanted}` uses");
        let warning = Diagnostic::new(Severity::Lint, &run::UNWRITTEN, message);
        Some(warning.at(self.span(parameter.value)).with_help(help))
    }

    /// The warning that a file has more elements than views with constant extents reach.
    fn exceeds(&self, argument: usize, path: &Path, given: &[usize]) -> Option<Diagnostic> {
        let parameter = self.interface.parameters.get(argument)?;
        // Without the scalars: a view that they size is meant to be.
        let end = usize::try_from(self.interface.elements(argument, &[])?).ok()?;
        let elements = given.iter().product::<usize>();
        if end >= elements {
            return None;
        }
        let message = format!(
            "{} has {elements} elements ({}), but {} end{} after {end}",
            path.display(),
            shape_text(given),
            self.list(&parameter.views),
            if parameter.views.len() == 1 { "s" } else { "" },
        );
        let view = parameter.views.first()?;
        let extents: Vec<_> = view.shape.iter().filter_map(|extent| extent.constant()).collect();
        let extents: Vec<_> = extents.into_iter().map(|extent| extent as usize).collect();
        let help = format!("give an array of shape {}, or correct the view", shape_text(&extents));
        let warning = Diagnostic::new(Severity::Lint, &run::EXCESS, message).at(view.span);
        Some(self.of_argument(warning, parameter).with_help(help))
    }

    /// The warning that a file has another shape than the view of its argument, if no reshape explains that.
    fn reshaped(
        &self,
        argument: usize,
        path: &Path,
        (given, viewed): (&[usize], &[usize]),
    ) -> Option<Diagnostic> {
        if given.iter().product::<usize>() != viewed.iter().product::<usize>() || is_reshape(given, viewed) {
            return None;
        }
        let parameter = self.interface.parameters.get(argument)?;
        // A view whose strides transpose the array reads it as it is.
        if parameter.views.iter().any(|view| is_reshape(given, &in_memory(view, viewed))) {
            return None;
        }
        let (given, viewed) = (shape_text(given), shape_text(viewed));
        let message = format!(
            "{} has shape {given}, but {} reads argument `{}` as {viewed}",
            path.display(),
            self.list(&parameter.views),
            parameter.name
        );
        let help = format!("save the array in shape {viewed}, or correct shape and strides of the view");
        let warning = Diagnostic::new(Severity::Lint, &run::SHAPE, message);
        let place = parameter.views.first().map_or(self.span(parameter.value), |view| view.span);
        Some(self.of_argument(warning.at(place), parameter).with_help(help))
    }

    /// Adds a label at the argument.
    fn of_argument(&self, warning: Diagnostic, parameter: &Parameter) -> Diagnostic {
        warning.with_label(self.span(parameter.value), format!("argument `{}`", parameter.name))
    }

    /// Where an argument is declared.
    fn span(&self, argument: ValueId) -> pto::diag::Span {
        self.program.module().functions[self.interface.function].values[argument].span
    }

    /// `%x_all` (line 14), and its like.
    fn list(&self, views: &[BufferView]) -> String {
        let named = views.iter().map(|view| {
            let line = self.source.position(view.span.start as usize).line;
            format!("`%{}` (line {line})", view.name)
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() { "the kernel".to_owned() } else { named.join(", ") }
    }
}

/// The extents of a view in the order of its strides, the largest first; as they are if a stride depends on the launch.
fn in_memory(view: &BufferView, extents: &[usize]) -> Vec<usize> {
    let strides: Option<Vec<i64>> = view.strides.iter().map(|stride| stride.constant()).collect();
    let Some(strides) = strides.filter(|strides| strides.len() == extents.len()) else {
        return extents.to_vec();
    };
    let mut dimensions: Vec<_> = strides.into_iter().zip(extents.iter().copied()).collect();
    dimensions.sort_by_key(|(stride, _)| std::cmp::Reverse(*stride));
    dimensions.into_iter().map(|(_, extent)| extent).collect()
}

/// Whether two shapes of equally many elements differ only in how adjacent dimensions are merged.
fn is_reshape(one: &[usize], other: &[usize]) -> bool {
    let ends = |shape: &[usize]| -> Vec<usize> {
        let products = shape.iter().scan(1, |product, extent| {
            *product *= extent;
            Some(*product)
        });
        products.filter(|product| *product > 1).collect()
    };
    let (one, other) = (ends(one), ends(other));
    let within = |few: &[usize], many: &[usize]| few.iter().all(|end| many.contains(end));
    within(&one, &other) || within(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::is_reshape;

    #[test]
    fn a_transposed_shape_is_no_reshape() {
        assert!(is_reshape(&[2, 40, 64], &[80, 64]) && is_reshape(&[2560], &[40, 64]));
        assert!(is_reshape(&[1, 40, 64, 1], &[40, 64]));
        assert!(!is_reshape(&[64, 40], &[40, 64]));
    }
}
