//! The files for CI at the root: the GitHub action and the hooks for pre-commit. Commands in them exist, and their
//! scripts run, with the built command as `pto` on PATH.
#![allow(clippy::print_stderr)]

use crate::support::folder::{Folder, err, parts};
use crate::support::{command, root};
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

const LEGAL: &str = "func.func @k() {\n  return\n}\n";

const BROKEN: &str = "func.func @k() {\n  pto.tad\n  return\n}\n";

/// A stand-in for cargo: "installs" the built command, and prints its arguments.
#[cfg(unix)]
const CARGO: &str = r#"#!/bin/sh
echo "cargo $*"
while [ $# -gt 1 ]; do shift; done
mkdir -p "$1/bin" && ln -sf "$BUILT" "$1/bin/pto"
"#;

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Whether there is a shell. Prints a note if there is none.
fn has_shell() -> bool {
    let there = Command::new("sh").args(["-c", "exit 0"]).status().is_ok_and(|status| status.success());
    if !there {
        eprintln!("no sh: the scripts for CI were not run");
    }
    there
}

/// The value of PATH with `first` before all folders that hold no `pto`.
fn search_path(first: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let name = format!("pto{}", env::consts::EXE_SUFFIX);
    let rest = env::split_paths(&path).filter(|folder| !folder.join(&name).exists());
    env::join_paths(std::iter::once(first.to_owned()).chain(rest)).expect("folders without separators")
}

/// The folder of the built command.
fn built() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_pto")).parent().expect("a folder")
}

/// Runs a script of the repository in a folder, with `first` at the start of PATH: status, output and messages.
fn script(
    name: &str,
    folder: &Folder,
    first: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String, String) {
    let mut shell = Command::new("sh");
    shell.arg(root().join("scripts").join(name)).args(arguments).current_dir(&folder.0);
    shell.env("PATH", search_path(first)).envs(variables.iter().copied());
    parts(&shell.output().expect("the shell starts"))
}

/// A folder with a legal and a broken program.
fn programs() -> Folder {
    let folder = Folder::new();
    folder.write("good/k.pto", LEGAL);
    folder.write("bad/k.pto", BROKEN);
    folder
}

#[test]
fn the_action_annotates_and_passes_the_status_on() {
    if !has_shell() {
        return;
    }
    let folder = programs();
    let run = |variables: &[(&str, &str)]| script("action.sh", &folder, built(), &[], variables);
    let silent = (Some(0), String::new(), String::new());
    assert_eq!(run(&[("PTO_ACTION_PATHS", "good")]), silent);
    for paths in [".", "", "good bad", "good\nbad\n", "*/k.pto"] {
        let (status, out, err) = run(&[("PTO_ACTION_PATHS", paths)]);
        assert_eq!(status, Some(1), "{paths}: {out}{err}");
        assert!(out.starts_with("::error file=bad/k.pto,line=2,"), "{paths}: {out}{err}");
    }
    let (status, out, err) = run(&[("PTO_ACTION_PATHS", "absent")]);
    assert!(status == Some(2) && out.starts_with("::error file=absent"), "{out}{err}");
    // The arguments replace the default ones.
    let (status, out, err) =
        run(&[("PTO_ACTION_PATHS", "bad"), ("PTO_ACTION_ARGUMENTS", "check --format text")]);
    assert!(status == Some(1) && !out.contains("::error"), "{out}{err}");
    assert!(err.contains("bad/k.pto:2"), "{out}{err}");
    // An executable that is not on PATH, and none.
    let binary = ("PTO_ACTION_BINARY", env!("CARGO_BIN_EXE_pto"));
    let with_binary =
        |binary| script("action.sh", &folder, &folder.0, &[], &[binary, ("PTO_ACTION_PATHS", "good")]);
    assert_eq!(with_binary(binary), silent);
    let (status, out, err) = with_binary(("PTO_ACTION_BINARY", "absent/pto"));
    assert!(status == Some(2) && out.starts_with("::error::absent/pto: "), "{out}{err}");
}

