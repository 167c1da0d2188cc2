//! Values are replaced by other values of their type, or by constants; operands are dropped.

use super::InFunctions;
use crate::shrink::size::integers;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::rewrite::Rewriter;
use pto_lang::ir::{
    Attribute, Function, Module, NamedAttribute, Operation, OperationId, Scalar, Spelling, Type, TypeId,
    ValueId,
};
use std::collections::HashMap;

/// Maximum number of values of a type that are tested for use at an operation.
const NEAR: usize = 8;

/// An operation, and a value for its result.
pub(super) const TO_VALUES: InFunctions<(OperationId, ValueId)> = InFunctions {
    name: "values",
    does: "replaces an operation by an earlier value of the type of its result",
    places: replacements,
    change: |rewriter, (id, by)| {
        if rewriter.block_of(*id).is_some() {
            let _ = rewriter.replace(*id, &[*by]);
        }
    },
};

/// An operation whose result becomes the constant 0.
pub(super) const TO_ZERO: InFunctions<OperationId> = InFunctions {
    name: "zeros",
    does: "replaces an operation by the constant 0",
    places: computed,
    change: |rewriter, id| make_constant(rewriter, *id, 0),
};

/// An operation whose result becomes the constant 1.
pub(super) const TO_ONE: InFunctions<OperationId> = InFunctions {
    name: "ones",
    does: "replaces an operation by the constant 1",
    places: computed,
    change: |rewriter, id| make_constant(rewriter, *id, 1),
};

/// An operand, and the constant that replaces it.
pub(super) struct Replacement {
    operation: OperationId,
    /// Index among the operands of the operation.
    operand: usize,
    by: ValueId,
}

/// An operand that becomes the smallest constant of its type.
pub(super) const TO_SMALLEST: InFunctions<Replacement> = InFunctions {
    name: "smallest",
    does: "replaces an operand by the smallest constant of its type that the program has",
    places: |module, function| smaller(module, function, 0),
    change: set,
};

/// An operand that becomes the second smallest constant of its type: 1, if there is a 0.
pub(super) const TO_SECOND_SMALLEST: InFunctions<Replacement> = InFunctions {
    name: "second-smallest",
    does: "replaces an operand by the second smallest constant of its type",
    places: |module, function| smaller(module, function, 1),
    change: set,
};

/// An operand by position.
pub(super) const DROPPED: InFunctions<(OperationId, usize)> = InFunctions {
    name: "operands",
    does: "drops optional operands",
    places: |_, function| {
        let is_plain =
            |operation: &Operation| operation.regions.is_empty() && operation.successors.is_empty();
        let order = Flow::of(function);
        let plain = order.operations().iter().filter(|id| is_plain(&function.operations[**id]));
        plain.flat_map(|id| (0..function.operations[*id].operands.len()).map(move |at| (*id, at))).collect()
    },
    change: |rewriter, (id, at)| {
        let _ = rewriter.modify(*id, |operation| {
            if *at < operation.operands.len() {
                operation.operands.remove(*at);
            }
        });
    },
};

fn replacements(_: &Module, function: &Function) -> Vec<(OperationId, ValueId)> {
    let flow = Flow::of(function);
    let mut known: HashMap<TypeId, Vec<ValueId>> = HashMap::new();
    let note = |known: &mut HashMap<TypeId, Vec<ValueId>>, value: ValueId| {
        known.entry(function.values[value].ty).or_default().push(value);
    };
    function.arguments.iter().for_each(|argument| note(&mut known, argument.value));
    let mut places = Vec::new();
    for id in flow.operations() {
        let operation = &function.operations[*id];
        if let [result] = operation.results.as_slice() {
            let ty = function.values[*result].ty;
            let operands = operation.operands.iter().map(|operand| operand.value);
            let own = operands.filter(|value| function.values[*value].ty == ty).take(2);
            let list = known.get(&ty).map_or(&[][..], Vec::as_slice);
            let usable = |value: &&ValueId| flow.reaches(**value, *id);
            let first = list.iter().take(NEAR).find(usable);
            let last = list.iter().rev().take(NEAR).find(usable);
            let mut found: Vec<ValueId> = own.chain(last.copied()).chain(first.copied()).collect();
            found.dedup();
            places.extend(found.into_iter().map(|by| (*id, by)));
        }
        operation.results.iter().for_each(|result| note(&mut known, *result));
        let blocks = operation.regions.iter().flat_map(|region| &function.regions[*region].blocks);
        let arguments = blocks.flat_map(|block| &function.blocks[*block].arguments);
        arguments.for_each(|argument| note(&mut known, *argument));
    }
    places
}

