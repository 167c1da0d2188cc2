//! Checks the kinds of operands: scalars, views, tiles and pointers.

use super::misfit;
use crate::ir::{Attribute, Function, Operand, Operation, Scalar, Spelling, Type, TypeTable, Value};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::foreign::{operations, suggest_operation};
use pto_isa::meaning::{Conversion, Meaning};
use pto_isa::op::Set;
use pto_isa::op::form::{Kind, Syntax};
use pto_isa::registry::Op;
use pto_isa::rules;

use crate::text::printer::type_text;

/// Whether the operands of an instruction match one of its forms in number and kind.
pub(super) fn fits(types: &TypeTable, function: &Function, operation: &Operation) -> bool {
    let Some(instruction) = operation.instruction() else { return false };
    let type_of = |operand: &Operand| &types[function.values[operand.value].ty];
    match instruction.page().syntax {
        Syntax::Destination(forms) => forms.iter().any(|form| {
            let mut roles = form.roles();
            operation.operands.iter().all(|operand| {
                roles.next().is_some_and(|role| {
                    let kind = role.kind == Kind::Other || Kind::of(type_of(operand)) == role.kind;
                    role.name == operand.role && kind
                })
            }) && roles.next().is_none()
        }),
        Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => {
            missing(operation).is_none()
                && kinds.iter().all(|(role, kind)| {
                    operation.operands_in(role).all(|operand| kind.fits(type_of(operand)))
                })
        }
    }
}

/// The first required operand that an instruction with its own syntax lacks.
fn missing(operation: &Operation) -> Option<&'static str> {
    let lacks = |role: &&'static str| operation.operand(role).is_none();
    let mut patterns = crate::text::required(&operation.name).peekable();
    let first = patterns.peek().and_then(|roles| roles.iter().copied().find(lacks));
    if patterns.any(|roles| !roles.iter().any(&lacks)) { None } else { first }
}

/// Checks the operands of one operation.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    findings: &mut Vec<Diagnostic>,
) {
    let type_of = |operand: &Operand| function.values[operand.value].ty;
    let kinds = operation.op().map_or(&[][..], |op| op.page().syntax.kinds());
    for (role, kind) in kinds {
        for operand in operation.operands_in(role) {
            let ty = type_of(operand);
            if !kind.fits(&types[ty]) {
                let message = format!(
                    "`%{}` has type `{}`; `{}` takes {} here",
                    function.values[operand.value].name,
                    type_text(types, ty),
                    operation.name,
                    kind.phrase()
                );
                let error = Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operand.span);
                let name = &function.values[operand.value].name;
                findings.push(match instead(operation, *kind, &types[ty], name) {
                    Some(help) => error.with_help(help),
                    None => error,
                });
            }
        }
    }
    words(types, function, operation, findings);
    if let Some(instruction) = operation.instruction() {
        if !fits(types, function, operation) && matches!(instruction.page().syntax, Syntax::Destination(_)) {
            findings.push(misfit::finding(types, function, operation, instruction.page().syntax));
        } else if let Some(role) = missing(operation)
            && matches!(instruction.page().syntax, Syntax::Own(..))
        {
            let message = format!("`{}` lacks its operand `{role}`", operation.name);
            findings.push(Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span));
        }
        return;
    }
    if let Some(role) = missing(operation) {
        let message = format!("`{}` lacks its operand `{role}`", operation.name);
        findings.push(Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span));
        return;
    }
    same_type(types, function, operation, findings);
    scalar_result(types, function, operation, findings);
    if !operation.meaning().runs() {
        findings.push(not_run(operation));
    }
}

/// The help for an operand of another kind, if the intended operation is clear.
fn instead(operation: &Operation, kind: Kind, ty: &Type, name: &str) -> Option<String> {
    match (kind, ty) {
        (Kind::View, Type::Pointer { .. }) => misfit::view_of(ty, name),
        (Kind::Bool, Type::Scalar(scalar)) if scalar.is_integer() => Some(format!(
            "a condition is the result of a comparison: `%condition = arith.cmpi ne, %{name}, %zero : {}`",
            scalar.word()
        )),
        (_, Type::Tile(_)) => {
            let of_tiles = on_tiles(operation.name.as_str())?;
            Some(format!("`{}` is an operation on scalars; on tiles it is `{of_tiles}`", operation.name))
        }
        _ => None,
    }
}

/// The instruction on tiles that corresponds to a scalar operation of `arith`: `pto.tadd` for `arith.addf`.
fn on_tiles(name: &str) -> Option<&'static str> {
    let word = name.strip_prefix("arith.")?;
    let word = ["si", "ui", "i", "f"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let is_instruction = |name: &&str| Op::find(name).is_some_and(|op| op.instruction().is_some());
    operations(word).into_iter().find(is_instruction)
}

