//! An instruction as text and as JSON: spellings, example, pipe, legal operands, rules.

use super::{cost, operation, rule};
use crate::{legal, programs};
use pto::Profile;
use pto::isa::op::otherwise::{Here, Otherwise};
use pto::isa::op::site::Site;
use pto::isa::op::{Instruction, Page};
use pto::isa::rule::RuleId;
use pto::isa::rules;
use serde_json::{Value, json};
use std::fmt::Write;

/// The pipe of an instruction for vector tiles on a profile.
fn pipe_on(instruction: &dyn Instruction, profile: Profile) -> &'static str {
    let site = Site {
        instruction,
        spelling: instruction.page().name,
        profile,
        operands: Vec::new(),
        attributes: &[],
        queue: None,
        span: Default::default(),
    };
    instruction.pipe(&site).word()
}

/// The pipe of an instruction for vector tiles, or the attribute that names it. Profiles that differ from `cpu` are
/// listed: `V, MTE2 on a2a3`.
pub(super) fn pipe(instruction: &dyn Instruction) -> String {
    if let Some(attribute) = instruction.pipe_attribute() {
        return attribute.to_owned();
    }
    let usual = pipe_on(instruction, Profile::Cpu);
    let mut text = usual.to_owned();
    for profile in Profile::ALL {
        let other = pipe_on(instruction, profile);
        if other != usual {
            let _ = write!(text, ", {other} on {}", profile.word());
        }
    }
    text
}

/// The ids of an instruction's rules, including those not on its page.
fn ids(page: &Page) -> impl Iterator<Item = RuleId> {
    rules::all().filter(|id| id.owner == page.name)
}

/// The page of an instruction as text: summary, forms and example first; the cost is [`cost::page`].
pub(super) fn text(instruction: &'static dyn Instruction) -> String {
    let page = instruction.page();
    let mut text = format!("{}: {}\n\n", page.name, page.summary);
    let _ = writeln!(text, "  {}\n", page.formula);
    text.push_str(&operation::syntax(page));
    if let Some(example) = programs::example(page.name) {
        let heading = format!("example, for {}", words(&example.profiles));
        operation::push_example(&mut text, page, &heading, &example);
    }
    text.push_str(&operation::operands(page));
    let (usual, legal) = legal::usual_and_text(instruction);
    if let Some(usual) = usual {
        let _ = writeln!(text, "\nusual    {usual}");
    }
    let _ = writeln!(text, "\nset      {}", page.set.word());
    let pipe = match instruction.pipe_attribute() {
        Some(attribute) => format!("the one that `{attribute}` names"),
        None => pipe(instruction),
    };
    let _ = writeln!(text, "pipe     {pipe}");
    if cost::is_known(page) {
        let _ = writeln!(text, "costs    `pto explain {} --cost`", page.name);
    }
    let _ = writeln!(text, "source   {}\n", page.source);
    if !legal.is_empty() {
        let _ = writeln!(text, "{legal}");
    }
    text.push_str(&operation::attributes_and_effects(page));
    text.push_str(&otherwise(instruction));
    text.push_str("rules\n");
    for id in ids(page) {
        text.push_str(&rule::line(id));
    }
    text
}

/// The differences of devices from the formula; empty if there are none.
fn otherwise(instruction: &dyn Instruction) -> String {
    let all = instruction.otherwise();
    if all.is_empty() {
        return String::new();
    }
    let line = |one: &Otherwise| format!("  {}: {} {}\n", words(one.on), one.what, run_does(one.here));
    format!("what the device does otherwise\n{}\n", all.iter().map(line).collect::<String>())
}

/// The names of profiles, with commas.
pub(super) fn words(profiles: &[Profile]) -> String {
    profiles.iter().map(|profile| profile.word()).collect::<Vec<_>>().join(", ")
}

/// The answer of a run to a difference, as a sentence.
pub(super) fn run_does(here: Here) -> String {
    match here {
        Here::SameBits => "A run does the same.".to_owned(),
        Here::Reported(rule) => {
            format!("A run keeps the logical result, and `{rule}` reports the difference.")
        }
        Here::Undefined => "A run reports the use of what is undefined.".to_owned(),
        Here::OneOfSeveral => "A run does one of several things that a device may do.".to_owned(),
    }
}

/// The page of an instruction as JSON.
pub(super) fn json(instruction: &'static dyn Instruction) -> Value {
    let page = instruction.page();
    json!({
        "name": page.name,
        "kind": "instruction",
        "aliases": page.aliases,
        "set": page.set.word(),
        "summary": page.summary,
        "formula": page.formula,
        "spellings": operation::spellings(page),
        "operands": operation::operands_json(page),
        "attributes": operation::attributes_json(page),
        "effects": operation::effects_json(page),
        "otherwise": instruction.otherwise().iter().map(|one| json!({
            "devices": one.on.iter().map(|profile| profile.word()).collect::<Vec<_>>(),
            "what": one.what,
            "category": one.here.word(),
            "run": run_does(one.here),
            "source": one.source,
        })).collect::<Vec<Value>>(),
        "cost": cost::json(page),
        "pipe": pipe(instruction),
        "source": page.source,
        "legal": legal::json(instruction),
        "rules": ids(page).map(rule::json).collect::<Vec<Value>>(),
        "has_picture": !page.pictures.is_empty(),
        "example": programs::example(page.name).map(|example| {
            let profiles: Vec<_> = example.profiles.iter().map(|profile| profile.word()).collect();
            json!({"text": example.text, "profiles": profiles, "run": example.flags})
        }),
    })
}
