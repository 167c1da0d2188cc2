//! Sources of argument contents: `-i ARG=SOURCE`.

use super::array::{item_bytes, shape_bytes, shape_text};
use super::error::clip;
use super::files::{Files, Opened, open};
use super::scalar::{self, parse_scalar};
use super::{Array, DataError, Generator, dtype, generate, npy, npz};
use pto_num::Element;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The source of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A `.npy` file.
    Npy(PathBuf),
    /// An array of a `.npz` file.
    Npz {
        /// The file.
        path: PathBuf,
        /// Name of the array, if the source gives one.
        name: Option<String>,
    },
    /// A file of raw little-endian values without a header.
    Raw(PathBuf),
    /// A number, or `true` or `false`, parsed by the type of the argument.
    Scalar(String),
    /// The number of the rank.
    Rank,
    /// The number of ranks.
    Ranks,
    /// A communication context: the base addresses of the windows of all ranks.
    Communication,
    /// The address of a buffer of another rank.
    Peer {
        /// The rank.
        rank: u32,
        /// The argument that the buffer belongs to; default: the same argument.
        argument: Option<String>,
    },
    /// Generated contents.
    Generator {
        /// The kind of contents.
        kind: Generator,
        /// The shape after the colon, in items.
        shape: Option<Vec<usize>>,
    },
}

/// The forms of SOURCE, for messages.
const FORMS: &str = "a source is a .npy file, an array of a .npz file such as x.npz:NAME, a raw .bin file, a number, or one of zeros, ones, arange, rand, randn with an \
                     optional shape such as randn:16x128; with several ranks also rank, ranks, comm, and @RANK or @RANK:ARG";

impl Source {
    /// Parses SOURCE.
    ///
    /// In this order: a generator, alone or with `:SHAPE`; a name that ends in `.npy`; a name that ends in `.bin`; a
    /// number; an existing file whose name ends in `.raw` or `.dat` or has no extension. A file named like a number or
    /// a generator is written `./NAME`.
    pub fn parse(text: &str, files: &dyn Files) -> Result<Source, DataError> {
        let (word, shape) = match text.split_once(':') {
            Some((word, shape)) => (word, Some(shape)),
            None => (text, None),
        };
        if let Some(kind) = Generator::parse(word) {
            let shape = shape.map(parse_shape).transpose()?;
            return Ok(Source::Generator { kind, shape });
        }
        if let Some(source) = Source::of_ranks(text) {
            return Ok(source);
        }
        if let Some(source) = Source::in_archive(text) {
            return Ok(source);
        }
        let path = Path::new(text);
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        match extension.as_str() {
            "npy" => return Ok(Source::Npy(path.to_path_buf())),
            "bin" => return Ok(Source::Raw(path.to_path_buf())),
            _ => {}
        }
        if scalar::looks_like_scalar(text) {
            return Ok(Source::Scalar(text.to_string()));
        }
        if files.exists(path) {
            return match extension.as_str() {
                "" | "raw" | "dat" => Ok(Source::Raw(path.to_path_buf())),
                _ => Err(DataError::new(format!("{}: a .{extension} file is not an array", clip(text, 80)))
                    .with_help(ARRAYS)),
            };
        }
        let shown = clip(text, 80);
        Err(DataError::misuse(format!("`{shown}` is neither a file, a number nor a generator"))
            .with_help(FORMS))
    }

