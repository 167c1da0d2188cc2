//! Contents of tiles.

use crate::arrays::{Array, Wanted};
use crate::formats;
use crate::text::escaped;
use pto::observe::Snapshot;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Most rows and columns that HTML shows.
const SHOWN: usize = 32;

/// The contents of a tile after an instruction; `numpy.asarray` takes it.
#[pyclass(frozen, get_all, module = "pto_tools")]
pub(crate) struct Tile {
    /// Its name, without `%`.
    name: String,
    /// The line of the instruction.
    line: usize,
    /// Declared shape, element type and location, such as `16x32xf32 vec`.
    r#type: String,
    /// The rank that ran the instruction.
    rank: u32,
    /// The block that ran the instruction.
    block: u32,
    /// Its valid region as an array of rows by columns, in elements.
    array: Py<PyAny>,
}

impl Tile {
    pub(crate) fn of(py: Python<'_>, name: &str, line: usize, snapshot: Snapshot) -> PyResult<Tile> {
        let Snapshot { rank, block, ty, element, shape, bytes, .. } = snapshot;
        let shape = shape.map(|extent| extent as u64);
        let wanted = Wanted { name, element, shape: "", written: false, is_open: false };
        let array = Array::zeros(&formats::of(py, element)?, &shape, wanted)?;
        array.fill(&bytes);
        let array = array.given.unbind();
        Ok(Tile { name: name.to_owned(), line, r#type: ty, rank, block, array })
    }
}

#[pymethods]
impl Tile {
    /// Rows and columns of the valid region.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).getattr("shape")
    }

    #[pyo3(signature = (*args, **keywords))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).call_method("__array__", args, keywords)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, line, ty) = (&self.name, self.line, &self.r#type);
        Ok(format!("<Tile %{name} after line {line}: {ty}, valid {}>", self.shape(py)?))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (rows, cols): (usize, usize) = self.shape(py)?.extract()?;
        let mut body = String::new();
        for row in 0..rows.min(SHOWN) {
            let mut cells = format!("<th>{row}</th>");
            for col in 0..cols.min(SHOWN) {
                let text = self.array.bind(py).get_item((row, col))?.str()?.to_string();
                cells += &format!("<td>{}</td>", escaped(&text));
            }
            body += &format!("<tr>{cells}</tr>");
        }
        let head: String = (0..cols.min(SHOWN)).map(|col| format!("<th>{col}</th>")).collect();
        let more = if rows > SHOWN || cols > SHOWN {
            format!(", the first {SHOWN} rows and columns")
        } else {
            String::new()
        };
        let title = escaped(&self.__repr__(py)?);
        Ok(format!("<div>{title}{more}</div><table><tr><th></th>{head}</tr>{body}</table>"))
    }
}
