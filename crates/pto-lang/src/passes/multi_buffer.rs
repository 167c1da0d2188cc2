//! Several buffers for the tiles of a loop: one iteration computes while the next one loads.
//!
//! The body of a loop is repeated N times, each copy with tiles of its own, and the loop takes N steps at once; a
//! second loop runs the remaining iterations. Instructions keep their order, so results do not change.
//! Synchronization inserted later can then let an iteration wait only for the iteration N before it.

use super::place::Rounds;
use crate::analysis::{Facts, Liveness, Storage, touches};
use crate::ir::flow::Flow;
use crate::ir::rewrite::{Point, Rewriter};
use crate::ir::{
    Attribute, BlockId, Function, FunctionId, Module, NamedAttribute, Operand, OperandGroup, Operation,
    OperationId, TypeId, ValueId,
};
use pto_isa::meaning::Meaning;
use pto_isa::op::effect::Access;
use pto_isa::op::origin::Origin;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use std::collections::{HashMap, HashSet};

/// Maximum number of operations in a loop that is repeated.
pub(super) const MOST_OPERATIONS: usize = 2_000;

/// A loop whose tiles can have several buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) function: FunctionId,
    /// Number of the loop among the counted loops of the function, in text order.
    pub(super) number: usize,
    /// Outside of the loop, in text order: allocations of tiles that each round writes anew, and views of them.
    pub(super) outside: Vec<OperationId>,
}

/// Gives the tiles of loops that load and compute `count` buffers each. Calls `fits` for each changed module; a loop
/// for which it returns `false` stays unchanged. Returns the number of changed loops, and the rounds to which their
/// tiles belong.
pub(super) fn multi_buffer(
    module: &mut Module,
    count: u32,
    profile: impl Fn(FunctionId) -> Profile,
    mut fits: impl FnMut(&Module, &Rounds) -> bool,
) -> (usize, Rounds) {
    let (mut changed, mut rounds) = (0, Rounds::default());
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions {
        // Changing a loop moves no loop before it in the text. It renumbers operations, so the candidates are
        // collected again.
        let mut found = candidates(module, id, profile(id));
        while let Some(candidate) = found.pop() {
            let mut trial = module.clone();
            let Some(names) = repeat(&mut trial, &candidate, count) else { continue };
            let mut with = rounds.clone();
            with.extend(names.into_iter().map(|(name, round)| ((id, name), (changed, round))));
            if fits(&trial, &with) {
                (*module, rounds) = (trial, with);
                changed += 1;
                found = candidates(module, id, profile(id));
                found.retain(|other| other.number < candidate.number);
            }
        }
    }
    (changed, rounds)
}

/// The counted loops of a function, in text order.
pub(super) fn loops(module: &Module, id: FunctionId) -> Vec<OperationId> {
    let function = &module.functions[id];
    let flow = Flow::of(function);
    flow.operations()
        .iter()
        .copied()
        .filter(|id| function.operations[*id].meaning() == Meaning::For)
        .collect()
}

/// The operations in a loop, in text order.
pub(super) fn inside(flow: &Flow, owner: OperationId) -> Vec<OperationId> {
    let is_inside = |it: &OperationId| flow.around(*it).any(|around| around == owner);
    flow.operations().iter().copied().filter(is_inside).collect()
}

/// Whether the operations in a loop may be repeated: they neither order pipes, nor hand over entries, nor call functions.
pub(super) fn is_simple(function: &Function, inside: &[OperationId]) -> bool {
    !inside.iter().any(|it| {
        let meaning = function.operations[*it].meaning();
        meaning.orders_pipes() || meaning.is_of_queues() || meaning == Meaning::Call
    })
}

