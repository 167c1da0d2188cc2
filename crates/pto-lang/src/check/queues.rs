//! Rules of queues that need all operations of a function: unique ends and buffers, and uses that fit the queue. The pages of the
//! instructions state the rules.

use crate::analysis::queues::{directions, number_of};
use crate::ir::{Attribute, Function, Operation, Type, TypeTable, ValueId};
use pto_isa::diag::{Diagnostic, Severity};
use pto_isa::meaning::{Core, EntryAction, Meaning};
use pto_isa::op::sync::queue::rules;
use pto_isa::op::{Slots, epilogue};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules::queue::ONE_BLOCK;
use std::collections::{HashMap, HashSet};

/// A finding of a rule on the page of the operation's instruction.
fn finding(operation: &Operation, rule: &'static Rule, message: String) -> Diagnostic {
    let page = operation.instruction().expect("operations of queues are instructions").page();
    debug_assert!(page.rules.contains(&rule), "{} lacks the rule `{}`", page.name, rule.name);
    let error = Diagnostic::error(rule.owned_by(page.name), message).at(operation.name_span);
    error.with_note(rule.note())
}

/// A queue that a function opens.
struct Queue<'a> {
    opened: &'a Operation,
    /// Whether the uses are split, and the operation that determines it.
    splits: Option<(bool, String)>,
}

impl<'a> Queue<'a> {
    fn of(opened: &'a Operation) -> Queue<'a> {
        let said = opened.attribute("nosplit").filter(|_| opened.attribute(epilogue::KEY).is_none());
        let splits = said.map(|attribute| {
            (*attribute == Attribute::Bool(false), format!("queue {} is opened", number_of(opened)))
        });
        Queue { opened, splits }
    }

    /// A use that is split although others are not, or the reverse.
    fn splits(&mut self, operation: &Operation) -> Option<Diagnostic> {
        if self.opened.attribute(epilogue::KEY).is_some() {
            return None;
        }
        let splits = operation.integer_or_default("split") != Some(0);
        let (before, what) =
            self.splits.get_or_insert_with(|| (splits, format!("`{}` uses it", operation.name)));
        (*before != splits).then(|| {
            let words = |splits| if splits { "split" } else { "not split" };
            let message = format!("this use is {}, but {what} {}", words(splits), words(*before));
            finding(operation, &rules::NOSPLIT, message)
        })
    }

    /// A split of an odd extent that the queue, or the pop, does not allow.
    fn odd(&self, operation: &Operation, profile: Profile) -> Option<Diagnostic> {
        let takes_part = matches!(
            operation.meaning(),
            Meaning::Entry { to: Some(Core::Vector), action: EntryAction::Push | EntryAction::Pop }
        );
        if !takes_part || !matches!(operation.integer_or_default("split"), Some(3 | 4)) {
            return None;
        }
        let slots = Slots::of(self.opened.operand("gm_slot_tensor").is_some(), profile);
        let whole = matches!(operation.meaning(), Meaning::Entry { action: EntryAction::Pop, .. })
            && operation.operand("rows").is_none();
        let why = if directions(self.opened) != 1 {
            "the queue goes both ways"
        } else if profile.is_device() && slots == Slots::OnChip {
            "the slots of the queue are on the chip"
        } else if whole {
            "the pop has no valid operands"
        } else {
            return None;
        };
        Some(finding(operation, &rules::ODD, format!("an odd extent is split, and {why}")))
    }
}

/// A buffer of this function, or of its peer, that holds the slots of two queues.
fn shared(
    reserved: &HashSet<ValueId>,
    opened: &Operation,
    buffers: &mut HashMap<ValueId, i128>,
) -> Option<Diagnostic> {
    let roles = ["c2v_consumer_buf", "v2c_consumer_buf"];
    let named = roles.into_iter().filter_map(|role| Some((role, opened.operand(role)?.value)));
    let mine = number_of(opened);
    for (role, value) in named.filter(|(_, value)| reserved.contains(value)) {
        let other = *buffers.entry(value).or_insert(mine);
        if other != mine {
            let message = format!("`{role}` of queue {mine} is a buffer of queue {other}");
            return Some(finding(opened, &rules::ONE_QUEUE, message));
        }
    }
    None
}

/// Checks the queues of one function.
pub(super) fn check(function: &Function, profile: Profile, findings: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    let mut queues: HashMap<i128, Queue<'_>> = HashMap::new();
    let (mut reserved, mut buffers) = (HashSet::new(), HashMap::new());
    let mut flags = Flags::default();
    for (_, operation) in function.operations.iter() {
        if let Some((rule, object)) = unique(operation)
            && !seen.insert(object.clone())
        {
            findings.push(finding(operation, rule, format!("{object} is there twice")));
        }
        findings.extend(flags.take(operation));
        if matches!(operation.meaning(), Meaning::ReserveBuffer | Meaning::ImportBuffer) {
            reserved.extend(operation.results.iter().copied());
        }
        if matches!(operation.meaning(), Meaning::QueueEnd(_)) {
            findings.extend(shared(&reserved, operation, &mut buffers));
            queues.entry(number_of(operation)).or_insert_with(|| Queue::of(operation));
        }
        if let Some(queue) = queues.get_mut(&number_of(operation)).filter(|_| is_transfer(operation)) {
            findings.extend(queue.splits(operation).or_else(|| queue.odd(operation, profile)));
        }
    }
}

/// Reports tiles that are popped and not freed in their block, and parameters that are set outside of the block of
/// their push.
pub(super) fn in_one_block(
    types: &TypeTable,
    function: &Function,
    profile: Profile,
    findings: &mut Vec<Diagnostic>,
) {
    if !profile.is_device() {
        return;
    }
    let all = Transfers::of(function.operations.iter().map(|(_, operation)| operation));
    for (_, block) in function.blocks.iter() {
        let operations = || block.operations.iter().map(|id| &function.operations[*id]);
        let here = Transfers::of(operations());
        let lone = |operation: &&Operation| match entry(operation) {
            // Negative numbers are reported by another rule.
            Some((EntryAction::Pop, of)) if of.0 >= 0 && pops_tile(types, function, operation) => {
                here.count(EntryAction::Free, of) < here.count(EntryAction::Pop, of)
            }
            None if is_setter(operation) => {
                let id = number_of(operation);
                all.push(id) && !here.push(id)
            }
            _ => false,
        };
        findings.extend(operations().filter(lone).map(alone));
    }
}

/// The action of an operation on an entry, and the queue: its number, and the kind of its consumers.
fn entry(operation: &Operation) -> Option<(EntryAction, (i128, Core))> {
    match operation.meaning() {
        Meaning::Entry { action, to: Some(to) } => Some((action, (number_of(operation), to))),
        _ => None,
    }
}

/// Number of transfers of entries by some operations.
#[derive(Default)]
struct Transfers {
    counts: HashMap<(EntryAction, (i128, Core)), usize>,
    /// Whether one pushes into a queue that is a value.
    by_value: bool,
}

impl Transfers {
    fn of<'a>(operations: impl Iterator<Item = &'a Operation>) -> Transfers {
        let mut all = Transfers::default();
        for operation in operations {
            match (entry(operation), operation.meaning()) {
                (Some(key), _) => *all.counts.entry(key).or_default() += 1,
                (None, Meaning::Entry { action: EntryAction::Push, .. }) => all.by_value = true,
                _ => {}
            }
        }
        all
    }

