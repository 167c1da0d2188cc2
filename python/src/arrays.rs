//! Memory of Python arrays: borrowed without a copy, and allocated.

use crate::dlpack;
use crate::errors::DataError;
use crate::formats::{self, numpy};
use pto::data::{dtype, item_bytes};
use pto::isa::Element;
use pto::sim::{Lent, Storage};
use pyo3::exceptions::PyException;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyMemoryView, PyTuple};
use std::ffi::{c_char, c_int, c_void};
use std::ops::Range;
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

/// What numpy tells about an array: its `PyArrayInterface`.
#[repr(C)]
struct Interface {
    two: c_int,
    dimensions: c_int,
    kind: c_char,
    item: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
    descr: *mut ffi::PyObject,
}

/// Flags of `PyArrayInterface`.
const C_CONTIGUOUS: c_int = 0x1;
const NATIVE_ORDER: c_int = 0x200;
const WRITABLE: c_int = 0x400;

/// The facts of an `Interface`, copied.
struct Facts {
    kind: char,
    item: usize,
    flags: c_int,
    shape: Vec<u64>,
    start: usize,
}

impl Facts {
    /// The facts of an array, which is of the type `numpy.ndarray` itself, not of a subclass.
    fn of(array: &Bound<'_, PyAny>) -> PyResult<Facts> {
        let capsule = array.getattr(pyo3::intern!(array.py(), "__array_struct__"))?;
        // SAFETY: the capsule is alive; a capsule that has a name, or an object that is none, gives null and an error.
        let pointer = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) };
        if pointer.is_null() {
            return Err(PyErr::fetch(array.py()));
        }
        // SAFETY: numpy's capsule without a name points to a `PyArrayInterface`, which lives as long as the capsule.
        let known = unsafe { &*pointer.cast::<Interface>() };
        let dimensions = usize::try_from(known.dimensions).unwrap_or(0);
        let shape: Vec<u64> = if dimensions == 0 {
            Vec::new()
        } else {
            // SAFETY: `shape` has an extent for each dimension.
            let extents = unsafe { std::slice::from_raw_parts(known.shape, dimensions) };
            extents.iter().map(|extent| *extent as u64).collect()
        };
        let (kind, item) = (char::from(known.kind as u8), usize::try_from(known.item).unwrap_or(0));
        Ok(Facts { kind, item, flags: known.flags, shape, start: known.data as usize })
    }
}

/// An argument of a kernel that takes an array.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The name of the argument.
    pub(crate) name: &'a str,
    /// Its format.
    pub(crate) element: Element,
    /// The extents of its first view as text, such as `[rows, 64]`; empty without a view.
    pub(crate) shape: &'a str,
    /// Whether the kernel writes to it.
    pub(crate) written: bool,
    /// Whether it takes arrays of any format.
    pub(crate) is_open: bool,
}

impl Wanted<'_> {
    /// The error for what does not fit.
    pub(crate) fn wrong(&self, what: impl std::fmt::Display) -> PyErr {
        DataError::new_err(format!("argument `{}`: {what}", self.name))
    }

    /// `an array of f32[rows, 64]`.
    pub(crate) fn text(&self) -> String {
        match self.is_open {
            true => "an array of any format".to_owned(),
            false => format!("an array of {}{}", dtype::word(self.element), self.shape),
        }
    }
}

/// An array of numpy, in C order, of the format that an argument takes.
pub(crate) struct Array<'py> {
    object: Bound<'py, PyAny>,
    /// The object that was given, or the new array.
    pub(crate) given: Bound<'py, PyAny>,
    pub(crate) shape: Vec<u64>,
    start: usize,
    length: usize,
}

