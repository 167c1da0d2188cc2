//! The commit of the sources, for `pto --version`: that of the repository that holds this crate, or of `PTO_COMMIT` where there is none.

// Cargo reads what a build script prints.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=PTO_COMMIT");
    let commit = std::env::var("PTO_COMMIT").ok().or_else(of_repository);
    let shown = commit.map(|commit| format!(" ({})", commit.trim())).unwrap_or_default();
    println!("cargo:rustc-env=PTO_COMMIT={shown}");
}

/// The commit of the repository two folders up. A packaged crate has none there, even if a repository of somebody else is around it.
fn of_repository() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    if !root.join(".git").exists() {
        return None;
    }
    let git = |words: &[&str]| {
        let run = Command::new("git").args(words).current_dir(root).output().ok()?;
        run.status.success().then(|| String::from_utf8_lossy(&run.stdout).trim().to_owned())
    };
    let head = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={head}");
    git(&["rev-parse", "--short=12", "HEAD"])
}