    fn count(&self, action: EntryAction, of: (i128, Core)) -> usize {
        self.counts.get(&(action, of)).copied().unwrap_or(0)
    }

    /// Whether one pushes into the queue of this number, or into one that is a value.
    fn push(&self, id: i128) -> bool {
        self.by_value || self.count(EntryAction::Push, (id, Core::Vector)) > 0
    }
}

fn is_setter(operation: &Operation) -> bool {
    operation.is(Op::SET_QUANT_SCALAR) || operation.is(Op::SET_QUANT_VECTOR)
}

fn pops_tile(types: &TypeTable, function: &Function, operation: &Operation) -> bool {
    operation
        .results
        .first()
        .is_some_and(|result| matches!(types[function.values[*result].ty], Type::Tile(_)))
}

fn alone(operation: &Operation) -> Diagnostic {
    let rule = &ONE_BLOCK;
    let other = if is_setter(operation) { "push" } else { "`tfree`" };
    let message = format!("`{}` has no {other} in its block", operation.name);
    let lint = Diagnostic::new(Severity::Lint, rule, message).at(operation.name_span);
    lint.with_note(rule.note())
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

/// Whether an operation transfers an entry of a numbered queue.
fn is_transfer(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Entry { to: Some(_), .. })
}

/// The object that an operation creates and that must be unique in its function, as text, and the rule that requires
/// it.
fn unique(operation: &Operation) -> Option<(&'static Rule, String)> {
    let name = operation.word("name").unwrap_or_default();
    match operation.meaning() {
        Meaning::QueueEnd(_) => {
            let end = format!("`{}` of queue {}", operation.short_name(), number_of(operation));
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
