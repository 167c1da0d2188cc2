//! The pages form a book: every page is in its contents, every link and anchor leads somewhere, every program parses and
//! runs, every command is one that the command line accepts.

use crate::support::root;
use clap::Parser;
use pto_cli::args::Cli;
use pto_cli::device;
use pto_cli::settings::{self, Configured};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Adds the Markdown files of a folder, and of those below it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
}

/// Every page for readers, by path from the root.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = root();
    let mut files = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|file| root.join(file))
        .into();
    for folder in ["docs", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    let read = |file: &PathBuf| std::fs::read_to_string(file).expect("a page");
    files
        .iter()
        .map(|file| (file.strip_prefix(&root).expect("below the root").to_owned(), read(file)))
        .collect()
}

/// A fenced block: its tag and its lines.
struct Block<'p> {
    tag: &'p str,
    lines: Vec<&'p str>,
}

/// The fenced blocks of a page, and the lines outside of them.
fn parts(page: &str) -> (Vec<Block<'_>>, Vec<&str>) {
    let (mut blocks, mut prose): (Vec<Block<'_>>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut open = false;
    for line in page.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(tag) if !open => {
                blocks.push(Block { tag, lines: Vec::new() });
                open = true;
            }
            Some(_) => open = false,
            None if open => blocks.last_mut().expect("an open block").lines.push(line),
            None => prose.push(line),
        }
    }
    assert!(!open, "a block is not closed");
    (blocks, prose)
}

/// The anchor of a heading, as GitHub and mdBook derive it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The targets of the links in a line, outside of code.
fn targets(line: &str) -> Vec<&str> {
    let starts = line.match_indices("](").map(|(at, _)| at + 2);
    starts.filter_map(|at| line[at..].split(')').next()).collect()
}

/// `path` without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[test]
fn every_link_leads_somewhere() {
    let (root, pages) = (root(), pages());
    let anchors = |page: &str| -> Vec<String> {
        parts(page).1.into_iter().filter(|line| line.starts_with('#')).map(anchor).collect()
    };
    let known: BTreeMap<_, _> = pages.iter().map(|(file, page)| (file, anchors(page))).collect();
    let (mut seen, mut broken) = (0, Vec::new());
    for (file, page) in &pages {
        for target in parts(page).1.into_iter().flat_map(targets).filter(|target| !target.contains("://")) {
            seen += 1;
            let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
            let folder = file.parent().unwrap_or(Path::new(""));
            let to = if path.is_empty() { file.clone() } else { plain(&folder.join(path)) };
            let there = root.join(&to).exists();
            let anchored = fragment.is_empty()
                || known.get(&to).is_some_and(|list| list.iter().any(|id| id == fragment));
            if !there || !anchored {
                broken.push(format!("{}: {target}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(seen > 500, "{seen} links");
}

#[test]
fn the_headings_of_a_page_have_distinct_anchors() {
    for (file, page) in pages() {
        if file.starts_with("docs/language") {
            let mut ids: Vec<_> =
                parts(&page).1.into_iter().filter(|line| line.starts_with('#')).map(anchor).collect();
            ids.sort();
            let twice: Vec<_> = ids.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{}: {twice:?}", file.display());
        }
    }
}

#[test]
fn every_page_is_in_the_contents_of_the_book() {
    let pages = pages();
    let contents = &pages[Path::new("docs/SUMMARY.md")];
    let listed: Vec<PathBuf> =
        contents.lines().flat_map(targets).map(|to| Path::new("docs").join(to)).collect();
    for file in pages.keys().filter(|file| file.starts_with("docs") && !file.ends_with("SUMMARY.md")) {
        let times = listed.iter().filter(|known| *known == file).count();
        assert_eq!(times, 1, "docs/SUMMARY.md lists {} {times} times", file.display());
    }
    assert!(listed.iter().all(|file| pages.contains_key(file)), "{listed:?}");
    let book = std::fs::read_to_string(root().join("docs/book.toml")).expect("docs/book.toml");
    assert!(book.contains("src = \".\"") && book.contains("build-dir = "), "{book}");
}

#[test]
fn every_block_has_a_known_tag_and_every_program_is_legal() {
    for (file, page) in pages() {
        for block in parts(&page).0 {
            let text = block.lines.join("\n");
            match block.tag {
                "pto" | "mlir" => {
                    let parsed = pto::parse(&text)
                        .unwrap_or_else(|found| panic!("{}: {found:?}\n{text}", file.display()));
                    let named = block.lines.iter().find_map(|line| line.strip_prefix("// target: "));
                    let named =
                        named.and_then(|list| pto::Profile::from_word(list.split(',').next_back()?.trim()));
                    let checked = pto::check(parsed.module, named);
                    assert!(checked.is_ok(), "{}: {:?}\n{text}", file.display(), checked.err());
                }
                "json" => {
                    assert!(
                        serde_json::from_str::<serde_json::Value>(&text).is_ok(),
                        "{}: {text}",
                        file.display()
                    );
                }
                "toml" => {
                    let folder = std::env::temp_dir().join(format!("pto-book-{}", std::process::id()));
                    std::fs::create_dir_all(&folder).expect("a folder");
                    // A device starts from another one; other tables are settings.
                    let fault = if text.contains("base = ") {
                        let path = folder.join("device.toml");
                        std::fs::write(&path, &text).expect("a file");
                        device::find(path.to_str(), pto::Profile::default()).err()
                    } else {
                        std::fs::write(folder.join(settings::FILE_NAME), &text).expect("a file");
                        Configured::default().of_program(&folder.join("k.pto")).err()
                    };
                    assert!(fault.is_none(), "{}: {fault:?}", file.display());
                    std::fs::remove_dir_all(folder).expect("a folder of ours");
                }
                // `python/tests/test_pages.py` runs those in Python.
                "sh" | "console" | "text" | "yaml" | "python" => {}
                tag => panic!("{}: a block with the tag `{tag}`", file.display()),
            }
        }
    }
}

/// The words of a shell command, without quotes.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ' ') => words.push(String::new()),
            (None, '#') if words.last().is_some_and(String::is_empty) => break,
            (_, c) => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    // A redirection belongs to the shell, not to the command.
    let end = words.iter().position(|word| word == ">").unwrap_or(words.len());
    words.truncate(end);
    words
}

/// The calls of `pto` in a block of commands.
fn calls(block: &Block<'_>) -> Vec<Vec<String>> {
    let joined = block.lines.join("\n").replace("\\\n", " ");
    let line = |line| {
        let line: &str = str::trim_start_matches(line, "$ ");
        // A step of a workflow.
        line.trim_start().strip_prefix("- run: ").unwrap_or(line)
    };
    let lines = joined.lines().map(line);
    let commands = lines.flat_map(|line| line.split(" | ")).map(shell_words);
    commands.filter(|words| words.first().is_some_and(|word| word == "pto")).collect()
}

#[test]
fn every_command_is_accepted_by_the_command_line() {
    let mut seen = 0;
    for (file, page) in pages() {
        for block in parts(&page).0.iter().filter(|block| matches!(block.tag, "sh" | "console" | "yaml")) {
            for call in calls(block) {
                seen += 1;
                if let Err(error) = Cli::try_parse_from(&call) {
                    assert!(!error.use_stderr(), "{}: {}\n{error}", file.display(), call.join(" "));
                }
            }
        }
    }
    assert!(seen > 100, "{seen} commands");
}
