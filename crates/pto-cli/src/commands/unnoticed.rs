//! Warnings about a run that succeeds, though its arguments suggest a mistake: a result that nothing wrote, an array of
//! another shape than the view that reads it.

use super::Text;
use super::run::{ArgumentResult, RankArgument, find};
use crate::files::Disk;
use crate::render::SourceText;
use pto::Program;
use pto::data::Source;
use pto::data::npy;
use pto::data::shape_text;
use pto::data::{Given, Input};
use pto::diag::{Diagnostic, Span};
use pto::ir::{Function, Operation, Value, ValueId};
use pto::isa::registry::Op;
use pto::isa::rule::RuleId;
use pto::isa::rules::{mem, values};
use std::path::Path;

/// Warnings about mistakes that do not stop a run. `wanted`: arguments whose contents a flag uses.
pub(super) fn unnoticed(
    program: &Program,
    text: &Text,
    given: &[Input],
    results: &[ArgumentResult],
    wanted: &[(RankArgument, &str)],
) -> String {
    let kernel = Kernel::of(program, text);
    let is_blank = |at: RankArgument| find(results, at).is_some_and(|result| !result.written);
    let blank = wanted.iter().filter(|(at, _)| is_blank(*at));
    let mut warnings: Vec<String> =
        blank.filter_map(|((argument, _), flag)| kernel.unwritten(*argument, flag)).collect();
    for input in given {
        let Given::Source(Source::Npy(path)) = &input.given else { continue };
        let result = find(results, (input.argument, input.rank.unwrap_or(0)));
        warnings
            .extend(result.and_then(|result| kernel.reshaped(input.argument, path, result.array.shape())));
    }
    warnings.concat()
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

/// The entry function of a program, as warnings name its parts.
struct Kernel<'a> {
    function: &'a Function,
    source: SourceText<'a>,
}

impl<'a> Kernel<'a> {
    fn of(program: &'a Program, text: &'a Text) -> Kernel<'a> {
        let function = &program.module().functions[program.entry()];
        Kernel { function, source: SourceText::new(&text.name, &text.text) }
    }

    /// The warning that nothing has written an argument, whose contents the flag `wanted` uses.
    fn unwritten(&self, argument: usize, wanted: &str) -> Option<String> {
        let (value, views) = self.views(argument)?;
        let name = &value.name;
        let help = match views.as_slice() {
            [] => format!("make a view of `%{name}`, and store the result to it: no view of it is made"),
            views => format!("store the result to {}", self.list(views)),
        };
        let message = format!("nothing has written argument `{name}`, which `{wanted}` uses");
        Some(self.warning(&message, value.span, &help))
    }

    /// The warning that a file has another shape than the view of its argument, if no reshape explains that.
    fn reshaped(&self, argument: usize, path: &Path, viewed: &[usize]) -> Option<String> {
        let given = npy::shape(path, &Disk)?;
        if given.iter().product::<usize>() != viewed.iter().product::<usize>() || is_reshape(&given, viewed) {
            return None;
        }
        let (value, views) = self.views(argument)?;
        let (given, viewed) = (shape_text(&given), shape_text(viewed));
        let message = format!(
            "{} has shape {given}, but {} reads argument `{}` as {viewed}",
            path.display(),
            self.list(&views),
            value.name
        );
        let help = format!("save the array in shape {viewed}, or correct shape and strides of the view");
        Some(self.warning(&message, views.first().map_or(value.span, |view| view.span), &help))
    }

    /// An argument, and the views of it.
    fn views(&self, argument: usize) -> Option<(&'a Value, Vec<&'a Value>)> {
        let argument = self.function.arguments.get(argument)?.value;
        let is_of = |operation: &Operation, of: ValueId| {
            operation.is(Op::MAKE_TENSOR_VIEW)
                && operation.operands.first().is_some_and(|first| first.value == of)
        };
        let makers = self.function.operations.iter().map(|(_, operation)| operation);
        let results = makers.filter(|maker| is_of(maker, argument)).filter_map(|maker| maker.results.first());
        let views = results.map(|view| &self.function.values[*view]).collect();
        Some((&self.function.values[argument], views))
    }

    /// `%x_all` (line 14).
    fn list(&self, views: &[&Value]) -> String {
        let named = views.iter().map(|view| {
            let line = self.source.position(view.span.start as usize).line;
            format!("`%{}` (line {line})", view.name)
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() { "the kernel".to_owned() } else { named.join(", ") }
    }

    fn warning(&self, message: &str, span: Span, help: &str) -> String {
        let place = self.source.position(span.start as usize);
        format!(
            "warning: {message}\n --> {}:{}:{}\nhelp: {help}\n",
            self.source.name(),
            place.line,
            place.column
        )
    }
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