#[cfg(unix)]
#[test]
fn the_action_builds_what_is_not_on_the_path() {
    if !has_shell() {
        return;
    }
    let folder = programs();
    folder.write("temp/path", "");
    folder.script("temp/cargo", CARGO);
    let (temp, path) = (folder.path("temp"), folder.path("temp/path"));
    let run = |first: &Path, version: &str| {
        let variables = [
            ("BUILT", env!("CARGO_BIN_EXE_pto")),
            ("RUNNER_TEMP", temp.as_str()),
            ("GITHUB_PATH", path.as_str()),
            ("PTO_ACTION_VERSION", version),
        ];
        script("action.sh", &folder, first, &[], &variables)
    };
    let (status, out, err) = run(&folder.0.join("temp"), "");
    assert!(status == Some(1) && out.starts_with("::error file=bad/k.pto,line=2,"), "{out}{err}");
    assert_eq!(err, format!("cargo install --locked --path crates/pto-cli --root {temp}/pto-action\n"));
    assert!(root().join("crates/pto-cli/Cargo.toml").exists());
    assert_eq!(folder.read("temp/path"), format!("{temp}/pto-action/bin\n"));
    // The built command has another version than the required one.
    let (status, out, err) = run(&folder.0.join("temp"), "0.0.0");
    assert_eq!(status, Some(2), "{out}{err}");
    assert!(out.starts_with("::error::") && out.ends_with(", not 0.0.0\n"), "{out}{err}");
    // The command on PATH has the required version: nothing is built.
    let (status, _, err) = run(built(), env!("CARGO_PKG_VERSION"));
    assert_eq!((status, err.as_str()), (Some(1), ""));
}

#[test]
fn the_hook_checks_the_text_of_each_program() {
    if !has_shell() {
        return;
    }
    let folder = programs();
    folder.write("with blank.pto", LEGAL);
    folder.write("wide.pto", LEGAL.replace("  ", "      "));
    let run = |arguments: &[&str]| script("fmt_check.sh", &folder, built(), arguments, &[]);
    let silent = (Some(0), String::new(), String::new());
    assert_eq!(run(&["good/k.pto", "with blank.pto"]), silent);
    assert_eq!(run(&["--form=dps", "with blank.pto"]), silent);
    let (status, _, err) = run(&["wide.pto", "good/k.pto"]);
    assert!(status == Some(1) && err.starts_with("wide.pto: not canonical"), "{err}");
    assert!(!err.contains("good/k.pto"), "{err}");
}

/// The values of a key in YAML, for values on the line of their key.
fn values<'t>(yaml: &'t str, key: &str) -> Vec<&'t str> {
    let value =
        |line: &'t str| line.trim_start().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(": ");
    yaml.lines().filter_map(value).collect()
}

/// Fails unless `pto` has the command and the flags of a line.
fn accepted(line: &str) {
    let words: Vec<&str> = line.split_whitespace().chain(["--help"]).collect();
    let output = command(&words);
    assert!(output.status.success(), "pto {line}: {}", err(&output));
}

#[test]
fn hooks_name_commands_that_exist() {
    let hooks = read(".pre-commit-hooks.yaml");
    assert_eq!(values(&hooks, "id"), ["pto-check", "pto-fmt"]);
    let entries = values(&hooks, "entry");
    assert_eq!(entries.len(), 2);
    for entry in entries {
        if let Some(line) = entry.strip_prefix("pto ") {
            accepted(line);
            continue;
        }
        let text = read(entry);
        let calls: Vec<&str> =
            text.lines().filter_map(|line| line.trim_start().strip_prefix("pto ")).collect();
        assert!(!calls.is_empty(), "{entry} does not run pto");
        for call in calls {
            // The words before the variables of the shell.
            accepted(call.split(" $").next().unwrap_or_default());
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(root().join(entry)).expect("a script").permissions().mode();
            assert_eq!(mode & 0o111, 0o111, "{entry} is not executable");
        }
    }
}

#[test]
fn the_action_names_a_command_that_exists() {
    let (action, script) = (read("action.yml"), read("scripts/action.sh"));
    for input in ["paths", "arguments", "version", "binary"] {
        let variable = format!("PTO_ACTION_{}", input.to_uppercase());
        assert!(action.contains(&format!("\n  {input}:\n")), "{input}");
        assert!(action.contains(&format!(" {variable}: ${{{{ inputs.{input} }}}}\n")), "{input}");
        assert!(script.contains(&variable), "{variable}");
    }
    assert!(action.contains("/scripts/action.sh\""), "{action}");
    let (_, after) = action.split_once("\n  arguments:\n").expect("the arguments");
    let default = values(after, "default")[0];
    accepted(default);
    assert!(script.contains(&format!("${{PTO_ACTION_ARGUMENTS:-{default}}}")), "{default}");
    let page = read("docs/ci.md");
    let shown = values(&page, "arguments");
    assert!(!shown.is_empty(), "docs/ci.md shows no arguments of the action");
    shown.into_iter().for_each(accepted);
}
