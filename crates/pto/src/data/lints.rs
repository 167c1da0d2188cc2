//! Lints about the data of a launch that runs, though its arguments suggest a mistake.

use super::shape_text;
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::rules::run;
use pto_lang::analysis::{BufferView, Interface, Parameter};
use pto_lang::ir::ValueId;
use pto_machine::Program;

/// Finds lints about the arguments of a program.
pub struct ArgumentLints<'a> {
    program: &'a Program,
    interface: &'a Interface,
    text: &'a str,
}

/// An array that was given for an argument.
#[derive(Clone, Copy, Debug)]
pub struct GivenArray<'a> {
    /// The number of the argument.
    pub argument: usize,
    /// Name of the array in messages, such as that of its file.
    pub name: &'a str,
    /// Shape of the array, in items.
    pub shape: &'a [usize],
    /// Shape in which the kernel views the array, or the shape of one dimension.
    pub viewed: &'a [usize],
}

impl<'a> ArgumentLints<'a> {
    /// Lints for a program with this interface and text.
    pub fn of(program: &'a Program, interface: &'a Interface, text: &'a str) -> ArgumentLints<'a> {
        ArgumentLints { program, interface, text }
    }

    /// The lint about an array that is larger than views with constant extents, or of another shape than its view.
    pub fn array(&self, given: &GivenArray<'_>) -> Option<Diagnostic> {
        self.exceeds(given).or_else(|| self.reshaped(given))
    }

    /// The lint that nothing has written an argument, whose contents `wanted` uses, such as a flag.
    pub fn unwritten(&self, argument: usize, wanted: &str) -> Option<Diagnostic> {
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

    /// The lint that an array has more elements than views with constant extents reach.
    fn exceeds(&self, given: &GivenArray<'_>) -> Option<Diagnostic> {
        let parameter = self.interface.parameters.get(given.argument)?;
        // Without the scalars: a view that they size is meant to be.
        let end = usize::try_from(self.interface.elements(given.argument, &[])?).ok()?;
        let elements = given.shape.iter().product::<usize>();
        if end >= elements {
            return None;
        }
        let message = format!(
            "{} has {elements} elements ({}), but {} end{} after {end}",
            given.name,
            shape_text(given.shape),
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

    /// The lint that an array has another shape than the view of its argument, if no reshape explains that.
    fn reshaped(&self, array: &GivenArray<'_>) -> Option<Diagnostic> {
        let (given, viewed) = (array.shape, array.viewed);
        if given.iter().product::<usize>() != viewed.iter().product::<usize>() || is_reshape(given, viewed) {
            return None;
        }
        let parameter = self.interface.parameters.get(array.argument)?;
        // A view whose strides transpose the array reads it as it is.
        if parameter.views.iter().any(|view| is_reshape(given, &in_memory(view, viewed))) {
            return None;
        }
        let (given, viewed) = (shape_text(given), shape_text(viewed));
        let message = format!(
            "{} has shape {given}, but {} reads argument `{}` as {viewed}",
            array.name,
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

    /// Span of the declaration of an argument.
    fn span(&self, argument: ValueId) -> Span {
        self.program.module().functions[self.interface.function].values[argument].span
    }

    /// The line of a byte of the text, from 1.
    fn line(&self, byte: u32) -> usize {
        let before = self.text.as_bytes().get(..byte as usize).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    /// `%x_all` (line 14), and its like.
    fn list(&self, views: &[BufferView]) -> String {
        let named = views.iter().map(|view| {
            let line = self.line(view.span.start);
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