fn candidates(module: &Module, id: FunctionId, profile: Profile) -> Vec<Candidate> {
    let function = &module.functions[id];
    let (flow, facts, storage) =
        (Flow::of(function), Facts::of(function, &module.types), Storage::of(module));
    let liveness = Liveness::of(module, id, &storage, profile);
    let position: HashMap<OperationId, usize> =
        flow.operations().iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let mut found = Vec::new();
    for (number, owner) in loops(module, id).into_iter().enumerate() {
        let inside = inside(&flow, owner);
        let meaning = |it: &OperationId| function.operations[*it].meaning();
        let is_innermost = !inside.iter().any(|it| matches!(meaning(it), Meaning::For | Meaning::While));
        if !is_innermost || !is_simple(function, &inside) || inside.len() > MOST_OPERATIONS {
            continue;
        }
        let (mut loads, mut computes) = (false, false);
        let mut used: HashSet<u32> = HashSet::new();
        for it in &inside {
            for touch in touches(function, &module.types, &facts, &function.operations[*it], profile) {
                loads |= touch.pipe == Pipe::Mte2 && touch.access == Access::Write;
                computes |= touch.pipe != Pipe::Mte2;
                used.insert(storage.allocation(id, touch.value));
            }
        }
        if !loads || !computes {
            continue;
        }
        // A tile whose contents the next iteration uses is alive at the head of the loop; a tile whose contents later
        // operations use is alive after the loop's last operation.
        let (first, last) = (position[&owner], inside.iter().map(|it| position[it]).max().unwrap_or(0));
        let is_own = |allocation: u32| {
            let ranges = liveness.ranges(allocation);
            ranges.iter().all(|range| range.first > first && range.last <= last) && !ranges.is_empty()
        };
        let allocations =
            function.operations.iter().filter(|(_, operation)| operation.meaning() == Meaning::AllocTile);
        let allocations: Vec<(OperationId, u32, bool)> = allocations
            .filter_map(|(it, operation)| {
                let allocation = storage.allocation(id, operation.result()?);
                Some((it, allocation, operation.operand("addr").is_some()))
            })
            .filter(|(_, allocation, _)| used.contains(allocation))
            .collect();
        let has_addresses = allocations.iter().any(|(_, _, has_address)| *has_address);
        // A tile of the body that later rounds use by a carried name has one place in the source, and several if it is repeated.
        let carried: HashSet<u32> = function.operations[owner]
            .results
            .iter()
            .filter(|result| module.types[function.values[**result].ty].is_reference())
            .map(|result| storage.allocation(id, *result))
            .collect();
        let escapes = allocations.iter().any(|(it, of, _)| inside.contains(it) && carried.contains(of));
        let inside: HashSet<OperationId> = inside.into_iter().collect();
        let around = Around { function, flow: &flow, storage: &storage, id, inside: &inside };
        let mut own: Vec<u32> = Vec::new();
        let mut outside: Vec<OperationId> = Vec::new();
        for (it, allocation, _) in allocations.iter().filter(|(_, allocation, _)| is_own(*allocation)) {
            if inside.contains(it) {
                own.push(*allocation);
            } else if let Some(views) = around.views(*allocation) {
                own.push(*allocation);
                outside.extend(views);
            }
        }
        if !has_addresses && !escapes && !own.is_empty() {
            outside.sort_unstable_by_key(|it| position[it]);
            outside.dedup();
            found.push(Candidate { function: id, number, outside });
        }
    }
    found
}

/// Facts about the code outside of a loop.
struct Around<'a> {
    function: &'a Function,
    flow: &'a Flow,
    storage: &'a Storage,
    id: FunctionId,
    inside: &'a HashSet<OperationId>,
}

impl Around<'_> {
    /// The operations outside of the loop whose results are a tile or views of it; `None` if an operation changes the
    /// address or valid region of such a value, because copies would not get the change.
    fn views(&self, allocation: u32) -> Option<Vec<OperationId>> {
        let is_of = |value: ValueId| self.storage.allocation(self.id, value) == allocation;
        let mut views = Vec::new();
        for it in self.flow.operations() {
            let operation = &self.function.operations[*it];
            let uses = operation.operands.iter().any(|operand| is_of(operand.value));
            let makes = operation.results.iter().any(|result| is_of(*result));
            if uses && (operation.is(Op::SET_VALIDSHAPE) || operation.is(Op::TASSIGN)) {
                return None;
            }
            if !makes || self.inside.contains(it) {
                continue;
            }
            // A loop, a call or an instruction cannot be repeated before the loop.
            let origin = operation.op().and_then(|op| op.page().origin)?;
            if origin != Origin::Makes && !origin.is_of_operands() {
                return None;
            }
            views.push(*it);
        }
        Some(views)
    }
}

