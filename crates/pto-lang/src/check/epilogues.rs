//! Checks of queue epilogues: the attribute at both ends, and the pushed and popped tiles.
//!
//! Source: the public assembler's `docs/designs/fixpipe-tpipe-design.md`.

use crate::ir::{Function, Operation, Type, TypeTable, ValueId};
use pto_isa::diag::Diagnostic;
use pto_isa::element::{Element, element_word};
use pto_isa::layout::Layout;
use pto_isa::meaning::Meaning;
use pto_isa::op::epilogue::{By, Epilogue, KEY};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::tile::{Location, TileType};
use std::collections::{HashMap, HashSet};

/// The note of all findings of this file.
const NOTE: &str = "Both ends of a queue say what it does to accumulators, and entries, parameters and tiles agree with it. \
                    (docs/designs/fixpipe-tpipe-design.md of the public assembler)";

/// The epilogue of a queue in a function; `None` if it has none, or if it is malformed.
type Queue = Option<Epilogue>;

/// The operations that set the parameters of a queue.
const SETTERS: [Op; 2] = [Op::SET_QUANT_SCALAR, Op::SET_QUANT_VECTOR];

fn is_end(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::QueueEnd(_))
}

fn is_value(operation: &Operation) -> bool {
    matches!(operation.meaning(), Meaning::Queue { .. })
}

/// The integer of an attribute, or the page's default, or 0.
fn number(operation: &Operation, key: &str) -> i128 {
    operation.integer_or_default(key).unwrap_or(0)
}

/// Checks the queues of one function.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    profile: Profile,
    findings: &mut Vec<Diagnostic>,
) {
    let mut queues: HashMap<i128, Queue> = HashMap::new();
    for (_, operation) in function.operations.iter().filter(|(_, operation)| is_end(operation)) {
        let epilogue = open(operation, profile, findings);
        queues.entry(number(operation, "id")).or_insert(epilogue);
    }
    // A queue value is identified by its first flag, or by the number of queue values before it.
    let values = function.operations.iter().filter(|(_, operation)| is_value(operation));
    for (ordinal, (_, operation)) in values.enumerate() {
        let epilogue = open(operation, profile, findings);
        let id = operation.integer_or_default("flag_base").unwrap_or(ordinal as i128);
        queues.entry(id).or_insert(epilogue);
    }
    let setters =
        function.operations.iter().filter(|(_, operation)| SETTERS.map(Some).contains(&operation.op()));
    let set: HashSet<(Option<Op>, i128)> =
        setters.map(|(_, operation)| (operation.op(), number(operation, "id"))).collect();
    let tile = |value: Option<ValueId>| match value.map(|value| &types[function.values[value].ty]) {
        Some(Type::Tile(tile)) => Some(tile),
        _ => None,
    };
    for (_, operation) in function.operations.iter() {
        let queue = queues.get(&number(operation, "id")).copied();
        let epilogue = queue.flatten();
        let value = operation.operand("value").map(|operand| operand.value);
        let said = match (operation.op(), epilogue) {
            (Some(Op::SET_QUANT_SCALAR), _) => setter(By::Scalar, operation, queue),
            (Some(Op::SET_QUANT_VECTOR), _) => setter(By::Columns, operation, queue),
            (Some(Op::TPUSH_TO_AIV), Some(epilogue)) => {
                tile(value).and_then(|tile| push(&set, operation, tile, &epilogue))
            }
            (Some(Op::TPOP_FROM_AIC), Some(epilogue)) => {
                let result = operation.results.first().copied();
                let signed = result.is_some_and(|result| types.is_signed(function.values[result].ty));
                tile(result).and_then(|tile| pop(operation, tile, signed, &epilogue))
            }
            (Some(Op::TFREE_FROM_AIC | Op::TALLOC_TO_AIV), Some(_)) => whole(operation),
            _ => None,
        };
        findings.extend(said.map(|(rule, message)| error(rule, message, operation)));
    }
}

fn error(rule: &'static Rule, message: String, operation: &Operation) -> Diagnostic {
    Diagnostic::error(rule, message).at(operation.name_span).with_note(NOTE)
}