    /// `rank`, `ranks`, `comm`, `@RANK` or `@RANK:ARG`.
    /// The file that it names.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Source::Npy(path) | Source::Npz { path, .. } | Source::Raw(path) => Some(path),
            _ => None,
        }
    }

    /// The file that it names, to be changed.
    pub fn path_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Source::Npy(path) | Source::Npz { path, .. } | Source::Raw(path) => Some(path),
            _ => None,
        }
    }

    /// The shape of the array in its file, if the file has one.
    pub fn shape(&self, files: &dyn Files) -> Option<Vec<usize>> {
        match self {
            Source::Npy(path) => npy::shape(path, files),
            Source::Npz { path, name } => npz::shape(path, name.as_deref(), files),
            _ => None,
        }
    }

    /// Format of the array in its file; `None` if the file does not record it.
    pub fn element(&self, files: &dyn Files) -> Option<Element> {
        match self {
            Source::Npy(path) => npy::element_from(&mut *files.open(path).ok()?.reader),
            Source::Npz { path, name } => npz::element(path, name.as_deref(), files),
            _ => None,
        }
    }

    /// Whether the source decompresses to many bytes. The size of such a file gives no bound for them.
    pub fn is_large_inside(&self, files: &dyn Files) -> bool {
        let Source::Npz { path, name } = self else { return false };
        npz::inflated_bytes(path, name.as_deref(), files).is_some_and(|bytes| bytes > WORTH_A_LOOK)
    }

    /// The array of a file: `x.npy`, `x.npz` or `x.npz:NAME`.
    pub fn of_file(text: &str) -> Source {
        Source::in_archive(text).unwrap_or_else(|| Source::Npy(PathBuf::from(text)))
    }

    /// An array of a `.npz` file: `x.npz` or `x.npz:NAME`.
    fn in_archive(text: &str) -> Option<Source> {
        let is_archive = |path: &str| path.to_ascii_lowercase().ends_with(".npz");
        if is_archive(text) {
            return Some(Source::Npz { path: PathBuf::from(text), name: None });
        }
        let at = text.to_ascii_lowercase().find(".npz:")? + ".npz".len();
        Some(Source::Npz { path: PathBuf::from(&text[..at]), name: Some(text[at + 1..].to_owned()) })
    }

    fn of_ranks(text: &str) -> Option<Source> {
        match text {
            "rank" => return Some(Source::Rank),
            "ranks" => return Some(Source::Ranks),
            "comm" => return Some(Source::Communication),
            _ => {}
        }
        let (rank, argument) = match text.strip_prefix('@')?.split_once(':') {
            Some((rank, argument)) => (rank, Some(argument.to_owned())),
            None => (&text[1..], None),
        };
        Some(Source::Peer { rank: rank.parse().ok()?, argument })
    }
}

/// Parses `16x128` or `16,128`: at least one dimension.
pub fn parse_shape(text: &str) -> Result<Vec<usize>, DataError> {
    text.split(['x', ','])
        .map(|part| part.trim().parse::<usize>().ok())
        .collect::<Option<Vec<usize>>>()
        .filter(|shape| shape.len() <= 64)
        .ok_or_else(|| {
            DataError::misuse(format!("`{}` is not a shape", clip(text, 80)))
                .with_help("a shape is written 16x128 or 16,128")
        })
}

/// Reads the array of a file: `x.npy`, `x.npz` or `x.npz:NAME`.
///
/// # Errors
/// As for [`npy::read`] and [`npz::read`].
pub fn read_array(text: &str, element: Element, files: &dyn Files) -> Result<Array, DataError> {
    materialize(&Source::of_file(text), element, None, 0, 0, files)
}

/// Bytes from which a compressed array is compared with its argument before it is decompressed.
const WORTH_A_LOOK: u64 = 1 << 24;

/// Checks by its header that a large compressed array has no more items than its argument.
pub(super) fn check_inside(
    source: &Source,
    element: Element,
    count: usize,
    files: &dyn Files,
) -> Result<(), DataError> {
    let (Some(path), true) = (source.path(), source.is_large_inside(files)) else { return Ok(()) };
    let items =
        |shape: &[usize]| shape.iter().fold(1, |product: usize, extent| product.saturating_mul(*extent));
    match source.shape(files) {
        Some(shape) if items(&shape) > count => Err(DataError::new(format!(
            "{}: its compressed array has the shape {} of {}, but the argument takes {count} values",
            path.display(),
            shape_text(&shape),
            dtype::word(element)
        ))
        .with_help("an array that is larger than its argument is not decompressed: write it with numpy.save or numpy.savez")),
        _ => Ok(()),
    }
}

