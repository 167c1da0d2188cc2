//! The finding on an instruction whose operands match none of its forms, with the form that was probably meant.

use crate::ir::{Function, Operand, OperandGroup, Operation, Type, TypeTable};
use pto_isa::diag::Diagnostic;
use pto_isa::op::form::{Form, Kind, Role, Syntax};
use pto_isa::registry::Op;
use pto_isa::rules;

/// The finding on operands that match no form of their instruction.
pub(super) fn finding(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    syntax: Syntax,
) -> Diagnostic {
    let Syntax::Destination(forms) = syntax else { return refused(types, function, operation) };
    if let Some(message) = lacking(types, function, operation, forms) {
        return with_forms(error(operation, message), operation, forms);
    }
    let finding = refused(types, function, operation);
    if let Some(help) = exchanged(types, function, operation, forms) {
        return finding.with_help(help);
    }
    if let Some(help) = viewed(types, function, operation, forms) {
        return finding.with_help(help);
    }
    match relative(types, function, operation) {
        Some(op) => {
            let help = format!("`{}` takes these operands: {}", op.name(), op.page().summary);
            finding.with_help(help).with_edit(operation.name_span, op.name())
        }
        None => with_forms(finding, operation, forms),
    }
}

fn error(operation: &Operation, message: String) -> Diagnostic {
    Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span)
}

/// The finding with the kinds of the operands.
fn refused(types: &TypeTable, function: &Function, operation: &Operation) -> Diagnostic {
    let describe = |operand: &Operand| {
        let kind = kind(types, function, operand).word();
        let keyword = match operand.group {
            OperandGroup::Keyword(keyword) => format!("{keyword} "),
            _ => String::new(),
        };
        format!("{keyword}%{}: {kind}", function.values[operand.value].name)
    };
    let given: Vec<_> = operation.operands.iter().map(describe).collect();
    error(operation, format!("`{}` does not take these operands ({})", operation.name, given.join(", ")))
}

fn with_forms(finding: Diagnostic, operation: &Operation, forms: &[Form]) -> Diagnostic {
    forms.iter().fold(finding, |finding, form| {
        finding.with_help(format!("it is written `{} {}`", operation.name, form.describe()))
    })
}

fn kind(types: &TypeTable, function: &Function, operand: &Operand) -> Kind {
    Kind::of(&types[function.values[operand.value].ty])
}

/// The operands in `ins(...)`, and those in `outs(...)`.
fn groups(operation: &Operation) -> (Vec<&Operand>, Vec<&Operand>) {
    operation.operands.iter().partition(|operand| operand.group != OperandGroup::Out)
}

/// Whether operands have the kinds of roles without keywords.
fn matches(given: &[Kind], roles: &[Role]) -> bool {
    let fits = |(kind, role): (&Kind, &Role)| {
        role.keyword.is_none() && (role.kind == Kind::Other || role.kind == *kind)
    };
    given.len() == roles.len() && given.iter().zip(roles).all(fits)
}

/// The help for operands that match a form once `ins` and `outs` are exchanged: in C++ the destination is first.
fn exchanged(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    forms: &[Form],
) -> Option<String> {
    let (ins, outs) = groups(operation);
    let kinds = |operands: &[&Operand]| -> Vec<Kind> {
        operands.iter().map(|operand| kind(types, function, operand)).collect()
    };
    let (read, written) = (kinds(&outs), kinds(&ins));
    forms.iter().find(|form| matches(&read, form.ins) && matches(&written, form.outs))?;
    let list = |operands: &[&Operand]| {
        let names = operands.iter().map(|operand| format!("%{} : ...", function.values[operand.value].name));
        names.collect::<Vec<_>>().join(", ")
    };
    let (name, from, to) = (&operation.name, list(&outs), list(&ins));
    Some(format!("sources are in `ins`, destinations in `outs`: `{name} ins({from}) outs({to})`"))
}

/// The help for a pointer where a form requires a view.
fn viewed(types: &TypeTable, function: &Function, operation: &Operation, forms: &[Form]) -> Option<String> {
    let (ins, outs) = groups(operation);
    let is_pointer = |operand: &&Operand| kind(types, function, operand) == Kind::Pointer;
    let pointer = ins.iter().chain(&outs).copied().find(|operand| is_pointer(operand))?;
    let kinds = |operands: &[&Operand]| -> Vec<Kind> {
        let of = |operand: &&Operand| {
            if is_pointer(operand) { Kind::View } else { kind(types, function, operand) }
        };
        operands.iter().map(of).collect()
    };
    let (read, written) = (kinds(&ins), kinds(&outs));
    forms.iter().find(|form| matches(&read, form.ins) && matches(&written, form.outs))?;
    let value = &function.values[pointer.value];
    view_of(&types[value.ty], &value.name)
}

/// The help for the pointer `name` where a view is expected; `None` for a value that is not a pointer.
pub(super) fn view_of(ty: &Type, name: &str) -> Option<String> {
    let Type::Pointer { element, .. } = ty else { return None };
    let form = "shape = [%rows, %cols], strides = [%cols, %c1]";
    let view = format!("!pto.tensor_view<?x?x{}>", element.word());
    Some(format!("make a view of it before: `%{name}_view = pto.make_tensor_view %{name}, {form} : {view}`"))
}

/// The instruction whose name differs only in an `s` at its end, if it takes these operands: `tmul` for two tiles,
/// `tmuls` for a tile and a scalar.
fn relative(types: &TypeTable, function: &Function, operation: &Operation) -> Option<Op> {
    let name = operation.instruction()?.page().name;
    let other = match name.strip_suffix('s') {
        Some(shorter) => Op::find_spelling(shorter),
        None => Op::find_spelling(&format!("{name}s")),
    }?;
    let Syntax::Destination(forms) = other.instruction()?.page().syntax else { return None };
    let (ins, outs) = groups(operation);
    let kinds = |operands: &[&Operand]| -> Vec<Kind> {
        operands.iter().map(|operand| kind(types, function, operand)).collect()
    };
    let (read, written) = (kinds(&ins), kinds(&outs));
    forms.iter().any(|form| matches(&read, form.ins) && matches(&written, form.outs)).then_some(other)
}

/// The message for sources that are missing at the end of `ins(...)`, in the form that lacks fewest.
fn lacking(types: &TypeTable, function: &Function, operation: &Operation, forms: &[Form]) -> Option<String> {
    let kind = |operand: &&Operand| Kind::of(&types[function.values[operand.value].ty]);
    let (ins, outs) = groups(operation);
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
