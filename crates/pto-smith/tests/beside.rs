//! Attributes of all kinds, recorded cases and manifests: the toolchain returns a result for any contents. The fuzzing
//! targets of these names call the same code.

use crate::support;

use pto_smith::generate::{attributes, case, generate, manifest};
use pto_smith::{Rng, survive};
use std::path::{Path, PathBuf};
use support::{Case, each_seed, judged};

#[test]
fn attributes_of_all_kinds_are_answered() {
    each_seed(300, |seed| {
        let mut rng = Rng::new(seed ^ 0xa77);
        let text = attributes(&generate(&mut rng).text, &mut rng);
        judged(seed, &text, survive);
    });
}

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("pto-smith-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Parses texts of a kind twice each: the results are equal, and some, but not all, are accepted.
fn read_all<T: std::fmt::Debug>(
    (file, salt): (&str, u64),
    text: impl Fn(&mut Rng) -> String,
    read: impl Fn(&Path) -> Result<T, String>,
) {
    let folder = Folder::new(file);
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..support::runs(400) {
        let text = text(&mut Rng::new(seed ^ salt));
        let case = Case::new(seed, &text);
        std::fs::write(folder.0.join(file), &text).expect("a file");
        let (first, second) = (read(&folder.0), read(&folder.0));
        let same = format!("{first:?}") == format!("{second:?}");
        case.end(if same { Ok(()) } else { Err("it is read in two ways".to_owned()) });
        match first {
            Ok(_) => accepted += 1,
            Err(message) => {
                assert!(!message.is_empty());
                refused += 1;
            }
        }
    }
    assert!(accepted * 10 > refused && refused * 10 > accepted, "{accepted} accepted, {refused} refused");
}

#[test]
fn recorded_cases_of_all_kinds_are_answered() {
    let read = |folder: &Path| pto_cli::case::Case::read(folder).map_err(|error| error.to_string());
    read_all(("case.json", 0xca5e), case, read);
}

#[test]
fn manifests_of_all_kinds_are_answered() {
    let read = |folder: &Path| {
        pto_cli::manifest::read(&folder.join("manifest.json")).map_err(|error| error.to_string())
    };
    read_all(("manifest.json", 0x3a11), manifest, read);
}
