//! Code shared by the tests of data.

use super::{Files, Opened};
use std::io;
use std::path::Path;

/// The files of the system.
pub(super) struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        let file = std::fs::File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Opened { reader: Box::new(file), length: Some(length) })
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}