/// Checks that offsets are integers, and that a quantization parameter has 64 bits.
fn words(types: &TypeTable, function: &Function, operation: &Operation, findings: &mut Vec<Diagnostic>) {
    const OFFSETS: [&str; 6] = ["row", "col", "row0", "col0", "row1", "col1"];
    if operation.instruction().is_none_or(|instruction| instruction.page().set != Set::Layout) {
        return;
    }
    for operand in &operation.operands {
        let Type::Scalar(ty) = types[function.values[operand.value].ty] else { continue };
        let wrong = match operand.role {
            "q" if !ty.is_integer() || ty.bits() != 64 => {
                "an i64: bits 13 to 31 hold the scale as the upper bits of an f32, bit 46 says that results are signed"
            }
            role if OFFSETS.contains(&role) && !ty.is_integer() => "an integer or an index",
            _ => continue,
        };
        let name = &function.values[operand.value].name;
        let message = format!("`%{name}` is a `{}`; `{}` takes {wrong}", ty.word(), operation.name);
        findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operand.span));
    }
}

/// Checks that two operands of a scalar operation have one type.
fn same_type(types: &TypeTable, function: &Function, operation: &Operation, findings: &mut Vec<Diagnostic>) {
    let pairs = [("lhs", "rhs"), ("then", "else"), ("lower", "upper"), ("lower", "step")];
    for (first, second) in pairs {
        let (Some(a), Some(b)) = (operation.operand(first), operation.operand(second)) else { continue };
        let [first, second] = [a, b].map(|operand| &function.values[operand.value]);
        if first.ty != second.ty {
            let message = format!(
                "`%{}` has type `{}`, but `%{}` has type `{}`",
                first.name,
                type_text(types, first.ty),
                second.name,
                type_text(types, second.ty)
            );
            let error = Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(b.span);
            // One operand of another type may differ from several.
            let help = redefined(types, function, [a, b]).or_else(|| conversion(types, [first, second]));
            return findings.push(match help {
                Some(help) => error.with_help(help),
                None => error,
            });
        }
    }
}

/// The help for a constant whose type differs from that of the other operand: its definition with that type.
fn redefined(types: &TypeTable, function: &Function, pair: [&Operand; 2]) -> Option<String> {
    let text = |operand: &Operand| {
        let constants = function.operations.iter().map(|(_, operation)| operation);
        let mut constants = constants.filter(|operation| operation.is(Op::ARITH_CONSTANT));
        let of = constants.find(|operation| operation.results.first() == Some(&operand.value))?;
        match of.attribute("value")? {
            Attribute::Integer(number, _) => Some(*number),
            _ => None,
        }
    };
    let [a, b] = pair.map(|operand| &function.values[operand.value]);
    let [Type::Scalar(first), Type::Scalar(second)] = [a, b].map(|value| &types[value.ty]) else {
        return None;
    };
    let (constant, number, ty) = match (text(pair[0]), text(pair[1])) {
        (None, Some(number)) => (b, number, first),
        (Some(number), None) => (a, number, second),
        (Some(_), Some(number)) if *first == Scalar::Index => (b, number, first),
        (Some(number), Some(_)) if *second == Scalar::Index => (a, number, second),
        _ => return None,
    };
    let (name, ty) = (&constant.name, ty.is_integer().then(|| ty.word())?);
    Some(format!("define `%{name}` as `arith.constant {number} : {ty}`"))
}

/// The help for two values of which one must be converted to the type of the other: to `index`, else to the wider one.
fn conversion(types: &TypeTable, values: [&Value; 2]) -> Option<String> {
    let [Type::Scalar(a), Type::Scalar(b)] = values.map(|value| &types[value.ty]) else { return None };
    let rank = |scalar: &Scalar| (*scalar == Scalar::Index, !scalar.is_integer(), scalar.bits());
    if rank(a) < rank(b) { a.converted(&values[0].name, *b) } else { b.converted(&values[1].name, *a) }
}

/// Checks that a cast between types of one size returns a scalar.
fn scalar_result(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    findings: &mut Vec<Diagnostic>,
) {
    if !matches!(operation.meaning(), Meaning::Convert(Conversion::Bits | Conversion::SameSize)) {
        return;
    }
    for result in &operation.results {
        let ty = function.values[*result].ty;
        if !matches!(types[ty], Type::Scalar(_)) {
            let name = &operation.name;
            let message = format!("`{name}` gives a scalar, not a `{}`", type_text(types, ty));
            findings
                .push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operation.name_span));
        }
    }
}

fn not_run(operation: &Operation) -> Diagnostic {
    let name = &operation.name;
    if operation.op().is_some() {
        let message = format!("`{name}` is known, but does not run yet");
        return Diagnostic::error(&rules::structure::UNSUPPORTED, message).at(operation.name_span);
    }
    let message = format!("unknown operation `{name}`");
    let error = Diagnostic::error(&rules::text::UNKNOWN_OPERATION, message).at(operation.name_span);
    // A name of the generic form is between quotation marks, which the span contains.
    let mut inner = operation.name_span;
    if matches!(operation.spelling, Spelling::Generic) && inner.end >= inner.start + 2 {
        inner = Span::new(inner.start + 1, inner.end - 1);
    }
    suggest_operation(error, inner, name.as_str())
}
