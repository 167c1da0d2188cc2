//! `docs/pages.md` names existing tests, and one for each statement, or the decision that replaces it. Where programs show a
//! rule, it names lines that keep the rule and lines that break it.

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

/// Whether a function of a program file has lines that keep rules, and lines that break one.
#[derive(Clone, Copy, Default)]
struct Lines {
    keep: bool,
    break_one: bool,
}

/// The lines of a function of a program file; `None` for a Rust test. Constants, returns and the function's own line keep
/// nothing.
fn lines(file: &str, function: &str) -> Option<Lines> {
    let name = file.strip_suffix(".pto")?;
    let text = std::fs::read_to_string(root().join(format!("tests/{name}.pto"))).ok()?;
    let start = text.find(&format!("func.func @{function}("))?;
    let body = text[start..].split("\n}").next()?;
    let mut found = Lines::default();
    for (number, line) in body.lines().enumerate() {
        let expected = ["// error: ", "// extension: ", "// lint: ", "// run-error: "];
        let breaks = expected.iter().any(|word| line.contains(word));
        let operation = number > 0 && !line.contains("arith.constant") && !line.trim().starts_with("return");
        found.break_one |= breaks;
        found.keep |= operation && !breaks;
    }
    Some(found)
}

/// The sections whose rows are rules, unless they name a Rust test.
fn is_of_rules(section: &str) -> bool {
    section.starts_with("A2/A3")
        || section.starts_with("A5")
        || ["Forms and shapes", "Types", "General constraints", "Constraints", "Workspace"].contains(&section)
}

/// A row names lines that keep its rule if it names lines that break it; in a section of rules it names both.
#[test]
fn rules_are_kept_and_broken() {
    let text = page();
    let mut found = Vec::new();
    for section in text.split("\n### ").skip(1) {
        let heading = section.lines().next().unwrap_or_default();
        for (statement, shown) in rows(section) {
            let programs: Vec<_> = named(shown).map(|(file, test)| lines(file, test)).collect();
            let by_a_test = programs.iter().any(Option::is_none);
            let keep = programs.iter().flatten().any(|lines| lines.keep);
            let break_one = programs.iter().flatten().any(|lines| lines.break_one);
            let asked = break_one || is_of_rules(heading) && !shown.contains("decision");
            if asked && !by_a_test && !(keep && break_one) {
                found.push(format!("{heading}: {statement}"));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}
