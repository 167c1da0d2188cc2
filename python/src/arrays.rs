//! Memory of Python arrays: borrowed without a copy, and allocated.

use crate::diagnostics::DataError;
use pto::data::{dtype, item_bytes};
use pto::isa::Element;
use pto::sim::{Lent, Storage};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// The memory of a Python array in C order. The array lives as long as this.
pub(crate) struct Foreign {
    start: *mut u8,
    length: usize,
    _array: Py<PyAny>,
}

// SAFETY: the memory belongs to the array, which `_array` keeps alive, and a launch has it for itself while it runs, as for
// every function that releases the GIL.
unsafe impl Send for Foreign {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Foreign {}

impl AsRef<[u8]> for Foreign {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: numpy says that `length` bytes begin at `start`; it is not null, even for an empty array.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl Lent for Foreign {
    fn bytes(&self) -> &[u8] {
        self.as_ref()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_ref`; the array is writable, and no other argument shares its memory, which the caller checks.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.length) }
    }
}

/// An array of numpy, in C order, of the format that an argument takes.
pub(crate) struct Array<'py> {
    pub(crate) object: Bound<'py, PyAny>,
    pub(crate) shape: Vec<u64>,
    start: usize,
    length: usize,
    writable: bool,
}

impl<'py> Array<'py> {
    /// Views an object as an array for the argument `name`. What is neither an array nor has DLPack becomes a new array; so
    /// does one that is not contiguous, unless the kernel writes to it.
    pub(crate) fn of(
        object: &Bound<'py, PyAny>,
        name: &str,
        element: Element,
        written: bool,
    ) -> PyResult<Array<'py>> {
        let py = object.py();
        let numpy = py.import("numpy")?;
        let array = if object.hasattr("__array_interface__")? {
            object.clone()
        } else if object.hasattr("__dlpack__")? {
            numpy.call_method1("from_dlpack", (object,))?
        } else {
            let keywords = PyDict::new(py);
            keywords.set_item("dtype", format_of(py, element)?)?;
            numpy.call_method("asarray", (object,), Some(&keywords))?
        };
        let viewed = Array::view(array.clone(), name, element)?;
        match viewed {
            Some(array) if array.writable || !written => Ok(array),
            Some(_) => Err(wrong(name, "the array is read-only, but the kernel writes to it")),
            None if written => Err(wrong(name, "the array is not contiguous, but the kernel writes to it")),
            None => {
                let copy = numpy.call_method1("ascontiguousarray", (array,))?;
                Array::view(copy, name, element)?.ok_or_else(|| wrong(name, "the array is not contiguous"))
            }
        }
    }

    /// `None` for an array that is not contiguous.
    fn view(object: Bound<'py, PyAny>, name: &str, element: Element) -> PyResult<Option<Array<'py>>> {
        let interface = object.getattr("__array_interface__")?;
        let kind: String = interface.get_item("typestr")?.extract()?;
        if !accepts(&object, &kind, element)? {
            let given =
                object.getattr("dtype").and_then(|dtype| Ok(dtype.str()?.to_string())).unwrap_or(kind);
            let shape = interface.get_item("shape")?;
            let message = format!(
                "an array of {given} of shape {shape} is given, but the kernel takes {}; convert it: x.astype({})",
                dtype::word(element),
                numpy_name(element),
            );
            return Err(wrong(name, &message));
        }
        if !interface.get_item("strides")?.is_none() {
            return Ok(None);
        }
        let shape: Vec<u64> = interface.get_item("shape")?.extract()?;
        let (start, readonly): (usize, bool) = interface.get_item("data")?.extract()?;
        let items = shape.iter().product::<u64>() as usize;
        Ok(Some(Array { object, shape, start, length: items * item_bytes(element), writable: !readonly }))
    }

    /// A new array of zeros.
    pub(crate) fn zeros(py: Python<'py>, shape: &[u64], element: Element) -> PyResult<Array<'py>> {
        let shape = PyTuple::new(py, shape)?;
        let object = py.import("numpy")?.call_method1("zeros", (shape, format_of(py, element)?))?;
        Array::view(object, "", element)?.ok_or_else(|| DataError::new_err("numpy.zeros is not contiguous"))
    }

    fn foreign(&self) -> Foreign {
        // An empty slice may begin anywhere but at null.
        let start =
            if self.length == 0 { std::ptr::NonNull::dangling().as_ptr() } else { self.start as *mut u8 };
        Foreign { start, length: self.length, _array: self.object.clone().unbind() }
    }

    /// The memory, which a launch reads; it would copy it before it wrote to it.
    pub(crate) fn shared(&self) -> Storage {
        Storage::shared(Arc::new(self.foreign()))
    }

    /// The memory, which a launch writes in place.
    pub(crate) fn lent(&self) -> Storage {
        Storage::lent(self.foreign())
    }

    /// Whether two arrays share bytes.
    pub(crate) fn overlaps(&self, other: &Array<'_>) -> bool {
        self.start < other.start + other.length && other.start < self.start + self.length
    }
}

/// The error for an array that does not fit its argument.
fn wrong(name: &str, what: &str) -> PyErr {
    DataError::new_err(format!("argument `{name}`: {what}"))
}

/// Whether an array whose interface has the type `kind` holds elements of a format. Bytes and words hold formats that numpy
/// does not know.
fn accepts(array: &Bound<'_, PyAny>, kind: &str, element: Element) -> PyResult<bool> {
    if kind.starts_with('>') {
        return Ok(false);
    }
    let bits = item_bytes(element) * 8;
    let raw = match kind.trim_start_matches(['<', '|', '=']) {
        "f4" => return Ok(element == Element::F32),
        "f2" => return Ok(element == Element::F16),
        "i1" => return Ok(element == Element::I8),
        "i2" => return Ok(element == Element::I16),
        "i4" => return Ok(element == Element::I32),
        "i8" => return Ok(element == Element::I64),
        "u1" => bits == 8 && element != Element::I8,
        "u2" => element == Element::U16 || element == Element::Bf16,
        "u4" => element == Element::U32,
        "u8" => element == Element::U64,
        "b1" => element == Element::U8,
        _ => false,
    };
    if raw {
        return Ok(true);
    }
    let name: String = array.getattr("dtype")?.getattr("name")?.extract()?;
    Ok(ml_dtype(element) == Some(name.as_str()))
}

/// The name of a format in the package ml_dtypes.
fn ml_dtype(element: Element) -> Option<&'static str> {
    match element {
        Element::Bf16 => Some("bfloat16"),
        Element::E4M3 => Some("float8_e4m3fn"),
        Element::E5M2 => Some("float8_e5m2"),
        Element::E8M0 => Some("float8_e8m0fnu"),
        _ => None,
    }
}

/// The format's name for numpy; unsigned integers hold what numpy does not know.
fn numpy_name(element: Element) -> &'static str {
    match element {
        Element::F32 => "numpy.float32",
        Element::F16 => "numpy.float16",
        Element::I8 => "numpy.int8",
        Element::I16 => "numpy.int16",
        Element::I32 => "numpy.int32",
        Element::I64 => "numpy.int64",
        Element::U16 => "numpy.uint16",
        Element::U32 => "numpy.uint32",
        Element::U64 => "numpy.uint64",
        Element::Bf16 => "ml_dtypes.bfloat16",
        Element::E4M3 => "ml_dtypes.float8_e4m3fn",
        Element::E5M2 => "ml_dtypes.float8_e5m2",
        Element::E8M0 => "ml_dtypes.float8_e8m0fnu",
        _ => "numpy.uint8",
    }
}

/// The dtype of new arrays. Formats of ml_dtypes are unsigned integers where the package is missing.
fn format_of<'py>(py: Python<'py>, element: Element) -> PyResult<Bound<'py, PyAny>> {
    let name = numpy_name(element);
    let Some(inner) = name.strip_prefix("ml_dtypes.") else {
        return py.import("numpy")?.getattr(name.trim_start_matches("numpy."));
    };
    match py.import("ml_dtypes") {
        Ok(package) => package.getattr(inner),
        Err(_) => py.import("numpy")?.getattr(if item_bytes(element) == 2 { "uint16" } else { "uint8" }),
    }
}
