//! Code shared by tests of the source files.

use std::path::{Path, PathBuf};

pub(crate) mod launch;

/// The files in a folder, recursively, whose names end in `ending`, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path, ending) } else { vec![path] };
    let found = paths.into_iter().flat_map(below);
    found.filter(|path| path.extension().is_some_and(|known| known == ending)).collect()
}
