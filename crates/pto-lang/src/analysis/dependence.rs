//! The arguments of a kernel on which its values depend.
//!
//! A value depends on an argument if data flow from one to the other: through scalar operations, contents of tiles
//! and of memory, regions, branches and calls. Two kinds of values are not data flow: numbers of iterations and
//! conditions of branches, which are uses of their own, and offsets, extents and strides of views, which only locate
//! data.

use super::passing::{Named, references};
use super::{Facts, touches};
use crate::ir::{FunctionId, Module, Names, Operation, Type, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::profile::Profile;
use std::collections::{HashMap, HashSet};

/// For each value, the numbers of the arguments on which it depends.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependence {
    on: HashMap<Named, Vec<usize>>,
}

impl Dependence {
    /// The data flow within these functions. `arguments` are the arguments of the functions that a launch calls, with their numbers.
    pub(super) fn of(
        module: &Module,
        functions: &[FunctionId],
        profile: Profile,
        arguments: &[(Named, usize)],
    ) -> Dependence {
        let flow = Flow::of(module, functions, profile);
        let mut dependence = Dependence::default();
        for (argument, at) in arguments {
            for value in flow.from(*argument) {
                let known = dependence.on.entry(value).or_default();
                if !known.contains(at) {
                    known.push(*at);
                }
            }
        }
        dependence
    }

    /// The numbers of the arguments on which a value depends.
    pub(super) fn arguments(&self, function: FunctionId, value: ValueId) -> &[usize] {
        self.on.get(&(function, value)).map_or(&[], Vec::as_slice)
    }
}

/// Data flow from values to others.
struct Flow {
    to: HashMap<Named, Vec<Named>>,
}

impl Flow {
    fn of(module: &Module, functions: &[FunctionId], profile: Profile) -> Flow {
        let (names, mut flow) = (Names::of(module), Flow { to: HashMap::new() });
        for &id in functions {
            let function = &module.functions[id];
            let facts = Facts::of(function, &module.types);
            for (_, operation) in function.operations.iter() {
                references(module, &names, id, operation, &mut |from, to| {
                    flow.add(from, to);
                    // Names of one memory have its contents.
                    if !is_scalar(module, from) {
                        flow.add(to, from);
                    }
                });
                if operation.meaning() == Meaning::Call || !operation.regions.is_empty() {
                    continue;
                }
                let changed = touches(function, &module.types, &facts, operation, profile);
                let changed = changed.into_iter().filter(|touch| touch.access.changes());
                let changed = changed.map(|touch| touch.value).chain(set_by(operation));
                let to: Vec<ValueId> = changed.chain(operation.results.iter().copied()).collect();
                let places = says_where(operation.meaning());
                let from = operation.operands.iter().map(|operand| operand.value);
                for from in from.filter(|value| !(places && is_scalar(module, (id, *value)))) {
                    to.iter().for_each(|to| flow.add((id, from), (id, *to)));
                }
            }
        }
        flow
    }

    fn add(&mut self, from: Named, to: Named) {
        let known = self.to.entry(from).or_default();
        if from != to && known.last() != Some(&to) {
            known.push(to);
        }
    }

    /// A value and all that depend on it.
    fn from(&self, first: Named) -> Vec<Named> {
        let (mut found, mut all, mut at) = (HashSet::from([first]), vec![first], 0);
        while let Some(value) = all.get(at) {
            let next = self.to.get(value).into_iter().flatten();
            let next: Vec<Named> = next.copied().filter(|next| found.insert(*next)).collect();
            all.extend(next);
            at += 1;
        }
        all
    }
}

fn is_scalar(module: &Module, (function, value): Named) -> bool {
    matches!(module.types[module.functions[function].values[value].ty], Type::Scalar(_))
}

/// Whether the scalars of an operation only locate data.
fn says_where(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::MakeView | Meaning::Partition | Meaning::AddPointer)
}

/// The struct or array that an operation changes.
fn set_by(operation: &Operation) -> Option<ValueId> {
    let sets = matches!(operation.meaning(), Meaning::StructSet | Meaning::ArraySet);
    operation.operands.first().filter(|_| sets).map(|operand| operand.value)
}
