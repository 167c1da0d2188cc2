//! Programs with annotated findings: every rule of every instruction, accepted and rejected.
//!
//! The files are `tests/rules/*.pto` at the root of the repository; `readme.pto` there explains the format.
//! `BLESS=1 cargo test --test rules` rewrites the annotations to the current findings.

#[path = "rules/coverage.rs"]
mod coverage;
#[path = "rules/file.rs"]
mod file;
#[path = "rules/profiles.rs"]
mod profiles;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let paths = programs("rules");
    let mut trials = Vec::new();
    for path in paths.clone() {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        trials.push(Trial::test(name, move || {
            let text = std::fs::read_to_string(&path)?;
            let outcome = file::judge(&text);
            if bless {
                return Ok(std::fs::write(&path, file::bless(&text, &outcome))?);
            }
            file::compare(&text, &outcome).map_err(Into::into)
        }));
    }
    trials.push(Trial::test("every_rule_is_accepted_and_rejected", move || {
        let texts = |paths: &[PathBuf]| -> std::io::Result<Vec<String>> {
            paths.iter().map(std::fs::read_to_string).collect()
        };
        coverage::check(&texts(&paths)?, &texts(&programs("races"))?).map_err(Into::into)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The programs in a folder of `tests`, by name.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pto"));
    paths.sort();
    paths
}
