//! The generated pages in `docs`.

use super::instruction::{pipe, words};
use super::operation::spellings;
use super::rule::severities;
use crate::legal;
use pto::Profile;
use pto::isa::op::otherwise::{Here, Otherwise};
use pto::isa::op::{self, Instruction, all};
use pto::isa::rule::{Rule, RuleId};
use pto::isa::rules;
use std::fmt::Write;

/// The element types that a profile accepts, as a table cell; for instructions without elements, whether the profile
/// has it.
fn element_types(instruction: &'static dyn Instruction, profile: Profile) -> String {
    let page = instruction.page();
    if !page.set.has_formulas() {
        let added = |rule: &&Rule| rule.name == "extension" && rule.profiles.contains(&profile);
        return if page.rules.iter().any(added) { "yes*" } else { "yes" }.to_owned();
    }
    legal::cell(instruction, profile).unwrap_or_else(|| "see rules".to_owned())
}

/// Text of `docs/instructions.md`: the instructions that run, by instruction set, and the recognized ones that do not run
/// (`unsupported`).
pub fn instructions_page(unsupported: &[&str]) -> String {
    let mut text = String::from(
        "# Instructions\n\nGenerated from the instructions' own pages; `BLESS=1 cargo test -p pto-cli --test all docs::` writes it anew. \
         The element types of a2a3 and a5 are what the rules take of the first form, whatever the locations and layouts: \
         `pto explain NAME` tells them apart. \"see rules\" is written for operands that are no tiles; `*` marks extensions. A pipe in small letters is the attribute that names it.\n",
    );
    let mut set = None;
    for instruction in all() {
        let page = instruction.page();
        if set != Some(page.set) {
            set = Some(page.set);
            let _ = write!(
                text,
                "\n## {}\n\n| instruction | spelling | pipe | a2a3 | a5 | source |\n|---|---|---|---|---|---|\n",
                page.set.word()
            );
        }
        let spelling = spellings(page).first().cloned().unwrap_or_default().replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{}` | `{spelling}` | {} | {} | {} | {} |",
            page.name,
            pipe(instruction),
            element_types(instruction, Profile::A2A3),
            element_types(instruction, Profile::A5),
            page.source
        );
    }
    let _ = write!(text, "\n## Read and printed, but not run\n\n");
    for name in unsupported {
        let _ = writeln!(text, "- `{name}`");
    }
    text
}

/// `docs/contract.md`: the differences of devices, by category and instruction; `head` is the text above the lists.
pub fn contract_page(head: &str) -> String {
    let mut text = head.to_owned();
    for category in Here::ALL {
        let _ = write!(text, "\n## {}{}\n\n", category.word()[..1].to_uppercase(), &category.word()[1..]);
        let mut all: Vec<(Otherwise, Vec<&str>)> = Vec::new();
        for instruction in op::all() {
            for one in instruction.otherwise().into_iter().filter(|one| one.here.word() == category.word()) {
                match all.iter_mut().find(|(known, _)| *known == one) {
                    Some((_, names)) => names.push(instruction.page().name),
                    None => all.push((one, vec![instruction.page().name])),
                }
            }
        }
        for (one, names) in all {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let rule =
                if let Here::Reported(rule) = one.here { format!(" Rule: `{rule}`.") } else { String::new() };
            let _ = writeln!(
                text,
                "- {} ({}): {}{rule} Source: {}.",
                names.join(", "),
                words(one.on),
                one.what,
                one.source
            );
        }
    }
    text
}

/// `docs/rules.md`: every rule with its reason and remedy, the instructions that share it, and the programs that keep
/// it and break it. `shown` returns the files of an id.
pub fn rules_page(shown: impl Fn(&str) -> (Vec<String>, Vec<String>)) -> String {
    let mut text = String::from(
        "# Rules\n\nGenerated from the rules themselves; `BLESS=1 cargo test -p pto-cli --test all docs::` writes it anew. \
         A rule that several instructions share is described once, with its ids below. *Kept* and *broken* name the programs \
         in `tests/rules` and `tests/races` that show it. `pto explain ID` shows the programs.\n",
    );
    let (outside, of_instructions): (Vec<_>, Vec<_>) = rules::all().partition(|id| id.rule.group.is_some());
    for (title, ids) in
        [("Rules that belong to no instruction", outside), ("Rules of instructions", of_instructions)]
    {
        let _ = write!(text, "\n## {title}\n");
        for (rule, ids) in shared(&ids) {
            entry(&mut text, rule, &ids, &shown);
        }
    }
    text.push_str(
        "\n## Renamed rules\n\nFor one release, `pto explain` and manifests also take the former ids.\n\n\
         | former | present |\n|---|---|\n",
    );
    for (former, present) in rules::RENAMED {
        let _ = writeln!(text, "| `{former}` | `{present}` |");
    }
    text
}

/// Each distinct rule with its ids, in the order of the first id.
fn shared(ids: &[RuleId]) -> Vec<(&'static Rule, Vec<RuleId>)> {
    let mut groups: Vec<(&'static Rule, Vec<RuleId>)> = Vec::new();
    for id in ids {
        match groups.iter_mut().find(|(rule, _)| *rule == id.rule) {
            Some((_, ids)) => ids.push(*id),
            None => groups.push((id.rule, vec![*id])),
        }
    }
    groups
}

/// One rule: its parts, and a line per id.
fn entry(text: &mut String, rule: &Rule, ids: &[RuleId], shown: impl Fn(&str) -> (Vec<String>, Vec<String>)) {
    let title = if ids.len() == 1 { ids[0].to_string() } else { rule.name.to_owned() };
    let _ = write!(
        text,
        "\n### `{title}`\n\n**{}** {}\n\nInstead: {}\n\nSeverity: {}. Source: {}.\n\n",
        rule.statement,
        rule.reason,
        rule.remedy,
        severities(rule),
        rule.source
    );
    for id in ids {
        let (kept, broken) = shown(&id.to_string());
        let files = |word: &str, list: Vec<String>| {
            (!list.is_empty()).then(|| format!("{word} in {}", list.join(", ")))
        };
        let files: Vec<_> = files("kept", kept).into_iter().chain(files("broken", broken)).collect();
        let _ = writeln!(text, "- `{id}`: {}", if files.is_empty() { "-".into() } else { files.join("; ") });
    }
}
