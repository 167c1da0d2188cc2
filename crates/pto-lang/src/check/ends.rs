//! Consistency of the two ends of a queue, and of its entries with them: slots, epilogues, sizes and element types of
//! entries. Reports errors of a run before the run, if both ends are known.

use crate::analysis::queues::{number_of, slots};
use crate::ir::{Function, Module, Operation, Type};
use pto_isa::diag::Diagnostic;
use pto_isa::element::{Element, element_word};
use pto_isa::meaning::{Core, EntryAction, Meaning};
use pto_isa::op::epilogue::{Epilogue, KEY};
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::tile::TileType;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The attributes of one end of a queue.
struct End<'a> {
    operation: &'a Operation,
    id: i128,
    directions: i128,
    slots: i128,
    size: i128,
    /// The epilogue; outer `None` if it is malformed, inner `None` if there is none.
    epilogue: Option<Option<Epilogue>>,
}

/// A tile that is pushed into a queue or popped from it.
struct Moved<'a> {
    operation: &'a Operation,
    /// The number of the queue, and whether its entries go to the vector cores.
    route: (i128, bool),
    tile: TileType,
    split: i128,
    pushed: bool,
}

impl<'a> End<'a> {
    fn of(operation: &'a Operation) -> Option<(Core, End<'a>)> {
        let Meaning::QueueEnd(core) = operation.meaning() else { return None };
        let directions = operation.integer_or_default("dir_mask")?;
        let slots = slots(operation);
        let epilogue = match operation.attribute(KEY) {
            None => Some(None),
            Some(attribute) => Epilogue::of(attribute).ok().map(Some),
        };
        let size = operation.integer_or_default("slot_size")?;
        // Invalid numbers are reported by another rule.
        let sound = slots > 0 && size > 0;
        sound
            .then_some((core, End { operation, id: number_of(operation), directions, slots, size, epilogue }))
    }

    /// A message on the first attribute that differs from the other end of the same queue.
    fn differs(&self, other: &End<'_>) -> Option<String> {
        let id = self.id;
        if self.directions != other.directions {
            let [here, there] = [self.directions, other.directions];
            return Some(format!("queue {id} has dir_mask = {here} here, {there} on the cube core"));
        }
        if (self.slots, self.size) != (other.slots, other.size) {
            return Some(format!(
                "queue {id} has {} slots of {} bytes here, {} of {} on the cube core",
                self.slots, self.size, other.slots, other.size
            ));
        }
        let known = self.epilogue.is_some() && other.epilogue.is_some();
        (known && self.epilogue != other.epilogue)
            .then(|| format!("queue {id} has another `{KEY}` here than on the cube core"))
    }
}

