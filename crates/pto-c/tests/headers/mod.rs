//! The headers compile with the installed compilers, and calls of kernels produce the dialect.
//!
//! `cpp/tests/recorder.cpp` takes the place of the library: it prints the form of each call.

mod places;
mod recorded;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const COMPILERS: [&str; 2] = ["g++", "clang++"];
const STANDARDS: [&str; 2] = ["c++17", "c++20"];

/// Targets and modes: a target selects layouts, and automatic mode gives tiles memory of their own.
const MODES: [&[&str]; 4] =
    [&["-DPTO_TARGET_CPU"], &["-DPTO_TARGET_A2A3"], &["-DPTO_TARGET_A5"], &["-D__PTO_AUTO__"]];

/// The folder with headers and tests.
fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp"))
}

/// Compilers that run here. A test without one prints that, and passes.
#[allow(clippy::print_stderr)]
pub(crate) fn compilers() -> Vec<&'static str> {
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success());
    let found: Vec<&str> = COMPILERS.into_iter().filter(runs).collect();
    if found.is_empty() {
        eprintln!("not run: there is neither g++ nor clang++");
    }
    found
}

/// A compiler with the flags of all tests.
fn compiler(name: &str, standard: &str, mode: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.arg(format!("-std={standard}")).args(["-Wall", "-Wextra", "-Werror"]).args(mode);
    command.arg("-I").arg(folder().join("include"));
    command
}

/// The files with this extension in a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of tests");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == "cpp")).collect();
    all.sort();
    all
}

/// The message of a failed command.
fn complaint(command: &Command, output: &Output) -> String {
    format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr))
}

#[test]
fn tests_and_examples_of_pages_compile() {
    let tests = folder().join("tests");
    let files = [sources(&tests), sources(&tests.join("pages"))].concat();
    let every_call = vec![tests.join("operations.cpp")];
    for name in compilers() {
        for standard in STANDARDS {
            // Targets select layouts, which no standard changes; and one file has every call.
            let (modes, files) =
                if standard == STANDARDS[0] { (&MODES[..], &files) } else { (&MODES[2..], &every_call) };
            for mode in modes {
                // One run of the compiler for all files: most of its time is in the headers.
                let mut command = compiler(name, standard, mode);
                command.arg("-fsyntax-only").args(files);
                let output = command.output().expect("the compiler runs");
                assert!(output.status.success(), "{}", complaint(&command, &output));
            }
        }
    }
}

#[test]
fn each_header_compiles_alone() {
    let include = folder().join("include");
    let folders = ["pto", "pto/common", "pto/npu/a5", "acl", "acl/error_codes", "runtime", "lib", ""];
    if let Some(name) = compilers().first() {
        for folder in folders.map(|name| include.join(name)) {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let paths = entries.map(|entry| entry.expect("an entry").path());
            for path in paths.filter(|path| path.extension().is_some_and(|it| it == "hpp" || it == "h")) {
                let mut command = compiler(name, "c++17", &["-x", "c++", "-fsyntax-only"]);
                command.arg("-include").arg(&path).arg("/dev/null");
                let output = command.output().expect("the compiler runs");
                assert!(output.status.success(), "{}", complaint(&command, &output));
            }
        }
    }
}

#[test]
fn simt_functions_are_refused_with_a_sentence() {
    let text = "#include <pto/pto-inst.hpp>\ninline AICORE __simt_vf__ void lanes(__gm__ float *data) { data[0] = 1; }\n";
    refuses("simt.cpp", text, "SIMT functions (__simt_vf__) are no tile instructions");
}

#[test]
fn grids_of_ranks_are_refused_with_a_sentence() {
    for header in ["grid_intrinsic.hpp", "grid_pipe_runtime.hpp"] {
        let text = format!("#include <pto/pto-inst.hpp>\n#include <pto/npu/a2a3/{header}>\n");
        refuses("grid.cpp", &text, "grids of ranks (GridPipe) are no part of the registry");
    }
}

/// Compiles a source that is refused with a sentence.
fn refuses(name: &str, text: &str, sentence: &str) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a file");
    for name in compilers() {
        let mut command = compiler(name, "c++17", &["-fsyntax-only"]);
        let output = command.arg(&file).output().expect("the compiler runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(sentence), "{said}");
    }
}
