//! Claims of ARCHITECTURE.md about the sources that no type checks.

use crate::support::{CRATES, files, needs, source, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The code of a file without comments and without its unit tests.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("a source");
    let code = text.split("\n#[cfg(test)]\n").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Files of the repository in which code has one of the texts.
fn having(paths: &[PathBuf], texts: &[&str]) -> Vec<String> {
    let has = |file: &&PathBuf| {
        let code = code(file);
        !file.ends_with("tests.rs") && texts.iter().any(|text| code.contains(text))
    };
    paths.iter().filter(has).map(|file| file.display().to_string()).collect()
}

#[test]
fn the_library_neither_reads_files_nor_looks_at_its_environment() {
    let outside = ["std::fs", "std::env", "std::process", "std::net", "print!(", "println!("];
    assert_eq!(having(&sources(), &outside), Vec::<String>::new());
    // The search finds such code where it is.
    assert!(!having(&files(&source("pto-cli"), "rs"), &outside).is_empty());
}

#[test]
fn there_is_one_random_generator() {
    let crates = source("pto").join("../..");
    let all: Vec<PathBuf> =
        files(&crates, "rs").into_iter().filter(|file| !file.ends_with("claims.rs")).collect();
    // Constants of SplitMix64, of MMIX and PCG, and of xorshift64*.
    let constants =
        ["0x9e37_79b9_7f4a", "0xbf58_476d", "0x5851_f42d", "6364136223846793005", "0x2545_f491", "use rand"];
    let found = having(&all, &constants);
    let [one] = found.as_slice() else { panic!("several generators: {found:#?}") };
    assert!(one.ends_with("pto-num/src/random.rs"), "{one}");
}

/// Terms of the field, each of which is one type of the library, public or not. Others, such as `Entry`, mean what their module says.
const TERMS: [&str; 28] = [
    "Buffer",
    "Capabilities",
    "Checked",
    "Cost",
    "Device",
    "Diagnostic",
    "Effect",
    "Element",
    "EventId",
    "FlagFile",
    "Handle",
    "Instruction",
    "Layout",
    "LayoutName",
    "Location",
    "Module",
    "Observer",
    "Op",
    "Overflow",
    "Page",
    "Pipe",
    "Profile",
    "Program",
    "Rounding",
    "Rule",
    "Severity",
    "TileType",
    "Tolerance",
];

/// The name of the type that a line at the margin declares.
fn declared(line: &str) -> Option<&str> {
    let public =
        line.strip_prefix("pub").map_or(line, |rest| rest.split_once(' ').map_or(rest, |(_, rest)| rest));
    let rest = ["struct ", "enum ", "trait ", "type ", "union "]
        .iter()
        .find_map(|word| public.strip_prefix(word))?;
    rest.split(|c: char| !c.is_ascii_alphanumeric()).next()
}

#[test]
fn a_term_of_the_field_is_one_type() {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in sources().into_iter().chain(files(&source("pto-num"), "rs")) {
        for name in code(&file).lines().filter_map(declared) {
            found.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    for term in TERMS {
        let files = found.get(term);
        assert_eq!(files.map(Vec::len), Some(1), "`{term}` is declared in {files:#?}");
    }
}

#[test]
fn the_library_stands_on_three_crates_of_others() {
    let needed = CRATES.into_iter().chain(["pto-num", "pto-kernels"]).flat_map(needs);
    let outside: BTreeSet<String> = needed.filter(|name| !name.starts_with("pto-")).collect();
    assert_eq!(outside.into_iter().collect::<Vec<_>>(), ["half", "miniz_oxide", "serde"]);
}

/// Texts between backquotes in a page that look like files of this repository: a known ending or a folder, and no placeholder.
fn named_files(page: &str) -> Vec<&str> {
    let endings = [".rs", ".hpp", ".py", ".md", ".sh", ".pto"];
    let is_file = |word: &&str| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
        let placeholder =
            word.split(['/', '.']).any(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()));
        plain
            && endings.iter().any(|ending| word.ends_with(ending) && word.len() > ending.len())
            && !placeholder
    };
    page.split('`').skip(1).step_by(2).filter(is_file).collect()
}

#[test]
fn files_that_the_maps_name_exist() {
    let root = &source("pto").join("../../..");
    let folders = ["crates", "cpp", "docs", "examples", "tests", "scripts", "python/src", "python/pto_tools"];
    let there: Vec<String> = ["rs", "hpp", "py", "md", "sh", "pto"]
        .iter()
        .flat_map(|ending| folders.iter().flat_map(move |folder| files(&root.join(folder), ending)))
        .map(|file| file.display().to_string())
        .collect();
    let exists =
        |name: &str| root.join(name).exists() || there.iter().any(|file| file.ends_with(&format!("/{name}")));
    let mut count = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rooms.md", "docs/decisions.md"] {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        for name in named_files(&text) {
            assert!(exists(name), "{page}: there is no `{name}`");
            count += 1;
        }
    }
    assert!(count > 50, "{count} files are named");
}
