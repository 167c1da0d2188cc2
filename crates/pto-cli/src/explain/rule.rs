//! A rule as text and as JSON.

use super::indent;
use crate::programs::{self, Shown};
use pto::Profile;
use pto::isa::rule::{Rule, RuleId};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The severities of a finding by profile: `error on cpu; lint or error on a2a3, a5`.
pub(super) fn severities(rule: &Rule) -> String {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for profile in Profile::ALL {
        let words: Vec<_> = rule.severities(profile).map(|severity| severity.word()).collect();
        if words.is_empty() {
            continue;
        }
        let words = words.join(" or ");
        match parts.iter_mut().find(|(known, _)| *known == words) {
            Some((_, profiles)) => profiles.push(profile.word()),
            None => parts.push((words, vec![profile.word()])),
        }
    }
    let parts = parts.iter().map(|(words, profiles)| format!("{words} on {}", profiles.join(", ")));
    let text = parts.collect::<Vec<_>>().join("; ");
    match rule.frequent {
        true => text + "; frequent in public kernels, so that `--deny warnings` leaves it out",
        false => text,
    }
}

/// The entry of a rule in the list of its owner: id, severities, and the statement on a line of its own.
pub(super) fn line(id: RuleId) -> String {
    format!("  {id} ({})\n    {}\n", severities(id.rule), id.rule.statement)
}

/// Statement, reason, remedy, severities and source of a rule, and programs that keep and break it.
pub(super) fn text(id: RuleId) -> String {
    let rule = id.rule;
    let mut text = format!("{id}: {}\n\n", rule.statement);
    let severities = severities(rule);
    let parts =
        [("why", rule.reason), ("instead", rule.remedy), ("severity", &severities), ("source", rule.source)];
    for (key, value) in parts {
        let _ = writeln!(text, "{key:<8} {value}");
    }
    let (kept, broken) = programs::of_rule(&id.to_string());
    for (what, shown) in [("kept", kept), ("broken", broken)] {
        let Some(shown) = shown else { continue };
        let _ = writeln!(text, "\n{what}, for {} ({})\n", shown.profile, shown.file);
        indent(&mut text, shown.lines);
    }
    text
}

/// A rule as JSON: its parts, `severities` by profile, and programs that keep and break it.
pub(super) fn json(id: RuleId) -> Value {
    let rule = id.rule;
    let words = |profile: Profile| rule.severities(profile).map(|severity| severity.word()).collect();
    let severities: Map<String, Value> =
        rule.profiles.iter().map(|profile| (profile.word().to_owned(), words(*profile))).collect();
    let (kept, broken) = programs::of_rule(&id.to_string());
    let shown = |shown: Option<Shown>| {
        shown.map(|shown| json!({"file": shown.file, "profile": shown.profile, "lines": shown.lines}))
    };
    json!({
        "name": id.to_string(),
        "kind": "rule",
        "statement": rule.statement,
        "reason": rule.reason,
        "remedy": rule.remedy,
        "profiles": rule.profiles.iter().map(|profile| profile.word()).collect::<Vec<_>>(),
        "severities": severities,
        "source": rule.source,
        "kept": shown(kept),
        "broken": shown(broken),
    })
}
