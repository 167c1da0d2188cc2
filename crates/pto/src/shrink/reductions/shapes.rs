//! Extents of tiles and views become smaller, everywhere at once.

use super::InModule;
use super::numbers::change_constants;
use pto_lang::ir::{Argument, Attribute, Function, FunctionId, Module, OperationId, Type, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An extent, and where it is changed.
pub(super) struct Extent {
    from: u64,
    to: u64,
    /// The dimension, counted from the innermost; `None`: all dimensions, and the integer constants of this value.
    dimension: Option<usize>,
}

/// Extents that become 1.
pub(super) const TO_ONE: InModule<Extent> = InModule {
    name: "shapes-1",
    does: "sets an extent of tiles and views to 1, in all types and constants that have it",
    places: |module| places(module, false, |_| 1),
    change,
};

/// Extents that are halved.
pub(super) const HALVED: InModule<Extent> = InModule {
    name: "shapes",
    does: "halves an extent of tiles and views, in all types and constants that have it",
    places: |module| places(module, false, |extent| extent / 2),
    change,
};

/// Extents of one dimension that become 1.
pub(super) const DIMENSION_TO_ONE: InModule<Extent> = InModule {
    name: "dimensions-1",
    does: "sets an extent to 1 in one dimension, such as the rows, of all types that have it there",
    places: |module| places(module, true, |_| 1),
    change,
};

/// Extents of one dimension that are halved.
pub(super) const DIMENSION_HALVED: InModule<Extent> = InModule {
    name: "dimensions",
    does: "halves an extent in one dimension, such as the rows, of all types that have it there",
    places: |module| places(module, true, |extent| extent / 2),
    change,
};

fn places(module: &Module, by_dimension: bool, smaller: fn(u64) -> u64) -> Vec<Extent> {
    let mut extents: BTreeSet<(Option<usize>, u64)> = BTreeSet::new();
    for (_, ty) in module.types.iter() {
        each_extent(&mut ty.clone(), &mut |dimension, extent| {
            extents.insert((by_dimension.then_some(dimension), *extent));
        });
    }
    let places = extents.into_iter().filter(|(_, extent)| *extent > 1);
    places.map(|(dimension, from)| Extent { from, to: smaller(from), dimension }).collect()
}

/// Visits the extents of a type, with their dimensions, counted from the innermost.
fn each_extent(ty: &mut Type, visit: &mut dyn FnMut(usize, &mut u64)) {
    let mut number = |dimension: usize, extent: &mut u32| {
        let mut wide = u64::from(*extent);
        visit(dimension, &mut wide);
        *extent = u32::try_from(wide).unwrap_or(*extent);
    };
    match ty {
        Type::Tile(tile) | Type::MultiTile { tile, .. } => {
            number(1, &mut tile.rows);
            number(0, &mut tile.cols);
            tile.valid_rows.iter_mut().for_each(|rows| number(1, rows));
            tile.valid_cols.iter_mut().for_each(|cols| number(0, cols));
        }
        Type::ConvTile(tile) => {
            let rank = tile.layout.rank();
            let extents = tile.extents[..rank].iter_mut().rev().enumerate();
            extents.for_each(|(dimension, extent)| number(dimension, extent));
        }
        Type::TensorView { shape, .. } | Type::PartitionView { shape, .. } | Type::MemRef { shape, .. } => {
            let known = shape.iter_mut().rev().enumerate();
            known.for_each(|(at, extent)| extent.iter_mut().for_each(|extent| visit(at, extent)));
        }
        Type::LocalArray { shape, .. } => {
            shape.iter_mut().rev().enumerate().for_each(|(at, extent)| visit(at, extent));
        }
        _ => {}
    }
}

fn change(module: &mut Module, places: &[Extent]) {
    let one: BTreeMap<(usize, u64), u64> =
        places.iter().filter_map(|place| Some(((place.dimension?, place.from), place.to))).collect();
    let all: BTreeMap<u64, u64> =
        places.iter().filter(|place| place.dimension.is_none()).map(|place| (place.from, place.to)).collect();
    let mut map = HashMap::new();
    let types: Vec<(TypeId, Type)> = module.types.iter().map(|(id, ty)| (id, ty.clone())).collect();
    for (id, mut ty) in types {
        each_extent(&mut ty, &mut |dimension, extent| {
            let to = all.get(extent).or_else(|| one.get(&(dimension, *extent)));
            *extent = to.copied().unwrap_or(*extent);
        });
        map.insert(id, module.types.intern_like(ty, id));
    }
    module.type_aliases.iter_mut().for_each(|alias| alias.ty = map[&alias.ty]);
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions {
        let function = &mut module.functions[id];
        retype(function, &map);
        change_constants(function, |value| {
            u64::try_from(value).ok().and_then(|value| all.get(&value)).map(|to| i128::from(*to))
        });
    }
}

fn retype(function: &mut Function, map: &HashMap<TypeId, TypeId>) {
    for index in 0..function.values.len() {
        let value = &mut function.values[ValueId::from_index(index)];
        value.ty = map[&value.ty];
    }
    function.results.iter_mut().for_each(|ty| *ty = map[ty]);
    for Argument { attributes, .. } in &mut function.arguments {
        attributes.iter_mut().for_each(|attribute| retype_attribute(&mut attribute.value, map));
    }
    for index in 0..function.operations.len() {
        let operation = &mut function.operations[OperationId::from_index(index)];
        operation.attributes.iter_mut().for_each(|attribute| retype_attribute(&mut attribute.value, map));
    }
}

fn retype_attribute(attribute: &mut Attribute, map: &HashMap<TypeId, TypeId>) {
    match attribute {
        Attribute::Type(ty) => *ty = map[ty],
        Attribute::Array(list) => list.iter_mut().for_each(|inner| retype_attribute(inner, map)),
        _ => {}
    }
}
