//! The reductions. Each is a list of places, and a change of one place.

mod aliases;
mod arguments;
mod attributes;
mod blocks;
mod carried;
mod comments;
mod functions;
mod names;
mod numbers;
mod operations;
mod regions;
mod shapes;
mod values;

pub(super) use names::rename_constants;

use pto_lang::ir::rewrite::Rewriter;
use pto_lang::ir::{Function, FunctionId, Module};
use std::ops::Range;

/// A reduction.
pub(super) trait Reduction {
    /// Name of the reduction.
    fn name(&self) -> &'static str;

    /// Action of the reduction, as a clause without a subject.
    fn does(&self) -> &'static str;

    /// Number of places where the reduction applies.
    fn count(&self, module: &Module) -> usize;

    /// Applies the reduction to these places. Skips a place that the change of another place has removed.
    fn apply(&self, module: &mut Module, places: Range<usize>);
}

/// A reduction of functions, whose places are found before any is changed.
struct InFunctions<P> {
    name: &'static str,
    does: &'static str,
    places: fn(&Module, &Function) -> Vec<P>,
    change: fn(&mut Rewriter<'_>, &P),
}

impl<P> InFunctions<P> {
    fn all(&self, module: &Module) -> Vec<(FunctionId, P)> {
        let of = |(id, function)| (self.places)(module, function).into_iter().map(move |place| (id, place));
        module.functions.iter().flat_map(of).collect()
    }
}

impl<P> Reduction for InFunctions<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn does(&self) -> &'static str {
        self.does
    }

    fn count(&self, module: &Module) -> usize {
        self.all(module).len()
    }

    fn apply(&self, module: &mut Module, places: Range<usize>) {
        let all = self.all(module);
        let picked = all.get(places).unwrap_or_default();
        for group in picked.chunk_by(|(a, _), (b, _)| a == b) {
            module.rewrite(group[0].0, |rewriter| {
                // Later places first: values are used after their definition.
                group.iter().rev().for_each(|(_, place)| (self.change)(rewriter, place));
            });
        }
    }
}

/// A reduction that changes a module as data.
struct InModule<P> {
    name: &'static str,
    does: &'static str,
    places: fn(&Module) -> Vec<P>,
    change: fn(&mut Module, &[P]),
}

impl<P> Reduction for InModule<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn does(&self) -> &'static str {
        self.does
    }

    fn count(&self, module: &Module) -> usize {
        (self.places)(module).len()
    }

    fn apply(&self, module: &mut Module, places: Range<usize>) {
        let all = (self.places)(module);
        (self.change)(module, all.get(places).unwrap_or_default());
        // `rewrite` removes objects that are no longer reachable.
        let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
        for function in functions {
            module.rewrite(function, |_| ());
        }
    }
}

/// The passes that simplify without a change of results.
struct Canonicalize;

impl Reduction for Canonicalize {
    fn name(&self) -> &'static str {
        "canonicalize"
    }

    fn does(&self) -> &'static str {
        "folds constants and branches with known conditions, erases unused operations"
    }

    fn count(&self, _module: &Module) -> usize {
        1
    }

    fn apply(&self, module: &mut Module, places: Range<usize>) {
        if !places.is_empty() {
            pto_lang::passes::canonicalize(module);
        }
    }
}

/// All reductions, in the order in which they are tried: the cheapest and the most effective first.
pub(super) fn all() -> Vec<Box<dyn Reduction>> {
    vec![
        Box::new(functions::DROPPED),
        Box::new(comments::COMMENTS),
        Box::new(aliases::ALIASES),
        Box::new(operations::ERASED),
        Box::new(operations::UNUSED),
        Box::new(Canonicalize),
        Box::new(regions::INLINED),
        Box::new(regions::SKIPPED),
        Box::new(carried::CARRIED),
        Box::new(blocks::ONE_SIDED),
        Box::new(blocks::MERGED),
        Box::new(values::TO_VALUES),
        Box::new(values::TO_ZERO),
        Box::new(values::TO_ONE),
        Box::new(arguments::UNUSED),
        Box::new(arguments::TO_ZERO),
        Box::new(arguments::TO_ONE),
        Box::new(shapes::TO_ONE),
        Box::new(shapes::HALVED),
        Box::new(shapes::DIMENSION_TO_ONE),
        Box::new(shapes::DIMENSION_HALVED),
        Box::new(numbers::TO_ZERO),
        Box::new(numbers::TO_ONE),
        Box::new(numbers::HALVED),
        Box::new(values::TO_SMALLEST),
        Box::new(values::TO_SECOND_SMALLEST),
        Box::new(values::DROPPED),
        Box::new(attributes::ATTRIBUTES),
        Box::new(functions::UNWRAPPED),
    ]
}
