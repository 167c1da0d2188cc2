//! Descriptions of instructions and rules, from the pages and rules that the checker uses.

mod instruction;
mod lookup;
mod operation;
mod pages;
mod rule;

pub use lookup::{Topic, find, find_instruction, renamed};
pub use operation::operations_page;
pub use pages::{instructions_page, rules_page};

use crate::error::DataError;
use crate::programs;
use instruction::pipe;
use operation::{NOT_RUN, operations};
use pto::isa::Op;
use pto::isa::op::{self, Instruction};
use pto::isa::rule::RuleId;
use pto::isa::rules;
use serde_json::{Value, json};
use std::fmt::Write;

/// Explains an instruction or another operation, a rule such as `tconcat::valid-cols`, or the rules of a group such as `race`.
pub fn text(topic: Topic) -> String {
    match topic {
        Topic::Instruction(instruction) => instruction::text(instruction),
        Topic::Operation(op) => operation::text(op),
        Topic::Rule(id) => rule::text(id),
        Topic::Group(owner) => of_group(owner).map(rule::line).collect(),
    }
}

/// [`text`] as JSON.
pub fn json(topic: Topic) -> Value {
    match topic {
        Topic::Instruction(instruction) => instruction::json(instruction),
        Topic::Operation(op) => operation::json(op),
        Topic::Rule(id) => rule::json(id),
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

/// The example of an instruction.
///
/// # Errors
/// If there is no such instruction, or no example of it.
pub fn example(name: &str) -> Result<&'static str, DataError> {
    let page = find_instruction(name)?.page();
    let example = programs::example(page.name);
    example
        .map(|example| example.text)
        .ok_or_else(|| DataError::misuse(format!("there is no example of `{}`", page.name)))
}

/// The list as JSON, each entry with its `kind`: instructions, other operations, and rules that no instruction owns.
/// `runs` is false for operations that are only read and printed, and absent for rules.
pub fn list_json() -> Value {
    let entry = |instruction: &'static dyn Instruction| {
        let page = instruction.page();
        json!({
            "name": page.name,
            "kind": "instruction",
            "set": page.set.word(),
            "pipe": pipe(instruction),
            "summary": page.summary,
            "runs": true,
        })
    };
    let other = |op: Op| {
        let page = op.page();
        json!({
            "name": page.name,
            "kind": "operation",
            "set": page.set.word(),
            "summary": page.summary,
            "runs": op.meaning().runs(),
        })
    };
    op::all().map(entry).chain(operations().map(other)).chain(outside().map(rule::json)).collect()
}

/// The list, one entry per line: instructions, other operations, and rules that no instruction owns.
pub fn list() -> String {
    let mut text = String::new();
    for instruction in op::all() {
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
    text.push_str("\nother operations\n");
    for op in operations() {
        let page = op.page();
        let runs = if op.meaning().runs() { String::new() } else { format!(" ({NOT_RUN})") };
        let _ = writeln!(text, "{:<24} {:<12} {}{runs}", page.name, page.set.word(), page.summary);
    }
    text.push_str("\nrules that belong to no instruction\n");
    for id in outside() {
        let _ = writeln!(text, "{:<24} {}", id.to_string(), id.rule.statement);
    }
    text
}