impl<'py> Array<'py> {
    /// Views an object as an array for an argument. What is neither an array nor has DLPack becomes a new array; so does one
    /// that is not contiguous, unless the kernel writes to it.
    pub(crate) fn of(object: &Bound<'py, PyAny>, wanted: Wanted<'_>) -> PyResult<Array<'py>> {
        let py = object.py();
        let numpy = numpy(py)?;
        let array = if object.get_type().as_ptr() == numpy.ndarray.as_ptr() {
            object.clone()
        } else {
            converted(object, wanted)?
        };
        let facts = Facts::of(&array)?;
        fits((object, &array), &facts, wanted)?;
        let made = match (facts.flags & C_CONTIGUOUS != 0, wanted.written) {
            (false, true) => Err(wanted.wrong(
                "the array is not contiguous, but the kernel writes to it: give a contiguous one and copy from it",
            )),
            (_, true) if facts.flags & WRITABLE == 0 => {
                Err(wanted.wrong("the array is read-only, but the kernel writes to it"))
            }
            (false, false) => {
                let copy = numpy.ascontiguousarray.bind(py).call1((array,))?;
                Array::from(copy.clone(), Facts::of(&copy)?, wanted)
            }
            _ => Array::from(array, facts, wanted),
        };
        made.map(|array| Array { given: object.clone(), ..array })
    }

    fn from(object: Bound<'py, PyAny>, facts: Facts, wanted: Wanted<'_>) -> PyResult<Array<'py>> {
        let Facts { shape, start, item, .. } = facts;
        let items = shape.iter().try_fold(1usize, |items, extent| items.checked_mul(*extent as usize));
        let length = items.and_then(|items| items.checked_mul(item));
        let length = length.ok_or_else(|| wanted.wrong("the array is larger than memory"))?;
        Ok(Array { given: object.clone(), object, shape, start, length })
    }

    /// A new array of zeros for an argument; `format` is its dtype.
    pub(crate) fn zeros(
        format: &Bound<'py, PyAny>,
        shape: &[u64],
        wanted: Wanted<'_>,
    ) -> PyResult<Array<'py>> {
        let py = format.py();
        let object = numpy(py)?.zeros.bind(py).call1((PyTuple::new(py, shape)?, format));
        let object = object.map_err(|error| {
            if error.is_instance_of::<PyException>(py) {
                return wanted.wrong(format!("it would have the shape {shape:?}: {error}"));
            }
            error
        })?;
        Array::from(object.clone(), Facts::of(&object)?, wanted)
    }

    fn foreign(&self) -> Foreign {
        // An empty slice may begin anywhere but at null.
        let start =
            if self.length == 0 { std::ptr::NonNull::dangling().as_ptr() } else { self.start as *mut u8 };
        Foreign { start, length: self.length, _array: self.object.clone().unbind() }
    }

    /// The array of numpy whose memory it is.
    pub(crate) fn memory(&self) -> &Bound<'py, PyAny> {
        &self.object
    }

    /// The memory, which a launch reads; it would copy it before it wrote to it.
    pub(crate) fn shared(&self) -> Storage {
        Storage::shared(Arc::new(self.foreign()))
    }

    /// The memory, which a launch writes in place.
    pub(crate) fn lent(&self) -> Storage {
        Storage::lent(self.foreign())
    }

    /// Writes all bytes of the array.
    pub(crate) fn fill(&self, bytes: &[u8]) {
        let mut foreign = self.foreign();
        let length = bytes.len().min(self.length);
        foreign.bytes_mut()[..length].copy_from_slice(&bytes[..length]);
    }

    /// The addresses of its bytes.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    /// Whether it has bytes at some of these addresses.
    pub(crate) fn shares(&self, other: &Range<usize>) -> bool {
        let own = self.range();
        own.start < other.end && other.start < own.end && !own.is_empty() && !other.is_empty()
    }

    /// Whether two arrays share bytes.
    pub(crate) fn overlaps(&self, other: &Array<'_>) -> bool {
        self.shares(&other.range())
    }
}
/// An object of another type as an array, which shares its memory if possible.
fn converted<'py>(object: &Bound<'py, PyAny>, wanted: Wanted<'_>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let numpy = numpy(py)?;
    let has = |name| object.hasattr(name).unwrap_or(false);
    let memory = PyMemoryView::from(object);
    let given = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let made = if has("__array_interface__") || has("__array_struct__") {
        numpy.asarray.bind(py).call1((object,))
    } else if let Ok(memory) = memory {
        // Of bytes, an array of bytes: numpy would read `bytes` as text, and may read `bytearray` as a list of numbers.
        numpy.asarray.bind(py).call1((memory,))
    } else if has("__dlpack__") {
        from_dlpack(object, wanted)?
    } else if wanted.written {
        return Err(wanted.wrong(format!("the kernel writes to it: give {}, not {given}", wanted.text())));
    } else {
        let format = formats::of(py, wanted.element)?;
        numpy.asarray.bind(py).call1((object, format))
    };
    let array = made.map_err(|error| {
        if error.is_instance_of::<PyException>(py) {
            return wanted
                .wrong(format!("{given} is given, but the kernel takes {}: {error}", wanted.text()));
        }
        error
    })?;
    if array.get_type().as_ptr() != numpy.ndarray.as_ptr() || Facts::of(&array)?.shape.is_empty() {
        return Err(wanted.wrong(format!("{given} is given, but the kernel takes {}", wanted.text())));
    }
    Ok(array)
}

