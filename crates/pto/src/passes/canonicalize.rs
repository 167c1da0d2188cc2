//! Says the same with less: constants are computed, branches that are known are taken, moves of a tile to itself and
//! what nothing uses is left out.

use super::fold::{Folded, Scalars, constant, fold};
use crate::ir::rewrite::{Point, Rewriter};
use crate::ir::{
    FunctionId, Module, NamedAttribute, Operation, OperationId, Scalar, Spelling, Type, ValueId,
};
use crate::isa::meaning::{Binary, Meaning};
use crate::isa::registry::Op;
use crate::isa::scalar::constant_bits;
use std::collections::HashMap;

/// What [`canonicalize`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Canonicalized {
    /// Operations that became constants, or one of their operands.
    pub folded: usize,
    /// Branches and loops that are taken always or never.
    pub branches: usize,
    /// Moves of a tile to itself.
    pub moves: usize,
    /// Operations that nothing used.
    pub unused: usize,
}

/// Brings a module into a simpler form, which computes the same.
///
/// With constants computed, a check knows more: what only a run found wrong can be an error of the result.
pub fn canonicalize(module: &mut Module) -> Canonicalized {
    let mut all = Canonicalized::default();
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for function in functions {
        loop {
            let done = module.rewrite(function, once);
            all.folded += done.folded;
            all.branches += done.branches;
            all.moves += done.moves;
            all.unused += done.unused;
            // A branch that is taken brings what it held into the light.
            if done.branches == 0 {
                break;
            }
        }
    }
    all
}

fn once(rewriter: &mut Rewriter<'_>) -> Canonicalized {
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
        } else if fold_one(rewriter, *id, &mut constants) {
            done.folded += 1;
        } else if take_branch(rewriter, *id, &constants) {
            done.branches += 1;
        }
    }
    // Users first: what only they used is unused then.
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

/// What is known while a function is gone through.
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

/// Replaces an operation by what it gives.
fn fold_one(rewriter: &mut Rewriter<'_>, id: OperationId, constants: &mut HashMap<ValueId, u64>) -> bool {
    let operation = rewriter.operation(id);
    let Some(result) = operation.result() else { return false };
    match fold(&Known { rewriter, constants }, operation) {
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

/// Whether an operation copies a tile to where it is.
fn is_move_to_itself(operation: &Operation) -> bool {
    operation.is(Op::TMOV)
        && operation.results.is_empty()
        && operation.attributes.is_empty()
        && operation.operands.len() == 2
        && operation.value("src").is_some_and(|source| operation.value("dst") == Some(source))
}

/// Puts the operations of the one region that runs in place of a branch, or leaves out a loop that never runs.
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
            // A step that is not positive stops the run.
            let steps = bits("step").is_some_and(|step| step as i64 > 0);
            let inits: Vec<ValueId> = operation.operands_in("init").map(|operand| operand.value).collect();
            steps && lower as i64 >= upper as i64 && rewriter.replace(id, &inits).is_ok()
        }
        _ => false,
    }
}

/// Moves the operations of a region of one block before the operation that holds it, which is replaced by what they yield.
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

/// Whether an operation does nothing but make its results, and cannot stop a run. A view is more: it says how large the
/// argument is that it shows.
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
