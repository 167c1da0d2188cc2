//! The values that refer to the same storage as another value, operation by operation, by the origins on the pages
//! ([`Origin`]).

use crate::ir::{Function, FunctionId, Module, Names, Operand, OperandGroup, Operation, RegionId, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::op::origin::{Link, Origin, Passing, Sink, Source};

/// A value of a function.
pub(crate) type Named = (FunctionId, ValueId);

/// Calls `join` for each pair of values of which an operation makes the second refer to the storage of the first: to
/// all of it or to a part.
pub(crate) fn references(
    module: &Module,
    names: &Names<'_>,
    id: FunctionId,
    operation: &Operation,
    join: &mut impl FnMut(Named, Named),
) {
    let within = Within { id, function: &module.functions[id], operation };
    match operation.op().and_then(|op| op.page().origin.as_ref()) {
        Some(Origin::Names(roles)) => {
            // TRESHAPE makes its destination another name of its source.
            let names = || operation.results.iter().copied().chain(within.outs());
            for role in *roles {
                let from = within.operands(role);
                from.for_each(|from| names().for_each(|name| join((id, from), (id, name))));
            }
        }
        Some(Origin::PassesOn(Passing::Within(links))) => {
            links.iter().for_each(|link| within.link(link, join));
        }
        Some(Origin::PassesOn(Passing::Successors)) => {
            for successor in &operation.successors {
                let arguments = within.function.blocks[successor.block].arguments.iter().copied();
                within.pairs(values(&successor.arguments), arguments, join);
            }
        }
        Some(Origin::PassesOn(Passing::Call)) => called(module, names, &within, join),
        Some(Origin::Makes) | None => {}
    }
}

/// The values around one operation.
struct Within<'a> {
    id: FunctionId,
    function: &'a Function,
    operation: &'a Operation,
}

impl Within<'_> {
    fn pairs(
        &self,
        from: impl Iterator<Item = ValueId>,
        to: impl Iterator<Item = ValueId>,
        join: &mut impl FnMut(Named, Named),
    ) {
        from.zip(to).for_each(|(from, to)| join((self.id, from), (self.id, to)));
    }

    fn operands(&self, role: &'static str) -> impl Iterator<Item = ValueId> + use<'_> {
        self.operation.operands_in(role).map(|operand| operand.value)
    }

    fn outs(&self) -> impl Iterator<Item = ValueId> + use<'_> {
        let outs = self.operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out);
        outs.map(|operand| operand.value)
    }

    fn link(&self, link: &Link, join: &mut impl FnMut(Named, Named)) {
        let regions = &self.operation.regions;
        let to: Vec<ValueId> = match link.to {
            Sink::Results => self.operation.results.clone(),
            Sink::Entry(at) => regions.get(at).map_or(Vec::new(), |region| self.entry(*region).collect()),
            Sink::EntryAfterCounter(at) => {
                regions.get(at).map_or(Vec::new(), |region| self.entry(*region).skip(1).collect())
            }
        };
        let to = || to.iter().copied();
        match link.from {
            Source::Role(role) => self.pairs(self.operands(role), to(), join),
            Source::Outs => self.pairs(self.outs(), to(), join),
            Source::End(at) => regions.get(at).into_iter().for_each(|region| self.ends(*region, to, join)),
            Source::AnyEnd => regions.iter().for_each(|region| self.ends(*region, to, join)),
        }
    }

    /// The arguments of the entry block of a region.
    fn entry(&self, region: RegionId) -> impl Iterator<Item = ValueId> + '_ {
        let block = self.function.regions[region].blocks.first();
        block.into_iter().flat_map(|block| self.function.blocks[*block].arguments.iter().copied())
    }

    /// Joins the values with which a region ends.
    fn ends<T: Iterator<Item = ValueId>>(
        &self,
        region: RegionId,
        to: impl Fn() -> T,
        join: &mut impl FnMut(Named, Named),
    ) {
        let blocks = &self.function.regions[region].blocks;
        for last in blocks.iter().filter_map(|block| self.function.blocks[*block].operations.last()) {
            let end = &self.function.operations[*last];
            if matches!(end.meaning(), Meaning::Yield | Meaning::Condition) {
                self.pairs(end.operands_in("values").map(|operand| operand.value), to(), join);
            }
        }
    }
}

/// The arguments of a called function, and the results of the call.
fn called(module: &Module, names: &Names<'_>, call: &Within<'_>, join: &mut impl FnMut(Named, Named)) {
    let (id, operation) = (call.id, call.operation);
    let callee = operation.symbol("callee").and_then(|name| names.find(call.function, name));
    let Some(callee) = callee else { return };
    let function = &module.functions[callee];
    let arguments = function.arguments.iter().map(|argument| (callee, argument.value));
    values(&operation.operands).zip(arguments).for_each(|(given, argument)| join((id, given), argument));
    for (_, end) in function.operations.iter().filter(|(_, end)| end.meaning() == Meaning::Return) {
        let returned = end.operands_in("values").map(|operand| (callee, operand.value));
        let results = operation.results.iter().map(|result| (id, *result));
        returned.zip(results).for_each(|(returned, result)| join(returned, result));
    }
}

fn values(operands: &[Operand]) -> impl Iterator<Item = ValueId> + '_ {
    operands.iter().map(|operand| operand.value)
}
