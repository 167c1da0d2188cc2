//! Canonicalization: folds constants, inlines branches with known conditions, removes moves of a tile to itself
//! and unused operations.

use super::fold::{Folded, Scalars, constant, fold};
use crate::analysis::linear::Integers;
use crate::ir::flow::Flow;
use crate::ir::rewrite::{Point, Rewriter};
use crate::ir::{
    FunctionId, Module, NamedAttribute, Operation, OperationId, Scalar, Spelling, Type, ValueId,
};
use pto_isa::meaning::{Binary, Meaning};
use pto_isa::registry::Op;
use pto_isa::scalar::constant_bits;
use std::collections::HashMap;

/// The number of changes that [`canonicalize`] made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Canonicalized {
    /// Operations that were replaced by a constant or by one of their operands.
    pub folded: usize,
    /// Branches and loops with a known condition that were inlined or removed.
    pub branches: usize,
    /// Removed moves of a tile to itself.
    pub moves: usize,
    /// Removed unused operations.
    pub unused: usize,
}

/// Simplifies a module without changing its results.
///
/// Folded constants make more facts static, so checking the result can report errors that only a run would find in
/// the original.
pub fn canonicalize(module: &mut Module) -> Canonicalized {
    let mut all = Canonicalized::default();
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for function in functions {
        loop {
            let remainders = remainders(module, function);
            let done = module.rewrite(function, |rewriter| once(rewriter, &remainders));
            all.folded += done.folded;
            all.branches += done.branches;
            all.moves += done.moves;
            all.unused += done.unused;
            // Inlined operations may allow further simplification.
            if done.branches == 0 {
                break;
            }
        }
    }
    all
}

/// Remainders that are the same in every round of the loops around them, such as `i mod 2` if `i` goes in steps of 2.
fn remainders(module: &Module, id: FunctionId) -> HashMap<OperationId, u64> {
    let function = &module.functions[id];
    let flow = Flow::of(function);
    let integers = Integers::of(function, &module.types, &flow);
    let remainder = |(it, operation): (OperationId, &Operation)| {
        let Meaning::Binary(Binary::RemSigned | Binary::RemUnsigned) = operation.meaning() else {
            return None;
        };
        let by = integers.form(operation.value("rhs")?).as_constant().filter(|by| *by > 0)?;
        let form = integers.form(operation.value("lhs")?);
        let found = integers.remainder(&form, by, None)?;
        Some((it, found.value as u64))
    };
    function.operations.iter().filter_map(remainder).collect()
}

fn once(rewriter: &mut Rewriter<'_>, remainders: &HashMap<OperationId, u64>) -> Canonicalized {
    let mut done = Canonicalized::default();
    let mut constants = HashMap::new();
    let order = rewriter.all_operations();
    for id in &order {
        if rewriter.block_of(*id).is_none() {
            continue;
        }
        learn(rewriter, *id, &mut constants);
        if is_move_to_itself(rewriter.operation(*id)) && rewriter.erase(*id).is_ok() {
            done.moves += 1;
        } else if fold_one(rewriter, *id, remainders.get(id).copied(), &mut constants) {
            done.folded += 1;
        } else if take_branch(rewriter, *id, &constants) {
            done.branches += 1;
        }
    }
    // In reverse order, so that operations used only by removed ones are removed too.
    for id in order.iter().rev() {
        if rewriter.block_of(*id).is_some()
            && is_pure(rewriter.operation(*id), &constants)
            && rewriter.erase(*id).is_ok()
        {
            done.unused += 1;
        }
    }
    done
}

/// Known constants during the traversal of a function.
struct Known<'a, 'm> {
    rewriter: &'a Rewriter<'m>,
    constants: &'a HashMap<ValueId, u64>,
}

impl Scalars for Known<'_, '_> {
    fn bits(&self, value: ValueId) -> Option<u64> {
        self.constants.get(&value).copied()
    }