/// A tensor of another library as an array, which shares its memory: the result of numpy, or the bits of a format that numpy lacks.
fn from_dlpack<'py>(object: &Bound<'py, PyAny>, wanted: Wanted<'_>) -> PyResult<PyResult<Bound<'py, PyAny>>> {
    let made = formats::from_dlpack(object.py()).and_then(|from| from.call1((object,)));
    let Err(error) = made else { return Ok(made) };
    match dlpack::bits(object) {
        Ok(Some(bits)) if wanted.is_open || bits.element == wanted.element => Ok(Ok(bits.array)),
        Ok(Some(bits)) => {
            let (given, shape) = (dtype::word(bits.element), bits.array.getattr("shape")?);
            let wanted_text = wanted.text();
            let message =
                format!("a tensor of {given} of shape {shape} is given, but the kernel takes {wanted_text}");
            Err(wanted.wrong(message))
        }
        Ok(None) => Ok(Err(error)),
        Err(error) => Ok(Err(error)),
    }
}

/// Checks that the elements of an array have the format of the argument, and the byte order of the machine.
fn fits(
    (object, array): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    facts: &Facts,
    wanted: Wanted<'_>,
) -> PyResult<()> {
    let is_native = facts.flags & NATIVE_ORDER != 0;
    let has_format = || accepts(array, facts.kind, wanted.element);
    if is_native && (wanted.is_open || facts.item == item_bytes(wanted.element) && has_format()?) {
        return Ok(());
    }
    let (given, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
    let order = if is_native { "" } else { " in the other byte order" };
    let (name, format) = (wanted.name, formats::name(wanted.element));
    let ty = object.get_type().name()?.to_string();
    let help = match ty.as_str() {
        "bytes" | "bytearray" => format!("read it: numpy.frombuffer({name}, {format})"),
        _ => format!("convert it: {name}.astype({format})"),
    };
    let wanted_text = wanted.text();
    Err(wanted.wrong(format!(
        "an array of {given}{order} of shape {shape} is given, but the kernel takes {wanted_text}; {help}"
    )))
}

/// Whether elements of a kind, of the right size, are those of a format. Bytes and words hold formats that numpy does not
/// know.
fn accepts(array: &Bound<'_, PyAny>, kind: char, element: Element) -> PyResult<bool> {
    Ok(match kind {
        'f' if item_bytes(element) > 1 => matches!(element, Element::F32 | Element::F16),
        'i' => matches!(element, Element::I8 | Element::I16 | Element::I32 | Element::I64),
        'u' => match item_bytes(element) {
            1 => element != Element::I8,
            2 => matches!(element, Element::U16 | Element::Bf16),
            _ => matches!(element, Element::U32 | Element::U64),
        },
        'b' => element == Element::U8,
        // float8_e5m2 is of the kind of floats, other types of ml_dtypes are void.
        'V' | 'f' => {
            let name: String = array.getattr("dtype")?.getattr("name")?.extract()?;
            formats::in_ml_dtypes(element) == Some(name.as_str())
        }
        _ => false,
    })
}
