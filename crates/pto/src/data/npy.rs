//! `.npy` files.
//!
//! The header is read by our own parser, not by `npyz`, which allocates as many bytes as the header claims, parses
//! Python literals by recursion, and rejects the type names of `ml_dtypes`. The tests compare with `npyz`.

use super::array::{item_bytes, shape_bytes, shape_text};
use super::error::clip;
use super::files::open;
use super::{Array, DataError, Files, Opened, dtype};
use pto_machine::sim::Storage;
use pto_num::Element;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

mod header;

use header::{Header, Kind};

/// Reads the array in `path`. The file's type must be one that stores `wanted`:
///
/// the numpy type of `wanted`; `u2`, `i2`, `V2` or `bfloat16` for bf16; `u1`, `i1`, `V1` or the name of `ml_dtypes` for
/// 8-bit floats, `f1` for E5M2; `u1` with two values a byte for 4-bit floats; `bool` also for 8-bit integers. Fortran order and big
/// endian are converted. The file must end at the end of its data.
pub fn read(path: &Path, wanted: Element, files: &dyn Files) -> Result<Array, DataError> {
    let Opened { mut reader, length } = open(path, files)?;
    let array = read_from(&mut *reader, length, wanted);
    array.map_err(|e| DataError { message: format!("{}: {}", path.display(), e.message), ..e })
}

/// The shape of the array in `path`, if that is a `.npy` file.
pub fn shape(path: &Path, files: &dyn Files) -> Option<Vec<usize>> {
    shape_from(&mut *files.open(path).ok()?.reader)
}

/// The shape of the array in `input`, if that is the contents of a `.npy` file.
pub fn shape_from(input: &mut dyn Read) -> Option<Vec<usize>> {
    header::read(input).ok().map(|header| header.shape)
}

/// Returns the format of the array in `input`. `None` if `input` is not a `.npy` file, or its type does not determine the
/// format: bit patterns of floats do not.
pub fn element_from(input: &mut dyn Read) -> Option<Element> {
    Some(match header::read(input).ok()?.kind {
        Kind::Float(2) => Element::F16,
        Kind::Float(4) => Element::F32,
        Kind::Signed(1) => Element::I8,
        Kind::Signed(2) => Element::I16,
        Kind::Signed(4) => Element::I32,
        Kind::Signed(8) => Element::I64,
        Kind::Unsigned(1) | Kind::Bool => Element::U8,
        Kind::Unsigned(2) => Element::U16,
        Kind::Unsigned(4) => Element::U32,
        Kind::Unsigned(8) => Element::U64,
        Kind::Named(name) => named(&name)?,
        _ => return None,
    })
}

/// Reads an array from `input`, whose total length in bytes is `length`, if known.
pub fn read_from(input: &mut dyn Read, length: Option<u64>, wanted: Element) -> Result<Array, DataError> {
    let header = header::read(input)?;
    let swap = check_type(&header, wanted)?;
    let mut bytes = contents(input, length, &header, item_bytes(wanted), swap)?;
    if header.kind == Kind::Bool {
        bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
    }
    Array::new(wanted, header.shape, bytes)
}

/// An array in a wider float format than the result.
pub(super) struct Wider {
    /// The word of its format: `f32` or `f64`.
    pub(super) word: &'static str,
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f64>,
}

/// Reads the array in the regular file `path` if it is f32 or f64, and wider than `element`; `None` for arrays of other types.
pub(super) fn read_wider(
    path: &Path,
    element: Element,
    files: &dyn Files,
) -> Result<Option<Wider>, DataError> {
    // `read` reports a file that cannot be opened, and a pipe can be read only once.
    let Ok(Opened { mut reader, length: length @ Some(_) }) = files.open(path) else { return Ok(None) };
    let array = read_wider_from(&mut *reader, length, element);
    array.map_err(|e| DataError { message: format!("{}: {}", path.display(), e.message), ..e })
}