/// Operations with one scalar result and without regions, except constants.
fn computed(module: &Module, function: &Function) -> Vec<OperationId> {
    let is_computed = |id: &OperationId| {
        let operation = &function.operations[*id];
        let [result] = operation.results.as_slice() else { return false };
        operation.regions.is_empty()
            && operation.meaning() != Meaning::Constant
            && matches!(module.types[function.values[*result].ty], Type::Scalar(_))
    };
    Flow::of(function).operations().iter().copied().filter(is_computed).collect()
}

/// A small number as a constant of a type.
pub(super) fn number(scalar: Scalar, ty: TypeId, number: u8) -> Attribute {
    match scalar {
        Scalar::Bool => Attribute::Bool(number != 0),
        _ if scalar.is_integer() => Attribute::Integer(number.into(), Some(ty)),
        _ => Attribute::Float(format!("{number}.0"), Some(ty)),
    }
}

/// The operation that makes a constant.
pub(super) fn constant(value: Attribute) -> Operation {
    Operation::new(Op::ARITH_CONSTANT, vec![NamedAttribute::new("value", value)])
}

fn make_constant(rewriter: &mut Rewriter<'_>, id: OperationId, value: u8) {
    let Some(result) = rewriter.operation(id).result() else { return };
    let Type::Scalar(scalar) = *rewriter.type_of(result) else { return };
    let ty = rewriter.function().values[result].ty;
    let _ = rewriter.modify(id, |operation| {
        operation.name = Op::ARITH_CONSTANT.into();
        operation.operands.clear();
        operation.attributes = constant(number(scalar, ty, value)).attributes;
        (operation.inner_attributes, operation.variant) = (0, 0);
        (operation.spelling, operation.location) = (Spelling::Standard, None);
    });
}

/// Operands, each with the constant of its type at `rank` in the order of magnitude, if the operand is larger.
fn smaller(_: &Module, function: &Function, rank: usize) -> Vec<Replacement> {
    let flow = Flow::of(function);
    let mut constants: HashMap<TypeId, Vec<(u128, ValueId)>> = HashMap::new();
    let mut magnitudes: HashMap<ValueId, u128> = HashMap::new();
    for (value, number) in integers(function) {
        let magnitude = number.unsigned_abs();
        magnitudes.insert(value, magnitude);
        let list = constants.entry(function.values[value].ty).or_default();
        // Of equal constants the first.
        if !list.iter().any(|(known, _)| *known == magnitude) {
            list.push((magnitude, value));
        }
    }
    let mut places = Vec::new();
    for id in flow.operations() {
        for (at, operand) in function.operations[*id].operands.iter().enumerate() {
            let Some(list) = constants.get(&function.values[operand.value].ty) else { continue };
            let mut usable: Vec<_> = list.iter().filter(|(_, value)| flow.reaches(*value, *id)).collect();
            usable.sort_unstable_by_key(|(magnitude, value)| (*magnitude, value.index()));
            let own = magnitudes.get(&operand.value);
            if let Some((magnitude, by)) = usable.get(rank)
                && own.is_none_or(|own| magnitude < own)
            {
                places.push(Replacement { operation: *id, operand: at, by: *by });
            }
        }
    }
    places
}

fn set(rewriter: &mut Rewriter<'_>, place: &Replacement) {
    let _ = rewriter.modify(place.operation, |operation| {
        if let Some(operand) = operation.operands.get_mut(place.operand) {
            operand.value = place.by;
        }
    });
}
