//! Arguments of functions are dropped, or become constants.

use super::InModule;
use super::values::{constant, number};
use pto_lang::ir::rewrite::Point;
use pto_lang::ir::{Function, FunctionId, Module, OperationId, Type};

/// An argument, by function and number.
type Place = (FunctionId, usize);

/// An argument that the function does not use.
pub(super) const UNUSED: InModule<Place> = InModule {
    name: "arguments",
    does: "drops arguments that are not used",
    places: |module| all(module, |_, function, at| !is_used(function, at)),
    change: |module, places| {
        places.iter().rev().for_each(|(function, at)| remove(module, *function, *at));
    },
};

/// A scalar argument that becomes the constant 0.
pub(super) const TO_ZERO: InModule<Place> = InModule {
    name: "arguments-0",
    does: "replaces scalar arguments by the constant 0",
    places: |module| all(module, is_scalar),
    change: |module, places| fix(module, places, 0),
};

/// A scalar argument that becomes the constant 1.
pub(super) const TO_ONE: InModule<Place> = InModule {
    name: "arguments-1",
    does: "replaces scalar arguments by the constant 1",
    places: |module| all(module, is_scalar),
    change: |module, places| fix(module, places, 1),
};

fn all(module: &Module, wanted: fn(&Module, &Function, usize) -> bool) -> Vec<Place> {
    let of = |(id, function): (FunctionId, &Function)| {
        let numbers = (0..function.arguments.len()).filter(|at| wanted(module, function, *at));
        numbers.map(|at| (id, at)).collect::<Vec<_>>()
    };
    module.functions.iter().flat_map(of).collect()
}

fn is_used(function: &Function, at: usize) -> bool {
    let value = function.arguments[at].value;
    function.operations.iter().any(|(_, operation)| {
        let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
        operation.operands.iter().chain(passed).any(|operand| operand.value == value)
    })
}

fn is_scalar(module: &Module, function: &Function, at: usize) -> bool {
    let ty = function.values[function.arguments[at].value].ty;
    function.body.is_some() && matches!(module.types[ty], Type::Scalar(_))
}

/// Removes an argument, and the operand of each call.
fn remove(module: &mut Module, function: FunctionId, at: usize) {
    module.functions[function].arguments.remove(at);
    let name = module.functions[function].name.clone();
    let all: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for caller in all {
        let operations = &mut module.functions[caller].operations;
        for index in 0..operations.len() {
            let operation = &mut operations[OperationId::from_index(index)];
            if operation.symbol("callee") == Some(&name) && at < operation.operands.len() {
                operation.operands.remove(at);
            }
        }
    }
}

fn fix(module: &mut Module, places: &[Place], value: u8) {
    for (id, at) in places.iter().rev() {
        let function = &module.functions[*id];
        let argument = function.arguments[*at].value;
        let (ty, name) = (function.values[argument].ty, function.values[argument].name.clone());
        let first = function.body.and_then(|body| function.regions[body].blocks.first().copied());
        let (Type::Scalar(scalar), Some(first)) = (module.types[ty].clone(), first) else { continue };
        module.rewrite(*id, |rewriter| {
            let made =
                rewriter.insert(Point::Start(first), constant(number(scalar, ty, value)), &[(&name, ty)]);
            if let Ok((_, values)) = made {
                rewriter.replace_uses(argument, values[0]);
            }
        });
        remove(module, *id, *at);
    }
}
