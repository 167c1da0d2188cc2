//! Generates tables of the programs that `pto explain` shows: the examples of instructions and of the language, and the
//! programs of the rules; and names the commit of the sources for `pto --version`.
//!
//! `programs/` has links to four folders, which `cargo package` replaces by the files. On a checkout without symbolic
//! links the folders at the root of the repository are used.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

fn main() {
    // Read at run time: a compiled build script may come from another checkout with the same target folder.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let here = Path::new(&here);
    let tables = [
        ("EXAMPLES", "programs/instructions", "../../examples/instructions"),
        ("LANGUAGE", "programs/language", "../../examples/language"),
        ("RULES", "programs/rules", "../../tests/rules"),
        ("RACES", "programs/races", "../../tests/races"),
    ];
    let mut text = String::new();
    for (name, packaged, original) in tables {
        let folder =
            [packaged, original].map(|folder| here.join(folder)).into_iter().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or_else(|| panic!("neither {packaged} nor {original} is a folder"));
        text += &table(name, &folder.canonicalize().expect("the folder is there"));
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("programs.rs"), text).expect("the table is written");
    name_commit(here);
}

/// Sets `PTO_COMMIT` for the crate: the value of that variable, or the commit of the repository two folders up. A packaged crate has none
/// there, even if a repository of somebody else is around it.
fn name_commit(here: &Path) {
    println!("cargo::rerun-if-env-changed=PTO_COMMIT");
    let root = here.ancestors().nth(2).filter(|root| root.join(".git").exists());
    let git = |words: &[&str]| {
        let run = Command::new("git").args(words).current_dir(root?).output().ok()?;
        run.status.success().then(|| String::from_utf8_lossy(&run.stdout).trim().to_owned())
    };
    if let Some(head) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={head}");
    }
    let named = std::env::var("PTO_COMMIT").ok();
    let commit = named.or_else(|| git(&["rev-parse", "--short=12", "HEAD"]));
    let shown = commit.map(|commit| format!(" ({})", commit.trim())).unwrap_or_default();
    println!("cargo::rustc-env=PTO_COMMIT={shown}");
}

/// A constant with the name and the text of each program in a folder, sorted by name.
fn table(name: &str, folder: &Path) -> String {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pto"));
    files.sort();
    let mut text = format!("pub(crate) const {name}: &[(&str, &str)] = &[\n");
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = file.canonicalize().expect("the file is there");
        let _ = writeln!(text, "    ({stem:?}, include_str!({path:?})),");
    }
    text.push_str("];\n");
    text
}
