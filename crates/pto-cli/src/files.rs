//! The files of the system, for sources of arguments.

use pto::data::{Files, Opened};
use std::fs::File;
use std::io;
use std::path::Path;

/// The files of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        let file = File::open(path)?;
        let known = file.metadata().ok().filter(std::fs::Metadata::is_file);
        Ok(Opened { length: known.map(|known| known.len()), reader: Box::new(file) })
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}
