//! The floors inside the crates of the library: a room imports rooms on its own floor or below, never above. Between crates
//! Cargo sees to it.

use crate::support::{CRATES, files, needs, source};

/// The rooms of a crate, floor by floor, lowest first.
type Floors = &'static [&'static [&'static str]];

/// The floors of each crate that has several.
const FLOORS: [(&str, Floors); 3] = [
    ("pto-lang", &[&["ir"], &["analysis", "text"], &["check"], &["build", "passes"]]),
    // The machine must not use observers.
    ("pto-machine", &[&["sim"], &["observe"]]),
    ("pto", &[&["data", "shrink"], &["launch", "prove", "sequence", "timeline"], &["lowering"]]),
];

/// The floor of a room.
fn floor_of(floors: Floors, room: &str) -> usize {
    let found = floors.iter().position(|rooms| rooms.contains(&room));
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
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (name, floors) in FLOORS {
        let root = source(name);
        for file in files(&root, "rs") {
            let path = file.strip_prefix(&root).expect("a file of the crate");
            let room = path.components().next().expect("a room").as_os_str().to_string_lossy();
            let room = room.trim_end_matches(".rs");
            if room == "lib" || path.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source");
            for import in imports(&text) {
                seen += 1;
                if floor_of(floors, &import) > floor_of(floors, room) {
                    wrong.push(format!("{name}: {} imports `{import}`", path.display()));
                }
            }
        }
    }
    assert!(seen > 300, "only {seen} imports were found");
    assert_eq!(wrong, Vec::<String>::new());
}

/// A crate must not depend on a crate above it.
#[test]
fn crates_stand_on_crates_below() {
    for (at, name) in CRATES.iter().enumerate() {
        let needs = needs(name);
        for above in &CRATES[at + 1..] {
            assert!(!needs.iter().any(|it| it == above), "{name} depends on {above}");
        }
    }
    assert!(
        needs("pto-typed").iter().any(|it| it == "pto-machine"),
        "the manifests are not what this test reads"
    );
}

/// Tests in a crate whose library is not built for tests would never run, in silence.
#[test]
fn tests_stand_where_they_run() {
    let mut beside = 0;
    for folder in std::fs::read_dir(source("pto").join("../..")).expect("the crates").flatten() {
        let text = std::fs::read_to_string(folder.path().join("Cargo.toml")).expect("a manifest");
        if !text.contains("[lib]\ntest = false") {
            continue;
        }
        beside += 1;
        for file in files(&folder.path().join("src"), "rs") {
            let code = std::fs::read_to_string(&file).expect("a source");
            assert!(!code.contains("#[test]"), "{}: this test never runs", file.display());
        }
    }
    assert!(beside >= 4, "{beside} crates keep their tests beside the library");
}
