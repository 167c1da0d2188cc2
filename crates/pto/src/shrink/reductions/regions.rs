//! Regions take the place of their operation: a branch becomes one of its sides, a loop one round, or nothing.

use super::InFunctions;
use pto_isa::meaning::Meaning;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::rewrite::{Point, Rewriter};
use pto_lang::ir::{Function, Module, OperationId, RegionId, ValueId};

/// A region, by operation and number.
pub(super) const INLINED: InFunctions<(OperationId, usize)> = InFunctions {
    name: "regions",
    does: "replaces a loop by one round, a branch by one of its sides, a section by its contents",
    places: regions,
    change: |rewriter, (id, number)| {
        // A region with other values than its operation stays.
        let _ = inline(rewriter, *id, *number);
    },
};

/// A loop, whose results are its initial values.
pub(super) const SKIPPED: InFunctions<OperationId> = InFunctions {
    name: "skipped",
    does: "replaces a loop by the values that it starts with",
    places: |_, function| {
        let is_loop = |id: &OperationId| function.operations[*id].operand("init").is_some();
        Flow::of(function).operations().iter().copied().filter(is_loop).collect()
    },
    change: |rewriter, id| {
        if rewriter.block_of(*id).is_some() {
            let inits: Vec<ValueId> = values(rewriter, *id, "init");
            // Values of other types are not replaced.
            let _ = rewriter.replace(*id, &inits);
        }
    },
};

fn regions(_: &Module, function: &Function) -> Vec<(OperationId, usize)> {
    let of = |id: &OperationId| {
        let (id, count) = (*id, function.operations[*id].regions.len());
        (0..count).map(move |number| (id, number))
    };
    Flow::of(function).operations().iter().flat_map(of).collect()
}

fn values(rewriter: &Rewriter<'_>, id: OperationId, role: &str) -> Vec<ValueId> {
    rewriter.operation(id).operands_in(role).map(|operand| operand.value).collect()
}

/// The only block of a region, its operations without the last one, and the values that the last one passes on.
struct Body {
    arguments: Vec<ValueId>,
    operations: Vec<OperationId>,
    yielded: Vec<ValueId>,
}

impl Body {
    fn of(rewriter: &Rewriter<'_>, region: RegionId) -> Option<Body> {
        let &[block] = rewriter.function().regions[region].blocks.as_slice() else { return None };
        let mut operations: Vec<OperationId> = rewriter.operations(block).collect();
        let last = operations.last().copied();
        let end = last.filter(|last| rewriter.operation(*last).meaning().ends_block());
        let mut yielded = Vec::new();
        if let Some(end) = end {
            if !matches!(rewriter.operation(end).meaning(), Meaning::Yield | Meaning::Condition) {
                return None;
            }
            yielded = values(rewriter, end, "values");
            operations.pop();
        }
        Some(Body { arguments: rewriter.function().blocks[block].arguments.clone(), operations, yielded })
    }
}

/// Replaces an operation by the operations of one of its regions.
fn inline(rewriter: &mut Rewriter<'_>, id: OperationId, number: usize) -> Option<()> {
    rewriter.block_of(id)?;
    let region = *rewriter.operation(id).regions.get(number)?;
    let body = Body::of(rewriter, region)?;
    let inits = values(rewriter, id, "init");
    let given = match rewriter.operation(id).meaning() {
        Meaning::For => [vec![rewriter.operation(id).value("lower")?], inits].concat(),
        // The second region of such a loop takes the values that the condition passes on: here the initial values.
        Meaning::While => inits,
        _ => Vec::new(),
    };
    let same = |a: &[ValueId], b: &[ValueId]| {
        let ty = |value: &ValueId| rewriter.function().values[*value].ty;
        a.iter().map(ty).eq(b.iter().map(ty))
    };
    let results = rewriter.operation(id).results.clone();
    if !same(&body.arguments, &given) || !same(&results, &body.yielded) {
        return None;
    }
    let replaced = |value: &ValueId| {
        let at = body.arguments.iter().position(|argument| argument == value);
        at.map_or(*value, |at| given[at])
    };
    let yielded: Vec<ValueId> = body.yielded.iter().map(replaced).collect();
    for (argument, value) in body.arguments.iter().zip(&given) {
        rewriter.replace_uses(*argument, *value);
    }
    for inner in body.operations {
        rewriter.move_to(inner, Point::Before(id)).ok()?;
    }
    rewriter.replace(id, &yielded).ok()
}
