//! Code shared by tests of the source files.

use std::path::{Path, PathBuf};

pub(crate) mod launch;

/// The crates of the library, from the lowest up.
pub(crate) const CRATES: [&str; 5] = ["pto-isa", "pto-lang", "pto-machine", "pto-typed", "pto"];

/// The sources of a crate.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// The source files of the library.
pub(crate) fn sources() -> Vec<PathBuf> {
    let found: Vec<PathBuf> = CRATES.iter().flat_map(|name| files(&source(name), "rs")).collect();
    assert!(found.len() > 500, "the sources are not where they were");
    found
}

/// Names of the crates that a crate needs, without those that only its tests need.
pub(crate) fn needs(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(source(name).join("../Cargo.toml")).expect("a manifest");
    let (mut names, mut are_needs) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with('[') {
            are_needs = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
        } else if are_needs && line.starts_with(|c: char| c.is_ascii_lowercase()) {
            names.extend(line.split([' ', '.', '=']).next().map(str::to_owned));
        }
    }
    names
}

/// The files in a folder, recursively, whose names end in `ending`, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path, ending) } else { vec![path] };
    let found = paths.into_iter().flat_map(below);
    found.filter(|path| path.extension().is_some_and(|known| known == ending)).collect()
}