/// The epilogue in the operation that opens a queue; reports a malformed one.
fn open(operation: &Operation, profile: Profile, findings: &mut Vec<Diagnostic>) -> Option<Epilogue> {
    let mut error = |message: String| findings.push(error(&rules::queue::EPILOGUE, message, operation));
    let epilogue = match Epilogue::of(operation.attribute(KEY)?) {
        Ok(epilogue) => epilogue,
        Err(message) => {
            error(message);
            return None;
        }
    };
    if number(operation, "dir_mask") != 1 {
        error(format!(
            "{KEY} is for a queue from the cube core to the vector cores alone: write dir_mask = 1"
        ));
    }
    if number(operation, "nosplit") != 1 {
        error(format!("a queue with {KEY} splits nothing: write nosplit = true"));
    }
    if !epilogue.mode.profiles.contains(&profile) {
        error(format!("{KEY}: `{}` is for a5, not for {}", epilogue.mode.word, profile.word()));
    }
    Some(epilogue)
}

type Said = Option<(&'static Rule, String)>;

/// Checks an operation that sets quantization parameters of a queue.
fn setter(by: By, operation: &Operation, queue: Option<Queue>) -> Said {
    let (name, id) = (&operation.name, number(operation, "id"));
    let message = match queue {
        None => format!("`{name}` is for queue {id}, but this function opens none of that number"),
        Some(None) => {
            format!("`{name}` is for queue {id}, which quantizes nothing: it is opened without {KEY}")
        }
        Some(Some(epilogue)) if epilogue.mode.by != by => {
            let wanted = match epilogue.mode.by {
                By::Nothing => "takes no parameters".to_owned(),
                by => format!("takes those of `{}`", by.setter_name()),
            };
            format!("`{name}` is for queue {id}, whose mode `{}` {wanted}", epilogue.mode.word)
        }
        Some(_) => return None,
    };
    Some((&rules::queue::QUANTIZATION, message))
}

fn push(
    set: &HashSet<(Option<Op>, i128)>,
    operation: &Operation,
    tile: &TileType,
    epilogue: &Epilogue,
) -> Said {
    let mode = epilogue.mode;
    if tile.location != Location::Acc || epilogue.targets(tile.element).is_empty() {
        let message = format!(
            "`{}` takes accumulators of {}, not {}",
            mode.word,
            mode.formats.iter().map(|(from, _)| element_word(*from)).collect::<Vec<_>>().join(" or "),
            tile.brief()
        );
        return Some((&rules::queue::EPILOGUE_TYPE, message));
    }
    if let Some(split) = whole(operation) {
        return Some(split);
    }
    let id = number(operation, "id");
    if mode.by == By::Nothing || set.contains(&(mode.by.setter(), id)) {
        return None;
    }
    let message = format!(
        "`{}` needs parameters: write `{}(...) {{id = {id}}}` before this push",
        mode.word,
        mode.by.setter_name()
    );
    Some((&rules::queue::QUANTIZATION, message))
}

/// `signed`: the tile's type spells its integers with their sign.
fn pop(operation: &Operation, tile: &TileType, signed: bool, epilogue: &Epilogue) -> Said {
    let mode = epilogue.mode;
    if tile.element == Element::I8 && !signed {
        let message = format!("`{}` makes si8 or ui8, not i8", mode.word);
        return Some((&rules::queue::EPILOGUE_TYPE, message));
    }
    if !epilogue.gives(tile.element) {
        let message = format!("`{}` makes no {}", mode.word, element_word(tile.element));
        return Some((&rules::queue::EPILOGUE_TYPE, message));
    }
    let layout = Layout::of(tile).name;
    if layout != epilogue.layout {
        let message = format!(
            "the queue's entries are {}, but {} is {}",
            epilogue.layout.word(),
            tile.brief(),
            layout.word()
        );
        return Some((&rules::queue::EPILOGUE_LAYOUT, message));
    }
    whole(operation)
}

/// The error of an operation that splits the entries of a queue with an epilogue: every operation must have split =
/// 0.
fn whole(operation: &Operation) -> Option<(&'static Rule, String)> {
    let split = number(operation, "split") != 0;
    split.then(|| (&rules::queue::SPLIT, format!("a queue with {KEY} splits nothing: write split = 0")))
}