    fn scalar(&self, value: ValueId) -> Option<Scalar> {
        match self.rewriter.type_of(value) {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }
}

fn learn(rewriter: &Rewriter<'_>, id: OperationId, constants: &mut HashMap<ValueId, u64>) {
    let operation = rewriter.operation(id);
    if operation.meaning() != Meaning::Constant {
        return;
    }
    let (Some(result), Some(value)) = (operation.result(), operation.attribute("value")) else { return };
    if let Type::Scalar(ty) = rewriter.type_of(result) {
        constants.extend(constant_bits(value, *ty).map(|bits| (result, bits)));
    }
}

/// Replaces an operation by its folded value, or by the known bits of its result.
fn fold_one(
    rewriter: &mut Rewriter<'_>,
    id: OperationId,
    known: Option<u64>,
    constants: &mut HashMap<ValueId, u64>,
) -> bool {
    let operation = rewriter.operation(id);
    let Some(result) = operation.result() else { return false };
    match fold(&Known { rewriter, constants }, operation).or(known.map(Folded::Bits)) {
        Some(Folded::Operand(value)) => rewriter.replace(id, &[value]).is_ok(),
        Some(Folded::Bits(bits)) => {
            let Type::Scalar(ty) = *rewriter.type_of(result) else { return false };
            let Some(value) = constant(ty, bits) else { return false };
            let value = value.typed(rewriter.function().values[result].ty);
            constants.insert(result, bits);
            let become_constant = |operation: &mut Operation| {
                operation.name = Op::ARITH_CONSTANT.into();
                operation.operands.clear();
                operation.attributes = vec![NamedAttribute::new("value", value)];
                operation.spelling = Spelling::Standard;
                operation.variant = 0;
            };
            rewriter.modify(id, become_constant).is_ok()
        }
        None => false,
    }
}

/// Whether an operation copies a tile to itself.
fn is_move_to_itself(operation: &Operation) -> bool {
    operation.is(Op::TMOV)
        && operation.results.is_empty()
        && operation.attributes.is_empty()
        && operation.operands.len() == 2
        && operation.value("src").is_some_and(|source| operation.value("dst") == Some(source))
}

/// Replaces a branch by the operations of the region that runs, or removes a loop that never runs.
fn take_branch(rewriter: &mut Rewriter<'_>, id: OperationId, constants: &HashMap<ValueId, u64>) -> bool {
    let operation = rewriter.operation(id);
    let bits = |role: &str| operation.value(role).and_then(|value| constants.get(&value).copied());
    match operation.meaning() {
        Meaning::If => {
            let Some(condition) = bits("condition") else { return false };
            match operation.regions.get(usize::from(condition == 0)).copied() {
                Some(region) => inline(rewriter, id, region),
                None => operation.results.is_empty() && rewriter.erase(id).is_ok(),
            }
        }
        Meaning::For => {
            let (Some(lower), Some(upper)) = (bits("lower"), bits("upper")) else { return false };
            // A step that is not positive stops the run, so such a loop is kept.
            let steps = bits("step").is_some_and(|step| step as i64 > 0);
            let inits: Vec<ValueId> = operation.operands_in("init").map(|operand| operand.value).collect();
            steps && lower as i64 >= upper as i64 && rewriter.replace(id, &inits).is_ok()
        }
        _ => false,
    }
}

/// Moves the operations of a single-block region before the operation that contains it, and replaces that
/// operation by the yielded values.
fn inline(rewriter: &mut Rewriter<'_>, id: OperationId, region: crate::ir::RegionId) -> bool {
    let &[block] = rewriter.function().regions[region].blocks.as_slice() else { return false };
    if !rewriter.function().blocks[block].arguments.is_empty() {
        return false;
    }
    let inside: Vec<OperationId> = rewriter.operations(block).collect();
    let end = inside.last().copied().filter(|last| rewriter.operation(*last).meaning() == Meaning::Yield);
    let yielded: Vec<ValueId> = end.map_or(Vec::new(), |end| {
        rewriter.operation(end).operands_in("values").map(|operand| operand.value).collect()
    });
    if yielded.len() != rewriter.operation(id).results.len() {
        return false;
    }
    for inner in inside.into_iter().filter(|inner| Some(*inner) != end) {
        if rewriter.move_to(inner, Point::Before(id)).is_err() {
            return false;
        }
    }
    rewriter.replace(id, &yielded).is_ok()
}

/// Whether an operation only computes its results, and cannot stop a run. Views do not count: they also determine
/// the size of the argument.
fn is_pure(operation: &Operation, constants: &HashMap<ValueId, u64>) -> bool {
    use Binary::{CeilDivSigned, DivSigned, DivUnsigned, FloorDivSigned, RemSigned, RemUnsigned};
    match operation.meaning() {
        Meaning::Binary(
            CeilDivSigned | DivSigned | DivUnsigned | FloorDivSigned | RemSigned | RemUnsigned,
        ) => operation.value("rhs").and_then(|by| constants.get(&by)).is_some_and(|by| *by != 0),
        Meaning::Partition
        | Meaning::ViewExtent { .. }
        | Meaning::AddPointer
        | Meaning::AllocTile
        | Meaning::TileExtent { .. }
        | Meaning::Launch(_) => true,
        meaning => meaning.is_scalar(),
    }
}