/// Loads or generates the contents of an argument of format `element`.
///
/// - A `.npy` file has its own shape; a raw file has one dimension, its number of items.
/// - A scalar has no dimensions.
/// - A generator has the shape after its colon, or else one dimension of `count_needed` items, the count inferred from
///   the kernel. Without either it is an error. `seed` and `arg_index`, the argument's number, select the random stream
///   of `rand` and `randn` (see [`Generator`]).
///
/// The caller checks that a file or a shape has the size that the kernel needs. Here, the size of a large compressed
/// array is compared with `count_needed` before it takes memory.
pub fn materialize(
    source: &Source,
    element: Element,
    count_needed: Option<usize>,
    seed: u64,
    arg_index: usize,
    files: &dyn Files,
) -> Result<Array, DataError> {
    match source {
        Source::Npy(path) => npy::read(path, element, files),
        Source::Npz { path, name } => {
            count_needed.map_or(Ok(()), |count| check_inside(source, element, count, files))?;
            npz::read(path, name.as_deref(), element, files)
        }
        Source::Raw(path) => read_raw(path, element, count_needed, files),
        Source::Rank | Source::Ranks | Source::Communication | Source::Peer { .. } => {
            Err(DataError::new("a source that depends on the rank is not an array"))
        }
        Source::Scalar(text) => {
            Ok(Array::scalar(element, parse_scalar(text, dtype::Dtype::Number(element))?))
        }
        Source::Generator { kind, shape } => {
            let shape = match (shape, count_needed) {
                (Some(shape), _) => shape.clone(),
                (None, Some(count)) => vec![count],
                (None, None) => {
                    let word = kind.word();
                    return Err(DataError::misuse(format!(
                        "the size of this argument does not follow from the kernel, so `{word}` needs a shape"
                    ))
                    .with_help(format!("write it after a colon, such as {word}:16x128")));
                }
            };
            check_size(element, &shape)?;
            let mut array = Array::zeros(element, shape)?;
            generate::fill(&mut array, *kind, seed, arg_index);
            Ok(array)
        }
    }
}

/// Help for files in other formats.
const ARRAYS: &str = "write each array by numpy.save to a .npy file, or as raw bytes to a .bin file";

/// Largest generated array in bytes; larger ones are taken for typing errors.
const LARGEST: u64 = 1 << 34;

fn check_size(element: Element, shape: &[usize]) -> Result<(), DataError> {
    match shape_bytes(element, shape) {
        Some(bytes) if bytes as u64 <= LARGEST => Ok(()),
        _ => Err(DataError::misuse(format!(
            "an array of shape {} of {} takes more than 16 GiB",
            shape_text(shape),
            dtype::word(element)
        ))),
    }
}

/// Maximum number of bytes read from a file of unknown length, such as a pipe, unless the kernel needs a known number.
const LONGEST_STREAM: u64 = 1 << 30;

