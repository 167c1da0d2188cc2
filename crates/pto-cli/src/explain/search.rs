//! Search in the names and summaries of all topics of `pto explain`.

use super::{attribute, symptoms, synonyms};
use crate::args::Cli;
use clap::CommandFactory;
use pto::data::{DataError, clip};
use pto::isa::Op;
use pto::isa::language;
use pto::isa::rules;
use std::borrow::Cow;

/// Maximum number of results.
const MOST: usize = 15;

/// A result of the search: a topic of `pto explain`, a command or a symptom.
#[derive(serde::Serialize)]
pub struct Entry {
    kind: &'static str,
    name: String,
    #[serde(skip)]
    others: Vec<&'static str>,
    summary: Cow<'static, str>,
    /// A command line for further information.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'static str>,
}

/// The commands that are not hidden.
fn commands() -> Vec<Entry> {
    let all = Cli::command();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set());
    let entry = |command: &clap::Command| Entry {
        name: format!("pto {}", command.get_name()),
        kind: "command",
        others: Vec::new(),
        summary: command.get_about().map(|about| format!("{about}.")).unwrap_or_default().into(),
        command: None,
    };
    shown.map(entry).collect()
}

fn symptom(of: &symptoms::Symptom) -> Entry {
    let (name, summary, command) = (of.name.to_owned(), of.advice.into(), Some(of.command));
    Entry { name, kind: "symptom", others: Vec::new(), summary, command }
}

/// Everything, in the order of preference among equal results.
fn entries() -> Vec<Entry> {
    let operations = Op::all().map(|op| {
        let page = op.page();
        let kind = if op.instruction().is_some() { "instruction" } else { "operation" };
        Entry {
            name: page.name.to_owned(),
            kind,
            others: page.aliases.to_vec(),
            summary: page.summary.into(),
            command: None,
        }
    });
    let words = language::words().map(|word| Entry {
        name: word.name.to_owned(),
        kind: "word",
        others: word.aliases.to_vec(),
        summary: word.summary.into(),
        command: None,
    });
    let mut attributes = attribute::all();
    attributes.dedup_by_key(|found| (found.spec.name, found.spec.summary));
    let attributes = attributes.into_iter().map(|found| Entry {
        name: found.spec.name.to_owned(),
        kind: "attribute",
        others: attribute::names(found.spec).skip(1).collect(),
        summary: found.spec.summary.into(),
        command: None,
    });
    let rules = rules::all().map(|id| Entry {
        name: id.to_string(),
        kind: "rule",
        others: Vec::new(),
        summary: id.rule.statement.into(),
        command: None,
    });
    operations.chain(words).chain(attributes).chain(rules).chain(commands()).collect()
}

/// A word of a query or of a sentence in small letters, without the ending of a plural.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word,
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(stem)
}

/// Words, and their short forms in names.
const SHORT: [(&str, &str); 17] = [
    ("column", "col"),
    ("multiply", "mul"),
    ("divide", "div"),
    ("subtract", "sub"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("matrix", "mat"),
    ("convert", "cvt"),
    ("transpose", "trans"),
    ("reciprocal", "recip"),
    ("root", "sqrt"),
    ("negate", "neg"),
    ("compare", "cmp"),
    ("select", "sel"),
    ("number", "num"),
    ("address", "addr"),
    ("index", "idx"),
];

/// Score of a name for a word of a query or the word's short form, from 0 to `best`.
fn in_name(name: &str, word: &str, best: u32) -> u32 {
    let short = SHORT.iter().find(|(long, _)| *long == word).map(|(_, short)| *short);
    let points = |word| matched(name, word, best);
    points(word).max(short.map_or(0, points))
}

/// Score of a name for a word, from 0 to `best`.
fn matched(name: &str, word: &str, best: u32) -> u32 {
    let name = name.to_lowercase();
    match () {
        _ if stem(&name) == *word => best,
        _ if words(&name).any(|part| part == *word) => best * 3 / 4,
        _ if name.contains(word) => best / 2,
        _ => 0,
    }
}

/// The score of an entry for the words of a query: the number of words that it has, then how prominent they are.
fn score(entry: &Entry, query: &[String]) -> (usize, u32) {
    let mut found = 0;
    let mut sum = 0;
    for word in query {
        let named = in_name(&entry.name, word, 100);
        let other = entry.others.iter().map(|name| in_name(name, word, 60)).max().unwrap_or(0);
        let said = if words(&entry.summary).any(|known| known == *word) { 20 } else { 0 };
        let points = named.max(other) + said;
        found += usize::from(points > 0);
        sum += points;
    }
    (found, sum)
}

/// The entries that match a query, best first: a symptom, then the entries of a synonym, then the entries with the
/// largest number of the query's words.
///
/// # Errors
/// A query without a match.
pub fn search(query: &str) -> Result<Vec<Entry>, DataError> {
    let wanted: Vec<String> = words(query).collect();
    let symptom = symptoms::meant(query).map(symptom);
    let meant = synonyms::meant(query);
    let place =
        |entry: &Entry| meant.iter().position(|name| *name == entry.name && entry.kind != "attribute");
    let (mut first, rest): (Vec<Entry>, Vec<Entry>) =
        entries().into_iter().partition(|entry| place(entry).is_some());
    first.sort_by_key(place);
    let mut scored: Vec<_> = rest.into_iter().map(|entry| (score(&entry, &wanted), entry)).collect();
    let most = scored.iter().map(|((found, _), _)| *found).max().unwrap_or(0);
    if most == 0 && first.is_empty() && symptom.is_none() {
        let message = format!("nothing is about `{}`", clip(query, 60));
        return Err(DataError::misuse(message).with_help("`pto explain --list` lists what is explained"));
    }
    scored.retain(|((found, _), _)| *found == most && most > 0);
    // The rules of an instruction have its name: they come after everything else.
    scored.sort_by_key(|((_, sum), entry)| (entry.kind == "rule", std::cmp::Reverse(*sum), entry.name.len()));
    let found = symptom.into_iter().chain(first).chain(scored.into_iter().map(|(_, entry)| entry));
    Ok(found.take(MOST).collect())
}

/// The results of a search, one per line; the command of a symptom follows on a line of its own.
pub fn lines(found: &[Entry]) -> String {
    let line = |entry: &Entry| {
        let command = entry.command.map(|command| format!("    {command}\n")).unwrap_or_default();
        format!("{:<24} {:<12} {}\n{command}", entry.name, entry.kind, entry.summary)
    };
    found.iter().map(line).collect()
}

/// Every name that `pto explain` takes, for suggestions.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    // A command is not a topic of `pto explain`.
    for entry in entries().into_iter().filter(|entry| entry.kind != "command") {
        names.push(entry.name);
        names.extend(entry.others.into_iter().map(str::to_owned));
    }
    names.extend(rules::all().map(|id| id.owner.to_owned()));
    let values = attribute::all().into_iter().flat_map(|found| attribute::words(found.spec));
    names.extend(values.map(|word| (*word).to_owned()));
    names.retain(|name| !name.is_empty());
    names
}
