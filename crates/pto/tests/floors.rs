//! The floors of the library: a room imports rooms on its own floor or below, never above.

use crate::support::files;
use std::path::Path;

/// The rooms, floor by floor, lowest first.
const FLOORS: [&[&str]; 9] = [
    // The instruction set: pages, rules, diagnostics, and the state on which formulas run.
    &["arena", "diag", "exec", "isa"],
    &["ir"],
    &["analysis", "text"],
    &["check"],
    &["build", "passes", "shrink"],
    &["sim"],
    &["data"],
    &["observe"],
    &["intrinsics", "launch", "prove", "sequence", "timeline"],
];

/// The floor of a room.
fn floor_of(room: &str) -> usize {
    let found = FLOORS.iter().position(|rooms| rooms.contains(&room));
    found.unwrap_or_else(|| panic!("`{room}` is on no floor: name it in this test"))
}

/// The rooms that a text names in paths from the root of the crate; comments and unit tests may name any.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\n").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let mut found = Vec::new();
    for path in code.split("crate::").skip(1) {
        let paths: Vec<&str> = match path.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![path],
        };
        let name = |path: &str| {
            path.trim().split(|it: char| !it.is_alphanumeric() && it != '_').next().map(str::to_owned)
        };
        found.extend(paths.into_iter().filter_map(name));
    }
    // Others are items at the root of the crate.
    found.retain(|name| name.starts_with(char::is_lowercase));
    found
}

#[test]
fn groups_of_imports_are_seen() {
    let text = "use crate::{check, text::parse};\n// crate::sim\nlet it = crate::data::read();\n#[cfg(test)]\nuse crate::timeline;";
    assert_eq!(imports(text), ["check", "text", "data"]);
}

#[test]
fn rooms_import_nothing_from_floors_above() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in files(&root, "rs") {
        let path = file.strip_prefix(&root).expect("a file of the crate");
        let room = path.components().next().expect("a room").as_os_str().to_string_lossy();
        let room = room.trim_end_matches(".rs");
        if room == "lib" || path.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source");
        for import in imports(&text) {
            // Functions at the root are of the rooms that they are named after.
            seen += 1;
            if floor_of(&import) > floor_of(room) {
                wrong.push(format!("{} imports `{import}`", path.display()));
            }
        }
    }
    assert!(seen > 1000, "only {seen} imports were found");
    assert_eq!(wrong, Vec::<String>::new());
}