/// Repeats the body of a loop. Returns the names of its tiles with their rounds; `None` if it cannot be.
pub(super) fn repeat(module: &mut Module, candidate: &Candidate, count: u32) -> Option<Vec<(String, u32)>> {
    let owner = *loops(module, candidate.function).get(candidate.number)?;
    let function = &module.functions[candidate.function];
    let body = *function.regions[*function.operations[owner].regions.first()?].blocks.first()?;
    if function.regions[function.operations[owner].regions[0]].blocks.len() != 1 {
        return None;
    }
    module.rewrite(candidate.function, |rewriter| {
        let step = rest(rewriter, owner, count)?;
        let counter = *rewriter.function().blocks[body].arguments.first()?;
        let carried: Vec<ValueId> = rewriter.function().blocks[body].arguments[1..].to_vec();
        let inside: Vec<OperationId> = rewriter.operations(body).collect();
        let end = inside.last().copied().filter(|end| rewriter.operation(*end).meaning() == Meaning::Yield);
        let inside: Vec<OperationId> = inside.into_iter().filter(|it| Some(*it) != end).collect();
        let point = end.map_or(Point::End(body), Point::Before);
        let yielded: Vec<ValueId> = end.map_or(Vec::new(), |end| {
            rewriter.operation(end).operands_in("values").map(|operand| operand.value).collect()
        });
        let tiles = tiles(rewriter, body, &candidate.outside);
        let name = |rewriter: &Rewriter<'_>, tile: ValueId| rewriter.function().values[tile].name.clone();
        let mut names: Vec<(String, u32)> = tiles.iter().map(|tile| (name(rewriter, *tile), 0)).collect();
        let mut passed_on = yielded.clone();
        for round in 1..count {
            let mut map: HashMap<ValueId, ValueId> = carried.iter().copied().zip(passed_on).collect();
            map.insert(counter, later(rewriter, counter, step, round, point)?);
            for tile in &candidate.outside {
                rewriter.copy(*tile, Point::After(*tile), &mut map).ok()?;
            }
            for it in &inside {
                rewriter.copy(*it, point, &mut map).ok()?;
            }
            let copies = tiles.iter().filter_map(|tile| map.get(tile).copied());
            names.extend(copies.map(|tile| (name(rewriter, tile), round)));
            passed_on = yielded.iter().map(|value| map.get(value).copied().unwrap_or(*value)).collect();
        }
        if let Some(end) = end {
            set_all(rewriter, end, "values", &passed_on)?;
        }
        Some(names)
    })
}

/// The tiles allocated in a body, and the tiles allocated by `outside`.
fn tiles(rewriter: &Rewriter<'_>, body: BlockId, outside: &[OperationId]) -> Vec<ValueId> {
    let is_inside = |id: OperationId| {
        let mut block = rewriter.block_of(id);
        while let Some(around) = block {
            if around == body {
                return true;
            }
            block = rewriter.owner_of(around).and_then(|owner| rewriter.block_of(owner));
        }
        false
    };
    let allocates = |id: &OperationId| rewriter.operation(*id).meaning() == Meaning::AllocTile;
    let all = rewriter.all_operations().into_iter().filter(allocates);
    let chosen = all.filter(|id| outside.contains(id) || is_inside(*id));
    chosen.filter_map(|id| rewriter.operation(id).result()).collect()
}

