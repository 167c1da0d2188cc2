//! Rules of queues that take all operations of a function to judge: one end, one buffer of each name; uses that are all
//! split or none; each on the core that it is for. The pages of the instructions state them.

use crate::diag::Diagnostic;
use crate::ir::{Attribute, Function, Operation, RegionId, find_attribute};
use crate::isa::op::epilogue;
use crate::isa::op::find;
use std::collections::{HashMap, HashSet};

/// A finding by the rule of this name on the page of the operation's instruction.
fn finding(operation: &Operation, rule: &str, message: String) -> Option<Diagnostic> {
    let page = find(&operation.name)?.page();
    let rule = page.rules.iter().find(|known| known.name == rule)?;
    let error = Diagnostic::error(rule.owned_by(page.name), message).at(operation.name_span);
    Some(error.with_note(format!("{} ({})", rule.statement, rule.source)))
}

/// Checks the queues of one function.
pub(super) fn check(function: &Function, findings: &mut Vec<Diagnostic>) {
    let kind = find_attribute(&function.attributes, "pto.kernel_kind").and_then(Attribute::as_word);
    let core = match kind {
        Some("cube") => Some(Core::Cube),
        Some("vector") => Some(Core::Vector),
        _ => None,
    };
    if let Some(body) = function.body {
        on_core(function, body, core, findings);
    }
    let mut seen = HashSet::new();
    let mut pipes = HashMap::new();
    for (_, operation) in function.operations.iter() {
        if let Some(what) = unique(operation)
            && !seen.insert(what.clone())
        {
            findings.extend(finding(operation, "unique", format!("{what} is there twice")));
        }
        if is_end(operation) && operation.attribute(epilogue::KEY).is_none() {
            let said = operation.attribute("nosplit").map(|attribute| *attribute != Attribute::Bool(false));
            let splits = said.map(|nosplit| (!nosplit, format!("pipe {} is opened", number(operation))));
            pipes.entry(number(operation)).or_insert(splits);
        }
        if let Some(pipe) = pipes.get_mut(&number(operation)).filter(|_| is_transfer(operation)) {
            let splits = operation.attribute("split").and_then(Attribute::as_integer).unwrap_or(0) != 0;
            match pipe {
                None => *pipe = Some((splits, format!("`{}` uses it", operation.name))),
                Some((before, what)) if *before != splits => {
                    let words = |splits| if splits { "split" } else { "not split" };
                    let message = format!("this use is {}, but {what} {}", words(splits), words(*before));
                    findings.extend(finding(operation, "nosplit", message));
                }
                Some(_) => {}
            }
        }
    }
}

/// The number of a queue; most have but one, which need not be said.
fn number(operation: &Operation) -> i128 {
    operation.attribute("id").and_then(Attribute::as_integer).unwrap_or(0)
}

fn is_end(operation: &Operation) -> bool {
    matches!(operation.name.as_str(), "pto.aic_initialize_pipe" | "pto.aiv_initialize_pipe")
}

/// Whether an operation moves an entry of a queue that has a number.
fn is_transfer(operation: &Operation) -> bool {
    let ends = ["_to_aiv", "_to_aic", "_from_aic", "_from_aiv"];
    let queue = ["pto.talloc", "pto.tpush", "pto.tpop", "pto.tfree"];
    let name = operation.name.as_str();
    queue.iter().any(|start| name.strip_prefix(start).is_some_and(|rest| ends.contains(&rest)))
}

/// What an operation makes that a function has once, in words.
fn unique(operation: &Operation) -> Option<String> {
    let word = |key| operation.attribute(key).and_then(Attribute::as_word).unwrap_or_default();
    match operation.name.as_str() {
        _ if is_end(operation) => Some(format!("`{}` of pipe {}", operation.short_name(), number(operation))),
        "pto.reserve_buffer" => Some(format!("buffer `{}`", word("name"))),
        "pto.import_reserved_buffer" => match operation.attribute("peer_func") {
            Some(Attribute::Symbol(peer)) => Some(format!("buffer `{}` of `@{peer}`", word("name"))),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Core {
    Cube,
    Vector,
}

/// The core that an operation is for.
fn core_of(operation: &Operation) -> Option<Core> {
    match operation.short_name() {
        "aic_initialize_pipe" | "talloc_to_aiv" | "tpush_to_aiv" | "tpop_from_aiv" | "tfree_from_aiv" => {
            Some(Core::Cube)
        }
        "aiv_initialize_pipe" | "talloc_to_aic" | "tpush_to_aic" | "tpop_from_aic" | "tfree_from_aic" => {
            Some(Core::Vector)
        }
        _ => None,
    }
}

/// Operations of a region that another core runs than they are for; nothing is known outside of functions and sections
/// that say for which core they are.
fn on_core(function: &Function, region: RegionId, core: Option<Core>, findings: &mut Vec<Diagnostic>) {
    let blocks = function.regions[region].blocks.iter();
    let operations = blocks.flat_map(|block| &function.blocks[*block].operations);
    for operation in operations.map(|operation| &function.operations[*operation]) {
        let inside = match operation.name.as_str() {
            "pto.section.cube" => Some(Core::Cube),
            "pto.section.vector" => Some(Core::Vector),
            _ => core,
        };
        for region in &operation.regions {
            on_core(function, *region, inside, findings);
        }
        if let (Some(core), Some(wanted)) = (core, core_of(operation))
            && core != wanted
        {
            let name = if core == Core::Cube { "the cube core" } else { "a vector core" };
            findings.extend(finding(operation, "core", format!("it runs on {name} here")));
        }
    }
}
