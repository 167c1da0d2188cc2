//! Access to files, which the caller provides.

use super::DataError;
use std::io;
use std::io::{Read, Seek};
use std::path::Path;

/// The contents of a file. Seeking may fail if it is not a regular file; only archives need it.
pub trait Contents: Read + Seek {}

impl<T: Read + Seek> Contents for T {}

/// A file that a source names, opened for reading.
pub struct Opened {
    /// Contents of the file.
    pub reader: Box<dyn Contents>,
    /// Length of the file in bytes; `None` if it is not a regular file.
    pub length: Option<u64>,
}

/// The files that sources name. The library opens none itself.
pub trait Files {
    /// Opens a file.
    ///
    /// # Errors
    /// Errors of the system.
    fn open(&self, path: &Path) -> io::Result<Opened>;

    /// Whether there is a file with that path.
    fn exists(&self, path: &Path) -> bool;

    /// Help for a file that cannot be opened, such as the name of a file beside it.
    fn similar(&self, _: &Path) -> Option<String> {
        None
    }
}

/// Opens a file of a user.
///
/// # Errors
/// Errors of the system, reported as misuse of the command.
pub(super) fn open(path: &Path, files: &dyn Files) -> Result<Opened, DataError> {
    files.open(path).map_err(|error| {
        let help =
            files.similar(path).unwrap_or_else(|| "a path is relative to the current folder".to_owned());
        DataError::misuse(format!("{}: cannot open the file: {error}", path.display())).with_help(help)
    })
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn open(&self, _: &Path) -> io::Result<Opened> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }
}
