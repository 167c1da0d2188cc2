//! Tensors of other libraries in formats that the DLPack reader of numpy lacks: bf16 and 8-bit floats, as torch has them.

use crate::formats::{in_ml_dtypes, numpy};
use pto::data::item_bytes;
use pto::isa::Element;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{CStr, c_void};

/// `DLDataType` of `dlpack.h`.
#[repr(C)]
#[derive(Clone, Copy)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor` of `dlpack.h`, with which a `DLManagedTensor` begins. Strides count elements; null means C order.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    _device_id: i32,
    dimensions: i32,
    dtype: DataType,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensorVersioned` of `dlpack.h` 1.0.
#[repr(C)]
struct Versioned {
    _major: u32,
    _minor: u32,
    _context: *mut c_void,
    _deleter: *mut c_void,
    flags: u64,
    tensor: Tensor,
}

/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

/// The version of DLPack that has the types of 8-bit floats.
const VERSION: (u32, u32) = (1, 1);

/// Names of capsules that nobody has consumed yet: of a `DLManagedTensor`, and of a `DLManagedTensorVersioned`.
const UNCONSUMED: &CStr = c"dltensor";
const UNCONSUMED_VERSIONED: &CStr = c"dltensor_versioned";

/// Values of `DLDeviceType` whose memory this process can read: `kDLCPU`, `kDLCUDAHost`, `kDLROCMHost`.
const HOST_DEVICES: [i32; 3] = [1, 3, 11];

/// Most dimensions of a numpy array.
const MOST_DIMENSIONS: usize = 64;

impl DataType {
    /// The format, if it is one that numpy lacks: `kDLBfloat` and the 8-bit floats of DLPack 1.1.
    fn element(self) -> Option<Element> {
        match (self.code, self.bits, self.lanes) {
            (4, 16, 1) => Some(Element::Bf16),
            (10, 8, 1) => Some(Element::E4M3),
            (12, 8, 1) => Some(Element::E5M2),
            (14, 8, 1) => Some(Element::E8M0),
            _ => None,
        }
    }
}

/// A tensor as an array of unsigned integers, with the format of its elements.
pub(crate) struct Bits<'py> {
    pub(crate) element: Element,
    /// An array of numpy that shares the memory of the tensor.
    pub(crate) array: Bound<'py, PyAny>,
}

/// Views a tensor of bf16 or 8-bit floats as unsigned integers. `None` if its format is another one, or not known.
///
/// # Errors
/// A tensor on another device, and what the library raises.
pub(crate) fn bits<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bits<'py>>> {
    // torch before 2.9 has 8-bit floats, but exports none.
    match torch_element(object) {
        Some(element) => torch_bits(object, element).map(Some),
        None => capsule_bits(object),
    }
}

/// The format of a tensor of torch, if it is one that numpy lacks. torch is not imported for this.
fn torch_element(object: &Bound<'_, PyAny>) -> Option<Element> {
    let dtype = object.getattr("dtype").ok()?.str().ok()?.to_string();
    let name = dtype.strip_prefix("torch.")?;
    Element::ALL.into_iter().find(|element| in_ml_dtypes(*element) == Some(name))
}

/// Views a tensor of torch as integers of the same size, in the same memory.
fn torch_bits<'py>(object: &Bound<'py, PyAny>, element: Element) -> PyResult<Bits<'py>> {
    let (name, unsigned) = if item_bytes(element) == 2 { ("int16", "uint16") } else { ("uint8", "uint8") };
    let integers = object.py().import("torch")?.getattr(name)?;
    let viewed = object.call_method0("detach")?.call_method1("view", (integers,))?;
    let array = viewed.call_method0("numpy")?.call_method1("view", (unsigned,))?;
    Ok(Bits { element, array })
}

/// Views the memory that the capsule of an object describes.
fn capsule_bits<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bits<'py>>> {
    let py = object.py();
    let keywords = PyDict::new(py);
    keywords.set_item("max_version", VERSION)?;
    let capsule = match object.call_method("__dlpack__", (), Some(&keywords)) {
        // Libraries that are older than versions of DLPack.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__")?,
        made => made?,
    };
    // SAFETY: the capsule is alive; an object that is none, or one of another name, is not valid.
    let is_versioned =
        unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), UNCONSUMED_VERSIONED.as_ptr()) } != 0;
    let name = if is_versioned { UNCONSUMED_VERSIONED } else { UNCONSUMED };
    // SAFETY: the capsule is alive; an object that is none, or a capsule of another name, gives null and an error.
    let managed = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) };
    if managed.is_null() {
        return Err(PyErr::fetch(py));
    }
    let (tensor, is_read_only) = if is_versioned {
        // SAFETY: a capsule of this name points to a `DLManagedTensorVersioned`, whose head all versions share, and which lives as
        // long as the capsule, which nobody consumes here.
        let head = unsafe { &*managed.cast::<[u32; 2]>() };
        if head[0] != VERSION.0 {
            return Ok(None);
        }
        // SAFETY: as above; all minor versions have this layout.
        let managed = unsafe { &*managed.cast::<Versioned>() };
        (&managed.tensor, managed.flags & READ_ONLY != 0)
    } else {
        // SAFETY: a capsule of this name points to a `DLManagedTensor`, which begins with a `DLTensor` and lives as long as the
        // capsule, which nobody consumes here.
        (unsafe { &*managed.cast::<Tensor>() }, false)
    };
    let Some(element) = tensor.dtype.element() else { return Ok(None) };
    if !HOST_DEVICES.contains(&tensor.device_type) {
        let message = format!("the tensor is on a device of type {}; copy it: x.cpu()", tensor.device_type);
        return Err(PyBufferError::new_err(message));
    }
    let dimensions = usize::try_from(tensor.dimensions).ok().filter(|count| *count <= MOST_DIMENSIONS);
    let dimensions =
        dimensions.ok_or_else(|| PyBufferError::new_err("the tensor has too many dimensions"))?;
    // SAFETY: `shape` has an extent for each dimension, and `strides`, if not null, a stride.
    let (shape, strides) =
        unsafe { (extents(tensor.shape, dimensions), extents(tensor.strides, dimensions)) };
    let shape = shape.unwrap_or_default();
    let size = item_bytes(element);
    let is_empty = shape.contains(&0);
    // Without elements any address will do, but null.
    let start = if is_empty { size } else { tensor.data as usize + tensor.byte_offset as usize };
    let strides = strides.filter(|_| !is_empty);
    let strides = strides.map(|all| all.iter().map(|stride| stride * size as i64).collect::<Vec<_>>());
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("typestr", if size == 2 { "<u2" } else { "|u1" })?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("data", (start, is_read_only))?;
    interface.set_item("strides", strides.map(|strides| PyTuple::new(py, strides)).transpose()?)?;
    let memory = Memory { interface: interface.unbind(), _capsule: capsule.unbind() };
    let array = numpy(py)?.asarray.bind(py).call1((Bound::new(py, memory)?,))?;
    Ok(Some(Bits { element, array }))
}

/// The numbers at a pointer; `None` if it is null.
///
/// # Safety
/// A pointer that is not null points to `count` numbers.
unsafe fn extents(start: *const i64, count: usize) -> Option<Vec<i64>> {
    // SAFETY: the caller's promise.
    (!start.is_null()).then(|| unsafe { std::slice::from_raw_parts(start, count) }.to_vec())
}

/// The memory of a capsule, for numpy, whose array keeps this object alive, and with it the capsule.
#[pyclass(frozen, module = "pto_tools")]
struct Memory {
    interface: Py<PyDict>,
    /// A capsule that nobody has consumed gives its memory back at its end.
    _capsule: Py<PyAny>,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.interface.bind(py).clone()
    }
}
