//! The crates of others: their licences, and the list of `pto --version --verbose`.

use crate::support::folder::out;
use crate::support::{command, root};
use pto_cli::version::DEPENDENCIES;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Licences that a user of the command may rely on: they ask for a notice, and for nothing else.
const ALLOWED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
];

/// A tool of the tests under another licence: it generates `pto.h`, and is not part of any installed package.
const TOOL: &str = "cbindgen";

/// Crates that users install.
const INSTALLED: [&str; 2] = ["pto-cli", "pto-c"];

const LIST: &str = "crates/pto-cli/src/dependencies.txt";

/// The packages of the workspace and of `Cargo.lock` for x86-64 Linux, as cargo describes them.
fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["metadata", "--locked", "--offline", "--format-version", "1"];
    let mut command = Command::new(cargo);
    command.args(words).args(["--filter-platform", "x86_64-unknown-linux-gnu"]).current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Whether the allowed licences satisfy an expression of SPDX licences: at least one alternative of each part.
fn is_allowed(licence: &str) -> bool {
    let one = |name: &str| ALLOWED.contains(&name.trim());
    let part = |part: &str| part.trim_matches(['(', ')', ' ']).split(" OR ").any(one);
    licence.replace('/', " OR ").split(" AND ").all(part)
}

#[test]
fn every_licence_is_one_that_asks_for_a_notice_only() {
    let metadata = metadata();
    let forbidden: Vec<String> = list(&metadata, "packages")
        .iter()
        .filter(|package| !is_allowed(text(package, "license")) && text(package, "name") != TOOL)
        .map(|package| {
            format!("{} {}: {:?}", text(package, "name"), text(package, "version"), package["license"])
        })
        .collect();
    assert!(forbidden.is_empty(), "{}", forbidden.join("\n"));
    assert!(!installed(&metadata).contains(&format!("{TOOL} ")));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0") && is_allowed("GPL-3.0 OR MIT"));
    assert!(!is_allowed("GPL-3.0") && !is_allowed("MIT AND GPL-3.0") && !is_allowed(""));
}

/// The lines about the crates of others that installed ones depend on, not for their builds or tests alone.
fn installed(metadata: &Value) -> String {
    let packages: BTreeMap<&str, &Value> =
        list(metadata, "packages").iter().map(|package| (text(package, "id"), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let is_installed = |id: &&str| INSTALLED.contains(&text(packages[*id], "name"));
    let mut pending: Vec<&str> = packages.keys().copied().filter(is_installed).collect();
    let (mut seen, mut lines) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let package = packages[id];
        if !package["source"].is_null() {
            let [name, version, licence] = ["name", "version", "license"].map(|key| text(package, key));
            lines.insert(format!("{name} {version}: {licence}\n"));
        }
        let is_normal =
            |dependency: &&Value| list(dependency, "dep_kinds").iter().any(|kind| kind["kind"].is_null());
        pending.extend(
            list(nodes[id], "deps").iter().filter(is_normal).map(|dependency| text(dependency, "pkg")),
        );
    }
    lines.into_iter().collect()
}

#[test]
fn the_list_of_dependencies_is_that_of_the_lock_file() {
    let found = installed(&metadata());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(root().join(LIST), &found).expect("the list is written");
        return;
    }
    assert_eq!(found, DEPENDENCIES, "write {LIST} anew with BLESS=1");
}

#[test]
fn the_verbose_version_names_commit_and_licences() {
    let text = out(&command(&["--version", "--verbose"]));
    assert!(text.starts_with(&format!("pto {}\n", pto_cli::version::VERSION)), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("clap ") && line.ends_with(": MIT OR Apache-2.0")),
        "{text}"
    );
    assert_eq!(out(&command(&["--version"])), format!("pto {}\n", pto_cli::version::VERSION));
}
