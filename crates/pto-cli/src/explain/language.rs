//! The generated language reference: `docs/language.md` and a page per chapter in `docs/language`.

use super::operation::{NOT_RUN, spellings};
use super::{attribute, word};
use crate::picture::diagram;
use crate::programs::{self, Example};
use pto::isa::Op;
use pto::isa::language::{self, Chapter, Word, chapter_of, chapters};
use pto::isa::rules;
use pto::text::form;
use std::fmt::Write;

const GENERATED: &str = "Generated from the tables of the language; `BLESS=1 cargo test -p pto-cli --test all docs::` writes it anew.";

/// The pages of the reference: the file in `docs`, and its text.
pub fn language_pages() -> Vec<(String, String)> {
    let mut pages = vec![("language.md".to_owned(), index())];
    pages.extend(chapters().iter().map(|chapter| (format!("language/{}.md", chapter.name), page(chapter))));
    pages.push(("language/attributes.md".to_owned(), attribute::page()));
    pages
}

/// The pictures of the reference: the file in `docs`, and its text.
pub fn language_pictures() -> Vec<(String, String)> {
    let operations = Op::all().filter(|op| shows_pictures(*op) == Some(*op));
    operations.filter_map(|op| Some((picture(op), diagram(op.page())?))).collect()
}

/// The file of an operation's picture, in `docs`.
fn picture(op: Op) -> String {
    format!("pictures/{}.svg", op.page().name)
}

/// The first operation of the chapter that has the pictures of this one; families of operations share them.
fn shows_pictures(op: Op) -> Option<Op> {
    let captions = |op: Op| op.page().pictures.iter().map(|picture| picture.caption);
    if op.page().pictures.is_empty() {
        return None;
    }
    chapter_of(op)?.operations().find(|other| captions(*other).eq(captions(op)))
}

/// The anchor of a heading, as GitHub and mdBook derive it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The contents of the reference, and every word with the page that explains it.
fn index() -> String {
    let mut text = format!(
        "# The language\n\n{GENERATED}\n\n\
         What a `.pto` program may contain, by subject. `pto explain WORD` says the same in a terminal, in any case, and \
         `pto explain --search \"row sum\"` finds a word that is not known. The instructions that compute are in \
         [instructions.md](instructions.md), the rules in [rules.md](rules.md); [tutorial.md](tutorial.md) writes a kernel \
         from nothing.\n\n| page | words | operations |\n|---|---|---|\n"
    );
    for chapter in chapters() {
        let words: Vec<_> = chapter.words.iter().map(|word| format!("`{}`", word.name)).collect();
        let count = chapter.operations().count();
        let _ = writeln!(
            text,
            "| [{}](language/{}.md) | {} | {} |",
            chapter.title,
            chapter.name,
            words.join(" "),
            if count == 0 { String::new() } else { count.to_string() }
        );
    }
    text.push_str("| [Attributes of operations](language/attributes.md) | | |\n\n## Every word\n\n");
    let mut entries: Vec<(&str, String)> = Vec::new();
    for word in language::words() {
        let link = link(word.name, "language/").unwrap_or_default();
        entries.extend(word.names().map(|name| (name, link.clone())));
    }
    for op in Op::all().filter(|op| chapter_of(*op).is_some()) {
        entries.push((op.name(), link(op.page().name, "language/").unwrap_or_default()));
    }
    entries.sort_by_key(|(name, _)| name.to_lowercase());
    for (name, link) in entries {
        let _ = writeln!(text, "- [`{name}`]({link})");
    }
    text
}

/// The place that explains a name, from a page in `folder`; `None` for names that only the command explains.
fn link(name: &str, folder: &str) -> Option<String> {
    let up = if folder.is_empty() { "../" } else { "" };
    if name.contains("::") || rules::find(name).is_some() {
        return Some(format!("{up}rules.md"));
    }
    if let Some(op) = Op::find_spelling(name) {
        return Some(match chapter_of(op) {
            Some(chapter) => format!("{folder}{}.md#{}", chapter.name, anchor(op.name())),
            None => format!("{up}instructions.md"),
        });
    }
    if let Some(word) = language::find(name) {
        let holds = |chapter: &&Chapter| chapter.words.iter().any(|known| known.name == word.name);
        let chapter = chapters().iter().find(holds)?;
        return Some(format!("{folder}{}.md#{}", chapter.name, anchor(word.name)));
    }
    (!attribute::find(name).is_empty()).then(|| format!("{folder}attributes.md"))
}

