//! The generated pages in `docs` equal the pages of the instructions. `BLESS=1` rewrites them.

use crate::support::root;
use pto::Profile;
use pto::isa::TileType;
use pto_cli::explain::{
    contract_page, instructions_page, language_pages, language_pictures, operations_page, rules_page,
    symptoms_page,
};
use pto_cli::programs::expected;
use pto_cli::{layout, picture};
use std::collections::BTreeMap;

fn same_or_bless(name: &str, page: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).expect("written");
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == page,
        "docs/{name} is stale: `BLESS=1 cargo test -p pto-cli --test all docs::` writes it anew"
    );
}

/// Files of `tests/rules` and `tests/races` for each rule: those that keep it, and those that break it.
fn shown() -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let mut shown: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for folder in ["rules", "races"] {
        let entries = std::fs::read_dir(root().join("tests").join(folder)).expect("the programs");
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "pto"));
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).expect("a program");
            let repaired = text.contains("func.func @fixed") && folder == "races";
            for line in text.lines() {
                if let Some(rules) = line.strip_prefix("// accepts: ") {
                    for rule in rules.split([',', ' ']).filter(|rule| !rule.is_empty()) {
                        add(&mut shown.entry(rule.to_owned()).or_default().0, &name);
                    }
                }
                for (_, rule) in expected(line) {
                    let (kept, broken) = shown.entry(rule.to_owned()).or_default();
                    add(broken, &name);
                    if repaired {
                        add(kept, &name);
                    }
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
fn the_table_of_operations_is_current() {
    same_or_bless("operations.md", &operations_page());
}

#[test]
fn the_contract_is_current() {
    same_or_bless("contract.md", &contract_page(include_str!("contract_head.md")));
}

#[test]
fn the_list_of_rules_is_current() {
    let shown = shown();
    same_or_bless("rules.md", &rules_page(|rule| shown.get(rule).cloned().unwrap_or_default()));
}

#[test]
fn the_symptoms_are_current() {
    same_or_bless("symptoms.md", &symptoms_page());
}

#[test]
fn the_language_reference_is_current() {
    let pages = language_pages();
    for (file, page) in &pages {
        same_or_bless(file, page);
    }
    for (file, picture) in language_pictures() {
        same_or_bless(&file, &picture);
        assert!(
            pages.iter().any(|(_, page)| page.contains(&format!("](../{file})"))),
            "no page shows {file}"
        );
    }
    for entry in std::fs::read_dir(root().join("docs/language")).expect("docs/language").flatten() {
        let file = format!("language/{}", entry.file_name().to_string_lossy());
        assert!(pages.iter().any(|(known, _)| *known == file), "nothing generates {file}");
    }
}

/// The unquoted words of the commands in the shell blocks of the guide to layouts.
fn layout_commands(page: &str) -> Vec<Vec<String>> {
    let commands = page.lines().filter_map(|line| line.trim_start_matches("$ ").strip_prefix("pto layout "));
    let words = |command: &str| {
        let mut parts = command.splitn(3, '"').skip(1).map(str::to_owned);
        let tile = parts.next().expect("a type in quotes");
        let flags = parts.next().unwrap_or_default();
        std::iter::once(tile).chain(flags.split_whitespace().map(str::to_owned)).collect()
    };
    commands.map(words).collect()
}

fn tile(text: &str) -> TileType {
    pto::text::parse_tile_type(text).unwrap_or_else(|findings| panic!("{text}: {findings:?}")).0
}

#[test]
fn the_pictures_of_layouts_are_current() {
    let page = std::fs::read_to_string(root().join("docs/layouts.md")).expect("docs/layouts.md");
    let mut drawn = Vec::new();
    let mut layouts = Vec::new();
    for words in layout_commands(&page) {
        let flag = |name: &str| words.iter().skip_while(|word| *word != name).nth(1).map(String::as_str);
        let Some(file) = flag("--svg") else { continue };
        let ty = tile(&words[0]);
        let profile = flag("--target").and_then(Profile::from_word).unwrap_or_default();
        assert!(pto::check::tile_type(&ty, profile).is_empty(), "{words:?}");
        let name = file.strip_prefix("docs/").expect("a file in docs");
        same_or_bless(name, &picture::layout(&ty));
        assert!(page.contains(&format!("]({name})")), "the page does not show {name}");
        drawn.push(root().join(file));
        layouts.push(ty.layout().name.word());
    }
    assert_eq!(layouts, ["ND", "DN", "NZ", "ZN", "ZZ", "NN"]);
    drawn.extend(language_pictures().into_iter().map(|(file, _)| root().join("docs").join(file)));
    for entry in std::fs::read_dir(root().join("docs/pictures")).expect("docs/pictures").flatten() {
        assert!(drawn.contains(&entry.path()), "no page shows {}", entry.path().display());
    }
}

#[test]
fn the_guide_to_layouts_shows_what_the_command_prints() {
    let page = std::fs::read_to_string(root().join("docs/layouts.md")).expect("docs/layouts.md");
    let start = page.find("```console\n").expect("a console block");
    let block = page[start..].split("```").nth(1).expect("a block");
    let command = block.lines().nth(1).expect("a command");
    let ty = tile(&layout_commands(command)[0][0]);
    let wanted = format!("console\n{command}\n{}", layout::text(&ty, Profile::Cpu));
    same_or_bless("layouts.md", &page.replacen(block, &wanted, 1));
}

/// The formulas of the table as code.
#[test]
fn the_formulas_of_the_guide_are_those_of_the_layouts() {
    let page = std::fs::read_to_string(root().join("docs/layouts.md")).expect("docs/layouts.md");
    for shape in ["64x32xf16", "32x64xf32"] {
        for name in ["ND", "DN", "NZ", "ZN", "ZZ", "NN"] {
            let row = page.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect("a row");
            let cells: Vec<_> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            let ty = tile(&format!("mat, {shape}, blayout={}, slayout={}", cells[2], cells[3]));
            let layout = ty.layout();
            assert_eq!(layout.name.word(), name);
            let (ir, ic) = (layout.box_rows, layout.box_cols);
            for (r, c) in [(0, 0), (3, 5), (17, 20), (31, 31)] {
                let value = |word: &str| match word {
                    "R" => layout.rows,
                    "C" => layout.cols,
                    "r" => r,
                    "c" => c,
                    "ir" => ir,
                    "ic" => ic,
                    "br" => r / ir,
                    "rr" => r % ir,
                    "bc" => c / ic,
                    "cc" => c % ic,
                    other => panic!("{other} in the formula of {name}"),
                };
                let product = |term: &str| term.split(" * ").map(value).product::<usize>();
                let offset: usize = cells[4].split(" + ").map(product).sum();
                assert_eq!(offset, layout.offset(r, c), "{name} {shape} ({r}, {c})");
            }
        }
    }
}
