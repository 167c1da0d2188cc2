//! Number formats as dtypes of numpy, and the functions of numpy that calls use.

use crate::errors::DataError;
use pto::data::{dtype, item_bytes};
use pto::isa::Element;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Functions and types of numpy, looked up once.
pub(crate) struct Numpy {
    pub(crate) ndarray: Py<PyAny>,
    pub(crate) asarray: Py<PyAny>,
    pub(crate) ascontiguousarray: Py<PyAny>,
    pub(crate) zeros: Py<PyAny>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

/// numpy.
pub(crate) fn numpy(py: Python<'_>) -> PyResult<&'static Numpy> {
    NUMPY.get_or_try_init(py, || {
        let module = py.import("numpy")?;
        let get = |name| module.getattr(name).map(Bound::unbind);
        Ok(Numpy {
            ndarray: get("ndarray")?,
            asarray: get("asarray")?,
            ascontiguousarray: get("ascontiguousarray")?,
            zeros: get("zeros")?,
        })
    })
}

/// `numpy.from_dlpack`, which numpy before 1.23 lacks.
pub(crate) fn from_dlpack(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("numpy")?.getattr("from_dlpack")
}

/// The name of a format in the package ml_dtypes.
pub(crate) fn in_ml_dtypes(element: Element) -> Option<&'static str> {
    match element {
        Element::Bf16 => Some("bfloat16"),
        Element::E4M3 => Some("float8_e4m3fn"),
        Element::E5M2 => Some("float8_e5m2"),
        Element::E8M0 => Some("float8_e8m0fnu"),
        _ => None,
    }
}

/// The name of a format's dtype; unsigned integers hold what neither numpy nor ml_dtypes knows.
pub(crate) fn name(element: Element) -> String {
    match in_ml_dtypes(element) {
        Some(name) => format!("ml_dtypes.{name}"),
        None => format!("numpy.{}", in_numpy(element)),
    }
}

fn in_numpy(element: Element) -> &'static str {
    match element {
        Element::F32 => "float32",
        Element::F16 => "float16",
        Element::I8 => "int8",
        Element::I16 => "int16",
        Element::I32 => "int32",
        Element::I64 => "int64",
        Element::U32 => "uint32",
        Element::U64 => "uint64",
        _ if item_bytes(element) == 2 => "uint16",
        _ => "uint8",
    }
}

/// The dtype of new arrays. Formats of ml_dtypes are unsigned integers where the package is missing.
pub(crate) fn of(py: Python<'_>, element: Element) -> PyResult<Bound<'_, PyAny>> {
    let numpy = py.import("numpy")?;
    let known = in_ml_dtypes(element).and_then(|name| py.import("ml_dtypes").ok()?.getattr(name).ok());
    let scalar = match known {
        Some(known) => known,
        None => numpy.getattr(in_numpy(element))?,
    };
    numpy.call_method1("dtype", (scalar,))
}

/// The format that a word of the ISA names, such as `f32`.
pub(crate) fn parse(word: &str) -> PyResult<Element> {
    dtype::element(word).ok_or_else(|| DataError::new_err(format!("`{word}` is no element type; f32 is one")))
}

/// The format of the elements of an array.
pub(crate) fn element_of(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Element> {
    let dtype = array.getattr("dtype").and_then(|dtype| dtype.getattr("name")?.extract::<String>());
    let dtype = dtype.map_err(|_| DataError::new_err(format!("buffer `{name}`: give an array of numpy")))?;
    let known = |element: &Element| in_ml_dtypes(*element) == Some(&dtype) || in_numpy(*element) == dtype;
    Element::ALL.into_iter().find(known).ok_or_else(|| {
        DataError::new_err(format!(
            "buffer `{name}`: an array of {dtype} has no format of the ISA; say dtype=\"f32\""
        ))
    })
}