/// Reads an array from `input`, as [`read_wider`] does. Also returns `None` if `input` is not an array.
pub(super) fn read_wider_from(
    input: &mut dyn Read,
    length: Option<u64>,
    element: Element,
) -> Result<Option<Wider>, DataError> {
    let Ok(header) = header::read(input) else { return Ok(None) };
    let (word, size) = match header.kind {
        Kind::Float(4) if element.bits() < 32 => ("f32", 4),
        Kind::Float(8) => ("f64", 8),
        _ => return Ok(None),
    };
    let bytes = contents(input, length, &header, size, header.big_endian)?;
    let values = match size {
        4 => bytes.as_chunks::<4>().0.iter().map(|item| f64::from(f32::from_le_bytes(*item))).collect(),
        _ => bytes.as_chunks::<8>().0.iter().map(|item| f64::from_le_bytes(*item)).collect(),
    };
    Ok(Some(Wider { word, shape: header.shape, values }))
}

/// Reads the items after a header, of `item` bytes each, in C order and little endian; `swap`: the file has them big endian.
fn contents(
    input: &mut dyn Read,
    length: Option<u64>,
    header: &Header,
    item: usize,
    swap: bool,
) -> Result<Vec<u8>, DataError> {
    let size = header.shape.iter().try_fold(item, |bytes, extent| bytes.checked_mul(*extent));
    let size = size.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
        DataError::new(format!("the shape {} is larger than any memory", shape_text(&header.shape)))
    })?;
    let wrong_length = |present: String| {
        DataError::new(format!(
            "{present} follow the header, but {} of {} takes {size} bytes",
            shape_text(&header.shape),
            header.descr
        ))
        .with_help("the file is truncated or damaged; write it again with numpy.save")
    };
    if let Some(length) = length {
        let present = length.saturating_sub(header.bytes_read);
        if present != size as u64 {
            return Err(wrong_length(format!("{present} bytes")));
        }
    }
    let mut bytes = Vec::new();
    // If the length is unknown, the header's claim does not justify an allocation.
    bytes
        .try_reserve_exact(if length.is_some() { size } else { 0 })
        .map_err(|_| DataError::new(format!("its {size} bytes do not fit in memory")))?;
    input
        .take((size as u64).saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|e| DataError::new(format!("cannot read the file: {e}")))?;
    if bytes.len() < size {
        return Err(wrong_length(format!("{} bytes", bytes.len())));
    }
    if bytes.len() > size {
        return Err(wrong_length(format!("more than {size} bytes")));
    }
    if swap {
        bytes.chunks_exact_mut(item).for_each(<[u8]>::reverse);
    }
    if header.fortran_order {
        bytes = to_c_order(&bytes, &header.shape, item);
    }
    Ok(bytes)
}

/// The array in the bytes of a file that others may share, without a copy. `None` if [`read_from`] would not accept the
/// file, or if its bytes differ from those of the array: in their order or their meaning.
pub fn shared(file: Arc<dyn AsRef<[u8]> + Send + Sync>, wanted: Element) -> Option<Array> {
    let bytes = (*file).as_ref();
    let header = header::read(&mut &*bytes).ok()?;
    let swap = check_type(&header, wanted).ok()?;
    let size = shape_bytes(wanted, &header.shape)?;
    let start = usize::try_from(header.bytes_read).ok()?;
    let is_plain = !swap && !header.fortran_order && header.kind != Kind::Bool;
    let part = Tail { file: Arc::clone(&file), start };
    let array = || Array::new(wanted, header.shape, Storage::shared(Arc::new(part))).ok();
    (is_plain && bytes.len() - start == size).then(array)?
}

/// The bytes of a file after its header.
struct Tail {
    file: Arc<dyn AsRef<[u8]> + Send + Sync>,
    start: usize,
}

impl AsRef<[u8]> for Tail {
    fn as_ref(&self) -> &[u8] {
        &(*self.file).as_ref()[self.start..]
    }
}

/// Returns the bytes of a `.npy` file that precede the contents of `array`.
///
/// f16, f32 and integers have numpy types. bf16 and the 8-bit floats of OCP have the names of `ml_dtypes`, which
/// `numpy.load` accepts after `import ml_dtypes`. HiF8 and pairs of 4-bit floats have no name, and are `|u1`.
pub fn header(array: &Array) -> Vec<u8> {
    header::write(numpy_type(array.element()), array.shape())
}

/// The whole file of `array`. For large arrays write [`header()`] and then [`Array::bytes`] instead.
pub fn to_bytes(array: &Array) -> Vec<u8> {
    let mut file = header(array);
    file.extend_from_slice(array.bytes());
    file
}

