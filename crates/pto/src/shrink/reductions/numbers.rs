//! Constants and integer attributes become smaller.

use super::InFunctions;
use crate::shrink::size::integer;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::rewrite::Rewriter;
use pto_lang::ir::{Attribute, Function, Module, OperationId};

/// An attribute of an operation that is a number.
pub(super) struct Number {
    operation: OperationId,
    /// Index among the attributes of the operation.
    attribute: usize,
}

/// Numbers that become 0.
pub(super) const TO_ZERO: InFunctions<Number> = InFunctions {
    name: "constants-0",
    does: "sets constants and integer attributes to 0",
    places,
    change: |rewriter, place| set(rewriter, place, |_| 0, "0.0"),
};

/// Numbers that become 1.
pub(super) const TO_ONE: InFunctions<Number> = InFunctions {
    name: "constants-1",
    does: "sets constants and integer attributes to 1",
    places,
    change: |rewriter, place| set(rewriter, place, |_| 1, "1.0"),
};

/// Integers that are halved.
pub(super) const HALVED: InFunctions<Number> = InFunctions {
    name: "constants",
    does: "halves integer constants and attributes",
    places: |module, function| {
        let is_integer = |number: &Number| {
            matches!(
                function.operations[number.operation].attributes[number.attribute].value,
                Attribute::Integer(..)
            )
        };
        places(module, function).into_iter().filter(is_integer).collect()
    },
    change: |rewriter, place| set(rewriter, place, |value| value / 2, ""),
};

fn places(_: &Module, function: &Function) -> Vec<Number> {
    let numbers = |id: &OperationId| {
        let attributes = function.operations[*id].attributes.iter().enumerate();
        let is_number = |attribute: &Attribute| match attribute {
            Attribute::Integer(value, _) => *value != 0,
            Attribute::Float(text, _) => text != "0.0",
            Attribute::Bool(value) => *value,
            _ => false,
        };
        let numbers = attributes.filter(|(_, attribute)| is_number(&attribute.value));
        numbers.map(|(attribute, _)| Number { operation: *id, attribute }).collect::<Vec<_>>()
    };
    Flow::of(function).operations().iter().flat_map(numbers).collect()
}

fn set(rewriter: &mut Rewriter<'_>, number: &Number, smaller: fn(i128) -> i128, float: &str) {
    let _ = rewriter.modify(number.operation, |operation| {
        let Some(attribute) = operation.attributes.get_mut(number.attribute) else { return };
        match &mut attribute.value {
            Attribute::Integer(value, _) => *value = smaller(*value),
            Attribute::Float(text, _) => *text = float.to_owned(),
            Attribute::Bool(value) => *value = smaller(1) != 0,
            _ => {}
        }
    });
}

/// Changes the integer constants for which there is a new value.
pub(super) fn change_constants(function: &mut Function, new: impl Fn(i128) -> Option<i128>) {
    for index in 0..function.operations.len() {
        let operation = &mut function.operations[OperationId::from_index(index)];
        let Some(value) = integer(operation).and_then(&new) else { continue };
        for attribute in &mut operation.attributes {
            if let Attribute::Integer(known, _) = &mut attribute.value {
                *known = value;
            }
        }
    }
}
