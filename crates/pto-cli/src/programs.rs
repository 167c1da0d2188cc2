//! Programs that show an instruction or a rule, built into the command.

use pto::Profile;
use pto::isa::Op;

mod tables {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

/// A program that uses an instruction.
#[derive(Clone, Debug)]
pub struct Example {
    /// The instruction.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// The profiles that it is legal for.
    pub profiles: Vec<Profile>,
    /// The flags of `pto run` that it is to be run with.
    pub flags: Vec<&'static str>,
}

impl Example {
    /// The command that runs it.
    pub fn command(&self) -> String {
        let mut words = vec!["pto explain", self.name, "--example | pto run -"];
        words.extend(&self.flags);
        words.join(" ")
    }
}

/// Every example, by name. The programs say in comments what they are for: `// target: cpu, a5` and
/// `// run: -i src=arange`.
pub fn examples() -> impl Iterator<Item = Example> {
    tables::EXAMPLES.iter().map(|(name, text)| {
        let said = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
        let words = said("// target:").split(',').map(str::trim);
        let flags = said("// run:").split_whitespace().collect();
        Example { name, text, profiles: words.filter_map(Profile::from_word).collect(), flags }
    })
}

/// The example of an instruction.
pub fn example(name: &str) -> Option<Example> {
    examples().find(|example| example.name == name)
}

/// A function of a file of rules that keeps or breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The file, from the root of the repository.
    pub file: String,
    /// The profile that it is checked for.
    pub profile: &'static str,
    /// The types that it names, then the function or, of a long one, the lines with the instruction.
    pub lines: Vec<&'static str>,
}

/// Lines of a function that is shown whole, and of one about a rule that belongs to no instruction.
const SHORT: usize = 10;
const LONG: usize = 40;

/// The first functions that keep a rule and that break it. A program about a race has both: the repaired function keeps
/// what the other one breaks.
pub fn of_rule(rule: &str) -> (Option<Shown>, Option<Shown>) {
    let (mut kept, mut broken) = (None, None);
    for (folder, programs) in [("rules", tables::RULES), ("races", tables::RACES)] {
        for (name, text) in programs {
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

/// Whether a line is a comment that says that the function below keeps a rule.
fn keeps(line: &str, rule: &str) -> bool {
    line.strip_prefix("// accepts:").is_some_and(|list| list.split(',').any(|word| word.trim() == rule))
}

/// Whether a line ends in a comment that expects a rule's finding.
fn breaks(line: &str, rule: &str) -> bool {
    expected(line).any(|(_, id)| id == rule)
}

/// The findings that a comment at the end of a line expects, each with its level: `// error: tadd::same-type; lint: x`.
pub fn expected(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let comment = line.rsplit_once("// ").filter(|(code, _)| !code.trim().is_empty());
    let findings = comment.into_iter().flat_map(|(_, comment)| comment.split("; "));
    findings.filter_map(|finding| {
        let (level, id) = finding.split_once(": ")?;
        matches!(level, "error" | "extension" | "lint" | "run-error").then_some((level, id.trim()))
    })
}

/// The function around or below line `at`.
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

/// Profile of the function that starts in a line: that of the comments directly above it, or of those that the file
/// starts with.
fn profile(lines: &[&str], start: usize) -> Profile {
    let is_comment = |line: &&&str| line.trim_start().starts_with("//");
    let named = |line: &&str| Profile::from_word(line.trim_start().strip_prefix("// target: ")?.trim());
    let above = lines[..start].iter().rev().take_while(is_comment).find_map(named);
    above.or_else(|| lines.iter().take_while(is_comment).find_map(named)).unwrap_or_default()
}

/// A short function; of a long one, the lines with the rule's instruction, or without one the lines up to the comment.
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