/// Makes the loop take `count` steps at once, and adds a loop for the remaining rounds. Returns the step.
fn rest(rewriter: &mut Rewriter<'_>, owner: OperationId, count: u32) -> Option<ValueId> {
    let operation = rewriter.operation(owner);
    let (lower, upper, step) =
        (operation.value("lower")?, operation.value("upper")?, operation.value("step")?);
    let results = operation.results.clone();
    let ty = rewriter.function().values[lower].ty;
    let before = Point::Before(owner);
    // lower + (upper - lower) ceildiv step / count * count * step
    let number = number(rewriter, before, i128::from(count), ty)?;
    let length = binary(rewriter, before, Op::ARITH_SUBI, upper, lower, "length")?;
    let rounds = binary(rewriter, before, Op::ARITH_CEILDIVSI, length, step, "rounds")?;
    let groups = binary(rewriter, before, Op::ARITH_DIVSI, rounds, number, "groups")?;
    let stride = binary(rewriter, before, Op::ARITH_MULI, step, number, "stride")?;
    let whole = binary(rewriter, before, Op::ARITH_MULI, groups, stride, "whole")?;
    let middle = binary(rewriter, before, Op::ARITH_ADDI, lower, whole, "middle")?;
    let users: Vec<(ValueId, Vec<OperationId>)> =
        results.iter().map(|result| (*result, rewriter.users(*result))).collect();
    let last = rewriter.copy(owner, Point::After(owner), &mut HashMap::new()).ok()?;
    let last_results = rewriter.operation(last).results.clone();
    set_all(rewriter, last, "lower", &[middle])?;
    set_all(rewriter, last, "init", &results)?;
    set_all(rewriter, owner, "upper", &[middle])?;
    set_all(rewriter, owner, "step", &[stride])?;
    for ((result, users), by) in users.into_iter().zip(last_results) {
        for user in users {
            let change = |operation: &mut Operation| {
                let passed = operation.successors.iter_mut().flat_map(|successor| &mut successor.arguments);
                for operand in operation.operands.iter_mut().chain(passed) {
                    if operand.value == result {
                        operand.value = by;
                    }
                }
            };
            rewriter.modify(user, change).ok()?;
        }
    }
    Some(step)
}

/// Replaces the operands in a role.
fn set_all(rewriter: &mut Rewriter<'_>, id: OperationId, role: &str, values: &[ValueId]) -> Option<()> {
    let change = |operation: &mut Operation| {
        let operands = operation.operands.iter_mut().filter(|operand| operand.role == role);
        operands.zip(values).for_each(|(operand, value)| operand.value = *value);
    };
    rewriter.modify(id, change).ok()
}

/// The counter of a later round in the body, which is `round` steps ahead.
fn later(
    rewriter: &mut Rewriter<'_>,
    counter: ValueId,
    step: ValueId,
    round: u32,
    point: Point,
) -> Option<ValueId> {
    let ty = rewriter.function().values[counter].ty;
    let distance = match round {
        1 => step,
        round => {
            let number = number(rewriter, point, i128::from(round), ty)?;
            binary(rewriter, point, Op::ARITH_MULI, step, number, "distance")?
        }
    };
    let name = rewriter.function().values[counter].name.clone();
    binary(rewriter, point, Op::ARITH_ADDI, counter, distance, &name)
}

fn number(rewriter: &mut Rewriter<'_>, point: Point, number: i128, ty: TypeId) -> Option<ValueId> {
    let value = Attribute::Integer(number, None).typed(ty);
    let constant = Operation::new(Op::ARITH_CONSTANT, vec![NamedAttribute::new("value", value)]);
    let name = format!("c{number}");
    Some(rewriter.insert(point, constant, &[(&name, ty)]).ok()?.1[0])
}

/// Inserts an operation on two integers of one type; the result has that type.
fn binary(
    rewriter: &mut Rewriter<'_>,
    point: Point,
    op: Op,
    lhs: ValueId,
    rhs: ValueId,
    name: &str,
) -> Option<ValueId> {
    let ty = rewriter.function().values[lhs].ty;
    let operand = |value, role| Operand { value, role, group: OperandGroup::In, span: Default::default() };
    let mut operation = Operation::new(op, Vec::new());
    operation.operands = vec![operand(lhs, "lhs"), operand(rhs, "rhs")];
    Some(rewriter.insert(point, operation, &[(name, ty)]).ok()?.1[0])
}
