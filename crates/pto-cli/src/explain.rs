//! Descriptions of operations, words and rules, from the pages, tables and rules that the checker uses.

mod attribute;
mod cost;
mod instruction;
mod language;
mod list;
mod lookup;
mod operation;
mod pages;
mod rule;
mod search;
mod symptoms;
mod synonyms;
mod word;

pub use language::{language_pages, language_pictures};
pub use list::{list, list_json};
pub use lookup::{Topic, find, find_instruction, find_page, renamed};
pub use operation::operations_page;
pub use pages::{contract_page, instructions_page, rules_page};
pub use search::{lines, search};
pub use symptoms::page as symptoms_page;
pub use synonyms::synonyms;

use crate::programs;
use pto::data::{DataError, clip};
use pto::isa::rule::RuleId;
use pto::isa::rules;
use serde_json::{Value, json};
use std::fmt::Write;

/// Explains an operation, a rule such as `tconcat::valid-cols`, a word such as `valid_row`, an attribute, or the rules of a
/// group such as `barrier`.
pub fn text(topic: Topic) -> String {
    match topic {
        Topic::Instruction(instruction) => instruction::text(instruction),
        Topic::Operation(op) => operation::text(op),
        Topic::Rule(id) => rule::text(id),
        Topic::Word(word) => word::text(word),
        Topic::Attribute(name) => attribute::titled(name),
        Topic::Group(owner) => of_group(owner).map(rule::line).collect(),
    }
}

/// Costs of an instruction: formulas or paths, each number with its source.
///
/// # Errors
/// An unknown name.
pub fn cost(name: &str) -> Result<String, DataError> {
    Ok(cost::page(find_instruction(name)?.page()))
}

/// [`text`] as JSON.
pub fn json(topic: Topic) -> Value {
    match topic {
        Topic::Instruction(instruction) => instruction::json(instruction),
        Topic::Operation(op) => operation::json(op),
        Topic::Rule(id) => rule::json(id),
        Topic::Word(word) => word::json(word),
        Topic::Attribute(name) => json!({
            "name": name,
            "kind": "attribute",
            "attributes": attribute::find(name).iter().map(attribute::json).collect::<Vec<Value>>(),
        }),
        Topic::Group(owner) => json!({
            "name": owner,
            "kind": "group",
            "rules": of_group(owner).map(rule::json).collect::<Vec<Value>>(),
        }),
    }
}

fn of_group(owner: &str) -> impl Iterator<Item = RuleId> {
    rules::all().filter(move |id| id.owner == owner)
}

/// The rules that no instruction owns.
fn outside() -> impl Iterator<Item = RuleId> {
    rules::all().filter(|id| id.rule.group.is_some())
}

/// Adds lines, indented.
fn indent<'a>(text: &mut String, lines: impl IntoIterator<Item = &'a str>) {
    for line in lines {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
}

/// The example of an operation or of a word.
///
/// # Errors
/// An unknown name, or a name without an example.
pub fn example(name: &str) -> Result<&'static str, DataError> {
    let example = match find(name)? {
        Topic::Operation(op) => programs::using(op),
        Topic::Word(word) => word::example(word),
        Topic::Attribute(_) => None,
        Topic::Instruction(_) | Topic::Rule(_) | Topic::Group(_) => {
            programs::example(find_instruction(name)?.page().name)
        }
    };
    let missing = || DataError::misuse(format!("there is no example of `{}`", clip(name, 60)));
    example.map(|example| example.text).ok_or_else(missing)
}
