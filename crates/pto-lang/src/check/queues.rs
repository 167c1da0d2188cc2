//! Rules of queues that need all operations of a function: unique ends and buffers, and consistent use of
//! splits. The pages of the instructions state the rules.

use crate::ir::{Attribute, Function, Operation};
use pto_isa::diag::Diagnostic;
use pto_isa::meaning::{Core, Meaning};
use pto_isa::op::epilogue;
use pto_isa::op::sync::queue::rules;
use pto_isa::rule::Rule;
use std::collections::{HashMap, HashSet};

/// A finding of a rule on the page of the operation's instruction.
fn finding(operation: &Operation, rule: &'static Rule, message: String) -> Diagnostic {
    let page = operation.instruction().expect("operations of queues are instructions").page();
    debug_assert!(page.rules.contains(&rule), "{} lacks the rule `{}`", page.name, rule.name);
    let error = Diagnostic::error(rule.owned_by(page.name), message).at(operation.name_span);
    error.with_note(format!("{} ({})", rule.statement, rule.source))
}

/// Checks the queues of one function.
pub(super) fn check(function: &Function, findings: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    let mut queues = HashMap::new();
    let mut flags = Flags::default();
    for (_, operation) in function.operations.iter() {
        if let Some((rule, object)) = unique(operation)
            && !seen.insert(object.clone())
        {
            findings.push(finding(operation, rule, format!("{object} is there twice")));
        }
        findings.extend(flags.take(operation));
        if is_end(operation) && operation.attribute(epilogue::KEY).is_none() {
            let said = operation.attribute("nosplit").map(|attribute| *attribute != Attribute::Bool(false));
            let splits =
                said.map(|nosplit| (!nosplit, format!("queue {} is opened", number(operation).unwrap_or(0))));
            queues.entry(number(operation)).or_insert(splits);
        }
        if let Some(queue) = queues.get_mut(&number(operation)).filter(|_| is_transfer(operation)) {
            let splits = operation.integer_or_default("split") != Some(0);
            match queue {
                None => *queue = Some((splits, format!("`{}` uses it", operation.name))),
                Some((before, what)) if *before != splits => {
                    let words = |splits| if splits { "split" } else { "not split" };
                    let message = format!("this use is {}, but {what} {}", words(splits), words(*before));
                    findings.push(finding(operation, &rules::NOSPLIT, message));
                }
                Some(_) => {}
            }
        }
    }
}

/// The number of flags that the queues of a function use, on the cube core and on the vector cores.
#[derive(Default)]
struct Flags([u32; 2]);

impl Flags {
    /// The number of flags of a core.
    const ALL: u32 = 16;

    /// Allocates the flags of a queue that is opened; returns a finding if there are too few.
    fn take(&mut self, operation: &Operation) -> Option<Diagnostic> {
        let Meaning::QueueEnd(core) = operation.meaning() else { return None };
        let both = operation.integer_or_default("dir_mask") == Some(3);
        let taken = &mut self.0[usize::from(core == Core::Vector)];
        let before = *taken;
        *taken += if both { 4 } else { 2 };
        if before > Flags::ALL || *taken <= Flags::ALL {
            return None;
        }
        Some(finding(operation, &rules::FLAGS, format!("the queues up to this one take {taken} flags")))
    }
}

/// The number of the queue that an operation opens or uses; `None` for other operations and for queue values.
fn number(operation: &Operation) -> Option<i128> {
    operation.integer_or_default("id")
}

fn is_end(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::QueueEnd(_))
}

/// Whether an operation transfers an entry of a numbered queue.
fn is_transfer(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Entry { to: Some(_), .. })
}

/// The object that an operation creates and that must be unique in its function, as text, and the rule that says so.
fn unique(operation: &Operation) -> Option<(&'static Rule, String)> {
    let name = operation.word("name").unwrap_or_default();
    match operation.meaning() {
        Meaning::QueueEnd(_) => {
            let end = format!("`{}` of queue {}", operation.short_name(), number(operation)?);
            Some((&rules::UNIQUE_END, end))
        }
        Meaning::ReserveBuffer => Some((&rules::UNIQUE_BUFFER, format!("buffer `{name}`"))),
        Meaning::ImportBuffer => {
            let buffer = format!("buffer `{name}` of `@{}`", operation.symbol("peer_func")?);
            Some((&rules::UNIQUE_IMPORT, buffer))
        }
        _ => None,
    }
}
