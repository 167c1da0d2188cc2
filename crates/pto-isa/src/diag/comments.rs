//! Comments `// pto: allow(RULE, ...)`, which hide findings of a line.

use super::{Diagnostic, Label, Severity, Span, nearest, suggest};
use crate::rule::RuleId;
use crate::rules::{self, text::ALLOW_COMMENT};

/// The start of comments for `pto`.
const MARK: &str = "pto:";

/// Most findings of a text with a suggestion, which compares a name with those of all rules.
const MOST_SUGGESTIONS: usize = 100;

/// The rules that comments of a text allow, by line.
pub struct Allowed {
    /// Start and end in bytes of a line, and a rule that is allowed there.
    lines: Vec<(Span, RuleId)>,
}

impl Allowed {
    /// Reads the comments of a text.
    pub fn of(text: &str) -> Allowed {
        let mut allowed = Allowed { lines: Vec::new() };
        if !text.contains(MARK) {
            return allowed;
        }
        // Rules of comments that stand alone, for the next line with code.
        let mut pending = Vec::new();
        for (line, span) in lines(text) {
            let (code, comment) = split(line);
            let found = comment.and_then(|at| words(line, at)).unwrap_or_default();
            let found = found.into_iter().filter_map(|word| rules::find(&line[word]));
            if code.trim().is_empty() {
                pending.extend(found);
            } else {
                let here = pending.drain(..).chain(found);
                allowed.lines.extend(here.map(|rule| (span, rule)));
            }
        }
        allowed
    }

    /// Whether a comment hides a finding: it begins on a line where its rule is allowed.
    pub fn hides(&self, finding: &Diagnostic) -> bool {
        let Some(Label { span, .. }) = &finding.primary else { return false };
        let after = self.lines.partition_point(|(line, _)| line.start <= span.start);
        let before = self.lines[..after].iter().rev();
        before.take_while(|(line, _)| span.start < line.end).any(|(_, rule)| *rule == finding.rule)
    }
}

/// Findings on comments that are meant to allow something and do not: a name of no rule, missing parentheses.
pub fn misread_comments(text: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !text.contains(MARK) {
        return findings;
    }
    for (line, span) in lines(text) {
        let (_, Some(at)) = split(line) else { continue };
        let within = |start: usize, end: usize| Span::new(span.start + start as u32, span.start + end as u32);
        let Some(words) = words(line, at) else {
            if line[at + 2..].trim_start().starts_with("pto: allow") {
                let message = "this comment allows nothing";
                findings.push(
                    Diagnostic::new(Severity::Lint, &ALLOW_COMMENT, message)
                        .at_with(within(at, line.trim_end().len()), "rules are named in parentheses")
                        .with_help("write `// pto: allow(sync::redundant)`"),
                );
            }
            continue;
        };
        for word in words.into_iter().filter(|word| rules::find(&line[word.clone()]).is_none()) {
            let (name, span) = (&line[word.clone()], within(word.start, word.end));
            let message = format!("there is no rule `{name}`, so this comment allows nothing");
            let finding =
                Diagnostic::new(Severity::Lint, &ALLOW_COMMENT, message).at_with(span, "unknown rule");
            let ids: Vec<String> = match findings.len() < MOST_SUGGESTIONS {
                true => rules::all().map(|id| id.to_string()).collect(),
                false => Vec::new(),
            };
            findings.push(suggest(finding, Some(span), name, ids.iter().map(String::as_str)));
        }
    }
    findings
}

/// The known name that is nearest to `name`: the id of a rule, an owner of rules, or `warnings`; `None` if none is near.
pub(super) fn near(name: &str) -> Option<String> {
    let ids: Vec<String> = rules::all()
        .flat_map(|id| [id.to_string(), id.owner.to_owned()])
        .filter(|id| !id.is_empty())
        .collect();
    nearest(name, ids.iter().map(String::as_str).chain([super::levels::WARNINGS])).map(str::to_owned)
}

/// The lines of a text without their ends, each with its bytes.
fn lines(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.len() as u32);
        start = span.end;
        (line.trim_end_matches(['\n', '\r']), span)
    })
}

/// The code of a line, and the start of its comment.
fn split(line: &str) -> (&str, Option<usize>) {
    let (mut in_string, mut escaped) = (false, false);
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.get(at + 1) == Some(&b'/') => return (&line[..at], Some(at)),
            _ => {}
        }
    }
    (line, None)
}

/// The bytes in a line of the words that the comment at `at` allows; `None` if it is another comment.
fn words(line: &str, at: usize) -> Option<Vec<std::ops::Range<usize>>> {
    let rest = line[at + 2..].trim_start().strip_prefix(MARK)?.trim_start().strip_prefix("allow")?;
    let inner = rest.trim_start().strip_prefix('(')?.split_once(')')?.0;
    // `inner` is a part of `line`.
    let mut start = inner.as_ptr() as usize - line.as_ptr() as usize;
    let mut words = Vec::new();
    for part in inner.split(',') {
        let from = start + (part.len() - part.trim_start().len());
        words.push(from..from + part.trim().len());
        start += part.len() + 1;
    }
    Some(words)
}
