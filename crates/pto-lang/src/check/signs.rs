//! Integers `siN` and `iN` are two types that compute alike: where operands and results must have one element type, they are
//! spelled alike, too.

use crate::ir::{Function, Operation, TypeTable, ValueId};
use crate::text::printer::type_text;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::meaning::Meaning;
use pto_isa::op::Set;
use pto_isa::registry::Op;
use pto_isa::rules;

/// Roles of operands that have one element type, beside the results.
const DATA: [&str; 15] = [
    "src", "src0", "src1", "src2", "src3", "dst", "dst0", "dst1", "scalar", "fill", "source", "pointer",
    "value", "array", "view",
];

/// Reports operands and results of one format of which one is signed and another is not.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    findings: &mut Vec<Diagnostic>,
) {
    let is_signed = |value: ValueId| types.is_signed(function.values[value].ty);
    let operands = operation.operands.iter().filter(|operand| DATA.contains(&operand.role));
    let data = || {
        let results = operation.results.iter().map(|result| (*result, operation.name_span));
        operands.clone().map(|operand| (operand.value, operand.span)).chain(results)
    };
    if !data().any(|(value, _)| is_signed(value)) || !agrees(operation) {
        return;
    }
    let element = |value: ValueId| types[function.values[value].ty].element();
    let pairs: Vec<(ValueId, Span)> = data().collect();
    let differs = |(value, _): &&(ValueId, Span)| {
        element(*value) == element(pairs[0].0) && is_signed(*value) != is_signed(pairs[0].0)
    };
    let Some((other, span)) = pairs[1..].iter().find(differs) else { return };
    let text = |value: ValueId| {
        let known = &function.values[value];
        format!("`%{}` is a `{}`", known.name, type_text(types, known.ty))
    };
    let message = format!("{}, but {}", text(pairs[0].0), text(*other));
    let help = "`siN` and `iN` compute alike, but are two types: write the same one in both";
    findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(*span).with_help(help));
}

/// Whether the data of an operation has one element type.
fn agrees(operation: &Operation) -> bool {
    let Some(op) = operation.op() else { return false };
    match op.instruction() {
        Some(instruction) => {
            let page = instruction.page();
            ![Op::TCVT, Op::TRESHAPE].contains(&op)
                && (page.set == Set::Memory || page.rules.iter().any(|rule| rule.name == "same-type"))
        }
        None => matches!(
            operation.meaning(),
            Meaning::MakeView
                | Meaning::Partition
                | Meaning::AddPointer
                | Meaning::MultiTileGet
                | Meaning::ArrayGet
        ),
    }
}
