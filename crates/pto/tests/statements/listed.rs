//! `docs/pages.md` names existing tests, and one for each statement, or the decision that replaces it.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/pages.md")).expect("the page")
}

/// The rows of its tables: a statement, and its test.
fn rows(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| states "));
    rows.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | ")).collect()
}

/// The names between backticks, as `file::test`.
fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('`').skip(1).step_by(2).filter_map(|word| word.split_once("::"))
}

/// Whether a test file contains a test, or a program in `tests` contains a function; files of `pto` have no
/// prefix.
fn exists(file: &str, test: &str) -> bool {
    let (path, wanted) = match (file.strip_suffix(".pto"), file.split_once('/')) {
        (Some(_), _) => (format!("tests/{file}"), format!("@{test}(")),
        (None, Some(("cli", rest))) => (format!("crates/pto-cli/tests/{rest}.rs"), format!("fn {test}(")),
        (None, Some(("smith", rest))) => (format!("crates/pto-smith/tests/{rest}.rs"), format!("fn {test}(")),
        (None, Some(("kernels", rest))) => {
            (format!("crates/pto-kernels/src/{rest}.rs"), format!("fn {test}("))
        }
        _ => (format!("crates/pto/tests/{file}.rs"), format!("fn {test}(")),
    };
    std::fs::read_to_string(root().join(path)).is_ok_and(|text| text.contains(&wanted))
}

#[test]
fn every_test_that_the_page_names_exists() {
    let text = page();
    let missing: Vec<_> = rows(&text)
        .into_iter()
        .flat_map(|(_, shown)| named(shown))
        .filter(|(file, test)| !exists(file, test))
        .map(|(file, test)| format!("{file}::{test}"))
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn every_statement_has_a_test_or_a_decision() {
    let text = page();
    let rows = rows(&text);
    assert!(rows.len() > 200, "{} statements", rows.len());
    let bare: Vec<_> = rows
        .iter()
        .filter(|(_, shown)| {
            named(shown).next().is_none() && !shown.contains("decision") && !shown.contains("no claim")
        })
        .map(|(statement, _)| *statement)
        .collect();
    assert_eq!(bare, [""; 0]);
}
