//! What is known of an instruction or a rule, as text: from the same pages that the checker uses.

use crate::error::{DataError, clip};
use crate::{legal, programs};
use pto::Profile;
use pto::isa::Op;
use pto::isa::op::form::Syntax;
use pto::isa::op::site::Site;
use pto::isa::op::{Instruction, Page, all};
use pto::isa::rule::Rule;
use serde_json::{Value, json};
use std::fmt::Write;

/// Every way to write an instruction.
fn spellings(page: &Page) -> Vec<String> {
    match page.syntax {
        Syntax::Destination(forms) => {
            forms.iter().map(|form| format!("pto.{} {}", page.name, form.describe())).collect()
        }
        Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
            patterns.iter().map(|pattern| format!("pto.{} {}", page.name, tidy(pattern))).collect()
        }
    }
}

/// A syntax pattern as a reader would write it.
fn tidy(pattern: &str) -> String {
    // Attributes go without saying, unless they are all there is.
    let alone = !pattern.contains(['%', '#']);
    let said = |word: &&str| !matches!(*word, "[?" | "?]") && (alone || *word != "{}");
    let words = pattern.split_whitespace().filter(said);
    let words = words.map(|word| match word.strip_prefix(':') {
        Some(role) if !role.is_empty() => format!("<{}>", role.trim_end_matches('*')),
        _ if word.starts_with('!') => "<type>".to_owned(),
        _ if word == "{}" => "{attributes}".to_owned(),
        _ => word.trim_end_matches('*').to_owned(),
    });
    let mut words: Vec<_> = words.collect();
    // Attributes may stand in several places.
    words.dedup();
    words.join(" ")
}

/// The pipe of an instruction on vector tiles, or the attribute that names it.
fn pipe(instruction: &dyn Instruction) -> &'static str {
    let site = Site {
        instruction,
        spelling: instruction.page().name,
        profile: Profile::Cpu,
        operands: Vec::new(),
        attributes: &[],
        span: Default::default(),
    };
    instruction.pipe_attribute().unwrap_or_else(|| instruction.pipe(&site).word())
}

/// The element types that a profile takes, for a cell of a table; of what has no elements, whether the profile has it.
fn element_types(instruction: &'static dyn Instruction, profile: Profile) -> String {
    let page = instruction.page();
    if !page.set.has_formulas() {
        let added = |rule: &&Rule| rule.name == "extension" && rule.profiles.contains(&profile);
        return if page.rules.iter().any(added) { "yes*" } else { "yes" }.to_owned();
    }
    legal::cell(instruction, profile).unwrap_or_else(|| "see rules".to_owned())
}

fn profiles(rule: &Rule) -> String {
    rule.profiles.iter().map(|profile| profile.word()).collect::<Vec<_>>().join(", ")
}

/// The instruction of a mnemonic, or of a rule's name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<&'static dyn Instruction, DataError> {
    let mnemonic = name.split_once("::").map_or(name, |(mnemonic, _)| mnemonic);
    Op::find_spelling(mnemonic).and_then(Op::instruction).ok_or_else(|| {
        let name = mnemonic.trim_start_matches("pto.");
        if pto::check::unsupported().iter().any(|known| known.trim_start_matches("pto.") == name) {
            let message =
                format!("`{name}` is read and printed, but does not run yet: there is no page about it");
            return DataError::new(message)
                .with_help("`pto explain --list` lists what runs, and what does not");
        }
        let message = format!("there is no instruction `{}`", clip(mnemonic, 60));
        DataError::new(message).with_help("`pto explain --list` lists them")
    })
}

/// Explains an instruction, or a rule named `instruction::rule`.
///
/// # Errors
/// If there is no such instruction or rule.
pub fn explain(name: &str) -> Result<String, DataError> {
    let (mnemonic, rule) =
        name.split_once("::").map_or((name, None), |(mnemonic, rule)| (mnemonic, Some(rule)));
    let instruction = find(mnemonic)?;
    match rule {
        None => Ok(explain_instruction(instruction)),
        Some(rule) => explain_rule(instruction.page(), rule),
    }
}

