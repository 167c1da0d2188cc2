//! Layouts of tile types.

use crate::arrays::{Array, Wanted};
use crate::errors::{PlaceError, Stage, raised};
use crate::formats;
use crate::kernel::profile;
use crate::text::{Text, escaped};
use pto::isa::{Element, TileType};
use pyo3::prelude::*;
use std::sync::Arc;

/// Most rows and columns that HTML shows.
const SHOWN: usize = 32;

/// Largest tile whose offsets are listed, in elements.
const MOST_LISTED: usize = 1 << 24;

/// Where the elements of a tile lie in memory.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Layout {
    tile: TileType,
}

/// The layout of a tile type, such as `mat, 32x32xf16, blayout=col_major, slayout=row_major`.
///
/// Raises CheckError for a type that the target does not accept.
#[pyfunction]
#[pyo3(signature = (tile, *, target = None))]
pub(crate) fn layout(py: Python<'_>, tile: &str, target: Option<&str>) -> PyResult<Layout> {
    let text = Arc::new(Text { name: "<type>".to_owned(), text: tile.to_owned() });
    let wrong = |findings: Vec<_>| raised(py, Stage::Check, &findings, &text);
    let (tile, _) = pto::text::parse_tile_type(tile).map_err(wrong)?;
    let findings = pto::check::tile_type(&tile, profile(target)?.unwrap_or_default());
    let errors: Vec<_> =
        findings.into_iter().filter(|one| one.severity == pto::diag::Severity::Error).collect();
    if errors.is_empty() { Ok(Layout { tile }) } else { Err(wrong(errors)) }
}

#[pymethods]
impl Layout {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.tile.layout().name.word()
    }

    /// The tile type in full.
    #[getter]
    fn r#type(&self) -> String {
        self.tile.text(true)
    }

    /// Declared rows and columns, in elements.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.tile.rows, self.tile.cols)
    }

    /// Rows and columns of a box, in elements; (1, 1) without boxes.
    #[getter]
    fn r#box(&self) -> (usize, usize) {
        let layout = self.tile.layout();
        (layout.box_rows, layout.box_cols)
    }

    /// Size of the tile in bytes.
    #[getter]
    fn bytes(&self) -> usize {
        self.tile.bytes()
    }

    /// The on-chip buffer that holds it.
    #[getter]
    fn buffer(&self) -> &'static str {
        self.tile.buffer().word()
    }

    /// Offset of an element from the start of the tile, in elements.
    fn offset(&self, row: usize, col: usize) -> PyResult<usize> {
        if row >= self.tile.rows as usize || col >= self.tile.cols as usize {
            let message = format!("({row}, {col}) is no element of {}", self.tile.brief());
            return Err(PlaceError::new_err(message));
        }
        Ok(self.tile.layout().offset(row, col))
    }

    /// Offsets of all elements, in elements, as an array of rows by columns.
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, cols) = (self.tile.rows as usize, self.tile.cols as usize);
        if self.tile.elements() > MOST_LISTED {
            let message = format!("{} has more than {MOST_LISTED} elements", self.tile.brief());
            return Err(crate::errors::DataError::new_err(message));
        }
        let layout = self.tile.layout();
        let wanted =
            Wanted { name: "offsets", element: Element::I64, shape: "", written: false, is_open: false };
        let shape = [rows as u64, cols as u64];
        let array = Array::zeros(&formats::of(py, Element::I64)?, &shape, wanted)?;
        let offsets = (0..rows).flat_map(|row| (0..cols).map(move |col| layout.offset(row, col) as u64));
        array.fill(&offsets.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
        Ok(array.given)
    }

    fn __repr__(&self) -> String {
        format!("<Layout {} of {}>", self.name(), self.tile.brief())
    }

    fn _repr_html_(&self) -> String {
        let layout = self.tile.layout();
        let (rows, cols) = (self.tile.rows as usize, self.tile.cols as usize);
        let head: String = (0..cols.min(SHOWN)).map(|col| format!("<th>{col}</th>")).collect();
        let mut body = String::new();
        for row in 0..rows.min(SHOWN) {
            let cell = |col: usize| {
                let is_dark =
                    (row / layout.box_rows + col / layout.box_cols) % 2 == 1 && self.tile.is_boxed();
                let style = if is_dark { " style=\"background:#dde\"" } else { "" };
                format!("<td{style}>{}</td>", layout.offset(row, col))
            };
            let cells: String = (0..cols.min(SHOWN)).map(cell).collect();
            body += &format!("<tr><th>{row}</th>{cells}</tr>");
        }
        let more = if rows > SHOWN || cols > SHOWN { ", the first rows and columns" } else { "" };
        let title = escaped(&self.__repr__());
        format!("<div>{title}: offsets in elements{more}</div><table><tr><th></th>{head}</tr>{body}</table>")
    }
}
