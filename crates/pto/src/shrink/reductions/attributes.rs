//! Attributes, locations, names of modules and visibilities are removed.

use super::InModule;
use pto_isa::meaning::Meaning;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::{Function, FunctionId, Item, Module, ModuleItem, NamedAttribute, OperationId};

/// The removed part: attribute `n`, or the location, of an object.
pub(super) enum Place {
    /// Attribute of a module, which is numbered in the order of the text.
    Module(usize, usize),
    ModuleLocation(usize),
    ModuleName(usize),
    Function(FunctionId, usize),
    FunctionLocation(FunctionId),
    Visibility(FunctionId),
    Argument(FunctionId, usize, usize),
    Operation(FunctionId, OperationId, usize),
    OperationLocation(FunctionId, OperationId),
}

/// Removes attributes and locations.
pub(super) const ATTRIBUTES: InModule<Place> = InModule {
    name: "attributes",
    does: "removes attributes, locations, names of modules, and visibilities",
    places,
    change,
};

fn places(module: &Module) -> Vec<Place> {
    let mut places = Vec::new();
    for (number, inner) in modules(&module.items).into_iter().enumerate() {
        places.extend((0..inner.attributes.len()).map(|at| Place::Module(number, at)));
        places.extend(inner.location.is_some().then_some(Place::ModuleLocation(number)));
        places.extend(inner.name.is_some().then_some(Place::ModuleName(number)));
    }
    for (id, function) in module.functions.iter() {
        of_function(id, function, &mut places);
    }
    places
}

fn of_function(id: FunctionId, function: &Function, places: &mut Vec<Place>) {
    places.extend((0..function.attributes.len()).map(|at| Place::Function(id, at)));
    places.extend(function.location.is_some().then_some(Place::FunctionLocation(id)));
    places.extend(function.visibility.is_some().then_some(Place::Visibility(id)));
    for (number, argument) in function.arguments.iter().enumerate() {
        places.extend((0..argument.attributes.len()).map(|at| Place::Argument(id, number, at)));
    }
    for operation in Flow::of(function).operations() {
        let known = &function.operations[*operation];
        if !matches!(known.meaning(), Meaning::Constant | Meaning::Switch) {
            places.extend((0..known.attributes.len()).map(|at| Place::Operation(id, *operation, at)));
        }
        places.extend(known.location.is_some().then_some(Place::OperationLocation(id, *operation)));
    }
}

fn modules(items: &[Item]) -> Vec<&ModuleItem> {
    let mut all = Vec::new();
    for item in items {
        if let Item::Module(inner) = item {
            all.push(inner);
            all.extend(modules(&inner.items));
        }
    }
    all
}

fn module_at(items: &mut [Item], number: &mut usize, change: &mut dyn FnMut(&mut ModuleItem)) {
    for item in items {
        let Item::Module(inner) = item else { continue };
        if *number == 0 {
            change(inner);
        }
        *number = number.wrapping_sub(1);
        module_at(&mut inner.items, number, change);
    }
}

fn change(module: &mut Module, places: &[Place]) {
    let remove = |list: &mut Vec<NamedAttribute>, at: usize| drop(list.remove(at));
    // The last attribute of an object first, so that the positions of the others stay valid.
    for place in places.iter().rev() {
        let items = &mut module.items;
        let functions = &mut module.functions;
        match *place {
            Place::Module(mut number, at) => {
                module_at(items, &mut number, &mut |inner| remove(&mut inner.attributes, at));
            }
            Place::ModuleLocation(mut number) => {
                module_at(items, &mut number, &mut |inner| inner.location = None);
            }
            Place::ModuleName(mut number) => module_at(items, &mut number, &mut |inner| inner.name = None),
            Place::Function(id, at) => remove(&mut functions[id].attributes, at),
            Place::FunctionLocation(id) => functions[id].location = None,
            Place::Visibility(id) => functions[id].visibility = None,
            Place::Argument(id, number, at) => {
                remove(&mut functions[id].arguments[number].attributes, at);
            }
            Place::Operation(id, operation, at) => {
                let operation = &mut functions[id].operations[operation];
                remove(&mut operation.attributes, at);
                operation.inner_attributes -= usize::from(at < operation.inner_attributes);
            }
            Place::OperationLocation(id, operation) => functions[id].operations[operation].location = None,
        }
    }
}