/// Reads a raw array. A file of unknown length must not be longer than the kernel needs.
fn read_raw(
    path: &Path,
    element: Element,
    count_needed: Option<usize>,
    files: &dyn Files,
) -> Result<Array, DataError> {
    let fail = |what: String| DataError::new(format!("{}: {what}", path.display()));
    let unreadable = |error: std::io::Error| fail(format!("cannot read the file: {error}"));
    let Opened { reader, length } = open(path, files)?;
    let size = item_bytes(element);
    let needed = count_needed.map(|count| (count as u64).saturating_mul(size as u64));
    let most = length.or(needed).unwrap_or(LONGEST_STREAM);
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if length.is_none() && bytes.len() as u64 > most {
        return Err(fail(format!("it is longer than the {most} bytes of the argument")));
    }
    if !bytes.len().is_multiple_of(size) {
        return Err(DataError::new(format!(
            "{}: {} bytes are not a whole number of {} values of {size} bytes",
            path.display(),
            bytes.len(),
            dtype::word(element)
        )));
    }
    let container =
        [(&b"PK\x03\x04"[..], "a zip archive, as .npz and .pt are"), (b"\x89HDF", "an HDF5 file")];
    if let Some((_, what)) = container.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(fail(format!("this is {what}, not raw bytes")).with_help(ARRAYS));
    }
    if bytes.starts_with(b"\x93NUMPY") {
        return Err(DataError::new(format!("{}: this is a .npy file, not raw bytes", path.display()))
            .with_help("give it a name that ends in .npy"));
    }
    Array::new(element, vec![bytes.len() / size], bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::Disk;

    #[test]
    fn forms_of_a_source() {
        let generator = |kind, shape: Option<Vec<usize>>| Ok(Source::Generator { kind, shape });
        assert_eq!(Source::parse("randn:16x128", &Disk), generator(Generator::Randn, Some(vec![16, 128])));
        assert_eq!(Source::parse("zeros:16,128", &Disk), generator(Generator::Zeros, Some(vec![16, 128])));
        assert_eq!(Source::parse("ones", &Disk), generator(Generator::Ones, None));
        assert_eq!(Source::parse("dir/x.npy", &Disk), Ok(Source::Npy("dir/x.npy".into())));
        let archive = |path: &str, name: Option<&str>| {
            Ok(Source::Npz { path: path.into(), name: name.map(str::to_owned) })
        };
        assert_eq!(Source::parse("dir/x.npz", &Disk), archive("dir/x.npz", None));
        assert_eq!(Source::parse("dir/x.NPZ:a/b", &Disk), archive("dir/x.NPZ", Some("a/b")));
        assert_eq!(Source::parse("x.BIN", &Disk), Ok(Source::Raw("x.BIN".into())));
        assert_eq!(Source::parse("/etc", &Disk), Ok(Source::Raw("/etc".into())));
        for number in ["-3", "0x10", "1e-3", "inf", "-inf", "nan", "true"] {
            assert_eq!(Source::parse(number, &Disk), Ok(Source::Scalar(number.to_string())));
        }
    }

    #[test]
    fn what_is_no_source() {
        let text = Source::parse("randm:4", &Disk).unwrap_err().to_string();
        assert!(text.contains("`randm:4` is neither a file, a number nor a generator"), "{text}");
        assert!(text.contains("randn:16x128"), "{text}");
        for bad in ["rand:", "rand:4x", "rand:-1", "rand:99999999999999999999", ""] {
            assert!(Source::parse(bad, &Disk).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_come_from_the_shape_or_the_kernel() {
        let ones = Source::parse("ones", &Disk).unwrap();
        assert_eq!(materialize(&ones, Element::F16, Some(5), 0, 0, &Disk).unwrap().shape(), [5]);
        assert!(
            materialize(&ones, Element::F16, None, 0, 0, &Disk)
                .unwrap_err()
                .message
                .contains("needs a shape")
        );
        let shaped = Source::parse("arange:2x3", &Disk).unwrap();
        let array = materialize(&shaped, Element::I32, Some(5), 0, 0, &Disk).unwrap();
        assert_eq!(array.full(), "[[0 1 2]\n [3 4 5]]");
        for huge in ["zeros:1000000x1000000", "zeros:4294967296x4294967296"] {
            let error = materialize(&Source::parse(huge, &Disk).unwrap(), Element::F32, None, 0, 0, &Disk)
                .unwrap_err();
            assert!(error.message.contains("16 GiB"), "{error}");
        }
    }

    #[test]
    fn raw_files() {
        let folder = std::env::temp_dir().join(format!("pto-cli-raw-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.bin");
        std::fs::write(&path, [1, 0, 2, 0, 3]).unwrap();
        let raw = Source::Raw(path.clone());
        assert!(
            materialize(&raw, Element::I16, None, 0, 0, &Disk)
                .unwrap_err()
                .message
                .contains("not a whole number")
        );
        assert_eq!(materialize(&raw, Element::U8, None, 0, 0, &Disk).unwrap().full(), "[1 0 2 0 3]");
        std::fs::write(&path, b"\x93NUMPY..").unwrap();
        assert!(
            materialize(&raw, Element::U8, None, 0, 0, &Disk).unwrap_err().message.contains("a .npy file")
        );
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(materialize(&raw, Element::U8, None, 0, 0, &Disk).is_err());
    }
}