/// The numpy type that stores `element` in a file.
fn numpy_type(element: Element) -> &'static str {
    match element {
        Element::I8 => "|i1",
        Element::I16 => "<i2",
        Element::I32 => "<i4",
        Element::I64 => "<i8",
        Element::U8 => "|u1",
        Element::U16 => "<u2",
        Element::U32 => "<u4",
        Element::U64 => "<u8",
        Element::F16 => "<f2",
        Element::F32 => "<f4",
        Element::Bf16 => "bfloat16",
        Element::E4M3 => "float8_e4m3fn",
        Element::E5M2 => "float8_e5m2",
        Element::E8M0 => "float8_e8m0fnu",
        _ => "|u1",
    }
}

/// Checks that the file's type can store `wanted`; returns whether its bytes must be swapped.
fn check_type(header: &Header, wanted: Element) -> Result<bool, DataError> {
    let bits = wanted.value_bits();
    let fits = match &header.kind {
        Kind::Bool => matches!(wanted, Element::I8 | Element::U8),
        // numpy.save has no other name for float8_e5m2 of ml_dtypes, whose other types are void.
        Kind::Float(size) => {
            matches!(wanted, Element::F16 | Element::F32 | Element::E5M2) && size * 8 == bits
        }
        Kind::Signed(size) => {
            size * 8 == bits
                && (wanted.is_signed_integer() || wanted == Element::Bf16 || (wanted.is_float() && bits == 8))
        }
        Kind::Unsigned(size) => {
            (size * 8 == bits && (wanted.is_unsigned_integer() || wanted == Element::Bf16))
                || (*size == 1 && !wanted.is_integer() && bits <= 8)
        }
        Kind::Void(size) => size * 8 == bits && (wanted == Element::Bf16 || (wanted.is_float() && bits == 8)),
        Kind::Named(name) => named(name) == Some(wanted),
        Kind::Other => false,
    };
    if fits {
        return Ok(header.big_endian && bits > 8);
    }
    let found = match header.kind {
        Kind::Float(8) => "float64",
        _ => &clip(&header.descr, 60),
    };
    let mut error = DataError::new(format!(
        "the file holds {found} of shape {}, but the kernel takes {}",
        clip(&shape_text(&header.shape), 60),
        dtype::word(wanted)
    ));
    error = match (&header.kind, wanted) {
        (_, Element::Bf16) => error.with_help(
            "bf16 travels as uint16 bit patterns: save `(x.view(numpy.uint32) >> 16).astype(numpy.uint16)` of a float32 x, or \
             `x.view(numpy.uint16)` of an ml_dtypes.bfloat16 x",
        ),
        (Kind::Named(name), _) if name.starts_with("float4") => {
            error.with_help("4-bit floats travel as uint8, two values a byte, the first in the low nibble")
        }
        (_, w) if w.is_packed() => {
            error.with_help("4-bit floats travel as uint8, two values a byte, the first in the low nibble")
        }
        (_, w) if w.is_float() && bits == 8 => error.with_help("8-bit floats travel as uint8 bit patterns"),
        _ => error.with_help(format!("convert it: numpy.save(file, x.astype(numpy.{}))", numpy_name(wanted))),
    };
    Err(error)
}

/// The format of a type name of `ml_dtypes`.
fn named(name: &str) -> Option<Element> {
    Some(match name {
        "bfloat16" => Element::Bf16,
        "float8_e4m3fn" => Element::E4M3,
        "float8_e5m2" => Element::E5M2,
        "float8_e8m0fnu" => Element::E8M0,
        "hifloat8" => Element::HiF8,
        _ => return None,
    })
}

/// The numpy name of a format that numpy has.
fn numpy_name(element: Element) -> String {
    let class = match element {
        e if e.is_signed_integer() => "int",
        e if e.is_unsigned_integer() => "uint",
        _ => "float",
    };
    format!("{class}{}", element.bits())
}

/// Converts items from Fortran order to C order.
fn to_c_order(bytes: &[u8], shape: &[usize], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0usize; shape.len()];
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = size;
    for &d in shape {
        strides.push(stride);
        // The product of an empty array's other dimensions may overflow; it is not used.
        stride = stride.saturating_mul(d);
    }
    let mut at = 0;
    while out.len() < bytes.len() {
        out.extend_from_slice(&bytes[at..at + size]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests;
