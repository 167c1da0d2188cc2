//! The files of the system, for sources of arguments, and those of a call.

use crate::called;
use pto::data::{Array, DataError, Files, Opened, npy};
use pto::isa::Element;
use pto::text::nearest;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The files of the system; those of a [call](called) come first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        if let Some(bytes) = called::file(path) {
            return Ok(Opened { length: Some(bytes.len() as u64), reader: Box::new(io::Cursor::new(bytes)) });
        }
        let file = File::open(path)?;
        let known = file.metadata().ok().filter(std::fs::Metadata::is_file);
        Ok(Opened { length: known.map(|known| known.len()), reader: Box::new(file) })
    }

    fn exists(&self, path: &Path) -> bool {
        called::file(path).is_some() || path.exists()
    }

    fn similar(&self, path: &Path) -> Option<String> {
        similar(path)
    }
}

impl Disk {
    /// The array of a `.npy` file. A large file whose bytes equal those of the array is mapped: its pages are read when
    /// they are used, and shared with other processes.
    ///
    /// # Errors
    /// As for [`npy::read`].
    pub fn npy(&self, path: &Path, element: Element) -> Result<Array, DataError> {
        let mapped = map(path).and_then(|file| npy::shared(file, element));
        mapped.map_or_else(|| npy::read(path, element, self), Ok)
    }
}

/// Maximum number of entries of a folder that are searched for a similar name.
const MOST_ENTRIES: usize = 10_000;

/// Help for a file that does not exist: a file beside it with a similar name.
pub(crate) fn similar(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten().take(MOST_ENTRIES);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = nearest(name, names.iter().map(String::as_str)).filter(|near| *near != name)?;
    Some(format!("did you mean `{}`?", path.with_file_name(near).display()))
}

/// Files of at least this many bytes are mapped. Smaller files are read: this is as fast, and the file may
/// change afterwards.
const WORTH_MAPPING: u64 = 1 << 20;

/// Maps a large file.
#[allow(unsafe_code)]
fn map(path: &Path) -> Option<Arc<memmap2::Mmap>> {
    let file = File::open(path).ok()?;
    let known = file.metadata().ok().filter(|known| known.is_file() && known.len() >= WORTH_MAPPING);
    // SAFETY: the mapping is private and only read. A file that another process shortens during the run ends this process
    // with a signal, as it does for every program that maps its inputs; one that is overwritten gives other numbers.
    known.and_then(|_| unsafe { memmap2::Mmap::map(&file) }.ok()).map(Arc::new)
}
