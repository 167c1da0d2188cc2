//! Checks the kinds of operands: scalars, views, tiles and pointers.

use crate::ir::{Function, Operand, OperandGroup, Operation, Scalar, Spelling, Type, TypeTable, Value};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::foreign::suggest_operation;
use pto_isa::meaning::{Conversion, Meaning};
use pto_isa::op::Set;
use pto_isa::op::form::{Form, Kind, Role, Syntax};
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
                    "`%{}` is a `{}`; `{}` takes {} here",
                    function.values[operand.value].name,
                    type_text(types, ty),
                    operation.name,
                    kind.phrase()
                );
                findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operand.span));
            }
        }
    }
    words(types, function, operation, findings);
    if let Some(instruction) = operation.instruction() {
        if !fits(types, function, operation) && matches!(instruction.page().syntax, Syntax::Destination(_)) {
            findings.push(misfit(types, function, operation, instruction.page().syntax));
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
            return findings.push(match conversion(types, [first, second]) {
                Some(help) => error.with_help(help),
                None => error,
            });
        }
    }
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

/// The message for sources that are missing at the end of `ins(...)`, in the form that lacks fewest.
fn lacking(types: &TypeTable, function: &Function, operation: &Operation, forms: &[Form]) -> Option<String> {
    let kind = |operand: &&Operand| Kind::of(&types[function.values[operand.value].ty]);
    let is_out = |operand: &&Operand| operand.group == OperandGroup::Out;
    let (outs, ins): (Vec<_>, Vec<_>) = operation.operands.iter().partition(is_out);
    let begins = |given: &[&Operand], roles: &[Role]| {
        given.len() <= roles.len()
            && given.iter().zip(roles).all(|(operand, role)| {
                role.keyword.is_none() && (role.kind == Kind::Other || role.kind == kind(operand))
            })
    };
    let fits = |form: &&Form| {
        ins.len() < form.ins.len()
            && outs.len() == form.outs.len()
            && begins(&ins, form.ins)
            && begins(&outs, form.outs)
    };
    let form = forms.iter().filter(fits).min_by_key(|form| form.ins.len())?;
    let missing = form.ins[ins.len()..].iter().map(|role| format!("`{}`", role.name));
    let missing: Vec<String> = missing.collect();
    Some(format!(
        "`{}` takes {} operands in `ins`, but {} given: {} is missing",
        operation.name,
        form.ins.len(),
        if ins.len() == 1 { "1 is".to_owned() } else { format!("{} are", ins.len()) },
        missing.join(" and "),
    ))
}

fn misfit(types: &TypeTable, function: &Function, operation: &Operation, syntax: Syntax) -> Diagnostic {
    let describe = |operand: &Operand| {
        let value = &function.values[operand.value];
        let kind = Kind::of(&types[value.ty]).word();
        let keyword = match operand.group {
            OperandGroup::Keyword(keyword) => format!("{keyword} "),
            _ => String::new(),
        };
        format!("{keyword}%{}: {kind}", value.name)
    };
    let given: Vec<_> = operation.operands.iter().map(describe).collect();
    let lacking = match syntax {
        Syntax::Destination(forms) => lacking(types, function, operation, forms),
        _ => None,
    };
    let message = lacking.unwrap_or_else(|| {
        format!("`{}` does not take these operands ({})", operation.name, given.join(", "))
    });
    let mut diagnostic = Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span);
    if let Syntax::Destination(forms) = syntax {
        for form in forms {
            diagnostic =
                diagnostic.with_help(format!("it is written `{} {}`", operation.name, form.describe()));
        }
    }
    diagnostic
}