fn explain_instruction(instruction: &'static dyn Instruction) -> String {
    let page = instruction.page();
    let mut text = format!("{}: {}\n\n", page.name, page.summary);
    let _ = writeln!(text, "  {}\n", page.formula);
    for spelling in spellings(page) {
        let _ = writeln!(text, "  {spelling}");
    }
    if !page.aliases.is_empty() {
        let _ = writeln!(text, "  also spelled {}", page.aliases.join(", "));
    }
    let _ = writeln!(text, "\nset      {}", page.set.word());
    let pipe = match instruction.pipe_attribute() {
        Some(attribute) => format!("the one that `{attribute}` names"),
        None => pipe(instruction).to_owned(),
    };
    let _ = writeln!(text, "pipe     {pipe}");
    let _ = writeln!(text, "source   {}\n", page.source);
    let legal = legal::text(instruction);
    if !legal.is_empty() {
        let _ = writeln!(text, "{legal}");
    }
    text.push_str("rules\n");
    for rule in page.rules {
        let _ = writeln!(text, "  {}::{} ({})\n    {}", page.name, rule.name, profiles(rule), rule.statement);
    }
    if let Some(example) = programs::example(page.name) {
        let profiles: Vec<_> = example.profiles.iter().map(|profile| profile.word()).collect();
        let _ = writeln!(text, "\nexample, for {}: {}\n", profiles.join(", "), example.command());
        indent(&mut text, example.text.lines());
    }
    text
}

fn find_rule(page: &Page, name: &str) -> Result<&'static Rule, DataError> {
    page.rules.iter().find(|rule| rule.name == name).copied().ok_or_else(|| {
        let known: Vec<_> = page.rules.iter().map(|rule| rule.name).collect();
        let message = format!("`{}` has no rule `{}`", page.name, clip(name, 60));
        DataError::new(message).with_help(format!("it has {}", known.join(", ")))
    })
}

fn explain_rule(page: &Page, name: &str) -> Result<String, DataError> {
    let rule = find_rule(page, name)?;
    let name = format!("{}::{}", page.name, rule.name);
    let mut text =
        format!("{name}: {}\n\nprofiles {}\nsource   {}\n", rule.statement, profiles(rule), rule.source);
    let (kept, broken) = programs::of_rule(&name);
    for (what, shown) in [("kept", kept), ("broken", broken)] {
        let Some(shown) = shown else { continue };
        let _ = writeln!(text, "\n{what}, for {} ({})\n", shown.profile, shown.file);
        indent(&mut text, shown.lines);
    }
    Ok(text)
}

/// Adds lines, indented.
fn indent<'a>(text: &mut String, lines: impl IntoIterator<Item = &'a str>) {
    for line in lines {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
}

/// The example of an instruction, alone.
///
/// # Errors
/// If there is no such instruction, or no example of it.
pub fn example(name: &str) -> Result<&'static str, DataError> {
    let page = find(name)?.page();
    let example = programs::example(page.name);
    example
        .map(|example| example.text)
        .ok_or_else(|| DataError::new(format!("there is no example of `{}`", page.name)))
}

/// An instruction or a rule for programs.
///
/// # Errors
/// If there is no such instruction or rule.
pub fn json(name: &str) -> Result<Value, DataError> {
    let instruction = find(name)?;
    let page = instruction.page();
    if let Some((_, rule)) = name.split_once("::") {
        return Ok(rule_json(page, find_rule(page, rule)?));
    }
    let rules: Vec<Value> = page.rules.iter().map(|rule| rule_json(page, rule)).collect();
    Ok(json!({
        "name": page.name,
        "aliases": page.aliases,
        "set": page.set.word(),
        "summary": page.summary,
        "formula": page.formula,
        "spellings": spellings(page),
        "pipe": pipe(instruction),
        "source": page.source,
        "legal": legal::json(instruction),
        "rules": rules,
        "has_picture": !page.pictures.is_empty(),
        "example": programs::example(page.name).map(|example| {
            let profiles: Vec<_> = example.profiles.iter().map(|profile| profile.word()).collect();
            json!({"text": example.text, "profiles": profiles, "run": example.flags})
        }),
    }))
}

