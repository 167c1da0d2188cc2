//! The generated pages in `docs` are what the instructions' own pages say. `BLESS=1` writes them anew.

use pto_cli::explain::{instructions_page, rules_page};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn same_or_bless(name: &str, page: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).expect("written");
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == page,
        "docs/{name} is stale: `BLESS=1 cargo test -p pto-cli --test docs` writes it anew"
    );
}

/// For each rule the files of `tests/rules` that keep it, and those that break it.
fn shown() -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let mut shown: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let folder = root().join("tests/rules");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("tests/rules").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pto"));
    files.sort();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a program");
        for line in text.lines() {
            if let Some(rules) = line.strip_prefix("// accepts: ") {
                for rule in rules.split([',', ' ']).filter(|rule| !rule.is_empty()) {
                    add(&mut shown.entry(rule.to_owned()).or_default().0, &name);
                }
                continue;
            }
            for word in ["// error: ", "// extension: ", "// lint: ", "// run-error: "] {
                let Some((_, rules)) = line.split_once(word) else { continue };
                let rules = rules.split([',', ';', ' ']).filter(|rule| rule.contains("::"));
                for rule in rules {
                    add(&mut shown.entry(rule.to_owned()).or_default().1, &name);
                }
            }
        }
    }
    shown
}

fn add(files: &mut Vec<String>, name: &str) {
    if !files.iter().any(|known| known == name) {
        files.push(name.to_owned());
    }
}

#[test]
fn the_table_of_instructions_is_current() {
    let unsupported = pto::check::unsupported();
    let names: Vec<&str> = unsupported.iter().map(String::as_str).collect();
    same_or_bless("instructions.md", &instructions_page(&names));
}

#[test]
fn the_list_of_rules_is_current() {
    let shown = shown();
    same_or_bless("rules.md", &rules_page(|rule| shown.get(rule).cloned().unwrap_or_default()));
}