/// The page of a chapter: words, operations, programs.
fn page(chapter: &Chapter) -> String {
    let mut text = format!("# {}\n\n{GENERATED}\n", chapter.title);
    for paragraph in chapter.intro {
        let _ = write!(text, "\n{paragraph}\n");
    }
    let mut shown: Vec<Example> = Vec::new();
    text.push_str("\n## Words\n");
    for word in chapter.words {
        word_entry(&mut text, word, &mut shown);
    }
    let mut operations = chapter.operations().peekable();
    if operations.peek().is_some() {
        text.push_str("\n## Operations\n");
    }
    for op in operations {
        operation_entry(&mut text, op, &mut shown);
    }
    text.push_str("\n## Programs\n");
    shown.sort_by_key(|example| example.name);
    for example in shown {
        let flags: String = example.flags.iter().map(|flag| format!(" {flag}")).collect();
        let file = example.file();
        let _ = write!(
            text,
            "\n### Program {}\n\n```pto\n{}```\n\n```sh\npto run {file}{flags}\n```\n",
            example.name, example.text
        );
    }
    text
}

/// The link to the program of an entry, which the page shows once.
fn program(text: &mut String, example: Option<Example>, shown: &mut Vec<Example>) {
    let Some(example) = example else { return };
    let _ =
        write!(text, "\nProgram: [{}](#{}).\n", example.name, anchor(&format!("Program {}", example.name)));
    if !shown.iter().any(|known| known.name == example.name) {
        shown.push(example);
    }
}

fn word_entry(text: &mut String, word: &Word, shown: &mut Vec<Example>) {
    let _ = write!(text, "\n### `{}`\n\n{}", word.name, word.summary);
    if !word.text.is_empty() {
        let _ = write!(text, " {}", word.text);
    }
    text.push('\n');
    if !word.syntax.is_empty() {
        let _ = write!(text, "\n```text\n{}\n```\n", word.syntax.join("\n"));
    }
    if !word.aliases.is_empty() {
        let names: Vec<_> = word.aliases.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "\nAlso: {}.\n", names.join(", "));
    }
    program(text, word::example(word), shown);
    let see = word.see.iter().filter_map(|name| Some(format!("[`{name}`]({})", link(name, "")?)));
    let see: Vec<_> = see.collect();
    if !see.is_empty() {
        let _ = write!(text, "\nSee {}.\n", see.join(", "));
    }
}

fn operation_entry(text: &mut String, op: Op, shown: &mut Vec<Example>) {
    let page = op.page();
    let runs = if op.meaning().runs() { String::new() } else { format!(" ({NOT_RUN})") };
    let _ = write!(
        text,
        "\n### `{}`\n\n{}{runs}\n\n```text\n{}\n```\n\n`{}`\n",
        op.name(),
        page.summary,
        spellings(page).join("\n"),
        page.formula
    );
    for spec in page.attributes {
        let _ = write!(
            text,
            "\n- `{}`: {} ({}). {}",
            form::attribute(page, spec),
            spec.kind.describe().replace('<', "\\<"),
            spec.describe_default(),
            spec.summary
        );
    }
    if !page.attributes.is_empty() {
        text.push('\n');
    }
    match shows_pictures(op) {
        Some(first) if first == op => {
            let _ = write!(text, "\n![{}](../{})\n", page.summary.trim_end_matches('.'), picture(op));
        }
        Some(first) => {
            let _ = write!(text, "\nPicture: that of [`{}`](#{}).\n", first.name(), anchor(first.name()));
        }
        None => {}
    }
    program(text, programs::using(op), shown);
}
