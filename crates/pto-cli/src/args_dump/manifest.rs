//! Reads a dump: its records, and the contents of tensors on demand.

use super::{CONTENTS, Entry, Kind, Layout, MANIFEST, Raw};
use pto::data::{DataError, clip};
use serde::Deserialize;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Largest accepted `args_dump.json`, in bytes.
const LARGEST: u64 = 1 << 28;

/// A dump. The contents of tensors stay in their file until they are asked for.
pub struct Dump {
    /// The folder of its files.
    pub folder: PathBuf,
    /// The records, in order.
    pub entries: Vec<Entry>,
    /// Records that cannot be understood.
    pub problems: Vec<String>,
    /// Number of records that the recorder lost.
    pub dropped: u64,
    contents: File,
    /// The paths of the manifest and of the contents.
    paths: (PathBuf, PathBuf),
    /// Size of the contents in bytes.
    pub length: u64,
}

/// The object of `args_dump.json`.
#[derive(Deserialize)]
struct Written {
    bin_format: Option<Format>,
    #[serde(default)]
    bin_file: Option<String>,
    args: Vec<Raw>,
    #[serde(default)]
    dropped_records: u64,
}

#[derive(Deserialize)]
struct Format {
    #[serde(rename = "type")]
    kind: Option<String>,
    byte_order: Option<String>,
}

impl Dump {
    /// Opens a dump. `path` is `args_dump.json`, its folder, or the parent of the folder `args_dump`.
    ///
    /// # Errors
    /// Unreadable files, a manifest that is not JSON, a dump without contents.
    pub fn open(path: &Path) -> Result<Dump, DataError> {
        let manifest = manifest(path)?;
        let fail = |what: String| DataError::new(format!("{}: {what}", manifest.display()));
        let unreadable =
            |error| DataError::misuse(format!("{}: cannot read the file: {error}", manifest.display()));
        let mut text = Vec::new();
        File::open(&manifest)
            .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut text))
            .map_err(unreadable)?;
        if text.len() as u64 > LARGEST {
            return Err(fail(format!("more than {LARGEST} bytes are too many for a list of arguments")));
        }
        let written: Written = serde_json::from_slice(&text).map_err(|error| {
            let what =
                if error.is_eof() { "the file ends too early" } else { "this is no dump of arguments" };
            fail(format!("{what}: {error}"))
        })?;
        drop(text);
        check_format(written.bin_format.as_ref()).map_err(fail)?;
        let name = written.bin_file.ok_or_else(|| {
            fail("it has no contents (`bin_file` is null)".into())
                .with_help("dump with level 2, which keeps the contents")
        })?;
        let folder = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
        let place = contents_beside(&folder, &name).map_err(fail)?;
        let contents = File::open(&place).map_err(|error| {
            DataError::misuse(format!("{}: cannot read the file: {error}", place.display()))
        })?;
        let length = contents.metadata().map_or(0, |known| known.len());
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        for (at, Raw(entry)) in written.args.into_iter().enumerate() {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => problems.push(format!("record {at}: {}", clip(&error, 240))),
            }
        }
        let dropped = written.dropped_records;
        Ok(Dump { folder, entries, problems, dropped, contents, paths: (manifest, place), length })
    }

    /// The places of the elements of a tensor; its description is checked ([`Entry::check`]).
    ///
    /// # Errors
    /// The mismatch, with the wrong file.
    pub fn layout(&self, entry: &Entry) -> Result<Layout, DataError> {
        let ends = entry.bin_offset.saturating_add(entry.bin_size);
        let file = if ends > self.length { &self.paths.1 } else { &self.paths.0 };
        entry.check(self.length).map_err(|error| in_file(file, error))
    }

    /// The contents of a tensor whose description [`Entry::check`] has accepted.
    ///
    /// # Errors
    /// A file that cannot be read, or has become shorter.
    pub fn read(&self, entry: &Entry) -> Result<Vec<u8>, DataError> {
        self.read_part(entry).map_err(|error| in_file(&self.paths.1, error))
    }

    fn read_part(&self, entry: &Entry) -> Result<Vec<u8>, DataError> {
        let size = usize::try_from(entry.bin_size).map_err(|_| entry.error("it does not fit in memory"))?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| entry.error("it does not fit in memory"))?;
        let mut file = &self.contents;
        file.seek(SeekFrom::Start(entry.bin_offset))
            .and_then(|_| file.take(entry.bin_size).read_to_end(&mut bytes))
            .map_err(|error| entry.error(format!("cannot read its contents: {error}")))?;
        if bytes.len() != size {
            return Err(entry.error("the file of the contents has become shorter"));
        }
        Ok(bytes)
    }

    /// The pairs of records whose contents are in the file and overlap there, by index.
    pub fn overlaps(&self) -> Vec<(usize, usize)> {
        let tensors = self.entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Tensor);
        let mut ranges: Vec<(u64, u64, usize)> = tensors
            .map(|(at, entry)| (entry.bin_offset, entry.bin_offset.saturating_add(entry.bin_size), at))
            .filter(|(start, end, _)| start < end && *end <= self.length)
            .collect();
        ranges.sort_unstable();
        let mut overlaps = Vec::new();
        let mut widest: Option<(u64, usize)> = None;
        for (start, end, at) in ranges {
            if let Some((_, other)) = widest.filter(|(widest, _)| *widest > start) {
                overlaps.push((other, at));
            }
            if widest.is_none_or(|(widest, _)| end > widest) {
                widest = Some((end, at));
            }
        }
        overlaps
    }
}

/// Puts the file in front of an error in one of its members.
fn in_file(file: &Path, error: DataError) -> DataError {
    DataError { message: format!("{}: {}", file.display(), error.message), ..error }
}

/// The manifest that a path means.
fn manifest(path: &Path) -> Result<PathBuf, DataError> {
    if path.is_file() {
        return Ok(path.to_path_buf());
    }
    let places = [path.join(MANIFEST), path.join("args_dump").join(MANIFEST)];
    places.into_iter().find(|place| place.is_file()).ok_or_else(|| {
        DataError::misuse(format!("{}: there is no {MANIFEST}", path.display()))
            .with_help("name the folder `args_dump` of a run with --dump-args")
    })
}

/// The file of the contents, which must be in the folder of the manifest.
fn contents_beside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    match Path::new(name).file_name() {
        Some(file) if Path::new(file) == Path::new(name) => Ok(folder.join(file)),
        _ => Err(format!(
            "`bin_file` is `{}`, but must be a file beside it, such as {CONTENTS}",
            clip(name, 60)
        )),
    }
}

fn check_format(format: Option<&Format>) -> Result<(), String> {
    let Some(Format { kind, byte_order }) = format else { return Ok(()) };
    let known = [(kind, "logical_contiguous"), (byte_order, "little_endian")];
    match known.iter().find_map(|(found, known)| found.as_ref().filter(|found| found != known)) {
        Some(other) => Err(format!("contents in the format `{}` cannot be read", clip(other, 40))),
        None => Ok(()),
    }
}