impl<'a> Moved<'a> {
    fn of(module: &Module, function: &Function, operation: &'a Operation) -> Option<Moved<'a>> {
        let Meaning::Entry { action, to: Some(to) } = operation.meaning() else { return None };
        let (pushed, value) = match action {
            EntryAction::Push => (true, operation.operand("value")?.value),
            EntryAction::Pop => (false, *operation.results.first()?),
            _ => return None,
        };
        let Type::Tile(tile) = &module.types[function.values[value].ty] else { return None };
        let route = (number_of(operation), to == Core::Vector);
        let split = operation.integer_or_default("split").unwrap_or(0);
        Some(Moved { operation, route, tile: *tile, split, pushed })
    }
}

/// The possible formats of the entries of a queue that are pushed in one format.
fn elements(epilogue: Option<Epilogue>, pushed: &Element) -> &[Element] {
    epilogue.map_or(std::slice::from_ref(pushed), |epilogue| epilogue.targets(*pushed))
}

/// Checks the queues of the functions of a module, and those between them.
pub(super) fn check(module: &Module, findings: &mut Vec<Diagnostic>) {
    module.functions.iter().for_each(|(_, function)| slots_hold(module, function, findings));
    let by_name: HashMap<&str, &Function> =
        module.functions.iter().map(|(_, function)| (function.name.as_str(), function)).collect();
    let mut checked = HashSet::new();
    for (_, function) in module.functions.iter() {
        for other in partners(function) {
            let Some(other) = by_name.get(other.as_str()) else { continue };
            for (cube, vector) in [(function, *other), (*other, function)] {
                let cores = cube.core() != Some(Core::Vector) && vector.core() != Some(Core::Cube);
                if cores && checked.insert((&cube.name, &vector.name)) {
                    pair(module, cube, vector, findings);
                }
            }
        }
    }
}

/// The functions that may contain the other ends of a function's queues: itself, the functions whose buffers it
/// imports, and for `X_aic` the function `X_aiv`.
fn partners(function: &Function) -> Vec<String> {
    let mut names = Vec::new();
    for (_, operation) in function.operations.iter() {
        match operation.meaning() {
            Meaning::ImportBuffer => names.extend(operation.symbol("peer_func").map(str::to_owned)),
            Meaning::QueueEnd(_) => {
                names.push(function.name.clone());
                names.extend(function.name.strip_suffix("_aic").map(|stem| format!("{stem}_aiv")));
            }
            _ => {}
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Checks that the declared entries that a function pushes are not larger than the slots of its queues.
fn slots_hold(module: &Module, function: &Function, findings: &mut Vec<Diagnostic>) {
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    let opened: HashMap<i128, End<'_>> =
        operations().filter_map(End::of).map(|(_, end)| (end.id, end)).collect();
    for push in operations().filter_map(|operation| Moved::of(module, function, operation)) {
        let Some(end) = opened.get(&push.route.0).filter(|_| push.pushed) else { continue };
        // The bytes are known only where the queue makes one format.
        let Some([element]) = end.epilogue.map(|epilogue| elements(epilogue, &push.tile.element)) else {
            continue;
        };
        // Both vector cores fill one entry.
        let halves = !push.route.1 && push.split != 0;
        let bytes = element.bytes(push.tile.rows as usize * push.tile.cols as usize) as i128;
        let bytes = if halves { 2 * bytes } else { bytes };
        if bytes > end.size {
            let message = format!("the entry takes {bytes} bytes, and a slot of the queue has {}", end.size);
            findings.push(error(&rules::queue::SLOT_SIZE, message, push.operation));
        }
    }
}

fn error(rule: &'static Rule, message: String, operation: &Operation) -> Diagnostic {
    let error = Diagnostic::error(rule, message).at(operation.name_span);
    error.with_note(rule.note())
}

fn pair(module: &Module, cube: &Function, vector: &Function, findings: &mut Vec<Diagnostic>) {
    let ends = |function, wanted| {
        let function: &Function = function;
        let ends = function.operations.iter().filter_map(|(_, operation)| End::of(operation));
        ends.filter(move |(core, _)| *core == wanted).map(|(_, end)| end)
    };
    let mut opened: HashMap<i128, End<'_>> = HashMap::new();
    for end in ends(cube, Core::Cube) {
        opened.entry(end.id).or_insert(end);
    }
    for end in ends(vector, Core::Vector) {
        let said = opened.get(&end.id).and_then(|other| Some((end.differs(other)?, other)));
        findings.extend(said.map(|(message, other)| {
            error(&rules::queue::AGREEMENT, message, end.operation)
                .with_label(other.operation.name_span, "the other end is opened here")
        }));
    }
    // Pushes of callees are not analysed.
    let calls = |function: &Function| {
        function.operations.iter().any(|(_, operation)| operation.meaning() == Meaning::Call)
    };
    if !calls(cube) && !calls(vector) {
        entries(module, cube, vector, &opened, findings);
    }
}

/// Reports entries that are popped with a split or an element type that no push has.
fn entries(
    module: &Module,
    cube: &Function,
    vector: &Function,
    opened: &HashMap<i128, End<'_>>,
    findings: &mut Vec<Diagnostic>,
) {
    let moved = |function, on_cube: bool| {
        let function: &Function = function;
        let moved = function.operations.iter();
        let moved = moved.filter_map(move |(_, operation)| Moved::of(module, function, operation));
        // The cube core pushes entries to the vector cores, and pops entries from them.
        moved.filter(move |moved| (moved.pushed == moved.route.1) == on_cube)
    };
    let all: Vec<Moved<'_>> = moved(cube, true).chain(moved(vector, false)).collect();
    let mut splits: HashMap<(i128, bool), BTreeSet<i128>> = HashMap::new();
    for push in all.iter().filter(|moved| moved.pushed) {
        splits.entry(push.route).or_default().insert(push.split);
    }
    // A queue with an epilogue does not split entries; another rule checks this.
    let changes = |id: i128| opened.get(&id).is_some_and(|end| end.epilogue != Some(None));
    for pop in all.iter().filter(|moved| !moved.pushed && !changes(moved.route.0)) {
        let Some(pushed) = splits.get(&pop.route).filter(|list| !list.contains(&pop.split)) else { continue };
        let message = format!(
            "entries of queue {} are pushed with split = {} and popped with {}",
            pop.route.0,
            pushed.first().copied().unwrap_or(0),
            pop.split
        );
        findings.push(error(&rules::queue::AGREEMENT, message, pop.operation));
    }
    let mut arrive: HashMap<(i128, bool), Vec<Element>> = HashMap::new();
    for push in all.iter().filter(|moved| moved.pushed) {
        let epilogue = opened.get(&push.route.0).map_or(Some(None), |end| end.epilogue);
        let list = arrive.entry(push.route).or_default();
        list.extend(epilogue.map_or(&[][..], |epilogue| elements(epilogue, &push.tile.element)));
        list.sort_unstable_by_key(|element| *element as usize);
        list.dedup();
    }
    for pop in all.iter().filter(|moved| !moved.pushed) {
        let Some(list) = arrive.get(&pop.route).filter(|list| !list.is_empty()) else { continue };
        let epilogue = opened.get(&pop.route.0).and_then(|end| end.epilogue).flatten();
        // A type that the mode never produces is reported without the other end.
        if list.contains(&pop.tile.element)
            || epilogue.is_some_and(|epilogue| !epilogue.gives(pop.tile.element))
        {
            continue;
        }
        let rule =
            if epilogue.is_some() { &rules::queue::EPILOGUE_TYPE } else { &rules::queue::ELEMENT_TYPE };
        let words: Vec<_> = list.iter().map(|element| element_word(*element)).collect();
        let message = format!(
            "entries of queue {} hold {}, the tile {}",
            pop.route.0,
            words.join(" or "),
            element_word(pop.tile.element)
        );
        findings.push(error(rule, message, pop.operation));
    }
}
