//! Writes addresses into a function: as constants at its start, which allocations name.

use crate::ir::rewrite::Point;
use crate::ir::{
    Attribute, FunctionId, Module, NamedAttribute, Operand, OperandGroup, Operation, OperationId, Scalar,
    Spelling, Type, ValueId,
};
use pto_isa::element::Element;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use std::collections::BTreeMap;

/// Gives operations their addresses.
pub(super) fn apply(module: &mut Module, id: FunctionId, addresses: Vec<(OperationId, u64)>) {
    let Some(entry) =
        module.functions[id].body.and_then(|body| module.functions[id].regions[body].blocks.first().copied())
    else {
        return;
    };
    module.rewrite(id, |rewriter| {
        let ty = rewriter.intern(Type::Scalar(Scalar::Number(Element::I64)));
        let mut constants: BTreeMap<u64, ValueId> = BTreeMap::new();
        for (operation, address) in addresses {
            if rewriter.operation(operation).meaning() == Meaning::ReserveBuffer {
                rewriter
                    .modify(operation, |operation| reserve_at(operation, address))
                    .expect("it is in the function");
                continue;
            }
            let value = *constants.entry(address).or_insert_with(|| {
                let number = Attribute::Integer(i128::from(address), None).typed(ty);
                let constant = Operation::new(Op::ARITH_CONSTANT, vec![NamedAttribute::new("value", number)]);
                let name = format!("c{address}_i64");
                let made = rewriter.insert(Point::Start(entry), constant, &[(name.as_str(), ty)]);
                made.expect("the block is in the function").1[0]
            });
            let at = |operation: &mut Operation| {
                let span = operation.name_span;
                operation.operands.insert(0, Operand { value, role: "addr", group: OperandGroup::In, span });
                operation.spelling = Spelling::Standard;
            };
            rewriter.modify(operation, at).expect("it is in the function");
        }
    });
}

fn reserve_at(operation: &mut Operation, address: u64) {
    operation.attributes.retain(|attribute| attribute.name != "auto" && attribute.name != "base");
    operation.attributes.push(NamedAttribute::new("auto", Attribute::Bool(false)));
    operation.attributes.push(NamedAttribute::new("base", Attribute::Integer(i128::from(address), None)));
}
