//! The list of everything that has a page.

use super::instruction::pipe;
use super::operation::{NOT_RUN, operations};
use super::{outside, rule};
use pto::isa::Op;
use pto::isa::language::{self, Word};
use pto::isa::op::{self, Instruction};
use serde_json::{Value, json};
use std::fmt::Write;

/// The list as JSON, each entry with its `kind`: instructions, other operations, words of the language, and rules that no
/// instruction owns.
/// `runs` is false for operations that are only read and printed, and absent for words and rules.
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
    let word = |word: &Word| json!({"name": word.name, "kind": "word", "aliases": word.aliases, "summary": word.summary});
    let entries = op::all()
        .map(entry)
        .chain(operations().map(other))
        .chain(language::words().map(word))
        .chain(outside().map(rule::json));
    json!({ "entries": entries.collect::<Value>() })
}

/// The list, one entry per line: instructions, other operations, words of the language by chapter, and rules that no
/// instruction owns.
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
    for chapter in language::chapters() {
        let _ = writeln!(text, "\n{}", chapter.title.to_lowercase());
        for word in chapter.words {
            let _ = writeln!(text, "{:<24} {}", word.name, word.summary);
        }
    }
    text.push_str("\nrules that belong to no instruction\n");
    for id in outside() {
        let _ = writeln!(text, "{:<24} {}", id.to_string(), id.rule.statement);
    }
    text
}
