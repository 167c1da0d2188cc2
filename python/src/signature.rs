//! Signatures of kernels as objects.

use crate::text::escaped;
use pto::analysis::{Interface, Parameter, ParameterKind};
use pto::data::dtype;
use pyo3::prelude::*;

/// An argument of a kernel.
#[pyclass(frozen, get_all, module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Argument {
    /// Its name.
    name: String,
    /// A buffer, a scalar, or a number that the launch fills in.
    kind: &'static str,
    /// The word of its format, such as `f32` or `index`.
    dtype: String,
    /// The extents of its first view as expressions of scalars; None for scalars and without a view.
    shape: Option<Vec<String>>,
    /// What the kernel does with a buffer; None for a scalar.
    direction: Option<&'static str>,
}

impl Argument {
    fn of(parameter: &Parameter) -> Argument {
        let (kind, dtype, shape, direction) = match parameter.kind {
            ParameterKind::Buffer(element) => {
                ("buffer", dtype::word(element), extents(parameter), Some(parameter.direction().word()))
            }
            ParameterKind::Scalar(scalar) => ("scalar", scalar.word(), None, None),
            ParameterKind::Launch(scalar) => ("launch", scalar.word(), None, None),
            _ => ("other", "?", None, None),
        };
        Argument { name: parameter.name.clone(), kind, dtype: dtype.to_owned(), shape, direction }
    }

    /// `x: f32[rows, 300] in`.
    fn text(&self) -> String {
        let shape = self.shape.as_ref().map_or(String::new(), |shape| format!("[{}]", shape.join(", ")));
        let direction = self.direction.map_or(String::new(), |word| format!(" {word}"));
        format!("{}: {}{shape}{direction}", self.name, self.dtype)
    }
}

/// The extents of the first view of a buffer, as text.
fn extents(parameter: &Parameter) -> Option<Vec<String>> {
    Some(parameter.shape()?.iter().map(|extent| extent.to_string()).collect())
}

/// `[rows, 300]`; empty without a view.
pub(crate) fn shape_text(parameter: &Parameter) -> String {
    extents(parameter).map_or(String::new(), |shape| format!("[{}]", shape.join(", ")))
}

#[pymethods]
impl Argument {
    fn __repr__(&self) -> String {
        format!("<Argument {}>", self.text())
    }
}

/// The arguments of a kernel, in order.
#[pyclass(frozen, get_all, module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Signature {
    /// The name of the entry function.
    entry: String,
    /// The arguments.
    arguments: Vec<Argument>,
}

impl Signature {
    pub(crate) fn of(interface: &Interface) -> Signature {
        Signature {
            entry: interface.entry.clone(),
            arguments: interface.parameters.iter().map(Argument::of).collect(),
        }
    }
}

impl Signature {
    /// That of compiled code, which does not say what it does with its buffers; those at the places that `is_open` tells have any format.
    pub(crate) fn compiled(mut self, is_open: impl Fn(usize) -> bool) -> Signature {
        for (at, argument) in self.arguments.iter_mut().enumerate() {
            argument.direction = None;
            if is_open(at) {
                argument.dtype = "any".to_owned();
            }
        }
        self
    }

    /// `scale(x: f32[40, 64] in, factor: f32)`.
    pub(crate) fn text(&self) -> String {
        let list: Vec<_> = self.arguments.iter().map(Argument::text).collect();
        format!("{}({})", self.entry, list.join(", "))
    }

    /// A table of the arguments.
    pub(crate) fn html(&self) -> String {
        let row = |argument: &Argument| {
            let shape = argument.shape.as_ref().map_or(String::new(), |shape| shape.join(", "));
            let cells =
                [&argument.name, argument.kind, &argument.dtype, &shape, argument.direction.unwrap_or("")];
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>")
        };
        let heads = ["argument", "kind", "dtype", "shape", "direction"];
        let head: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
        let rows: String = self.arguments.iter().map(row).collect();
        format!("<b>{}</b><table><tr>{head}</tr>{rows}</table>", escaped(&self.entry))
    }
}

#[pymethods]
impl Signature {
    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Signature {}>", self.text())
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }
}
