//! Programs that show an instruction, a construct of the language or a rule, built into the command.

use pto::Profile;
use pto::isa::Op;
use pto::isa::language::{Word, chapter_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

mod tables {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

/// An example of an instruction or of the language.
#[derive(Clone, Debug)]
pub struct Example {
    /// The name of its file, which for an instruction is its own.
    pub name: &'static str,
    /// The folder of its file in `examples`.
    pub folder: &'static str,
    /// The text.
    pub text: &'static str,
    /// Profiles for which the program is legal.
    pub profiles: Vec<Profile>,
    /// Flags of `pto run` for the program.
    pub flags: Vec<&'static str>,
}

impl Example {
    /// Shell command that runs the example. `pto explain topic --example` prints it.
    pub fn command(&self, topic: &str) -> String {
        let topic = if topic.contains([' ', '!', '-']) { format!("'{topic}'") } else { topic.to_owned() };
        let mut words = vec!["pto explain", &topic, "--example | pto run -"];
        words.extend(&self.flags);
        words.join(" ")
    }

    /// Path of the example's file, relative to the root of the repository.
    pub fn file(&self) -> String {
        format!("examples/{}/{}.pto", self.folder, self.name)
    }

    /// Whether the example uses an operation.
    fn uses(&self, op: Op) -> bool {
        let after = |at: usize| self.text[at..].starts_with([' ', '(', '[', '\n', ':']);
        op.names().any(|name| self.text.match_indices(name).any(|(at, _)| after(at + name.len())))
    }
}

fn example_of(folder: &'static str, name: &'static str, text: &'static str) -> Example {
    let said = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    let words = said("// target:").split(',').map(str::trim);
    let flags = said("// run:").split_whitespace().collect();
    Example { name, folder, text, profiles: words.filter_map(Profile::from_word).collect(), flags }
}

/// Every example of an instruction, by name. Comments of the programs name profiles and flags: `// target: cpu, a5` and
/// `// run: -i src=arange`.
pub fn examples() -> impl Iterator<Item = Example> {
    tables::EXAMPLES.iter().map(|(name, text)| example_of("instructions", name, text))
}

/// Every example of the language, by name, with the same comments.
pub fn language_examples() -> impl Iterator<Item = Example> {
    tables::LANGUAGE.iter().map(|(name, text)| example_of("language", name, text))
}

/// The example of the instruction `name`.
pub fn example(name: &str) -> Option<Example> {
    examples().find(|example| example.name == name)
}

/// The example with this file name, of the language or of an instruction.
pub fn named(name: &str) -> Option<Example> {
    language_examples().find(|example| example.name == name).or_else(|| example(name))
}

/// Example of an operation: the example of the instruction, or else the shortest program that uses the operation.
/// Programs are tried in this order: examples of the words of its chapter, of the language, of all instructions.
pub fn using(op: Op) -> Option<Example> {
    let shortest = |list: &mut dyn Iterator<Item = Example>| {
        list.filter(|example| example.uses(op)).min_by_key(|example| example.text.len())
    };
    let own = op.instruction().and_then(|instruction| example(instruction.page().name));
    let words = chapter_of(op).map_or(&[] as &[Word], |chapter| chapter.words);
    let mut near =
        language_examples().filter(|example| words.iter().any(|word| word.example == example.name));
    let of_chapter = || shortest(&mut near);
    own.or_else(of_chapter)
        .or_else(|| shortest(&mut language_examples()))
        .or_else(|| shortest(&mut examples()))
}

/// A function of a test file that keeps or breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The file, relative to the root of the repository.
    pub file: String,
    /// The profile that the function is checked for.
    pub profile: &'static str,
    /// The types that it uses, then the function or, if that is long, the lines with the instruction.
    pub lines: Vec<&'static str>,
}

/// Maximum number of lines of a function shown in full, for a rule of an instruction and for any other rule.
const SHORT: usize = 10;
const LONG: usize = 40;

/// The first functions that keep and that break a rule. A program about a race has both: the repaired function keeps
/// the rule that the other breaks.
pub fn of_rule(rule: &str) -> (Option<Shown>, Option<Shown>) {
    let (mut kept, mut broken) = (None, None);
    for (folder, programs) in [("rules", &*RULES), ("races", &*RACES)] {
        for (name, text) in programs.get(rule).into_iter().flatten() {
            let file = format!("tests/{folder}/{name}.pto");
            let lines: Vec<&'static str> = text.lines().collect();
            let first = |found: fn(&str, &str) -> bool| lines.iter().position(|line| found(line, rule));
            let (keeping, breaking) = (first(keeps), first(breaks));
            let repaired = lines.iter().position(|line| line.starts_with("func.func @fixed"));
            let keeping = keeping.or(repaired.filter(|_| folder == "races" && breaking.is_some()));
            kept = kept.or_else(|| show(&file, &lines, keeping?, rule));
            broken = broken.or_else(|| show(&file, &lines, breaking?, rule));
        }
    }
    (kept, broken)
}

/// Names and texts of programs, by the rules that their comments name.
type ByRule = BTreeMap<&'static str, Vec<(&'static str, &'static str)>>;

static RULES: LazyLock<ByRule> = LazyLock::new(|| by_rule(tables::RULES));
static RACES: LazyLock<ByRule> = LazyLock::new(|| by_rule(tables::RACES));

fn by_rule(programs: &[(&'static str, &'static str)]) -> ByRule {
    let mut found = ByRule::new();
    for (name, text) in programs {
        let rules: BTreeSet<&str> =
            text.lines().flat_map(|line| accepted(line).chain(expected(line).map(|(_, id)| id))).collect();
        for rule in rules {
            found.entry(rule).or_default().push((name, text));
        }
    }
    found
}

/// The rules of which a comment declares that the function below keeps them.
fn accepted(line: &str) -> impl Iterator<Item = &str> {
    line.strip_prefix("// accepts:").into_iter().flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether a line is a comment that declares that the function below keeps a rule.
fn keeps(line: &str, rule: &str) -> bool {
    accepted(line).any(|id| id == rule)
}

/// Whether a line ends in a comment that expects a finding of a rule.
fn breaks(line: &str, rule: &str) -> bool {
    expected(line).any(|(_, id)| id == rule)
}

/// The findings that a comment at the end of a line expects, each with its severity: `// error: tadd::same-type; lint:
/// x`.
pub fn expected(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let comment = line.rsplit_once("// ").filter(|(code, _)| !code.trim().is_empty());
    let findings = comment.into_iter().flat_map(|(_, comment)| comment.split("; "));
    findings.filter_map(|finding| {
        let (level, id) = finding.split_once(": ")?;
        matches!(level, "error" | "extension" | "lint" | "run-error").then_some((level, id.trim()))
    })
}

/// The function that contains line `at`, or follows it.
fn show(file: &str, lines: &[&'static str], at: usize, rule: &str) -> Option<Shown> {
    let starts = |line: &&str| line.trim_start().starts_with("func.func");
    let start = if lines[at].starts_with("// accepts") {
        at + lines[at..].iter().position(starts)?
    } else {
        lines[..=at].iter().rposition(starts)?
    };
    let end = start + lines[start..].iter().position(|line| line.trim_end() == "}")?;
    let body = &lines[start..=end];
    let shown = excerpt(body, rule);
    let named = |line: &&&str| {
        let Some((alias, _)) = line.split_once(" = ").filter(|_| line.starts_with('!')) else { return false };
        let uses = |line: &&str| {
            line.match_indices(alias).any(|(at, _)| {
                let next = line[at + alias.len()..].chars().next();
                next.is_none_or(|next| !next.is_alphanumeric() && next != '_')
            })
        };
        shown.iter().any(uses)
    };
    let types: Vec<_> = lines.iter().filter(named).copied().collect();
    let profile = profile(lines, start).word();
    Some(Shown { file: file.to_owned(), profile, lines: [types, shown].concat() })
}

/// Profile of the function that starts in a line: from the comments directly above it, or from those at the start of
/// the file.
fn profile(lines: &[&str], start: usize) -> Profile {
    let is_comment = |line: &&&str| line.trim_start().starts_with("//");
    let named = |line: &&str| Profile::from_word(line.trim_start().strip_prefix("// target: ")?.trim());
    let above = lines[..start].iter().rev().take_while(is_comment).find_map(named);
    above.or_else(|| lines.iter().take_while(is_comment).find_map(named)).unwrap_or_default()
}

/// A short function in full; of a long one, the lines with the rule's instruction, or without one the lines up to the
/// comment.
fn excerpt(body: &[&'static str], rule: &str) -> Vec<&'static str> {
    let owner = Op::find_spelling(rule.split("::").next().unwrap_or_default()).and_then(Op::instruction);
    if body.len() <= if owner.is_some() { SHORT } else { LONG } {
        return body.to_vec();
    }
    let Some(owner) = owner else {
        let marked = body.iter().rposition(|line| line.contains("//")).unwrap_or(LONG);
        return [&body[..1], &body[marked.saturating_sub(SHORT).max(1)..body.len().min(marked + 2)]].concat();
    };
    let mnemonic = format!("pto.{}", owner.page().name);
    body.iter().filter(|line| line.contains(&mnemonic) || line.contains("//")).copied().collect()
}
