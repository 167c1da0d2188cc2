//! Programs that show an instruction or a rule, built into the command.

use pto::Profile;

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

/// Lines of a function that is shown whole.
const SHORT: usize = 10;

/// The first functions that keep a rule and that break it.
pub fn of_rule(rule: &str) -> (Option<Shown>, Option<Shown>) {
    let (mut kept, mut broken) = (None, None);
    for (name, text) in tables::RULES {
        let lines: Vec<&'static str> = text.lines().collect();
        let first = |found: fn(&str, &str) -> bool| lines.iter().position(|line| found(line, rule));
        kept = kept.or_else(|| show(name, &lines, first(keeps)?, rule));
        broken = broken.or_else(|| show(name, &lines, first(breaks)?, rule));
    }
    (kept, broken)
}

/// Whether a line is a comment that says that the function below keeps a rule.
fn keeps(line: &str, rule: &str) -> bool {
    line.strip_prefix("// accepts:").is_some_and(|list| list.split(',').any(|word| word.trim() == rule))
}

/// Whether a line ends in a comment that expects a rule's finding.
fn breaks(line: &str, rule: &str) -> bool {
    let Some((code, comment)) = line.split_once("//") else { return false };
    !code.trim().is_empty() && comment.split([';', ' ', ',']).any(|word| word == rule)
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
    let mnemonic = format!("pto.{}", rule.split("::").next().unwrap_or_default());
    let matters = |line: &&&str| line.contains(&mnemonic) || line.contains("//");
    let shown: Vec<_> =
        if body.len() <= SHORT { body.to_vec() } else { body.iter().filter(matters).copied().collect() };
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
    let target = lines.first().and_then(|line| line.strip_prefix("// target: ")).map(str::trim);
    let profile = target.and_then(Profile::from_word).unwrap_or_default().word();
    Some(Shown { file: format!("tests/rules/{file}.pto"), profile, lines: [types, shown].concat() })
}
