//! A word of the language as text and as JSON: meaning, spelling, related words, example.

use super::{attribute, indent, of_group, rule};
use crate::programs::{self, Example};
use pto::isa::language::{Word, chapters};
use serde_json::{Value, json};
use std::fmt::Write;

/// The example of a word.
pub(super) fn example(word: &Word) -> Option<Example> {
    (!word.example.is_empty()).then(|| programs::named(word.example)).flatten()
}

/// The file of the chapter that explains a word, in `docs`.
fn chapter(word: &Word) -> Option<String> {
    let holds = |known: &&Word| known.name == word.name;
    let chapter = chapters().iter().find(|chapter| chapter.words.iter().any(|known| holds(&known)))?;
    Some(format!("docs/language/{}.md", chapter.name))
}

/// The spelling, the meaning and an example of a word; then the attribute and the rules with that name.
pub(super) fn text(word: &'static Word) -> String {
    let mut text = format!("{}: {}\n", word.name, word.summary);
    if !word.text.is_empty() {
        let _ = writeln!(text, "\n{}", word.text);
    }
    if !word.syntax.is_empty() {
        text.push('\n');
        indent(&mut text, word.syntax.iter().copied());
    }
    text.push('\n');
    for (key, list) in [("also", word.aliases), ("see", word.see)] {
        if !list.is_empty() {
            let _ = writeln!(text, "{key:<8} {}", list.join(", "));
        }
    }
    if let Some(file) = chapter(word) {
        let _ = writeln!(text, "{:<8} {file}", "page");
    }
    let uses: String = word.names().map(attribute::text).collect();
    if !uses.is_empty() {
        let _ = write!(text, "\n{uses}");
    }
    for (at, id) in of_group(word.name).enumerate() {
        text.push_str(if at == 0 { "\nrules\n" } else { "" });
        text.push_str(&rule::line(id));
    }
    if let Some(example) = example(word) {
        let _ = writeln!(text, "\nexample: {}\n", example.command(word.name));
        indent(&mut text, example.text.lines());
    }
    text
}

/// A word as JSON.
pub(super) fn json(word: &'static Word) -> Value {
    json!({
        "name": word.name,
        "kind": "word",
        "aliases": word.aliases,
        "summary": word.summary,
        "text": word.text,
        "syntax": word.syntax,
        "see": word.see,
        "page": chapter(word),
        "attributes": word.names().flat_map(attribute::find).map(|found| attribute::json(&found)).collect::<Vec<_>>(),
        "rules": of_group(word.name).map(rule::json).collect::<Vec<Value>>(),
        "example": example(word).map(|example| json!({"file": example.file(), "text": example.text, "run": example.flags})),
    })
}