fn rule_json(page: &Page, rule: &Rule) -> Value {
    let profiles: Vec<_> = rule.profiles.iter().map(|profile| profile.word()).collect();
    let name = format!("{}::{}", page.name, rule.name);
    let (kept, broken) = programs::of_rule(&name);
    let shown = |shown: Option<programs::Shown>| {
        shown.map(|shown| json!({"file": shown.file, "profile": shown.profile, "lines": shown.lines}))
    };
    json!({
        "name": name,
        "statement": rule.statement,
        "profiles": profiles,
        "source": rule.source,
        "kept": shown(kept),
        "broken": shown(broken),
    })
}

/// The list of instructions for programs; `runs` is false for operations that are only read and printed.
pub fn list_json() -> Value {
    let entry = |instruction: &'static dyn Instruction| {
        let page = instruction.page();
        let (set, pipe) = (page.set.word(), pipe(instruction));
        json!({"name": page.name, "set": set, "pipe": pipe, "summary": page.summary, "runs": true})
    };
    let known = pto::check::unsupported();
    let known = known.iter().map(|name| json!({"name": name.trim_start_matches("pto."), "runs": false}));
    all().map(entry).chain(known).collect()
}

/// The list of instructions, one a line, and of the operations that are only read and printed.
pub fn list() -> String {
    let mut text = String::new();
    for instruction in all() {
        let page = instruction.page();
        let _ = writeln!(
            text,
            "{:<18} {:<12} {:<5} {}",
            page.name,
            page.set.word(),
            pipe(instruction),
            page.summary
        );
    }
    for name in pto::check::unsupported() {
        let _ = writeln!(text, "{:<24} does not run yet: read and printed", name.trim_start_matches("pto."));
    }
    text
}

/// `docs/instructions.md`: what runs, by instruction set, and what is known but does not run.
pub fn instructions_page(unsupported: &[&str]) -> String {
    let mut text = String::from(
        "# Instructions\n\nGenerated from the instructions' own pages; `BLESS=1 cargo test -p pto-cli --test docs` writes it anew. \
         The element types of a2a3 and a5 are what the rules take of the first form, whatever the locations and layouts: \
         `pto explain NAME` tells them apart. \"see rules\" stands where operands are no tiles; `*` marks extensions. A pipe in small letters is the attribute that names it.\n",
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

/// `docs/rules.md`: every rule, and where a program keeps it and one breaks it. `shown` says the files.
pub fn rules_page(shown: impl Fn(&str) -> (Vec<String>, Vec<String>)) -> String {
    let mut text = String::from(
        "# Rules\n\nGenerated from the instructions' own pages; `BLESS=1 cargo test -p pto-cli --test docs` writes it anew. \
         *Kept* and *broken* name the programs in `tests/rules` that show it.\n",
    );
    for instruction in all() {
        let page = instruction.page();
        if page.rules.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {}\n\n| rule | statement | profiles | source | kept | broken |\n|---|---|---|---|---|---|\n",
            page.name
        );
        for rule in page.rules {
            let (kept, broken) = shown(&format!("{}::{}", page.name, rule.name));
            let or_dash = |list: Vec<String>| if list.is_empty() { "-".to_owned() } else { list.join(", ") };
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {} |",
                rule.name,
                rule.statement.replace('|', "\\|"),
                profiles(rule),
                rule.source,
                or_dash(kept),
                or_dash(broken)
            );
        }
    }
    text
}
